package eliminate

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A program computes the distribution of some values of a block. Values that every state shares stand in the
// environment, by node; those that differ are the columns of its states.
type program struct {
	prefix *piece    // what depends on no chance: computed once, into the environment
	first  []plan.ID // the columns it begins with: what a loop carries
	steps  []step
	outs   []plan.ID // the columns it gives in the end; one may stand twice
	last   []ref     // of outs, after the last step
	reset  []*source // whose memories do not outlive a run
}

// A step meets every state with every class of a source of chance, computes what follows, and keeps what is read later.
type step struct {
	source *source // nil: only what follows
	piece  *piece  // nil: nothing follows
	keep   []plan.ID
	from   []ref // of keep
	rows   int   // that came out the last time: so many may come again
	apart  bool  // different states and classes lead to different rows
	// isTraced says that the order in which weights come to rows is kept (deferred.go).
	isTraced bool
}

// rolls is the node of the step's source, None when it has none.
func (s *step) rolls() plan.ID {
	if s.source == nil {
		return plan.None
	}
	return s.source.id
}

// A source of chance gives classes: values, and how likely they are.
type source struct {
	kind    sourceKind
	id      plan.ID   // the roll or the loop
	ins     []plan.ID // what the classes depend on
	from    []ref     // of ins
	gives   []plan.ID // the values of a class
	body    *program  // of a region, a loop
	fold    *fold     // of a stream
	results *source   // of a pool whose dice are the results of a loop: what one of them is
	// Of a loop: the node of its iteration, None when nothing reads it; the nodes with which the columns of its body
	// begin; of gives, which column.
	iteration plan.ID
	begin     []plan.ID
	which     []int
	sorted    bool // of a list: the order of its faces does not matter
	ranks     bool // of a hand: only how its cards rank among themselves matters
	tail      bool // of a hand: from the place on that the last of ins tells, its order does not matter
	chain     bool // its dice stand among the effects: that they cannot be rolled ends the evaluation here
}

type sourceKind uint8

const (
	dieSource    sourceKind = iota // one die: its total
	listSource                     // the faces, as a list
	streamSource                   // the faces, each of which goes through folds and is forgotten
	loopSource                     // a loop that rolls
	regionSource                   // dice that depend on nothing around them, up to what is read of them
	headSource                     // dice of which only counts are read: how many there are
	drawSource                     // how many of them show a class of faces
	resultSource                   // what a loop whose results are dice of a pool answers once
	choiceSource                   // a field that a strategy decides
)

// A piece is nodes that are computed one after the other.
type piece struct {
	nodes []plan.ID
	ins   []plan.ID
	from  []ref // of ins
	outs  []plan.ID
	part  *vm.Fragment
}

// A ref says where a value stands: in the environment, in the state, in the class, or among what the piece has given.
type ref struct {
	where place
	at    int32
}

type place uint8

const (
	inEnv place = iota
	inRow
	inClass
	inPiece
)

// A fold carries values over the faces of a list, so that no list is ever made: after each face only what is carried
// counts.
type fold struct {
	list  plan.ID   // that is folded: the one that is rolled, or what is taken of it in order
	order *order    // nil when it is folded as it falls
	loops []plan.ID // loops over the list, all carried out at once
	folds []plan.ID // sums, least and greatest elements
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

// lists are the lists that a stream is instead of, the first of which is rolled.
func (f *fold) lists(rolled plan.ID) []plan.ID {
	switch {
	case f.order == nil:
		return []plan.ID{rolled}
	case f.order.slice == plan.None:
		return []plan.ID{rolled, f.order.sort}
	}
	return []plan.ID{rolled, f.order.sort, f.order.slice}
}

// taken is which of so many sorted dice are taken.
func (f *fold) taken(count int64) (from, to int64) {
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
		op := g.Nodes[id].Op
		return op != plan.OpSumInt && op != plan.OpSumIntFault
	})
}
