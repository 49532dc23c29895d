package runtime

import (
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// A Rule is a rule of a program under a choice. It may be used by several goroutines at once.
type Rule struct {
	program *Program
	rule    *plan.Rule
	choice  Choice
	values  []int
	code    *schedule.Code
	input   *jsonio.Schema
	frames  sync.Pool
	solvers sync.Pool                 // of the odds of its outputs
	reads   func() schedule.BodyReads // found when it is asked for first
}

// Rule finds a rule and prepares it for a choice. Its errors are *UnknownError, or that of a rule too large to schedule.
func (p *Program) Rule(id string, c Choice) (*Rule, error) {
	rule := p.plan.Rule(id)
	if rule == nil {
		return nil, &UnknownError{What: "rule", Name: id, Known: p.plan.RuleNames()}
	}
	return p.newRule(rule, c)
}

// Function finds a function of a plan that was compiled to play cases of functions, and prepares it for a choice: a rule
// whose input has the parameters and whose output is "value". Its errors are those of Rule.
func (p *Program) Function(id string, c Choice) (*Rule, error) {
	i := slices.IndexFunc(p.plan.Functions, func(r plan.Rule) bool { return r.ID == id })
	if i < 0 {
		return nil, &UnknownError{What: "function", Name: id, Known: p.plan.FunctionNames()}
	}
	return p.newRule(&p.plan.Functions[i], c)
}

// newRule prepares a rule for a choice.
func (p *Program) newRule(rule *plan.Rule, c Choice) (*Rule, error) {
	r := &Rule{program: p, rule: rule, choice: c}
	if err := checkNames("output", c.Outputs, r.rule.Graph.Outputs.Type); err != nil {
		return nil, err
	}
	var err error
	if r.values, err = p.Options(c); err != nil {
		return nil, err
	}
	r.input = jsonio.NewRootSchema(p.image, plan.InputRoot, r.rule.Input)
	if r.code, err = r.scheduleFor(c); err != nil {
		return nil, err
	}
	r.reads = sync.OnceValue(r.findReads)
	r.frames.New = func() any { return newEvaluation(p.image, r.code) }
	return r, nil
}

func (r *Rule) scheduleFor(c Choice) (*schedule.Code, error) {
	return r.program.codeOf(r.program.plan.RuleBody(r.rule), r.values, c)
}

// newTemplate prepares the sheets of code of the rule.
func (r *Rule) newTemplate(code *schedule.Code) *jsonio.Template {
	e := jsonio.NewEncoder([]byte{'{'})
	r.newOrigin().writeOrigin(e)
	return jsonio.NewTemplate(e.Bytes(), code, r.program.quoted())
}

// newOrigin returns a sheet that has what all sheets of the rule have in common, and neither faces nor outputs.
func (r *Rule) newOrigin() *Sheet {
	return &Sheet{
		Ruleset: r.program.plan.Ruleset, Revision: r.program.plan.Revision, Rule: r.rule.ID,
		Overlays: r.program.listHomebrews(&r.rule.Graph),
		Options:  r.program.changedSettings(r.values),
	}
}

// Inputs returns every field that may be given: those of the input, then those of the character.
func (r *Rule) Inputs() []ask.Need { return r.program.listInputs(r.rule.Input) }

// ID returns the id of the rule.
func (r *Rule) ID() string { return r.rule.ID }

// Settings are the options of the choice that differ from the plan's defaults.
func (r *Rule) Settings() []Setting { return r.program.changedSettings(r.values) }

// Outputs returns the record of the outputs that are asked for.
func (r *Rule) Outputs() *plan.Type {
	out := &plan.Type{Kind: plan.Record}
	for _, f := range r.rule.Graph.Outputs.Type.Fields {
		if r.code.Asked(f.Name) {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}

// checkNames reports the first name that a record has not.
func checkNames(what string, names []string, t *plan.Type) error {
	for _, n := range names {
		if i, _ := t.Field(n); i < 0 {
			return &UnknownError{What: what, Name: n, Known: t.FieldNames()}
		}
	}
	return nil
}

// RuleNames returns the ids of the rules, in the author's order.
func (p *Program) RuleNames() []string { return p.plan.RuleNames() }

// Eval carries the rule out and returns the sheet. Given faces may be missing for a die that no asked output and no
// requirement reads; the sheet then has none of it. Its errors are *InputError, *dice.Error, *Refused or *Failure.
func (r *Rule) Eval(q Request) (*Sheet, error) {
	e := r.frames.Get().(*evaluation)
	defer r.frames.Put(e)
	source, notRolled, err := r.run(e, &q)
	if err != nil {
		return nil, err
	}
	s, err := r.newSheet(e, &q, source)
	if err == nil {
		s.NotRolled = notRolled
	}
	return s, err
}

// evalOutputs carries the rule out and returns its outputs alone. Odds need no more, and what answers them in a page need not
// hold what writes traces.
func (r *Rule) evalOutputs(q Request) (jsonio.Value, error) {
	e := r.frames.Get().(*evaluation)
	defer r.frames.Put(e)
	if _, _, err := r.run(e, &q); err != nil {
		return jsonio.Value{}, err
	}
	return jsonio.ReadOutputs(e.frame, r.code, &r.rule.Graph)
}

// run carries the rule out, and returns where its faces are from and the ids of dice that were not rolled.
func (r *Rule) run(e *evaluation, q *Request) (source dice.Source, notRolled []string, err error) {
	q.Character = orEmpty(q.Character)
	if source, err = e.newSource(q, 0); err != nil {
		return nil, nil, err
	}
	err = r.runOn(e, r.characterFor(q.Character), q, source)
	if q.Source == nil && dice.IsMissing(err) && slices.Contains(r.reads().Idle, true) {
		again, failed := e.newSource(q, 0)
		if failed == nil && r.runWithoutIdle(e, q, again) == nil {
			return source, r.listIdle(), nil
		}
	}
	return source, nil, err
}

// Lacks returns the faces that an evaluation needs and is not given, in the order in which they fall (dice.FindLacks).
func (r *Rule) Lacks(q Request) []dice.Lack {
	return q.findLacks(0, func(q Request) { _, _ = r.Eval(q) }) // only the faces that it asks for matter
}

// listIdle are the ids of the dice that nothing reads, each once.
func (r *Rule) listIdle() (out []string) {
	for i, idle := range r.reads().Idle {
		if id := r.rule.Graph.Dice[i].ID; idle && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// runWithoutIdle carries the rule out without the dice that nothing reads: players need not roll dice that do not matter.
func (r *Rule) runWithoutIdle(e *evaluation, q *Request, source dice.Source) error {
	e.frame.Reset(r.code)
	if err := r.writeRoots(e, r.code, r.characterFor(q.Character), q); err != nil {
		return err
	}
	e.frame.LeaveOut(r.reads().Idle)
	return vm.Evaluate(e.frame, r.code, &r.rule.Graph, source)
}

// newSheet returns the sheet of an evaluation that has come to its end, with faces from a source.
func (r *Rule) newSheet(e *evaluation, q *Request, source dice.Source) (*Sheet, error) {
	f := e.frame
	g := &r.rule.Graph
	out, err := jsonio.ReadOutputs(f, r.code, g)
	if err != nil {
		return nil, err
	}
	s := r.newOrigin()
	s.Dice, s.Output = vm.ListFaces(f, g), out
	s.Seed, s.Given = q.Report(source, s.Dice)
	if q.Trace {
		if s.Trace, err = r.traceRule(q, s.Dice, f.LeftOut()); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// traceRule is the trace of an evaluation in which these faces fell, and some dice were not rolled.
func (r *Rule) traceRule(q *Request, faces dice.Rolls, leftOut []bool) ([]*trace.Step, error) {
	body := r.program.plan.RuleBody(r.rule)
	return r.program.traceAgain(body, r.values, r.choice.Outputs, faces, func(e *evaluation, code *schedule.Code) error {
		e.frame.LeaveOut(leftOut)
		return r.writeRoots(e, code, r.characterFor(q.Character), q)
	})
}

// An evaluation is a frame and what writes records in JSON into it.
type evaluation struct {
	frame   *vm.Frame
	decoder *jsonio.Decoder
	seeded  *dice.Seeded // of the last request that drew all its faces
}

func newEvaluation(m *vm.Image, code *schedule.Code) *evaluation {
	f := vm.NewFrame(m, code)
	return &evaluation{frame: f, decoder: jsonio.NewDecoder(f)}
}

// newSource returns the faces of a request from the first on. They count until the next call: the stream of a seed is used
// again. event is 0 but for an event of a procedure.
func (e *evaluation) newSource(q *Request, event uint64) (dice.Source, error) {
	switch {
	case q.Source != nil:
		return q.Source, nil
	case q.Seed == nil || !q.Dice.IsZero() || q.Given != nil:
		return q.Throw.NewSource(q.Record, event)
	case e.seeded == nil:
		e.seeded = dice.FromSeed(*q.Seed, q.Record, event)
	default:
		e.seeded.Reset(*q.Seed, q.Record, event)
	}
	return e.seeded, nil
}

// findLacks returns the faces that evaluate needs and the request does not give. None is missing where faces are drawn.
func (q *Request) findLacks(event uint64, evaluate func(Request)) []dice.Lack {
	if _, err := q.NewSource(q.Record, event); err != nil {
		return nil
	}
	again := *q
	again.Trace = false
	return dice.FindLacks(func() dice.Source {
		source, _ := q.NewSource(q.Record, event) // made above without an error
		return source
	}, func(s dice.Source) {
		again.Source = s
		evaluate(again)
	})
}

// runOn reads the records and carries the rule out in a frame.
func (r *Rule) runOn(e *evaluation, character *jsonio.Schema, q *Request, source dice.Source) error {
	e.frame.Reset(r.code)
	if err := r.writeRoots(e, r.code, character, q); err != nil {
		return err
	}
	return vm.Evaluate(e.frame, r.code, &r.rule.Graph, source)
}

// writeRoots puts the given records into the frame's roots.
func (r *Rule) writeRoots(e *evaluation, code *schedule.Code, character *jsonio.Schema, q *Request) error {
	if err := e.decoder.DecodeTo(character, q.Character, int(code.Base[plan.CharacterRoot])); err != nil {
		return err
	}
	return e.decoder.DecodeTo(r.input, orEmpty(q.Input), int(code.Base[plan.InputRoot]))
}

func orEmpty(text []byte) []byte {
	if len(text) == 0 {
		return []byte("{}")
	}
	return text
}

// Value is one output of the rule, whatever it is: also a double that JSON has no number for.
func (r *Rule) Value(q Request, output string) (jsonio.Value, error) {
	e := r.frames.Get().(*evaluation)
	defer r.frames.Put(e)
	source, err := e.newSource(&q, 0)
	if err != nil {
		return jsonio.Value{}, err
	}
	if err := r.runOn(e, r.characterFor(q.Character), &q, source); err != nil {
		return jsonio.Value{}, err
	}
	f := e.frame
	i, _ := r.rule.Graph.Outputs.Type.Field(output)
	if i < 0 {
		return jsonio.Value{}, checkNames("output", []string{output}, r.rule.Graph.Outputs.Type)
	}
	at := vm.LocateIn(r.code, &r.rule.Graph.Outputs.Fields[i])
	v, fault := jsonio.ReadValue(f, &at, f.View())
	if fault != 0 {
		return jsonio.Value{}, vm.FailureOf(f, &r.rule.Graph, fault)
	}
	return v, nil
}
