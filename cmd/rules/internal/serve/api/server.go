package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/webguard"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime"
)

// Options are the bounds of a server.
//
// Evaluating and Counting bound what runs, Waiting what may queue up for it. A client beyond both
// is told at once, with the time after which it may ask again.
type Options struct {
	Budget     int64 // of states that one question for odds may meet
	Evaluating int   // questions that are evaluated at once
	Counting   int   // questions for odds that are answered at once, and streams whose lines are
	Waiting    int   // questions of each kind that may wait
	Intake     *webguard.Intake
}

// A server answers from a library.
type server struct {
	library *library.Library
	Options
	streams   *webguard.Gate // those that are open
	streaming *webguard.Gate // those that have lines to answer
	// operations are what may be asked of a ruleset, by their paths below it.
	operations []operation
}

// namedRevision returns the ruleset that a request is about, and the revision that its path or the header Rules-Revision
// names; "" where neither does.
//
// The header is for programs that pin a revision for all requests and build paths from names alone.
func namedRevision(r *http.Request) (ruleset, revision string, err error) {
	ruleset, revision, named := strings.Cut(r.PathValue("ruleset"), "@")
	if header := r.Header.Get(revisionHeader); header != "" {
		if named && header != revision {
			return "", "", BadRequest("the path names revision " + revision + ", and the header " + revisionHeader + " " +
				header)
		}
		revision = header
	}
	return ruleset, revision, nil
}

// edition returns the revision that a request without a character is about: the one that it names, or the newest.
func (s *server) edition(r *http.Request) (*library.Edition, error) {
	ruleset, revision, err := namedRevision(r)
	if err != nil {
		return nil, err
	}
	return s.library.Shelf().Find(ruleset, revision)
}

// isProcedure reports whether an id is that of a procedure of an edition. It is an error if it is not that of a rule
// either.
//
// Names are compared one by one: a ruleset has some dozens, and the program keeps them in slices.
func isProcedure(e *library.Edition, id string) (bool, error) {
	switch {
	case slices.Contains(e.Program.ProcedureNames(), id):
		return true, nil
	case slices.Contains(e.Program.RuleNames(), id):
		return false, nil
	}
	return false, &runtime.UnknownError{What: "rule or procedure", Name: id, Known: describe.EvaluableNames(e.Plan)}
}

// readQuestion reads the body of a question and returns its subject: an edition, and a rule or procedure of it.
//
// A request that names no revision is answered by the one that the character in its body is pinned to, or by which the
// sheet in its state was played. The ruleset is looked up before the body is read: a path that leads nowhere is the
// client's first mistake.
func (s *server) readQuestion(r *http.Request, into any) (e *library.Edition, id string, procedure bool, err error) {
	shelf := s.library.Shelf()
	ruleset, revision, err := namedRevision(r)
	if err != nil {
		return nil, "", false, err
	}
	if e, err = shelf.Find(ruleset, revision); err != nil {
		return nil, "", false, err
	}
	text, err := readBody(r)
	if err != nil {
		return nil, "", false, err
	}
	if revision == "" {
		var records struct{ Character, State json.RawMessage }
		_ = json.Unmarshal(text, &records) // errors in it are for Decode to report
		if e, err = shelf.FindFor(ruleset, records.Character, records.State); err != nil {
			return nil, "", false, err
		}
	}
	id = r.PathValue("name")
	if procedure, err = isProcedure(e, id); err != nil {
		return nil, "", false, err
	}
	return e, id, procedure, Decode(text, into)
}

// revisionHeader names a revision where the path does not.
const revisionHeader = "Rules-Revision"
