package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// A Value is a value of a sheet: a number, a truth, a string, a list, a map or a record. Kind says which of its accessors
// gives it: Int, Double, Bool, Text; Len and At; Names and Get. The zero Value is no value.
type Value = jsonio.Value

// PinName is the member of a character that names the revision by which it is to be played: "tempestas 0.1.0", or
// "0.1.0". It is no part of the rules, so it stands beside the fields that they know, at the top of a character alone. A
// character that becomes another one in a procedure keeps it.
const PinName = jsonio.PinName

// HomebrewsName is the member of a character that names the homebrews with which it is to be played, and no others: an
// object of their ids, each with the digest of its files, "sha256:...". It stands where PinName does.
const HomebrewsName = jsonio.HomebrewsName

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
	// NotRolled are the ids of dice that nothing reads, when their faces were not given.
	NotRolled []string
	Output    jsonio.Value
	Trace     []*Step // nil unless asked for
}

// A Setting is the value of an option.
type Setting struct{ Option, Value string }

// Rolled is what one die, or the dice of one source, showed: its ID, and its Faces in order.
type Rolled = vm.Rolled

// Faces are faces by the id of their die, in the order in which the dice fell. In JSON they are an object.
type Faces []Rolled

// ByID are the faces in a map, as dice.ByID lets them fall again.
func (f Faces) ByID() map[string][]int64 {
	out := make(map[string][]int64, len(f))
	for _, r := range f {
		out[r.ID] = r.Faces
	}
	return out
}

// MarshalJSON implements json.Marshaler.
func (f Faces) MarshalJSON() ([]byte, error) {
	e := jsonio.NewEncoder(nil)
	e.BeginObject(plan.Map)
	for _, r := range f {
		e.IntListMember(r.ID, r.Faces)
	}
	e.EndObject()
	return e.Bytes(), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Faces) UnmarshalJSON(data []byte) error {
	*f = nil
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("dice must be an object")
	}
	for d.More() {
		id, err := d.Token()
		if err != nil {
			return err
		}
		r := Rolled{ID: id.(string)}
		if err := d.Decode(&r.Faces); err != nil {
			return err
		}
		*f = append(*f, r)
	}
	return nil
}

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
	if s.NotRolled != nil {
		e.TextListMember("not_rolled", s.NotRolled)
	}
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

// Touched is a homebrew of the ruleset that is played, and the outputs in which it has a part.
type Touched struct {
	Homebrew string
	Outputs  []string
}

// listTouched lists the homebrews of the plan, in the order in which they were applied, with the outputs of a graph.
func (p *Program) listTouched(g *plan.Graph) []Touched {
	var out []Touched
	for _, id := range p.plan.Overlays {
		t := Touched{Homebrew: id}
		for i := range g.Names {
			if n := &g.Names[i]; n.Kind == plan.OutputName && !strings.Contains(n.Name, ".") &&
				slices.Contains(n.Overlays, id) {
				t.Outputs = append(t.Outputs, n.Name)
			}
		}
		out = append(out, t)
	}
	return out
}
