package site

// # A decision in the middle
//
// Some fields are decided when dice have fallen. A page cannot stop in the middle of a rule, so it
// asks twice:
//
//	1. the form is sent     dice fall, the page shows them and the fields that are now due
//	2. decisions are sent   the same faces, from a hidden field, and the decisions: the sheet
//
// Between the two the server keeps nothing. The faces travel in the page; whoever changes them
// there only deceives himself, as with dice typed by hand.

import (
	"net/url"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A decisionView is what is to be decided now that dice have fallen, with what is known by then.
type decisionView struct {
	Dice   []string
	Known  [][2]string
	Fields []fieldView
}

// decidePrefix begins the names of fields that hold decisions.
const decidePrefix = "decide."

// An asker carries a rule or an event out as far as a request allows. It returns what is needed next, with the faces that
// have fallen so far.
type asker func(runtime.Request) (needs []ask.Need, faces dice.Rolls, err error)

// takeDecisions puts the decisions of a form into the input, and returns them as fields. It also returns the next
// decision to make after the dice that fall before it. That is nil when all has been decided, or when nothing reads the
// rest.
func takeDecisions(input []describe.Field, q *formQuestion, form url.Values, from asker, notes view.Notes) (
	decided []fieldView, due *decisionView, err error) {
	var open []*describe.Field
	for i := range input {
		f := &input[i]
		// A field within a list cannot be decided by itself: it is given beforehand or not at all.
		if len(f.After) == 0 || strings.Contains(f.Name, "[") {
			continue
		}
		text, isDecided := form[decidePrefix+f.Name]
		switch {
		// A decision counts only with the faces that it was made for. In a fresh roll it would be
		// one made in advance.
		case form.Get(fellField) != "" && isDecided:
			field := newField(f, text[0])
			field.ID = decidePrefix + f.Name
			decided = append(decided, field)
			if text[0] != "" {
				q.Request.Input = putInto(q.Request.Input, f, text[0])
			}
		case form.Get(inputPrefix+f.Name) == "":
			open = append(open, f)
		}
	}
	if len(open) == 0 {
		return decided, nil, nil
	}
	// Everything else counts as accepted, so that defaults are not asked for: the form has shown
	// them.
	known, err := q.request()
	if err != nil {
		return decided, nil, err
	}
	known.Accepted, known.Roll = []string{plainInput, plainCharacter}, true
	for _, f := range decided {
		known.Accepted = append(known.Accepted, plainInput+"."+f.Path)
	}
	needs, faces, err := from(known)
	if err != nil {
		return decided, nil, nil // the evaluation that follows says the same, with the place of what is wrong
	}
	return decided, newDecisionView(needs, faces, open, &notes), nil
}

// askRule returns an asker of a rule under the options of a question.
func askRule(e *library.Edition, id string, q *formQuestion) asker {
	return func(known runtime.Request) ([]ask.Need, dice.Rolls, error) {
		rule, err := e.Rule(id, runtime.Choice{Options: q.Options})
		if err != nil {
			return nil, nil, err
		}
		reply, err := rule.Ask(known)
		if err != nil {
			return nil, nil, err
		}
		return reply.Needs, reply.Dice, nil
	}
}

// askEvent returns an asker of an event of a play. Package ask has another name than a form for the root of an event's
// input, so the name is replaced both ways.
func askEvent(play *runtime.Play, name string) asker {
	return func(known runtime.Request) ([]ask.Need, dice.Rolls, error) {
		known.Character = nil // the play has it
		known.Accepted = slices.Clone(known.Accepted)
		for i, path := range known.Accepted {
			known.Accepted[i] = replaceRoot(path, plainInput, plainEvent)
		}
		reply, err := play.Ask(name, known)
		if err != nil {
			return nil, nil, err
		}
		for i := range reply.Needs {
			n := &reply.Needs[i]
			n.Path = replaceRoot(n.Path, plainEvent, plainInput)
		}
		return reply.Needs, reply.Dice, nil
	}
}

// wordsOfEvent returns the words of an event of a play.
func wordsOfEvent(e *library.Edition, play *runtime.Play, name string) view.Notes {
	_, _, procedure := play.Subject()
	return view.WordsOf(e.Plan, procedure+"."+name)
}

// replaceRoot returns a path with another root when it begins with a certain one, and else as it
// is.
func replaceRoot(path, was, is string) string {
	if root, rest, deeper := strings.Cut(path, "."); root == was {
		if deeper {
			return is + "." + rest
		}
		return is
	}
	return path
}

// The roots of what a rule reads, as paths begin with them.
const (
	plainInput     = "input"
	plainCharacter = "character"
	plainEvent     = "event"
)

// newDecisionView shows the decisions that are due; nil when none is.
func newDecisionView(needs []ask.Need, faces dice.Rolls, open []*describe.Field, notes *view.Notes) *decisionView {
	out := &decisionView{Dice: notes.Faces(faces, nil)}
	for i := range needs {
		x := &needs[i]
		k := slices.IndexFunc(open, func(f *describe.Field) bool { return plainInput+"."+f.Name == x.Path })
		if x.Kind != ask.Decision || k < 0 {
			continue
		}
		field := newField(open[k], textOf(x.Default))
		field.ID = decidePrefix + open[k].Name
		out.Fields = append(out.Fields, field)
		for _, n := range x.Values {
			part := notes.Part(n.Name, n.Value.AppendJSON(nil))
			row := [2]string{part.Name, part.Text}
			// Several fields may be decided at once, and mostly by the same values.
			if !slices.Contains(out.Known, row) {
				out.Known = append(out.Known, row)
			}
		}
	}
	if out.Fields == nil {
		return nil
	}
	return out
}
