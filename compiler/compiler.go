// Package compiler turns rulesets written in CUE and CEL into plans. It only puts the phases one behind the other; each
// has a package of its own, and RATIONALE.md says why they are as they are.
//
// Invariant: there is a plan only when no phase found an error, and then plan.Verify holds for it.
package compiler

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/analyse"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/compiler/lower"
	"github.com/tabletop-rules/rules/compiler/overlay"
	"github.com/tabletop-rules/rules/compiler/resolve"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Options say how plans are made.
type Options struct {
	Cover   bool // count the branches that are taken
	Analyse bool // report what is odd without being wrong too
}

// Release compiles the rulesets that rules.cue at the root of src ships, or only those named, in the order of rules.cue.
// When anything is wrong with one of them there are no plans, and the diagnostics say what.
func Release(src load.Source, o Options, only ...string) ([]*plan.Plan, []diag.Diagnostic) {
	var diags diag.List
	releases := load.Release(src, &diags, only...)
	plans := compile(releases, o, &diags)
	return plans, allowed(releases, o, &diags)
}

// Directory compiles the ruleset in one directory of src, "." for its root. It is nil when anything is wrong with it.
func Directory(src load.Source, dir string, o Options) (*plan.Plan, []diag.Diagnostic) {
	var diags diag.List
	b := load.Directory(src, dir, &diags)
	if b == nil {
		return nil, diags.Sorted()
	}
	return one([]*book.Release{{Name: b.ID, Rules: b}}, o, &diags)
}

// Book compiles a ruleset that has been loaded. It is nil when anything is wrong with it. The book is not changed.
func Book(r *book.Release, o Options) (*plan.Plan, []diag.Diagnostic) {
	var diags diag.List
	return one([]*book.Release{r}, o, &diags)
}

// Homebrew compiles a ruleset that src ships, changed by homebrews: each the module of one, applied in their order. It is
// nil when anything is wrong with one of them.
func Homebrew(src load.Source, id string, homebrews []load.Source, o Options) (*plan.Plan, []diag.Diagnostic) {
	var diags diag.List
	releases := load.Release(src, &diags, id)
	var list []*book.Homebrew
	for _, h := range homebrews {
		if b := load.Homebrew(h, &diags); b != nil {
			list = append(list, b)
		}
	}
	if len(releases) == 0 || diags.Failed() {
		unshipped(src, id, list, &diags)
		return nil, diags.Sorted()
	}
	overlay.Apply(releases[0].Rules, list, &diags)
	releases[0].Rulings = slices.DeleteFunc(releases[0].Rulings, func(r book.Ruling) bool { return changed(releases[0].Rules, r.Option) })
	return one(releases, o, &diags)
}

// unshipped reports homebrews of a ruleset that the module does not ship.
func unshipped(src load.Source, id string, homebrews []*book.Homebrew, diags *diag.List) {
	names := load.Names(src)
	for _, h := range homebrews {
		if !slices.Contains(names, id) {
			d := diags.Addf("overlay-ruleset", h.Ruleset.Place, "homebrew "+h.ID, "there is no ruleset %s", id)
			d.Repair = diag.DidYouMean(id, names)
		}
	}
}

// changed reports whether a homebrew plays an option in another way: then the release's ruling no longer counts.
func changed(b *book.Ruleset, option string) bool {
	return slices.ContainsFunc(b.Options, func(o *book.Option) bool { return o.ID == option && o.Overlay != "" })
}

// one compiles the only ruleset of a list.
func one(releases []*book.Release, o Options, diags *diag.List) (*plan.Plan, []diag.Diagnostic) {
	plans := compile(releases, o, diags)
	if plans == nil {
		return nil, allowed(releases, o, diags)
	}
	return plans[0], allowed(releases, o, diags)
}

// allowed are the diagnostics that no ruleset allows.
func allowed(releases []*book.Release, o Options, diags *diag.List) []diag.Diagnostic {
	list := diags.Sorted()
	if !o.Analyse {
		return list
	}
	for _, r := range releases {
		list = analyse.Allow(r.Rules, list)
	}
	return list
}

// compile is the pipeline behind load: names, then types, of all rulesets; then, when nothing is wrong, plans.
func compile(releases []*book.Release, o Options, diags *diag.List) []*plan.Plan {
	checked := typed(releases, diags)
	if diags.Failed() {
		return nil
	}
	return lowered(checked, releases, o, diags)
}

// typed resolves the names of rulesets, and finds their types.
func typed(releases []*book.Release, diags *diag.List) []*check.Ruleset {
	var out []*check.Ruleset
	for _, r := range releases {
		resolve.Rulings(r.Rules, r.Rulings, diags)
		out = append(out, check.Run(resolve.Run(r.Rules, diags), diags))
	}
	return out
}

// lowered makes plans of rulesets with which nothing is wrong.
func lowered(checked []*check.Ruleset, releases []*book.Release, o Options, diags *diag.List) []*plan.Plan {
	var out []*plan.Plan
	for i, r := range releases {
		out = append(out, lower.Ruleset(checked[i], lowering(r, o)))
		if o.Analyse {
			analyse.Run(out[i], r.Rules, diags)
		}
	}
	return out
}

func lowering(r *book.Release, o Options) lower.Options {
	rulings := map[string]string{}
	for _, x := range r.Rulings {
		rulings[x.Option] = x.Value.S
	}
	return lower.Options{Revision: r.Revision.S, Rulings: rulings, Cover: o.Cover}
}
