package golang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/emit"
	"github.com/tabletop-rules/rules/runtime/emit/kernel"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An enum is the type of the fields that have the same words: a number, so that comparing it and finding its row take no
// text. Fields that may be absent, or are in something that may be, stay strings, for an absent one has no word.
type enum struct {
	name  string
	words []string
	of    []string // the names of its constants
}

// maxWords is the most words of an enum.
const maxWords = 255

// enumOf returns the enum of the values that stand under a name; nil if they are none.
func (w *packageWriter) enumOf(name string) *enum { return w.enums[name] }

// enumLines writes the enums of a record that are not known yet. name is that of its struct.
func (w *packageWriter) enumLines(s *plan.Shape, name, field string) (lines []string) {
	switch s.Kind {
	case plan.String:
		if s.Enum == nil || len(s.Enum) > maxWords {
			return nil
		}
		key := "enum " + strings.Join(s.Enum, "\n")
		known := w.enums[key]
		if known == nil {
			name := w.names.take(camel(field), "Parse%s", "wordsOf%s", "indexOf%s")
			known = &enum{name: name, words: s.Enum}
			w.enums[key], lines = known, w.declareEnum(known, field)
		}
		w.enums[name] = known
	case plan.List:
		return w.enumLines(s.Elem, name+".Item", field)
	case plan.Record:
		for i := range s.Fields {
			if m := &s.Fields[i]; !m.Optional {
				lines = append(lines, w.enumLines(m.Shape, name+"."+m.Name, m.Name)...)
			}
		}
	}
	return lines
}

func (w *packageWriter) declareEnum(x *enum, field string) []string {
	lines := []string{"// " + x.name + " is one of the words of field " + field + ".", "type " + x.name + " uint8", "",
		"const ("}
	texts := make([]string, len(x.words))
	cases := []string{}
	for i, word := range x.words {
		of := w.names.take(x.name + camel(word))
		x.of, texts[i] = append(x.of, of), strconv.Quote(word)
		if i == 0 {
			of += " " + x.name + " = iota"
		}
		lines = append(lines, of)
		cases = append(cases, "case "+texts[i]+":", "return "+x.of[i]+", true")
	}
	words := "wordsOf" + x.name
	lines = append(lines, ")", "", "var "+words+" = [...]string{"+strings.Join(texts, ",\n")+",\n}", "",
		"// String returns the word; empty of a number that has none.",
		"func (v "+x.name+") String() string {", "if int(v) < len("+words+") {", "return "+words+"[v]", "}",
		`return ""`, "}", "",
		"// Parse"+x.name+" returns the number of a word.",
		"func Parse"+x.name+"(word string) (v "+x.name+", ok bool) {")
	if factor, index := kernel.IndexWords(x.words); index != nil {
		at := "indexOf" + x.name
		lines = append(lines, fmt.Sprintf("v = %s(%s[kernel.HashWord(word, %d)%%%d])", x.name, at, factor, len(index)),
			"return v, "+words+"[v] == word", "}", "",
			"// "+at+" has for each hash of a word its number.",
			"var "+at+" = "+strings.Replace(intsLiteral("uint8", index), "[]", "[...]", 1), "")
	} else {
		lines = append(append(append(lines, "switch word {"), cases...), "}", "return 0, false", "}", "")
	}
	return append(lines, "// MarshalText implements encoding.TextMarshaler.",
		"func (v "+x.name+") MarshalText() ([]byte, error) { return []byte(v.String()), nil }", "",
		"// UnmarshalText implements encoding.TextUnmarshaler.",
		"func (v *"+x.name+") UnmarshalText(text []byte) error {",
		fmt.Sprintf("return kernel.ParseWord((*uint8)(v), %s[:], %q, text)", words, field), "}", "")
}

// enumLeaf returns the field that a node reads, and its enum; nil if it reads none.
func (w *writer) enumLeaf(id plan.ID) (text string, x *enum) {
	if n := w.f.Node(id); n.Op == plan.OpLeaf && n.Kind == plan.String {
		text, _, name := w.leafPath(n)
		return text, w.enumOf(name)
	}
	return "", nil
}

// wordText returns the comparison of a field with a word as one of numbers; not ok if it is no such comparison.
func (w *writer) wordText(n *plan.Node, operands []emit.Operand) (out string, ok bool) {
	for k, o := range operands {
		text, x := w.enumLeaf(n.Args[k])
		other := w.f.Node(operands[1-k].ID)
		if x == nil || other.Op != plan.OpConst || o.Name == "" && o.ID != n.Args[k] {
			continue
		}
		if i := slices.Index(x.words, w.f.Plan.Symbols[other.Imm]); i >= 0 {
			return text + " == " + x.of[i], true
		}
	}
	return "", false
}

// wordRows returns the row of a field that is an enum, as an element of a table of rows; not ok if it is none.
func (w *writer) wordRows(n *plan.Node, t *plan.Table) (out string, ok bool) {
	text, x := w.enumLeaf(n.Args[0])
	if x == nil || t.Rows() > maxDenseRow {
		return "", false
	}
	lines := []string{"[...]int8{"}
	for i, word := range x.words {
		row := slices.IndexFunc(t.Keys, func(k int64) bool { return w.f.Plan.Symbols[k] == word })
		lines = append(lines, fmt.Sprintf("%s: %d,", x.of[i], row))
	}
	name := w.declare(tablesFile, "rowsOf"+camel(t.ID), w.tableComment(t, "has the row of each word of"),
		strings.Join(append(lines, "}"), "\n"))
	return "int64(" + name + "[" + text + "])", true
}
