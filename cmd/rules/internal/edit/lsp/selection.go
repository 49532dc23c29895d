package lsp

import (
	"cmp"
	"slices"

	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// findSelections returns, for each position, the ranges that an editor selects one after another: the word, the brackets
// around it with the name that is called, the formula; then the brackets of CUE with the field that they are of, and the
// file.
func findSelections(s *snapshot, p selectionParams) []selectionRange {
	out := []selectionRange{}
	file, ok := s.fileOf(p.TextDocument.URI)
	if !ok {
		return out
	}
	text := s.text(file)
	for _, at := range p.Positions {
		t, _ := s.locateTarget(documentPosition{p.TextDocument, at})
		place := text.placeOf(file, at, s.encoding)
		spans := bracketSpans(text, place, s.encoding)
		if t != nil {
			spans = append(spans, formulaSpans(t)...)
		}
		whole := span{End: text.positionOf(len(text.lines), len([]rune(text.line(len(text.lines))))+1, s.encoding)}
		out = append(out, nestSpans(append(spans, whole), at))
	}
	return out
}

// nestSpans returns the chain of those ranges that have a position, from the narrowest on. One that only overlaps those
// inside of it is left out: the protocol wants each to contain the one before.
func nestSpans(spans []span, at position) selectionRange {
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(comparePositions(b.Start, a.Start), comparePositions(a.End, b.End))
	})
	chain := []span{{at, at}}
	for _, x := range spans {
		last := chain[len(chain)-1]
		if comparePositions(x.Start, last.Start) <= 0 && comparePositions(last.End, x.End) <= 0 && x != last {
			chain = append(chain, x)
		}
	}
	var out *selectionRange
	for _, x := range slices.Backward(chain[min(1, len(chain)-1):]) {
		out = &selectionRange{x, out}
	}
	return *out
}

func comparePositions(a, b position) int { return cmp.Or(a.Line-b.Line, a.Character-b.Character) }

// formulaSpans returns the ranges in the formula at a place: its token there, the texts in brackets, the calls that these
// are of, and the whole formula.
func formulaSpans(t *target) []span {
	f, ok := formulaAt(t)
	if !ok {
		return nil
	}
	between := func(from, to int) span {
		return span{t.spanAt(f.text.At(from), 1).Start, t.spanAt(f.text.At(to), 1).Start}
	}
	out := []span{between(0, len([]rune(f.text.S)))}
	length := func(i int) int { return len([]rune(f.tokenText(i))) }
	for i := range f.tokens {
		if from := f.tokens[i].Offset; from <= f.offset && f.offset <= from+length(i) {
			out = append(out, between(from, from+length(i)))
		}
	}
	for open, closing := range f.bracketPairs() {
		if closing < open || f.tokens[open].Offset >= f.offset || f.offset > f.tokens[closing].Offset {
			continue
		}
		end := f.tokens[closing].Offset
		out = append(out, between(f.tokens[open].Offset+1, end), between(f.tokens[open].Offset, end+1))
		if open > 0 && f.tokens[open-1].Class == syntax.NameToken {
			out = append(out, between(f.tokens[open-1].Offset, end+1))
		}
	}
	return out
}

// bracketSpans returns the ranges of the brackets of CUE around a place, and of the lines of their fields.
func bracketSpans(text *textFile, at plan.Place, e encoding) (out []span) {
	var open []plan.Place
	for n := range text.lines {
		for i, c := range outsideStrings([]rune(text.lines[n]), 0) {
			here := plan.Place{File: at.File, Line: n + 1, Col: i + 1}
			switch c {
			case '{', '[', '(':
				open = append(open, here)
			case '}', ']', ')':
				if len(open) == 0 {
					continue
				}
				first := open[len(open)-1]
				open = open[:len(open)-1]
				if isBeforePlace(at, first) || isBeforePlace(here, at) {
					continue
				}
				end := text.positionOf(here.Line, here.Col+1, e)
				indent := len([]rune(indentOf(text.line(first.Line))))
				out = append(out, span{text.positionOf(first.Line, first.Col, e), end},
					span{text.positionOf(first.Line, indent+1, e), end})
			}
		}
	}
	return out
}
