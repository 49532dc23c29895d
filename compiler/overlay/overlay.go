package overlay

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
)

// Apply changes a ruleset of a revision, empty when it has none, as homebrews say, in their order.
func Apply(b *book.Ruleset, revision string, homebrews []*book.Homebrew, diags *diag.List) {
	o := newOverlay(b, revision, diags)
	for _, h := range homebrews {
		o.brew = h
		o.applyHomebrew()
	}
}

func newOverlay(b *book.Ruleset, revision string, diags *diag.List) *overlay {
	return &overlay{book: b, current: revision, diags: diags, changed: map[string]change{}, extended: map[string]change{}}
}

// ReportTaken reports the additions of homebrews whose names the ruleset has already, of homebrews that cannot be applied
// because something else is wrong with them. The ruleset is of no use afterwards.
func ReportTaken(b *book.Ruleset, homebrews []*book.Homebrew, diags *diag.List) {
	o := newOverlay(b, "", diags)
	for _, h := range homebrews {
		if h.Ruleset.S == b.ID {
			o.brew = h
			o.addDefinitions()
		}
	}
}

// applyHomebrew carries one homebrew out. The order is part of its meaning: fields of characters come first, since all
// formulas may read them; additions before extensions, replacements and disablings, which may concern them; disabling last,
// so that a replacement of a definition that the same homebrew disables is a conflict and not a missing path. A homebrew of
// another ruleset is not begun, for each of its paths would be reported.
func (o *overlay) applyHomebrew() {
	h := o.brew
	if h.Ruleset.S != o.book.ID {
		o.diags.Addf("overlay-ruleset", h.Ruleset.Place, "homebrew "+h.ID,
			"it changes the ruleset %s, and is used with %s", h.Ruleset.S, o.book.ID).
			Repair = fmt.Sprintf("use it with %s, or write ruleset: %q", h.Ruleset.S, o.book.ID)
		return
	}
	o.noteRevision()
	mark(h.ID).markDefinitions(h.Adds)
	o.addMarks()
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
	o.addWords(h.Words)
	o.book.Allows = append(o.book.Allows, h.Allows...)
	o.book.Overlays = append(o.book.Overlays, h.ID)
}

// addWords puts the words of a homebrew beside those of the ruleset, or in their place: no answer hangs on a word, so that
// it states no expectation, and the last homebrew has its way.
func (o *overlay) addWords(words []*book.Word) {
	o.book.Words = slices.Clone(o.book.Words)
	for _, w := range words {
		w.Overlay = o.brew.ID
		if i := slices.IndexFunc(o.book.Words, func(x *book.Word) bool { return x.Name.S == w.Name.S }); i >= 0 {
			o.book.Words[i] = w
			continue
		}
		o.book.Words = append(o.book.Words, w)
	}
}

// addMarks adds the attributes of the homebrew's fields.
func (o *overlay) addMarks() {
	marks := maps.Clone(o.book.Marks)
	maps.Copy(marks, o.brew.Adds.Marks)
	o.book.Marks = marks
}

// noteRevision notes that the homebrew was written for another revision. It is used all the same: a replacement must state
// its expectation, and one that no longer holds is an error.
func (o *overlay) noteRevision() {
	if o.isForAnother() {
		d := o.diags.Addf("overlay-revision", o.brew.Revision.Place, "homebrew "+o.brew.ID,
			"it was written for %s %s, and this is %s", o.book.ID, o.brew.Revision.S, o.current)
		d.Repair = "look at what has changed with \"rules diff\", then write revision: \"" + o.current + "\""
	}
}

// isForAnother reports whether the homebrew says that it was written for another revision.
func (o *overlay) isForAnother() bool {
	return o.brew.Revision.S != "" && o.current != "" && o.brew.Revision.S != o.current
}
