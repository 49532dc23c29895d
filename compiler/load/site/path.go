package site

import (
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
)

// CUE names what an error is about by a path, tables.weapon.keyed.dagger.damage. A table of 4000 bad rows has 4000 such
// errors, all with the path of the table's rows in front, so what is declared at a path is collected once.

// A PathIndex finds what is written for a field by its path, and keeps what it has found.
type PathIndex struct {
	*Module
	declared map[packagePath]*declared
}

// NewPathIndex gives an index that has found nothing yet.
func NewPathIndex(m *Module) PathIndex {
	return PathIndex{Module: m, declared: map[packagePath]*declared{}}
}

// SitesAt are the expressions that are written for the field or the element at a path of CUE's, patterns among them; none
// when a part of the path is made by a comprehension.
func (p PathIndex) SitesAt(path []string) []Site {
	for _, inst := range p.Packages {
		if out := p.sitesIn(inst, path); len(out) > 0 {
			return out
		}
	}
	return nil
}

// sitesIn is SitesAt in one package.
func (p PathIndex) sitesIn(inst *build.Instance, path []string) []Site {
	if len(path) == 0 {
		return nil
	}
	name := path[len(path)-1]
	in := p.declaredAt(inst, path[:len(path)-1])
	matching := slices.Clone(in.named[name])
	for _, i := range in.patterns {
		if in.fields[i].MatchesName(p.Context, name) {
			matching = append(matching, i)
		}
	}
	slices.Sort(matching)
	out := elementSites(in.parts, name)
	for _, i := range matching {
		out = append(out, in.fields[i].Site)
	}
	return out
}

// declaredAt returns the declarations at a path of a package.
func (p PathIndex) declaredAt(inst *build.Instance, path []string) *declared {
	key := packagePath{inst, strings.Join(path, "\x00")}
	if out := p.declared[key]; out != nil {
		return out
	}
	out := &declared{named: map[string][]int{}}
	if len(path) == 0 {
		out.fields = p.PackageScope(inst).List
	} else {
		out.parts = FlattenSites(p.sitesIn(inst, path))
		out.fields = MembersOf(out.parts)
	}
	for i, f := range out.fields {
		if f.Kind == Pattern {
			out.patterns = append(out.patterns, i)
		} else {
			out.named[f.Name] = append(out.named[f.Name], i)
		}
	}
	p.declared[key] = out
	return out
}

// elementSites returns the expressions of an element, by its number, in the lists among some sites, and the patterns of all
// further elements of a list.
func elementSites(parts []Site, number string) (out []Site) {
	i, err := strconv.Atoi(number)
	for _, s := range parts {
		lit, ok := s.Expr.(*ast.ListLit)
		if !ok || err != nil {
			continue
		}
		for k, x := range lit.Elts[:min(i+1, len(lit.Elts))] {
			if rest, ok := x.(*ast.Ellipsis); ok && rest.Type != nil {
				out = append(out, s.InStruct(rest.Type, rest.Pos()))
			}
			if _, made := x.(*ast.Comprehension); made {
				break // the elements behind it have other numbers
			}
			if _, rest := x.(*ast.Ellipsis); k == i && !rest {
				out = append(out, s.InStruct(x, x.Pos()))
			}
		}
	}
	return out
}

// A declared is what is declared at a path of CUE's.
type declared struct {
	parts    []Site           // what is written for it; none for the package itself
	fields   []Field          // its members
	named    map[string][]int // of the members, those of a name
	patterns []int            // of the members, the patterns
}

// A packagePath is a path in a package, with its names joined.
type packagePath struct {
	inst *build.Instance
	path string
}
