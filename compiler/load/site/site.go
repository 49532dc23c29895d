package site

import (
	"cmp"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"
)

// A Site is one expression that a value was unified from, and where it stands among the others.
//
// Sites are copied by value and share the backing arrays of Key and Closed: every append clips first, or two siblings
// would overwrite each other's last position. Invariant: len(Key) is 0 only for the root of a package; InStruct replaces
// the last position and followReference appends two, so that len(Key) is 1 + 2*depth for every other.
type Site struct {
	Expr   ast.Expr
	Scope  *Scope
	Key    []token.Pos // order: the places of the references and embeddings that lead to it, then its own
	depth  int         // how many references lead to it
	Closed []ast.Expr  // the references to definitions that lead to it
	Shared bool        // written for every field that a pattern matches

	KeyOf, Decimals, When *ast.Attribute // the field's @key, @decimals and @when; nil when it has none
}

// maxDepth ends references in a circle. No ruleset chains so many.
// A reference in a circle, a: b, b: a, is legal CUE and evaluates to "_". The walk has no set of
// visited names, because a name may rightly be met twice on two ways; the depth ends it.
const maxDepth = 40

// SplitParts returns the parts that a site comes down to: literals, structs, lists, calls, type names; conjunctions,
// alternatives and references are followed.
func (s Site) SplitParts() []Site {
	switch x := s.Expr.(type) {
	case *ast.ParenExpr:
		return s.WithExpr(x.X).SplitParts()
	case *ast.Alias:
		return s.WithExpr(x.Expr).SplitParts()
	case *ast.UnaryExpr:
		if x.Op == token.MUL {
			return s.WithExpr(x.X).SplitParts()
		}
	case *ast.BinaryExpr:
		if x.Op == token.AND || x.Op == token.OR {
			return append(s.WithExpr(x.X).SplitParts(), s.WithExpr(x.Y).SplitParts()...)
		}
	case *ast.CallExpr:
		if args, ok := s.conjunctsOfCall(x); ok {
			return FlattenSites(args)
		}
	case *ast.Ident, *ast.SelectorExpr:
		if to, ok := s.followReference(); ok {
			return FlattenSites(to)
		}
	}
	return []Site{s}
}

// conjunctsOfCall returns what a call of CUE's own close or and is the conjunction of: close(x) is x, which CUE holds to its
// fields, and and([x, y]) is x & y. It is not ok for any other call.
func (s Site) conjunctsOfCall(x *ast.CallExpr) ([]Site, bool) {
	name, isName := x.Fun.(*ast.Ident)
	if !isName || len(x.Args) != 1 || name.Name != "close" && name.Name != "and" {
		return nil, false
	}
	if _, shadowed := s.Scope.lookUp(name.Name); shadowed {
		return nil, false
	}
	if name.Name == "close" {
		return []Site{s.WithExpr(x.Args[0])}, true
	}
	list, isList := x.Args[0].(*ast.ListLit)
	if !isList {
		return nil, false
	}
	var out []Site
	for _, e := range list.Elts {
		switch e.(type) {
		case *ast.Comprehension, *ast.Ellipsis:
			return nil, false
		}
		out = append(out, s.WithExpr(e))
	}
	return out, len(out) > 0
}

// FlattenSites splits each site into its parts.
func FlattenSites(sites []Site) (out []Site) {
	for _, s := range sites {
		out = append(out, s.SplitParts()...)
	}
	return out
}

// WithOperand returns an expression inside the site's; the attributes of the whole hold for it.
func (s Site) WithOperand(x ast.Expr) Site {
	s.KeyOf = nil
	return s.WithExpr(x)
}

// WithExpr is another expression at the same site.
func (s Site) WithExpr(x ast.Expr) Site {
	s.Expr = x
	return s
}

// followReference gives the sites that a reference leads to; not ok when the name is CUE's own.
func (s Site) followReference() ([]Site, bool) {
	fields, ok := s.ReferredFields()
	if !ok {
		return nil, false
	}
	var out []Site
	for _, f := range fields {
		to := f.Site
		to.Key = append(slices.Clip(s.Key), s.Expr.Pos(), to.OwnPosition())
		to.depth = s.depth + 1
		to.Shared = s.Shared
		out = append(out, to)
	}
	return out, true
}

// OwnPosition is the site's own place.
func (s Site) OwnPosition() token.Pos {
	if len(s.Key) == 0 {
		return s.Expr.Pos()
	}
	return s.Key[len(s.Key)-1]
}

// ReferredFields are the declarations that a reference leads to; not ok when it is one of CUE's own names. Beyond
// maxDepth they are none.
func (s Site) ReferredFields() ([]Field, bool) {
	if s.depth > maxDepth {
		return nil, true
	}
	switch x := s.Expr.(type) {
	case *ast.Ident:
		return s.Scope.lookUp(x.Name)
	case *ast.SelectorExpr:
		return s.WithExpr(x.X).selectedFields(LabelName(x.Sel))
	}
	return nil, false
}

// SiblingPath returns the path of names by which the site refers to a field of the struct in which it stands, or to a part
// of one; not ok for any other reference.
func (s Site) SiblingPath() (path []string, ok bool) {
	switch x := s.Expr.(type) {
	case *ast.ParenExpr:
		return s.WithExpr(x.X).SiblingPath()
	case *ast.Ident:
		fields := s.Scope.declarationsOf(x.Name)
		return []string{x.Name}, len(fields) > 0 && fields[0].Kind == Regular
	case *ast.SelectorExpr:
		path, ok = s.WithExpr(x.X).SiblingPath()
		return append(path, LabelName(x.Sel)), ok
	}
	return nil, false
}

// FieldReferences returns the references, in a conjunction of sites, to the value of a field around them, or to a part of
// it: CUE demands the same value then. What such a reference leads to is no longer looked through; hidden fields, definitions
// and lets are.
func FieldReferences(sites []Site) (out []Site) {
	for _, s := range sites {
		switch x := s.Expr.(type) {
		case *ast.ParenExpr:
			out = append(out, FieldReferences([]Site{s.WithExpr(x.X)})...)
		case *ast.BinaryExpr:
			if x.Op == token.AND {
				out = append(out, FieldReferences([]Site{s.WithExpr(x.X), s.WithExpr(x.Y)})...)
			}
		case *ast.CallExpr:
			if args, ok := s.conjunctsOfCall(x); ok {
				out = append(out, FieldReferences(args)...)
			}
		case *ast.Ident, *ast.SelectorExpr:
			if s.refersToField() {
				out = append(out, s)
			} else if to, ok := s.followReference(); ok && !s.IsCharacter() {
				out = append(out, FieldReferences(to)...)
			}
		}
	}
	return out
}

// refersToField reports whether the site refers to the value of a field around it, or to a part of it. A definition, a
// hidden field and a let stand for types and constants, and are none; nor are those of a package.
func (s Site) refersToField() bool {
	switch x := s.Expr.(type) {
	case *ast.SelectorExpr:
		name := LabelName(x.Sel)
		return !strings.HasPrefix(name, "#") && !strings.HasPrefix(name, "_") && s.WithExpr(x.X).refersToField()
	case *ast.Ident:
		for in := s.Scope; in != nil && in.imports == nil && in.Index == nil; in = in.up {
			if fields := in.declarationsOf(x.Name); len(fields) > 0 {
				return fields[0].Kind == Regular
			}
		}
	}
	return false
}

// ReadsFields reports whether the expression of a site reads the value of a field around it, directly or through hidden
// fields, definitions and lets.
func (s Site) ReadsFields() bool { return s.readsFields(map[ast.Node]bool{}) }

// readsFields is ReadsFields; those in seen have been looked through.
func (s Site) readsFields(seen map[ast.Node]bool) (reads bool) {
	if seen[s.Expr] {
		return false
	}
	seen[s.Expr] = true
	ast.Walk(s.Expr, func(n ast.Node) bool {
		id, isName := n.(*ast.Ident)
		if !isName || id.Node == nil { // a label, or a name of CUE's own or of another file
			return !reads
		}
		if from := id.Node.Pos(); s.Expr.Pos().Offset() <= from.Offset() && from.Offset() < s.Expr.End().Offset() &&
			from.Filename() == s.Expr.Pos().Filename() {
			return !reads // declared in the expression
		}
		of := s.WithExpr(id)
		reads = reads || of.IsCharacter() || of.refersToField()
		if fields, ok := of.ReferredFields(); ok && !reads {
			for _, f := range fields {
				reads = reads || f.Site.readsFields(seen)
			}
		}
		return !reads
	}, nil)
	return reads
}

// selectedFields returns the fields of a name in the package or the struct that the site refers to.
func (s Site) selectedFields(name string) ([]Field, bool) {
	if p, ok := s.ImportedPackage(); ok {
		return p.Index[name], true
	}
	var out []Field
	for _, f := range MembersOf(s.SplitParts()) {
		if f.Name == name {
			out = append(out, f)
		}
	}
	return out, len(out) > 0
}

// ImportedPackage is the package that the site names.
func (s Site) ImportedPackage() (p *Scope, ok bool) {
	id, isName := s.Expr.(*ast.Ident)
	if !isName {
		return nil, false
	}
	if _, shadowed := s.Scope.lookUp(id.Name); shadowed {
		return nil, false
	}
	for in := s.Scope; in != nil; in = in.up {
		if p, ok := in.imports[id.Name]; ok {
			return p, true
		}
	}
	return nil, false
}

// InStruct is an expression inside the site's struct.
//
// The key keeps the references that led to the struct and replaces the struct's own position by
// that of the expression: within one struct, order is that of the text. Attributes are not handed
// down, since they speak of one field.
func (s Site) InStruct(x ast.Expr, pos token.Pos) Site {
	base := s.Key
	if len(base) > 0 {
		base = base[:len(base)-1]
	}
	return Site{
		Expr: x, Scope: s.Scope, Key: append(slices.Clip(base), pos), depth: s.depth, Closed: s.Closed, Shared: s.Shared,
	}
}

// Enter is the site with the declarations of a struct, which stands there, in scope.
func (s Site) Enter(lit *ast.StructLit) Site {
	s.Scope = &Scope{up: s.Scope, decls: lit.Elts}
	return s
}

// CompareKeys orders sites: by file, then by offset, step by step.
func CompareKeys(a, b []token.Pos) int {
	return slices.CompareFunc(a, b, func(p, q token.Pos) int { return p.Compare(q) })
}

// SplitConjuncts returns the sites with references followed and conjunctions split; choices stay whole.
//
// It differs from SplitParts in this: SplitParts wants every literal that may have given the value, also those of
// alternatives, and is used for places; SplitConjuncts wants the parts that hold together, and is used for constraints,
// where "a | b" is something else than "a & b". #Character is not followed, for it is one shape that is shared and not read
// again.
func SplitConjuncts(sites []Site) (out []Site) {
	for _, s := range sites {
		switch x := s.Expr.(type) {
		case *ast.ParenExpr:
			out = append(out, SplitConjuncts([]Site{s.WithExpr(x.X)})...)
			continue
		case *ast.Alias:
			out = append(out, SplitConjuncts([]Site{s.WithExpr(x.Expr)})...)
			continue
		case *ast.BinaryExpr:
			if x.Op == token.AND {
				out = append(out, SplitConjuncts([]Site{s.WithExpr(x.X), s.WithExpr(x.Y)})...)
				continue
			}
		case *ast.CallExpr:
			if args, ok := s.conjunctsOfCall(x); ok {
				out = append(out, SplitConjuncts(args)...)
				continue
			}
		case *ast.Ident, *ast.SelectorExpr:
			if to, ok := s.followReference(); ok && !s.IsCharacter() {
				out = append(out, SplitConjuncts(s.handOver(to))...)
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// handOver adds the properties of a reference to the sites that it refers to, and returns them: its @key, and the
// definitions that close them.
func (s Site) handOver(to []Site) []Site {
	for i := range to {
		to[i].KeyOf = cmp.Or(to[i].KeyOf, s.KeyOf)
		to[i].Closed = s.Closed
		if s.isDefinition() {
			to[i].Closed = append(slices.Clip(s.Closed), s.Expr)
		}
	}
	return to
}

// isDefinition reports whether the site refers to a definition.
func (s Site) isDefinition() bool {
	name := CalleeName(s.Expr)
	return strings.HasPrefix(name[strings.LastIndexByte(name, '.')+1:], "#")
}

// IsCharacter reports whether the site refers to the ruleset's #Character.
func (s Site) IsCharacter() bool {
	id, ok := s.Expr.(*ast.Ident)
	return ok && id.Name == "#Character"
}

// MatchesName reports whether a pattern is about a name. Of a pattern that cannot be evaluated alone, it says yes: then a
// site too many is looked at, which is harmless for values, as these come from the evaluation of the whole.
func (f Field) MatchesName(ctx *cue.Context, name string) bool {
	for _, s := range SplitConjuncts([]Site{f.Site.InStruct(f.Pattern, f.Pattern.Pos())}) {
		constraint := ctx.BuildExpr(s.Expr)
		if constraint.Err() == nil && constraint.Unify(ctx.Encode(name)).Err() != nil {
			return false
		}
	}
	return true
}
