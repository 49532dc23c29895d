package trace

import (
	"maps"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A loop has one slot for each value of its body, and every iteration writes it again. The frame keeps the slots of each
// iteration (vm.Iterations), and the tree of an element is read off those of its iteration, as other trees are read off the
// frame. Of the elements only those stand in the tree that decided what was made of the list, and of these the first few:
// a list may have a thousand elements, and stand in a loop itself.

const (
	// maxElements bounds the elements of one list that a tree shows.
	maxElements = 8
	// maxSteps bounds the steps of the trees of one evaluation: beyond them no element is shown.
	maxSteps = 10_000
)

// A loop is where the iterations of a loop are found.
type loop struct {
	counter   int32               // the slot that counts them
	enclosing []int32             // those of the loops around it
	size      plan.ID             // how many there are
	carried   map[plan.ID]plan.ID // the nodes of a carried value in the body, and those of its start
}

// findLoops finds the loops that terms tell of, and lets the frame keep their iterations.
func (v *Evaluation) findLoops() {
	parent, loops, params := map[int]int{}, map[int]*plan.Node{}, map[int][]plan.ID{} // of each block of a loop
	counters := map[int]plan.ID{}
	for b := range v.Graph.Blocks {
		for _, id := range v.Graph.Blocks[b].Nodes {
			switch n := &v.Graph.Nodes[id]; {
			case n.Op == plan.OpLoop:
				parent[int(n.Imm)], loops[int(n.Imm)] = b, n
			case n.Op == plan.OpParam && n.Imm == 0:
				counters[b] = id
			case n.Op == plan.OpParam:
				params[b] = append(params[b], id)
			}
		}
	}
	v.loops = map[plan.ID]loop{}
	watched := map[int32]bool{}
	for block, counter := range counters {
		slot, kept := v.Code.Slot(counter)
		told := func(t plan.Term) bool { return t.Kind == plan.ElementTerm && t.Row == counter }
		if !kept || !slices.ContainsFunc(v.terms, told) {
			continue
		}
		l := loop{counter: slot, size: loops[block].Args[0], carried: map[plan.ID]plan.ID{}}
		for _, id := range params[block] {
			l.carried[id] = loops[block].Args[v.Graph.Nodes[id].Imm]
		}
		for around := parent[block]; around != 0 && len(l.enclosing) < len(counters); around = parent[around] {
			if slot, ok := v.Code.Slot(counters[around]); ok {
				l.enclosing = append(l.enclosing, slot)
			}
		}
		v.loops[counter], watched[slot] = l, true
	}
	v.iterations = v.Frame.KeepIterations(slices.Collect(maps.Keys(watched)))
}

// addElements adds the steps of the elements that decided the result of a loop.
func (b *builder) addElements(s *Step, at int32) {
	t := &b.terms[at]
	l, ok := b.loops[t.Row]
	if !ok {
		return
	}
	size, _ := b.Code.Slot(l.size)
	s.Walked = &Walked{Elements: int(b.view.Slot(size))}
	iterations := b.iterations.Of(l.counter, l.enclosing, b.view)
	if len(iterations) < s.Walked.Elements || b.steps > maxSteps {
		return // too many to keep, or to show
	}
	around := b.view
	deciding := b.decidingElements(t, iterations)
	s.Walked.Decided, s.Walked.Shown = len(deciding), min(len(deciding), maxElements)
	for _, i := range deciding[:s.Walked.Shown] {
		b.setCarried(&l, iterations, i, around)
		b.view = iterations[i]
		s.From = append(s.From, b.elementStep(t, i))
	}
	b.view = around
	for id := range l.carried {
		delete(b.carried, id)
	}
}

// A carriedValue is where a value that a loop carries stands as an iteration found it: at its start around the loop, or as
// the iteration before has left it.
type carriedValue struct {
	node plan.ID
	view vm.View
}

// setCarried says where the carried values stand that an iteration found.
func (b *builder) setCarried(l *loop, iterations []vm.View, i int, around vm.View) {
	for id, start := range l.carried {
		kind := b.Graph.Nodes[id].Kind
		if kind == plan.List || kind == plan.Map { // is built in place
			continue
		}
		if b.carried[id] = (carriedValue{start, around}); i > 0 {
			b.carried[id] = carriedValue{id, iterations[i-1]}
		}
	}
}

// elementStep returns the tree of one element, which the view shows: like that of a function, the elements stand before the
// result. A value that differs in each iteration is told anew.
func (b *builder) elementStep(t *plan.Term, i int) *Step {
	outside := b.shownTerms
	b.shownTerms = map[int32]bool{}
	for at := range outside {
		b.shownTerms[at] = !b.varying[at]
	}
	b.steps++
	s := &Step{Name: "element " + strconv.Itoa(i+1), Kind: Element}
	b.addValue(s, &t.Value)
	if made := t.Args[len(t.Args)-1]; t.Name != eachUse && stepKind(b.terms[made].Kind) == "" {
		s.Equation = b.renderTerm(t.Args[1], lowest)
	}
	b.addSteps(s, slices.DeleteFunc(slices.Clone(t.Args), func(a int32) bool { return b.isHiddenElement(a) }), true)
	for at, told := range b.shownTerms {
		if told && !b.varying[at] {
			outside[at] = true
		}
	}
	b.shownTerms = outside
	return s
}

// isHiddenElement reports whether a term is an element without a value to show: a record, of which the tree shows the
// fields that are read.
func (b *builder) isHiddenElement(at int32) bool {
	return b.terms[at].Kind == plan.ParamTerm && b.terms[at].Value.Type == nil
}

// eachUse is the name of what a use makes of the elements of lists.
const eachUse = "each"

// decidingElements returns the elements that decided the result of a list, by their numbers: the one that alone decides all
// and exists, those that a filter keeps, the first that fails, else all of them.
func (b *builder) decidingElements(t *plan.Term, iterations []vm.View) []int {
	var hold, fail, failed, all []int
	for i := range iterations {
		b.view = iterations[i]
		all = append(all, i)
		verdict, failure := b.readValue(&b.terms[t.Args[len(t.Args)-1]].Value)
		switch {
		case failure != "":
			failed = append(failed, i)
		case verdict.Kind() != plan.Bool:
		case verdict.Bool():
			hold = append(hold, i)
		default:
			fail = append(fail, i)
		}
	}
	isChosen := t.Name == "filter" || len(t.Args) == 3 // a map with a condition
	switch {
	case t.Name == eachUse:
		return all
	case t.Name == "exists" && len(hold) > 0:
		return hold[:1]
	case t.Name == "all" && len(fail) > 0:
		return fail[:1]
	case len(failed) > 0:
		return failed[:1]
	case t.Name == "exists_one" && len(hold) > 0:
		return hold[:min(2, len(hold))]
	case isChosen && len(hold) > 0:
		return hold
	}
	return all
}

// findVarying finds the terms that have another value in each iteration of a loop.
func (v *Evaluation) findVarying() {
	inLoop := make([]bool, len(v.Graph.Nodes))
	for _, block := range v.Graph.Blocks[1:] {
		for _, id := range block.Nodes {
			inLoop[id] = true
		}
	}
	v.varying = make([]bool, len(v.terms))
	for i := range v.terms {
		t := &v.terms[i]
		if t.Value.Type != nil {
			v.varying[i] = isComputedIn(&t.Value, inLoop)
		} else {
			v.varying[i] = slices.ContainsFunc(t.Args, func(a int32) bool { return v.varying[a] })
		}
	}
}

// isComputedIn reports whether a part of a value is one of some nodes.
func isComputedIn(v *plan.Value, nodes []bool) bool {
	for _, id := range [...]plan.ID{v.ID, v.Fault, v.Present} {
		if id != plan.None && nodes[id] {
			return true
		}
	}
	return slices.ContainsFunc(v.Fields, func(f plan.Value) bool { return isComputedIn(&f, nodes) })
}
