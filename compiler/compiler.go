// Package compiler turns rulesets written in CUE and CEL into plans. It only puts the phases one behind the other, in the
// function compile; each phase is a package of its own, takes what the one before made and makes a type of its own:
//
//	load      the files      -> book.Ruleset       what the author wrote, as data, with places
//	overlay   + homebrews    -> book.Ruleset       the same, as if the author had written all of it; load then holds the
//	                                               rows of homebrews to what CUE says of all rows of their tables
//	check     book.Ruleset   -> check.Ruleset      what every name stands for, and every type
//	lint      check.Ruleset  -> diagnostics        what is odd without being wrong
//	lower     check.Ruleset  -> plan.Plan          one graph for each rule
//	words     + sentences    -> Plan.Words         what people read of an answer
//	analyse   plan.Plan      -> diagnostics        what only values tell: rows that nothing reaches, look-ups that fail
//
// # The way of a formula
//
// A rule of tempestas has the output
//
//	active_value: "base - penalty - hard"
//
// load asks CUE for the value of the field and keeps the string as a [book.Text]: the string itself, and where it stands.
// No later phase copies it; each part of it is an offset, and a place when somebody has to be told.
//
// check has an object for active_value, a *check.Let, and none of its names means anything yet. To give it a type, the text
// is parsed (package syntax); base, penalty and hard are looked up in the scope of the rule and typed first, each in the
// same way; then CEL finds that both minus signs are "subtract_int64". What results is three references and two calls:
//
//	subtract_int64(subtract_int64(base, penalty), hard)
//
// lower has a value for each let, made when the first formula reads it: a node of the rule's graph, and a second one that
// says whether the first could be computed. A subtraction of integers can overflow, so each call becomes two nodes:
//
//	%84 = sub.int %57 %82           %85 = sub.int.fault %57 %82       at the first minus
//	%94 = sub.int %84 %91           %95 = sub.int.fault %84 %91       at the second
//
// The output is %94, and fails with the first of the faults of its operands and its own. Functions, traits and used rules
// are written out in the same way, so that a rule is one graph without calls.
//
// At run time package schedule orders the nodes that are needed for what is asked, leaves out the faults that the bounds of
// the input exclude, and gives each value a slot; the instructions run over a flat frame of slots; the slot of active_value
// is written into the sheet as "active_value": 35.
//
// # The way of a die
//
//	dice: roll: die: 100
//
// is a book.Die, whose faces are a formula like any other: an author may write "input.die". check makes it an object of
// type int, or list(int) where there is a count, and bounds the count. lower makes it a roll, a node that stands where it
// is written and has an effect, so it is neither moved nor left out:
//
//	%43 = roll %0 %41 %42 %18       guard, faces, count, and the fault of these
//
// It takes the face that was given under the name roll, or draws one from the seed; for odds every face is taken in turn.
// Dice in notation, "4d6kh3 + 2", become rolls and the operations on their faces.
//
// Invariant: there is a plan only when no phase found an error, and then plan.Verify holds for it.
package compiler

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/analyse"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/lint"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/compiler/lower"
	"github.com/tabletop-rules/rules/compiler/overlay"
	"github.com/tabletop-rules/rules/compiler/words"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Options say how plans are made.
type Options struct {
	Cover bool // count the branches that are taken
	// Functions says to make graphs of functions too, which cases of functions ask.
	Functions bool
	Analyse   bool         // report what is odd without being wrong too
	Bounds    bool         // report ints without bounds that formulas compute with too, if they analyse
	Open      []OpenColumn // words that columns may have beside those in their cells
}

// A result is what became of one ruleset.
type result struct {
	release  *book.Release
	typed    *check.Ruleset // until it is lowered
	plan     *plan.Plan     // nil when something is wrong, and before it is lowered
	analysed bool
	odd      diag.List // what the analysis found; it counts only when nothing is wrong with any ruleset
}

// compile carries a ruleset through the phases behind load, as far as lower. A release, a directory, a homebrew and a
// session differ in their sources and in nothing else. Warnings about the plan are left to finish, once no ruleset has an
// error.
func compile(r *book.Release, homebrews []*book.Homebrew, o Options, diags *diag.List) *result {
	openColumns(r.Rules, o.Open)
	out := checkRelease(r, homebrews, diags)
	if !diags.Failed() {
		out.lower(o, diags)
	}
	return out
}

// checkRelease carries a ruleset through the phases that understand it. When they find no error, lower goes on.
func checkRelease(r *book.Release, homebrews []*book.Homebrew, diags *diag.List) *result {
	overlay.Apply(r.Rules, r.Revision.S, homebrews, diags)
	load.CheckRows(r.Rules, diags)
	r.Rulings = slices.DeleteFunc(r.Rulings, func(x book.Ruling) bool { return isOverlaid(r.Rules, x.Option) })
	check.CheckRulings(r.Rules, r.Rulings, diags)
	typed := check.Check(r.Rules, diags)
	lint.Check(typed, diags)
	return &result{release: r, typed: typed}
}

// lower makes the plan of a ruleset that has no error so far.
func (x *result) lower(o Options, diags *diag.List) {
	r := x.release
	x.plan = lower.Ruleset(x.typed, lower.Options{Revision: r.Revision.S, Rulings: valuesOf(r.Rulings), Cover: o.Cover,
		Functions: o.Functions})
	if o.Analyse && o.Bounds {
		lint.CheckBounds(x.typed, &x.odd)
	}
	x.typed = nil
	x.plan.Words = words.Make(r.Rules, x.plan, diags)
	if analyse.CheckDecisions(x.plan, diags); diags.Failed() {
		x.plan = nil
	}
}

// analyse adds the warnings about a plan, once, if they are asked for.
func (x *result) analyse(o Options) {
	if o.Analyse && x.plan != nil && !x.analysed {
		analyse.Run(x.plan, x.release.Rules, &x.odd)
		x.analysed = true
	}
}

// isOverlaid reports whether a homebrew plays an option in another way: then the release's ruling no longer counts.
func isOverlaid(b *book.Ruleset, option string) bool {
	return slices.ContainsFunc(b.Options, func(o *book.Option) bool { return o.ID == option && len(o.Overlays) > 0 })
}

func valuesOf(rulings []book.Ruling) map[string]string {
	out := map[string]string{}
	for _, x := range rulings {
		out[x.Option] = x.Value.S
	}
	return out
}

// finish returns the plans, or none if any ruleset has an error, and the diagnostics that no ruleset allows.
func finish(all []*result, o Options, diags *diag.List) ([]*plan.Plan, []diag.Diagnostic) {
	var plans []*plan.Plan
	if !diags.Failed() {
		for _, x := range all {
			x.analyse(o)
			plans = append(plans, x.plan)
			diags.Join(&x.odd)
		}
	}
	list := diags.Sorted()
	if o.Analyse {
		for _, x := range all {
			list = analyse.Allow(x.release.Rules, list)
		}
	}
	return plans, list
}

// Release returns the plans of the rulesets that rules.cue at the root of src ships, or only of those named, in the order
// of rules.cue. If any of them has an error there are no plans, and the diagnostics have it.
func Release(src load.Source, o Options, only ...string) ([]*plan.Plan, []diag.Diagnostic) {
	var diags diag.List
	var all []*result
	releases := load.Release(src, &diags, only...)
	if len(only) == 0 {
		load.ReportIdlePackages(src, &diags)
	}
	misread := diags.Failed() // what was read is then not whole, and only its names and types can be judged
	for _, r := range releases {
		if misread {
			all = append(all, compile(r, nil, o, &diags))
			continue
		}
		var found diag.List // a ruleset in order is carried on beside one that is not
		all = append(all, compile(r, nil, o, &found))
		diags.Join(&found)
	}
	return finish(all, o, &diags)
}

// Directory compiles the ruleset in one directory of src, "." for its root. It is nil when anything is wrong with it.
func Directory(src load.Source, dir string, o Options) (*plan.Plan, []diag.Diagnostic) {
	var diags diag.List
	b := load.Directory(src, dir, &diags)
	if b == nil {
		return nil, diags.Sorted()
	}
	return single(finish([]*result{compile(&book.Release{Name: b.ID, Rules: b}, nil, o, &diags)}, o, &diags))
}

// Book compiles a ruleset that has been loaded. It is nil when anything is wrong with it.
func Book(r *book.Release, o Options) (*plan.Plan, []diag.Diagnostic) {
	var diags diag.List
	return single(finish([]*result{compile(r, nil, o, &diags)}, o, &diags))
}

// Homebrew compiles a ruleset that src ships, changed by homebrews: each the module of one, applied in their order. It is
// nil when anything is wrong with one of them.
func Homebrew(src load.Source, id string, homebrews []load.Source, o Options) (*plan.Plan, []diag.Diagnostic) {
	var diags diag.List
	release, list := readHomebrews(src, id, homebrews, &diags)
	if release == nil {
		return nil, diags.Sorted()
	}
	return single(finish([]*result{compile(release, list, o, &diags)}, o, &diags))
}

// readHomebrews reads a ruleset that src ships and the homebrews that change it. There is none when anything is wrong with
// one of them.
func readHomebrews(
	src load.Source, id string, homebrews []load.Source, diags *diag.List,
) (*book.Release, []*book.Homebrew) {
	releases := load.Release(src, diags, id)
	var list []*book.Homebrew
	for _, h := range homebrews {
		if b := load.Homebrew(h, diags); b != nil {
			list = append(list, b)
		}
	}
	if len(releases) > 0 && diags.Failed() {
		overlay.ReportTaken(releases[0].Rules, list, diags)
	}
	if len(releases) == 0 || diags.Failed() {
		reportUnshipped(src, id, list, diags)
		return nil, nil
	}
	return releases[0], list
}

// single returns the only plan of a list, and nil when something was wrong.
func single(plans []*plan.Plan, list []diag.Diagnostic) (*plan.Plan, []diag.Diagnostic) {
	if len(plans) == 0 {
		return nil, list
	}
	return plans[0], list
}

// reportUnshipped reports homebrews of a ruleset that the module does not ship.
func reportUnshipped(src load.Source, id string, homebrews []*book.Homebrew, diags *diag.List) {
	names := load.Names(src)
	for _, h := range homebrews {
		if !slices.Contains(names, id) {
			d := diags.Addf("overlay-ruleset", h.Ruleset.Place, "homebrew "+h.ID, "there is no ruleset %s", id)
			if d.Repair = diag.DidYouMean(id, names); d.Repair == "" && len(names) > 0 {
				d.Repair = "there are " + strings.Join(names, ", ") + "; --dir names another module"
			}
		}
	}
}
