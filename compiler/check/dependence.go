package check

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// readLater returns where texts read, through lets too, sources of a body that stand behind the last-th. For last = 0, the
// source at index 0 itself is no later one; -1 asks for all sources.
func (c *checker) readLater(b *Body, s *Scope, texts []*book.Text, last int) (out []reading) {
	d := dependence{checker: c, scope: s, seen: map[Object]bool{}}
	d.followTexts(texts, nil)
	for _, on := range d.found {
		if slices.ContainsFunc(b.Sources[last+1:],
			func(src Source) bool { return s.names[src.Object().Name()] == on.object }) {
			out = append(out, on)
		}
	}
	return out
}

// A dependence follows texts through the lets of their scope. What is found stands at the place in the first text that
// leads to it.
type dependence struct {
	*checker
	scope *Scope
	seen  map[Object]bool
	found []reading
}

// followTexts notes the reads of texts; from is the place that led to them, nil for the first.
func (d *dependence) followTexts(list []*book.Text, from *plan.Place) {
	for _, t := range list {
		s := d.sites[t]
		if s == nil {
			continue
		}
		for _, r := range s.reads {
			if d.seen[r.object] {
				continue
			}
			d.seen[r.object] = true
			if from != nil {
				r.place = *from
			}
			d.found = append(d.found, r)
			if let, ok := r.object.(*Let); ok && d.scope.names[let.name] == r.object {
				d.followTexts(textsOf(let), &r.place)
			}
		}
	}
}
