package schedule

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Facts are what the instructions of a graph know when they are carried out, because the evaluation would have ended or
// the loop would not run otherwise.
//
// # Why
//
// A lowered graph checks a value again wherever it is read: each use of a rule, each requirement and each choice joins the
// faults of all that it reads, although a requirement before it has found that they are none. Loops check the index of
// each element, although they count up to the size of that very list. In a fight of several against several that is half
// of the instructions.
//
// # How
//
// One walk in the order of execution keeps the facts that hold from there on: assertion propagation, as in A. Harrison,
// "Compile-time analysis of the range of values for variables" (IEEE TSE, 1977), for faults alone.
//
//   - Behind a requirement that is always judged its fault is none, and so is each fault that was joined into it. Where its
//     condition is that a key was found, looking it up again does not fail.
//   - A fault that a loop carries is none when it begins as none, and when from none it comes to none.
//   - An element is in its list when its index comes from a range of the size of that list, also by way of the lists that
//     were filtered or sorted from such a range. A list that was mapped from another one has its size. An element of a
//     range from 0 is its index.
//
// What is learned in the body of a loop is forgotten behind it, because the loop may not run.
//
// Dice teach nothing: one that is left out is not judged.
type facts struct {
	*work
	none    map[plan.ID]bool   // faults that are known to be none
	passed  map[check]bool     // checks that are known to pass, wherever their place is
	carries map[carriedID]bool // what loops carry that is known to be none in each iteration
	learned []func()           // forgets each fact, in the order in which they were learned
	answers map[plan.ID]answer // of isNone, each as long as the facts are those of its time
	time    int
	zero    plan.ID // a constant that is no fault; None until it is needed
}

// A check is an operation that fails, without its place.
type check struct {
	op   plan.Op
	imm  int64
	args [3]plan.ID
}

// A carriedID is the k-th value that the loop of a block carries.
type carriedID struct {
	block int32
	k     int64
}

type answer struct {
	time   int
	isNone bool
}

// dropKnownFaults makes constants of the faults that are known to be none, and drops the requirements that always hold.
func (w *work) dropKnownFaults() {
	f := &facts{work: w, none: map[plan.ID]bool{}, passed: map[check]bool{}, carries: map[carriedID]bool{},
		answers: map[plan.ID]answer{}, zero: plan.None}
	f.walkBlock(0)
	w.roots = slices.DeleteFunc(w.roots, w.isIdleRequire)
}

// isIdleRequire reports whether a node is a requirement that is not judged, or holds whatever is given.
func (w *work) isIdleRequire(id plan.ID) bool {
	n := &w.nodes[id]
	if n.Op != plan.OpRequire {
		return false
	}
	holds, isKnown := w.constantOf(n.Args[1])
	return w.isConstant(n.Args[0], 0) || isKnown && holds != 0 && w.isConstant(n.Args[2], 0)
}

func (f *facts) walkBlock(block int64) {
	for _, id := range f.graph.Blocks[block].Nodes {
		if f.same[id] = f.same[f.same[id]]; f.same[id] != id {
			continue
		}
		f.rewriteNode(id)
		switch n := &f.nodes[id]; n.Op {
		case plan.OpLoop:
			f.walkBody(id)
		case plan.OpRequire:
			if always, isKnown := f.constantOf(n.Args[0]); isKnown && always != 0 {
				f.learnNone(n.Args[2])
				f.learnTruth(n.Args[1])
			}
		}
	}
}

// walkBody walks the body of a loop, with what holds in each iteration.
func (f *facts) walkBody(loop plan.ID) {
	body, before := f.nodes[loop].Imm, len(f.learned)
	for k := range f.nextCarried(loop) {
		if id := (carriedID{int32(body), int64(k)}); f.carriesNone(loop, int64(k)) {
			f.learn(func() { f.carries[id] = true }, func() { delete(f.carries, id) })
		}
	}
	f.walkBlock(body)
	f.forgetFrom(before)
}

// learn notes a fact.
func (f *facts) learn(note, forget func()) {
	note()
	f.learned = append(f.learned, forget)
	f.time++
}

// forgetFrom forgets the facts that were learned since there were so many.
func (f *facts) forgetFrom(n int) {
	for _, forget := range slices.Backward(f.learned[n:]) {
		forget()
	}
	f.learned = f.learned[:n]
	f.time++
}

// rewriteNode makes a constant of a fault that is known to be none. Another node reads a constant in place of such faults:
// they are still needed where they are judged.
func (f *facts) rewriteNode(id plan.ID) {
	n := &f.nodes[id]
	switch {
	case n.Op == plan.OpConst || n.Op == plan.OpParam:
		return
	case n.Kind == plan.Fault && f.isNone(id):
		f.makeConstant(id, 0)
		return
	case n.Op == plan.OpElem && f.isOwnIndex(n):
		f.replaceNode(id, n.Args[1])
		return
	}
	for k := range n.Args {
		if a := f.operandOf(&f.nodes[id], k); f.nodes[a].Kind == plan.Fault && !f.isConstant(a, 0) && f.isNone(a) {
			zero := f.noFault() // which may move the nodes
			f.nodes[id].Args[k] = zero
		}
	}
	switch f.nodes[id].Op {
	case plan.OpFirstFault:
		f.foldFirst(id)
	case plan.OpAndFault:
		f.foldSideFaults(id, 0)
	case plan.OpOrFault:
		f.foldSideFaults(id, 1)
	case plan.OpNoFault:
		f.foldScalar(id)
	}
}

// isOwnIndex reports whether an element is its own index: that of a range from 0, in a loop over that range.
func (f *facts) isOwnIndex(n *plan.Node) bool {
	list, index := f.nodeOf(n.Args[0]), f.operandOf(n, 1)
	if list.Op != plan.OpRange || !f.isConstant(list.Args[0], 0) || f.nodes[index].Op != plan.OpParam ||
		f.nodes[index].Imm != 0 {
		return false
	}
	count := f.nodeOf(f.nodes[f.loop[f.home[index]]].Args[0])
	return count.Op == plan.OpSize && f.operandOf(count, 0) == f.operandOf(n, 0)
}

// noFault returns the constant that is no fault.
func (f *facts) noFault() plan.ID {
	if f.zero == plan.None {
		f.zero = f.newLiteral(plan.Fault, 0)
	}
	return f.zero
}

// isCheck reports whether a node finds a fault, and joins none.
func isCheck(n *plan.Node) bool {
	switch n.Op {
	case plan.OpFirstFault, plan.OpAndFault, plan.OpOrFault, plan.OpFail:
		return false
	}
	return n.Kind == plan.Fault && n.Site >= 0 && len(n.Args) <= len(check{}.args)
}

// checkOf returns what a node checks.
func (f *facts) checkOf(n *plan.Node) check {
	c := check{n.Op, n.Imm, [3]plan.ID{plan.None, plan.None, plan.None}}
	for k := range n.Args {
		c.args[k] = f.operandOf(n, k)
	}
	return c
}

// learnNone notes that a fault is none.
func (f *facts) learnNone(id plan.ID) {
	id = f.same[id]
	n := &f.nodes[id]
	if f.none[id] || n.Op == plan.OpConst {
		return
	}
	f.learn(func() { f.none[id] = true }, func() { delete(f.none, id) })
	switch {
	case n.Op == plan.OpFirstFault:
		f.learnNone(n.Args[0])
		f.learnNone(n.Args[1])
	case isCheck(n):
		f.learnPassed(f.checkOf(n))
	}
}

func (f *facts) learnPassed(c check) {
	if !f.passed[c] {
		f.learn(func() { f.passed[c] = true }, func() { delete(f.passed, c) })
	}
}

// learnTruth notes what follows from a truth.
func (f *facts) learnTruth(id plan.ID) {
	n := f.nodeOf(id)
	switch n.Op {
	case plan.OpAnd:
		f.learnTruth(n.Args[0])
		f.learnTruth(n.Args[1])
	case plan.OpNoFault:
		f.learnNone(n.Args[0])
	case plan.OpLeInt: // 0 <= find(map, key)
		if find := f.nodeOf(n.Args[1]); f.isConstant(n.Args[0], 0) && find.Op == plan.OpFind {
			c := f.checkOf(find)
			c.op = plan.OpFindFault
			f.learnPassed(c)
		}
	}
}

// isNone reports whether a fault is known to be none.
func (f *facts) isNone(id plan.ID) bool {
	id = f.same[id]
	n := &f.nodes[id]
	if n.Op == plan.OpConst || f.none[id] {
		return n.Op != plan.OpConst || n.Imm == 0
	}
	if known, ok := f.answers[id]; ok && known.time == f.time {
		return known.isNone
	}
	is := f.findNone(n, id)
	f.answers[id] = answer{f.time, is} // what was assumed of loops meanwhile is forgotten
	return is
}

func (f *facts) findNone(n *plan.Node, id plan.ID) bool {
	switch n.Op {
	case plan.OpFirstFault:
		return f.isNone(n.Args[0]) && f.isNone(n.Args[1])
	case plan.OpAndFault, plan.OpOrFault:
		return f.isNone(n.Args[1]) && f.isNone(n.Args[3])
	case plan.OpSelect:
		return f.isNone(n.Args[1]) && f.isNone(n.Args[2])
	case plan.OpParam:
		return n.Imm > 0 && f.carries[carriedID{f.home[id], n.Imm - 1}]
	case plan.OpResult:
		return f.carriesNone(f.operandOf(n, 0), n.Imm)
	}
	return isCheck(n) && (f.passed[f.checkOf(n)] ||
		n.Op == plan.OpElemFault && f.isIndexOf(f.operandOf(n, 1), f.operandOf(n, 0)))
}

// carriesNone reports whether the k-th value that a loop carries is a fault that is none from the beginning to the end.
func (f *facts) carriesNone(loop plan.ID, k int64) bool {
	initial, next := f.initialCarried(loop, k), f.nextCarried(loop)[k]
	if f.nodeOf(initial).Kind != plan.Fault || !f.isNone(initial) {
		return false
	}
	id := carriedID{int32(f.nodes[loop].Imm), k}
	if f.carries[id] {
		return true
	}
	before := len(f.learned)
	f.learn(func() { f.carries[id] = true }, func() { delete(f.carries, id) })
	is := f.isNone(next)
	f.forgetFrom(before)
	return is
}

// isIndexOf reports whether a node is always the index of an element of a list.
func (f *facts) isIndexOf(id, list plan.ID) bool {
	of := f.indexedBy(id)
	return of != plan.None && of == f.sizedAs(list)
}

// indexedBy returns the list of which a node is always the index of an element, as sizedAs returns it; None when it is not
// known to be one.
func (f *facts) indexedBy(id plan.ID) plan.ID {
	id = f.same[id]
	switch n := &f.nodes[id]; n.Op {
	case plan.OpParam:
		if loop := f.loop[f.home[id]]; n.Imm == 0 {
			return f.countedList(loop)
		}
	case plan.OpElem:
		const onlySlot = 1 << 32
		list := f.operandOf(n, 0)
		isInList := f.isIndexOf(n.Args[1], list) || f.passed[check{plan.OpElemFault, 0,
			[3]plan.ID{list, f.operandOf(n, 1), plan.None}}]
		if n.Imm == onlySlot && isInList {
			return f.indexedByAll(list)
		}
	}
	return plan.None
}

// countedList returns the list that a loop counts the elements of, as sizedAs returns it; None when it counts something
// else.
func (f *facts) countedList(loop plan.ID) plan.ID {
	if n := f.nodeOf(f.nodes[f.same[loop]].Args[0]); n.Op == plan.OpSize {
		return f.sizedAs(n.Args[0])
	}
	return plan.None
}

// indexedByAll returns the list of which all elements of a list are indices, as sizedAs returns it; None when they are not
// known to be.
func (f *facts) indexedByAll(list plan.ID) plan.ID {
	switch n := f.nodeOf(list); n.Op {
	case plan.OpRange:
		if size := f.nodeOf(n.Args[1]); f.isConstant(n.Args[0], 0) && size.Op == plan.OpSize {
			return f.sizedAs(size.Args[0])
		}
	case plan.OpSort, plan.OpSortBy:
		return f.indexedByAll(n.Args[0])
	case plan.OpResult:
		if push := f.pushOf(n); push != nil && len(push.Args) == 3 {
			return f.indexedBy(push.Args[2])
		}
	}
	return plan.None
}

// sizedAs returns the list that a list has its size from: the same one for lists that are known to be equally long.
func (f *facts) sizedAs(list plan.ID) plan.ID {
	list = f.same[list]
	switch n := &f.nodes[list]; n.Op {
	case plan.OpRange:
		size := f.nodeOf(n.Args[1])
		if f.isConstant(n.Args[0], 0) && size.Op == plan.OpSize && f.isShort(n.Args[1]) {
			return f.sizedAs(size.Args[0])
		}
	case plan.OpSort, plan.OpSortBy:
		return f.sizedAs(n.Args[0])
	case plan.OpResult:
		if push := f.pushOf(n); push != nil && f.isConstant(push.Args[1], 1) {
			if of := f.countedList(f.operandOf(n, 0)); of != plan.None {
				return of
			}
		}
	}
	return list
}

// isShort reports whether a size is known to be no more than a range may have: a longer one has no elements.
func (f *facts) isShort(size plan.ID) bool {
	id := f.same[size]
	return int(id) < len(f.bounds) && f.bounds[id].Max <= plan.MaxRange
}

// pushOf returns the node that puts the elements of each iteration into a list that a loop makes from an empty one; nil
// when the result of a loop is not made so.
func (f *facts) pushOf(result *plan.Node) *plan.Node {
	loop := f.operandOf(result, 0)
	next := f.same[f.nextCarried(loop)[result.Imm]]
	push := &f.nodes[next]
	if f.nodeOf(f.initialCarried(loop, result.Imm)).Op != plan.OpNewSpan || push.Op != plan.OpPush ||
		int64(f.home[next]) != f.nodes[loop].Imm {
		return nil
	}
	if to := f.operandOf(push, 0); f.nodes[to].Op == plan.OpParam && f.nodes[to].Imm == result.Imm+1 &&
		f.home[to] == f.home[next] {
		return push
	}
	return nil
}
