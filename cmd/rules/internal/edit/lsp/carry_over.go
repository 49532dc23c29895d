package lsp

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// carryOver returns diagnostics of an earlier view at the present places of their lines. Lines keep their places up to the
// first that has changed in a file, and behind the last, counted from the end; those between are taken for new, and their
// diagnostics are left out.
//
// The result is a guess that costs no compilation: an edit in the middle of a file leaves the lines above and below it as
// they were. It is wrong only until the next second step, and never for errors, which are found anew each time.
func carryOver(list []diag.Diagnostic, earlier, now *view) []diag.Diagnostic {
	var out []diag.Diagnostic
	for _, d := range list {
		at, ok := movePlace(d.Place, earlier, now)
		if !ok {
			continue
		}
		d.Place = at
		related := d.Related
		d.Related = nil
		for _, r := range related {
			if r.Place, ok = movePlace(r.Place, earlier, now); ok {
				d.Related = append(d.Related, r)
			}
		}
		out = append(out, d)
	}
	return out
}

// movePlace returns the present place of a place of an earlier view; not ok if its line has changed.
//
// It compares lines from both ends instead of computing a true difference: a person types nearly always one stretch between
// two compilations. Two distant edits only mean that the diagnostics between them are left out for a second.
func movePlace(at plan.Place, earlier, now *view) (plan.Place, bool) {
	if !now.isOwnFile(at.File) {
		return at, true
	}
	old, new := earlier.text(at.File).lines, now.text(at.File).lines
	if slices.Equal(old, new) || at.Line == 0 {
		return at, true
	}
	shared := min(len(old), len(new))
	head := 0
	for head < shared && old[head] == new[head] {
		head++
	}
	tail := 0
	for tail < shared-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	switch {
	case at.Line <= head:
		return at, true
	case at.Line > len(old)-tail:
		at.Line += len(new) - len(old)
		return at, true
	}
	return at, false
}
