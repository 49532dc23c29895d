package load

import (
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
)

// CUE names what an error is about by a path, tables.weapon.keyed.dagger.damage. A table of 4000 bad rows has 4000 such
// errors, all with the path of the table's rows in front, so what is declared at a path is collected once.

// A pathIndex finds what is written for a field by its path, and keeps what it has found.
type pathIndex struct {
	*cueModule
	declared map[packagePath]*declared
}

func newPathIndex(m *cueModule) pathIndex {
	return pathIndex{cueModule: m, declared: map[packagePath]*declared{}}
}

// sitesAt are the expressions that are written for the field or the element at a path of CUE's, patterns among them; none
// when a part of the path is made by a comprehension.
func (p pathIndex) sitesAt(path []string) []site {
	for _, inst := range p.packages {
		if out := p.sitesIn(inst, path); len(out) > 0 {
			return out
		}
	}
	return nil
}

// sitesIn is sitesAt in one package.
func (p pathIndex) sitesIn(inst *build.Instance, path []string) []site {
	if len(path) == 0 {
		return nil
	}
	name := path[len(path)-1]
	in := p.declaredAt(inst, path[:len(path)-1])
	matching := slices.Clone(in.named[name])
	for _, i := range in.patterns {
		if in.fields[i].matchesName(p.context, name) {
			matching = append(matching, i)
		}
	}
	slices.Sort(matching)
	out := elementSites(in.parts, name)
	for _, i := range matching {
		out = append(out, in.fields[i].site)
	}
	return out
}

// declaredAt is what is declared at a path of a package.
func (p pathIndex) declaredAt(inst *build.Instance, path []string) *declared {
	key := packagePath{inst, strings.Join(path, "\x00")}
	if out := p.declared[key]; out != nil {
		return out
	}
	out := &declared{named: map[string][]int{}}
	if len(path) == 0 {
		out.fields = p.packageScope(inst).list
	} else {
		out.parts = flattenSites(p.sitesIn(inst, path))
		out.fields = membersOf(out.parts)
	}
	for i, f := range out.fields {
		if f.kind == pattern {
			out.patterns = append(out.patterns, i)
		} else {
			out.named[f.name] = append(out.named[f.name], i)
		}
	}
	p.declared[key] = out
	return out
}

// elementSites are the expressions of an element, by its number, in the lists among some sites, and what a list says of all
// further elements.
func elementSites(parts []site, number string) (out []site) {
	i, err := strconv.Atoi(number)
	for _, s := range parts {
		lit, ok := s.expr.(*ast.ListLit)
		if !ok || err != nil {
			continue
		}
		for k, x := range lit.Elts[:min(i+1, len(lit.Elts))] {
			if rest, ok := x.(*ast.Ellipsis); ok && rest.Type != nil {
				out = append(out, s.inStruct(rest.Type, rest.Pos()))
			}
			if _, made := x.(*ast.Comprehension); made {
				break // the elements behind it have other numbers
			}
			if _, rest := x.(*ast.Ellipsis); k == i && !rest {
				out = append(out, s.inStruct(x, x.Pos()))
			}
		}
	}
	return out
}

// A declared is what is declared at a path of CUE's.
type declared struct {
	parts    []site           // what is written for it; none for the package itself
	fields   []field          // its members
	named    map[string][]int // of the members, those of a name
	patterns []int            // of the members, the patterns
}

// A packagePath is a path in a package, with its names joined.
type packagePath struct {
	inst *build.Instance
	path string
}
