// Package dice turns dice notation into what it asks for, and a source of chance into faces: given by the players, in
// the order in which they fall or by the id of their die, or drawn from a seed. It knows the plan's dice, and guesses
// what a misspelt id means.
//
// Invariant: a face that a Source gives without error lies in 1..faces, and does not repeat where faces are distinct.
package dice

import (
	"fmt"
	"strings"
)

// Limits of what notation may write.
const (
	MaxCount  = 1_000         // dice of one group
	MaxFaces  = 1_000_000     // faces of one die
	MaxNumber = 1_000_000_000 // a constant of a sum
	MaxTerms  = 100           // of a sum
	MaxRepeat = 100           // results of one notation
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

func (p *parser) wrong(at int, format string, args ...any) *SyntaxError {
	return &SyntaxError{Offset: at, Msg: fmt.Sprintf(format, args...)}
}

func (p *parser) blanks() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

func (p *parser) end() bool {
	p.blanks()
	return p.at == len(p.text)
}

// is consumes one of the characters.
func (p *parser) is(chars string) bool {
	if p.at < len(p.text) && strings.ContainsRune(chars, p.text[p.at]) {
		p.at++
		return true
	}
	return false
}

// sign reads an optional leading minus.
func (p *parser) sign() int64 {
	p.blanks()
	if p.is("-") {
		return -1
	}
	return 1
}

// operator reads the sign of a further term.
func (p *parser) operator(afterNumber bool) (int64, error) {
	expected := "+ or -"
	switch {
	case p.is("+"):
		return 1, nil
	case p.is("-"):
		return -1, nil
	case afterNumber:
		expected = "d, + or -"
	}
	return 0, p.wrong(p.at, "%s is expected, found %q", expected, string(p.text[p.at:]))
}

func (p *parser) faces() (int, error) {
	if p.is("%") {
		return 100, nil
	}
	start := p.at
	n, written, err := p.number(MaxNumber)
	switch {
	case err != nil:
		return 0, err
	case !written:
		return 0, p.wrong(start, "the number of faces is expected after d, found %s", p.found())
	case n < 2 || n > MaxFaces:
		return 0, p.wrong(start, "d%d: the number of faces must lie in 2..%d", n, MaxFaces)
	}
	return int(n), nil
}

// number reads decimal digits, if there are any.
func (p *parser) number(most int64) (n int64, written bool, err error) {
	start := p.at
	for ; p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9'; p.at++ {
		if n = n*10 + int64(p.text[p.at]-'0'); n > most {
			return 0, true, p.wrong(start, "the number is greater than %d", most)
		}
	}
	return n, p.at > start, nil
}

// found is what stands where something else is expected.
func (p *parser) found() string {
	if p.at == len(p.text) {
		return "nothing"
	}
	return fmt.Sprintf("%q", string(p.text[p.at]))
}
