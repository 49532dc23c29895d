package tablefile

import (
	"math/big"
	"regexp"
	"strings"
	"sync"
)

// number returns the number that a text is, as a spreadsheet program or a book writes it. A sign may be a minus of
// typography.
func number(text string) (*big.Rat, bool) {
	text = strings.ReplaceAll(text, "\u2212", "-")
	if !decimal().MatchString(text) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

var (
	decimal = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$`)
	})
	identifier = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*$`) })
)

// A span is the numbers that a row is found by.
type span struct {
	lo, hi float64
	open   bool // there is no last number
	above  bool // lo itself is outside
}

// A spanForm is a form in which the numbers of a row are written.
type spanForm struct {
	form *regexp.Regexp
	read func(lo, hi float64) span
}

var spanForms = sync.OnceValue(func() []spanForm {
	return []spanForm{
		{formOfSpan(`N\s*(?:-|–|—|\.\.|to|thru|through)\s*N`), func(lo, hi float64) span {
			return span{lo: lo, hi: hi}
		}},
		{formOfSpan(`N\s*(?:\+|or more|or higher|or over|and up|and above|and over)`), func(lo, _ float64) span {
			return span{lo: lo, open: true}
		}},
		{formOfSpan(`(?:from|≥|>=)\s*N`), func(lo, _ float64) span { return span{lo: lo, open: true} }},
		{formOfSpan(`(?:above|over|>)\s*N`), func(lo, _ float64) span {
			return span{lo: lo, open: true, above: true}
		}},
		{formOfSpan(`N`), func(lo, _ float64) span { return span{lo: lo, hi: lo} }},
	}
})

// formOfSpan returns the form of a range, in which an N is one of its ends.
func formOfSpan(text string) *regexp.Regexp {
	return regexp.MustCompile(`^` + strings.ReplaceAll(text, "N", `(-?[0-9.,]+)`) + `$`)
}

// spanOf reads the key of a row of numbers, as books and spreadsheets write it: 5, 1-3, 01–05, 96-00, 7 to 9, 4+, from 3,
// above 3. Behind a number of two digits, 00 is 100. The ends are written as numbers of the sheet are.
func (g *Grid) spanOf(text string) (span, bool) {
	read, ends := endsOf(text)
	if read == nil {
		return span{}, false
	}
	var limits [2]float64
	for i, end := range ends {
		x, ok := g.readNumber(end)
		if !ok {
			return span{}, false
		}
		if limits[i], _ = x.Float64(); end == "00" {
			limits[i] = 100
		}
	}
	s := read(limits[0], limits[1])
	return s, s.open || s.lo <= s.hi
}

// endsOf returns how a range is read, and the texts of its ends; nil of a text in no form of a range.
func endsOf(text string) (read func(lo, hi float64) span, ends []string) {
	text = strings.ToLower(strings.ReplaceAll(text, "\u2212", "-"))
	for _, f := range spanForms() {
		if m := f.form.FindStringSubmatch(text); m != nil {
			return f.read, m[1:]
		}
	}
	return nil, nil
}

// repairSpan returns what to write in place of a range whose ends are numbers for readers, 1-1,000; "" for any other text.
func (g *Grid) repairSpan(text string) string {
	_, ends := endsOf(text)
	for _, end := range ends {
		if repair := g.repairNumber(end); repair != "" {
			return repair
		}
	}
	return ""
}

// isOpenBelow reports whether a text is a range without a beginning, which no row has: up to 3, 3 or less, ≤3.
func isOpenBelow(text string) bool { return openBelow().MatchString(strings.ToLower(text)) }

var openBelow = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:≤|<|<=|up to|below|under|to)\s*-?[0-9.]+|` +
		`-?[0-9.]+\s*(?:-|or less|or fewer|or lower|and less|and below|and under|and down))$`)
})

// spanOfKey reads the key of a row of a sheet. Below a head that says from or above, a number alone is where its row
// begins.
func (g *Grid) spanOfKey(row int) (span, bool) {
	s, ok := g.spanOf(plain(g.Rows[row][0]))
	if head := strings.ToLower(g.Rows[0][0]); ok && s.lo == s.hi && !s.open && (head == "from" || head == "above") {
		s = span{lo: s.lo, open: true, above: head == "above"}
	}
	return s, ok
}
