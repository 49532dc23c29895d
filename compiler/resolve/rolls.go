package resolve

import (
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

func pointers(list []book.Named) []*book.Named {
	out := make([]*book.Named, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// order sorts the lets and outputs of a scope and reports the cycles among them and the sources.
func (r *resolver) order(named []*book.Named, sources []book.Source, s *Scope, subject string) []*book.Named {
	index := map[*Entity]int{}
	for i, n := range named {
		if e := s.Names[n.Name]; e != nil && e.Named == n {
			index[e] = i
		}
	}
	for i, src := range sources {
		index[s.Names[sourceEntity(src).Name]] = len(named) + i
	}
	var nodes []node
	for _, n := range named {
		nodes = append(nodes, node{name: n.Name, deps: r.readEdges(texts(&n.Formula), index)})
	}
	for _, src := range sources {
		nodes = append(nodes, node{name: sourceEntity(src).Name, deps: r.readEdges(sourceTexts(src), index)})
	}
	of := func(i int) any {
		if i < len(named) {
			return named[i]
		}
		return sources[i-len(named)]
	}
	var out []*book.Named
	for _, i := range r.sorted(nodes, subject+", ", of) {
		if i < len(named) {
			out = append(out, named[i])
		}
	}
	return out
}

// readEdges are the nodes that formulas read.
func (r *resolver) readEdges(list []*book.Text, index map[*Entity]int) []edge {
	var out []edge
	for _, t := range list {
		site := r.out.Sites[t]
		if site == nil {
			continue
		}
		for _, e := range site.Reads {
			if i, ok := index[e]; ok {
				out = append(out, edge{to: i, at: site.place(e)})
			}
		}
	}
	return out
}

// place is where a site first reads an entity.
func (s *Site) place(e *Entity) plan.Place {
	if s.Expr != nil {
		for _, ref := range s.Expr.Refs {
			if ref.Name == e.Name {
				return s.Text.At(ref.Rune)
			}
		}
	}
	return s.Text.At(0)
}

// rolls checks that a source depends, through lets too, only on sources above it.
func (r *resolver) rolls(b *book.Body, s *Scope, subject string) {
	rank := map[*Entity]int{}
	for i, src := range b.Sources {
		rank[s.Names[sourceEntity(src).Name]] = i
	}
	for i, src := range b.Sources {
		if r.out.Broken[src] {
			continue
		}
		own := sourceEntity(src)
		d := dependence{resolver: r, scope: s, seen: map[*Entity]bool{}}
		d.follow(sourceTexts(src), nil)
		for _, on := range d.found {
			if k, ok := rank[on.entity]; ok && k > i {
				r.below(own, on, subject)
			}
		}
	}
}

func (r *resolver) below(own *Entity, on reading, subject string) {
	d := r.diags.Addf("source-order", on.at, subject+", "+own.Name, "%s is rolled before %s, on which it depends", own.Name, on.entity.Name)
	d.Repair = "move " + own.Name + " below " + on.entity.Name
	d.Related = []diag.Related{{Place: on.entity.Place, Message: on.entity.Name + " stands here"}}
}

// A reading is an entity that a source depends on, and where the source's own formula leads to it.
type reading struct {
	entity *Entity
	at     plan.Place
}

// A dependence follows formulas through the lets of their scope.
type dependence struct {
	*resolver
	scope *Scope
	seen  map[*Entity]bool
	found []reading
}

// follow notes what formulas read; from is the place that led to them, nil for the first.
func (d *dependence) follow(list []*book.Text, from *plan.Place) {
	for _, t := range list {
		site := d.out.Sites[t]
		if site == nil {
			continue
		}
		for _, e := range site.Reads {
			if d.seen[e] {
				continue
			}
			d.seen[e] = true
			at := site.place(e)
			if from != nil {
				at = *from
			}
			d.found = append(d.found, reading{e, at})
			if e.Kind == Let && d.scope.Names[e.Name] == e {
				d.follow(texts(&e.Named.Formula), &at)
			}
		}
	}
}
