package rewrite

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Pool is a list of equal dice, or a hand of cards, that an expansion has replaced by the counts of its faces.
//
// Its head is the roll itself: the source that judges whether the dice can be rolled, and tells how many there are.
// Behind it stands a draw for each class of faces but the last, in the order in which the classes are met. A draw is
// written as the roll of one die of left+1 faces that shows 1 more than the count, so that the rewritten graph is a
// graph like any other, whose intervals can be computed. What the draw's weights are is said in eliminate/count.go.
//
// The fields roll, Die, results, stride and slot say what the list was; maxDice, Head, End, last, Classes and Counts what
// stands for it. The rest is what the readers of this round leave behind, for improveSettings: keep and flip are votes
// on the direction, shallow, keeps and deep decide whether counts are worth their cost.
type Pool struct {
	roll    plan.ID  // of from: the roll, or the loop whose results are equal dice
	Die     plan.Die // as the roll has it, before it became counts
	results bool     // it is a loop
	stride  int      // of the elements of its list, and which slot tells them apart
	slot    int
	Sizes   []int64   // of dice that are rolled one by one, how many faces each has, rising; nil of any other
	alike   [][]int64 // faces that show the same, and so begin as one class; nil when all differ
	maxDice int64     // dice, at most
	Head    plan.ID   // of the new graph
	End     plan.ID   // the first node behind the draws
	last    plan.ID   // the last draw; None when there is but one class
	Classes []Class   // in the order in which they are met
	faces   []*face   // one for each class
	keep    int       // readers that meet the classes in this order
	flip    int       // and in the reverse order
	Counts  []plan.ID // of each class, the node of how many dice show it
	readers int       // each of which carries a value from class to class
	size    plan.ID   // how many dice
	Unread  int64     // dice at the end that is met last, which nothing reads
	shallow int       // readers that a stream could serve
	keeps   bool      // one of them adds up the highest or the lowest dice
	deep    bool      // some reader cannot be served by a stream
	// The places of the sorted dice from which and up to which something is read; that it is read at places that are not
	// known beforehand.
	least, beyond int64
	anywhere      bool
}

// A Class is faces that no reader tells apart. Its first face stands for all of them as the value of its run; any would do,
// since every reader sees the same of each.
type Class []int64

// A face is what the readers have seen of a class, as nodes of the new graph.
type face struct {
	value plan.ID
	views []plan.ID
}

// poolSettings are what earlier rounds of an expansion have found out about a list.
type poolSettings struct {
	isRefused bool
	sequence  bool    // its dice are rolled one by one; it was refused as a pool
	kinds     []Class // of cards that are drawn one by one; nil before they are known
	classes   []Class // nil before faces are grouped
	isFlipped bool    // classes are met from the last to the first
}

// A Draw is the source of the count of one class.
type Draw struct {
	Pool *Pool
	Step int // which of the pool's classes
}

// groupFaces returns the classes of faces of which every reader has seen the same. They stand in the order in which
// their first faces are met, and need not be neighbours: of "is it odd" the classes of a d6 are {1,3,5} and {2,4,6}.
func (p *Pool) groupFaces() (out []Class) {
	var of []*face
	for i, c := range p.Classes {
		k := -1
		for at, f := range of {
			if slices.Equal(f.views, p.faces[i].views) && p.countWaiting(out[at][0]) == p.countWaiting(c[0]) {
				k = at
				break
			}
		}
		if k < 0 {
			out, of = append(out, slices.Clone(c)), append(of, p.faces[i])
			continue
		}
		out[k] = append(out[k], c...)
	}
	return out
}

// CountWays returns in how many ways a pool shows its classes, at most.
func (p *Pool) CountWays() float64 {
	return CountLists(float64(len(p.Classes)), float64(p.maxDice), true, false)
}

// IsEnough reports whether nothing reads the dice that are left before a class.
func (p *Pool) IsEnough(step int, left int64) bool {
	return left+p.countWaiting(p.Classes[step][0]) <= p.Unread
}

// IsFlipped reports whether the classes are met from the greatest faces down. A pool of one class is met in one step, and
// is not flipped.
func (p *Pool) IsFlipped() bool { return p.Classes[0][0] > p.Classes[len(p.Classes)-1][0] }
