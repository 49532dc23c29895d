package odds

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Rule is a rule, or another graph, of which odds may be asked. It may be used by one goroutine at a time.
type Rule struct {
	program *runtime.Program
	graph   *plan.Graph
	choice  runtime.Choice
	options []int
	shapes  [plan.NumRoots]*plan.Shape
	values  []*plan.Value // that are asked for
	names   []string
	normal  *way
	plain   *way // with every effect in its order; made when it is needed
}

// A way is a graph made ready for odds.
type way struct {
	*builder
	*program
	columns map[plan.ID]int // of the program's outs
}

// NewRule prepares a rule. Its errors are *runtime.UnknownError, and a *BudgetError.
func NewRule(p *runtime.Program, id string, c runtime.Choice) (*Rule, error) {
	i := slices.IndexFunc(p.Plan().Rules, func(r plan.Rule) bool { return r.ID == id })
	if i < 0 {
		return nil, &runtime.UnknownError{What: "rule", Name: id, Known: p.RuleNames()}
	}
	r := &p.Plan().Rules[i]
	out := &Rule{program: p, graph: &r.Graph, choice: c}
	out.shapes[plan.CharacterRoot], out.shapes[plan.InputRoot] = p.Plan().Character, r.Input
	return out, out.prepare(&r.Graph.Outputs, c.Outputs)
}

// prepare prepares the odds of the named values of a record, or of all.
func (r *Rule) prepare(record *plan.Value, names []string) (err error) {
	for _, name := range names {
		if i, _ := record.Type.Field(name); i < 0 {
			return &runtime.UnknownError{What: "output", Name: name, Known: fieldNames(record.Type)}
		}
	}
	for i := range record.Fields {
		if name := record.Type.Fields[i].Name; names == nil || slices.Contains(names, name) {
			r.values = append(r.values, &record.Fields[i])
			r.names = append(r.names, name)
		}
	}
	if r.options, err = r.program.Options(r.choice); err != nil {
		return err
	}
	r.normal, err = r.way(false)
	return err
}

func fieldNames(t *plan.Type) []string {
	var out []string
	for _, f := range t.Fields {
		out = append(out, f.Name)
	}
	return out
}

// way makes the graph ready.
func (r *Rule) way(plain bool) (*way, error) {
	g := newGraph(r.program.Plan(), r.graph, r.options, r.shapes, r.values, plain)
	b := g.builder(r.program, runtime.Choice{Options: r.choice.Options}, 0)
	b.roots = r.values
	w := &way{builder: b, columns: map[plan.ID]int{}}
	var outs []plan.ID
	for _, v := range r.values {
		outs = w.column(v, outs)
	}
	var err error
	if w.program, err = b.build(nil, outs); err != nil {
		return nil, err
	}
	if w.program.prefix == nil {
		w.program.prefix = &piece{}
	}
	return w, b.begin(w.program.prefix, slotsOf(r.shapes))
}

// column gives every slot of a value a column.
func (w *way) column(v *plan.Value, outs []plan.ID) []plan.ID {
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if id == plan.None || id == v.ID && v.Type.Kind == plan.Record {
			continue
		}
		if _, there := w.columns[id]; !there {
			w.columns[id] = len(outs)
			outs = append(outs, id)
		}
	}
	for i := range v.Fields {
		outs = w.column(&v.Fields[i], outs)
	}
	return outs
}

func slotsOf(shapes [plan.NumRoots]*plan.Shape) (out [plan.NumRoots]int) {
	for i, s := range shapes {
		if s != nil {
			out[i] = s.Type().Slots()
		}
	}
	return out
}

// A Question is a character and what is asked about it.
type Question struct {
	Records runtime.Records // JSON
	Exact   bool            // as fractions
	Budget  int64           // states that may meet classes; 0 for DefaultBudget
}

// Joint is the joint distribution of the outputs that were asked for.
type Joint struct {
	Names    []string
	Outcomes []Outcome
	Endings  []Ended  // ways in which the dice fall that lead to no outcome
	Den      *big.Int // of the fractions; nil when they were not asked for
	Spent    int64    // how many times a state met a class
	States   int      // the most states at once
}

// An Outcome is values of the outputs.
type Outcome struct {
	Values []runtime.Value // in the order of Names
	P      float64
	N      *big.Int // the numerator of the exact probability
}

// Ended is how likely an ending is.
type Ended struct {
	Ending
	P float64
	N *big.Int
}

// Odds gives the joint distribution for a character. Its errors are those of runtime.Rule.Eval that no die decides, and a *BudgetError.
func (r *Rule) Odds(q Question) (*Joint, error) {
	if q.Budget == 0 {
		q.Budget = DefaultBudget
	}
	if q.Exact {
		return odds(r, q, &engine[whole]{
			whole: true, unit: wholeOf(1), join: packed, of: func(n, _ *big.Int) whole { return whole{n} },
		})
	}
	return odds(r, q, &engine[real]{unit: 1, join: convolved, of: func(n, d *big.Int) real { return real(whole{n}.over(d)) }})
}

// odds answers with an engine. Dice that are impossible whatever falls end every evaluation that comes as far: then all
// must happen in its order.
func odds[W weight[W]](r *Rule, q Question, e *engine[W]) (*Joint, error) {
	t, done, err := answer(r, r.normal, q, e)
	if err == nil && !done {
		if r.plain == nil {
			if r.plain, err = r.way(true); err != nil {
				return nil, err
			}
		}
		w := r.plain
		t, _, err = answer(r, w, q, e)
		if err != nil {
			return nil, err
		}
		return joint(r, w, t, e)
	}
	if err != nil {
		return nil, err
	}
	return joint(r, r.normal, t, e)
}

// answer carries out a way. It is not done when dice that must be judged first are impossible.
func answer[W weight[W]](r *Rule, w *way, q Question, e *engine[W]) (t *table[W], done bool, err error) {
	e.graph, e.stage = w.graph, r.program.NewStage()
	e.env = make([]int64, len(w.nodes))
	e.memory, e.dice = map[*source]map[string]*table[W]{}, map[diceKey]*table[W]{}
	e.budget = &budget{all: q.Budget}
	for id := range w.nodes {
		if n := &w.nodes[id]; n.Op == plan.OpConst {
			e.env[id] = n.Imm
		}
	}
	out := make([]int64, len(w.program.prefix.outs))
	if err := e.stage.Begin(w.program.prefix.part, r.shapes, q.Records, out); err != nil {
		if _, ends := endingOf(err); ends && !w.plain && len(w.unchained()) > 0 {
			return nil, false, nil // a die that comes before may have ended it already
		}
		t, err := e.over(e.certain(), err, len(w.outs))
		return t, true, err
	}
	for k, id := range w.program.prefix.outs {
		e.env[id] = out[k]
	}
	if !w.plain && e.impossible(w.unchained()) {
		return nil, false, nil
	}
	top := *w.program
	top.prefix = nil
	t, err = e.run(&top, e.certain())
	return t, true, err
}

// unchained are the dice that may end the evaluation and are not judged in their order.
func (b *builder) unchained() (out []plan.ID) {
	for _, id := range b.own {
		if s := b.source(id); s != nil && !s.chain && s.kind != loopSource && b.ends(id) {
			out = append(out, id)
		}
	}
	return out
}

// impossible reports whether some dice cannot be rolled.
func (e *engine[W]) impossible(dice []plan.ID) bool {
	return slices.ContainsFunc(dice, func(id plan.ID) bool {
		n := &e.nodes[id]
		at := func(k int) int64 { return e.env[n.Args[k]] }
		count := at(2)
		if !e.Dice[n.Imm].List {
			count = 1
		}
		return at(0) != 0 && e.stage.Impossible(e.Graph, int(n.Imm), at(1), count, at(3)) != nil
	})
}

// joint reads the outcomes from the rows of a table.
func joint[W weight[W]](r *Rule, w *way, t *table[W], e *engine[W]) (*Joint, error) {
	out := &Joint{Names: r.names, Spent: e.budget.spent, States: e.budget.states}
	if e.whole {
		out.Den = t.den
	}
	at := map[string]int{}
	var weights []W
	for i, weight := range t.w {
		row := t.row(i)
		values, err := r.read(e.stage, func(id plan.ID) int64 { return row[w.columns[id]] })
		if err != nil {
			why, ok := endingOf(err)
			if !ok {
				return nil, err
			}
			t.end(why, weight)
			continue
		}
		key := text(values)
		k, ok := at[key]
		if !ok {
			k = len(out.Outcomes)
			at[key] = k
			out.Outcomes = append(out.Outcomes, Outcome{Values: values})
			weights = append(weights, weight)
			continue
		}
		weights[k] = weights[k].plus(weight)
	}
	for k := range out.Outcomes {
		out.Outcomes[k].P, out.Outcomes[k].N = probability(weights[k], t.den, e.whole)
	}
	for _, x := range t.ended {
		p, n := probability(x.w, t.den, e.whole)
		if p > 0 {
			out.Endings = append(out.Endings, Ended{x.why, p, n})
		}
	}
	out.sort()
	return out, nil
}

// read reads the values that are asked for.
func (r *Rule) read(stage *runtime.Stage, slot func(plan.ID) int64) ([]runtime.Value, error) {
	out := make([]runtime.Value, len(r.values))
	for i, v := range r.values {
		x, err := stage.Value(r.graph, v, slot)
		if err != nil {
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}

// text identifies values.
func text(values []runtime.Value) string {
	var b []byte
	for _, v := range values {
		b = append(v.AppendJSON(b), '\n')
	}
	return string(b)
}

func probability[W weight[W]](w W, den *big.Int, exact bool) (float64, *big.Int) {
	switch w := any(w).(type) {
	case whole:
		return w.over(den), w.int()
	case real:
		return float64(w), nil
	}
	panic(fmt.Sprintf("odds: a weight of type %T", w))
}

// sort puts the outcomes in the order of their values.
func (j *Joint) sort() {
	slices.SortFunc(j.Outcomes, func(a, b Outcome) int {
		for i := range a.Values {
			if c := Compare(a.Values[i], b.Values[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	slices.SortFunc(j.Endings, func(a, b Ended) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return strings.Compare(a.Message, b.Message)
	})
}

// Compare orders values: numbers as such, false before true, strings by their bytes, lists and records member by member.
func Compare(a, b runtime.Value) int {
	switch a.Kind() {
	case plan.Int, plan.Bool:
		return compare(a.Int(), b.Int())
	case plan.Double:
		return compare(a.Double(), b.Double())
	case plan.String:
		return strings.Compare(a.Text(), b.Text())
	}
	for i := range min(a.Len(), b.Len()) {
		if c := Compare(a.At(i), b.At(i)); c != 0 {
			return c
		}
	}
	return compare(a.Len(), b.Len())
}
