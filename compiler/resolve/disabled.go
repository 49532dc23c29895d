package resolve

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Disabled reports that a formula needs what a homebrew disables: at the homebrew, which is what must be mended, with the
// place of the formula. It is false when no homebrew disables what stands at the path.
func Disabled(b *book.Ruleset, diags *diag.List, subject string, at plan.Place, path ...string) bool {
	i := slices.IndexFunc(b.Disabled, func(d book.Disabling) bool { return slices.Equal(d.Path, path) })
	if i < 0 {
		return false
	}
	d := &b.Disabled[i]
	out := diags.Addf("overlay-disabled", d.Place, "homebrew "+d.Overlay, "it disables %s, and %s needs it", strings.Join(path, "."), subject)
	out.Repair = "replace what needs it, or disable that too"
	out.Related = []diag.Related{{Place: at, Message: subject + " needs it here"}}
	return true
}

func (r *resolver) disabled(subject string, at plan.Place, path ...string) bool {
	return Disabled(r.out.Book, r.diags, subject, at, path...)
}
