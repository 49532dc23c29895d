// Package why finds what decided an output of a rule, and the nearest single changes that would have given another answer:
// one face, one integer or one choice of the input, one option.
//
// Nothing is guessed from formulas. A change is made and the plan is asked again with everything else as it was, from the
// smallest change on, so what is told has been seen to happen. What decided is read off two traces, that of the answer and
// that of the answer under the nearest change: the first condition in the order of evaluation that differs, else the first
// row of a table, else the output itself. The work is bounded by a number of evaluations and not by time, so the same
// question has the same answer everywhere.
package why

import (
	"errors"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/trace"
)

const (
	// maxTries bounds the evaluations of one question.
	maxTries = 20_000
	// maxDistance is how far a face or an integer is moved.
	maxDistance = 1_000
)

// A Question is an evaluation of a rule, and the output that is asked about.
type Question struct {
	Program   *runtime.Program
	Rule      string
	Options   map[string]string
	Character []byte
	Input     []byte
	Shape     *plan.Shape        // of the input
	Dice      func() dice.Source // the faces, from the first on
	Output    string
}

// An Answer says why an output is what it is.
type Answer struct {
	Ruleset  string
	Revision string
	Rule     string
	Output   string
	Value    runtime.Value
	Refused  string        // the message of what refuses; then there is no value
	Decided  *runtime.Step // nil when it is refused
	Changes  []Change      // of each kind the nearest first
	HasDice  bool          // whether dice fell
	Tries    int
	Stopped  bool // maxTries was reached: nearer changes of later fields and options may be missing
}

// A Kind is what a change changes.
type Kind string

// The kinds of changes, in the order in which they are told.
const (
	Face    Kind = "face"
	Integer Kind = "integer"
	Choice  Kind = "choice"
	Option  Kind = "option"
)

// A Change is one that gives another answer.
type Change struct {
	Kind     Kind
	Name     string // of the die, the path in the input, or the option
	Number   int    // of a face among several of its die, from 1; 0 of a single one
	From, To string
	Distance int64         // how far: of numbers the difference, of choices how many words lie between
	Value    runtime.Value // of the output then
	Row      *RowChange    // nil when no look-up finds another row
}

// A RowChange is the first look-up that finds another row.
type RowChange struct{ Table, From, To string }

// A search asks the plan again and again.
type search struct {
	Question
	rule  *runtime.Rule
	base  *runtime.Sheet // nil when it is refused
	tries int
	found []found
}

// A found change, and what evaluates it.
type found struct {
	Change
	asked variation
}

// A variation is what is asked instead.
type variation struct {
	rule  *runtime.Rule // nil for the same
	input []byte        // nil for the same
	dice  map[string][]int64
}

// Find answers a question. Its errors are those of Rule.Eval, except for a refusal, which is asked about like an answer.
func Find(q Question) (*Answer, error) {
	choice := runtime.Choice{Options: q.Options, Outputs: []string{q.Output}}
	rule, err := q.Program.Rule(q.Rule, choice)
	if err != nil {
		return nil, err
	}
	p := q.Program.Plan()
	a := &Answer{Ruleset: p.Ruleset, Revision: p.Revision, Rule: q.Rule, Output: q.Output}
	s := &search{Question: q, rule: rule}
	s.base, err = rule.Eval(runtime.Request{Character: q.Character, Input: q.Input, Dice: q.Dice(), Trace: true})
	if refusal, ok := errors.AsType[*runtime.Refused](err); ok {
		a.Refused = refusal.Require.Message
	} else if err != nil {
		return nil, err
	} else {
		a.Value, _ = s.base.Output.Get(q.Output)
		a.HasDice = len(s.base.Dice) > 0
	}
	s.tryFaces()
	s.tryInput()
	s.tryOptions()
	a.Tries, a.Stopped = s.tries, s.tries >= maxTries
	s.explain(a)
	return a, nil
}

// ask asks the plan under a variation, and reports whether the answer is another one. What is refused, or has no value, is
// no other answer; err says what of the variation does not fit.
func (s *search) ask(v variation) (value runtime.Value, flips bool, err error) {
	if s.tries >= maxTries {
		return value, false, errStopped
	}
	s.tries++
	sheet, err := s.evaluate(v, false)
	if err != nil {
		return value, false, err
	}
	value, _ = sheet.Output.Get(s.Output)
	if s.base == nil {
		return value, true, nil
	}
	before, _ := s.base.Output.Get(s.Output)
	return value, value.String() != before.String(), nil
}

var errStopped = errors.New("as many evaluations as may be")

func (s *search) evaluate(v variation, traced bool) (*runtime.Sheet, error) {
	rule := s.rule
	if v.rule != nil {
		rule = v.rule
	}
	r := runtime.Request{Character: s.Character, Input: s.Input, Trace: traced}
	if v.input != nil {
		r.Input = v.input
	}
	switch {
	case v.dice != nil:
		r.Dice = dice.ByID(v.dice)
	case s.base != nil:
		r.Dice = dice.ByID(facesOf(s.base))
	default:
		r.Dice = s.Dice()
	}
	return rule.Eval(r)
}

func facesOf(s *runtime.Sheet) map[string][]int64 {
	out := map[string][]int64{}
	for _, r := range s.Dice {
		out[r.ID] = r.Faces
	}
	return out
}

// explain orders the changes, and finds what decided by the nearest of them.
func (s *search) explain(a *Answer) {
	s.sortChanges()
	for i := range s.found {
		c := &s.found[i]
		var changed []*runtime.Step
		if s.base != nil {
			if sheet, err := s.evaluate(c.asked, true); err == nil {
				changed = trace.Differences(s.base.Trace, sheet.Trace)
			}
		}
		c.Row = rowChange(changed)
		if i == 0 {
			a.Decided = decider(s.base, changed)
		}
		a.Changes = append(a.Changes, c.Change)
	}
	if len(s.found) == 0 && s.base != nil {
		a.Decided = decider(s.base, nil)
	}
}

// decider is the first condition among the steps that changed, else the first look-up, else the output.
func decider(base *runtime.Sheet, changed []*runtime.Step) *runtime.Step {
	if base == nil {
		return nil
	}
	for i := 0; i+1 < len(changed); i += 2 {
		if was := changed[i]; was.Value.Kind() == plan.Bool && was.Equation != "" {
			return was
		}
	}
	for i := 0; i+1 < len(changed); i += 2 {
		if changed[i].Row != nil {
			return changed[i]
		}
	}
	if len(base.Trace) == 0 {
		return nil
	}
	return base.Trace[0]
}

// rowChange is the first look-up that finds another row.
func rowChange(changed []*runtime.Step) *RowChange {
	for i := 0; i+1 < len(changed); i += 2 {
		was, is := changed[i], changed[i+1]
		if was.Row != nil && is.Row != nil && was.Row.Row != is.Row.Row {
			return &RowChange{was.Name, was.Row.Row, is.Row.Row}
		}
	}
	return nil
}
