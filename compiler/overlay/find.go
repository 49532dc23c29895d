package overlay

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Find is what stands in a ruleset where a homebrew expects something.
type Find struct {
	Place    plan.Place // of what the homebrew expects
	Text     string     // what stands there, in the form in which messages show it; of rows, the first line that differs
	Expected bool       // it is what the homebrew expects
}

// FindExpected returns the text at each replacement of a homebrew, in their order, before the homebrew is applied.
// Replacements of a missing definition are left out: Apply reports them. Package compiler gives it to editors (Draft):
// which replacements of a homebrew that is being written hold, and which text stands there.
func FindExpected(b *book.Ruleset, h *book.Homebrew) []Find {
	if h.Ruleset.S != b.ID {
		return nil
	}
	var out []Find
	for i := range h.Replaces {
		r := &h.Replaces[i]
		t, s := findTarget(b, r.Path)
		if t == nil || !s.isAtEnd() || r.Expect.Place.File == "" {
			continue
		}
		was, want := t.normalForm(), t.normalFormOf(&r.Expect)
		x := Find{Place: r.Expect.Place, Text: was, Expected: was == want}
		if t.table != nil && !x.Expected {
			_, x.Text, _ = firstDifference(want, was, "")
		}
		out = append(out, x)
	}
	return out
}
