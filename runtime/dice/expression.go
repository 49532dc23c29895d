package dice

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Expression is a sum of dice and constants: "4d6kh3 + 2", "8d6>=6", "d10!>=9 - 1". The modifiers of a group stand in
// this order, each at most once:
//
//	r1 r<=2      roll such faces again, until others fall; ro1 rolls them again once
//	! !>=9       a face that shows the most, or is of the kind said, is rolled on and added; !5 is !=5
//	kh3 kl1 k3   keep so many of the highest, of the lowest; k is kh. dh1 and dl1 leave them out instead
//	>=6 >5 <=2   count the dice that are of the kind said, instead of adding them
//
// A comparison behind "!" says what explodes: "d10!>=9" explodes on 9 and 10, "8d6!=6>=5" on 6 and counts from 5 on.
type Expression struct{ Terms []Term }

// A Term is a group of dice, or a constant when Count is 0.
type Term struct {
	Offset   int   // of its first character, in code points
	Sign     int64 // 1 or -1
	Number   int64 // of a constant
	Count    int
	Faces    int
	Again    *Condition // faces that are rolled again
	Once     bool       // ... but only once
	Explode  *Condition // faces that are rolled on
	Keep     int        // how many dice count; Count when all do
	Lowest   bool       // ... the lowest, not the highest
	Success  *Condition // dice that are counted; nil when they are added
	Ordinary bool       // no modifier was written
}

// A Condition compares a face, or a die's total, with a number.
type Condition struct {
	Op string // "=", "<", "<=", ">", ">="
	N  int64
}

// Holds reports whether a number is of the kind said.
func (c *Condition) Holds(n int64) bool {
	order := cmp.Compare(n, c.N)
	switch c.Op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	}
	return order == 0
}

// ParseExpression reads a sum of dice and constants. Its errors are *SyntaxError.
func ParseExpression(s string) (*Expression, error) {
	p := parser{text: []rune(s)}
	out := &Expression{}
	for sign := p.sign(); ; {
		t, err := p.modified(sign)
		if err != nil {
			return nil, err
		}
		out.Terms = append(out.Terms, t)
		if p.end() {
			return out, nil
		}
		if sign, err = p.operator(); err != nil {
			return nil, err
		}
	}
}

// modified reads a term with its modifiers.
func (p *parser) modified(sign int64) (Term, error) {
	p.blanks()
	out := Term{Offset: p.at, Sign: sign, Ordinary: true}
	t, err := p.term()
	if err != nil || !t.dice {
		out.Number = t.number
		return out, err
	}
	out.Count, out.Faces, out.Keep = t.group.Count, t.group.Faces, t.group.Count
	start := p.at
	for _, read := range []func(*Term) error{p.again, p.explode, p.keep, p.success} {
		if err := read(&out); err != nil {
			return out, err
		}
	}
	out.Ordinary = p.at == start
	return out, out.judge(p, start)
}

// again reads "r1", "ro<=2".
func (p *parser) again(t *Term) (err error) {
	if !p.is("r") {
		return nil
	}
	t.Once = p.is("o")
	t.Again, err = p.condition(true, "=")
	return err
}

// explode reads "!", "!>=9", "!5".
func (p *parser) explode(t *Term) (err error) {
	if !p.is("!") {
		return nil
	}
	if t.Explode, err = p.condition(false, "="); t.Explode == nil {
		t.Explode = &Condition{"=", int64(t.Faces)}
	}
	return err
}

// keep reads "kh3", "kl1", "k3", "dh1", "dl1".
func (p *parser) keep(t *Term) error {
	start := p.at
	drop := p.is("d")
	if !drop && !p.is("k") {
		return nil
	}
	low := p.is("l")
	if !low && !p.is("h") && drop {
		return p.wrong(p.at, "h or l is expected after d, found %s", p.found())
	}
	n, written, err := p.number(MaxNumber)
	switch {
	case err != nil:
		return err
	case !written:
		return p.wrong(p.at, "the number of dice is expected, found %s", p.found())
	case n > int64(t.Count):
		return p.wrong(start, "%d dice of %d", n, t.Count)
	case !drop && n == 0:
		return p.wrong(start, "at least one die must be kept")
	}
	t.Keep, t.Lowest = int(n), low
	if drop {
		t.Keep, t.Lowest = t.Count-int(n), !low
	}
	return nil
}

// success reads ">=6".
func (p *parser) success(t *Term) (err error) {
	t.Success, err = p.condition(false, "")
	return err
}

// condition reads a comparison. Without an operator it is bare, unless that is "".
func (p *parser) condition(needed bool, bare string) (*Condition, error) {
	start := p.at
	op := bare
	for _, o := range []string{"<=", ">=", "<", ">", "="} {
		if strings.HasPrefix(string(p.text[p.at:]), o) {
			op = o
			p.at += len(o)
			break
		}
	}
	if op == "" {
		return nil, nil
	}
	n, written, err := p.number(MaxNumber)
	switch {
	case err != nil:
		return nil, err
	case !written && (needed || p.at > start):
		return nil, p.wrong(p.at, "a number is expected, found %s", p.found())
	case !written:
		return nil, nil
	}
	return &Condition{op, n}, nil
}

// judge refuses dice that would never stop.
func (t *Term) judge(p *parser, at int) error {
	switch {
	case t.Again != nil && !t.Once && t.all(t.Again):
		return p.wrong(at, "every face is rolled again, so the roll never ends")
	case t.Explode != nil && t.all(t.Explode):
		return p.wrong(at, "every face explodes, so the roll never ends")
	case t.Again != nil && t.Explode != nil && !t.Once && !t.some(func(f int64) bool { return !t.Again.Holds(f) && !t.Explode.Holds(f) }):
		return p.wrong(at, "every face is rolled again or explodes, so the roll never ends")
	}
	return nil
}

func (t *Term) all(c *Condition) bool {
	return !t.some(func(face int64) bool { return !c.Holds(face) })
}

// some reports whether one of the faces is such. What conditions say changes at their number only, so a few faces tell.
func (t *Term) some(is func(int64) bool) bool {
	ask := []int64{1, int64(t.Faces)}
	for _, c := range []*Condition{t.Again, t.Explode} {
		if c != nil {
			ask = append(ask, c.N-1, c.N, c.N+1)
		}
	}
	return slices.ContainsFunc(ask, func(face int64) bool { return 1 <= face && face <= int64(t.Faces) && is(face) })
}

// A Result is what a term showed.
type Result struct {
	Term  *Term
	Faces []int64 // all that fell, in order, those that were rolled again or on among them
	Dice  []int64 // each die's total
	Kept  []bool  // of each die, whether it counts
	Value int64   // what the term adds to the sum, with its sign
}

// Roll rolls an expression. Its errors are those of the source, and a *SyntaxError of a die that explodes without end.
func (e *Expression) Roll(from Source) (total int64, results []Result, err error) {
	for i := range e.Terms {
		r := Result{Term: &e.Terms[i]}
		if err := r.roll(from); err != nil {
			return 0, nil, err
		}
		total += r.Value
		results = append(results, r)
	}
	return total, results, from.Rest()
}

func (r *Result) roll(from Source) error {
	t := r.Term
	if t.Count == 0 {
		r.Value = t.Sign * t.Number
		return nil
	}
	for range t.Count {
		n, err := r.die(from)
		if err != nil {
			return err
		}
		r.Dice = append(r.Dice, n)
	}
	r.keep()
	for i, n := range r.Dice {
		if r.Kept[i] {
			r.Value += t.Sign * t.worth(n)
		}
	}
	return nil
}

// worth is what a die that counts adds.
func (t *Term) worth(n int64) int64 {
	switch {
	case t.Success == nil:
		return n
	case t.Success.Holds(n):
		return 1
	}
	return 0
}

// die rolls one die, again and on.
func (r *Result) die(from Source) (total int64, err error) {
	t := r.Term
	d := Draw{Die: &plan.Die{ID: "roll"}, Faces: int64(t.Faces)}
	again := t.Again != nil
	for range plan.MaxChain {
		face, err := from.Face(&d)
		if err != nil {
			return 0, err
		}
		r.Faces = append(r.Faces, face)
		if again && t.Again.Holds(face) {
			again = !t.Once
			continue
		}
		total += face
		if again = t.Again != nil; t.Explode == nil || !t.Explode.Holds(face) {
			return total, nil
		}
	}
	return 0, &SyntaxError{Offset: t.Offset, Msg: "a die was rolled on without end"}
}

// keep marks the dice that count; of equal ones the first.
func (r *Result) keep() {
	order := make([]int, len(r.Dice))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if r.Term.Lowest {
			a, b = b, a
		}
		return cmp.Compare(r.Dice[b], r.Dice[a])
	})
	r.Kept = make([]bool, len(r.Dice))
	for _, i := range order[:r.Term.Keep] {
		r.Kept[i] = true
	}
}
