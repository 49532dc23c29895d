package overlay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An overlay carries out one homebrew after the other. It goes on after an error: a player mends all conflicts at once.
type overlay struct {
	book    *book.Ruleset
	current string // the revision of the ruleset; empty when it has none
	brew    *book.Homebrew
	diags   *diag.List
	// Keys are joined with dots, as they are printed.
	changed map[string]change // by path
	// extended are definitions and events, by path: disabling one afterwards would take the extension along.
	extended map[string]change
}

// A change is where something was changed, and by which homebrew.
type change struct {
	place plan.Place
	brew  string
	gone  bool // it is not there any more
}

// claimPath notes that something is changed, and reports whether nothing had changed it, or a part of it, before.
//
// It looks from the whole path upwards: a change of rules.test.let.base conflicts with an earlier
// one of the same path or of one above it. A change above that comes later is not seen here,
// because its expectation fails by then.
func (o *overlay) claimPath(path []string, at plan.Place) bool {
	if o.reportTaken(path, at) {
		return false
	}
	o.changed[joinPath(path)] = change{at, o.brew.ID, false}
	return true
}

// noteExtension notes that something has been extended. Others may extend it too, and replace parts of it.
func (o *overlay) noteExtension(path []string, at plan.Place) {
	o.extended[joinPath(path)] = change{at, o.brew.ID, false}
}

// reportTaken reports whether a definition, or one that it is a part of, has been changed, with a diagnostic that says
// where. The citation of a definition is no part of its other replacements.
func (o *overlay) reportTaken(path []string, at plan.Place) bool {
	for n := len(path); n > 1; n-- {
		first, ok := o.changed[joinPath(path[:n])]
		if ok && (n == len(path) || first.gone || !isCitationPath(path)) {
			o.reportConflict(joinPath(path), at, first)
			return true
		}
	}
	return false
}

func (o *overlay) reportConflict(name string, at plan.Place, first change) {
	d := o.diags.Addf("overlay-conflict", at, "homebrew "+o.brew.ID, "%s is changed twice", name)
	d.Related = append(d.Related, diag.Related{Place: first.place, Message: "homebrew " + first.brew + " changes it here"})
}

// reportUnknown reports a path that leads to nothing.
func (o *overlay) reportUnknown(path []string, at plan.Place, known []string) {
	if o.reportTaken(path, at) {
		return
	}
	last := len(path) - 1
	d := o.diags.Addf("overlay-unknown", at, "homebrew "+o.brew.ID, "there is no %s in %s: %s",
		path[last], strings.Join(append([]string{o.book.ID}, path[:last]...), "."), joinPath(path))
	d.Repair = suggestName(path[last], known, "there are ")
	if path[0] == "rules" && last == 3 && path[2] == "let" && o.hasOutput(path[1], path[3]) {
		d.Repair = fmt.Sprintf("an output shows it, and is replaced: rules: %s: output: %s: {expect: \"...\", with: "+
			"\"...\"}", path[1], path[3])
	}
	if section := o.sectionWith(path[last]); last == 1 && section != "" && section != path[0] {
		d.Repair = fmt.Sprintf("it stands among the %s: %[1]s: %s: ...", section, path[last])
	}
}

// hasOutput reports whether a rule has an output of a name.
func (o *overlay) hasOutput(rule, name string) bool {
	return slices.ContainsFunc(o.book.Rules, func(r *book.Rule) bool {
		return r.ID == rule && slices.ContainsFunc(r.Body.Outputs, func(n book.Named) bool { return n.Name == name })
	})
}

// reportSilent reports a definition that would replace another one without saying so.
func (o *overlay) reportSilent(what string, at, there plan.Place) *diag.Diagnostic {
	d := o.diags.Addf("overlay-silent", at, "homebrew "+o.brew.ID, "%s is there already", what)
	d.Repair = "say what it replaces, under replace, or give it another name"
	d.Related = append(d.Related, diag.Related{Place: there, Message: "the one that is there"})
	return d
}

// markChanged notes that the homebrew has changed a definition, or added it.
func (o *overlay) markChanged(d *book.Definition) {
	if !slices.Contains(d.Overlays, o.brew.ID) {
		d.Overlays = append(slices.Clip(d.Overlays), o.brew.ID)
	}
}

// sectionWith returns the section of the ruleset that has a definition of a name; "" when none has.
func (o *overlay) sectionWith(name string) string {
	switch b := o.book; {
	case slices.ContainsFunc(b.Rules, func(d *book.Rule) bool { return d.ID == name }):
		return "rules"
	case slices.ContainsFunc(b.Procedures, func(d *book.Procedure) bool { return d.ID == name }):
		return "procedures"
	case slices.ContainsFunc(b.Tables, func(d *book.Table) bool { return d.ID == name }):
		return "tables"
	case slices.ContainsFunc(b.Traits, func(d *book.Trait) bool { return d.ID == name }):
		return "traits"
	case slices.ContainsFunc(b.Functions, func(d *book.Function) bool { return d.ID == name }):
		return "functions"
	case slices.ContainsFunc(b.Options, func(d *book.Option) bool { return d.ID == name }):
		return "options"
	}
	return ""
}
