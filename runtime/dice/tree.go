package dice

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Notation is dice as people type them at the command line: "4d6kh3", "max(2d6, 1d12)", "1d20+5 >= 15", "6x 4d6kh3". It
// is wider than an Expression, which is what a ruleset may write. What both can write means the same in both, but for
// explosions of which some dice are kept or counted: those are dice of their own here, and one die there (see Note).
type Notation struct {
	Root   Node
	Repeat int // "6x": how many results there are, listed from the lowest up; 0 when it was not written
	Notes  []Note
}

// A Note says that other programs, or rulesets, take a part of a text otherwise. It is told whenever such a text is met.
type Note struct {
	Offset int // in code points
	Msg    string
}

// A Node is a part of a notation: a Number, a Pool, a Set or a Call.
type Node interface{ offset() int }

// A Number is a constant. It may be a fraction: 2.56.
type Number struct {
	Offset int
	Value  *big.Rat
}

// A Pool is a group of equal dice with its modifiers. They are carried out in this order, however they are written: again,
// explode, raise and lower, select, score.
type Pool struct {
	Offset   int
	Text     string // as it was written
	Label    string // "fire" of 3d6[fire]
	Count    int
	Counted  Node // rolls the number of dice, and Count is nothing; nil when it is known
	Listed   bool // the count was written
	Faces    Sides
	Again    Tests // rolled again until others fall
	Once     Tests // rolled again once
	Unique   Uniqueness
	Explode  *Explosion // nil: nothing explodes
	Raise    *int64     // "mi2": a die that shows less counts as this
	Lower    *int64     // "ma5": a die that shows more counts as this
	Select   []Selection
	Score    *Score // nil: the dice are added
	Ordinary bool   // no modifier was written
}

// Sides are the faces of a die, with what each shows.
type Sides struct {
	Count  int     // how many faces there are
	Values []int64 // of each; nil: 1 to Count
	Digits int     // the die is so many dice of Count faces, read as digits; 0 for one die
	Sized  Node    // rolls how many faces all dice of the pool have, and Count is nothing; nil when it is known
	Kinds  []Kind  // a die of the pool falls as one of these, and Values are their numbers, from 1; nil for faces
}

// A Kind is something that a die may be by chance: "d{d4:1, d6:3}" is a d4, or three times as often a d6.
type Kind struct {
	Node   Node
	Weight int64
}

// IsPlain reports whether a die has as many faces as Count says, which show their numbers.
func (f *Sides) IsPlain() bool { return f.Values == nil && f.Digits == 0 && f.Sized == nil }

// Uniqueness says whether dice of a pool that show the same are rolled again.
type Uniqueness int

// What is done with a die that shows what another one of its pool shows already.
const (
	AnyFaces Uniqueness = iota // nothing
	AllApart                   // "u": it is rolled again until it differs
)

// A Test is a comparison with a number: ">=5".
type Test struct {
	Op Operation
	N  int64
}

// Tests hold for a number when one of them does.
type Tests []Test

func (t Test) holds(v int64) bool { return comparisonHolds(t.Op, cmp.Compare(v, t.N)) }

// Holds reports whether one of the tests holds for a number.
func (t Tests) Holds(v int64) bool {
	return slices.ContainsFunc(t, func(x Test) bool { return x.holds(v) })
}

// holdsRat reports whether one of the tests holds for a number that may be a fraction.
func (t Tests) holdsRat(v *big.Rat) bool {
	return slices.ContainsFunc(t, func(x Test) bool { return comparisonHolds(x.Op, v.Cmp(new(big.Rat).SetInt64(x.N))) })
}

// An Explosion is what happens to a die that shows one of some faces: another die is rolled.
type Explosion struct {
	On        Tests
	Compound  bool // "!!": all is added to one die; else each is a die of its own
	Penetrate bool // "!p": each further die counts 1 less
	OneForAll bool // "ra6": when some die of the pool shows it one further die is rolled, whose face is not looked at
	Limit     int  // how often a die explodes at most; 0: without end
}

// A Selection takes some dice of a pool or some results of a set, in the order of what they show.
type Selection struct {
	Text   string
	Keep   bool // keep N, else drop N
	Lowest bool // from the lowest, else from the highest
	Middle bool // keep the N in the middle
	N      int
	Only   *Test // those that compare so, and N is nothing; nil otherwise
}

// A Score is how much a die counts by what it shows, instead of what it shows.
// In "7d10>=7t10f1" a 7 counts 1, a 10 counts 2 and a 1 counts -1.
type Score struct{ Success, Twice, Failure Tests }

// Of returns the score of a die of value n.
func (s *Score) Of(n int64) (worth int64) {
	if s.Success.Holds(n) {
		worth++
	}
	if s.Twice.Holds(n) {
		worth = 2
	}
	if s.Failure.Holds(n) {
		worth--
	}
	return worth
}

// A Set is several results of which some are kept: "{d8!, d6!}kh1". A merged one is the dice of one sum: "{4d6+3d8}k4".
type Set struct {
	Offset int
	Text   string
	Items  []Node
	Merged bool // each item is a Pool, whose single dice are the items
	Select []Selection
	Score  *Score
}

// An Operation is what a Call does.
type Operation int

// The operations.
const (
	Add Operation = iota
	Subtract
	Multiply
	Divide      // gives fractions
	DivideFloor // "//", rounds down
	Remainder
	Power
	Negate
	Floor
	Ceil
	Round // half up
	Abs
	Min
	Max
	Less
	LessOrEqual
	Greater
	GreaterOrEqual
	Equal
	Differs
)

// IsComparison reports whether an operation gives true or false.
func (o Operation) IsComparison() bool { return o >= Less }

// A Call is an operation on its arguments.
type Call struct {
	Offset int
	Op     Operation
	Args   []Node
}

func (n *Number) offset() int { return n.Offset }
func (n *Pool) offset() int   { return n.Offset }
func (n *Set) offset() int    { return n.Offset }
func (n *Call) offset() int   { return n.Offset }

// Value returns the number on the i-th face, from 0.
func (f *Sides) Value(i int) int64 {
	if f.Values == nil {
		return int64(i) + 1
	}
	return f.Values[i]
}

// Name returns a pool without its modifiers: "4d6", or as it was written when its faces are not plain.
func (p *Pool) Name() string {
	if p.Counted != nil || !p.Faces.IsPlain() {
		return p.Text
	}
	return fmt.Sprintf("%dd%d", p.Count, p.Faces.Count)
}

// Each gives every value that a die can show, with its weight; the weights are whole numbers.
// d66 (Digits 2) gives 11 to 66, 36 values: all combinations of its digits in order.
func (f *Sides) Each(give func(value int64, weight int64)) {
	if f.Digits == 0 {
		for i := range f.Count {
			give(f.Value(i), 1)
		}
		return
	}
	values := []int64{0}
	for range f.Digits {
		var next []int64
		for _, v := range values {
			for i := range f.Count {
				next = append(next, v*10+f.Value(i))
			}
		}
		values = next
	}
	for _, v := range values {
		give(v, 1)
	}
}

// Span returns the range of the dice that selections keep of n sorted ones: those from lo on, below hi, counted from the
// lowest. Dice that are selected by their values are not left out here. Every selection by order leaves an interval of the
// sorted dice, and so does each further one: 4d6dl1dh1 is 1 to 3. So odds can count multisets and not single dice.
func Span(list []Selection, n int) (lo, hi int) {
	hi = n
	for _, s := range list {
		left := hi - lo
		k := min(s.N, left)
		switch {
		case s.Only != nil:
		case s.Middle:
			lo += (left - k) / 2
			hi = lo + k
		case s.Keep && s.Lowest:
			hi = lo + k
		case s.Keep:
			lo = hi - k
		case s.Lowest:
			lo += k
		default:
			hi -= k
		}
	}
	return lo, hi
}

// Pools returns all pools of a notation, in the order in which they are rolled.
func (n *Notation) Pools() (out []*Pool) {
	walkNodes(n.Root, func(x Node) {
		if p, ok := x.(*Pool); ok {
			out = append(out, p)
		}
	})
	return out
}

// IsMerged reports whether the dice of a pool are kept together with those of others: "{4d6+3d8}k4".
func (n *Notation) IsMerged(p *Pool) (merged bool) {
	walkNodes(n.Root, func(x Node) {
		if s, ok := x.(*Set); ok && s.Merged {
			merged = merged || slices.Contains(s.Items, Node(p))
		}
	})
	return merged
}

// walkNodes visits the nodes below a node, and the node after them.
func walkNodes(n Node, visit func(Node)) {
	switch x := n.(type) {
	case *Pool:
		if x.Counted != nil {
			walkNodes(x.Counted, visit)
		}
		if x.Faces.Sized != nil {
			walkNodes(x.Faces.Sized, visit)
		}
		for _, k := range x.Faces.Kinds {
			walkNodes(k.Node, visit)
		}
	case *Set:
		for _, item := range x.Items {
			walkNodes(item, visit)
		}
	case *Call:
		for _, a := range x.Args {
			walkNodes(a, visit)
		}
	}
	visit(n)
}

// IsTruth reports whether a notation comes to true or false.
func (n *Notation) IsTruth() bool {
	c, ok := n.Root.(*Call)
	return ok && c.Op.IsComparison()
}

// Expression returns a notation as the sum of dice and constants that a ruleset writes; nil when it is more than that, or
// means something else there.
func (n *Notation) Expression() *Expression {
	out := &Expression{}
	if n.Repeat > 1 || !out.addTerms(n.Root, 1) {
		return nil
	}
	return out
}

// addTerms adds the terms of a part; it reports whether it is a sum of them.
func (e *Expression) addTerms(n Node, sign int64) bool {
	switch x := n.(type) {
	case *Number:
		if !x.Value.IsInt() {
			return false
		}
		e.Terms = append(e.Terms, Term{Offset: x.Offset, Sign: sign, Number: x.Value.Num().Int64()})
		return true
	case *Pool:
		t, ok := x.asTerm(sign)
		e.Terms = append(e.Terms, t)
		return ok
	case *Call:
		switch x.Op {
		case Negate:
			return e.addTerms(x.Args[0], -sign)
		case Add:
			return e.addTerms(x.Args[0], sign) && e.addTerms(x.Args[1], sign)
		case Subtract:
			return e.addTerms(x.Args[0], sign) && e.addTerms(x.Args[1], -sign)
		}
	}
	return false
}

// asTerm returns a pool as a group of dice in a sum; not ok when it cannot be written so there. A false answer is always
// right: the odds of the tree are then computed another way. A true one must mean the same, which
// TestRulesetsAndCommandsAgree holds.
func (p *Pool) asTerm(sign int64) (t Term, ok bool) {
	t = Term{Offset: p.Offset, Sign: sign, Count: p.Count, Listed: p.Listed, Faces: p.Faces.Count, Keep: p.Count}
	t.Die.ID, t.Ordinary = "roll", p.Ordinary
	again := append(slices.Clone(p.Again), p.Once...)
	lo, hi := Span(p.Select, p.Count)
	switch {
	case p.Counted != nil, p.Count == 0, !p.Faces.IsPlain(), p.Unique != AnyFaces, p.Lower != nil, len(again) > 1,
		lo > 0 && hi < p.Count:
		return t, false
	case p.Score != nil && (len(p.Score.Success) != 1 || len(p.Score.Twice)+len(p.Score.Failure) > 0):
		return t, false
	case p.Raise != nil && (*p.Raise < 1 || *p.Raise > int64(p.Faces.Count)):
		return t, false
	}
	for _, s := range p.Select {
		if s.Only != nil {
			return t, false
		}
	}
	ok = true
	band := func(list Tests) (b plan.Band) {
		if len(list) == 1 {
			ok = ok && list[0].Op != Differs
			b = BandOf(signs[list[0].Op], list[0].N)
		}
		return b
	}
	t.Keep, t.Lowest = hi-lo, hi < p.Count
	t.Die.Again, t.Die.Once = band(again), len(p.Once) > 0
	if e := p.Explode; e != nil {
		shown := len(p.Select) > 0 || p.Score != nil || p.Raise != nil
		if e.Penetrate || e.OneForAll || e.Limit > 0 || shown && !e.Compound {
			return t, false
		}
		t.Die.Explode = band(e.On)
	}
	if p.Raise != nil {
		t.Least = *p.Raise
	}
	if p.Score != nil {
		success := band(p.Score.Success)
		t.Success = &success
	}
	return t, ok
}

// signs are the comparisons as an Expression writes them.
var signs = map[Operation]string{Less: "<", LessOrEqual: "<=", Greater: ">", GreaterOrEqual: ">=", Equal: "="}
