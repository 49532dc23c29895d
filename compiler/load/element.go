package load

import (
	"slices"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"github.com/tabletop-rules/rules/compiler/load/site"
)

// listElements are the elements of a list, each with the expression that it is written as.
func (n *node) listElements() []*node {
	if !n.checkKind(cue.ListKind, "a list") {
		return nil
	}
	it, err := n.value.List()
	if err != nil {
		n.r.ReportErrors(err)
		return nil
	}
	var out []*node
	for it.Next() {
		value, _ := it.Value().Default()
		out = append(out, &node{label: n.label, r: n.r, subject: n.subject, place: n.place, value: value, key: n.key})
	}
	var shared []site.Site
	for _, s := range n.flatSites() {
		if lit, ok := s.Expr.(*ast.ListLit); ok {
			locateElements(out, lit, s)
			shared = append(shared, restSites(lit, s)...)
		}
	}
	for _, k := range out {
		k.sites = append(k.sites, shared...)
	}
	return out
}

// restSites returns the site of T in the literal [...T], which is about every element.
func restSites(lit *ast.ListLit, s site.Site) []site.Site {
	if len(lit.Elts) == 0 {
		return nil
	}
	rest, ok := lit.Elts[len(lit.Elts)-1].(*ast.Ellipsis)
	if !ok || rest.Type == nil {
		return nil
	}
	out := s.InStruct(rest.Type, rest.Pos())
	out.Shared = true
	return []site.Site{out}
}

// locateElements finds the sites of a list's elements in a literal.
//
// A list value has been through comprehensions and the literal has not, so positions in the two
// differ:
//
//	bands: [{on: 1}, for r in _more {r}, {on: 9}]
//
// Five elements of the value are, by elementCounts with a written-out _more of three, one, three
// and one expressions.
func locateElements(elems []*node, lit *ast.ListLit, s site.Site) {
	counts := elementCounts(lit, s, len(elems))
	i := 0
	for j, x := range lit.Elts {
		for range counts[j] {
			if i == len(elems) {
				return
			}
			elems[i].addElementSite(x, s)
			i++
		}
	}
}

// addElementSite says where an element of a list is written.
func (n *node) addElementSite(x ast.Expr, s site.Site) {
	n.place = n.r.PlaceOf(x.Pos())
	if c, ok := x.(*ast.Comprehension); ok {
		x = c.Value
	}
	n.sites = append(n.sites, s.InStruct(x, x.Pos()))
}

// elementCounts returns the number of elements that each expression of a list literal makes. A comprehension over one list
// that is written out makes as many as that has; the rest belongs to the first other comprehension.
func elementCounts(lit *ast.ListLit, s site.Site, total int) []int {
	out := make([]int, len(lit.Elts))
	unknown := -1
	for i, x := range lit.Elts {
		switch x := x.(type) {
		case *ast.Ellipsis:
		case *ast.Comprehension:
			n, ok := turnsOf(x, s)
			if !ok && unknown < 0 {
				unknown = i
			}
			out[i] = n
		default:
			out[i] = 1
		}
	}
	if unknown >= 0 {
		out[unknown] = max(0, total-sumOf(out))
	}
	return out
}

func sumOf(xs []int) (n int) {
	for _, x := range xs {
		n += x
	}
	return n
}

// turnsOf is how many elements a comprehension makes, when it only walks a list that is written out.
func turnsOf(c *ast.Comprehension, s site.Site) (int, bool) {
	if len(c.Clauses) != 1 {
		return 0, false
	}
	loop, ok := c.Clauses[0].(*ast.ForClause)
	if !ok {
		return 0, false
	}
	for _, p := range s.WithExpr(loop.Source).SplitParts() {
		if lit, ok := p.Expr.(*ast.ListLit); ok && isPlainList(lit) {
			return len(lit.Elts), true
		}
	}
	return 0, false
}

// isPlainList reports whether a list literal has an element for each of its expressions.
func isPlainList(lit *ast.ListLit) bool {
	return !slices.ContainsFunc(lit.Elts, func(x ast.Expr) bool {
		switch x.(type) {
		case *ast.Comprehension, *ast.Ellipsis:
			return true
		}
		return false
	})
}
