package trace

import (
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/vm"
)

// A Step is a value and what it rests on.
type Step struct {
	Name  string // as formulas read it: "needed", "ours.rank", "input.points.body"
	Kind  Kind
	Of    string       // of a named value: the definition that it belongs to, "rule test"
	Value jsonio.Value // the zero Value of what has none
	// Failure is why there is no value.
	Failure string
	// Equation is the formula with values in the place of names, down to the parts that decided:
	// "14 (ranks, row 9) + 2 (bonus)".
	Equation string
	Formula  string // as the author wrote it
	Row      *Row   // of a table: what was found
	Cite     string
	Place    plan.Place
	Option   string   // "heroic_band=up" when an option chose the formula
	Erratum  string   // the erratum that the option plays, when there is one
	Overlays []string // the homebrews that have a part in the value
	Repeated bool     // what it rests on stands where it is told first
	From     []*Step
}

// A Row is what a look-up found.
type Row struct {
	Key    string // what was looked up
	Row    string // how the row is labelled: "9", "4 to 6", "from 12", "above 3", a key; empty when there is none
	Column string // the column that was read, when one was
	Place  plan.Place
}

// A Kind says what the value of a step is. It is the member "kind" in JSON.
type Kind string

// The kinds of steps.
const (
	Named       Kind = "value" // a let, an output or the next value of a path
	Given       Kind = "given" // of the character, the input, the state or the event
	Option      Kind = "option"
	Dice        Kind = "dice"
	Use         Kind = "use" // what a used rule gives
	Trait       Kind = "trait"
	Function    Kind = "function"
	Argument    Kind = "argument"
	Table       Kind = "table"
	Walk        Kind = "walk" // what is made of the elements of a list
	Requirement Kind = "require"
	End         Kind = "end"
)

// WriteTo writes a step as JSON: its members in the order of the fields, those that are empty left out.
func (s *Step) WriteTo(e *jsonio.Encoder) {
	e.BeginObject(plan.Record)
	e.TextMember("name", s.Name)
	e.TextMember("kind", string(s.Kind))
	writeMember(e, "of", s.Of)
	if s.Value.Kind() != plan.Invalid {
		e.Name("value")
		s.Value.WriteTo(e)
	}
	writeMember(e, "failure", s.Failure)
	writeMember(e, "equation", s.Equation)
	writeMember(e, "formula", s.Formula)
	s.Row.writeTo(e)
	writeMember(e, "cite", s.Cite)
	writeMember(e, "place", vm.PlaceString(s.Place))
	writeMember(e, "option", s.Option)
	writeMember(e, "erratum", s.Erratum)
	if len(s.Overlays) > 0 {
		e.TextListMember("overlays", s.Overlays)
	}
	if s.Repeated {
		e.Name("repeated")
		e.Bool(true)
	}
	if len(s.From) > 0 {
		e.Name("from")
		Write(e, s.From)
	}
	e.EndObject()
}

// Write writes steps as a JSON list.
func Write(e *jsonio.Encoder, steps []*Step) {
	e.BeginList()
	for _, s := range steps {
		s.WriteTo(e)
	}
	e.EndList()
}

func writeMember(e *jsonio.Encoder, name, text string) {
	if text != "" {
		e.TextMember(name, text)
	}
}

func (r *Row) writeTo(e *jsonio.Encoder) {
	if r == nil {
		return
	}
	e.Name("row")
	e.BeginObject(plan.Record)
	writeMember(e, "key", r.Key)
	writeMember(e, "row", r.Row)
	writeMember(e, "column", r.Column)
	writeMember(e, "place", vm.PlaceString(r.Place))
	e.EndObject()
}

// InOrder lists the named values and the dice of trees in the order in which they are computed: what a value rests on
// stands before it.
func InOrder(steps []*Step) []*Step {
	var out []*Step
	for _, s := range steps {
		if s.Repeated {
			continue
		}
		out = append(out, InOrder(s.From)...)
		if s.Kind == Named || s.Kind == Dice || s.Kind == Use {
			out = append(out, s)
		}
	}
	return out
}

// Differences are the steps of two trees of the same answers whose values differ, or that found another row: in the order
// of evaluation each step of the first and, behind it, that of the second with the same name, kind and definition.
func Differences(was, is []*Step) []*Step {
	var out []*Step
	second := map[[3]string]*Step{}
	eachInOrder(is, func(s *Step) {
		if key := s.identity(); second[key] == nil {
			second[key] = s
		}
	})
	seen := map[[3]string]bool{}
	eachInOrder(was, func(s *Step) {
		key := s.identity()
		x := second[key]
		if x == nil || seen[key] {
			return
		}
		seen[key] = true
		rows := s.Row != nil && x.Row != nil && s.Row.Row != x.Row.Row
		if rows || s.Failure != x.Failure || s.Value.String() != x.Value.String() {
			out = append(out, s, x)
		}
	})
	return out
}

func (s *Step) identity() [3]string { return [3]string{string(s.Kind), s.Of, s.Name} }

// eachInOrder visits every step of trees, what a value rests on before it.
func eachInOrder(steps []*Step, visit func(*Step)) {
	for _, s := range steps {
		if s.Repeated {
			continue
		}
		eachInOrder(s.From, visit)
		visit(s)
	}
}

// AppendJSON appends a step as JSON.
func AppendJSON(buf []byte, s *Step) []byte {
	e := jsonio.NewEncoder(buf)
	s.WriteTo(e)
	return e.Bytes()
}
