package dice

import (
	"fmt"
	"math/big"
	"slices"
	"sort"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Fall is what a pool showed.
type Fall struct {
	Pool  *Pool
	Faces []int64 // what all that fell have shown, in order
	Dice  []int64 // each die's value, those that explosions added among them
	Kept  []bool  // of each die, whether it counts
	Value int64   // what the pool comes to

	size     int  // how many faces each die has
	explodes bool // some die shows a face on which the pool explodes (Explosion.OneForAll)
}

// An Outcome is one result of a notation.
type Outcome struct {
	Value *big.Rat // of a comparison, 1 or 0
	Falls []Fall
}

// Roll returns the outcomes of a notation, as many as it asks for. Its errors are those of the source, and *SyntaxError for
// a part that cannot be rolled or computed.
func (n *Notation) Roll(from Source) (out []Outcome, err error) {
	for range max(1, n.Repeat) {
		r := roller{from: from}
		v, err := evaluateNode(n.Root, &r)
		if err != nil {
			return nil, err
		}
		out = append(out, Outcome{v, r.falls})
	}
	return out, from.Rest()
}

// A roller rolls the pools of a notation.
type roller struct {
	from  Source
	falls []Fall
}

// evaluateNode returns the value of a part.
func evaluateNode(n Node, r *roller) (*big.Rat, error) {
	switch x := n.(type) {
	case *Number:
		return x.Value, nil
	case *Pool:
		return r.rollPool(x)
	case *Set:
		return r.rollSet(x)
	}
	c := n.(*Call) // the last kind of node
	args := make([]*big.Rat, len(c.Args))
	for i, a := range c.Args {
		var err error
		if args[i], err = evaluateNode(a, r); err != nil {
			return nil, err
		}
	}
	return Apply(c, args)
}

// Apply carries out an operation on numbers. Its error is a *SyntaxError.
func Apply(c *Call, args []*big.Rat) (*big.Rat, error) {
	a, out := args[0], new(big.Rat)
	switch c.Op {
	case Negate:
		return out.Neg(a), nil
	case Abs:
		return out.Abs(a), nil
	case Floor:
		return floorOf(a), nil
	case Ceil:
		return out.Neg(floorOf(out.Neg(a))), nil
	case Round:
		return floorOf(out.Add(a, big.NewRat(1, 2))), nil
	case Min, Max:
		return findExtreme(c.Op, args), nil
	}
	b := args[1]
	switch c.Op {
	case Add:
		return out.Add(a, b), nil
	case Subtract:
		return out.Sub(a, b), nil
	case Multiply:
		return out.Mul(a, b), nil
	case Power:
		return powerOfRat(a, b.Num().Int64()), nil
	case Divide, DivideFloor, Remainder:
		return divideNumbers(c, a, b)
	}
	if comparisonHolds(c.Op, a.Cmp(b)) {
		return big.NewRat(1, 1), nil
	}
	return out, nil
}

// floorOf returns the greatest whole number that is not above x.
func floorOf(x *big.Rat) *big.Rat {
	// Euclidean division by a positive number rounds down.
	q, _ := new(big.Int).DivMod(x.Num(), x.Denom(), new(big.Int))
	return new(big.Rat).SetInt(q)
}

// findExtreme returns the least or the greatest of some numbers.
func findExtreme(op Operation, args []*big.Rat) *big.Rat {
	out := args[0]
	for _, x := range args[1:] {
		if c := x.Cmp(out); op == Min && c < 0 || op == Max && c > 0 {
			out = x
		}
	}
	return out
}

func powerOfRat(a *big.Rat, n int64) *big.Rat {
	out := big.NewRat(1, 1)
	for range n {
		out.Mul(out, a)
	}
	return out
}

// divideNumbers divides two numbers in one of three ways.
// The remainder of a negative number is refused: C truncates, Python floors, and dice programs are
// written in both.
func divideNumbers(c *Call, a, b *big.Rat) (*big.Rat, error) {
	if b.Sign() == 0 {
		return nil, &SyntaxError{c.Offset, "the divisor is 0"}
	}
	q := new(big.Rat).Quo(a, b)
	switch {
	case c.Op == Divide:
		return q, nil
	case c.Op == DivideFloor:
		return floorOf(q), nil
	case a.Sign() < 0 || b.Sign() < 0:
		return nil, &SyntaxError{c.Offset,
			"programs disagree on the remainder of a negative number: add a multiple of the divisor first"}
	}
	return q.Sub(a, q.Mul(floorOf(q), b)), nil
}

// comparisonHolds reports whether a comparison holds for two numbers that compare so.
func comparisonHolds(op Operation, sign int) bool {
	switch op {
	case Less:
		return sign < 0
	case LessOrEqual:
		return sign <= 0
	case Greater:
		return sign > 0
	case GreaterOrEqual:
		return sign >= 0
	case Equal:
		return sign == 0
	}
	return sign != 0
}

// countOf returns how many dice are rolled.
func (r *roller) countOf(p *Pool) (int, error) {
	if p.Counted == nil {
		return p.Count, nil
	}
	v, err := evaluateNode(p.Counted, r)
	if err != nil {
		return 0, err
	}
	return CountOf(p, v)
}

// CountOf returns a number of dice that was rolled. Its error is a *SyntaxError.
func CountOf(p *Pool, v *big.Rat) (int, error) {
	if !v.IsInt() || v.Sign() < 0 || v.Cmp(big.NewRat(MaxCount, 1)) > 0 {
		return 0, &SyntaxError{p.Offset,
			fmt.Sprintf("%s dice: the count must be a whole number in 0..%d", v.RatString(), MaxCount)}
	}
	return int(v.Num().Int64()), nil
}

// sizeOf returns how many faces the dice of a pool have.
func (r *roller) sizeOf(p *Pool) (int, error) {
	if p.Faces.Sized == nil {
		return p.Faces.Count, nil
	}
	v, err := evaluateNode(p.Faces.Sized, r)
	if err != nil {
		return 0, err
	}
	return SizeOf(p, v)
}

// SizeOf returns a number of faces that was rolled. Its error is a *SyntaxError.
func SizeOf(p *Pool, v *big.Rat) (int, error) {
	if !v.IsInt() || v.Sign() < 1 || v.Cmp(big.NewRat(MaxFaces, 1)) > 0 {
		return 0, &SyntaxError{p.Offset,
			fmt.Sprintf("a die of %s faces: their number must be a whole number in 1..%d", v.RatString(), MaxFaces)}
	}
	return int(v.Num().Int64()), nil
}

// FaceOf returns the value of a kind of die as a face. Its error is a *SyntaxError.
func FaceOf(p *Pool, v *big.Rat) (int64, error) {
	if !v.IsInt() || !v.Num().IsInt64() {
		return 0, &SyntaxError{p.Offset,
			fmt.Sprintf("a face is a whole number, not %s: round it, with floor()", v.RatString())}
	}
	return v.Num().Int64(), nil
}

// rollPool rolls a pool, and selects and scores its dice.
func (r *roller) rollPool(p *Pool) (*big.Rat, error) {
	f, err := r.rollDice(p)
	if err != nil {
		return nil, err
	}
	f.Kept = keepDice(f.Dice, p.Select)
	for i, v := range f.Dice {
		if f.Kept[i] {
			f.Value += p.Worth(v)
		}
	}
	r.falls = append(r.falls, f)
	return new(big.Rat).SetInt64(f.Value), nil
}

// Clamp returns the value that a die of value v counts as, by mi and ma.
func (p *Pool) Clamp(v int64) int64 {
	if p.Raise != nil {
		v = max(v, *p.Raise)
	}
	if p.Lower != nil {
		v = min(v, *p.Lower)
	}
	return v
}

// Worth returns the contribution of a kept die.
func (p *Pool) Worth(v int64) int64 {
	for _, s := range p.Select {
		if s.Only != nil && !s.Only.holds(v) {
			return 0
		}
	}
	if p.Score != nil {
		return p.Score.Of(v)
	}
	return v
}

// rollDice rolls the dice of a pool.
func (r *roller) rollDice(p *Pool) (f Fall, err error) {
	f.Pool = p
	n, err := r.countOf(p)
	if err == nil {
		f.size, err = r.sizeOf(p)
	}
	if err != nil {
		return f, err
	}
	for range n {
		if err := r.rollDie(p, &f); err != nil {
			return f, err
		}
	}
	if e := p.Explode; e != nil && e.OneForAll && f.explodes {
		v, err := r.rollFace(p, &f)
		if err != nil {
			return f, err
		}
		f.Dice = append(f.Dice, p.Clamp(v))
	}
	return f, nil
}

// rollDie rolls one die with all that it explodes into.
//
// i counts the faces of the chain. With "!" each face is a die of its own, and may be kept or
// dropped by itself; with "!!" the faces add up to one. Penetrating takes 1 off each face but the
// first, after it was judged whether it explodes.
func (r *roller) rollDie(p *Pool, f *Fall) error {
	total := int64(0)
	for i := 0; ; i++ {
		v, err := r.rollFace(p, f)
		if err != nil {
			return err
		}
		e := p.Explode
		on := e != nil && e.On.Holds(v) && (e.Limit == 0 || i < e.Limit)
		if on && e.OneForAll { // the further die falls behind all others
			f.explodes, on = true, false
		}
		if e != nil && e.Penetrate && i > 0 {
			v--
		}
		switch total += v; {
		case e == nil || !e.Compound:
			f.Dice = append(f.Dice, p.Clamp(v))
		case !on:
			f.Dice = append(f.Dice, p.Clamp(total))
		}
		if !on {
			return nil
		}
		if i == plan.MaxChain {
			return &SyntaxError{p.Offset, fmt.Sprintf("a die was rolled on more than %d times", plan.MaxChain)}
		}
	}
}

// rollFace rolls a die until a face stays.
func (r *roller) rollFace(p *Pool, f *Fall) (int64, error) {
	once := false
	for range plan.MaxChain {
		v, err := r.rollOnce(p, f)
		switch {
		case err != nil:
			return 0, err
		case p.Again.Holds(v):
		case !once && p.Once.Holds(v):
			once = true
		case p.Unique == AllApart && slices.Contains(f.Dice, v):
		default:
			return v, nil
		}
	}
	return 0, &SyntaxError{p.Offset, fmt.Sprintf("a die was rolled again more than %d times", plan.MaxChain)}
}

// rollOnce rolls a die once.
func (r *roller) rollOnce(p *Pool, f *Fall) (out int64, err error) {
	for range max(1, p.Faces.Digits) {
		d := Draw{Die: &plan.Die{ID: "roll", Shows: p.Faces.Values}, Faces: int64(f.size)}
		face, err := r.from.Face(&d)
		if err != nil {
			return 0, err
		}
		shown := d.Die.Shown(face)
		f.Faces = append(f.Faces, shown)
		out = out*10 + shown
	}
	if p.Faces.Kinds == nil {
		return out, nil
	}
	v, err := evaluateNode(p.Faces.Kinds[out-1].Node, r)
	if err != nil {
		return 0, err
	}
	return FaceOf(p, v)
}

// keepDice marks the dice that selections leave; of equal ones the first are kept.
// Equal dice are ordered so that the first in the order of falling is at the end that is kept;
// keepsLow says which end that is (keep lowest, or drop highest).
func keepDice(dice []int64, list []Selection) []bool {
	out := make([]bool, len(dice))
	order := make([]int, len(dice))
	for i := range order {
		order[i] = i
	}
	keepsLow := slices.ContainsFunc(list, func(s Selection) bool { return s.Only == nil && s.Lowest == s.Keep })
	sort.SliceStable(order, func(a, b int) bool {
		x, y := order[a], order[b]
		if dice[x] != dice[y] {
			return dice[x] < dice[y]
		}
		return !keepsLow && x > y
	})
	lo, hi := Span(list, len(dice))
	for _, i := range order[lo:hi] {
		out[i] = true
		for _, s := range list {
			out[i] = out[i] && (s.Only == nil || s.Only.holds(dice[i]))
		}
	}
	return out
}

// rollSet returns the value of the parts of a set.
func (r *roller) rollSet(s *Set) (*big.Rat, error) {
	if s.Merged {
		return r.rollMerged(s)
	}
	var values []*big.Rat
	for _, item := range s.Items {
		v, err := evaluateNode(item, r)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	slices.SortFunc(values, func(a, b *big.Rat) int { return a.Cmp(b) })
	lo, hi := Span(s.Select, len(values))
	total := new(big.Rat)
	for _, v := range values[lo:hi] {
		total.Add(total, s.Worth(v))
	}
	return total, nil
}

// Worth returns the contribution of a kept result.
func (s *Set) Worth(v *big.Rat) *big.Rat {
	if s.Score == nil {
		return v
	}
	worth := int64(0)
	if s.Score.Success.holdsRat(v) {
		worth++
	}
	if s.Score.Twice.holdsRat(v) {
		worth = 2
	}
	if s.Score.Failure.holdsRat(v) {
		worth--
	}
	return new(big.Rat).SetInt64(worth)
}

// rollMerged rolls the dice of a sum, of which some are kept.
func (r *roller) rollMerged(s *Set) (*big.Rat, error) {
	var falls []Fall
	var dice []int64
	for _, item := range s.Items {
		f, err := r.rollDice(item.(*Pool)) // summands sees to that
		if err != nil {
			return nil, err
		}
		falls = append(falls, f)
		dice = append(dice, f.Dice...)
	}
	kept, total := keepDice(dice, s.Select), int64(0)
	for _, f := range falls {
		f.Kept, kept = kept[:len(f.Dice)], kept[len(f.Dice):]
		for i, v := range f.Dice {
			if f.Kept[i] {
				f.Value += v
			}
		}
		total += f.Value
		r.falls = append(r.falls, f)
	}
	return new(big.Rat).SetInt64(total), nil
}
