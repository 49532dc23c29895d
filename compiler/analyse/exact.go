package analyse

import (
	"context"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Which keys a table is asked for is a matter of dice, and of what is given. Intervals say between which limits they lie;
// where that can be afforded, the exact odds say which of them come at all: twice a die is never odd. What is given counts
// there as one more die, which shows every value that the bounds of the input allow.
//
// Invariant: a key that is not among the exact ones has probability zero, whatever is given and played.

// Limits of exact keys, counted in work: ways to be given a value, and states that meet classes, of one look-up and of
// all of a ruleset.
const (
	mostGiven  = 1_000
	lookBudget = 100_000
	allBudget  = 2_000_000
)

// A question asks for the keys of one look-up, and for the truths that stand beside each.
type question struct {
	graph plan.Graph
	roots []plan.ID // the key, and the truths
	keys  *[]key    // where the answer goes
}

// answerExactly answers questions: each look-up that can be afforded gets its keys.
//
// All look-ups become rules of one made-up plan without a character, so that the engine of odds is
// asked as any user asks it and needs no second way in. The order of the look-ups decides who gets
// the budget, and it is the order of the plan: the same ruleset always has the same warnings.
func (r *report) answerExactly(list []question) {
	p := *r.plan
	p.Character = &plan.Shape{Kind: plan.Record, Character: true}
	p.Rules, p.Procedures = nil, nil
	for i := range list {
		rule := plan.Rule{ID: fmt.Sprint(i), Input: &plan.Shape{Kind: plan.Record}, Graph: list[i].graph}
		p.Rules = append(p.Rules, rule)
	}
	program := runtime.New(&p)
	left := int64(allBudget)
	for i := range list {
		left -= list[i].answer(program, fmt.Sprint(i), min(left, lookBudget))
		if left <= 0 {
			return
		}
	}
}

// answer gives the look-up its keys, and returns the cost.
func (q *question) answer(program *runtime.Program, id string, budget int64) (spent int64) {
	rule, err := program.Rule(id, runtime.Choice{})
	if err != nil {
		return 0
	}
	answer, err := rule.Odds(context.Background(), runtime.Request{Input: []byte("{}")},
		&odds.Options{Joint: true, Quick: true, Budget: budget})
	if err != nil {
		return budget
	}
	j := answer.Joint
	*q.keys = []key{}
	for _, o := range j.Outcomes() {
		k := key{value: o.Values[0], truth: map[plan.ID]bool{}}
		for i, node := range q.roots[1:] {
			k.truth[node] = o.Values[i+1].Bool()
		}
		*q.keys = append(*q.keys, k)
	}
	return j.Spent
}

// questionsAbout returns the questions about a look-up: which keys there are at all, and which where its fault counts. A
// question is left out if it depends on values with too many possibilities.
func (d *domain) questionsAbout(l *look, at plan.ID) (out []question) {
	if q, ok := d.newQuestion(false, &l.exact, at); ok {
		out = append(out, q)
	}
	truths := conditionsOf(l.paths)
	if l.site == nil || len(truths) > mostConditions {
		return out
	}
	if d.judged != nil && !d.readsState(at) {
		d = d.judged
	}
	if q, ok := d.newQuestion(true, &l.counted, append([]plan.ID{at}, truths...)...); ok {
		out = append(out, q)
	}
	return out
}

// readsState reports whether a node depends on a state.
func (d *domain) readsState(id plan.ID) bool {
	n := needs{graph: d.graph, of: make([]bool, len(d.graph.Nodes))}
	n.markNode(id)
	for id, needed := range n.of {
		if x := &d.graph.Nodes[id]; needed && x.Op == plan.OpLeaf && d.graph.Leaves[x.Imm].Root == plan.StateRoot {
			return true
		}
	}
	return false
}

func (d *domain) newQuestion(together bool, keys *[]key, roots ...plan.ID) (question, bool) {
	s := &slicer{domain: d, graph: *d.graph, together: together, values: map[given]plan.ID{}}
	if slices.ContainsFunc(roots, func(id plan.ID) bool { return d.home[id] != 0 }) {
		return question{}, false
	}
	s.cutGraph(roots)
	return question{s.graph, roots, keys}, !s.open
}

// A slicer cuts a graph down to some of its nodes, and puts dice in the place of what is given and of options.
type slicer struct {
	*domain
	graph    plan.Graph
	together bool // an optional field is 0 just when it is not there; else any value stands beside any presence
	needed   []bool
	added    []plan.ID
	values   map[given]plan.ID
	open     bool // something that is given has too many values
}

// cutGraph leaves a graph that answers with some nodes: no requirement ends it, and no die falls that they do not depend
// on.
//
// The graph is copied before it is changed, and only its lists: nodes keep their numbers, so that a root of the question is
// the same number in the original. A node that is not needed becomes a constant or is left out of its block, and is never
// moved.
func (s *slicer) cutGraph(roots []plan.ID) {
	g := &s.graph
	n := needs{graph: g, of: make([]bool, len(g.Nodes))}
	owner := loopsByBlock(g)
	for _, id := range roots {
		n.markNode(id)
	}
	for changed := true; changed; { // a node of a loop's body needs the loop
		changed = false
		for id, needed := range n.of {
			if around, ok := owner[s.home[id]]; needed && ok && !n.of[around] {
				n.markNode(around)
				changed = true
			}
		}
	}
	s.needed = n.of
	g.Nodes, g.Blocks, g.Dice = slices.Clone(g.Nodes), slices.Clone(g.Blocks), slices.Clip(g.Dice)
	for id, needed := range slices.Clone(s.needed) {
		s.replaceGiven(plan.ID(id))
		if n := &g.Nodes[id]; needed && n.Op == plan.OpRoll && isEndless(&g.Dice[n.Imm]) {
			s.open = true
		}
	}
	for b := range g.Blocks {
		g.Blocks[b].Nodes = slices.DeleteFunc(slices.Clone(g.Blocks[b].Nodes), s.isIdle)
	}
	g.Blocks[0].Nodes = slices.Concat(s.added, g.Blocks[0].Nodes)
	g.Requires, g.Names, g.Next, g.Ends, g.When = nil, nil, nil, nil, plan.Value{}
	g.Outputs = answerRecord(g, roots)
}

// isEndless reports whether a die may go on for ever: odds leave its hardly possible values out.
func isEndless(d *plan.Die) bool { return d.Explode != (plan.Band{}) && d.Times == 0 }

// loopsByBlock returns the loop that repeats each block, which a slice from within the block has to take along.
func loopsByBlock(g *plan.Graph) map[int]plan.ID {
	out := map[int]plan.ID{}
	for id := range g.Nodes {
		if n := &g.Nodes[id]; n.Op == plan.OpLoop {
			out[int(n.Imm)] = plan.ID(id)
		}
	}
	return out
}

// isIdle reports whether a node is left out: one that is not needed, and an effect that decides nothing here.
func (s *slicer) isIdle(id plan.ID) bool {
	op := s.graph.Nodes[id].Op
	return !s.needed[id] || op.Has(plan.Effect) && op != plan.OpRoll
}

// A given is a leaf, or an option.
type given struct {
	leaf   plan.Leaf
	option int64 // -1 for a leaf
}

// replaceGiven puts dice in the place of a leaf or an option that is needed; one that is not is any constant.
func (s *slicer) replaceGiven(id plan.ID) {
	n := &s.graph.Nodes[id]
	switch {
	case n.Op != plan.OpLeaf && n.Op != plan.OpOption:
	case !s.needed[id]:
		*n = plan.Node{Op: plan.OpConst, Kind: n.Kind, Site: -1}
	case n.Op == plan.OpOption:
		s.standFor(id, given{option: n.Imm}, s.bounds[id])
	default:
		s.replaceLeaf(id, s.graph.Leaves[n.Imm])
	}
}

// replaceLeaf stands for a field.
//
// An optional field and the truth that it is there are two leaves which are not independent: when
// it is absent, its slot is 0. Asked for alone, any value beside any presence is a safe
// over-approximation of the keys. Asked for together with conditions, such as has(input.cover),
// that would give keys for which the condition never holds, so there the two are tied by a
// selection.
func (s *slicer) replaceLeaf(id plan.ID, l plan.Leaf) {
	o, optional := s.optional[l]
	switch {
	case !s.together || !optional:
		s.standFor(id, given{l, -1}, s.bounds[id])
	case o.inner:
		s.open = true
	default:
		s.standFor(id, given{l, -1}, o.bounds)
		there := s.anyValue(given{o.presence, -1}, plan.Bool, interval.Interval{Max: 1})
		n := &s.graph.Nodes[id]
		none := s.addConstant(n.Kind, 0)
		s.graph.Nodes[id] = newNode(plan.OpSelect, n.Kind, there, n.Args[1], none)
	}
}

// standFor puts a value in the place of a node.
func (s *slicer) standFor(id plan.ID, g given, b interval.Interval) {
	kind := s.graph.Nodes[id].Kind
	v := s.anyValue(g, kind, b)
	s.graph.Nodes[id] = newNode(plan.OpSelect, kind, s.addConstant(plan.Bool, 1), v, v)
}

// anyValue is any value within bounds, the same wherever the same is given.
//
// A value that is given has no probability. The die in its place has one face for each value, and
// all that is read of the result is which keys have a chance at all: their size means nothing. The
// same leaf gets the same die everywhere, so that "a - a" is 0 here.
func (s *slicer) anyValue(g given, kind plan.Kind, b interval.Interval) plan.ID {
	if id, ok := s.values[g]; ok {
		return id
	}
	var id plan.ID
	switch {
	case kind == plan.String && len(b.Words) > 0 && len(b.Words) <= mostGiven:
		id = s.anySymbol(b.Words)
	case kind == plan.Bool:
		id = s.addNode(newNode(plan.OpEqInt, kind, s.addDie(b.Max-b.Min+1), s.addConstant(plan.Int, 2-b.Min)))
	case kind == plan.Int && b.Min > -mostKeys && b.Max < mostKeys && b.Max-b.Min < mostGiven:
		id = s.addNode(newNode(plan.OpAddInt, kind, s.addDie(b.Max-b.Min+1), s.addConstant(plan.Int, b.Min-1)))
	default:
		s.open = true
		id = s.addConstant(kind, 0)
	}
	s.values[g] = id
	return id
}

// anySymbol returns a string that is any of some words, as a die of as many faces: an unknown value counts as fallen.
func (s *slicer) anySymbol(words []int64) plan.ID {
	face := s.addDie(int64(len(words)))
	out := s.addConstant(plan.String, words[0])
	for i, w := range words[1:] {
		shows := s.addNode(newNode(plan.OpEqInt, plan.Bool, face, s.addConstant(plan.Int, int64(i)+2)))
		out = s.addNode(newNode(plan.OpSelect, plan.String, shows, s.addConstant(plan.String, w), out))
	}
	return out
}

// addDie adds a die that the ruleset does not have, named "given" and a number. The odds engine then walks inputs like
// dice.
func (s *slicer) addDie(faces int64) plan.ID {
	s.graph.Dice = append(s.graph.Dice, plan.Die{ID: fmt.Sprint("given ", len(s.graph.Dice))})
	roll := newNode(plan.OpRoll, plan.Int, s.addConstant(plan.Bool, 1), s.addConstant(plan.Int, faces),
		s.addConstant(plan.Int, -1), s.addConstant(plan.Fault, 0))
	roll.Imm = int64(len(s.graph.Dice) - 1)
	return s.addNode(roll)
}

func (s *slicer) addConstant(kind plan.Kind, bits int64) plan.ID {
	return s.addNode(plan.Node{Op: plan.OpConst, Kind: kind, Imm: bits, Site: -1})
}

func newNode(op plan.Op, kind plan.Kind, args ...plan.ID) plan.Node {
	return plan.Node{Op: op, Kind: kind, Args: args, Site: -1}
}

// addNode puts a node before all others.
func (s *slicer) addNode(n plan.Node) plan.ID {
	id := plan.ID(len(s.graph.Nodes))
	s.graph.Nodes = append(s.graph.Nodes, n)
	s.added = append(s.added, id)
	s.needed = append(s.needed, true)
	return id
}

// answerRecord makes some nodes the outputs of a graph, so that the odds engine gives their joint distribution.
func answerRecord(g *plan.Graph, roots []plan.ID) plan.Value {
	out := plan.Value{Type: &plan.Type{Kind: plan.Record}, ID: plan.None, Fault: plan.None, Present: plan.None}
	for i, id := range roots {
		t := &plan.Type{Kind: g.Nodes[id].Kind}
		out.Type.Fields = append(out.Type.Fields, plan.Field{Name: fmt.Sprint(i), Type: t})
		out.Fields = append(out.Fields, plan.Value{Type: t, ID: id, Fault: plan.None, Present: plan.None})
	}
	return out
}
