package view

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// Notes tell how people read outputs, by the names of these. The zero Notes add nothing.
type Notes struct {
	Reasons    map[string]string // why an output is false
	Impossible []string          // outputs whose values mean nothing
	Spoken     bool              // truths are yes or no where there is no teller, as one says them at a table
	Teller     *say.Teller       // of the definition; nil where values keep their names
	Told       say.Told          // the answer in words
	decimals   map[string]int    // of doubles, where there is no teller that knows them
}

// notPossible stands in the place of a value that means nothing.
const notPossible = "not possible"

// WordsOf returns the words of a definition without notes on an answer, for players.
func WordsOf(p *plan.Plan, id string) Notes {
	n := newNotes(p, id, func(string) (holds, known bool) { return false, false })
	n.Spoken = true
	return n
}

// NotesOf returns the notes on the outputs of a rule, a procedure or an event ("procedure.event")
// that follow from the outputs alone.
func NotesOf(p *plan.Plan, id string, outputs runtime.Value) Notes {
	return newNotes(p, id, func(name string) (holds, known bool) {
		v, known := outputs.Get(name)
		return known && v.Bool(), known
	})
}

// NotesOfJSON returns NotesOf outputs in JSON, as the sheet of an earlier event has them. Outputs
// that cannot be read have no truths, and so nothing is called impossible.
func NotesOfJSON(p *plan.Plan, id string, outputs []byte) Notes {
	var members map[string]json.RawMessage
	if json.Unmarshal(jsontext.OrObject(outputs), &members) != nil {
		members = nil
	}
	return newNotes(p, id, func(name string) (holds, known bool) {
		text, known := members[name]
		return string(text) == "true", known
	})
}

// NotesOfPlay returns the notes on a procedure as it stands.
func NotesOfPlay(p *plan.Plan, x *runtime.Play) Notes {
	_, _, procedure := x.Subject()
	n := NotesOf(p, procedure, x.Output)
	if n.Teller != nil {
		n.Told = n.Teller.Tell(answerOf(x))
	}
	return n
}

// StatusText returns the status of a procedure in words, or "" where its headline is enough: it reads the status itself, or
// the procedure goes on.
func (n *Notes) StatusText(status string) string {
	switch {
	case n.Told.Headline != "" && (status == plan.Open || slices.Contains(n.Told.Of, "status")):
		return ""
	case n.Teller == nil:
		return status
	}
	return n.Teller.Show("status", json.RawMessage(strconv.Quote(status)))
}

// NotesOfEvent returns the notes on an event of a procedure. Of an event that was read from a sheet, and that others have
// followed, nobody knows the state that it left, so that a sentence which reads it is not told.
func NotesOfEvent(p *plan.Plan, x *runtime.Play, number int) Notes {
	_, _, procedure := x.Subject()
	e := &x.Events[number]
	n := NotesOfJSON(p, procedure+"."+e.Name, e.Output)
	if n.Teller == nil {
		return n
	}
	answer := say.Answer{Input: x.Input, State: e.State, Character: e.Character}
	if number == len(x.Events)-1 {
		answer = answerOf(x)
	}
	answer.Output, answer.Event, answer.Dice, answer.Impossible = e.Output, e.Input, e.Dice, n.Impossible
	n.Told = n.Teller.Tell(answer)
	return n
}

// An Offer is how people read an event that may happen next.
type Offer struct {
	Label  string
	WhyNot string // why it is not offered, "" where its author says nothing
}

// Offers returns how people read the events of a procedure as it stands.
func Offers(p *plan.Plan, x *runtime.Play, offers []runtime.Offer) []Offer {
	_, _, procedure := x.Subject()
	out := make([]Offer, len(offers))
	s := say.NewSpeaker(p)
	for i := range offers {
		if out[i].Label = offers[i].Event; s.HasGlossary() {
			t := s.Of(procedure + "." + offers[i].Event)
			out[i] = Offer{t.Title(), t.Offered(answerOf(x))}
		}
	}
	return out
}

// answerOf is a procedure as it stands.
func answerOf(x *runtime.Play) say.Answer {
	return say.Answer{
		Output: x.Output.AppendJSON(nil), Input: x.Input, State: x.State, Character: x.Character, Status: x.Status,
	}
}

// newNotes returns the words of a definition, and which outputs mean nothing. Truth gives outputs and lets that are true or
// false.
func newNotes(p *plan.Plan, id string, truth func(name string) (holds, known bool)) Notes {
	n := Notes{Impossible: impossibleOf(p, id, truth)}
	if s := say.NewSpeaker(p); s.HasGlossary() {
		n.Teller = s.Of(id)
	} else if e := definitionOf(p, id); e != nil {
		n.decimals = say.DecimalsOf(e)
	}
	return n
}

// definitionOf returns the entry of a rule, a procedure or an event ("procedure.event"), or nil.
func definitionOf(p *plan.Plan, id string) *plan.Entry {
	return p.Entry(id, plan.RuleEntry, plan.ProcedureEntry, plan.EventEntry)
}

// impossibleOf returns the outputs whose author says by @when that they mean nothing where a truth does not hold.
func impossibleOf(p *plan.Plan, id string, truth func(name string) (holds, known bool)) []string {
	var out []string
	if e := definitionOf(p, id); e != nil {
		for _, l := range e.Lines {
			if l.Part != "possible" {
				continue
			}
			if holds, known := truth(l.Text); known && !holds {
				out = append(out, l.Name)
			}
		}
	}
	return out
}

// FindNotes returns the notes on the sheet of a rule, with the reasons of its outputs that are false and that no die
// decides, such as that something is legal. A reason is the equation of the formula. Values that dice decide need none.
// The rule is evaluated again with the faces of the sheet; there are no reasons when it cannot be, because a die was
// left out.
//
// The steps: is there any output that is false, or any @when that names a truth? Only then the rule is traced again, as
// a trace costs more than the answer. From the trace come the truths that @when names and that are lets; then the
// reasons. An output has no reason when its equation only names the false value.
func FindNotes(p *plan.Plan, rule *runtime.Rule, q runtime.Request, s *runtime.Sheet) Notes {
	isFalse := func(i int) bool { return s.Output.At(i).Kind() == plan.Bool && !s.Output.At(i).Bool() }
	names := s.Output.Names()
	needsTrace := slices.ContainsFunc(names, func(name string) bool { return isFalse(slices.Index(names, name)) })
	impossibleOf(p, s.Rule, func(name string) (holds, known bool) {
		needsTrace = true
		return false, false
	})
	var steps []*trace.Step
	if needsTrace {
		steps = traceAgain(rule, q, s)
	}
	notes := newNotes(p, s.Rule, func(name string) (holds, known bool) {
		if v, known := s.Output.Get(name); known {
			return v.Bool(), true
		}
		return findTruth(steps, name)
	})
	notes.Reasons = map[string]string{}
	for _, step := range steps {
		at := slices.Index(names, step.Name)
		if at < 0 || !isFalse(at) || readsDice(step) {
			continue
		}
		if why := UnfoldTruth(step).Equation; why != "" && !onlyNames(why) {
			notes.Reasons[step.Name] = why
		}
	}
	if notes.Teller != nil {
		notes.Told = notes.Teller.Tell(say.Answer{
			Output: s.Output.AppendJSON(nil), Input: q.Input, Character: jsontext.OrObject(q.Character), Dice: s.Dice,
			Impossible: notes.Impossible,
		})
	}
	return notes
}

// onlyNames reports whether an equation only names the false value: "false (attempt.fumble)".
func onlyNames(equation string) bool {
	name, isFalse := strings.CutPrefix(equation, "false")
	return isFalse && (name == "" || strings.HasPrefix(name, " (") && strings.IndexByte(name, ')') == len(name)-1)
}

// traceAgain asks a rule again with the faces of its sheet, for the trace; nil when it cannot be.
func traceAgain(rule *runtime.Rule, q runtime.Request, s *runtime.Sheet) []*trace.Step {
	q.Throw, q.Trace = dice.FallenByID(s.Dice), true
	traced, err := rule.Eval(q)
	if err != nil {
		return nil
	}
	return traced.Trace
}

// findTruth returns the value of a let among the steps on which outputs rest, and reports whether it is there.
func findTruth(steps []*trace.Step, name string) (holds, known bool) {
	for _, step := range steps {
		if step.Name == name && step.Kind == trace.Named && step.Value.Kind() == plan.Bool {
			return step.Value.Bool(), true
		}
		if holds, known := findTruth(step.From, name); known {
			return holds, known
		}
	}
	return false, false
}

// readsDice reports whether a value rests on a die.
//
// Such a value needs no reason: the die is the reason, and the sheet has it.
func readsDice(s *trace.Step) bool {
	return s.Kind == trace.Dice || slices.ContainsFunc(s.From, readsDice)
}

// UnfoldTruth goes from a truth that is one named truth to the step that tells why: "it needs allowed" says nothing. Nil
// stays nil.
// For legal: "allowed" with allowed: "level >= 5" it is the step of allowed, whose equation has the
// numbers.
func UnfoldTruth(s *trace.Step) *trace.Step {
	for s != nil && len(s.From) == 1 && s.From[0].Value.Kind() == plan.Bool && s.From[0].Equation != "" {
		s = s.From[0]
	}
	return s
}
