package eliminate

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Rule is a rule, or another graph, of which odds may be asked. It may be used by one goroutine at a time.
//
// The graph is prepared twice at most, but for forms that are tried when it takes much (turns.go). normal is the fast form:
// dice whose number no die decides are judged before anything else, which leaves them free of any order. plain is used when
// such dice turn out to be impossible, since then it matters what would have ended the evaluation before them. With a
// strategy, graph is a copy in which the decided fields read what is known (decision.go).
type Rule struct {
	id            string
	image         *vm.Image
	graph         *plan.Graph
	choice        plan.Choice
	options       []int
	shapes        [plan.NumRoots]*plan.Shape
	schemas       [plan.NumRoots]*jsonio.Schema // of these; nil before something is read
	values        []*plan.Value                 // that are asked for
	names         []string
	limits        rewrite.Limits
	decidedFields []*decidedField                      // fields that a strategy decides
	worth         func(*odds.Outcome) (float64, error) // of a strategy; nil unless choices are compared by it
	// compares says that the rows of an answer tell what was decided, and what was known then.
	compares bool
	course   int              // the number of the course that its steps belong to
	parts    map[string]*Rule // prepared for some of the outputs, by their names
	normal   *preparedGraph
	plain    *preparedGraph   // with every effect in its order; made when it is needed
	others   []*preparedGraph // in other forms, in which it may take less; likewise
	givens   *givenValues     // that a question gives; nil before it is tried
	wide     *Rule            // with wide limits, when the usual ones are too narrow; likewise
	last     turn             // that answered the last step of the course
	isKnown  func(any) bool   // whether the rows of an answer, by its answerKey, have been read; nil of no step
}

// NewRule prepares a rule. Its errors are *plan.UnknownError, and a *BudgetError.
func NewRule(p *vm.Image, id string, c plan.Choice) (*Rule, error) {
	return newRule(p, id, c, nil, rewrite.UsualLimits())
}

// NewDecidedRule prepares a rule of which a strategy decides fields when dice have fallen.
func NewDecidedRule(p *vm.Image, id string, c plan.Choice, s odds.Strategy) (*Rule, error) {
	return newRule(p, id, c, &s, rewrite.UsualLimits())
}

func newRule(p *vm.Image, id string, c plan.Choice, s *odds.Strategy, limits rewrite.Limits) (*Rule, error) {
	r, err := findRule(p, id, c)
	if err != nil {
		return nil, err
	}
	r.limits = limits
	if s == nil {
		s = &odds.Strategy{}
	}
	asked := slices.DeleteFunc(slices.Clone(c.Outputs), s.Decides)
	if c.Outputs != nil && asked == nil {
		asked = []string{}
	}
	if err := r.takeOutputs(asked); err != nil {
		return nil, err
	}
	if err := r.decideFields(s, s.Worth != nil, c.Outputs); err != nil {
		return nil, err
	}
	r.normal, err = r.prepareGraph(false)
	return r, err
}

// findRule returns a rule of which nothing is asked yet.
func findRule(p *vm.Image, id string, c plan.Choice) (*Rule, error) {
	r := p.Plan().Rule(id)
	if r == nil {
		return nil, &plan.UnknownError{What: "rule", Name: id, Known: p.Plan().RuleNames()}
	}
	var shapes [plan.NumRoots]*plan.Shape
	shapes[plan.CharacterRoot], shapes[plan.InputRoot] = p.Plan().Character, r.Input
	out, err := newGraphRule(p, &r.Graph, c, shapes)
	if err != nil {
		return nil, err
	}
	out.id = id
	return out, nil
}

// newGraphRule returns a graph of a program, which reads records of some shapes, as a rule of which nothing is asked yet.
func newGraphRule(
	p *vm.Image, g *plan.Graph, c plan.Choice, shapes [plan.NumRoots]*plan.Shape,
) (*Rule, error) {
	options, err := p.Plan().OptionValues(c)
	return &Rule{image: p, graph: g, choice: c, options: options, shapes: shapes, limits: rewrite.UsualLimits()}, err
}

// cloneUnprepared returns the same question of the same graph, for which nothing is prepared.
func (r *Rule) cloneUnprepared() *Rule {
	return &Rule{
		id: r.id, image: r.image, graph: r.graph, choice: r.choice, options: r.options, shapes: r.shapes,
		values: r.values, names: r.names, limits: r.limits,
		decidedFields: r.decidedFields, worth: r.worth, compares: r.compares,
	}
}

// Names returns the outputs that are asked for and, of a rule with a strategy, the fields that it decides.
func (r *Rule) Names() []string { return slices.Clone(r.names) }

// takeOutputs asks for the outputs of some names, or for all.
func (r *Rule) takeOutputs(names []string) error {
	record := &r.graph.Outputs
	for _, name := range names {
		if i, _ := record.Type.Field(name); i < 0 {
			return &plan.UnknownError{What: "output", Name: name, Known: record.Type.FieldNames()}
		}
	}
	for i := range record.Fields {
		if name := record.Type.Fields[i].Name; names == nil || slices.Contains(names, name) {
			r.values = append(r.values, &record.Fields[i])
			r.names = append(r.names, name)
		}
	}
	return nil
}

// A form is a way in which a graph is made ready.
type form struct {
	byPool bool            // pools are met one by one, and not face by face
	joined []comparedValue // dice that are met together, as they are only compared
}

// prepareGraph makes the graph ready for odds. A plain one has no regions, and every roll stands in the chain of the
// nodes that may end an evaluation.
func (r *Rule) prepareGraph(plain bool) (*preparedGraph, error) {
	g := rewrite.NewNetwork(r.image.Plan(), r.graph, r.options, r.shapes, r.values, plain, r.limits)
	return r.prepareNetwork(g, form{})
}

// prepareNetwork makes a network ready for odds in some form.
func (r *Rule) prepareNetwork(g *rewrite.Network, f form) (*preparedGraph, error) {
	b := newBuilder(g, r.image, plan.Choice{Options: r.choice.Options}, 0)
	b.roots, b.form = g.Values, f
	w := &preparedGraph{builder: b, columns: map[plan.ID]int{}, decidedFields: r.decidedFields}
	var outs []plan.ID
	for _, v := range g.Values {
		outs = w.addColumns(v, outs)
	}
	if r.compares {
		outs = w.addDecisions(outs)
	}
	slices.Sort(outs) // as the columns of the last step: then they need not be moved
	for k, id := range outs {
		w.columns[id] = k
	}
	var err error
	if w.program, err = b.buildProgram(nil, outs); err != nil {
		return nil, err
	}
	if w.program.prefix == nil {
		w.program.prefix = &fragment{}
	}
	return w, b.schedulePrefix(w.program.prefix, slotsOf(r.shapes))
}

// addColumns appends a column for every slot of a value.
func (w *preparedGraph) addColumns(v *plan.Value, outs []plan.ID) []plan.ID {
	slots := []plan.ID{v.ID, v.Fault, v.Present}
	if l := w.Counted[v.ID]; l != nil {
		slots = append(slots[1:], l.Counts()...)
	}
	for _, id := range slots {
		if id == plan.None || id == v.ID && v.Type.Kind == plan.Record {
			continue
		}
		if _, there := w.columns[id]; !there {
			w.columns[id] = len(outs)
			outs = append(outs, id)
		}
	}
	for i := range v.Fields {
		outs = w.addColumns(&v.Fields[i], outs)
	}
	return outs
}

// addDecisions adds a column for every decision and its operands.
func (w *preparedGraph) addDecisions(outs []plan.ID) []plan.ID {
	for _, d := range w.decidedFields {
		leaf := w.DecisionOf(d.leaf)
		if leaf == plan.None {
			continue
		}
		for _, id := range append([]plan.ID{leaf}, w.Nodes[leaf].Args...) {
			if _, there := w.columns[id]; !there {
				w.columns[id] = len(outs)
				outs = append(outs, id)
			}
		}
	}
	return outs
}

func slotsOf(shapes [plan.NumRoots]*plan.Shape) (out [plan.NumRoots]int) {
	for i, s := range shapes {
		if s != nil {
			out[i] = s.Slots()
		}
	}
	return out
}
