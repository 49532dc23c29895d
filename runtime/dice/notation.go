// Package dice turns dice notation into what it asks for, and a source of chance into faces: given by the players, in
// the order in which they fall or by the id of their die, or drawn from a seed. It knows the plan's dice and imports
// nothing else of ours.
//
// Invariant: a face that a Source gives without error lies in 1..faces, and does not repeat where faces are distinct.
package dice

import (
	"fmt"
	"strings"
)

// Limits of what notation may write.
const (
	MaxCount  = 1_000         // faces of one term
	MaxFaces  = 1_000_000     // faces of one die
	MaxNumber = 1_000_000_000 // a constant of a sum
)

// A Notation is a group of equal dice: "d6", "3d6", "d%".
type Notation struct {
	Count int  // how many dice, 1 when List is false
	Faces int  // of each die
	List  bool // a count was written: the faces are a list
}

// A SyntaxError is notation that cannot be read.
type SyntaxError struct {
	Offset int // in code points
	Msg    string
}

func (e *SyntaxError) Error() string { return e.Msg }

// Parse reads one group of dice.
func Parse(s string) (Notation, error) {
	p := parser{text: []rune(s)}
	t, err := p.term()
	switch {
	case err != nil:
		return Notation{}, err
	case !t.dice:
		return Notation{}, p.wrong(0, "a die is expected, such as d6, 3d6 or d%%")
	case !p.end():
		return Notation{}, p.wrong(p.at, "only one group of dice may stand here, found %q after it", string(p.text[p.at:]))
	}
	return t.group, nil
}

// Bounds gives the least and the greatest number that a sum of dice and constants can show: 5 and 15 for "2d6+3".
func Bounds(s string) (least, most int64, err error) {
	p := parser{text: []rune(s)}
	found := false
	for sign := p.sign(); ; {
		t, err := p.term()
		if err != nil {
			return 0, 0, err
		}
		found = found || t.dice
		lo, hi := t.bounds(sign)
		least, most = least+lo, most+hi
		if p.end() {
			break
		}
		if sign, err = p.operator(); err != nil {
			return 0, 0, err
		}
	}
	if !found {
		return 0, 0, p.wrong(0, "no die is named in %q", s)
	}
	return least, most, nil
}

// A term is a group of dice or a constant.
type term struct {
	dice   bool
	group  Notation
	number int64
}

// bounds are the term's own, or those of its negation.
func (t term) bounds(sign int64) (least, most int64) {
	least, most = t.number, t.number
	if t.dice {
		least, most = int64(t.group.Count), int64(t.group.Count)*int64(t.group.Faces)
	}
	if sign < 0 {
		return -most, -least
	}
	return least, most
}

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

func (p *parser) operator() (int64, error) {
	switch {
	case p.is("+"):
		return 1, nil
	case p.is("-"):
		return -1, nil
	}
	return 0, p.wrong(p.at, "+ or - is expected, found %q", string(p.text[p.at]))
}

func (p *parser) term() (term, error) {
	p.blanks()
	start := p.at
	count, written, err := p.number(MaxNumber)
	switch {
	case err != nil:
		return term{}, err
	case p.is("d"):
		return p.dice(start, count, written)
	case !written:
		return term{}, p.wrong(start, "a die or a number is expected, found %s", p.found())
	}
	return term{number: count}, nil
}

func (p *parser) dice(start int, count int64, list bool) (term, error) {
	if !list {
		count = 1
	}
	if count < 1 || count > MaxCount {
		return term{}, p.wrong(start, "%d dice: the count must lie in 1..%d", count, MaxCount)
	}
	faces, err := p.faces()
	if err != nil {
		return term{}, err
	}
	return term{dice: true, group: Notation{Count: int(count), Faces: faces, List: list}}, nil
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
