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
	of := func(i int) any {
		if i < len(named) {
			return named[i]
		}
		return sources[i-len(named)]
	}
	nodes := make([]node, len(named)+len(sources))
	for i, n := range named {
		if e := s.Names[n.Name]; e != nil && e.Named == n {
			index[e] = i
		}
		nodes[i].name = n.Name
	}
	for i, src := range sources {
		e := sourceEntity(src)
		nodes[len(named)+i].name = e.Name
		index[s.Names[e.Name]] = len(named) + i
	}
	for i := range nodes {
		var list []*book.Text
		if i < len(named) {
			list = texts(&named[i].Formula)
		} else {
			list = sourceTexts(sources[i-len(named)])
		}
		nodes[i].deps = r.readEdges(list, index)
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
		if !r.out.Broken[src] {
			r.roll(i, src, rank, s, subject)
		}
	}
}

func (r *resolver) roll(i int, src book.Source, rank map[*Entity]int, s *Scope, subject string) {
	own := sourceEntity(src)
	seen := map[*Entity]bool{}
	var follow func(texts []*book.Text, at plan.Place)
	follow = func(list []*book.Text, at plan.Place) {
		for _, t := range list {
			site := r.out.Sites[t]
			if site == nil {
				continue
			}
			for _, e := range site.Reads {
				place := at
				if place.File == "" {
					place = site.place(e)
				}
				if seen[e] {
					continue
				}
				seen[e] = true
				if k, ok := rank[e]; ok && k > i {
					d := r.diags.Addf("source-order", place, subject+", "+own.Name, "%s is rolled before %s, on which it depends", own.Name, e.Name)
					d.Repair = "move " + own.Name + " below " + e.Name
					d.Related = []diag.Related{{Place: e.Place, Message: e.Name + " stands here"}}
				}
				if e.Kind == Let && s.Names[e.Name] == e {
					follow(texts(&e.Named.Formula), place)
				}
			}
		}
	}
	follow(sourceTexts(src), plan.Place{})
}
