package trace

import (
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
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
	Walked   *Walked  // of what is made of a list: the elements that it walked
	From     []*Step
}

// A Row is the result of a look-up.
type Row struct {
	Key    string // what was looked up
	Row    string // how the row is labelled: "9", "4 to 6", "from 12", "above 3", a key; empty when there is none
	Column string // the column that was read, when one was
	Place  plan.Place
}

// Walked says how many elements of a list decided what was made of it. The steps of those are of the kind Element.
type Walked struct {
	Elements int // of the list
	Decided  int // of them decided: of exists the first that holds, of filter those that are kept, of map all
	Shown    int // of those that decided, the first ones
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
	Walk        Kind = "walk"    // what is made of the elements of a list
	Element     Kind = "element" // what is made of one element of a list
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
	s.Walked.writeTo(e)
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

func (w *Walked) writeTo(e *jsonio.Encoder) {
	if w == nil {
		return
	}
	e.Name("walked")
	e.BeginObject(plan.Record)
	for _, member := range [...]struct {
		name  string
		value int
	}{{"elements", w.Elements}, {"decided", w.Decided}, {"shown", w.Shown}} {
		e.Name(member.name)
		e.Int(int64(member.value))
	}
	e.EndObject()
}

// Differences returns the steps of two trees of the same answers whose values differ, or that found another row: in the
// order of evaluation each step of the first and, behind it, that of the second with the same name, kind and definition.
func Differences(was, is []*Step) []*Step {
	var out []*Step
	second := map[identity]*Step{}
	visitSteps(is, "", func(s *Step, within string) {
		if key := s.identityOf(within); second[key] == nil {
			second[key] = s
		}
	})
	seen := map[identity]bool{}
	visitSteps(was, "", func(s *Step, within string) {
		key := s.identityOf(within)
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

// An identity is what a step of another trace has in common with one that stands for the same.
type identity struct {
	kind             Kind
	definition, name string
	outerElements    string // the elements of lists around it
}

func (s *Step) identityOf(within string) identity { return identity{s.Kind, s.Of, s.Name, within} }

// visitSteps visits every step of trees, the operands of a value before it, with the elements of lists around it.
func visitSteps(steps []*Step, within string, visit func(s *Step, within string)) {
	for _, s := range steps {
		if s.Repeated {
			continue
		}
		inner := within
		if s.Kind == Element {
			inner += "/" + s.Name
		}
		visitSteps(s.From, inner, visit)
		visit(s, within)
	}
}

// MarshalJSON implements json.Marshaler: empty members are left out.
func (s *Step) MarshalJSON() ([]byte, error) { return AppendJSON(nil, s), nil }

// AppendJSON appends a step as JSON.
func AppendJSON(buf []byte, s *Step) []byte {
	e := jsonio.NewEncoder(buf)
	s.WriteTo(e)
	return e.Bytes()
}
