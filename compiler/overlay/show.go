package overlay

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
)

// What stands somewhere and what is expected there are compared as they are shown: in one form for each sort of value,
// in which blanks and the order of columns say nothing.

func joinPath(path []string) string { return strings.Join(path, ".") }

// normalForm returns the definition at a path as the text that is compared with a homebrew's expectation.
func (t *target) normalForm() string {
	switch {
	case t.cell != nil:
		return compactJSON(t.cell.JSON)
	case t.text != nil:
		return collapseBlanks(t.text.S)
	case t.formula != nil:
		return normalFormula(t.formula)
	case t.die != nil:
		return normalDie(t.die)
	case t.use != nil:
		return normalUse(t.use)
	}
	return normalRows(t.table)
}

// normalFormOf returns one side of a replacement in the form of the target.
func (t *target) normalFormOf(s *book.Stated) string {
	switch {
	case s.Formula != nil:
		return normalFormula(s.Formula)
	case s.Die != nil:
		return normalDie(s.Die)
	case s.Use != nil:
		return normalUse(s.Use)
	case s.Rows != nil:
		return normalRows(withDefaults(t.table, s.Rows))
	case t.text != nil:
		return collapseBlanks(decodeString(s.JSON))
	}
	return compactJSON(s.JSON)
}

// decodeString returns the value of a JSON string. Anything else stands for itself, and fits no text.
func decodeString(data string) string {
	var s string
	if json.Unmarshal([]byte(data), &s) != nil {
		return data
	}
	return s
}

// compactJSON returns JSON without blanks, and each number in one form: 7 of 7.0, 1e21 of 1E+21.
func compactJSON(data string) string {
	var out bytes.Buffer
	if json.Compact(&out, []byte(data)) != nil {
		return data
	}
	return stringOrNumber().ReplaceAllStringFunc(out.String(), func(token string) string {
		if token[0] == '"' {
			return token
		}
		return normalNumber(token)
	})
}

// stringOrNumber matches the strings and the numbers in compact JSON.
var stringOrNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*`)
})

// normalNumber returns a decimal number in the form that all texts of the same number have in common. It goes by the digits,
// and is exact for numbers that no double is.
func normalNumber(text string) string {
	unsigned, isNegative := strings.CutPrefix(text, "-")
	mantissa, power, hasPower := strings.Cut(strings.ToLower(unsigned), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	exponent := 0 // of ten, behind the last digit
	if hasPower {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil {
			return text
		}
	}
	exponent -= len(fraction)
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	bare := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(bare)
	const longest = 20 // digits that are written out
	point := len(bare) + exponent
	switch {
	case exponent >= 0 && point <= longest:
		bare += strings.Repeat("0", exponent)
	case exponent < 0 && point > 0:
		bare = bare[:point] + "." + bare[point:]
	case exponent < 0 && -point < longest:
		bare = "0." + strings.Repeat("0", -point) + bare
	default:
		bare += "e" + strconv.Itoa(exponent)
	}
	if isNegative {
		return "-" + bare
	}
	return bare
}

// collapseBlanks returns an expression without superfluous blanks, so that a ruleset may be wrapped anew without breaking
// homebrews.
func collapseBlanks(s string) string { return strings.Join(strings.Fields(s), " ") }

// normalFormula returns a formula as a line of text: two that differ in blanks alone are the same to players.
func normalFormula(f *book.Formula) string {
	if !f.By.Written() {
		return collapseBlanks(f.Expr.S)
	}
	var arms []string // their order means nothing
	for _, a := range f.Is {
		arms = append(arms, "; "+a.Value+": "+collapseBlanks(a.Expr.S))
	}
	slices.Sort(arms)
	return "by " + collapseBlanks(f.By.S) + strings.Join(arms, "")
}

// normalDie returns a die as a line of text, with every member of it, so that nothing that changes how it is rolled goes
// unnoticed.
func normalDie(d *book.Die) string {
	switch {
	case d.Notation.Written():
		return collapseBlanks(d.Notation.S)
	case d.Roll != nil:
		return "roll " + collapseBlanks(d.Roll.String())
	}
	return fmt.Sprintf("die %s, zero %d, count %s, most %d, distinct %v, again on %s when %s, once %v, explode on %s when "+
		"%s, %d times, into %s",
		collapseBlanks(cmp.Or(d.Faces.S, d.DiceText())), d.Zero, collapseBlanks(d.Count.S), d.Most, d.Distinct,
		collapseBlanks(d.Again.S),
		collapseBlanks(d.AgainWhen.S), d.Once, collapseBlanks(d.Explode.S), collapseBlanks(d.ExplodeWhen.S), d.ExplodeTimes,
		cmp.Or(d.ExplodeInto.S, "die"))
}

// normalUse writes all that a use says, its lists sorted by name, as their order means nothing.
func normalUse(u *book.Use) string {
	out := "rule " + u.Rule.S
	for _, x := range []struct {
		part string
		text *book.Text
	}{{"character", &u.Character}, {"when", &u.When}, {"input", &u.Input}} {
		if x.text.S != "" {
			out += "; " + x.part + " " + collapseBlanks(x.text.S)
		}
	}
	return out + normalFormulas("each", u.Each) + normalFormulas("input", u.Inputs) +
		normalFormulas("otherwise", u.Otherwise)
}

func normalFormulas(part string, list []book.Named) string {
	var out []string
	for i := range list {
		out = append(out, "; "+part+" "+list[i].Name+": "+normalFormula(&list[i].Formula))
	}
	slices.Sort(out)
	return strings.Join(out, "")
}

// normalRows returns the rows of a table, each on a line.
func normalRows(t *book.Table) string {
	var out []string
	for i := range t.Rows {
		out = append(out, t.Rows[i].String()+": "+normalCells(t, &t.Rows[i]))
	}
	return strings.Join(out, "\n")
}

func normalCells(t *book.Table, r *book.Row) string {
	var out []string
	for i, c := range r.Cells {
		out = append(out, t.Columns[i].Name+": "+compactJSON(c.JSON))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// firstDifference returns the lines of three texts where the first two differ for the first time. It must not be called
// with equal texts: the loop ends at the first difference. lineAt gives the same text behind the end of either list, and
// lists of which one is longer differ there.
func firstDifference(a, b, c string) (x, y, z string) {
	p, q, r := strings.Split(a, "\n"), strings.Split(b, "\n"), strings.Split(c, "\n")
	i := 0
	for lineAt(p, i) == lineAt(q, i) {
		i++
	}
	return lineAt(p, i), lineAt(q, i), lineAt(r, i)
}

func lineAt(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "no such row"
}
