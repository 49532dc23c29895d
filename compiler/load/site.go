package load

import (
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"
)

// A value of CUE is the unification of everything that is written for it, at its own place, where it is referred to and
// where it is embedded. A site is one of these expressions.
//
// How CUE finds what a name means, as far as it is followed here (The CUE Language Specification,
// sections "References", "Struct values" and "Alias declarations"):
//
//	_row: {v: int, b: *1 | int}              // field b, by reference and embedding
//	tables: t: keyed: x: {_row, v: 4}
//
// The member v of x has two sites, "int" and "4"; b has one, "*1 | int". Their keys are lists of
// positions: the embedding's own, then that of the declaration that it leads to. Compared step by
// step, as the words of a dictionary are, they put what is embedded at the place where it is
// embedded and not where it is declared. So v and b come before whatever x declares behind "_row".
//
// What is not followed: comprehensions are entered, but their loop variables are not declared here;
// calls, interpolation and arithmetic end the search. A value that only these produce gets the
// place of the field around it.
//
// Invariant: len(key) is 0 only for the root of a package; inStruct replaces the last position and
// followReference appends two, so that len(key) is 1 + 2*depth for every other. Sites are copied by
// value and share the backing arrays of key and closed: every append clips first, or two siblings
// would overwrite each other's last position.
type site struct {
	expr   ast.Expr
	scope  *scope
	key    []token.Pos // order: the places of the references and embeddings that lead to it, then its own
	depth  int         // how many references lead to it
	closed []ast.Expr  // the references to definitions that lead to it
	table  string      // of a field's @key attribute: the table whose keys its strings are
	shared bool        // written for every field that a pattern matches

	decimals, when *ast.Attribute // the field's @decimals and @when; nil when it has none
}

// maxDepth ends references in a circle. No ruleset chains so many.
// A reference in a circle, a: b, b: a, is legal CUE and evaluates to "_". The walk has no set of
// visited names, because a name may rightly be met twice on two ways; the depth ends it.
const maxDepth = 40

// A scope is where names are resolved: the declarations of a struct, and the scopes around it.
//
// There are three kinds: of a struct (decls), of a file (decls and imports), of a package (index
// and list). The chain of a struct ends with its file and its package, whose up is nil. A file's
// own declarations are never looked up in it: they are visible in all files of the package, and so
// in the package's index, whereas imports are visible in their file alone.
type scope struct {
	up      *scope
	decls   []ast.Decl
	imports map[string]*scope  // of a file: packages by local name
	index   map[string][]field // of a package: its declarations by identifier; a quoted label is none
	list    []field            // of a package: in the order of files and of places
	doc     string             // of a package: its comment
}

// A labelKind says what the label of a field is.
type labelKind uint8

const (
	regular    labelKind = iota
	definition           // #Name
	hidden               // _name, _#Name, or a let: not there for a reader of the struct
	computed             // only CUE knows the name
	pattern              // [string]: every field of such a name
)

// A field is a declaration in a struct, of a name or of a pattern.
type field struct {
	name    string
	decl    *ast.Field // nil for a let
	label   ast.Node
	pattern ast.Expr // the label of a pattern; nil for a name
	kind    labelKind
	site    site
}

func (f field) identifiersOf() []string {
	if f.decl == nil {
		return []string{f.name}
	}
	return identifiers(f.decl)
}

// splitParts are what a site comes down to: literals, structs, lists, calls, type names; conjunctions, alternatives and
// references are followed.
func (s site) splitParts() []site {
	switch x := s.expr.(type) {
	case *ast.ParenExpr:
		return s.withExpr(x.X).splitParts()
	case *ast.Alias:
		return s.withExpr(x.Expr).splitParts()
	case *ast.UnaryExpr:
		if x.Op == token.MUL {
			return s.withExpr(x.X).splitParts()
		}
	case *ast.BinaryExpr:
		if x.Op == token.AND || x.Op == token.OR {
			return append(s.withExpr(x.X).splitParts(), s.withExpr(x.Y).splitParts()...)
		}
	case *ast.Ident, *ast.SelectorExpr:
		if to, ok := s.followReference(); ok {
			return flattenSites(to)
		}
	}
	return []site{s}
}

func flattenSites(sites []site) (out []site) {
	for _, s := range sites {
		out = append(out, s.splitParts()...)
	}
	return out
}

// withOperand is an expression inside the site's; what an attribute says is said of the whole.
func (s site) withOperand(x ast.Expr) site {
	s.table = ""
	return s.withExpr(x)
}

// withExpr is another expression at the same site.
func (s site) withExpr(x ast.Expr) site {
	s.expr = x
	return s
}

// followReference gives the sites that a reference leads to; not ok when the name is CUE's own.
func (s site) followReference() ([]site, bool) {
	fields, ok := s.referredFields()
	if !ok {
		return nil, false
	}
	var out []site
	for _, f := range fields {
		to := f.site
		to.key = append(slices.Clip(s.key), s.expr.Pos(), to.ownPosition())
		to.depth = s.depth + 1
		to.shared = s.shared
		out = append(out, to)
	}
	return out, true
}

// ownPosition is the site's own place.
func (s site) ownPosition() token.Pos {
	if len(s.key) == 0 {
		return s.expr.Pos()
	}
	return s.key[len(s.key)-1]
}

func (s site) referredFields() ([]field, bool) {
	if s.depth > maxDepth {
		return nil, true
	}
	switch x := s.expr.(type) {
	case *ast.Ident:
		return s.scope.lookUp(x.Name)
	case *ast.SelectorExpr:
		return s.withExpr(x.X).selectedFields(labelName(x.Sel))
	}
	return nil, false
}

// selectedFields are the fields of a name in what the site refers to: a package or a struct.
func (s site) selectedFields(name string) ([]field, bool) {
	if p, ok := s.importedPackage(); ok {
		return p.index[name], true
	}
	var out []field
	for _, f := range membersOf(s.splitParts()) {
		if f.name == name {
			out = append(out, f)
		}
	}
	return out, len(out) > 0
}

// importedPackage is the package that the site names.
func (s site) importedPackage() (p *scope, ok bool) {
	id, isName := s.expr.(*ast.Ident)
	if !isName {
		return nil, false
	}
	if _, shadowed := s.scope.lookUp(id.Name); shadowed {
		return nil, false
	}
	for in := s.scope; in != nil; in = in.up {
		if p, ok := in.imports[id.Name]; ok {
			return p, true
		}
	}
	return nil, false
}

// lookUp resolves a name: the innermost struct that declares it, at last the package.
// Cost: a package has an index, because every name of a large table is looked up there; a struct is
// searched, because most have a handful of fields and an index would be built for each site anew.
func (s *scope) lookUp(name string) ([]field, bool) {
	for ; s != nil; s = s.up {
		found := s.index[name]
		if s.imports == nil && s.index == nil {
			found = s.declarationsOf(name)
		}
		if len(found) > 0 {
			return found, true
		}
	}
	return nil, false
}

// declarationsOf are the declarations of a name that stand in the struct itself.
func (s *scope) declarationsOf(name string) (out []field) {
	for _, d := range s.decls {
		if declaresName(d, name) {
			out = append(out, declaredFields([]ast.Decl{d}, site{scope: s})...)
		}
	}
	return out
}

// declaresName reports whether a declaration makes a name known in its struct. A quoted label does not.
func declaresName(d ast.Decl, name string) bool {
	switch x := d.(type) {
	case *ast.Field:
		return slices.Contains(identifiers(x), name)
	case *ast.LetClause:
		return x.Ident.Name == name
	}
	return false
}

// identifiers are the names by which a field can be referred to: its label, unless that is quoted, and its aliases.
func identifiers(x *ast.Field) (out []string) {
	label := x.Label
	if a, ok := label.(*ast.Alias); ok {
		out = append(out, a.Ident.Name)
		label, _ = a.Expr.(ast.Label)
	}
	if id, ok := label.(*ast.Ident); ok {
		out = append(out, id.Name)
	}
	if x.Alias != nil && x.Alias.Field != nil {
		out = append(out, x.Alias.Field.Name)
	}
	return out
}

// membersOf are the fields that the structs among some sites have, in order of their keys.
func membersOf(parts []site) []field {
	var out []field
	for _, s := range parts {
		if p, ok := s.importedPackage(); ok {
			out = append(out, p.list...)
		}
		if lit, ok := s.expr.(*ast.StructLit); ok {
			in := s
			in.scope = &scope{up: s.scope, decls: lit.Elts}
			out = append(out, declaredFields(lit.Elts, in)...)
		}
	}
	return out
}

// declaredFields are the fields of declarations, embedded ones where they are embedded. The site is that of the struct, and
// its scope that of the declarations.
// There are four kinds of declaration with fields: a field, a let, an embedding, a comprehension.
// An ellipsis, an attribute and an import declare nothing that has a value.
func declaredFields(decls []ast.Decl, in site) (out []field) {
	for _, d := range decls {
		switch x := d.(type) {
		case *ast.Field:
			out = append(out, declaredField(x, in))
		case *ast.LetClause:
			out = append(out, field{kind: hidden, name: x.Ident.Name, label: x.Ident, site: in.inStruct(x.Expr, x.Pos())})
		case *ast.EmbedDecl:
			out = append(out, membersOf(in.inStruct(x.Expr, x.Pos()).splitParts())...)
		case *ast.Comprehension:
			out = append(out, membersOf([]site{in.inStruct(x.Value, x.Pos())})...)
		}
	}
	return out
}

func declaredField(x *ast.Field, in site) field {
	f := field{decl: x, label: x.Label, site: in.inStruct(x.Value, x.Pos())}
	f.site.table, f.site.decimals, f.site.when = keyOf(x), attributeOf(x, "decimals"), attributeOf(x, "when")
	if list, ok := x.Label.(*ast.ListLit); ok && len(list.Elts) == 1 {
		f.kind, f.pattern = pattern, list.Elts[0]
		return f
	}
	name, identifier, err := ast.LabelName(x.Label)
	f.name = name
	switch {
	case err != nil:
		f.kind = computed
	case identifier && strings.HasPrefix(name, "_"):
		f.kind = hidden
	case identifier && strings.HasPrefix(name, "#"):
		f.kind = definition
	}
	return f
}

// inStruct is an expression inside the site's struct.
//
// The key keeps the references that led to the struct and replaces the struct's own position by
// that of the expression: within one struct, order is that of the text. Attributes are not handed
// down, since they speak of one field.
func (s site) inStruct(x ast.Expr, pos token.Pos) site {
	base := s.key
	if len(base) > 0 {
		base = base[:len(base)-1]
	}
	return site{
		expr: x, scope: s.scope, key: append(slices.Clip(base), pos), depth: s.depth, closed: s.closed, shared: s.shared,
	}
}

func labelName(l ast.Label) string {
	name, _, err := ast.LabelName(l)
	if err != nil {
		return ""
	}
	return name
}

// keyOf is the table that an attribute @key(table) names.
func keyOf(x *ast.Field) string {
	if a := attributeOf(x, "key"); a != nil {
		_, table := a.Split()
		return table
	}
	return ""
}

// attributeOf is the first attribute of a name; nil when the field has none.
func attributeOf(x *ast.Field, name string) *ast.Attribute {
	for _, a := range x.Attrs {
		if key, _ := a.Split(); key == name {
			return a
		}
	}
	return nil
}

// compareKeys orders sites: by file, then by offset, step by step.
func compareKeys(a, b []token.Pos) int {
	return slices.CompareFunc(a, b, func(p, q token.Pos) int { return p.Compare(q) })
}

func calleeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return calleeName(x.X) + "." + labelName(x.Sel)
	}
	return "this call"
}

// splitConjuncts follows references and splits conjunctions; choices stay whole.
//
// It differs from splitParts in this: splitParts wants every literal that may have given the value,
// also those of alternatives, and is used for places; splitConjuncts wants what holds together, and
// is used for constraints, where "a | b" is something else than "a & b". #Character is not
// followed, for it is one shape that is shared and not read again.
func splitConjuncts(sites []site) (out []site) {
	for _, s := range sites {
		switch x := s.expr.(type) {
		case *ast.ParenExpr:
			out = append(out, splitConjuncts([]site{s.withExpr(x.X)})...)
			continue
		case *ast.Alias:
			out = append(out, splitConjuncts([]site{s.withExpr(x.Expr)})...)
			continue
		case *ast.BinaryExpr:
			if x.Op == token.AND {
				out = append(out, splitConjuncts([]site{s.withExpr(x.X), s.withExpr(x.Y)})...)
				continue
			}
		case *ast.Ident, *ast.SelectorExpr:
			if to, ok := s.followReference(); ok && !s.isCharacter() {
				out = append(out, splitConjuncts(s.handOver(to))...)
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// handOver gives to the sites that a reference leads to what is said where it stands: the table of an attribute, and that
// they are of a definition, which is closed.
func (s site) handOver(to []site) []site {
	for i := range to {
		if to[i].table == "" {
			to[i].table = s.table
		}
		to[i].closed = s.closed
		if s.isDefinition() {
			to[i].closed = append(slices.Clip(s.closed), s.expr)
		}
	}
	return to
}

// isDefinition reports whether the site refers to a definition.
func (s site) isDefinition() bool {
	name := calleeName(s.expr)
	return strings.HasPrefix(name[strings.LastIndexByte(name, '.')+1:], "#")
}

// isCharacter reports whether the site refers to the ruleset's #Character.
func (s site) isCharacter() bool {
	id, ok := s.expr.(*ast.Ident)
	return ok && id.Name == "#Character"
}

func docComment(n ast.Node) string {
	for _, g := range ast.Comments(n) {
		if g.Doc {
			return strings.TrimSpace(g.Text())
		}
	}
	return ""
}

// matchesName reports whether a pattern is about a name. Of a pattern that cannot be evaluated alone, it says yes: then a
// site too many is looked at, which is harmless for values, as these come from the evaluation of the whole.
func (f field) matchesName(ctx *cue.Context, name string) bool {
	for _, s := range splitConjuncts([]site{f.site.inStruct(f.pattern, f.pattern.Pos())}) {
		constraint := ctx.BuildExpr(s.expr)
		if constraint.Err() == nil && constraint.Unify(ctx.Encode(name)).Err() != nil {
			return false
		}
	}
	return true
}

// standardPackage reports whether a name is that of a package of CUE which rulesets use.
func standardPackage(name string) bool {
	return name == "list" || name == "math" || name == "strings" || name == "struct"
}
