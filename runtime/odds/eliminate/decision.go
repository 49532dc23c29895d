package eliminate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Decisions under odds.
//
// The problem. A field that is decided when dice have fallen is no constant of the question: who decides sees these dice.
//
// The idea. The leaf of such a field becomes a source of chance whose operands are what may be known when it is decided:
// its bounds, what the strategy reads, and the values that all later evaluation reads of what has happened so far (the
// state of a dynamic programme; Bellman 1957). The elimination then does what it does for a die whose faces another one
// decides. A formula gives the one choice for each state. For the best choice the source first shows every choice there
// is, and the best of each state follows from the joint distribution of states, choices and outputs (strategy.go).
//
// The order. What may be known has to be computed before the decision. The nodes of the body are therefore sorted by their
// stage: how many decisions come before them. A requirement that reads the field is judged behind it, as in a play, and so
// are the requirements that follow.

// A stager finds of every node how many decisions come before it.
type stager struct {
	*rewrite.Network
	decidedFields []*decidedField
	dice          []int           // of each die, how many decisions come before it
	leaves        map[plan.ID]int // the leaves of decided fields, by number of decision
	stage         []int
	judgedStage   int          // the stage of the requirement that was met last
	random        []bool       // a die or a decision has a part in it
	sorted        []sortedList // that rewrite adds
}

// A sortedList is a list that a decision reads sorted, and the node that gives it so.
type sortedList struct {
	list, node plan.ID
	imm        int64 // of the operation: the type
}

// decideFields makes sources of chance of the fields that a strategy decides, in a graph of their own. How they are decided
// is asked for too, unless it stands not among the names that are.
func (r *Rule) decideFields(s *odds.Strategy, compares bool, names []string) error {
	if len(s.Choices) == 0 {
		return nil
	}
	x := &stager{Network: rewrite.AsNetwork(r.image.Plan(), r.graph, r.options, r.values, false)}
	for i := range s.Choices {
		d, err := x.findDecided(&s.Choices[i], r.shapes)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(x.decidedFields, func(other *decidedField) bool { return other.leaf == d.leaf }) {
			return fmt.Errorf("%s is decided twice", d.Path)
		}
		x.decidedFields = append(x.decidedFields, d)
	}
	slices.SortStableFunc(x.decidedFields, func(a, b *decidedField) int {
		return cmp.Compare(x.numberOf(a.Choice.Path), x.numberOf(b.Choice.Path))
	})
	x.findStages()
	for k, d := range x.decidedFields {
		if err := x.addOperands(k, d); err != nil {
			return err
		}
	}
	for _, d := range x.decidedFields {
		if d.node != plan.None && (names == nil || slices.Contains(names, d.Path)) {
			r.values = append(r.values, &plan.Value{Type: d.shape.Type(), ID: d.node, Fault: plan.None, Present: plan.None})
			r.names = append(r.names, d.Path)
		}
	}
	r.graph, r.decidedFields, r.worth, r.compares = x.rewriteGraph(), x.decidedFields, s.Worth, compares
	return nil
}

// numberOf returns the number of the plan's decision that a path is a part of; -1 when there is none.
func (x *stager) numberOf(path string) int {
	return slices.IndexFunc(x.Decisions, func(d plan.Decision) bool {
		return path == d.Path || strings.HasPrefix(path, d.Path+".")
	})
}

// findDecided finds the field of a choice.
func (x *stager) findDecided(c *odds.Choice, shapes [plan.NumRoots]*plan.Shape) (*decidedField, error) {
	number := x.numberOf(c.Path)
	if number < 0 {
		var known []string
		for i := range x.Decisions {
			known = append(known, x.Decisions[i].Path)
		}
		return nil, &plan.UnknownError{What: "decision", Name: c.Path, Known: known}
	}
	root := x.Decisions[number].Root
	from, to, ok := shapes[root].SlotsAt(c.Path)
	shape := shapes[root]
	for name := range strings.SplitSeq(c.Path, ".") {
		if at := slices.IndexFunc(shape.Fields, func(m plan.Member) bool { return m.Name == name }); ok && at >= 0 {
			shape = shape.Fields[at].Shape
		}
	}
	if !ok || to-from != 1 || shape.Kind != plan.Int && shape.Kind != plan.Bool && shape.Kind != plan.String {
		return nil, fmt.Errorf("%s: decide an int, a bool or a string, field by field", c.Path)
	}
	return &decidedField{Choice: c, leaf: plan.Leaf{Root: root, Offset: from}, shape: shape, node: plan.None}, nil
}

// findStages finds the stage of every node.
func (x *stager) findStages() {
	x.leaves, x.dice = map[plan.ID]int{}, make([]int, len(x.Dice))
	x.stage, x.random = make([]int, len(x.Nodes)), make([]bool, len(x.Nodes))
	for k, d := range x.decidedFields {
		for die := range x.dice {
			if int32(die) >= x.Decisions[x.numberOf(d.Path)].Dice {
				x.dice[die] = k + 1
			}
		}
		for id := range x.Nodes {
			if n := &x.Nodes[id]; n.Op == plan.OpLeaf && x.Leaves[n.Imm] == d.leaf && x.BlockOf[id] >= 0 {
				x.leaves[plan.ID(id)] = k
				if d.node == plan.None {
					d.node = plan.ID(id)
				}
			}
		}
	}
	x.findBlock(0)
}

// findBlock finds the stages of a block, and gives the last of them.
func (x *stager) findBlock(block int32) (last int, random bool) {
	for _, id := range x.Blocks[block].Nodes {
		x.findNode(id)
		last, random = max(last, x.stage[id]), random || x.random[id]
	}
	return last, random
}

func (x *stager) findNode(id plan.ID) {
	n := &x.Nodes[id]
	stage, random := 0, false
	for _, a := range n.Args {
		if a != plan.None {
			stage, random = max(stage, x.stage[a]), random || x.random[a]
		}
	}
	switch n.Op {
	case plan.OpRoll:
		stage, random = max(stage, x.dice[n.Imm]), true
	case plan.OpLeaf:
		if k, ok := x.leaves[id]; ok {
			stage, random = k+1, true
		}
	case plan.OpLoop:
		within, rolls := x.findBlock(int32(n.Imm))
		stage, random = max(stage, within), random || rolls
	}
	// Of several requirements that fail, the first is told: none is judged before an earlier one.
	if n.Op == plan.OpRequire {
		stage = max(stage, x.judgedStage)
		x.judgedStage = stage
	}
	x.stage[id], x.random[id] = stage, random
}

// outermostNode returns the node of the body that a node is, or stands in.
func (x *stager) outermostNode(id plan.ID) plan.ID {
	for x.BlockOf[id] > 0 {
		id = x.LoopOf[x.BlockOf[id]]
	}
	return id
}

// addOperands finds the values that are known when a field is decided, as far as anything reads them.
//
// An operand too many splits states and makes the decision dearer, but no worse: the best choice is then found for each
// part by itself. An operand too few would be wrong, as one choice would be made for states with different futures.
func (x *stager) addOperands(k int, d *decidedField) error {
	if d.node == plan.None {
		return nil // nothing reads the field
	}
	place := map[plan.ID]int32{}
	operand := func(id plan.ID) int32 {
		at, ok := place[id]
		if !ok {
			at = int32(len(d.operands))
			place[id] = at
			d.operands = append(d.operands, id)
		}
		return at
	}
	d.given = int(operand(plan.ID(len(x.Nodes) + k))) // which rewrite makes
	p := &x.Decisions[x.numberOf(d.Path)]
	bound := func(v *plan.Value) *vm.Location {
		if v.ID == plan.None {
			return nil
		}
		at := vm.Locate(v, operand)
		return &at
	}
	d.when = bound(&p.When)
	if d.Path == p.Path {
		d.least, d.most = bound(&p.Least), bound(&p.Most)
	}
	for _, name := range d.Reads {
		v := x.knownAt(k, name)
		if v == nil {
			return fmt.Errorf("%s: %s is not known when it is decided", d.Path, name)
		}
		if slices.Contains(d.Symmetric, name) {
			v = x.addSorted(v)
		}
		d.reads = append(d.reads, vm.Locate(v, operand))
	}
	for id := range x.Nodes {
		if x.Needed[id] && x.stage[x.outermostNode(plan.ID(id))] > k {
			for _, a := range x.Nodes[id].Args {
				x.addState(k, a, operand)
			}
		}
	}
	for _, v := range x.Values {
		x.addValueState(k, v, operand)
	}
	return nil
}

// addSorted returns a list of numbers sorted, so that ways in which dice fall that differ in their order are one.
func (x *stager) addSorted(v *plan.Value) *plan.Value {
	isNumbers := func(t *plan.Type) bool { return t.Kind == plan.List && t.Elem.Kind == plan.Int }
	imm := int64(slices.IndexFunc(x.Plan.Types, isNumbers))
	if imm < 0 || !isNumbers(v.Type) {
		return v
	}
	// Behind the nodes of what is given to each decision, and a condition that always holds.
	node := plan.ID(len(x.Nodes) + len(x.decidedFields) + 1 + len(x.sorted))
	x.sorted = append(x.sorted, sortedList{v.ID, node, imm})
	out := *v
	out.ID = node
	return &out
}

// addState makes a node an operand of a decision when it is known then and not beforehand.
func (x *stager) addState(k int, id plan.ID, operand func(plan.ID) int32) {
	if id != plan.None && x.BlockOf[id] == 0 && x.random[id] && x.stage[id] <= k {
		if op := x.Nodes[id].Op; op != plan.OpLoop && op != plan.OpRequire {
			operand(id)
		}
	}
}

func (x *stager) addValueState(k int, v *plan.Value, operand func(plan.ID) int32) {
	if v.Type == nil {
		return
	}
	if v.Type.Kind != plan.Record {
		x.addState(k, v.ID, operand)
	}
	x.addState(k, v.Fault, operand)
	x.addState(k, v.Present, operand)
	for i := range v.Fields {
		x.addValueState(k, &v.Fields[i], operand)
	}
}

// knownAt returns the named value that is known when a field is decided, without the fields that are not; nil when it
// is not.
func (x *stager) knownAt(k int, name string) *plan.Value {
	for i := range x.Names {
		if n := &x.Names[i]; n.Name == name && n.Kind <= plan.DieName {
			return x.knownPart(k, &n.Value)
		}
	}
	return nil
}

// knownPart returns the part of a value that is known at a decision, or nil when nothing is.
func (x *stager) knownPart(k int, v *plan.Value) *plan.Value {
	for _, id := range []plan.ID{v.ID, v.Fault, v.Present} {
		if id == v.ID && v.Type.Kind == plan.Record {
			continue
		}
		if id != plan.None && (x.BlockOf[id] != 0 || x.stage[id] > k) {
			return nil
		}
	}
	if v.Type.Kind != plan.Record {
		return v
	}
	out := *v
	out.Type, out.Fields = &plan.Type{Kind: plan.Record}, nil
	for i := range v.Fields {
		if f := x.knownPart(k, &v.Fields[i]); f != nil {
			field := v.Type.Fields[i]
			field.Type = f.Type
			out.Type.Fields, out.Fields = append(out.Type.Fields, field), append(out.Fields, *f)
		}
	}
	if len(out.Fields) == 0 {
		return nil
	}
	return &out
}

// rewriteGraph returns the graph in which the decided fields read the known values, and stand behind them. Its nodes are those
// that were staged, in which what the options decide is constant: a node that they decide may stand before one that it reads.
//
// A field may have several leaves in a graph, but is decided once: the first leaf becomes the source, and the others
// select it. Ranks in the body are even for nodes and odd for decisions: 0, then decision 0 with 1, then the nodes that
// follow from it with 2, and so on. The sort is stable, so nodes of a stage stay in the order of the rule.
func (x *stager) rewriteGraph() *plan.Graph {
	out := *x.Graph
	out.Nodes, out.Blocks = slices.Clone(x.Nodes), slices.Clone(out.Blocks)
	var begin []plan.ID // what stands before everything else
	add := func(n plan.Node) plan.ID {
		out.Nodes = append(out.Nodes, n)
		id := plan.ID(len(out.Nodes) - 1)
		begin = append(begin, id)
		return id
	}
	for _, d := range x.decidedFields {
		given := plan.Node{Op: plan.OpConst, Kind: plan.Int, Site: -1}
		if d.node != plan.None {
			given = x.Graph.Nodes[d.node]
		}
		add(given)
	}
	always := add(plan.Node{Op: plan.OpConst, Kind: plan.Bool, Imm: 1, Site: -1})
	stages := slices.Clone(x.stage)
	for range begin {
		stages = append(stages, 0)
	}
	for _, s := range x.sorted {
		out.Nodes = append(out.Nodes,
			plan.Node{Op: plan.OpSort, Kind: plan.List, Args: []plan.ID{s.list}, Imm: s.imm, Site: -1})
		stages = append(stages, x.stage[s.list])
	}
	for id, k := range x.leaves {
		d := x.decidedFields[k]
		n := &out.Nodes[id]
		if id == d.node {
			n.Args = d.operands
			continue
		}
		*n = plan.Node{Op: plan.OpSelect, Kind: n.Kind, Args: []plan.ID{always, d.node, d.node}, Site: -1}
	}
	for b := range out.Blocks {
		out.Blocks[b].Nodes = slices.DeleteFunc(slices.Clone(out.Blocks[b].Nodes), func(id plan.ID) bool {
			k, ok := x.leaves[id]
			return ok && x.decidedFields[k].node == id
		})
	}
	body := &out.Blocks[0].Nodes
	for _, s := range x.sorted {
		*body = append(*body, s.node)
	}
	for _, d := range x.decidedFields {
		if d.node != plan.None {
			*body = append(*body, d.node)
		}
	}
	rank := func(id plan.ID) int {
		if k, ok := x.leaves[id]; ok && x.decidedFields[k].node == id {
			return 2*k + 1
		}
		return 2 * stages[id]
	}
	slices.SortStableFunc(*body, func(a, b plan.ID) int { return cmp.Compare(rank(a), rank(b)) })
	*body = append(begin, *body...)
	return &out
}

// KnownWhenDecided returns the record of the named values that are known when a field of a rule is decided.
func KnownWhenDecided(p *vm.Image, id string, c plan.Choice, path string) (*plan.Type, error) {
	r, err := findRule(p, id, c)
	if err != nil {
		return nil, err
	}
	return r.knownWhenDecided(path)
}

func (r *Rule) knownWhenDecided(path string) (*plan.Type, error) {
	x := &stager{Network: rewrite.AsNetwork(r.image.Plan(), r.graph, r.options, nil, false)}
	d, err := x.findDecided(&odds.Choice{Path: path}, r.shapes)
	if err != nil {
		return nil, err
	}
	x.decidedFields = []*decidedField{d}
	x.findStages()
	out := &plan.Type{Kind: plan.Record}
	for i := range x.Names {
		n := &x.Names[i]
		if i, _ := out.Field(n.Name); i >= 0 || strings.ContainsAny(n.Name, ".[") {
			continue
		}
		if v := x.knownAt(0, n.Name); v != nil && v.Present == plan.None {
			out.Fields = append(out.Fields, plan.Field{Name: n.Name, Type: withoutFaults(v.Type)})
		}
	}
	return out, nil
}

// withoutFaults returns the type of a value once it is known that no part of it has failed.
func withoutFaults(t *plan.Type) *plan.Type {
	out := *t
	if t.Elem != nil {
		out.Elem = withoutFaults(t.Elem)
	}
	out.Fields = nil
	for _, f := range t.Fields {
		f.Type, f.Fallible = withoutFaults(f.Type), false
		out.Fields = append(out.Fields, f)
	}
	return &out
}
