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
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A decisionView is what is to be decided now that dice have fallen, with what is known by then.
type decisionView struct {
	Dice   dice.Rolls
	Known  [][2]string
	Fields []fieldView
}

// decidePrefix begins the names of fields that hold decisions.
const decidePrefix = "decide."

// An asker carries a rule or an event out as far as what is known allows, and tells what it needs next. It is answered when
// it needs nothing.
type asker func(known ask.Answers) (needs []ask.Question, isAnswered bool, err error)

// takeDecisions puts the decisions of a form into the input, and gives them as fields. It gives what is still to be decided
// after the dice that fall before it; nil when nothing is, because all has been decided, or because nothing asks for it.
func takeDecisions(input []describe.Field, q *formQuestion, form url.Values, from asker) (decided []fieldView,
	due *decisionView,
	err error) {
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
		case isRepeated(form) && isDecided:
			field := newField(f, text[0])
			field.ID = decidePrefix + f.Name
			decided = append(decided, field)
			if text[0] != "" {
				q.input = putInto(q.input, f, text[0])
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
	known := ask.Answers{Character: q.character, Input: q.input, Accepted: []string{plainInput, plainCharacter}}
	for _, f := range decided {
		known.Accepted = append(known.Accepted, plainInput+"."+f.Label)
	}
	questions, err := rollUntilDecision(from, &known, q)
	if err != nil {
		return decided, nil, err
	}
	return decided, newDecisionView(&known, questions, open), nil
}

// askRule returns what asks a rule under the options of a question.
func askRule(e *library.Edition, id string, q *formQuestion) asker {
	return func(known ask.Answers) ([]ask.Question, bool, error) {
		rule, err := e.Rule(id, runtime.Choice{Options: q.options})
		if err != nil {
			return nil, false, err
		}
		sheet, needs, err := rule.Ask(known)
		if err != nil {
			return nil, false, err
		}
		return needs, sheet != nil, nil
	}
}

// askEvent returns what asks an event of a play. Package ask calls the root of what an event is
// given otherwise than a form does, so that it is replaced both ways.
func askEvent(play *runtime.Play, name string) asker {
	return func(known ask.Answers) ([]ask.Question, bool, error) {
		known.Character = nil // the play has it
		known.Accepted = slices.Clone(known.Accepted)
		for i, path := range known.Accepted {
			known.Accepted[i] = replaceRoot(path, plainInput, plainEvent)
		}
		after, needs, err := play.Ask(name, known)
		for i := range needs {
			needs[i].Path = replaceRoot(needs[i].Path, plainEvent, plainInput)
		}
		return needs, after != nil, err
	}
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

// rollUntilDecision lets dice fall until something is to be decided. It gives nil when nothing is.
//
// It asks the rule question by question, as play does, until a decision is due. Whatever goes wrong
// on the way is left for the evaluation that follows, whose errors have places; here it only means
// that nothing is decided.
func rollUntilDecision(from asker, known *ask.Answers, q *formQuestion) ([]ask.Question, error) {
	_, seed, err := chooseFaces(q.dice, q.seed, 0)
	if err != nil {
		return nil, err
	}
	typed, err := golden.ParseFaces(q.dice)
	if err != nil {
		return nil, err
	}
	for known.Seed = seed; ; {
		needs, isAnswered, err := from(*known)
		if err != nil || isAnswered || len(needs) == 0 {
			return nil, nil // the evaluation says the same, with the place of what is wrong
		}
		x := &needs[0]
		if x.Kind == ask.Decision {
			return needs, nil
		}
		if x.Kind != ask.Die {
			return nil, nil // a field is missing: the evaluation says which
		}
		face, ok := x.Drawn, seed != nil
		if !ok {
			face, ok = nextFace(&typed, x)
		}
		if !ok {
			return nil, nil // faces are missing: likewise
		}
		addFace(known, x.Die, face)
	}
}

// nextFace takes the next face of a die from those that were typed, by the id of the die or else in
// the order in which they fall.
func nextFace(typed *golden.Faces, x *ask.Question) (face int64, ok bool) {
	if typed.ByID != nil {
		pile := typed.ByID[x.Die]
		if x.Number > len(pile) {
			return 0, false
		}
		return pile[x.Number-1], true
	}
	if len(typed.List) == 0 {
		return 0, false
	}
	face, typed.List = typed.List[0], typed.List[1:]
	return face, true
}

// addFace appends a face to those of its die. Dice are kept in the order in which they first fell.
func addFace(known *ask.Answers, die string, face int64) {
	i := slices.IndexFunc(known.Dice, func(r dice.Roll) bool { return r.ID == die })
	if i < 0 {
		known.Dice = append(known.Dice, dice.Roll{ID: die})
		i = len(known.Dice) - 1
	}
	known.Dice[i].Faces = append(known.Dice[i].Faces, face)
}

// newDecisionView shows the decisions that are due; nil when none is.
func newDecisionView(known *ask.Answers, questions []ask.Question, open []*describe.Field) *decisionView {
	out := &decisionView{Dice: known.Dice}
	for i := range questions {
		x := &questions[i]
		k := slices.IndexFunc(open, func(f *describe.Field) bool { return plainInput+"."+f.Name == x.Path })
		if x.Kind != ask.Decision || k < 0 {
			continue
		}
		field := newField(open[k], textOf(x.Default))
		field.ID = decidePrefix + open[k].Name
		out.Fields = append(out.Fields, field)
		for _, n := range x.Values {
			row := [2]string{n.Name, present.ReadableValue(n.Value)}
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
