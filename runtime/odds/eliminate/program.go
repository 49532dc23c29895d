package eliminate

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The executable form of a rule.
//
// Take a rule that rolls two six-sided dice a and b, and answers isSix (a is 6) and total (a + b). Its program has two
// steps; both dice are regions, because each can be eliminated without the other.
//
//	step    source                 fragment  keep              pairs   rows
//	1       region a: a, isSix     none      a, isSix              6      6
//	2       region b: b            a + b     isSix, total         36     16
//
// The fragment isSix stands in the body of region a, since a alone decides it. Behind step 1 the column a is alive,
// because step 2 reads it. Behind step 2 nothing reads a or b: the 36 pairs fall together into 10 rows without a six
// (totals 2 to 11) and 6 rows with one (totals 7 to 12), each with its number of pairs over the denominator 36.
//
// A builder writes a program in two passes. The first (build.go) chooses the steps and their order. The second
// (link.go) finds which columns are alive, and replaces every node by a ref. From then on the program is only read,
// except for step.rows, which is a hint for the size of a table. So one program answers any number of questions, one
// after the other.

// A program computes the distribution of some values of a block. Values that every state shares stand in the
// environment, by node; those that differ are the columns of its states.
//
// Invariant: a node has one place at a time. It is in the environment if no chance around the program decides it, else
// in a column. The columns before step i are steps[i-1].keep, and first before step 0; all refs of step i are numbered
// by these.
//
// The sources in reset are forgotten whenever the program is run. Their memory is keyed by what they read of a state
// alone (classesOf), but a run in another environment may show something else for the same key.
type program struct {
	prefix *fragment // what depends on no chance: computed once, into the environment
	first  []plan.ID // the columns it begins with: what a loop carries
	steps  []step
	outs   []plan.ID // the columns it gives in the end; one may stand twice
	last   []ref     // of outs, after the last step
	reset  []*source // whose memories do not outlive a run
}

// A step meets every state with every class of a source of chance, computes what follows, and keeps what is read later.
//
// The columns keep are in the order of their nodes, so that the same columns have the same order in every step. from[k]
// says where the new value of keep[k] is taken from. apart lets rows be appended without a look-up; it is an
// optimisation that link.go must have proved (staysApart), because a duplicate row would be an outcome twice.
type step struct {
	source   *source   // nil: only what follows
	fragment *fragment // nil: nothing follows
	keep     []plan.ID
	from     []ref // of keep
	rows     int   // that came out the last time: so many may come again
	apart    bool  // different states and classes lead to different rows
	// isTraced says that the order in which weights come to rows is kept (deferred.go).
	isTraced bool
}

// sourceNode returns the node of the step's source, None when it has none.
func (s *step) sourceNode() plan.ID {
	if s.source == nil {
		return plan.None
	}
	return s.source.id
}

// A source of chance gives classes: values, and how likely they are.
//
// The fields from, gives and body are written by link.go. ins[k] is read from from[k], and its value is also written to
// the environment before the classes are made, because bodies and folds read it there. gives[k] is column k of each
// class. In a list, die or head the first four of ins are guard (0: nothing is rolled), faces, count and fault, as in
// the operands of plan.OpRoll.
//
// initial, iteration and which belong to a loop alone: initial[k] is the node outside of the loop with which column k of
// its body starts, and which[k] is the column in which gives[k] stands after the last iteration.
type source struct {
	kind     sourceKind
	id       plan.ID         // the roll or the loop
	ins      []plan.ID       // what the classes depend on
	from     []ref           // of ins
	gives    []plan.ID       // the values of a class
	body     *program        // of a region, a loop
	fold     *fold           // of a stream
	results  *source         // of a pool whose dice are the results of a loop: what one of them is
	compared []comparedValue // of dice that are only compared: what each of gives is
	// Of a loop: the node of its iteration, None when nothing reads it; the nodes with which the columns of its body
	// begin; of gives, which column.
	iteration plan.ID
	initial   []plan.ID
	which     []int
	sorted    bool // of a list: the order of its faces does not matter
	ranks     bool // of a hand: only how its cards rank among themselves matters
	tail      bool // of a hand: from the place on that the last of ins tells, its order does not matter
	chain     bool // its dice stand among the effects: that they cannot be rolled ends the evaluation here
}

type sourceKind uint8

const (
	dieSource      sourceKind = iota // one die: its total
	listSource                       // the faces, as a list
	streamSource                     // the faces, each of which goes through folds and is forgotten
	loopSource                       // a loop that rolls
	regionSource                     // dice that depend on nothing around them, up to what is read of them
	headSource                       // dice of which only counts are read: how many there are
	drawSource                       // how many of them show a class of faces
	resultSource                     // what a loop whose results are dice of a pool answers once
	choiceSource                     // a field that a strategy decides
	comparedSource                   // dice that are only compared with each other, all of them
	unreadSource                     // dice of which nothing is read but whether they can be rolled
)

// A fragment is nodes that are computed one after the other.
//
// The nodes are in an order in which operands come first. outs are those of them that something behind the fragment reads;
// all others are temporary values of code, which is the fragment compiled by the runtime (cut.go). The inputs of code are
// ins in their order.
type fragment struct {
	nodes []plan.ID
	ins   []plan.ID
	from  []ref // of ins
	outs  []plan.ID
	code  *vm.Fragment
}

// A ref says where a value stands: in the environment, in the state, in the class, or among what the fragment has given.
//
// The meaning of at follows from where: a node for inEnv, a column of the state for inRow, a column of the class for
// inClass, and an index of fragment.outs for inFragment. inFragment is valid only until the next fragment is computed,
// as all fragments write the same buffer (engine.out).
type ref struct {
	where place
	at    int32
}

type place uint8

const (
	inEnv place = iota
	inRow
	inClass
	inFragment
)

// A fold carries values over the faces of a list, so that no list is ever made: after each face only what is carried
// counts.
//
// Example: the sum and the greatest of 4d6. folds has two nodes, and two values are carried: (0, 0) at first, then (5,
// 5) after a 5, (7, 5) after a 2. Of n faces only such pairs are kept, and never the list: after the fourth face there
// are at most 21·6 of them, where there are 1,296 lists.
//
// The carried values are those of all loops, in the order of loops and of the results of each, and then one for each of
// folds. first, kinds and the outputs of part have that order. sums is proved by isAdditive (stream.go), and lets
// convolutions replace the walk through the faces (fold.go).
type fold struct {
	list  plan.ID   // that is folded: the one that is rolled, or what is taken of it in order
	order *order    // nil when it is folded as it falls
	loops []plan.ID // loops over the list, all carried out at once
	folds []plan.ID // symmetric operations on the list that give a scalar
	frees []plan.ID // values around the loops that these read
	first []plan.ID // of each value carried the node it begins with; None for 0
	kinds []plan.Kind
	gives []plan.ID // nodes that are a carried value in the end
	which []int     // of gives: which value
	part  *vm.Fragment
	// sums tells that each carried value is the last one and something that the face alone decides; faults are the
	// carried values of which that is true only when no face has one.
	sums   bool
	faults []int
}

// An order is what is taken of the dice of a stream once they are sorted: nothing else is read of them, so that it does not
// matter which of the dice show what, only how many do.
type order struct {
	sort, slice plan.ID // slice is None when all of them are taken
	from, to    int64
}

// replacedLists returns the lists that a stream replaces, the first of which is rolled.
func (f *fold) replacedLists(rolled plan.ID) []plan.ID {
	switch {
	case f.order == nil:
		return []plan.ID{rolled}
	case f.order.slice == plan.None:
		return []plan.ID{rolled, f.order.sort}
	}
	return []plan.ID{rolled, f.order.sort, f.order.slice}
}

// takenRange returns the range of the taken dice among so many sorted ones.
//
// Limits that do not fit the count take nothing. The slice then fails in the rule, and its fault is a node of its own.
func (f *fold) takenRange(count int64) (from, to int64) {
	switch {
	case f.order == nil || f.order.slice == plan.None:
		return 0, count
	case 0 <= f.order.from && f.order.from <= f.order.to && f.order.to <= count:
		return f.order.from, f.order.to
	}
	return 0, 0
}

// onlyAdds reports whether a fold does nothing but add.
func (f *fold) onlyAdds(g *rewrite.Network) bool {
	return len(f.loops) == 0 && !slices.ContainsFunc(f.folds, func(id plan.ID) bool {
		return g.Nodes[id].Op != plan.OpSumInt
	})
}
