package lsp

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A name stands in four kinds of text, and each knows its own way to what is meant: formulas and labels by the book,
// which has their places; attributes by their words, which CUE does not keep; and cases by the records that their JSON is
// read into. What is renamed in all of them is tried out before it is given to the client (rename.go), so that a place
// which none of these ways finds is an error that the author sees, and no silent change.

// An occurrence is a place at which a symbol's name stands.
type occurrence struct {
	at          plan.Place
	length      int        // in code points
	declaration plan.Place // the symbol's declaration
}

// occurrencesOf returns the declaration of a symbol, and where its name stands in the ruleset.
//
// An occurrence is kept once although several ways find it: a label may be a reference as well. A
// length of 0 stands for "the word there", where the declaration is not written as the name, such
// as a row that a comprehension makes; renaming such a symbol fails when it is tried out.
func occurrencesOf(t *target, sym *symbols.Symbol) []occurrence {
	var out []occurrence
	add := func(at plan.Place, length int) {
		if o := (occurrence{at, length, sym.Place}); !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	name := []rune(sym.Name[strings.LastIndexByte(sym.Name, '/')+1:])
	if at, ok := nameNear(t.view, sym.Place, string(name)); ok {
		add(at, len(name))
	} else {
		add(sym.Place, 0) // written otherwise, such as a row that a comprehension makes
	}
	uses := t.index.References(sym.Place)
	if sym.Kind == symbols.Value {
		uses = append(uses, t.index.ValueUses(sym.Place)...)
	}
	for _, r := range uses {
		add(r.Place, r.Length)
	}
	for _, l := range labelsIn(t) {
		if l.declaration == sym.Place {
			add(l.at, l.length)
		}
	}
	for _, o := range attributesOf(t.view, sym) {
		add(o.at, o.length)
	}
	return out
}

// labelsIn returns the labels of a ruleset, where their names stand.
func labelsIn(t *target) []occurrence {
	var out []occurrence
	for _, l := range t.index.Labels(t.rulingsOf(t.index.Ruleset())) {
		if at, ok := nameNear(t.view, l.Place, l.Name); ok {
			out = append(out, occurrence{at, len([]rune(l.Name)), l.Declaration})
		}
	}
	return out
}

// nameNear returns where a name stands of which the book knows the place of the name, of the quote before it, or of the
// value that it labels.
//
// The book notes places for messages, which point at the name, at the quote before it, or at the
// value. The text on the screen decides which of these it is. When none fits, because the text has
// moved, the occurrence is left out rather than guessed.
func nameNear(v *view, at plan.Place, name string) (plan.Place, bool) {
	line := []rune(v.text(at.File).line(at.Line))
	if at.Col < 1 || at.Col > len(line) {
		return at, false
	}
	isHere := func(col int) bool {
		rest, ok := strings.CutPrefix(string(line[col-1:]), name)
		return ok && (rest == "" || !isWordRune([]rune(rest)[0]))
	}
	switch {
	case isHere(at.Col):
		return at, true
	case line[at.Col-1] == '"' && at.Col < len(line) && isHere(at.Col+1):
		at.Col++
		return at, true
	}
	before := strings.TrimRight(string(line[:at.Col-1]), " \t{")
	before, ok := strings.CutSuffix(before, ":")
	before, ok2 := strings.CutSuffix(strings.TrimSuffix(before, `"`), name)
	at.Col = len([]rune(before)) + 1
	return at, ok && ok2 && (before == "" || !isWordRune([]rune(before)[at.Col-2]))
}

// attributesOf returns the places that name a symbol and that the book does not keep: the attribute @key of its table, and
// the option of an erratum.
//
// Attributes are found by text because CUE hands them over as strings without places. A pattern
// that matched in a comment would only rename a word there.
func attributesOf(v *view, sym *symbols.Symbol) []occurrence {
	name := regexp.QuoteMeta(sym.Name)
	var pattern *regexp.Regexp
	switch sym.Kind {
	case symbols.Table:
		pattern = regexp.MustCompile(`@key\((` + name + `)[,)]`)
	case symbols.Option:
		pattern = regexp.MustCompile(`\boption:\s*"(` + name + `)"`)
	default:
		return nil
	}
	var out []occurrence
	for _, file := range filesIn(v, path.Dir(sym.Place.File), ".cue") {
		for i, line := range v.text(file).lines {
			for _, m := range pattern.FindAllStringSubmatchIndex(line, -1) {
				at := plan.Place{File: file, Line: i + 1, Col: len([]rune(line[:m[2]])) + 1}
				out = append(out, occurrence{at, len([]rune(sym.Name)), sym.Place})
			}
		}
	}
	return out
}

// filesIn returns the files of a directory with an extension.
func filesIn(v *view, dir, extension string) []string {
	entries, err := fs.ReadDir(v.buffers.files, dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if path.Ext(e.Name()) == extension && !e.IsDir() {
			out = append(out, path.Join(dir, e.Name()))
		}
	}
	return out
}
