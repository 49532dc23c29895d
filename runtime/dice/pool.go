package dice

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// readPool reads the rest of a pool behind the number of dice. The number is a part of its own when it stood in
// parentheses.
func (g *grammar) readPool(start int, counted Node, count int64, listed bool) (Node, error) {
	p := &Pool{Offset: start, Listed: listed}
	if counted != nil {
		if n, ok := Constant(counted); ok {
			if !n.IsInt() {
				return nil, g.errorAt(start, "%s dice: the count is a whole number", n.RatString())
			}
			count, counted = math.MaxInt64, nil
			if n.Num().IsInt64() {
				count = n.Num().Int64()
			}
		}
	}
	if p.Counted = counted; counted == nil && (count < 0 || count > MaxCount) {
		return nil, g.errorAt(start, "%d dice: the count must lie in 0..%d", count, MaxCount)
	}
	if p.Counted == nil {
		p.Count = int(count)
	}
	if g.pools++; g.pools > MaxTerms {
		return nil, g.errorAt(start, "there are more than %d groups of dice", MaxTerms)
	}
	g.at++ // the d
	if err := g.readFaces(&p.Faces); err != nil {
		return nil, err
	}
	after := g.at
	m := modifiers{grammar: g, pool: *p, size: p.Count}
	err := m.readAll()
	*p = m.pool
	if err == nil {
		err = p.refuseSenseless(g, after)
	}
	if err != nil {
		return nil, err
	}
	p.Ordinary = g.at == after && p.Faces.IsPlain()
	p.Text = strings.TrimSpace(string(g.text[start:g.at]))
	p.Label = g.readLabel()
	return p, nil
}

// readFaces reads the faces behind the d.
func (g *grammar) readFaces(f *Sides) error {
	g.skipBlanks()
	start := g.at
	switch {
	case g.takeText("%"):
		g.addNote(start, "d%% shows 1 to 100; Avrae's d%% shows 0, 10 to 90")
		f.Count = 100
		return nil
	case g.takeText("f.1"):
		f.Count, f.Values = 6, []int64{-1, 0, 0, 0, 0, 1}
		return nil
	case g.takeText("f.2"), g.takeText("f"):
		f.Count, f.Values = 3, []int64{-1, 0, 1}
		return nil
	case g.takeText("c"):
		f.Count, f.Values = 2, []int64{0, 1}
		return nil
	case g.takeText("{"):
		return g.readFaceList(start, f)
	case g.takeText("("):
		return g.computeFaces(start, f)
	}
	n, written, err := g.readNumber(MaxNumber)
	switch {
	case err != nil:
		return err
	case !written:
		return g.errorAt(start, "the number of faces is expected after d, found %s%s", g.describeNext(),
			adviseFaces(g.text[start:]))
	case n == 66 || n == 666:
		f.Count, f.Digits = 6, g.at-start
		g.addNote(start, "d%d is %d six-sided dice read as digits; a die of %d faces is d{1..%d}", n, f.Digits, n, n)
		return nil
	case n == 1:
		return g.errorAt(start, "d1 always shows 1: write the number of dice in its place")
	}
	return g.setFaces(start, f, n)
}

func (g *grammar) setFaces(start int, f *Sides, n int64) error {
	if n < 2 || n > MaxFaces {
		return g.errorAt(start, "d%d: the number of faces must lie in 2..%d", n, MaxFaces)
	}
	f.Count = int(n)
	return nil
}

// computeFaces reads a number of faces in parentheses. It may be rolled.
func (g *grammar) computeFaces(start int, f *Sides) error {
	args, err := g.readList(')')
	if err != nil {
		return err
	}
	n, ok := Constant(args[0])
	switch {
	case len(args) != 1 || ok && (!n.IsInt() || !n.Num().IsInt64()):
		return g.errorAt(start, "the number of faces must be one whole number")
	case ok:
		return g.setFaces(start, f, n.Num().Int64())
	}
	g.addNote(start, "how many faces is rolled once, for all dice; AnyDice's d(d6) is a d6")
	f.Sized = args[0]
	return g.refuseLabels(start, f.Sized)
}

// refuseLabels refuses labels within dice: the part that they name need not fall.
func (g *grammar) refuseLabels(start int, n Node) (err error) {
	walkNodes(n, func(x Node) {
		if p, ok := x.(*Pool); ok && p.Label != "" {
			err = g.errorAt(start, "a label stands behind the whole die, and not within its faces")
		}
	})
	return err
}

// readFaceList reads the faces of a die that are written one by one, ranges among them. A face may be a part of its own:
// the die is then one of several kinds by chance.
func (g *grammar) readFaceList(start int, f *Sides) error {
	var kinds []Kind
	isMixed := false
	for {
		at := g.at
		lo, hi, node, err := g.readFace(start)
		if err != nil {
			return err
		}
		weight, err := g.readWeight()
		if err != nil {
			return err
		}
		if hi < lo || hi-lo >= MaxShown {
			return g.errorAt(start, "the faces %d..%d: they rise, and there are at most %d", lo, hi, MaxShown)
		}
		if int64(f.Count)+(hi-lo+1)*weight > MaxShown {
			return g.errorAt(start, "there are at most %d faces, counted by their weights", MaxShown)
		}
		isMixed = isMixed || node != nil
		for v := lo; v <= hi; v++ {
			k := Kind{node, weight}
			if node == nil {
				k.Node = &Number{at, new(big.Rat).SetInt64(v)}
			}
			kinds, f.Count = append(kinds, k), f.Count+int(weight)
			f.Values = append(f.Values, slices.Repeat([]int64{v}, int(weight))...)
		}
		if g.takeAny("}") {
			break
		}
		if !g.takeAny(",") {
			return g.errorAt(g.at, "a comma or } is expected, found %s", g.describeNext())
		}
	}
	if isMixed {
		f.Kinds, f.Values = kinds, nil
		for i, k := range kinds {
			f.Values = append(f.Values, slices.Repeat([]int64{int64(i) + 1}, int(k.Weight))...)
		}
	}
	return nil
}

// readFace reads a face of a die: a number, numbers from lo to hi, or a part with dice.
func (g *grammar) readFace(start int) (lo, hi int64, node Node, err error) {
	g.skipBlanks()
	at := g.at
	lo, missing := g.readSignedNumber()
	hi = lo
	if missing == nil && g.takeAny("..") {
		hi, err = g.readSignedNumber()
		return lo, hi, nil, err
	}
	if g.skipBlanks(); missing == nil && !strings.ContainsRune("+-*/^%d(", g.runeAhead(0)) {
		return lo, hi, nil, nil
	}
	if word := g.runeAhead(at - g.at); missing != nil && word != '(' && word != '{' && !unicode.IsLetter(word) {
		return 0, 0, nil, missing
	}
	g.at = at
	if node, err = g.readSum(); err != nil {
		return 0, 0, nil, err
	}
	if _, constant := Constant(node); constant {
		return 0, 0, nil, g.errorAt(at, "a face is a whole number, or has dice")
	}
	return 0, 0, node, g.refuseLabels(start, node)
}

// readSignedNumber reads a whole number with an optional sign.
func (g *grammar) readSignedNumber() (int64, error) {
	g.skipBlanks()
	start, sign := g.at, int64(1)
	if g.takeText("-") || g.takeText("−") {
		sign = -1
	}
	n, written, err := g.readNumber(MaxNumber)
	if err == nil && !written {
		err = g.errorAt(start, "a number is expected, found %s", g.describeNext())
	}
	return sign * n, err
}

// modifiers reads what stands behind a pool or a set.
type modifiers struct {
	*grammar
	pool  Pool
	set   bool              // only selections and scores may stand here
	size  int               // how many dice or parts are left; of a number of dice that is rolled, nothing
	steps []writtenModifier // the modifiers so far, in the order in which they are written
}

// A writtenModifier is a modifier that has been read.
type writtenModifier struct {
	at   int
	text string
	turn turn
}

// A turn is the place of a kind of modifier in the order in which modifiers are carried out.
type turn int

// The turns.
const (
	anyTurn turn = iota // the modifier changes no die, or only counts
	againTurn
	explosionTurn
	clampTurn
	selectTurn
)

// A modifierWord is the beginning of a modifier and what reads the rest of it.
type modifierWord struct {
	word string
	read func(*modifiers) error
	sets bool // it may stand behind a set
	turn turn
}

// modifierWords are tried in their order: a word stands before those that it begins with.
//
// "kh3" must not be read as k and then h3, "!!p" not as "!" twice. A word whose read is nil is
// refused elsewhere (foreignWord) and stands here so that its beginning is not taken for another
// one.
var modifierWords = lazy[[]modifierWord]{compute: func() []modifierWord {
	return []modifierWord{
		{"adv", (*modifiers).readLuck, false, selectTurn},
		{"dis", (*modifiers).readLuck, false, selectTurn},
		{"kh", readSelection(true, false, false), true, selectTurn},
		{"kl", readSelection(true, true, false), true, selectTurn},
		{"km", readSelection(true, false, true), true, selectTurn},
		{"k", readSelection(true, false, false), true, selectTurn},
		{"ph", readSelection(false, false, false), true, selectTurn},
		{"pl", readSelection(false, true, false), true, selectTurn},
		{"p", (*modifiers).readOnly, true, selectTurn},
		{"dh", readSelection(false, false, false), true, selectTurn},
		{"dl", readSelection(false, true, false), true, selectTurn},
		{"d", readSelection(false, true, false), true, selectTurn},
		{"rr", readReroll(false), false, againTurn},
		{"ro", readReroll(true), false, againTurn},
		{"ra", readExplosionOf(Explosion{OneForAll: true, Limit: 1}), false, explosionTurn},
		{"r", readReroll(false), false, againTurn},
		{"e", readExplosionOf(Explosion{}), false, explosionTurn},
		{"!!p", readExplosionOf(Explosion{Compound: true, Penetrate: true}), false, explosionTurn},
		{"!!", readExplosionOf(Explosion{Compound: true}), false, explosionTurn},
		{"!p", readExplosionOf(Explosion{Penetrate: true}), false, explosionTurn},
		{"!o", readExplosionOf(Explosion{Limit: 1}), false, explosionTurn},
		{"!", readExplosionOf(Explosion{}), false, explosionTurn},
		{"min", (*modifiers).readRaise, false, clampTurn},
		{"mi", (*modifiers).readRaise, false, clampTurn},
		{"max", (*modifiers).readLower, false, clampTurn},
		{"ma", (*modifiers).readLower, false, clampTurn},
		{"cs", (*modifiers).readCritical, false, anyTurn},
		{"cf", (*modifiers).readCritical, false, anyTurn},
		{"sa", (*modifiers).readOrder, false, anyTurn},
		{"sd", (*modifiers).readOrder, false, anyTurn},
		{"s", (*modifiers).readOrder, false, anyTurn},
		{"uo", refuseForeign("uo"), false, againTurn},
		{"u", (*modifiers).readUnique, false, againTurn},
		{"f", (*modifiers).readFailure, true, anyTurn},
		{"t", (*modifiers).readTwice, true, anyTurn},
	}
}}

// readAll reads all modifiers. Blanks may stand before a word, and not before a comparison.
//
// After a blank only a word that is a modifier by itself is read: in "2d6 kh1" it is, in "2d6 key"
// the text ends here and the word is reported as unexpected. A comparison behind a blank is one of
// the total and is left for comparisonOf.
func (m *modifiers) readAll() error {
	for {
		start := m.at
		m.skipBlanks()
		blank := m.at > start
		if word := strings.ToLower(m.peekWord()); blank && word != "" && !isModifierWord(word) && foreignWord(word) == "" {
			m.at = start
			return nil
		}
		switch done, err := m.readWord(); {
		case err != nil:
			return err
		case done:
			continue
		}
		if blank {
			m.at = start
			return nil
		}
		switch done, err := m.readSuccess(); {
		case err != nil:
			return err
		case !done:
			return nil
		}
	}
}

// isModifierWord reports whether a word by itself is the beginning of a modifier, or says that a die is rolled twice.
func isModifierWord(word string) bool {
	return strings.HasPrefix(word, "adv") || strings.HasPrefix(word, "dis") ||
		slices.ContainsFunc(modifierWords.get(), func(w modifierWord) bool { return w.word == word })
}

// readWord reads one modifier that begins with a word.
func (m *modifiers) readWord() (bool, error) {
	start := m.at
	word := strings.ToLower(m.peekWord())
	if word == "x" && start > 0 && m.text[start-1] == ' ' && m.runeAhead(1) == ' ' {
		return false, m.errorAt(start, timesAdvice)
	}
	if advice := foreignWord(word); advice != "" {
		return false, m.errorAt(start, "%s", advice)
	}
	if m.standsNext("!=") && m.at > 0 && m.text[m.at-1] == ' ' { // "2d6 != 7" compares
		return false, nil
	}
	for _, w := range modifierWords.get() {
		switch {
		case !m.standsNext(w.word) || w.word == "d" && !isDigit(m.runeAhead(1)):
			continue
		case m.set && !w.sets:
			return false, m.errorAt(start, "%s is for dice: a group of results is kept, dropped or counted", w.word)
		case w.word == "dis" && word != "dis" && !strings.HasPrefix(word, "disadv"):
			continue
		}
		if w.word != "adv" && w.word != "dis" {
			m.at += len(w.word)
		}
		if err := w.read(m); err != nil {
			return false, err
		}
		m.addStep(writtenModifier{start, string(m.text[start:m.at]), w.turn})
		return true, nil
	}
	return false, nil
}

// readLuck reads "adv" and "dis" behind a single die.
func (m *modifiers) readLuck() error {
	start := m.at
	keep, ok := m.takeLuck()
	switch {
	case !ok:
		return m.errorAt(start, "adv or dis is expected, found %q", m.peekWord())
	case m.pool.Counted != nil || m.pool.Count != 1 || len(m.pool.Select) > 0:
		return m.errorAt(start, "%s is for one die, which is rolled twice: d20 %s", keep.Text, keep.Text)
	}
	m.pool.Count, m.size = 2, 1
	m.pool.Select = append(m.pool.Select, keep)
	if m.text[start-1] == ' ' {
		m.luck = span{start, m.at}
	}
	return nil
}

// readSelection returns the reader of a number of dice that are kept or dropped; 1 when none is written. A comparison
// selects the dice for which it holds.
//
// m.size is the number of dice that the selections so far leave, by which a later one is judged: 4d6dl1dh1 leaves two, and
// 4d6dl1dh4 is refused. Of a rolled number of dice nothing is known, and nothing is refused.
func readSelection(keep, lowest, middle bool) func(*modifiers) error {
	return func(m *modifiers) error {
		start := m.at
		for start > 0 && strings.ContainsRune("kdphlmKDPHLM", m.text[start-1]) {
			start--
		}
		if keep && !lowest && !middle && strings.ContainsRune("<>=", m.runeAhead(0)) {
			return m.keepOnly(false)
		}
		n, written, err := m.readNumber(MaxNumber)
		if err != nil {
			return err
		}
		if !written {
			n = 1
		}
		text := strings.TrimSpace(string(m.text[start:m.at]))
		m.noteBare(start, text, n)
		known := m.pool.Counted == nil
		switch does := map[bool]string{true: "keeps", false: "leaves out"}[keep]; {
		case keep && n == 0:
			return m.errorAt(start, "at least one die must be kept: write %s1", strings.TrimRight(text, "0"))
		case known && n > int64(m.size) && m.set:
			return m.errorAt(start, "%s %s %d results, but there are %d", text, does, n, m.size)
		case known && n > int64(m.size) && len(m.pool.Select) > 0:
			return m.errorAt(start, "%s %s %d dice, but %d are left; to keep dice by what they show, write k<=3", text,
				does,
				n,
				m.size)
		case known && n > int64(m.size):
			return m.errorAt(start, "%s %s %d dice, but there are %d%s", text, does, n, m.size,
				adviseMore(text, m.size, n))
		case known && middle && (int64(m.size)-n)%2 != 0:
			return m.errorAt(start, "%s: of %d dice as many must be left out at both ends, so %d stay or %d", text, m.size,
				n-1, n+1)
		}
		if m.size -= int(n); keep {
			m.size = int(n)
		}
		m.pool.Select = append(m.pool.Select, Selection{Text: text, Keep: keep, Lowest: lowest, Middle: middle, N: int(n)})
		return nil
	}
}

// readOnly reads "p1" and "p<3": such dice are dropped.
func (m *modifiers) readOnly() error { return m.keepOnly(true) }

// keepOnly reads a comparison, and keeps or drops the dice for which it holds.
func (m *modifiers) keepOnly(drop bool) error {
	start := m.at
	b, err := m.readTest(drop)
	switch {
	case err != nil:
		return err
	case b == nil:
		return m.errorAt(start, "a comparison with a number is expected, found %s", m.describeNext())
	}
	if m.set {
		return m.errorAt(start, "results are kept by their order, kh2, or counted, >=5")
	}
	if drop {
		b.Op = invertComparison(b.Op)
	}
	m.pool.Select = append(m.pool.Select, Selection{Text: string(m.text[start:m.at]), Only: b})
	return nil
}

// readReroll reads which faces are rolled again; the least one when that is not written.
// The least value is not always 1: of d{-1..1} it is -1.
func readReroll(once bool) func(*modifiers) error {
	return func(m *modifiers) error {
		start := m.at
		b, err := m.readTest(true)
		if err != nil {
			return err
		}
		if b == nil {
			b = &Test{Equal, m.pool.Faces.leastValue()}
		}
		if once {
			m.pool.Once = append(m.pool.Once, *b)
			return nil
		}
		if m.text[start-1] == 'r' && (start < 2 || m.text[start-2] != 'r') {
			m.addNote(start-1, "r rolls again until another face falls; Foundry's and Rolisteam's r rolls once, "+
				"which is ro here")
		}
		if b.N > 1 && isDigit(m.text[start]) {
			m.addNote(start-1, "r%d rolls again what shows %d; "+
				"MapTool's rolls again what shows less, which is r<%d here", b.N, b.N, b.N)
		}
		m.pool.Again = append(m.pool.Again, *b)
		return nil
	}
}

// readExplosionOf reads on which faces a die explodes, and a limit in braces: "!>=9{1}".
func readExplosionOf(e Explosion) func(*modifiers) error {
	return func(m *modifiers) error {
		start := m.at
		if m.pool.Explode != nil {
			return m.errorAt(start, "the dice explode already")
		}
		out := e
		b, err := m.readTest(true)
		switch {
		case err != nil:
			return err
		case b == nil && e.OneForAll:
			return m.errorAt(start, "the face is expected, found %s: ra6 adds one die to those of which some shows 6",
				m.describeNext())
		case b == nil:
			b = &Test{Equal, m.pool.Faces.greatestValue()}
			if unicode.ToLower(m.text[start-1]) == 'e' {
				m.addNote(start-1, "e alone explodes on the greatest face, as ! does; Avrae's has the face behind it, e6")
			}
		}
		out.On = Tests{*b}
		if m.runeAhead(0) == '{' && isDigit(m.runeAhead(1)) && !e.OneForAll {
			m.at++
			n, _, err := m.readNumber(plan.MaxChain)
			if err != nil {
				return err
			}
			if n < 1 || !m.takeText("}") {
				return m.errorAt(start, "the limit of an explosion stands in braces: !{2} explodes at most twice")
			}
			out.Limit = int(n)
		}
		m.pool.Explode = &out
		return nil
	}
}

func (m *modifiers) readRaise() error {
	n, err := m.readSignedNumber()
	m.pool.Raise = &n
	return err
}

func (m *modifiers) readLower() error {
	n, err := m.readSignedNumber()
	m.pool.Lower = &n
	return err
}

// readCritical reads a modifier that only marks dice. Foundry's of the same name counts them, and its comparisons >= and <=
// are not among Roll20's: who writes these may mean either.
func (m *modifiers) readCritical() error {
	start := m.at - 2
	t, err := m.readTest(true)
	if err != nil {
		return err
	}
	if t != nil && (t.Op == GreaterOrEqual || t.Op == LessOrEqual) {
		written := string(m.text[start:m.at])
		return m.errorAt(start, "%s counts dice in Foundry, and only marks them in Roll20: write %s to count, or "+
			"leave it out", written, written[len("cs"):])
	}
	m.addNote(start, "cs and cf only mark dice here, as in Roll20; to count dice, as Foundry's do, write >=5 or >=5f1")
	return nil
}

// readOrder reads an order of dice, which is nothing to the total.
func (m *modifiers) readOrder() error { return nil }

// refuseForeign returns a reader that refuses another program's modifier with its parameter behind it at once, as in
// "4d6uok3".
func refuseForeign(word string) func(*modifiers) error {
	return func(m *modifiers) error { return m.errorAt(m.at-len(word), "%s", foreignWord(word)) }
}

func (m *modifiers) readUnique() error {
	m.pool.Unique = AllApart
	return nil
}

// readFailure reads which dice count against the others: those that show the least, unless it says which.
func (m *modifiers) readFailure() error {
	var usual *Test
	if !m.set { // no face is the least of unlike dice
		usual = &Test{Equal, m.pool.Faces.leastValue()}
	}
	return m.readScored(func(s *Score) *Tests { return &s.Failure }, usual,
		"failures stand behind what they count against: write 8d10>=8f1", "what counts against is expected, found %s: f1")
}

// readTwice reads which dice count twice.
func (m *modifiers) readTwice() error {
	return m.readScored(func(s *Score) *Tests { return &s.Twice }, nil,
		"what counts twice stands behind what counts: write 7d10>=7t10", "what counts twice is expected, found %s: t10")
}

// readScored reads a further score of dice that are counted: part returns its tests, usual is the test without a
// comparison. The messages are for one that stands before the score, and for one without a test.
func (m *modifiers) readScored(part func(*Score) *Tests, usual *Test, misplaced, empty string) error {
	start := m.at
	b, err := m.readTest(true)
	if err != nil {
		return err
	}
	if m.pool.Score == nil {
		return m.errorAt(start-1, "%s", misplaced)
	}
	if b == nil {
		b = usual
	}
	if b == nil {
		return m.errorAt(start, empty, m.describeNext())
	}
	tests := part(m.pool.Score)
	*tests = append(*tests, *b)
	return nil
}

// readSuccess reads a comparison that counts dice, and reports whether there was one. One with dice on its right is none.
// "3d6>2d8" compares two totals although no blank stands before the sign. Its text is taken back, its notes too.
func (m *modifiers) readSuccess() (bool, error) {
	start := m.at
	if !strings.ContainsRune("<>=≤≥≠", m.runeAhead(0)) || m.runeAhead(0) == 0 {
		return false, nil
	}
	notes := len(m.notes)
	b, err := m.readTest(false)
	if err != nil || b == nil || isPoolStart(m.grammar) || m.runeAhead(0) == '.' {
		m.at, m.notes = start, m.notes[:notes]
		return false, nil
	}
	if m.pool.Score != nil {
		return false, m.errorAt(start, "the dice are counted already")
	}
	m.pool.Score = &Score{Success: Tests{*b}}
	return true, nil
}

// readTest reads a comparison with a number. A number alone is equal to itself, if that may be; nil when nothing is
// written.
func (m *modifiers) readTest(bare bool) (*Test, error) {
	start := m.at
	op, ok := m.readComparator()
	if !ok && !bare {
		return nil, nil
	}
	if !ok {
		op = Equal
	}
	if !isDigit(m.runeAhead(0)) && !(m.runeAhead(0) == '-' && isDigit(m.runeAhead(1))) || !ok && m.runeAhead(0) == '-' {
		if ok && bare {
			return nil, m.errorAt(m.at, "a number is expected, found %s", m.describeNext())
		}
		m.at = start
		return nil, nil
	}
	n, err := m.readSignedNumber()
	if err != nil {
		return nil, err
	}
	if op == Less || op == Greater {
		sign := map[Operation]string{Less: "<", Greater: ">"}[op]
		m.addNote(start, "%s%d leaves %d out; Roll20's includes it, which is %s=%d here", sign, n, n, sign, n)
	}
	return &Test{op, n}, nil
}

// invertComparison returns the comparison that holds where another one does not.
func invertComparison(op Operation) Operation {
	switch op {
	case Less:
		return GreaterOrEqual
	case LessOrEqual:
		return Greater
	case Greater:
		return LessOrEqual
	case GreaterOrEqual:
		return Less
	case Equal:
		return Differs
	}
	return Equal
}

// leastValue returns the least value of a die.
func (f *Sides) leastValue() int64 {
	if f.Kinds != nil {
		least := math.Inf(1)
		for _, k := range f.Kinds {
			lo, _ := BoundsOf(k.Node)
			least = min(least, lo)
		}
		return int64(max(least, -maxExtent))
	}
	if f.Values != nil {
		return slices.Min(f.Values)
	}
	return f.repeatDigit(1)
}

// greatestValue returns the greatest value of a die.
func (f *Sides) greatestValue() int64 {
	switch most := math.Inf(-1); {
	case f.Sized != nil:
		_, most = BoundsOf(f.Sized)
		return int64(max(1, min(most, MaxFaces)))
	case f.Kinds != nil:
		for _, k := range f.Kinds {
			_, hi := BoundsOf(k.Node)
			most = max(most, hi)
		}
		return int64(min(most, maxExtent))
	}
	if f.Values != nil {
		return slices.Max(f.Values)
	}
	return f.repeatDigit(int64(f.Count))
}

// repeatDigit returns the value of a die without listed faces when each of its dice falls on the same face.
func (f *Sides) repeatDigit(face int64) (value int64) {
	for range max(1, f.Digits) {
		value = value*10 + face
	}
	return value
}

// countDistinct returns how many different values a die can show.
func (f *Sides) countDistinct() int {
	if f.Values != nil {
		return len(slices.Compact(slices.Sorted(slices.Values(f.Values))))
	}
	n := 1
	for range max(1, f.Digits) {
		n *= f.Count
	}
	return n
}

// listRepresentatives are values of a die such that, for each of its values, one of them meets the same tests. A test
// changes only beside its number, so a die of a million faces needs no more than a few for each test.
func (f *Sides) listRepresentatives(lists ...Tests) (out []int64) {
	if f.Values != nil && f.Kinds == nil || f.Digits > 0 {
		f.Each(func(v, _ int64) { out = append(out, v) })
		return out
	}
	least, most := f.leastValue(), f.greatestValue()
	out = []int64{least, most}
	for _, list := range lists {
		for _, t := range list {
			for v := t.N - 1; v <= t.N+1; v++ {
				if least <= v && v <= most {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// canShow reports whether a die can show a face that meets one of the tests.
func (f *Sides) canShow(tests Tests) bool {
	return slices.ContainsFunc(f.listRepresentatives(tests), tests.Holds)
}

// AddsTotals reports whether a kept die adds its value, and not its score.
func (p *Pool) AddsTotals() bool {
	return p.Score == nil && !slices.ContainsFunc(p.Select, func(s Selection) bool { return s.Only != nil })
}

// Plateau returns a value from which on all that a die can show is worth the same; not ok when there is none. 8d6!!>=7f1
// counts every total from 8 on alike, and 3d6!!ma10 from 10 on.
func (p *Pool) Plateau() (from int64, ok bool) {
	var lists []Tests
	if p.Score != nil {
		lists, ok = append(lists, p.Score.Success, p.Score.Twice, p.Score.Failure), true
	}
	for _, s := range p.Select {
		if s.Only != nil {
			lists = append(lists, Tests{*s.Only})
			ok = ok || s.Only.Op != Greater && s.Only.Op != GreaterOrEqual && s.Only.Op != Differs
		}
	}
	if p.Lower != nil {
		return *p.Lower, true
	}
	for _, list := range lists {
		for _, t := range list {
			from = max(from, t.N+1)
		}
	}
	if p.Raise != nil {
		from = max(from, *p.Raise+1)
	}
	return from, ok
}

// refuseSenseless returns the error of a pool that is wrong as a whole.
//
// It looks at each face once: does any stay, does any end the chain, can any count? This finds rolls without end before
// anything is rolled, and also for tests that are no intervals, such as !=3.
func (p *Pool) refuseSenseless(g *grammar, at int) error {
	var explodes, hits Tests
	if p.Explode != nil && p.Explode.Limit == 0 {
		explodes = p.Explode.On
	}
	if p.Score != nil {
		hits = p.Score.Success
	}
	if (p.Faces.Kinds != nil || p.Faces.Sized != nil) && (p.Explode != nil || len(p.Again)+len(p.Once) > 0 ||
		p.Unique != AnyFaces) {
		return g.errorAt(at, "dice of several kinds or sizes are kept and counted; r, ! and u stand within, d{d4!, d6!}")
	}
	stays, ends, hit := false, false, p.Score == nil
	for _, v := range p.Faces.listRepresentatives(p.Again, explodes, hits) {
		stay := !p.Again.Holds(v)
		stays, ends, hit = stays || stay, ends || stay && !explodes.Holds(v), hit || hits.Holds(v)
	}
	switch {
	case !stays:
		return g.errorAt(at, "every face is rolled again, so the roll never ends: leave one out")
	case !ends:
		return g.errorAt(at, "every face explodes, so the roll never ends: leave one out")
	case p.Raise != nil && p.Lower != nil && *p.Raise > *p.Lower:
		return g.errorAt(at, "no die counts as at least %d and at most %d", *p.Raise, *p.Lower)
	case p.Unique != AnyFaces && (p.Counted != nil || p.Count > p.Faces.countDistinct() || p.Explode != nil ||
		len(p.Again)+len(p.Once) > 0 || p.Raise != nil || p.Lower != nil):
		return g.errorAt(at, "u rolls until all dice differ: there are at most as many dice as values, and no other r, !, "+
			"mi or ma")
	}
	if p.Explode != nil && !p.Faces.canShow(p.Explode.On) {
		pool, advice := string(g.text[p.Offset:at]), ""
		if limit, compares := strings.CutPrefix(string(g.text[at:g.at]), "!="); compares {
			advice = fmt.Sprintf("; to compare the total write %s != %s", pool, limit)
		}
		g.addNote(at, "no face of %s explodes so%s", pool, advice)
	}
	if len(p.Again)+len(p.Once) > 0 && !p.Faces.canShow(append(slices.Clone(p.Again), p.Once...)) {
		g.addNote(at, "no face of %s is rolled again so", string(g.text[p.Offset:at]))
	}
	own := p.Explode != nil && !p.Explode.Compound && !p.Explode.OneForAll
	switch {
	case !hit && p.Explode == nil:
		g.addNote(at, "no die of %s counts so: to compare the total, set the comparison off by a blank",
			string(g.text[p.Offset:at]))
	case !hit && own:
		g.addNote(at, "no die of %s counts so: each that explodes adds a die of its own; for one die that grows write !!",
			string(g.text[p.Offset:at]))
	case own && (len(p.Select) > 0 || p.Score != nil) && p.Explode.Limit == 0 && !p.Explode.Penetrate:
		g.addNote(at, "each die that explodes adds a die of its own, as in most programs; for one die that grows write !!")
	}
	return nil
}
