package site

import (
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A changeView is what a homebrew changed in a definition: a part of it, with what it was and what it is.
type changeView struct{ Part, Was, Is string }

// A removedView is a definition that a homebrew took out of the book.
type removedView struct{ Kind, ID string }

// Origin says which homebrews added or changed a definition that one did, in their order.
func (d *definitionView) Origin() string {
	said, rest := "Changed by the homebrew", d.Overlays
	if d.IsAdded {
		said, rest = "Added by the homebrew "+d.Overlays[0], d.Overlays[1:]
		if len(rest) == 0 {
			return said + "."
		}
		said += ", changed by the homebrew"
	}
	if len(rest) > 1 {
		said += "s"
	}
	return said + " " + strings.Join(rest, ", ") + "."
}

// markHomebrews marks the changes of an edition's homebrews, with the text that they replace. If the base is not known,
// each definition only names the homebrews that changed it.
//
// The comparison is of plans and not of sources, the same that "rules diff" prints: a homebrew that replaces a formula
// by an equal one has changed nothing for a reader.
func (b *bookView) markHomebrews(e *library.Edition) {
	if e.Base == nil {
		return
	}
	diff := compare.Compare(e.Base, e.Plan, schedule.Normal)
	for i := range diff.Definitions {
		x := &diff.Definitions[i]
		if x.Verb == "removed" {
			b.Removed = append(b.Removed, removedView{x.Kind, x.ID})
			continue
		}
		d := b.find(x.Kind, x.ID)
		if d == nil {
			continue
		}
		d.IsAdded = x.Verb == "added"
		for _, c := range x.Changes {
			if c.Old != c.New && !d.IsAdded {
				d.Changes = append(d.Changes, changeView{c.Part, c.Old, c.New})
			}
		}
	}
}
