package load

import (
	"slices"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A node is a value together with what the author wrote for it.
type node struct {
	r       *reader
	name    string
	subject string     // of diagnostics: the definition that the node belongs to
	place   plan.Place // of its name, or of the element
	value   cue.Value
	sites   []site
	key     []token.Pos
	parts   []site // of sites, once asked for
	kids    []*node
	read    bool // whether kids are there
}

// root is the package itself.
func (r *reader) root(inst *build.Instance, v cue.Value) *node {
	n := &node{r: r, value: v, read: true}
	if len(inst.Files) > 0 {
		n.place = r.place(inst.Files[0].Pos())
	}
	n.kids = n.children(r.pkg(inst).list)
	return n
}

// flat are the parts of the node's sites.
func (n *node) flat() []site {
	if n.parts == nil {
		n.parts = flatten(n.sites)
	}
	return n.parts
}

// fields are the named members in the author's order: regular fields and definitions that have a value.
func (n *node) fields() []*node {
	if !n.read {
		n.read = true
		n.kids = n.children(members(n.flat()))
	}
	return n.kids
}

// children groups declarations by name, with the values of the names, and adds what only comprehensions know.
func (n *node) children(fields []field) []*node {
	b := brood{parent: n, at: map[string]*node{}}
	computed := false
	for _, f := range fields {
		switch {
		case f.decl == nil || f.pattern != nil || hidden(f.name):
		case f.name == "":
			computed = true
		default:
			b.add(f)
			computed = computed || f.loop
		}
	}
	if computed || len(fields) == 0 {
		b.computed()
	}
	slices.SortStableFunc(b.kids, func(x, y *node) int { return compareKeys(x.key, y.key) })
	return slices.DeleteFunc(b.kids, func(k *node) bool { return !k.value.Exists() })
}

func hidden(name string) bool { return len(name) > 0 && name[0] == '_' }

// A brood collects the children of a node.
type brood struct {
	parent *node
	kids   []*node
	at     map[string]*node
}

func (b *brood) add(f field) {
	if f.decl.Constraint == token.OPTION {
		return
	}
	k := b.at[f.name]
	if k == nil {
		k = b.parent.child(f.name, b.parent.r.place(f.label.Pos()), f.site.key)
		b.at[f.name] = k
		b.kids = append(b.kids, k)
	}
	if compareKeys(f.site.key, k.key) < 0 {
		k.key, k.place = f.site.key, b.parent.r.place(f.label.Pos())
	}
	k.sites = append(k.sites, f.site)
}

// computed adds the fields that no declaration names.
func (b *brood) computed() {
	it, err := b.parent.value.Fields()
	if err != nil {
		return
	}
	for it.Next() {
		name := it.Selector().Unquoted()
		if b.at[name] == nil {
			k := b.parent.child(name, b.parent.place, b.parent.key)
			b.at[name] = k
			b.kids = append(b.kids, k)
		}
	}
}

func (n *node) child(name string, at plan.Place, key []token.Pos) *node {
	return &node{r: n.r, name: name, subject: n.subject, place: at, key: key, value: n.value.LookupPath(selector(name))}
}

func selector(name string) cue.Path {
	if name[0] == '#' {
		return cue.MakePath(cue.Def(name))
	}
	return cue.MakePath(cue.Str(name))
}

// field is the member of a name.
func (n *node) field(name string) (*node, bool) {
	for _, k := range n.fields() {
		if k.name == name {
			return k, true
		}
	}
	return nil, false
}

// each are the elements of a field that is a list, none when there is no such field.
func (n *node) each(name string) []*node {
	if k, ok := n.field(name); ok {
		return k.elements()
	}
	return nil
}

// in are the members of a field that is a struct, none when there is no such field.
func (n *node) in(name string) []*node {
	if k, ok := n.field(name); ok && k.want(cue.StructKind, "a struct") {
		return k.fields()
	}
	return nil
}

// elements are the elements of a list, each with the expression that it is written as.
func (n *node) elements() []*node {
	if !n.want(cue.ListKind, "a list") {
		return nil
	}
	it, err := n.value.List()
	if err != nil {
		n.r.cueErrors(err)
		return nil
	}
	var out []*node
	for it.Next() {
		out = append(out, &node{r: n.r, subject: n.subject, place: n.place, value: it.Value(), key: n.key})
	}
	for _, s := range n.flat() {
		if lit, ok := s.expr.(*ast.ListLit); ok {
			locate(out, lit, s)
		}
	}
	return out
}

// locate finds the sites of a list's elements in a literal.
func locate(elems []*node, lit *ast.ListLit, s site) {
	counts := lengths(lit, s, len(elems))
	i := 0
	for j, x := range lit.Elts {
		for range counts[j] {
			if i == len(elems) {
				return
			}
			elems[i].written(x, s)
			i++
		}
	}
}

// written says where an element of a list is written.
func (n *node) written(x ast.Expr, s site) {
	n.place = n.r.place(x.Pos())
	if c, ok := x.(*ast.Comprehension); ok {
		x = c.Value
	}
	n.sites = append(n.sites, s.at(x, x.Pos()))
}

// lengths says how many elements each expression of a list literal makes. A comprehension over one list that is written
// out makes as many as that has; what is then left belongs to the first other comprehension.
func lengths(lit *ast.ListLit, s site, total int) []int {
	out := make([]int, len(lit.Elts))
	unknown := -1
	for i, x := range lit.Elts {
		switch x := x.(type) {
		case *ast.Ellipsis:
		case *ast.Comprehension:
			n, ok := turns(x, s)
			if !ok && unknown < 0 {
				unknown = i
			}
			out[i] = n
		default:
			out[i] = 1
		}
	}
	if unknown >= 0 {
		out[unknown] = max(0, total-sum(out))
	}
	return out
}

func sum(xs []int) (n int) {
	for _, x := range xs {
		n += x
	}
	return n
}

// turns is how many elements a comprehension makes, when it only walks a list that is written out.
func turns(c *ast.Comprehension, s site) (int, bool) {
	if len(c.Clauses) != 1 {
		return 0, false
	}
	loop, ok := c.Clauses[0].(*ast.ForClause)
	if !ok {
		return 0, false
	}
	for _, p := range s.with(loop.Source).parts() {
		if lit, ok := p.expr.(*ast.ListLit); ok && plain(lit) {
			return len(lit.Elts), true
		}
	}
	return 0, false
}

// plain reports whether a list literal has an element for each of its expressions.
func plain(lit *ast.ListLit) bool {
	return !slices.ContainsFunc(lit.Elts, func(x ast.Expr) bool {
		switch x.(type) {
		case *ast.Comprehension, *ast.Ellipsis:
			return true
		}
		return false
	})
}

// want reports whether the value is of a kind, and says so when it is not. A struct that is in error is still one, so
// that everything else in it is read.
func (n *node) want(kind cue.Kind, what string) bool {
	if err := n.value.Err(); err != nil {
		if kind == cue.StructKind && n.literally() {
			return true
		}
		n.r.cueErrors(err)
		return false
	}
	if n.value.IncompleteKind()&kind == 0 {
		n.addf("wrong-type", "%s must be %s", n.name, what)
		return false
	}
	return true
}

// literally reports whether the author wrote a struct.
func (n *node) literally() bool {
	return slices.ContainsFunc(n.flat(), func(s site) bool {
		_, ok := s.expr.(*ast.StructLit)
		return ok
	})
}

// structured reports whether the value is a struct, in error or not.
func (n *node) structured() bool {
	return n.value.IncompleteKind() == cue.StructKind || n.value.Err() != nil && n.literally()
}

// addf reports a problem at the node's value.
func (n *node) addf(code diag.Code, format string, args ...any) *diag.Diagnostic {
	return n.r.addf(code, n.at(), n.subject, format, args...)
}

// at is the place of what the author wrote for the value, or else of its name.
func (n *node) at() plan.Place {
	for _, s := range n.sites {
		return n.r.place(s.expr.Pos())
	}
	return n.place
}
