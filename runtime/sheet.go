package runtime

import (
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/trace"
	"github.com/tabletop-rules/rules/runtime/vm"
)

// A Sheet is everything computed for one use of a rule.
type Sheet struct {
	Ruleset  string
	Revision string
	Rule     string
	Overlays []Touched // none unless homebrews are played
	Options  []Setting // that differ from the plan's defaults
	Seed     *uint64   // nil when the faces were given
	Given    Faces     // when faces were given and drawn: those of Dice, with 0 for each that was drawn
	Dice     []Rolled
	Output   jsonio.Value
	Trace    []*Step // nil unless asked for
}

// A Setting is the value of an option.
type Setting struct{ Option, Value string }

// Rolled is what one die, or the dice of one source, showed: its ID, and its Faces in order.
type Rolled = vm.Rolled

// A Step is a value of a trace, with the steps that it rests on.
type Step = trace.Step

// MarshalJSON implements json.Marshaler: the members stand in the order of the fields.
func (s *Sheet) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// AppendJSON appends the sheet as JSON.
func (s *Sheet) AppendJSON(buf []byte) []byte {
	e := jsonio.NewEncoder(buf)
	e.BeginObject(plan.Record)
	s.writeOrigin(e)
	writeSeed(e, s.Seed)
	writeGiven(e, s.Given)
	writeDice(e, s.Dice)
	e.Name("output")
	s.Output.WriteTo(e)
	writeTrace(e, s.Trace)
	e.EndObject()
	return e.Bytes()
}

// writeOrigin writes what gave the sheet: all that stands before the faces, and is the same for every character.
func (s *Sheet) writeOrigin(e *jsonio.Encoder) {
	e.TextMember("ruleset", s.Ruleset)
	e.TextMember("revision", s.Revision)
	e.TextMember("rule", s.Rule)
	writeOverlays(e, s.Overlays)
	writeSettings(e, s.Options)
}

// writeOverlays writes homebrews and their outputs, when there are homebrews.
func writeOverlays(e *jsonio.Encoder, list []Touched) {
	if len(list) == 0 {
		return
	}
	e.Name("overlays")
	e.BeginObject(plan.Map)
	for _, t := range list {
		e.TextListMember(t.Homebrew, t.Outputs)
	}
	e.EndObject()
}

func writeSettings(e *jsonio.Encoder, list []Setting) {
	e.Name("options")
	e.BeginObject(plan.Map)
	for _, s := range list {
		e.TextMember(s.Option, s.Value)
	}
	e.EndObject()
}

func writeSeed(e *jsonio.Encoder, seed *uint64) {
	if seed != nil {
		e.Name("seed")
		e.Uint(*seed)
	}
}

// writeGiven writes which faces were given, when others were drawn.
func writeGiven(e *jsonio.Encoder, list Faces) {
	if list != nil {
		writeFaces(e, "given", list)
	}
}

func writeDice(e *jsonio.Encoder, list []Rolled) { writeFaces(e, "dice", list) }

func writeFaces(e *jsonio.Encoder, name string, list []Rolled) {
	e.Name(name)
	e.BeginObject(plan.Map)
	for _, r := range list {
		e.IntListMember(r.ID, r.Faces)
	}
	e.EndObject()
}

// writeTrace writes a trace that was asked for.
func writeTrace(e *jsonio.Encoder, steps []*Step) {
	if steps == nil {
		return
	}
	e.Name("trace")
	trace.Write(e, steps)
}
