package load

import (
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A node is a value together with what the author wrote for it.
type node struct {
	label
	r       *reader
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
	n.kids = n.children(r.pkg(inst).list, false)
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
		n.kids = n.children(members(n.flat()), len(n.sites) == 0 || slices.ContainsFunc(n.flat(), indirect))
	}
	return n.kids
}

// indirect reports whether a part may have fields that no declaration shows.
func indirect(s site) bool {
	switch s.expr.(type) {
	case *ast.IndexExpr, *ast.CallExpr, *ast.Ident, *ast.SelectorExpr:
		return true
	}
	return false
}

// children groups declarations by name, with the values of the names, and adds those that CUE computed.
func (n *node) children(fields []field, indirect bool) []*node {
	b := brood{parent: n, at: map[label]*node{}}
	for _, f := range fields {
		switch f.sort {
		case regular, definition:
			b.add(f)
		case computed:
			b.dynamic = append(b.dynamic, f)
		}
		indirect = indirect || f.loop || f.sort == computed
	}
	if indirect {
		b.computed()
	}
	slices.SortStableFunc(b.kids, func(x, y *node) int { return compareKeys(x.key, y.key) })
	return slices.DeleteFunc(b.kids, func(k *node) bool { return !k.value.Exists() })
}

// A brood collects the children of a node.
type brood struct {
	parent  *node
	kids    []*node
	at      map[label]*node
	dynamic []field // those with a label that is computed
}

func (b *brood) add(f field) {
	if f.decl.Constraint == token.OPTION {
		return
	}
	at := b.parent.r.place(f.label.Pos())
	k := b.named(label{f.name, f.sort == definition}, at, f.site.key)
	if compareKeys(f.site.key, k.key) < 0 {
		k.key, k.place = f.site.key, at
	}
	k.sites = append(k.sites, f.site)
}

// computed adds the fields that no declaration names. They are written where a label is computed, if anywhere.
func (b *brood) computed() {
	it, err := b.parent.value.Fields()
	if err != nil {
		return
	}
	for it.Next() {
		if l := (label{name: it.Selector().Unquoted()}); b.at[l] == nil {
			b.derived(l)
		}
	}
}

func (b *brood) derived(l label) {
	at, key := b.parent.place, b.parent.key
	if len(b.dynamic) > 0 {
		at, key = b.parent.r.place(b.dynamic[0].label.Pos()), b.dynamic[0].site.key
	}
	k := b.named(l, at, key)
	for _, f := range b.dynamic {
		k.sites = append(k.sites, f.site)
	}
}

// named is the child of a label, a new one when there was none.
func (b *brood) named(l label, at plan.Place, key []token.Pos) *node {
	if k := b.at[l]; k != nil {
		return k
	}
	n := b.parent
	k := &node{r: n.r, label: l, subject: n.subject, place: at, key: key, value: n.value.LookupPath(l.path())}
	b.at[l] = k
	b.kids = append(b.kids, k)
	return k
}

// A label is the name of a field; that of a definition begins with #.
type label struct {
	name string
	def  bool
}

func (l label) path() cue.Path {
	if l.def {
		return cue.MakePath(cue.Def(l.name))
	}
	return cue.MakePath(cue.Str(l.name))
}

// field is the member of a name.
func (n *node) field(name string) (*node, bool) {
	for _, k := range n.fields() {
		if k.name == name && k.def == strings.HasPrefix(name, "#") {
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
		return k.data()
	}
	return nil
}

// data are the members that are no definitions.
func (n *node) data() []*node {
	return slices.DeleteFunc(slices.Clone(n.fields()), func(k *node) bool { return k.def })
}

// want reports whether the value is of a kind, and says so when it is not. A struct that is in error is still one, so
// that everything else in it is read.
func (n *node) want(kind cue.Kind, what string) bool {
	switch {
	case n.value.IncompleteKind()&kind != 0, n.wrong() && kind == cue.StructKind && n.literally():
		return true
	case n.wrong():
		n.r.cueErrors(n.value.Err())
	default:
		n.addf("wrong-type", "%s must be %s", n.name, what)
	}
	return false
}

// wrong reports whether the value is in error.
func (n *node) wrong() bool { return n.value.IncompleteKind() == cue.BottomKind }

// literally reports whether the author wrote a struct, or names a package.
func (n *node) literally() bool {
	return slices.ContainsFunc(n.flat(), func(s site) bool {
		_, ok := s.expr.(*ast.StructLit)
		_, named := s.imported()
		return ok || named
	})
}

// structured reports whether the value is a struct, in error or not.
func (n *node) structured() bool {
	return n.value.IncompleteKind() == cue.StructKind || n.wrong() && n.literally()
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
