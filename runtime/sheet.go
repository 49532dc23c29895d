package runtime

import (
	"encoding/json"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// A Value is a value of a sheet: a number, a truth, a string, a list, a map or a record. Kind says which of its accessors
// gives it: Int, Double, Bool, Text; Len and At; Names and Get. The zero Value is no value.
type Value = jsonio.Value

// A Sheet is everything computed for one use of a rule.
type Sheet struct {
	Ruleset  string
	Revision string
	Rule     string
	Overlays []Homebrew // none unless homebrews are played
	Options  []Setting  // that differ from the plan's defaults
	Seed     *uint64    // nil when the faces were given
	Given    dice.Rolls // when faces were given and drawn: those of Dice, with 0 for each that was drawn
	Dice     dice.Rolls
	// NotRolled are the ids of dice that nothing reads, when their faces were not given.
	NotRolled []string
	Output    jsonio.Value
	Trace     []*trace.Step // nil unless asked for
}

// A Setting is the value of an option.
type Setting struct{ Option, Value string }

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
	if s.NotRolled != nil {
		e.TextListMember("not_rolled", s.NotRolled)
	}
	e.Name("output")
	s.Output.WriteTo(e)
	writeTrace(e, s.Trace)
	e.EndObject()
	return e.Bytes()
}

// Decode stores the outputs in the value that outputs points to, as encoding/json does.
func (s *Sheet) Decode(outputs any) error { return json.Unmarshal(s.Output.AppendJSON(nil), outputs) }

// writeOrigin writes the origin of the sheet: all that stands before the faces, and is the same for every character.
func (s *Sheet) writeOrigin(e *jsonio.Encoder) {
	e.TextMember("ruleset", s.Ruleset)
	e.TextMember("revision", s.Revision)
	e.TextMember("rule", s.Rule)
	writeOverlays(e, s.Overlays)
	writeSettings(e, s.Options)
}

// writeOverlays writes homebrews and their outputs, when there are homebrews.
func writeOverlays(e *jsonio.Encoder, list []Homebrew) {
	if len(list) == 0 {
		return
	}
	e.Name("overlays")
	e.BeginObject(plan.Map)
	for _, t := range list {
		e.TextListMember(t.ID, t.Outputs)
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
func writeGiven(e *jsonio.Encoder, list dice.Rolls) {
	if list != nil {
		writeFaces(e, "given", list)
	}
}

func writeDice(e *jsonio.Encoder, list dice.Rolls) { writeFaces(e, "dice", list) }

func writeFaces(e *jsonio.Encoder, name string, list dice.Rolls) {
	e.Name(name)
	e.BeginObject(plan.Map)
	for _, r := range list {
		e.IntListMember(r.ID, r.Faces)
	}
	e.EndObject()
}

// writeTrace writes a trace that was asked for.
func writeTrace(e *jsonio.Encoder, steps []*trace.Step) {
	if steps == nil {
		return
	}
	e.Name("trace")
	trace.Write(e, steps)
}

// Homebrew is a homebrew of the ruleset that is played, and the outputs in which it has a part.
type Homebrew struct {
	ID      string
	Outputs []string
}

// listHomebrews lists the homebrews of the plan, in the order in which they were applied, with the outputs of a graph.
func (p *Program) listHomebrews(g *plan.Graph) []Homebrew {
	var out []Homebrew
	for _, id := range p.plan.Overlays {
		out = append(out, Homebrew{id, g.OutputsWith(id)})
	}
	return out
}
