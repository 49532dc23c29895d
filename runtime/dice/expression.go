package dice

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Expression is a sum of dice and constants: "4d6kh3 + 2", "8d6>=6", "d10!>=9 - 1". Help says what can be written. The
// modifiers of a group stand in the order in which they are carried out, each at most once: again, on, raised, kept,
// counted. A comparison behind "!" says what explodes: "d10!>=9" explodes on 9 and 10, "8d6!=6>=5" on 6 and counts from 5
// on.
type Expression struct{ Terms []Term }

// A Term is a group of dice, or a constant when Count is 0.
type Term struct {
	Offset   int   // of its first character, in code points
	Sign     int64 // 1 or -1
	Number   int64 // of a constant
	Count    int
	Listed   bool // the count was written
	Faces    int
	Die      plan.Die   // how each is rolled; "roll" is its id
	OneDie   bool       // "!!" says that a die and what it explodes into are one die
	Least    int64      // a die that shows less counts as this
	Keep     int        // how many dice count; Count when all do
	Lowest   bool       // ... the lowest, not the highest
	Success  *plan.Band // dice that are counted; nil when they are added
	Ordinary bool       // no modifier was written
}

// Plain returns the group of dice that an expression is when it is nothing else, nil when it is more. A plain group keeps
// its faces as they fell: "3d6" is a list of three in a rule, where "3d6 + 0" is a number.
func (e *Expression) Plain() *Term {
	if t := &e.Terms[0]; len(e.Terms) == 1 && t.Count > 0 && t.Sign > 0 && t.Ordinary {
		return t
	}
	return nil
}

// Dice reports whether dice are rolled at all.
func (e *Expression) Dice() bool {
	return slices.ContainsFunc(e.Terms, func(t Term) bool { return t.Count > 0 })
}

// Bounds returns the least and the greatest value: 5 and 15 for "2d6+3". A die explodes into plan.MaxChain faces at most.
func (e *Expression) Bounds() (least, most int64) {
	for i := range e.Terms {
		lo, hi := e.Terms[i].Bounds()
		least, most = least+lo, most+hi
	}
	return least, most
}

// Bounds returns the least and the greatest value that the term adds, with its sign. Each modifier moves both ends in the
// order in which it is carried out; the ends of all dice are then those of one, as often as dice are kept. For 4d6mi2kh3
// these are 2 and 6, and 6 and 18.
func (t *Term) Bounds() (least, most int64) {
	least, most = t.Number, t.Number
	if t.Count > 0 {
		least, most = interval.DieTotals(&t.Die, int64(t.Faces))
		if t.Die.Shows != nil {
			least, most = slices.Min(t.Die.Shows), slices.Max(t.Die.Shows)
		}
		least, most = max(least, t.Least), max(most, t.Least)
		if s := t.Success; s != nil {
			least, most = boundCounted(s, least, most)
		}
		least, most = least*int64(t.Keep), most*int64(t.Keep)
	}
	if t.Sign < 0 {
		return -most, -least
	}
	return least, most
}

// boundCounted returns the bounds of the count of a die between two totals.
func boundCounted(s *plan.Band, least, most int64) (int64, int64) {
	switch {
	case s.Lo <= least && most <= s.Hi:
		return 1, 1
	case most < s.Lo || s.Hi < least:
		return 0, 0
	}
	return 0, 1
}

// Unbounded returns the first group whose dice explode without end, nil when there is none.
func (e *Expression) Unbounded() *Term {
	for i := range e.Terms {
		if t := &e.Terms[i]; t.Success == nil && t.Keep > 0 && t.Die.Explode.Among(int64(t.Faces)) {
			return t
		}
	}
	return nil
}

// ParseExpression reads a sum of dice and constants. Its errors are *SyntaxError.
func ParseExpression(s string) (*Expression, error) {
	p := parser{text: []rune(s)}
	return p.readTerms()
}

// repeatStart is how an expression begins that is rolled several times.
var repeatStart = lazy[*regexp.Regexp]{compute: func() *regexp.Regexp { return regexp.MustCompile(`^ *([0-9]+)x +`) }}

// ParseRepeated reads an expression that may be rolled several times, as "6x 4d6kh3"; repeat is 0 when it is not.
func ParseRepeated(s string) (e *Expression, repeat int, err error) {
	p := parser{text: []rune(s)}
	if found := repeatStart.get().FindStringSubmatch(s); found != nil {
		n, err := strconv.Atoi(found[1])
		if err != nil || n < 1 || n > MaxRepeat {
			return nil, 0, p.errorAt(0, "%sx: it can be rolled 1 to %d times", found[1], MaxRepeat)
		}
		p.at, repeat = len(found[0]), n // which is ASCII
	}
	e, err = p.readTerms()
	return e, repeat, err
}

// readTerms reads all that is left.
func (p *parser) readTerms() (*Expression, error) {
	out := &Expression{}
	for sign := p.readSign(); ; {
		t, err := p.readTerm(sign)
		if err != nil {
			return nil, err
		}
		if len(out.Terms) == MaxTerms {
			return nil, p.errorAt(t.Offset, "the sum has more than %d terms", MaxTerms)
		}
		out.Terms = append(out.Terms, t)
		if p.reachesEnd() {
			return out, nil
		}
		if sign, err = p.readOperator(t.Count == 0); err != nil {
			return nil, err
		}
	}
}

// notationStart is how dice in notation begin: the count of the first group and its d, after numbers that are added.
// "2d6" and "d%" are notation, "damage" and "dice.count" formulas: a d counts only before a digit,
// %, { or an F that ends the word.
var notationStart = lazy[*regexp.Regexp]{compute: func() *regexp.Regexp {
	return regexp.MustCompile(`^[-+ 0-9]*([0-9]x +[0-9]*)?d([0-9%{]|F($|[^a-zA-Z0-9_]))`)
}}

// IsNotation reports whether a text means dice in notation, rightly written or not, where a formula may stand as well.
func IsNotation(s string) bool { return notationStart.get().MatchString(s) }

// ParseBand reads a comparison with a number, such as ">=9". A number alone is itself.
// <2 is the band up to 1, >=9 the band from 9 on: a band is an interval of face numbers, closed on
// both sides.
func ParseBand(s string) (plan.Band, error) {
	p := parser{text: []rune(s)}
	p.skipBlanks()
	b, err := p.readBand("=")
	switch {
	case err != nil:
		return plan.Band{}, err
	case b == nil:
		return plan.Band{}, p.errorAt(p.at, "a comparison with a number is expected, such as 1, <=2 or >=9, found %s",
			p.describeNext())
	case !p.reachesEnd():
		return plan.Band{}, p.errorAt(p.at, "only one comparison may stand here, found %q after it", string(p.text[p.at:]))
	}
	return *b, nil
}

// readTerm reads a constant, or a group of dice with its modifiers.
func (p *parser) readTerm(sign int64) (Term, error) {
	p.skipBlanks()
	out := Term{Offset: p.at, Sign: sign, Ordinary: true}
	n, written, err := p.readNumber(MaxNumber)
	switch {
	case err != nil:
		return out, err
	case p.takeOneOf("d"):
		err = p.readGroup(&out, n, written)
		return out, err
	case !written:
		if advice := cmp.Or(habits.adviseAt(p.text, p.at), ruled.adviseAt(p.text, p.at)); advice != "" {
			return out, p.errorAt(p.at, "%s", advice)
		}
		return out, p.errorAt(out.Offset, "a die or a number is expected, found %s%s", p.describeNext(), p.adviseTerm())
	}
	out.Number = n
	return out, nil
}

// adviseTerm says what to do about a further term that is missing, or is a name; "" of all else.
func (p *parser) adviseTerm() string {
	switch {
	case p.at == len(p.text) && len(p.text) > 0:
		return ": leave out what stands before it, or write what it adds"
	case p.at > 0 && p.at < len(p.text) && unicode.IsLetter(p.text[p.at]):
		return ": what has a name is added in a formula, and not in dice"
	}
	return ""
}

// readGroup reads the rest of a group behind the d.
func (p *parser) readGroup(t *Term, count int64, listed bool) (err error) {
	if !listed {
		count = 1
	}
	if count < 1 || count > MaxCount {
		return p.errorAt(t.Offset, "%d dice: the count must lie in 1..%d", count, MaxCount)
	}
	t.Count, t.Keep, t.Listed = int(count), int(count), listed
	t.Die.ID = "roll"
	if err = p.readDieFaces(t); err != nil {
		return err
	}
	start := p.at
	for _, read := range []func(*Term) error{p.readAgain, p.readExplosion, p.readLeast, p.readKeep, p.readSuccessBand} {
		if err := read(t); err != nil {
			return err
		}
	}
	t.Ordinary = p.at == start
	if t.Die.Shows != nil && (t.Die.Again != plan.Band{} || t.Die.Explode != plan.Band{} || t.Least > 0) {
		return p.errorAt(start, "dice whose faces are listed can be kept and counted; to roll them again or on write a "+
			"struct: {faces: [-1, 0, 1], count: 4, explode: on: \"max\"}")
	}
	if why := Endless(&t.Die, int64(t.Faces)); why != "" {
		return p.errorAt(start, "%s", why)
	}
	return nil
}

// readAgain reads "r1", "ro<=2".
func (p *parser) readAgain(t *Term) error {
	if !p.takeOneOf("r") {
		return nil
	}
	t.Die.Once = p.takeOneOf("o")
	b, err := p.readBand("=")
	switch {
	case err != nil:
		return err
	case b == nil:
		return p.errorAt(p.at, "a number is expected, found %s", p.describeNext())
	}
	t.Die.Again = *b
	return nil
}

// readExplosion reads "!", "!>=9", "!5", and the same with "!!", which says that a chain is one die.
func (p *parser) readExplosion(t *Term) error {
	if !p.takeOneOf("!") {
		return nil
	}
	t.OneDie = p.takeOneOf("!")
	b, err := p.readBand("=")
	if b == nil {
		b = &plan.Band{Lo: int64(t.Faces), Hi: int64(t.Faces)}
	}
	t.Die.Explode = *b
	return err
}

// readLeast reads "mi2".
func (p *parser) readLeast(t *Term) error {
	start := p.at
	if !p.takeOneOf("m") {
		return nil
	}
	if !p.takeOneOf("i") {
		return p.errorAt(start, "mi is expected: mi2 lets a die that shows less count as 2")
	}
	n, written, err := p.readNumber(MaxNumber)
	switch {
	case err != nil:
		return err
	case !written:
		return p.errorAt(p.at, "the least number that a die counts as is expected, found %s", p.describeNext())
	case n < 1 || n > int64(t.Faces):
		return p.errorAt(start, "a die of %d faces cannot count as at least %d: the number must lie in 1..%d", t.Faces, n,
			t.Faces)
	}
	t.Least = n
	return nil
}

// readKeep reads "kh3", "kl1", "k3", "dh1", "dl1"; one die when no number is written.
func (p *parser) readKeep(t *Term) error {
	start := p.at
	switch {
	case p.takeOneOf("k"):
		low := p.takeOneOf("l")
		if !low {
			p.takeOneOf("h") // or nothing
		}
		n, err := p.readKeptCount(start, t, "keeps")
		if err == nil && n == 0 {
			return p.errorAt(start, "at least one die must be kept: write %s1",
				strings.TrimRight(string(p.text[start:p.at]), "0"))
		}
		t.Keep, t.Lowest = n, low
		return err
	case p.takeOneOf("d"):
		low := p.takeOneOf("l")
		if !low && !p.takeOneOf("h") {
			return p.errorAt(p.at, "h or l is expected after d, found %s", p.describeNext())
		}
		n, err := p.readKeptCount(start, t, "leaves out")
		t.Keep, t.Lowest = t.Count-n, !low
		return err
	}
	return nil
}

// readKeptCount reads how many of the dice are kept or left out.
func (p *parser) readKeptCount(start int, t *Term, does string) (int, error) {
	n, written, err := p.readNumber(MaxNumber)
	if !written {
		n = 1
	}
	switch {
	case err != nil:
		return 0, err
	case written && p.takeOneOf("hl"):
		which := p.text[p.at-1]
		return 0, p.errorAt(p.at-1, "%c stands before the number: write %c%c%d", which, p.text[start], which, n)
	case n > int64(t.Count):
		return 0, p.errorAt(start, "%s %s %d dice, but there are %d%s", string(p.text[start:p.at]), does, n, t.Count,
			adviseMore(string(p.text[start:p.at]), t.Count, n))
	}
	return int(n), nil
}

// readSuccessBand reads ">=6".
func (p *parser) readSuccessBand(t *Term) (err error) {
	t.Success, err = p.readBand("")
	return err
}

// readBand reads a comparison with a number; nil when none is written. A number alone is compared by bare, unless that
// is "".
func (p *parser) readBand(bare string) (*plan.Band, error) {
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
	n, written, err := p.readNumber(MaxNumber)
	switch {
	case err != nil:
		return nil, err
	case !written && p.at > start:
		return nil, p.errorAt(p.at, "a number is expected, found %s", p.describeNext())
	case !written:
		return nil, nil
	}
	band := BandOf(op, n)
	return &band, nil
}

// BandOf returns the numbers, negative ones among them, for which a comparison with n holds: "<", "<=", ">" or ">=", else
// "=". Its ends stay within 64 bits.
func BandOf(operator string, n int64) plan.Band {
	switch operator {
	case "<":
		return plan.Band{Lo: math.MinInt64, Hi: max(n, math.MinInt64+1) - 1}
	case "<=":
		return plan.Band{Lo: math.MinInt64, Hi: n}
	case ">":
		return plan.Band{Lo: min(n, math.MaxInt64-1) + 1, Hi: math.MaxInt64}
	case ">=":
		return plan.Band{Lo: n, Hi: math.MaxInt64}
	}
	return plan.Band{Lo: n, Hi: n}
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
		if err := r.rollTerm(from); err != nil {
			return 0, nil, err
		}
		total += r.Value
		results = append(results, r)
	}
	return total, results, from.Rest()
}

func (r *Result) rollTerm(from Source) error {
	t := r.Term
	if t.Count == 0 {
		r.Value = t.Sign * t.Number
		return nil
	}
	for range t.Count {
		n, err := r.rollDie(from)
		if err != nil {
			return err
		}
		r.Dice = append(r.Dice, n)
	}
	r.markKept()
	for i, n := range r.Dice {
		if r.Kept[i] {
			r.Value += t.Sign * t.Worth(n)
		}
	}
	return nil
}

// Worth returns the contribution of a kept die to the total, without the sign.
func (t *Term) Worth(n int64) int64 {
	n = max(n, t.Least)
	switch {
	case t.Success == nil:
		return n
	case t.Success.Holds(n):
		return 1
	}
	return 0
}

// rollDie rolls one die, again and on.
func (r *Result) rollDie(from Source) (total int64, err error) {
	t := r.Term
	d := Draw{Die: &t.Die, Faces: int64(t.Faces)}
	chain := Chain{}
	for range plan.MaxChain {
		face, err := from.Face(&d)
		if err != nil {
			return 0, err
		}
		r.Faces = append(r.Faces, t.Die.Shown(face))
		if t.Die.Shows != nil {
			return t.Die.Shown(face), nil
		}
		if !chain.Take(&t.Die, face) {
			return chain.Total, nil
		}
	}
	return 0, &SyntaxError{Offset: t.Offset,
		Msg: fmt.Sprintf("a die was rolled again or on more than %d times", plan.MaxChain)}
}

// markKept marks the dice that count; of equal ones the first.
func (r *Result) markKept() {
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

// adviseMore returns how dice are written of which more are kept than are rolled; "" where dice are left out.
func adviseMore(keeps string, count int, kept int64) string {
	if !strings.HasPrefix(keeps, "k") {
		return ""
	}
	return fmt.Sprintf(": write %s%d at most, or roll %d", strings.TrimRight(keeps, "0123456789"), count, kept)
}
