package standalone_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/tabletop-rules/rules/runtime/emit/golang/standalone"
)

var update = flag.Bool("update", false, "write the declarations as they are now")

// TestDeclarations compares the file of declarations with the sources. -update writes it.
func TestDeclarations(t *testing.T) {
	const name = "declarations.txtar"
	want := readDeclarations(t).archive(t)
	if *update {
		if err := os.WriteFile(name, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not that of the sources: go test ./runtime/emit/golang/standalone -update", name)
	}
}

const (
	module        = "github.com/tabletop-rules/rules/"
	kernelPackage = module + "runtime/emit/kernel"
)

// A declaring reads the declarations that generated packages reach.
type declaring struct {
	packages []*packages.Package // of this module, importing ones last
	groups   []*group
	of       map[types.Object]*group // objects of packages, and methods
	names    map[types.Object]string // in the one package
	methods  map[string]bool         // those that an interface demands
}

// A group is what is declared together, in the text from a place to another.
type group struct {
	in        *packages.Package
	node      ast.Node
	from, to  token.Pos
	keyword   string // that stands before several groups
	objects   []types.Object
	isReached bool
}

// calledBuiltin matches the functions of package builtin in the texts from which generated functions are made.
var calledBuiltin = regexp.MustCompile(`builtin\.([A-Z]\w*)`)

func load(t *testing.T, mode packages.LoadMode, of ...string) []*packages.Package {
	t.Helper()
	out, err := packages.Load(&packages.Config{Context: t.Context(), Mode: mode}, of...)
	if err != nil || packages.PrintErrors(out) > 0 {
		t.Fatal("the kernel does not load", err)
	}
	return out
}

func readDeclarations(t *testing.T) *declaring {
	t.Helper()
	of := []string{}
	packages.Visit(load(t, packages.LoadImports|packages.NeedDeps, kernelPackage), nil, func(p *packages.Package) {
		if strings.HasPrefix(p.PkgPath, module) {
			of = append(of, p.PkgPath)
		}
	})
	x := &declaring{of: map[types.Object]*group{}, names: map[types.Object]string{}, methods: map[string]bool{}}
	loaded := load(t, packages.LoadSyntax, of...)
	for _, path := range of {
		at := slices.IndexFunc(loaded, func(p *packages.Package) bool { return p.PkgPath == path })
		x.packages = append(x.packages, loaded[at])
		x.addPackage(loaded[at])
	}
	x.nameAll()
	for _, p := range x.packages {
		scope := p.Types.Scope()
		switch p.PkgPath {
		case kernelPackage:
			for _, name := range scope.Names() {
				if token.IsExported(name) {
					x.reach(x.of[scope.Lookup(name)])
				}
			}
		case module + "runtime/builtin":
			for _, m := range calledBuiltin.FindAllStringSubmatch(generatingText(t), -1) {
				x.reach(x.of[scope.Lookup(m[1])])
			}
		}
	}
	x.reachCalledMethods(t)
	for isNew := true; isNew; {
		isNew = x.reachMethods()
	}
	return x
}

// generatingText is all text from which generated functions are made.
func generatingText(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, name := range append(files, "../../spelling.go") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	return all
}

// reachCalledMethods reaches the methods that generated functions may call of types that the kernel has from elsewhere.
func (x *declaring) reachCalledMethods(t *testing.T) {
	text := generatingText(t)
	for _, g := range slices.Clone(x.groups) {
		for _, o := range g.objects {
			named, ok := o.Type().(*types.Named)
			if !g.isReached || !isType(o) || !ok || !token.IsExported(x.names[o]) {
				continue
			}
			for m := range named.Methods() {
				isCalled := strings.Contains(text, "."+m.Name()+"(") || strings.Contains(text, `"`+m.Name()+`"`)
				if m.Exported() && isCalled {
					x.reach(x.of[m])
				}
			}
		}
	}
}

func (x *declaring) addPackage(p *packages.Package) {
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				x.addGroup(&group{in: p, node: d, from: begin(d.Doc, d), to: d.End()}, d.Name)
			case *ast.GenDecl:
				x.addSpecs(p, d)
			}
		}
	}
}

func begin(doc *ast.CommentGroup, n ast.Node) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return n.Pos()
}

// addSpecs adds what a declaration declares: constants as one group, and anything else by itself.
func (x *declaring) addSpecs(p *packages.Package, d *ast.GenDecl) {
	if d.Tok == token.IMPORT {
		return
	}
	if d.Tok == token.CONST || !d.Lparen.IsValid() {
		g := &group{in: p, node: d, from: begin(d.Doc, d), to: d.End()}
		for _, s := range d.Specs {
			g.addNames(s)
		}
		x.addGroup(g)
		return
	}
	for _, s := range d.Specs {
		g := &group{in: p, node: s, to: s.End(), keyword: d.Tok.String() + " "}
		switch s := s.(type) {
		case *ast.TypeSpec:
			g.from = begin(s.Doc, s)
		case *ast.ValueSpec:
			g.from = begin(s.Doc, s)
		}
		g.addNames(s)
		x.addGroup(g)
	}
}

func (g *group) addNames(s ast.Spec) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		g.objects = append(g.objects, g.in.TypesInfo.Defs[s.Name])
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if name.Name != "_" {
				g.objects = append(g.objects, g.in.TypesInfo.Defs[name])
			}
		}
	}
}

func (x *declaring) addGroup(g *group, names ...*ast.Ident) {
	for _, name := range names {
		g.objects = append(g.objects, g.in.TypesInfo.Defs[name])
	}
	for _, o := range g.objects {
		x.of[o] = g
	}
	x.groups = append(x.groups, g)
}

// nameAll gives the objects of all packages their names in the one package. An alias of the kernel names its type.
func (x *declaring) nameAll() {
	for _, p := range x.packages {
		for _, name := range p.Types.Scope().Names() {
			o := p.Types.Scope().Lookup(name)
			x.names[o] = standalone.NameIn(p.Name, name)
			if i, ok := o.Type().Underlying().(*types.Interface); ok && isType(o) {
				for m := range i.Methods() {
					x.methods[m.Name()] = true
				}
			}
			if of := x.aliased(o); of != nil && p.PkgPath == kernelPackage {
				x.names[of] = name
			}
		}
	}
	for o := range x.names {
		if of := x.aliased(o); of != nil {
			x.names[o] = x.names[of]
		}
	}
}

func isType(o types.Object) bool {
	_, ok := o.(*types.TypeName)
	return ok
}

// aliased returns the type of this module that an object is an alias of; else nil.
func (x *declaring) aliased(o types.Object) types.Object {
	if o == nil {
		return nil
	}
	if alias, ok := o.Type().(*types.Alias); ok && isType(o) {
		if named, ok := alias.Rhs().(*types.Named); ok && x.of[named.Obj()] != nil {
			return named.Obj()
		}
	}
	return nil
}

// originOf returns the generic object of an instance.
func originOf(o types.Object) types.Object {
	switch o := o.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return o
}

// needs yields the groups that a group mentions.
func (x *declaring) needs(g *group) (out []*group) {
	ast.Inspect(g.node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			o := originOf(g.in.TypesInfo.Uses[id])
			if of := x.aliased(o); of != nil {
				o = of
			}
			if needed := x.of[o]; needed != nil && needed != g {
				out = append(out, needed)
			}
		}
		return true
	})
	return out
}

// reach marks a group with all that it mentions.
func (x *declaring) reach(g *group) {
	if g == nil || g.isReached {
		return
	}
	g.isReached = true
	for _, n := range x.needs(g) {
		x.reach(n)
	}
}

// standardMethods are those that the standard library calls.
var standardMethods = regexp.MustCompile(
	`^(Error|Unwrap|Is|As|String|GoString|Format|(Marshal|Unmarshal)(Text|JSON)|Len|Less|Swap|Read|Write)$`)

// reachMethods reaches the methods of types that an interface may call, and reports whether any is new.
func (x *declaring) reachMethods() (isNew bool) {
	for _, g := range x.groups {
		for _, m := range x.dynamicMethods(g) {
			isNew = isNew || !m.isReached
			x.reach(m)
		}
	}
	return isNew
}

// held are the types of the kernel whose methods callers call, who have their values from a generated package.
var held = []string{"Rule", "Procedure", "Play", "Schema"}

// dynamicMethods returns the methods that go with a type that is reached, because an interface or a caller may call them.
func (x *declaring) dynamicMethods(g *group) (out []*group) {
	for _, o := range g.objects {
		named, ok := o.Type().(*types.Named)
		if !g.isReached || !isType(o) || !ok || g.in.PkgPath != kernelPackage && !x.hasValues(named) {
			continue
		}
		for m := range named.Methods() {
			isHeld := slices.Contains(held, o.Name()) && m.Exported() && g.in.PkgPath == kernelPackage
			if isHeld || x.methods[m.Name()] || standardMethods.MatchString(m.Name()) {
				out = append(out, x.of[m])
			}
		}
	}
	return out
}

// hasValues reports whether the reached functions make a value of a type: only then can a method of it be called.
func (x *declaring) hasValues(of *types.Named) bool {
	return slices.ContainsFunc(x.groups, func(g *group) bool {
		return g.isReached && len(g.objects) == 1 && !isType(g.objects[0]) && makesValue(g, of)
	})
}

// makesValue reports whether an expression in a group has the type, or a list of it.
func makesValue(g *group, of *types.Named) (found bool) {
	ast.Inspect(g.node, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok || found {
			return !found
		}
		t := g.in.TypesInfo.TypeOf(e)
		if t == nil {
			return true
		}
		if list, ok := t.(*types.Slice); ok {
			t = list.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok && named.Origin() == of {
			if tv := g.in.TypesInfo.Types[e]; tv.IsValue() {
				found = true
			}
		}
		return true
	})
	return found
}

// archive returns the reached declarations as they stand in the file.
func (x *declaring) archive(t *testing.T) []byte {
	t.Helper()
	out := &txtar.Archive{}
	for _, p := range slices.Backward(x.packages) {
		for _, g := range x.groups {
			if g.in == p && g.isReached && (len(g.objects) != 1 || x.aliased(g.objects[0]) == nil) {
				out.Files = append(out.Files, x.section(t, g))
			}
		}
	}
	return txtar.Format(out)
}

func (x *declaring) section(t *testing.T, g *group) txtar.File {
	t.Helper()
	needs, imports := map[string]bool{}, map[string]bool{}
	for _, n := range append(x.needs(g), x.dynamicMethods(g)...) {
		needs[x.nameOf(n.objects[0])] = true
	}
	text := x.textOf(t, g, imports)
	names := make([]string, len(g.objects))
	for i, o := range g.objects {
		names[i] = x.nameOf(o)
	}
	join := func(set map[string]bool) string { return "," + strings.Join(slices.Sorted(maps.Keys(set)), ",") }
	file := "kernel"
	if g.in.PkgPath != kernelPackage {
		file += "_" + g.in.Name
	}
	return txtar.File{Name: strings.Join([]string{file, strings.Join(names, ","), join(needs), join(imports)}, " "),
		Data: []byte(text + "\n")}
}

// nameOf returns the name of an object; of a method with its type.
func (x *declaring) nameOf(o types.Object) string {
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		t := f.Signature().Recv().Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		return x.names[t.(*types.Named).Origin().Obj()] + "." + f.Name()
	}
	return x.names[o]
}

// An edit replaces a part of a text.
type edit struct {
	from, to int
	text     string
}

// textOf returns the text of a group with the names of the one package, and notes the imports.
func (x *declaring) textOf(t *testing.T, g *group, imports map[string]bool) string {
	t.Helper()
	file := g.in.Fset.File(g.from)
	source, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	at := file.Offset(g.node.Pos())
	edits := []edit{{at, at, g.keyword}}
	replace := func(n ast.Node, text string) {
		edits = append(edits, edit{file.Offset(n.Pos()), file.Offset(n.End()), text})
	}
	ast.Inspect(g.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			id, ok := n.X.(*ast.Ident)
			if !ok {
				return true
			}
			if of, ok := g.in.TypesInfo.Uses[id].(*types.PkgName); ok {
				if name := x.names[g.in.TypesInfo.Uses[n.Sel]]; name != "" {
					replace(n, name)
				} else {
					imports[of.Imported().Path()] = true
					replace(id, of.Imported().Name())
				}
				return false
			}
		case *ast.Ident:
			o := originOf(g.in.TypesInfo.Uses[n])
			if o == nil {
				o = originOf(g.in.TypesInfo.Defs[n])
			}
			if name := x.names[o]; name != "" {
				replace(n, name)
			} else if field, ok := o.(*types.Var); ok && field.Embedded() {
				replace(n, x.embeddedName(field))
			}
		}
		return true
	})
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	at = file.Offset(g.from)
	text := ""
	for _, e := range edits {
		text, at = text+string(source[at:e.from])+e.text, e.to
	}
	text += string(source[at:file.Offset(g.to)])
	for _, o := range g.objects { // a comment begins with the name
		text = regexp.MustCompile(`(?m)^(\s*// (?:An? )?)`+o.Name()+`\b`).ReplaceAllString(text, "${1}"+x.shortName(o))
	}
	return text
}

// shortName returns the name of an object without its type.
func (x *declaring) shortName(o types.Object) string {
	name := x.nameOf(o)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// embeddedName returns the name of a field that is called after its type.
func (x *declaring) embeddedName(field *types.Var) string {
	t := field.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.(type) {
	case *types.Named:
		if name := x.names[t.Origin().Obj()]; name != "" {
			return name
		}
	case *types.Alias:
		if of := x.aliased(t.Obj()); of != nil {
			return x.names[of]
		}
	}
	return field.Name()
}
