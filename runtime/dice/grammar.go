package dice

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"
)

// The grammar of a notation, in the order of binding:
//
//	notation   [number ("x" | "#")] comparison [adv | dis] ["#" comment]
//	comparison sum [("<" | "<=" | ">" | ">=" | "=" | "!=") sum]
//	sum        product {("+" | "-") product}
//	product    power {("*" | "/" | "//" | "%") power}
//	power      unary ["^" power]
//	unary      {"+" | "-"} primary
//	primary    number | pool | function "(" list ")" | "(" comparison ")" | set, and a label in brackets behind it
//	pool       [number | "(" sum ")"] "d" faces {modifier}
//	faces      number | "%" | "F" | "C" | "(" sum ")" | "{" face {"," face} "}"
//	face       (number [".." number] | sum) [":" number]
//	set        ("{" list "}" | "(" two or more of them ")") {modifier}
//
// A comparison that is written against a pool counts its dice, "8d6>=5"; set off by a blank, or with dice on its right,
// it compares the total, "3d6 >= 10", "3d6>2d8".

// A grammar reads a notation from left to right.
//
// It is a recursive descent: each rule above is a function, and what binds tighter is called by
// what binds looser. depth counts functions within each other, so that a text of a million
// parentheses is refused and does not exhaust the stack. Tokens are not separated first, because
// blanks matter: "3d6>=10" counts dice, "3d6 >= 10" compares.
type grammar struct {
	parser
	notes []Note
	depth int
	pools int
	luck  span // of the last "adv" or "dis" that stands apart behind a die
}

// A span is part of the text.
type span struct{ from, to int }

// maxDepth bounds how many signs and parentheses may stand within each other.
const maxDepth = 40

// ParseNotation returns the notation of a text as people type it. Its errors are *SyntaxError, and name the notation to
// write instead of another program's word or form.
func ParseNotation(text string) (*Notation, error) {
	n, err := parseOwn(text)
	if err == nil {
		return n, nil
	}
	if advice := adviseForm(text); advice != "" {
		return nil, &SyntaxError{Msg: advice}
	}
	return nil, err
}

// parseOwn is ParseNotation without the advice for forms of other programs.
func parseOwn(text string) (*Notation, error) {
	g := grammar{parser: parser{text: []rune(text)}, depth: -1} // the whole is a sum, and no parenthesis
	if len(g.text) > MaxLength {
		return nil, g.errorAt(MaxLength, "the notation is longer than %d characters", MaxLength)
	}
	out := &Notation{}
	var err error
	if out.Repeat, err = g.readRepeat(); err != nil {
		return nil, err
	}
	if out.Root, err = g.comparisonOf(); err != nil {
		return nil, err
	}
	if err := g.applyLuck(out.Root); err != nil {
		return nil, err
	}
	g.skipComment()
	if !g.reachesEnd() {
		return nil, g.refuseRest()
	}
	if err := judgeExtent(out); err != nil {
		return nil, err
	}
	g.noteTree(out)
	slices.SortStableFunc(g.notes, func(a, b Note) int { return a.Offset - b.Offset })
	out.Notes = g.notes
	return out, nil
}

// addNote tells of a part that other programs read otherwise, once for each thing that there is to tell.
func (g *grammar) addNote(at int, format string, args ...any) {
	n := Note{at, fmt.Sprintf(format, args...)}
	if !slices.ContainsFunc(g.notes, func(x Note) bool { return x.Msg == n.Msg }) {
		g.notes = append(g.notes, n)
	}
}

// standsNext reports whether some text stands next, whatever its case. Blanks in front of it are not skipped.
func (g *grammar) standsNext(word string) bool {
	n := 0
	for _, r := range word {
		if g.at+n >= len(g.text) || unicode.ToLower(g.text[g.at+n]) != r {
			return false
		}
		n++
	}
	return true
}

// takeText consumes some text, when it stands next.
func (g *grammar) takeText(word string) bool {
	if g.standsNext(word) {
		g.at += len([]rune(word))
		return true
	}
	return false
}

// takeAny consumes one of several spellings, when one stands next behind blanks.
func (g *grammar) takeAny(words ...string) bool {
	g.skipBlanks()
	return slices.ContainsFunc(words, g.takeText)
}

// runeAhead returns the rune so many places on, in lower case; 0 behind the end.
func (g *grammar) runeAhead(skip int) rune {
	if g.at+skip >= len(g.text) {
		return 0
	}
	return unicode.ToLower(g.text[g.at+skip])
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// readRepeat reads "6x" in front of all, or the "6#" of Troll and of chat programs. A "#" behind a blank, or before one,
// begins a comment.
func (g *grammar) readRepeat() (int, error) {
	g.skipBlanks()
	start := g.at
	n, written, err := g.readNumber(MaxNumber)
	hash := g.runeAhead(0) == '#' && (isDigit(g.runeAhead(1)) || strings.ContainsRune("d({", g.runeAhead(1)))
	if err != nil || !written || !hash && !g.takeAny("x", "×") {
		g.at = start
		return 0, nil
	}
	if hash {
		g.at++
	}
	if n < 1 || n > MaxRepeat {
		return 0, g.errorAt(start, "%dx: a roll is repeated 1 to %d times", n, MaxRepeat)
	}
	return int(n), nil
}

// comparisonOf reads a sum that may be compared.
func (g *grammar) comparisonOf() (Node, error) {
	left, err := g.readSum()
	if err != nil {
		return nil, err
	}
	if err := g.applyLuck(left); err != nil {
		return nil, err
	}
	g.skipBlanks()
	at := g.at
	op, ok := g.readComparator()
	if !ok {
		return left, nil
	}
	right, err := g.readSum()
	if err != nil {
		return nil, err
	}
	if err := g.judgeLuck(right); err != nil {
		return nil, err
	}
	for _, side := range []Node{left, right} {
		if p, ok := side.(*Pool); ok && (p.Text == "dc" || p.Text == "df") {
			return nil, g.errorAt(p.Offset, "%s is not known here: write its number; a coin is dC, and Fudge dice "+
				"are 4dF", p.Text)
		}
	}
	if p, ok := left.(*Pool); ok && p.Score == nil && p.Count > 1 {
		if _, constant := right.(*Number); constant {
			without := "counts dice"
			if g.text[at] == '!' {
				without = "explodes"
			}
			g.addNote(at, "this compares the total; %s%s without the blank %s", p.Text,
				strings.ReplaceAll(string(g.text[at:g.at]), " ", ""), without)
		}
	}
	if p, ok := right.(*Pool); ok && p.Ordinary && p.Count > 1 {
		if n, constant := left.(*Number); constant && n.Value.IsInt() {
			g.addNote(at, "this compares the total; Troll's keeps the dice that compare so, which is %sk%s%s here", p.Text,
				signs[mirrored[op]], n.Value.RatString())
		}
	}
	return &Call{at, op, []Node{left, right}}, nil
}

// comparators are the spellings of comparisons, longer ones first.
var comparators = [...]struct {
	text string
	op   Operation
}{
	{"<=", LessOrEqual}, {">=", GreaterOrEqual}, {"==", Equal}, {"!=", Differs}, {"<>", Differs}, {"<", Less},
	{">", Greater},
	{"=", Equal}, {"≤", LessOrEqual}, {"≥", GreaterOrEqual}, {"≠", Differs},
}

// readComparator reads a comparison's sign.
func (g *grammar) readComparator() (Operation, bool) {
	for _, c := range comparators {
		if g.takeText(c.text) {
			return c.op, true
		}
	}
	return 0, false
}

func (g *grammar) readSum() (Node, error) {
	if g.depth++; g.depth > maxDepth {
		return nil, g.errorAt(g.at, "there are more than %d signs or parentheses within each other", maxDepth)
	}
	defer func() { g.depth-- }()
	left, err := g.readProduct()
	for terms := 1; err == nil; terms++ {
		g.skipBlanks()
		at, op := g.at, Add
		switch {
		case g.takeText("+"):
		case g.takeText("-"), g.takeText("−"), g.takeText("–"):
			op = Subtract
		default:
			return left, nil
		}
		if terms == MaxTerms {
			return nil, g.errorAt(at, "the sum has more than %d terms", MaxTerms)
		}
		var right Node
		if right, err = g.readProduct(); err == nil {
			left = &Call{at, op, []Node{left, right}}
		}
	}
	return nil, err
}

func (g *grammar) readProduct() (Node, error) {
	left, err := g.readPower()
	for err == nil {
		g.skipBlanks()
		at := g.at
		op, found, wrong := g.factorSign()
		switch {
		case wrong != nil:
			return nil, wrong
		case !found:
			return left, nil
		}
		var right Node
		if right, err = g.readPower(); err == nil {
			left = &Call{at, op, []Node{left, right}}
		}
	}
	return nil, err
}

// factorSign reads the sign between two factors. "//" divides before a number, dice or a parenthesis, and begins a
// comment else.
// "3d6//2" divides and "3d6 // fire" has a comment. "3d6 // 2" could be either, and is refused with
// advice.
func (g *grammar) factorSign() (op Operation, found bool, err error) {
	switch {
	case g.standsNext("//"):
		after := g.at + 2
		for after < len(g.text) && g.text[after] == ' ' {
			after++
		}
		apart := after > g.at+2 && g.at > 0 && g.text[g.at-1] == ' '
		number := after < len(g.text) && (isDigit(g.text[after]) || g.text[after] == '(')
		switch {
		case number && apart:
			return 0, false, g.errorAt(g.at,
				"// may divide or begin a comment here: write it without blanks to divide and "+
					"round down, # for a comment")
		case number || g.runeAhead(2) == 'd' && isDigit(g.runeAhead(3)):
			g.at += 2
			return DivideFloor, true, nil
		}
		return 0, false, nil
	case g.standsNext("**"), g.standsNext("^"):
		return 0, false, nil
	case g.takeAny("*", "×", "·"):
		return Multiply, true, nil
	case g.takeAny("/", "÷"):
		return Divide, true, nil
	case g.takeText("%"):
		return Remainder, true, nil
	}
	return 0, false, nil
}

func (g *grammar) readPower() (Node, error) {
	g.skipBlanks()
	start := g.at
	base, err := g.readUnary()
	if err != nil {
		return nil, err
	}
	g.skipBlanks()
	at := g.at
	if !g.takeText("**") && !g.takeText("^") {
		return base, nil
	}
	exponent, err := g.readUnary()
	if err != nil {
		return nil, err
	}
	if n, ok := Constant(exponent); !ok || !n.IsInt() || n.Sign() < 0 || n.Cmp(big.NewRat(maxExponent, 1)) > 0 {
		return nil, g.errorAt(at, "the exponent is a whole number from 0 to %d", maxExponent)
	}
	if c, ok := base.(*Call); ok && c.Op == Negate && c.Offset == start {
		g.addNote(c.Offset, "the sign is part of the base: -2^2 is 4; write -(2^2) for the negative of the power")
	}
	return &Call{at, Power, []Node{base, exponent}}, nil
}

// maxExponent bounds the exponent of a power.
const maxExponent = 9

func (g *grammar) readUnary() (Node, error) {
	g.skipBlanks()
	at := g.at
	plus := g.takeText("+")
	if !plus && !g.takeText("-") && !g.takeText("−") && !g.takeText("–") {
		return g.readPrimary()
	}
	if g.depth++; g.depth > maxDepth {
		return nil, g.errorAt(at, "there are more than %d signs or parentheses within each other", maxDepth)
	}
	defer func() { g.depth-- }()
	n, err := g.readUnary()
	if err != nil || plus {
		return n, err
	}
	return &Call{at, Negate, []Node{n}}, nil
}

// functions are the names that may stand before a parenthesis.
var functions = [...]struct {
	name     string
	op       Operation
	manyArgs bool
}{
	{"floor", Floor, false}, {"ceil", Ceil, false}, {"round", Round, false}, {"abs", Abs, false}, {"min", Min, true},
	{"max", Max, true},
}

func (g *grammar) readPrimary() (Node, error) {
	g.skipBlanks()
	start := g.at
	for _, f := range functions {
		if g.standsNext(f.name+"(") || g.standsNext(f.name+" (") {
			g.at += len(f.name)
			g.takeAny("(")
			return g.readCall(start, f.op, f.name, f.manyArgs)
		}
	}
	switch {
	case g.takeText("{"):
		return g.readSet(start, '}')
	case g.takeText("("):
		return g.readParenthesis(start)
	case g.standsNext("advantage"), g.standsNext("adv"), g.standsNext("disadvantage"), g.standsNext("dis"):
		return nil, g.errorAt(start, "%s stands behind the die: d20 adv", g.peekWord())
	case g.isDifficulty():
		return nil, g.errorAt(start, "%s is not known here: write its number; a coin is dC, and Fudge dice are 4dF",
			g.peekWord())
	case isPoolStart(g):
		return g.readPool(start, nil, 1, false)
	}
	n, written, err := g.readDecimal()
	switch {
	case err != nil:
		return nil, err
	case !written:
		return nil, g.refuseMissing(start)
	}
	blank := g.at
	g.skipBlanks()
	if !isPoolStart(g) {
		g.at = blank
		g.readLabel()
		return &Number{start, n}, nil
	}
	if !n.IsInt() || !n.Num().IsInt64() {
		return nil, g.errorAt(start, "%s dice: the count is a whole number", n.RatString())
	}
	return g.readPool(start, nil, n.Num().Int64(), true)
}

// isDifficulty reports whether a DC or DF without a number stands next: a difficulty, and no coin and no Fudge die.
func (g *grammar) isDifficulty() bool {
	return g.at < len(g.text) && g.text[g.at] == 'D' && strings.ContainsRune("cf", g.runeAhead(1)) && g.runeAhead(1) != 0 &&
		!unicode.IsLetter(g.runeAhead(2)) && g.runeAhead(2) != '.'
}

// isPoolStart reports whether a "d" with faces, or a coin, stands next.
// "d", alone or before something that is no letter, is taken for dice whose faces are missing, for
// the message of a missing number is better than that of an unknown word.
func isPoolStart(g *grammar) bool {
	if g.runeAhead(0) != 'd' {
		return false
	}
	i := 1
	for g.runeAhead(i) == ' ' {
		i++
	}
	r := g.runeAhead(i)
	return isDigit(r) || strings.ContainsRune("%f{(c", r) || r == 0 || i == 1 && !unicode.IsLetter(r)
}

// peekWord returns the word that stands next.
func (g *grammar) peekWord() string { return leadingLetters(g.text[g.at:]) }

// leadingLetters returns the letters with which a text begins.
func leadingLetters(text []rune) string {
	end := 0
	for end < len(text) && unicode.IsLetter(text[end]) {
		end++
	}
	return string(text[:end])
}

// refuseMissing returns the error of a text that stands where a die or a number is expected.
func (g *grammar) refuseMissing(at int) error {
	if word := strings.ToLower(g.peekWord()); !isForeignModifier(word) {
		if advice := foreignWord(word); advice != "" {
			return g.errorAt(at, "%s", advice)
		}
	}
	if advice := cmp.Or(habits.adviseAt(g.text, at), missing.adviseAt(g.text, at)); advice != "" {
		return g.errorAt(at, "%s", advice)
	}
	return g.errorAt(at, "a die or a number is expected, found %s", g.describeNext())
}

// refuseRest returns the error of a text behind a complete notation.
func (g *grammar) refuseRest() error {
	advice := cmp.Or(foreignWord(strings.ToLower(g.peekWord())), habits.adviseAt(g.text, g.at),
		behind.adviseAt(g.text, g.at))
	if advice != "" {
		return g.errorAt(g.at, "%s", advice)
	}
	return g.errorAt(g.at, "an operator such as + or - or the end is expected, found %q", string(g.text[g.at:]))
}

// readDecimal reads a number that may have decimals.
func (g *grammar) readDecimal() (*big.Rat, bool, error) {
	start := g.at
	n, written, err := g.readNumber(MaxNumber)
	if err != nil || !written {
		return nil, false, err
	}
	if g.runeAhead(0) != '.' || !isDigit(g.runeAhead(1)) {
		return new(big.Rat).SetInt64(n), true, nil
	}
	for g.at++; isDigit(g.runeAhead(0)); g.at++ {
	}
	if g.at-start > maxDecimal {
		return nil, true, g.errorAt(start, "the number has more than %d digits", maxDecimal)
	}
	out, _ := new(big.Rat).SetString(string(g.text[start:g.at])) // digits, a point, digits
	return out, true, nil
}

// maxDecimal bounds the length of a number with decimals.
const maxDecimal = 14

// readLabel returns the text in brackets behind a part, which means nothing to the dice.
func (g *grammar) readLabel() (out string) {
	for {
		start := g.at
		g.skipBlanks()
		if !g.takeText("[") {
			g.at = start
			return out
		}
		from := g.at
		for g.at < len(g.text) && g.text[g.at] != ']' {
			g.at++
		}
		if g.at == len(g.text) {
			g.at = start
			return out
		}
		out = strings.TrimSpace(string(g.text[from:g.at]))
		g.at++
	}
}

// skipComment skips the text behind "#" or "//".
func (g *grammar) skipComment() {
	g.skipBlanks()
	if g.standsNext("#") || g.standsNext("//") {
		g.at = len(g.text)
	}
}

// readCall reads the arguments of a function.
func (g *grammar) readCall(start int, op Operation, name string, manyArgs bool) (Node, error) {
	args, err := g.readList(')')
	if err != nil {
		return nil, err
	}
	if len(args) != 1 && !manyArgs {
		return nil, g.errorAt(start, "%s has one argument, not %d", name, len(args))
	}
	if p, ok := args[0].(*Pool); ok && manyArgs && len(args) == 1 && p.Ordinary && p.Count > 1 {
		keep := map[Operation]string{Max: "kh1 is the highest", Min: "kl1 is the lowest"}[op]
		g.addNote(start, "%s of one total is the total; %s%s of its dice", name, p.Text, keep)
	}
	g.readLabel()
	return &Call{start, op, args}, nil
}

// readList returns parts with commas between them, and consumes the sign that closes them.
func (g *grammar) readList(closing rune) (out []Node, err error) {
	for {
		n, err := g.comparisonOf()
		if err != nil {
			return nil, err
		}
		if out = append(out, n); len(out) > MaxTerms {
			return nil, g.errorAt(g.at, "the list has more than %d parts", MaxTerms)
		}
		g.skipBlanks()
		switch {
		case g.takeText(string(closing)):
			return out, nil
		case !g.takeText(","):
			return nil, g.errorAt(g.at, "a comma or %c is expected, found %s", closing, g.describeNext())
		}
	}
}

// readParenthesis returns the part behind an opening parenthesis: a part of a sum, a number of dice, or a set.
func (g *grammar) readParenthesis(start int) (Node, error) {
	items, err := g.readList(')')
	if err != nil {
		return nil, err
	}
	if len(items) > 1 {
		return g.finishSet(start, items)
	}
	blank := g.at
	if g.skipBlanks(); isPoolStart(g) {
		return g.readPool(start, items[0], 0, true)
	}
	g.at = blank
	g.readLabel()
	return items[0], nil
}

// readSet reads the parts of a set.
func (g *grammar) readSet(start int, closing rune) (Node, error) {
	items, err := g.readList(closing)
	if err != nil {
		return nil, err
	}
	return g.finishSet(start, items)
}

// finishSet reads the modifiers of a set. Of one part, the dice of its sum are kept, as on other programs; but its total is
// counted. {4d6 + 3d8}k4 keeps four of seven dice, and {4d6, 3d8}kh1 one of two totals.
func (g *grammar) finishSet(start int, items []Node) (Node, error) {
	s := &Set{Offset: start, Items: items}
	m := modifiers{grammar: g, set: true, size: len(items)}
	pools, merged := listSummands(items)
	if merged {
		m.size = 0
		for _, p := range pools {
			m.size += p.Count
		}
	}
	if err := m.readAll(); err != nil {
		return nil, err
	}
	s.Select, s.Score = m.pool.Select, m.pool.Score
	if merged && len(s.Select) > 0 {
		if s.Score != nil {
			return nil, g.errorAt(start,
				"the dice of one sum are kept or counted, not both: write 4d6kh3>=5, or several sums")
		}
		s.Merged, s.Items = true, nil
		for _, p := range pools {
			s.Items = append(s.Items, p)
		}
	}
	if len(items) == 1 && s.Score != nil {
		g.addNote(start, "this counts whether the total is so; Roll20 counts the dice of a group of one sum")
	}
	s.Text = string(g.text[start:g.at])
	g.readLabel()
	return s, nil
}

// listSummands returns the pools of a set of one sum of nothing else; not ok when it is more, or more parts.
func listSummands(items []Node) (out []*Pool, ok bool) {
	if len(items) != 1 {
		return nil, false
	}
	ok = true
	var visit func(n Node)
	visit = func(n Node) {
		switch x := n.(type) {
		case *Pool:
			plain := x.Counted == nil && len(x.Select) == 0 && x.Score == nil && x.Unique == AnyFaces
			ok = ok && plain && (x.Explode == nil || x.Explode.Compound)
			out = append(out, x)
		case *Call:
			if ok = ok && x.Op == Add; ok {
				visit(x.Args[0])
				visit(x.Args[1])
			}
		default:
			ok = false
		}
	}
	visit(items[0])
	return out, ok
}

// applyLuck reads "adv" or "dis" behind a sum, or behind all: it is that of the only die of its own.
func (g *grammar) applyLuck(root Node) error {
	if err := g.judgeLuck(root); err != nil {
		return err
	}
	g.skipBlanks()
	start := g.at
	keep, ok := g.takeLuck()
	if !ok {
		return nil
	}
	single := singleDice(root)
	if len(single) != 1 {
		return g.errorAt(start, "it must be clear which die is rolled twice: write adv or dis behind it, d20 adv + 5")
	}
	p := single[0]
	p.Count, p.Select, p.Ordinary = 2, []Selection{keep}, false
	return nil
}

// judgeLuck refuses "1d20 + 1d4 adv": it stands behind a sum of dice, of which the last one is seldom meant. Behind the
// only d20 of a sum it is clear.
func (g *grammar) judgeLuck(sum Node) error {
	g.skipBlanks()
	if g.luck.to == 0 || g.luck.to > g.at || strings.TrimSpace(string(g.text[g.luck.to:g.at])) != "" {
		return nil
	}
	word := string(g.text[g.luck.from:g.luck.to])
	single := singleDice(sum)
	isOfTwenty := func(p *Pool) bool { return p.Faces.Count == 20 }
	last := lastPool(sum)
	if len(single) == 0 || last == nil || isOfTwenty(last) && !slices.ContainsFunc(single, isOfTwenty) {
		return nil
	}
	return g.errorAt(g.luck.from, "it must be clear which die is rolled twice: write %s %s + ..., or (%s) for the last one",
		single[0].Text, word, last.Text)
}

// singleDice returns the pools of one die without a modifier.
func singleDice(root Node) (out []*Pool) {
	walkNodes(root, func(n Node) {
		if p, ok := n.(*Pool); ok && p.Count == 1 && p.Ordinary {
			out = append(out, p)
		}
	})
	return out
}

// lastPool returns the pool that stands last; nil without one.
func lastPool(root Node) (last *Pool) {
	walkNodes(root, func(n Node) {
		if p, ok := n.(*Pool); ok && (last == nil || p.Offset > last.Offset) {
			last = p
		}
	})
	return last
}

// takeLuck reads "adv" or "dis".
func (g *grammar) takeLuck() (Selection, bool) {
	switch w := strings.ToLower(g.peekWord()); w {
	case "adv", "advantage":
		g.at += len(w)
		return Selection{Text: w, Keep: true, N: 1}, true
	case "dis", "disadv", "disadvantage":
		g.at += len(w)
		return Selection{Text: w, Keep: true, Lowest: true, N: 1}, true
	}
	return Selection{}, false
}

// Constant returns the value of a part without dice.
func Constant(n Node) (*big.Rat, bool) {
	if hasDice(n) {
		return nil, false
	}
	v, err := evaluateNode(n, nil)
	return v, err == nil
}

// hasDice reports whether a part has dice in it.
func hasDice(n Node) (dice bool) {
	walkNodes(n, func(x Node) {
		switch x.(type) {
		case *Pool, *Set:
			dice = true
		}
	})
	return dice
}
