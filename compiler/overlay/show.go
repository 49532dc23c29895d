package overlay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
)

// What stands somewhere and what is expected there are compared as they are shown: in one form for each sort of value,
// in which blanks and the order of columns say nothing.

func join(path []string) string { return strings.Join(path, ".") }

// shown is what stands at a target.
func (t *target) shown() string {
	switch {
	case t.cell != nil:
		return compact(t.cell.JSON)
	case t.word != nil:
		return words(t.word.S)
	case t.formula != nil:
		return formula(t.formula)
	case t.die != nil:
		return die(t.die)
	case t.use != nil:
		return use(t.use)
	}
	return rows(t.table)
}

// show is one side of a replacement in the form of the target.
func (t *target) show(s *book.Stated) string {
	switch {
	case s.Formula != nil:
		return formula(s.Formula)
	case s.Die != nil:
		return die(s.Die)
	case s.Use != nil:
		return use(s.Use)
	case s.Rows != nil:
		return rows(s.Rows)
	case t.word != nil:
		return words(text(s.JSON))
	}
	return compact(s.JSON)
}

// text is the string that JSON says, or else the JSON.
func text(data string) string {
	var s string
	if json.Unmarshal([]byte(data), &s) != nil {
		return data
	}
	return s
}

func compact(data string) string {
	var out bytes.Buffer
	if json.Compact(&out, []byte(data)) != nil {
		return data
	}
	return out.String()
}

// words is an expression without what is only blank.
func words(s string) string { return strings.Join(strings.Fields(s), " ") }

func formula(f *book.Formula) string {
	if !f.By.Written() {
		return words(f.Expr.S)
	}
	out := "by " + words(f.By.S)
	for _, a := range f.Is {
		out += "; " + a.Value + ": " + words(a.Expr.S)
	}
	return out
}

func die(d *book.Die) string {
	switch {
	case d.Notation.Written():
		return words(d.Notation.S)
	case d.Roll != nil:
		return "roll " + words(d.Roll.String())
	}
	return fmt.Sprintf("die %s, count %s, most %d, distinct %v, again on %s, once %v, explode on %s, %d times",
		words(d.Faces.S), words(d.Count.S), d.Most, d.Distinct, words(d.Again.S), d.Once, words(d.Explode.S), d.ExplodeTimes)
}

// use is all that a use says, its lists by name.
func use(u *book.Use) string {
	out := "rule " + u.Rule.S
	for _, x := range []struct {
		part string
		text *book.Text
	}{{"character", &u.Character}, {"when", &u.When}, {"input", &u.Input}} {
		if x.text.S != "" {
			out += "; " + x.part + " " + words(x.text.S)
		}
	}
	return out + formulas("each", u.Each) + formulas("input", u.Inputs) + formulas("otherwise", u.Otherwise)
}

func formulas(part string, list []book.Named) string {
	var out []string
	for i := range list {
		out = append(out, "; "+part+" "+list[i].Name+": "+formula(&list[i].Formula))
	}
	slices.Sort(out)
	return strings.Join(out, "")
}

// rows are the rows of a table, each on a line.
func rows(t *book.Table) string {
	var out []string
	for i := range t.Rows {
		out = append(out, rowName(t.Kind, &t.Rows[i])+": "+cells(t, &t.Rows[i]))
	}
	return strings.Join(out, "\n")
}

func cells(t *book.Table, r *book.Row) string {
	var out []string
	for i, c := range r.Cells {
		out = append(out, t.Columns[i].Name+": "+compact(c.JSON))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// rowName is how a homebrew names a row: "dagger", "5", "7 to 9", "from 3", "above 3".
func rowName(kind book.TableKind, r *book.Row) string {
	switch {
	case kind == book.Keyed:
		return r.Key
	case kind == book.Steps && r.Above:
		return "above " + number(r.Lo)
	case kind == book.Steps:
		return "from " + number(r.Lo)
	case r.Lo == r.Hi:
		return number(r.Lo)
	}
	return number(r.Lo) + " to " + number(r.Hi)
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// differing are the lines of three texts where the first two differ for the first time.
func differing(a, b, c string) (x, y, z string) {
	p, q, r := strings.Split(a, "\n"), strings.Split(b, "\n"), strings.Split(c, "\n")
	i := 0
	for line(p, i) == line(q, i) {
		i++
	}
	return line(p, i), line(q, i), line(r, i)
}

func line(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "no such row"
}
