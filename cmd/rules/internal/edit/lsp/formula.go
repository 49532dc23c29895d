package lsp

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/syntax"
)

// A formulaText is the formula that a request is about, split into tokens, which a half-written one has too.
//
// Tokens and not a syntax tree, throughout: signature help, brackets and highlights are wanted most
// while the formula does not parse.
type formulaText struct {
	text   book.Part
	tokens []syntax.Token
	offset int // of the request, in code points
}

// formulaAt returns the one at the place of a request.
func formulaAt(t *target) (formulaText, bool) {
	text, offset, ok := t.index.At(t.at)
	if !ok {
		return formulaText{}, false
	}
	return formulaText{text, syntax.Tokens(text.S), offset}, true
}

// tokenText returns the text of a token.
func (f *formulaText) tokenText(i int) string { return f.text.S[f.tokens[i].From:f.tokens[i].To] }

// bracketPairs returns the tokens of a formula that open and close each other: from each of them to the other.
func (f *formulaText) bracketPairs() map[int]int {
	closing := map[string]string{"(": ")", "[": "]", "{": "}"}
	pairs := map[int]int{}
	var open []int
	for i := range f.tokens {
		word := f.tokenText(i)
		if closing[word] != "" {
			open = append(open, i)
		} else if n := len(open); n > 0 && closing[f.tokenText(open[n-1])] == word {
			pairs[i], pairs[open[n-1]] = open[n-1], i
			open = open[:n-1]
		}
	}
	return pairs
}

// enclosingCall returns the innermost call around the offset: the token of the name that is called, and the number of
// arguments that are complete before the offset.
//
// A bracket that is never closed is the usual case: the call is being written. So open brackets are kept on a stack up to
// the cursor, and the text behind it is not looked at.
func (f *formulaText) enclosingCall() (name, argument int, ok bool) {
	type opened struct{ token, commas int }
	var open []opened
	for i := range f.tokens {
		if f.tokens[i].Offset >= f.offset {
			break
		}
		switch f.tokenText(i) {
		case "(", "[", "{":
			open = append(open, opened{token: i})
		case ")", "]", "}":
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case ",":
			if len(open) > 0 {
				open[len(open)-1].commas++
			}
		}
	}
	for _, o := range slices.Backward(open) {
		if f.tokenText(o.token) == "(" && o.token > 0 && f.tokens[o.token-1].Class == syntax.NameToken {
			return o.token - 1, o.commas, true
		}
	}
	return 0, 0, false
}

// helpSignature returns the parameters of the call around the cursor, and which of them is being written.
func helpSignature(s *snapshot, p documentPosition) *signatureHelp {
	t, ok := s.locateTarget(p)
	if !ok {
		return nil
	}
	f, ok := formulaAt(t)
	if !ok {
		return nil
	}
	name, argument, ok := f.enclosingCall()
	if !ok {
		return nil
	}
	use, ok := t.index.UseAt(f.text, f.tokens[name].Offset)
	if !ok {
		return nil
	}
	out := &signatureHelp{ActiveParameter: argument, Signatures: []signature{}}
	for _, form := range symbols.SignaturesOf(&use.Symbol, len(use.Chain) > 1) {
		if out.ActiveSignature == len(out.Signatures) && len(form.Params) <= argument {
			out.ActiveSignature++ // the first one that has so many
		}
		shown := signature{Label: form.Text, Parameters: []parameter{}}
		for _, param := range form.Params {
			shown.Parameters = append(shown.Parameters, parameter{param})
		}
		if text := documentationOf(&use.Symbol); text != "" {
			shown.Documentation = &markupContent{"markdown", text}
		}
		out.Signatures = append(out.Signatures, shown)
	}
	if len(out.Signatures) == 0 {
		return nil
	}
	out.ActiveSignature = min(out.ActiveSignature, len(out.Signatures)-1)
	return out
}

// findHighlights returns the bracket that belongs to the one at the cursor, with it, or the uses of the name there in its
// file.
func findHighlights(s *snapshot, p documentPosition) []highlight {
	out := []highlight{}
	t, ok := s.locateTarget(p)
	if !ok {
		return out
	}
	if f, ok := formulaAt(t); ok {
		pairs := f.bracketPairs()
		for i := range f.tokens {
			other, paired := pairs[i]
			if at := f.tokens[i].Offset; paired && (at == f.offset || at+1 == f.offset) {
				for _, k := range []int{i, other} {
					out = append(out, highlight{t.spanAt(f.text.At(f.tokens[k].Offset), 1)})
				}
				return out
			}
		}
	}
	if sym, ok := declaredAt(t); ok {
		for _, o := range occurrencesOf(t, &sym) {
			if o.at.File == t.at.File {
				out = append(out, highlight{t.spanAt(o.at, o.length)})
			}
		}
	}
	return out
}

// findFolds returns the formulas of a file that take several lines.
func findFolds(s *snapshot, p documentParams) []foldingRange {
	out := []foldingRange{}
	file, x, ok := s.rulesetOf(p.TextDocument.URI)
	if !ok {
		return out
	}
	for _, t := range x.Texts() {
		if t.Place.File != file || len(t.Runs) < 2 {
			continue
		}
		first, last := t.Runs[0].Place.Line, t.At(len([]rune(strings.TrimRight(t.S, "\n")))).Line
		if last > first {
			out = append(out, foldingRange{first - 1, last - 1})
		}
	}
	return slices.Compact(out)
}
