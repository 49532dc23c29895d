// Package overlay turns a book and homebrews into one book: what they add, extend, replace and disable is carried out, in
// this order, homebrew by homebrew. It imports neither CUE nor CEL, and knows no types: what an overlaid ruleset means is
// checked by the phases after it, as if its author had written all of it.
//
// Invariant: nothing is replaced that is not what the homebrew expects, and nothing is changed twice; where that is so,
// there is a diagnostic that names both places.
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
		o.apply()
	}
}

// An overlay carries out one homebrew after the other.
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

func (o *overlay) apply() {
	h := o.brew
	if h.Ruleset.S != o.book.ID {
		o.diags.Addf("overlay-ruleset", h.Ruleset.Place, "homebrew "+h.ID,
			"it changes the ruleset %s, and is used with %s", h.Ruleset.S, o.book.ID)
		return
	}
	mark(h.ID).all(h.Adds)
	o.characters()
	o.add()
	if h.Extends != nil {
		mark(h.ID).more(h.Extends)
		o.extend(h.Extends)
	}
	for i := range h.Replaces {
		o.replace(&h.Replaces[i])
	}
	for i := range h.Disables {
		o.disable(&h.Disables[i])
	}
	o.book.Allows = append(o.book.Allows, h.Allows...)
	o.book.Overlays = append(o.book.Overlays, h.ID)
}

// change notes that something is changed, and reports whether nothing had changed it, or a part of it, before.
func (o *overlay) change(path []string, at plan.Place) bool {
	if o.taken(path, at) {
		return false
	}
	o.changed[join(path)] = change{at, o.brew.ID, false}
	return true
}

// taken reports whether something, or what it is a part of, has been changed, and says where. What a definition cites is no
// part of what else is replaced in it.
func (o *overlay) taken(path []string, at plan.Place) bool {
	for n := len(path); n > 1; n-- {
		first, ok := o.changed[join(path[:n])]
		if ok && (n == len(path) || first.gone || !citation(path)) {
			o.conflict(join(path), at, first)
			return true
		}
	}
	return false
}

func (o *overlay) conflict(name string, at plan.Place, first change) {
	d := o.diags.Addf("overlay-conflict", at, "homebrew "+o.brew.ID, "%s is changed twice", name)
	d.Related = append(d.Related, diag.Related{Place: first.place, Message: "homebrew " + first.brew + " changes it here"})
}

// unknown reports a path that leads to nothing.
func (o *overlay) unknown(path []string, at plan.Place, known []string) {
	if o.taken(path, at) {
		return
	}
	last := len(path) - 1
	d := o.diags.Addf("overlay-unknown", at, "homebrew "+o.brew.ID, "there is no %s in %s: %s",
		path[last], strings.Join(append([]string{o.book.ID}, path[:last]...), "."), join(path))
	d.Repair = diag.DidYouMean(path[last], known)
}
