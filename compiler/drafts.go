package compiler

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/compiler/overlay"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Draft is a ruleset as its author has written it so far, whether it compiles or not. It is what an editor knows names
// from.
type Draft struct {
	Rules    *book.Ruleset  // with the homebrew laid over it
	Homebrew *book.Homebrew // nil for none
	Finds    []overlay.Find // what stands where the homebrew expects something, in the order of its replacements
	Revision string         // of the ruleset in rules.cue, as it is written there; empty when it cannot be read
	Released plan.Place     // where that number stands
	Rulings  []book.Ruling  // of the release, as rules.cue has them
}

// Drafts reads the ruleset of a name that src ships, or all that it ships when there is none of that name. Rulesets that
// CUE cannot read are left out.
func Drafts(src load.Source, name string) []*Draft {
	names := load.Names(src)
	if slices.Contains(names, name) {
		names = []string{name}
	}
	var out []*Draft
	for _, name := range names {
		var diags diag.List
		for _, r := range load.Release(src, &diags, name) {
			if r.Rules != nil {
				out = append(out, &Draft{Rules: r.Rules, Revision: r.Revision.S, Released: r.Revision.Place,
					Rulings: r.Rulings})
			}
		}
	}
	return out
}

// HomebrewDraft reads a ruleset that src ships and a homebrew of it, in the module h. It is nil when CUE cannot read one of
// them.
func HomebrewDraft(src load.Source, id string, h load.Source) *Draft {
	var diags diag.List
	releases := load.Release(src, &diags, id)
	brew := load.Homebrew(h, &diags)
	if len(releases) == 0 || releases[0].Rules == nil || brew == nil {
		return nil
	}
	r := releases[0]
	out := &Draft{Rules: r.Rules, Homebrew: brew, Finds: overlay.FindExpected(r.Rules, brew), Revision: r.Revision.S}
	overlay.Apply(r.Rules, r.Revision.S, []*book.Homebrew{brew}, &diags)
	return out
}
