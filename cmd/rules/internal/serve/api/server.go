package api

import (
	"net/http"
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

// edition returns the revision that a request is about: that of its path, or of the header Rules-Revision.
//
// The header is for programs that pin a revision for all requests and build paths from names alone.
func (s *server) edition(r *http.Request) (*library.Edition, error) {
	ruleset, revision, named := strings.Cut(r.PathValue("ruleset"), "@")
	if header := r.Header.Get(revisionHeader); header != "" {
		if named && header != revision {
			return nil, BadRequest("the path names revision " + revision + ", and the header " + revisionHeader + " " +
				header)
		}
		revision = header
	}
	return s.library.Shelf().Find(ruleset, revision)
}

// subject returns the subject of a question: an edition, and a rule or procedure of it.
//
// Names are compared one by one: a ruleset has some dozens, and the program keeps them in slices.
func (s *server) subject(r *http.Request) (e *library.Edition, id string, procedure bool, err error) {
	if e, err = s.edition(r); err != nil {
		return nil, "", false, err
	}
	id = r.PathValue("name")
	for _, known := range e.Program.ProcedureNames() {
		if known == id {
			return e, id, true, nil
		}
	}
	for _, known := range e.Program.RuleNames() {
		if known == id {
			return e, id, false, nil
		}
	}
	return nil, "", false, &runtime.UnknownError{What: "rule or procedure", Name: id,
		Known: describe.EvaluableNames(e.Plan)}
}

// revisionHeader names a revision where the path does not.
const revisionHeader = "Rules-Revision"
