package load

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// readString is the value of a field that is a string, empty when there is none.
func (n *node) readString(name string) string {
	k, ok := n.fieldNamed(name)
	if !ok {
		return ""
	}
	s, _ := k.readText()
	return s
}

// readPlacedField is the value of a field that is a string, with the place of its first code point.
func (n *node) readPlacedField(name string) book.Text {
	k, ok := n.fieldNamed(name)
	if !ok {
		return book.Text{}
	}
	return k.readPlacedText()
}

// readNameField is the value of a field that names something, with the place of its first code point.
func (n *node) readNameField(name string) book.Text {
	k, ok := n.fieldNamed(name)
	if !ok {
		return book.Text{}
	}
	return k.readPlacedName()
}

// readPlacedName is a string that names something.
func (n *node) readPlacedName() book.Text {
	t := n.readPlacedText()
	if s, err := n.value.String(); err == nil && s == "" {
		n.addf("bad-name", "%s is empty, and must name something", n.name)
	}
	return t
}

func (n *node) readPlacedText() book.Text {
	s, ok := n.readText()
	if !ok {
		return book.Text{Place: n.place}
	}
	return book.Text{S: s, Place: n.literalPlace(s)}
}

// literalPlace is the place of the first code point of a string.
func (n *node) literalPlace(s string) plan.Place {
	x, _, ok := n.findLiteral(s)
	if !ok {
		return n.placeOf()
	}
	at := n.r.PlaceOf(x.Pos())
	if offs, _ := decodeLiteral(x.Value); len(offs) > 0 {
		return site.AdvancePlace(at, x.Value[:offs[0]])
	}
	return at
}

// readText returns the value as a string, its default included, and reports whether it is one. Any other value becomes
// a diagnostic.
func (n *node) readText() (string, bool) {
	s, err := n.value.String()
	if err == nil {
		return s, true
	}
	switch {
	case n.value.Err() != nil:
		n.r.ReportErrors(n.value.Err())
	case n.value.IncompleteKind()&(cue.NumberKind|cue.BoolKind) != 0:
		value := n.writtenValue()
		if value == "_" && len(n.sites) > 0 { // a name of CUE's in place of a formula that reads it
			value = n.r.TextOf(n.sites[0].Expr)
		}
		if n.name == "revision" {
			value += strings.Repeat(".0", max(0, 2-strings.Count(value, ".")))
		}
		n.addf("not-text", "%s must be a string", n.name).Repair = fmt.Sprintf("write it as a string, %s: %q",
			n.labelText(), value)
	default:
		n.reportUnwritten("a string")
	}
	return "", false
}

// writtenValue returns a value as the author wrote it, as far as one expression says it.
func (n *node) writtenValue() string {
	if data, err := n.value.MarshalJSON(); err == nil {
		return string(data)
	}
	return fmt.Sprint(n.value)
}

// readExpr is an expression with the place of each of its code points.
func (n *node) readExpr(name string) book.Text {
	k, ok := n.fieldNamed(name)
	if !ok {
		return book.Text{}
	}
	return k.formulaText()
}

func (n *node) formulaText() book.Text {
	s, ok := n.readText()
	if !ok {
		return book.Text{Place: n.place}
	}
	return n.locateText(s)
}

// locateText gives a string its places: exactly, when a literal says it; else where its expression begins.
// start is the place of the literal's quote; the offsets count from there, through the lines of a
// multi-line literal, whose further lines begin at column 1 of the file.
func (n *node) locateText(s string) book.Text {
	x, offs, ok := n.findLiteral(s)
	if !ok {
		return book.Text{S: s, Place: n.placeOf()}
	}
	start := n.r.PlaceOf(x.Pos())
	f := &site.File{Text: x.Value}
	return book.NewText(s, f.PlacesOf(start, 0, offs))
}

// findLiteral is the literal that says a string, and the offsets of the string's code points in it.
// A value may have several literals among its sites, as alternatives and defaults: the one that
// says the very string is taken. Two literals of the same string are equally good.
func (n *node) findLiteral(s string) (*ast.BasicLit, []int, bool) {
	for _, p := range n.flatSites() {
		x, ok := p.Expr.(*ast.BasicLit)
		if !ok || x.Kind != token.STRING {
			continue
		}
		if t, err := literal.Unquote(x.Value); err != nil || t != s {
			continue
		}
		if offs, t := decodeLiteral(x.Value); t == s && len(offs) > 0 {
			return x, offs, true
		}
	}
	return nil, nil, false
}

// readNumber is an expression, or a whole number as text.
// count: 3 and count: "level" are both allowed; behind this both are formulas.
func (n *node) readNumber(name string) book.Text {
	k, ok := n.fieldNamed(name)
	if !ok {
		return book.Text{}
	}
	if k.value.IncompleteKind() != cue.IntKind {
		return k.formulaText()
	}
	i, err := k.value.Int64()
	if err != nil {
		k.reportUnwritten("a number")
	}
	return book.Text{S: strconv.FormatInt(i, 10), Place: k.placeOf()}
}

// readPositive is the value of a field that is a whole number above 0, 0 when there is none.
func (n *node) readPositive(name string) int {
	i, ok := n.readInteger(name)
	if k, _ := n.fieldNamed(name); ok && i < 1 {
		k.addf("out-of-range", "%s must be at least 1", name)
	}
	return i
}

// readInteger reads a whole number of at most 2^31 either way, which every size and count that a field may say is.
func (n *node) readInteger(name string) (int, bool) {
	k, ok := n.fieldNamed(name)
	if !ok || !k.checkKind(cue.IntKind, "a whole number") {
		return 0, false
	}
	i, err := k.value.Int64()
	if err != nil || i > 1<<31-1 || i < -1<<31 {
		k.addf("out-of-range", "%s must be a whole number of at most 2^31", k.name)
		return 0, false
	}
	return int(i), true
}

// readFlag reads true or false; false when the field is not there.
func (n *node) readFlag(name string) bool {
	k, ok := n.fieldNamed(name)
	if !ok || !k.checkKind(cue.BoolKind, "true or false") {
		return false
	}
	b, err := k.value.Bool()
	if err != nil {
		k.addf("not-concrete", "%s must be true or false", k.name)
	}
	return b
}

// readTexts reads a list of strings, each with its place.
func (n *node) readTexts(name string) []book.Text {
	var out []book.Text
	for _, k := range n.elementsOf(name) {
		out = append(out, k.readPlacedText())
	}
	return out
}

// readJSON returns the value as JSON. A default counts, as it does for CUE's own export.
//
// A value that is not concrete becomes a diagnostic and returns "null", so that a row keeps its number of cells.
func (n *node) readJSON() string {
	v, _ := n.value.Default()
	data, err := v.MarshalJSON()
	if err != nil {
		n.reportUnwritten("a value")
		return "null"
	}
	return string(data)
}

// readCell is readJSON of a value that the plan holds as it is, and reports a number in it that is no int and no double.
func (n *node) readCell() string {
	text := n.readJSON()
	if number, limit := findBeyond(text); limit != "" {
		n.addf("out-of-range", "%s is %s: %s", n.name, number, limit)
	}
	return text
}

// findBeyond returns the first number in JSON that is beyond the ints, where it is whole, or beyond the doubles, and what it
// may be; "" where there is none. Most cells are a word or a short number, for which no decoder has to be made.
func findBeyond(text string) (number, limit string) {
	const digits = 18 // that every int may have
	if text[0] == '"' || len(text) <= digits && !strings.ContainsAny(text, "eE") {
		return "", ""
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for {
		t, err := d.Token()
		if err != nil {
			return "", ""
		}
		x, ok := t.(json.Number)
		switch number = x.String(); {
		case !ok:
		case !strings.ContainsAny(number, ".eE"):
			if _, err := x.Int64(); err != nil {
				return number, plan.IntLimit
			}
		default:
			if _, err := x.Float64(); err != nil {
				return number, plan.DoubleLimit
			}
		}
	}
}
