package overlay

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
)

// Apply changes a ruleset as homebrews say, in their order.
func Apply(b *book.Ruleset, homebrews []*book.Homebrew, diags *diag.List) {
	o := &overlay{book: b, diags: diags, changed: map[string]change{}}
	for _, h := range homebrews {
		o.brew = h
		o.applyHomebrew()
	}
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
