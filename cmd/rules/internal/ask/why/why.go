// Package why finds what decided an output of a rule, or of the last step of a procedure, and the nearest single changes
// that would have given another answer: one face, one integer or one choice of the input, one option.
//
// Nothing is guessed from formulas. A change is made and the plan is asked again with everything else as it was, from the
// smallest change on, so what is told has been seen to happen. What decided is read off two traces, that of the answer and
// that of the answer under the nearest change: the first condition in the order of evaluation that differs, else the first
// row of a table, else the output itself. What happened in a procedure before its last event stays as it was, for a change
// further back changes the situation and not the answer to it; only another option is played from the start. The work is
// bounded by a number of evaluations and not by time, so the same
// question has the same answer everywhere.
//
// # One question
//
// Ada's 61 failed under the heroic band; --why success asks why. The rule is evaluated as it was
// (base), with its trace. Then one thing at a time is changed, nearest first: the face 61 becomes
// 62, 60, 63, and so on until the answer flips (tryFaces); each integer of the input likewise, each
// choice of the input and each option takes its other values (tryInput, tryOptions). Each change
// that flips the answer is evaluated once more with a trace. trace.Differences walks both trees
// together, and the first condition that came out otherwise is what decided: "61 <= 60". A person
// asks for just this line.
package why

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
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

// An Answer says why an output is what it is.
type Answer struct {
	Ruleset  string
	Revision string
	Subject  string
	IsRule   bool   // else the subject is a procedure
	Event    string // of the procedure, that is asked about; "" for its start
	Output   string
	Value    json.RawMessage
	Refused  string      // the message of what refuses; then there is no value
	Decided  *trace.Step // nil when it is refused
	Changes  []Change    // of each kind the nearest first
	HasDice  bool        // whether dice fell
	Tries    int
	Further  bool // under some changes further dice fall, and the answer then rests on them: these are not among Changes
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
	Distance int64           // how far: of numbers the difference, of choices how many words lie between
	Value    json.RawMessage // of the output then
	Row      *RowChange      // nil when no look-up finds another row
}

// A RowChange is the first look-up that finds another row.
type RowChange struct{ Table, From, To string }

// A subject is the evaluation that is asked about: of a rule, of the start of a procedure, or of its last step.
type subject struct {
	program *runtime.Program
	asked   *query.Question
	before  []runtime.Step // the steps that lead to the last one
	event   string         // of the last step; "" for the start or a rule
	request runtime.Request
	shape   *plan.Shape // of the input
}

func newSubject(program *runtime.Program, q *query.Question) *subject {
	s := &subject{program: program, asked: q, request: q.Request}
	id := q.Subject
	if n := len(q.Steps); n > 0 {
		last := &q.Steps[n-1]
		s.before, s.event, id = q.Steps[:n-1], last.Event, id+"."+last.Event
		s.request = runtime.Request{Input: last.Input, Throw: last.Throw}
	}
	s.shape = describe.InputOf(program.Plan(), id)
	return s
}

func (s *subject) isRule() bool { return s.program.Plan().Procedure(s.asked.Subject) == nil }

// A search asks the plan again and again.
type search struct {
	*subject
	asker asker
	base  *result // nil when it is refused
	tries int
	found []found
	rests bool // as Answer.Further
}

// A found change, and what evaluates it.
type found struct {
	Change
	asked variation
}

// A variation is what is asked instead.
type variation struct {
	options map[string]string // nil for the same
	input   []byte            // nil for the same
	dice    map[string][]int64
	highest bool // faces of dice that fall only under the variation are the highest, and not the lowest
}

// Find answers a question. Its errors are those of Rule.Eval and Play.Do, except for a refusal, which is asked about like
// an answer.
func Find(program *runtime.Program, q *query.Question) (*Answer, error) {
	p := program.Plan()
	s := &search{subject: newSubject(program, q)}
	a := &Answer{Ruleset: p.Ruleset, Revision: p.Revision, Subject: q.Subject, IsRule: s.isRule(), Event: s.event,
		Output: q.Why}
	var err error
	if s.asker, err = newAsker(s.subject); err != nil {
		return nil, err
	}
	s.base, err = s.evaluate(variation{}, true)
	if a.Refused = refusalOf(err); a.Refused != "" {
		s.base = nil
	} else if err != nil {
		return nil, err
	} else {
		a.Value = s.base.output
		a.HasDice = len(s.base.dice) > 0
	}
	s.tryFaces()
	s.tryInput()
	if q.From == nil { // the options of a saved play cannot be changed
		s.tryOptions()
	}
	a.Tries, a.Stopped, a.Further = s.tries, s.tries >= maxTries, s.rests
	s.explain(a)
	return a, nil
}

// tryVariation returns the answer of the plan under a variation, and reports whether it differs from the original
// answer. Its error names the part of the variation that does not fit.
//
// Where further dice fall under the variation, their lowest and their highest faces are tried. Only an answer that both give
// is another one.
//
// A refusal, or a formula without a value, is no other answer: "it would be otherwise with a skill that you do not
// have" helps nobody. Only where the original answer is itself a refusal, any answer counts.
func (s *search) tryVariation(v variation) (value json.RawMessage, flips bool, err error) {
	if s.tries >= maxTries {
		return nil, false, errStopped
	}
	s.tries++
	r, err := s.evaluate(v, false)
	if err != nil {
		return nil, false, err
	}
	if r.madeUp {
		s.tries++
		v.highest = true
		if other, err := s.evaluate(v, false); err != nil || !bytes.Equal(other.output, r.output) {
			s.rests = true
			return nil, false, nil
		}
	}
	return r.output, s.base == nil || !bytes.Equal(r.output, s.base.output), nil
}

var errStopped = errors.New("as many evaluations as may be")

// evaluate returns the result of a variation with the faces that fell, unless the variation has its own.
//
// A variation may take the reason away for which a die fell, so that faces are left over, or give one for which another die
// falls, of which there are none.
func (s *search) evaluate(v variation, traced bool) (*result, error) {
	q := s.request
	q.Trace = traced
	if v.input != nil {
		q.Input = v.input
	}
	faces := v.dice
	if faces == nil && s.base != nil {
		faces = s.base.dice.ByID()
	}
	if faces == nil {
		return s.asker.ask(v.options, q)
	}
	source := &looseFaces{dice.NewStopgap(dice.ByID(faces), v.highest)}
	q.Throw, q.Source = dice.Throw{}, source
	r, err := s.asker.ask(v.options, q)
	if err == nil {
		r.madeUp = source.HasMadeUp()
	}
	return r, err
}

// looseFaces are faces of which some may be missing, and others left over.
type looseFaces struct{ *dice.Stopgap }

// Rest implements dice.Source.
func (*looseFaces) Rest() error { return nil }

// explain writes the changes into the answer, the nearest one first, and the step that decided. This is the first step
// that differs under the nearest change.
func (s *search) explain(a *Answer) {
	s.sortChanges()
	for i := range s.found {
		c := &s.found[i]
		var changed []*trace.Step
		if s.base != nil {
			if r, err := s.evaluate(c.asked, true); err == nil {
				changed = trace.Differences(s.base.steps, r.steps)
			}
		}
		c.Row = rowChange(changed)
		if i == 0 {
			a.Decided = findDecider(s.base, changed)
		}
		a.Changes = append(a.Changes, c.Change)
	}
	if len(s.found) == 0 && s.base != nil {
		a.Decided = findDecider(s.base, nil)
	}
}

// findDecider returns the first condition among the steps that changed, else the first look-up, else the output.
//
// Steps come in pairs, as they were and as they are under the change, in the order of evaluation. The first condition
// that differs lies nearest to the change; those after it differ because of it.
func findDecider(base *result, changed []*trace.Step) *trace.Step {
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
	if len(base.steps) == 0 {
		return nil
	}
	return base.steps[0]
}

// rowChange is the first look-up that finds another row.
func rowChange(changed []*trace.Step) *RowChange {
	for i := 0; i+1 < len(changed); i += 2 {
		was, is := changed[i], changed[i+1]
		if was.Row != nil && is.Row != nil && was.Row.Row != is.Row.Row {
			return &RowChange{was.Name, was.Row.Row, is.Row.Row}
		}
	}
	return nil
}
