package overlay

import (
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Apply changes a ruleset as homebrews say, in their order.
func Apply(b *book.Ruleset, homebrews []*book.Homebrew, diags *diag.List) {
	o := &overlay{book: b, diags: diags, changed: map[string]change{}}
	for _, h := range homebrews {
		o.brew = h
		o.applyHomebrew()
	}
}

// An overlay carries out one homebrew after the other. It goes on after an error: a player mends all conflicts at once.
type overlay struct {
	book    *book.Ruleset
	brew    *book.Homebrew
	diags   *diag.List
	changed map[string]change // by path
}

// A change is where something was changed, and by which homebrew.
type change struct {
	place plan.Place
	brew  string
	gone  bool // it is not there any more
}

func (o *overlay) applyHomebrew() {
	h := o.brew
	if h.Ruleset.S != o.book.ID {
		o.diags.Addf("overlay-ruleset", h.Ruleset.Place, "homebrew "+h.ID,
			"it changes the ruleset %s, and is used with %s", h.Ruleset.S, o.book.ID)
		return
	}
	mark(h.ID).markDefinitions(h.Adds)
	o.extendCharacters()
	o.addDefinitions()
	if h.Extends != nil {
		mark(h.ID).markExtension(h.Extends)
		o.extendDefinitions(h.Extends)
	}
	for i := range h.Replaces {
		o.replacePart(&h.Replaces[i])
	}
	for i := range h.Disables {
		o.disablePart(&h.Disables[i])
	}
	o.book.Allows = append(o.book.Allows, h.Allows...)
	o.book.Overlays = append(o.book.Overlays, h.ID)
}

// claimPath notes that something is changed, and reports whether nothing had changed it, or a part of it, before.
func (o *overlay) claimPath(path []string, at plan.Place) bool {
	if o.reportTaken(path, at) {
		return false
	}
	o.changed[joinPath(path)] = change{at, o.brew.ID, false}
	return true
}

// reportTaken reports whether something, or what it is a part of, has been changed, and says where. What a definition
// cites is no part of what else is replaced in it.
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
	d.Repair = diag.DidYouMean(path[last], known)
}
