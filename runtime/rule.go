package runtime

import (
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Rule is a rule of a program under a choice. It may be used by several goroutines at once.
type Rule struct {
	program *Program
	rule    *plan.Rule
	choice  Choice
	values  []int
	code    *schedule.Code
	input   *reader
	frames  sync.Pool
}

// Rule finds a rule and prepares it for a choice. Its errors are *UnknownError, or that of a rule too large to schedule.
func (p *Program) Rule(id string, c Choice) (*Rule, error) {
	i := slices.IndexFunc(p.plan.Rules, func(r plan.Rule) bool { return r.ID == id })
	if i < 0 {
		return nil, &UnknownError{What: "rule", Name: id, Known: p.RuleNames()}
	}
	r := &Rule{program: p, rule: &p.plan.Rules[i], choice: c}
	if err := known("output", c.Outputs, r.rule.Graph.Outputs.Type); err != nil {
		return nil, err
	}
	var err error
	if r.values, err = p.options(c); err != nil {
		return nil, err
	}
	r.input = newReader("input", r.rule.Input, p.image.SymbolOf)
	if r.code, err = r.schedule(c); err != nil {
		return nil, err
	}
	r.frames.New = func() any { return newEvaluation(p.image, r.code) }
	return r, nil
}

func (r *Rule) schedule(c Choice) (*schedule.Code, error) {
	return r.program.code(r.program.plan.RuleBody(r.rule), r.values, c)
}

// known reports the first name that a record has not.
func known(what string, names []string, t *plan.Type) error {
	for _, n := range names {
		if i, _ := t.Field(n); i < 0 {
			var fields []string
			for _, f := range t.Fields {
				fields = append(fields, f.Name)
			}
			return &UnknownError{What: what, Name: n, Known: fields}
		}
	}
	return nil
}

// RuleNames are the ids of the rules, in the author's order.
func (p *Program) RuleNames() []string {
	out := make([]string, len(p.plan.Rules))
	for i, r := range p.plan.Rules {
		out[i] = r.ID
	}
	return out
}

// A Request is one evaluation of a rule.
type Request struct {
	Character []byte      // JSON
	Input     []byte      // JSON; empty for {}
	Dice      dice.Source // nil when no die may fall
	Seed      *uint64     // of the faces, for the sheet alone: Dice draws them
	Trace     bool
}

// Eval carries the rule out. What goes wrong is an *InputError, a *dice.Error, a *Refused or a *Failure.
func (r *Rule) Eval(q Request) (*Sheet, error) {
	e := r.frames.Get().(*evaluation)
	defer r.frames.Put(e)
	if err := r.run(e, r.program.character, q); err != nil {
		return nil, err
	}
	f := e.frame
	g := &r.rule.Graph
	out, err := f.outputs(r.code, g)
	if err != nil {
		return nil, err
	}
	s := &Sheet{
		Ruleset: r.program.plan.Ruleset, Revision: r.program.plan.Revision, Rule: r.rule.ID,
		Overlays: r.program.touched(g),
		Options:  r.program.settings(r.values), Seed: q.Seed, Dice: f.rolled(g), Output: out,
	}
	if q.Trace {
		s.Trace = r.program.trace(f, r.code, g, r.values)
	}
	return s, nil
}

// An evaluation is a frame and what writes records in JSON into it.
type evaluation struct {
	frame   *vmFrame
	decoder *decoder
}

func newEvaluation(m *Image, code *schedule.Code) *evaluation {
	f := newFrame(m, code)
	return &evaluation{f, newDecoder(f)}
}

// run reads what is given and carries the rule out in a frame.
func (r *Rule) run(e *evaluation, character *reader, q Request) error {
	e.frame.reset(r.code)
	if err := e.decoder.decodeTo(character, q.Character, int(r.code.Base[plan.CharacterRoot])); err != nil {
		return err
	}
	if err := e.decoder.decodeTo(r.input, orEmpty(q.Input), int(r.code.Base[plan.InputRoot])); err != nil {
		return err
	}
	return e.frame.evaluate(r.code, &r.rule.Graph, q.Dice)
}

func orEmpty(text []byte) []byte {
	if len(text) == 0 {
		return []byte("{}")
	}
	return text
}

// evaluate runs a graph and judges how it ended.
func (f *vmFrame) evaluate(code *schedule.Code, g *plan.Graph, source dice.Source) error {
	if source == nil {
		source = dice.FromList(nil)
	}
	err := f.run(code, source)
	f.image.CountBranches(f, g)
	if err != nil {
		return f.explain(g, err)
	}
	return source.Rest()
}

// outputs are the asked outputs, or the failure of the first that failed.
func (f *vmFrame) outputs(code *schedule.Code, g *plan.Graph) (Value, error) {
	out := Value{kind: plan.Record, names: []string{}}
	for i := range g.Outputs.Fields {
		v := &g.Outputs.Fields[i]
		name := g.Outputs.Type.Fields[i].Name
		if !code.Asked(name) {
			continue
		}
		x, fault := f.value(v, f.slotOf(code))
		if fault != 0 {
			return Value{}, f.unread(g, name, fault)
		}
		if err := unprintable(name, x); err != nil {
			return Value{}, err
		}
		out.names = append(out.names, name)
		out.items = append(out.items, x)
	}
	return out, nil
}

// unprintable is the failure of an output that has a double for which JSON has no number; nil when it has none.
func unprintable(output string, v Value) error {
	if bad := notANumber(v); bad != "" {
		return &Failure{Site: plan.Site{Name: "output " + output}, Msg: "the value is " + bad + ", not a number"}
	}
	return nil
}

// slotOf reads the slot of a node that is a root.
func (f *vmFrame) slotOf(code *schedule.Code) func(plan.ID) int64 {
	return func(id plan.ID) int64 {
		slot, ok := code.Slot(id)
		if !ok {
			panic("runtime: a root has no slot")
		}
		return f.slots[slot]
	}
}

// Value is one output of the rule, whatever it is: also a double that JSON has no number for.
func (r *Rule) Value(q Request, output string) (Value, error) {
	e := r.frames.Get().(*evaluation)
	defer r.frames.Put(e)
	if err := r.run(e, r.program.character, q); err != nil {
		return Value{}, err
	}
	f := e.frame
	i, _ := r.rule.Graph.Outputs.Type.Field(output)
	if i < 0 {
		return Value{}, known("output", []string{output}, r.rule.Graph.Outputs.Type)
	}
	v, fault := f.value(&r.rule.Graph.Outputs.Fields[i], f.slotOf(r.code))
	if fault != 0 {
		return Value{}, f.failure(&r.rule.Graph, fault)
	}
	return v, nil
}
