package rewrite

import (
	"cmp"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Limits of any expansion. Beyond them a list stays as it was, which is slower and never wrong.
const (
	maxExpanded  = 60_000 // nodes that an expansion may make
	maxInsertion = 24     // elements that are sorted by inserting one after the other
)

// Limits say which lists an expansion replaces. Others stay as they were, which is never wrong.
//
// Counts of many faces may take more than the list does: three of 200 dice are sorted at once, and their counts carried
// over 200 faces. The wide limits suit what the usual ones refuse, as whether two of 23 people have one birthday.
type Limits struct {
	Listed   float64 // lists of at most so many ways stay lists: that is as fast
	Faces    int64   // of a pool, before equal ones are grouped
	Unrolled int64   // iterations of a loop that is unrolled
	Sequence int64   // dice of a list that are rolled one by one
	Rolls    int     // of a rule with counts: a little less than the sources that package eliminate tells apart
}

// UsualLimits returns the limits with which a rule is prepared first.
func UsualLimits() Limits {
	return Limits{Listed: 256, Faces: 128, Unrolled: 128, Sequence: 200, Rolls: 240}
}

// WideLimits returns the limits for questions that take too much with the usual ones.
func WideLimits() Limits {
	return Limits{Listed: 256, Faces: 400, Unrolled: 400, Sequence: 400, Rolls: 490}
}

// An expander evaluates a graph partially into another one. It serves for one round: the next one begins with a new
// expander and the same settings, because a pool that is given up or regrouped changes all that was made of it.
//
// Numbers of nodes are of two graphs here, both plan.ID. Fields say "of from" or "of out"; a run, a bag and an operand hold
// those of out alone. To read an operand of a node of from, go through node or values.
//
// The settings, keyed by from's rolls and loops, live through all rounds.
type expander struct {
	*emitter      // of the new graph
	from          *boundedGraph
	settings      map[plan.ID]*poolSettings
	limits        Limits
	narrow        bool                // something stayed as it was that wide limits take
	params        map[int32][]operand // of the loops that are evaluated, by their blocks
	values        map[plan.ID]operand // of from's nodes
	pools         []*Pool
	draws         []Draw
	loneDice      map[plan.ID]int64        // of out's rolls: the faces of plain dice that only one list reads
	loops         map[plan.ID]plan.ID      // of from's loops, their copies
	walks         map[plan.ID]bagWalk      // of from's iterations, the run at which a loop over a bag is
	at            plan.ID                  // of from, the node that is evaluated
	roots         []*plan.Value            // what stands for the values that are asked for
	counted       map[plan.ID]*CountedList // of roots, the lists that are never made, by their nodes
	nested        map[plan.ID]*bag         // of the slots of elements, the lists that they stand for
	openedReaders int                      // readers of lists that dice decide, which need no list any more
	reader        plan.ID                  // counts the readers of bags, as marks between the keys of faces
	sequences     [][]plan.ID              // of out, the dice of each list that is rolled die by die
	decks         []*deck                  // of cards that are drawn one by one
	gaveUp        bool                     // a list is no sequence any more
	hasFailed     bool                     // a list is needed that cannot be made, or there are too many nodes
}

// An operand is what stands for a node of the graph that is expanded. It may be both a node and a bag: a range of constants
// is copied, for readers that want the list, and known element by element for those that do not. A pool's list has no node.
type operand struct {
	id          plan.ID   // None when only the bag stands for it
	bag         *bag      // of a list whose elements are known
	loopResults []operand // of a loop that was evaluated: its results
}

func newExpander(from *boundedGraph, settings map[plan.ID]*poolSettings, limits Limits) *expander {
	return &expander{
		emitter: newEmitter(from.Graph), from: from, settings: settings, limits: limits,
		params: map[int32][]operand{}, values: map[plan.ID]operand{}, loops: map[plan.ID]plan.ID{},
		walks:    map[plan.ID]bagWalk{},
		loneDice: map[plan.ID]int64{},
		counted:  map[plan.ID]*CountedList{},
		nested:   map[plan.ID]*bag{},
	}
}

// fitsLimit reports whether a number is within a limit, and notes when it is only within the wide one.
func (x *expander) fitsLimit(n, limit, wide int64) bool {
	x.narrow = x.narrow || limit < n && n <= wide
	return n <= limit
}

// fail ends the expansion without a result.
func (x *expander) fail() { x.hasFailed = true }

// refusePools gives a pool up: something reads its faces in a way that counts cannot tell.
func (x *expander) refusePools(pools []*Pool) {
	for _, p := range pools {
		s := x.settingsOf(p.roll)
		s.isRefused, s.sequence = true, x.mayBeSequence(p)
	}
	x.fail()
}

func (x *expander) settingsOf(roll plan.ID) *poolSettings {
	s := x.settings[roll]
	if s == nil {
		s = &poolSettings{}
		x.settings[roll] = s
	}
	return s
}

// A bag is a list whose elements an expansion knows: runs of equal elements, each with a count that may be a node. 3d4 is
// the bag K₁×1, K₂×2, K₃×3, K₄×4; d.filter(it > 2) is K₃×3, K₄×4; the list [7, 7, 9] is 1×7, 1×7, 1×9. A count may be 0, so
// the i-th run is the i-th element only where isSingle says so.
//
// Bags are values: operations copy them, and runs are appended with the capacity cut off, because a choice between two
// lists keeps both. What an unordered bag lacks is only the order; its elements and counts are complete.
//
// The stride is the slots of an element: 1 of a list of numbers, more of records. The size, where it is not None, is a
// shorter formula than the sum of the counts (sizeOf), as the number of dice that a pool began with. Where the room is
// None, the most that all runs may have is enough. Pools are kept so that they can be refused when a reader needs the list.
type bag struct {
	runs      []run
	stride    int
	isOrdered bool    // the runs stand in the order of the list; faces of a pool do not before they are sorted
	size      plan.ID // None until it is asked for
	room      plan.ID // how many elements may be pushed to it
	pools     []*Pool // of whose faces it is made
	isKept    bool    // it is the highest or the lowest of a pool's dice
	isPart    bool    // it is the elements of another one at some places
	// Of all dice of a list that are rolled one by one, the settings of its roll; nil of any other bag.
	sequence *poolSettings
}

// A run is equal elements of a bag. Its slots are constants for a face, and any nodes for what a loop has pushed.
type run struct {
	slots    []plan.ID
	count    plan.ID
	maxCount int64   // count is at most so many
	at       meeting // runs are met in this order when the order of the list does not matter
	// Of a run of an ordered list, how many elements stand before its end and before its beginning; None when that must
	// be added up.
	upper, lower plan.ID
	face         *face // of a pool, that the run shows; nil when it is no single one
}

// A meeting says when a draw is met: how many pools it stands behind, itself included, and its class in the order of its
// pool. What no draw decides has the zero meeting.
type meeting struct{ round, rank int }

func (m meeting) compare(n meeting) int {
	return cmp.Or(cmp.Compare(m.round, n.round), cmp.Compare(m.rank, n.rank))
}

// A walk is a loop that walks a bag, at one of its runs: what the loop's body reads as the element of its iteration.
type bagWalk struct {
	list plan.ID // of from
	run  *run
}
