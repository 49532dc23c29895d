package runtime

import (
	"math"
	"strconv"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Sheet is everything computed for one use of a rule.
type Sheet struct {
	Ruleset  string
	Revision string
	Rule     string
	Overlays []Touched // none unless homebrews are played
	Options  []Setting // that differ from the plan's defaults
	Seed     *uint64   // nil when the faces were given
	Dice     []Rolled
	Output   Value
	Trace    []Step // nil unless asked for
}

// A Setting is the value of an option.
type Setting struct{ Option, Value string }

// Rolled is what one die, or the dice of one source, showed.
type Rolled struct {
	ID    string
	Faces []int64
}

// A Step is a named value of a trace.
type Step struct {
	Name    string
	Formula string
	Value   Value
	Failure string // instead of a value, why there is none
	Cite    string
	Place   plan.Place
	Option  string // "heroic_band=up" when an option chose the formula
	Erratum string // the erratum that the option plays, when there is one
	// Overlays are the homebrews that have a part in the value.
	Overlays []string
}

// MarshalJSON implements json.Marshaler: the members stand in the order of the fields.
func (s *Sheet) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// AppendJSON appends the sheet as JSON.
func (s *Sheet) AppendJSON(buf []byte) []byte {
	o := object{buf: append(buf, '{')}
	o.origin(s)
	o.seed(s.Seed)
	o.dice(s.Dice)
	o.value("output", s.Output)
	if s.Trace != nil {
		o.trace(s.Trace)
	}
	return append(o.buf, '}')
}

// origin writes what gave the sheet.
func (o *object) origin(s *Sheet) {
	o.text("ruleset", s.Ruleset)
	o.text("revision", s.Revision)
	o.text("rule", s.Rule)
	o.overlays(s.Overlays)
	o.settings(s.Options)
}

// An object is a JSON object being written, member by member.
type object struct {
	buf  []byte
	some bool
}

func (o *object) name(name string) {
	if o.some {
		o.buf = append(o.buf, ',')
	}
	o.some = true
	o.buf = append(appendString(o.buf, name), ':')
}

func (o *object) text(name, text string) {
	o.name(name)
	o.buf = appendString(o.buf, text)
}

func (o *object) value(name string, v Value) {
	o.name(name)
	o.buf = v.AppendJSON(o.buf)
}

func (o *object) settings(list []Setting) {
	o.name("options")
	in := object{buf: append(o.buf, '{')}
	for _, s := range list {
		in.text(s.Option, s.Value)
	}
	o.buf = append(in.buf, '}')
}

func (o *object) seed(seed *uint64) {
	if seed != nil {
		o.name("seed")
		o.buf = strconv.AppendUint(o.buf, *seed, 10)
	}
}

func (o *object) dice(list []Rolled) {
	o.name("dice")
	in := object{buf: append(o.buf, '{')}
	for _, r := range list {
		in.name(r.ID)
		in.buf = append(in.buf, '[')
		for i, face := range r.Faces {
			if i > 0 {
				in.buf = append(in.buf, ',')
			}
			in.buf = strconv.AppendInt(in.buf, face, 10)
		}
		in.buf = append(in.buf, ']')
	}
	o.buf = append(in.buf, '}')
}

func (o *object) trace(steps []Step) {
	o.name("trace")
	o.buf = append(o.buf, '[')
	for i := range steps {
		if i > 0 {
			o.buf = append(o.buf, ',')
		}
		o.buf = steps[i].appendJSON(o.buf)
	}
	o.buf = append(o.buf, ']')
}

func (s *Step) appendJSON(buf []byte) []byte {
	o := object{buf: append(buf, '{')}
	o.text("name", s.Name)
	if s.Failure != "" {
		o.text("failure", s.Failure)
	} else {
		o.value("value", s.Value)
	}
	for _, m := range [...]struct{ name, text string }{
		{"formula", s.Formula}, {"cite", s.Cite}, {"place", placeString(s.Place)}, {"option", s.Option}, {"erratum", s.Erratum},
	} {
		if m.text != "" {
			o.text(m.name, m.text)
		}
	}
	if len(s.Overlays) > 0 {
		o.strings("overlays", s.Overlays)
	}
	return append(o.buf, '}')
}

func placeString(p plan.Place) string {
	if p.File == "" {
		return ""
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
}

// notANumber names the first double in a value for which JSON has no number.
func notANumber(v Value) string {
	if v.kind == plan.Double && (math.IsNaN(v.Double()) || math.IsInf(v.Double(), 0)) {
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	}
	for _, x := range v.items {
		if bad := notANumber(x); bad != "" {
			return bad
		}
	}
	return ""
}

// rolled lists the faces that fell, by the id of their die, in the order in which they fell first.
func (f *vmFrame) rolled(g *plan.Graph) []Rolled {
	var out []Rolled
	at := map[string]int{}
	for _, face := range f.faces {
		id := string(dice.AppendID(nil, g.Dice[face.die].ID, f.indices(face)))
		i, ok := at[id]
		if !ok {
			i = len(out)
			at[id] = i
			out = append(out, Rolled{ID: id})
		}
		out[i].Faces = append(out[i].Faces, face.face)
	}
	return out
}

// trace lists the named values that are in the frame.
func (p *Program) trace(f *vmFrame, code *schedule.Code, g *plan.Graph, values []int) []Step {
	out := []Step{}
	for i := range g.Names {
		n := &g.Names[i]
		if !code.Kept(&n.Value) {
			continue
		}
		s := Step{Name: n.Name, Formula: n.Formula, Cite: n.Cite, Place: n.Place, Overlays: n.Overlays}
		v, fault := f.value(&n.Value, f.slotOf(code))
		s.Value = v
		if fault != 0 {
			s.Failure = f.failure(g, fault).Msg
		}
		if n.Option >= 0 {
			o := &p.plan.Options[n.Option]
			s.Option = o.ID + "=" + o.Values[values[n.Option]]
			s.Erratum = p.erratumOf(o.ID)
		}
		out = append(out, s)
	}
	return out
}

// erratumOf is the erratum that an option lets a table play.
func (p *Program) erratumOf(option string) string {
	for _, e := range p.plan.Errata {
		if e.Option == option {
			return e.ID
		}
	}
	return ""
}

func (o *object) raw(name string, text []byte) {
	o.name(name)
	o.buf = append(o.buf, text...)
}
