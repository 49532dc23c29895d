// Package dice turns dice notation into what it asks for, and a source of chance into faces: given by the players, in the
// order in which they fall or by the id of their die, or drawn from a seed. It knows the plan's dice, and guesses what a
// misspelt id means. It has two readers of notation, because what a ruleset writes has to become dice of a plan, and what
// a person types does not: [ParseExpression] reads an [Expression] for rulesets, [ParseNotation] a [Notation] for people.
//
// # What is written
//
// An Expression is what a ruleset may write: a sum of groups of dice and constants, each group of which becomes one die of
// the plan, so that rules, receipts and odds know it by an id and given faces can be addressed to it. A Notation is what a
// person may type at the command line: also comparisons, products, functions, sets of unlike dice, a number of dice that is
// itself rolled. It is read into a tree of Nodes and rolled by walking this tree, in exact fractions. Package odds sums the
// same tree over all faces. Where the dialects of other programs disagree about a text, a [Note] says what it means here.
//
// Two differences keep the readers apart. The grammar of rulesets is small and fixed, so that what stands in a released
// book keeps its meaning; the other one grows with what people type, and says in notes what it takes a doubtful text for.
// And explosions of which some dice are kept or counted are one die in a ruleset, but dice of their own at the command
// line, as in most programs. [Notation.Expression] is the bridge: it finds the Expression that means the same, where
// there is one. Both share the scanner (parser) and the limits.
//
// However the modifiers of a group are ordered in the text, they are carried out in one order: dice are rolled again
// until they may stay, what then explodes adds dice or adds to its die, dice below or above a bound count as the bound,
// some are kept or dropped, and those that stay are added or counted. "4d6r1kh3" and "4d6kh3r1" are therefore one thing.
// What could go on for ever is bounded by plan.MaxChain: in an Expression the faces of one die, those that are rolled
// again among them; in a Notation the explosions of a die, and between two of them the faces that are rolled again.
//
// # What falls
//
// Whoever rolls asks a [Source] for one face after the other, and tells in a [Draw] of which die it is and which faces the
// die has shown. At the end it asks Rest whether faces were given that nothing rolled: too many are a mistake, as too few
// are. The sources differ in where a face comes from: [Flat] takes it from a list in the order of falling, [Named] from the
// list of its die's id, [Seeded] from a stream of random numbers, and [Mixed] from the list of its id where one is given
// and else from the stream. In a Mixed each face uses up its draw even where it was given, so that a player who types the
// face of one die leaves all others as they were. A [Preview] asks what would fall next, and [FindLacks] which faces are
// missing.
//
// A die may show other integers than 1 to its number of faces. Players give what the die shows, and rules see it; what a
// Source returns is the number of the face, from 1.
//
// # One text
//
// A ruleset writes dice: roll: "4d6r1kh3 + 2". ParseExpression reads a term: the count 4, the d,
// six faces; then each modifier in the order in which it is carried out. readAgain finds r1, the band 1
// to 1; readExplosion and readLeast find nothing; readKeep finds kh3 and sets Keep to 3;
// readSuccessBand finds nothing.
// The sign + begins the next term, the constant 2. The compiler makes a roll of four dice with a
// band on which they are rolled again, a sort, a slice, a sum and an addition of it (package
// compiler/lower).
//
// A person types the same at the command line, and ParseNotation reads it by the grammar in
// grammar.go: a sum of a Pool and a Number. The pool has Again ["= 1"] and Select [kh3]; it notes
// that r means something else to Foundry. Notation.Expression finds that this is no more than a
// ruleset may write, so odds take the same way as a rule's. Notation.Roll asks the Source for a
// face, 1, asks again, 5, then 3, 6 and 2; keepDice sorts 5, 3, 6, 2, and Span gives the upper
// three; the pool comes to 14, the notation to 16. All is computed in fractions, as 3d6/2 may stand
// in the place of 2.
//
// # In which order to read
//
// Of rulesets: this file and expression.go. Of people: tree.go, grammar.go, pool.go, roll.go,
// extent.go, dialect.go, help.go. Of faces: source.go, seeded.go, mixed.go, lack.go, chain.go.
//
// TestExpressionsRoll and TestBounds hold expressions, TestPublishedNotations the notations that
// other programs print in their manuals, TestRulesetsAndCommandsAgree that both readers agree,
// TestSeededVectors the stream of faces, TestGivenFaces and TestMixedKeepsTheOtherFaces what is
// given.
//
// Invariant: a face that a Source gives without error lies in 1..faces, and does not repeat where faces are distinct.
package dice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Limits of what notation may write.
const (
	// MaxCount, MaxFaces and MaxChain together bound the total of a group by 10^3 * 10^6 *
	// plan.MaxChain, and MaxTerms that of a sum: no sum of dice in a plan can overflow, so that
	// lowering adds without faults.
	MaxCount  = 1_000         // dice of one group
	MaxFaces  = 1_000_000     // faces of one die
	MaxShown  = 1_000         // faces of a die of a ruleset that are listed one by one
	MaxNumber = 1_000_000_000 // a constant of a sum
	MaxTerms  = 100           // of a sum
	MaxRepeat = 100           // results of one notation
	MaxLength = 10_000        // code points of a notation that people type
)

// A SyntaxError is notation that cannot be read.
type SyntaxError struct {
	Offset int // in code points
	Msg    string
}

func (e *SyntaxError) Error() string { return e.Msg }

// A parser reads notation from left to right. Blanks may stand between a sum's terms and signs.
type parser struct {
	text []rune
	at   int
}

func (p *parser) errorAt(at int, format string, args ...any) *SyntaxError {
	return &SyntaxError{Offset: at, Msg: fmt.Sprintf(format, args...)}
}

func (p *parser) skipBlanks() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

func (p *parser) reachesEnd() bool {
	p.skipBlanks()
	return p.at == len(p.text)
}

// takeOneOf consumes one of the characters.
func (p *parser) takeOneOf(chars string) bool {
	if p.at < len(p.text) && strings.ContainsRune(chars, p.text[p.at]) {
		p.at++
		return true
	}
	return false
}

// readSign reads an optional leading minus.
func (p *parser) readSign() int64 {
	p.skipBlanks()
	if p.takeOneOf("-") {
		return -1
	}
	return 1
}

// readOperator reads the sign of a further term.
func (p *parser) readOperator(afterNumber bool) (int64, error) {
	expected := "+ or -"
	switch {
	case p.takeOneOf("+"):
		return 1, nil
	case p.takeOneOf("-"):
		return -1, nil
	case afterNumber:
		expected = "d, + or -"
	}
	foreign := foreignWord(strings.ToLower(leadingLetters(p.text[p.at:])))
	if foreign == jointAdvice || foreign == eitherAdvice {
		foreign = ""
	}
	advice := cmp.Or(habits.adviseAt(p.text, p.at), foreign, ruled.adviseAt(p.text, p.at), p.adviseOrder())
	if advice != "" {
		return 0, p.errorAt(p.at, "%s", advice)
	}
	return 0, p.errorAt(p.at, "%s is expected, found %q", expected, string(p.text[p.at:]))
}

// adviseOrder says in which order modifiers stand, before one that stands behind a later one: 4d6kh3!.
func (p *parser) adviseOrder() string {
	if p.text[p.at-1] == ' ' || !strings.ContainsRune("r!mkd", p.text[p.at]) {
		return ""
	}
	return fmt.Sprintf("%s stands further to the left: the order is r1, !, mi2, kh3, >=5", string(p.text[p.at:]))
}

// readDieFaces reads the faces behind the d: a number, %, F or the faces one by one.
func (p *parser) readDieFaces(t *Term) error {
	start := p.at
	switch {
	case p.takeOneOf("%"):
		t.Faces = 100
		return nil
	case p.takeOneOf("F"):
		t.setShows([]int64{-1, 0, 1})
		return nil
	case p.takeOneOf("{"):
		return p.readListedFaces(t, start)
	}
	n, written, err := p.readNumber(MaxNumber)
	switch {
	case err != nil:
		return err
	case !written:
		return p.errorAt(start, "the number of faces is expected after d, found %s%s", p.describeNext(),
			adviseFaces(p.text[start:]))
	case n == 1:
		return p.errorAt(start, "d1 always shows 1: write the number of dice in its place")
	case n < 2 || n > MaxFaces:
		return p.errorAt(start, "d%d: the number of faces must lie in 2..%d", n, MaxFaces)
	}
	t.Faces = int(n)
	return nil
}

// adviseFaces returns what to write for dice whose faces other books leave out, as in 2d-1 and 3d+2; "" of another text.
func adviseFaces(behind []rune) string {
	if rest := strings.TrimLeft(string(behind), " "); rest != "" && !strings.ContainsAny(rest[:1], "+-") {
		return ""
	}
	return ": write d6 where the book leaves six faces out"
}

// setShows sets the number on each face.
func (t *Term) setShows(shows []int64) { t.Faces, t.Die.Shows = len(shows), shows }

// readListedFaces reads faces that are written one by one, up to the closing brace. Ranges may stand among them.
// d{1..3, 5} has the faces 1, 2, 3 and 5; a number may stand several times, d{0, 0, 1}, or have a weight, d{0:2, 1}, and is
// then as many faces.
func (p *parser) readListedFaces(t *Term, start int) error {
	var shows []int64
	for {
		lo, err := p.readSigned()
		if err != nil {
			return err
		}
		hi := lo
		if p.takeOneOf(".") {
			if !p.takeOneOf(".") {
				return p.errorAt(p.at, ".. is expected, found %s", p.describeNext())
			}
			if hi, err = p.readSigned(); err != nil {
				return err
			}
		}
		if shows, err = p.addFaces(shows, start, lo, hi); err != nil {
			return err
		}
		p.skipBlanks()
		switch {
		case p.takeOneOf("}"):
			if len(shows) < 2 {
				return p.errorAt(start, "a die has at least two faces, not %d", len(shows))
			}
			t.setShows(shows)
			return nil
		case !p.takeOneOf(","):
			return p.errorAt(p.at, "a comma or } is expected, found %s", p.describeNext())
		}
	}
}

// addFaces appends the faces lo to hi, each as often as the weight behind them says.
// d{1:3, 2:1} has four faces, three of which show a 1: whatever a die with listed faces can do, one with weights can.
func (p *parser) addFaces(shows []int64, start int, lo, hi int64) ([]int64, error) {
	weight, err := p.readWeight()
	if err != nil {
		return nil, err
	}
	if hi < lo || hi-lo >= MaxShown {
		return nil, p.errorAt(start, "the faces %d..%d: they rise, and there are at most %d", lo, hi, MaxShown)
	}
	if int64(len(shows))+(hi-lo+1)*weight > MaxShown {
		return nil, p.errorAt(start, "there are at most %d faces, counted by their weights", MaxShown)
	}
	for v := lo; v <= hi; v++ {
		shows = append(shows, slices.Repeat([]int64{v}, int(weight))...)
	}
	return shows, nil
}

// readWeight reads the weight behind a face, ":3"; it is 1 where none is written.
func (p *parser) readWeight() (int64, error) {
	if p.skipBlanks(); !p.takeOneOf(":") {
		return 1, nil
	}
	p.skipBlanks()
	n, written, err := p.readNumber(MaxNumber)
	if err == nil && (!written || n < 1) {
		err = p.errorAt(p.at, "a weight is a whole number from 1 on, found %s", p.describeNext())
	}
	return n, err
}

// readSigned reads a whole number with an optional sign.
func (p *parser) readSigned() (int64, error) {
	sign := p.readSign()
	n, written, err := p.readNumber(MaxNumber)
	if err == nil && !written {
		err = p.errorAt(p.at, "a number is expected, found %s", p.describeNext())
	}
	return sign * n, err
}

// readNumber reads decimal digits, if there are any.
func (p *parser) readNumber(most int64) (n int64, written bool, err error) {
	start := p.at
	for ; p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9'; p.at++ {
		if n = n*10 + int64(p.text[p.at]-'0'); n > most {
			return 0, true, p.errorAt(start, "the number is greater than %d", most)
		}
	}
	return n, p.at > start, nil
}

// describeNext returns the text that stands where something else is expected.
func (p *parser) describeNext() string {
	if p.at == len(p.text) {
		return "nothing"
	}
	return fmt.Sprintf("%q", string(p.text[p.at]))
}
