package symbols

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Row is a row of a table of the ruleset.
type Row struct {
	Table string
	Key   string // empty where keys are numbers
	Place plan.Place
}

// RowAt returns the row that begins on the line of a place, at it or before it; of several the last.
func (x *Index) RowAt(at plan.Place) (Row, bool) {
	var out Row
	for _, t := range x.book.Tables {
		for _, r := range t.Rows {
			begins := r.Place.File == at.File && r.Place.Line == at.Line && r.Place.Col <= at.Col
			if begins && (out.Table == "" || r.Place.Col > out.Place.Col) {
				out = Row{Table: t.ID, Place: r.Place}
				if !t.Kind.HasNumbers() {
					out.Key = r.Key
				}
			}
		}
	}
	return out, out.Table != ""
}

// RowUsers lists where formulas use a row: where its key is written out, and where the table is looked up by a key that is
// computed, which may be this one. Look-ups by the written keys of other rows are left out.
// A computed key may be any row's, so such a look-up is listed for each: rather one too many than
// one that an author overlooks when he removes a row.
func (x *Index) RowUsers(r Row) []Reference {
	var out []Reference
	for _, t := range x.texts {
		for _, u := range x.rowUsersIn(t, r) {
			if !slices.Contains(out, u) {
				out = append(out, u)
			}
		}
	}
	return out
}

func (x *Index) rowUsersIn(t book.Part, r Row) []Reference {
	if len(t.Runs) == 0 {
		return nil
	}
	var out []Reference
	f := formula{t, syntax.Tokens(t.S)}
	for i := range f.tokens {
		switch word := f.tokenText(i); {
		case word == r.Table && f.tokenText(i+1) == "(":
			key, at, written := f.stringAfter(i + 1)
			if next := f.tokenText(i + 2); !written || next != ")" && next != "," {
				out = append(out, Reference{t.At(f.tokens[i].Offset), len([]rune(word))})
			} else if key == r.Key {
				out = append(out, Reference{at, len([]rune(key))})
			}
		// A key that is compared is a use too: removing its row makes the comparison dead.
		case i > 0 && (word == "==" || word == "!="):
			key, at, written := f.stringAfter(i)
			u, known := x.UseAt(t, f.tokens[i-1].Offset)
			if written && key == r.Key && known && strings.Contains(u.Symbol.Detail, "a key of "+r.Table) {
				out = append(out, Reference{at, len([]rune(key))})
			}
		}
	}
	return out
}

// A formula is one with its tokens, between which its strings stand.
type formula struct {
	text   book.Part
	tokens []syntax.Token
}

// tokenText returns the text of a token; empty where there is none.
func (f *formula) tokenText(i int) string {
	if i >= len(f.tokens) {
		return ""
	}
	return f.text.S[f.tokens[i].From:f.tokens[i].To]
}

// stringAfter returns the string literal behind a token, without its quotes, and the place of its first character; not ok
// where something else stands there.
//
// Tokens pass strings over, so a literal is the text between two tokens. One that has something else beside it, such as a
// comment, is not taken for a literal: a row that is used is listed at its look-up instead.
func (f *formula) stringAfter(i int) (s string, at plan.Place, ok bool) {
	end := len(f.text.S)
	if i+1 < len(f.tokens) {
		end = f.tokens[i+1].From
	}
	between := f.text.S[f.tokens[i].To:end]
	s = strings.TrimSpace(between)
	if len(s) < 2 || s[0] != '\'' && s[0] != '"' || s[len(s)-1] != s[0] {
		return "", plan.Place{}, false
	}
	before := f.text.S[:f.tokens[i].To] + between[:strings.Index(between, s)] + s[:1]
	return s[1 : len(s)-1], f.text.At(len([]rune(before))), true
}
