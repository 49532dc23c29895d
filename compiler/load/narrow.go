package load

import (
	"slices"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"
)

// leftOut are the rulesets that were left out of the files at the root of a module. Files may be parsed at the same time.
type leftOut struct {
	mu     sync.Mutex
	byFile map[string][]string
}

// addFile notes the names that were left out of a file at the root. CUE parses files at the same time, hence the lock.
func (l *leftOut) addFile(file string, names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byFile == nil {
		l.byFile = map[string][]string{}
	}
	if names != nil {
		l.byFile[file] = names
	}
}

// namesOfOnlyFile are the names that were left out, when they all stood in one file: then their order is known.
func (l *leftOut) namesOfOnlyFile() []string {
	for _, names := range l.byFile {
		if len(l.byFile) == 1 {
			return names
		}
	}
	return nil
}

// narrowRelease leaves out of rules.cue all but some rulesets, and the imports that nothing else reads: then CUE neither
// parses nor builds their packages. It returns the names that were left out. These are surely independent: entries under
// their names in quotes, which nothing can refer to, in a file that does not refer to the list of rulesets.
//
// Why: "rules eval tempestas" needs no other ruleset, and should not wait until CUE has built them all. The list "rulesets"
// may be declared several times (with its pattern, and with its entries); names are counted before and after the cut, and
// the cut is made only where every mention of "rulesets" is such a declaration. An import becomes idle only by the cut: one
// that nothing mentioned before is CUE's error to report.
func narrowRelease(f *ast.File, only []string) (left []string) {
	before, lists := countMentions(f.Decls), 0
	for _, d := range f.Decls {
		if f, ok := d.(*ast.Field); ok && isRulesetList(f) {
			lists++
		}
	}
	if before[rulesetsField] != lists {
		return nil
	}
	for _, d := range f.Decls {
		if list, ok := shippedIn(d); ok {
			list.Elts = slices.DeleteFunc(list.Elts, func(d ast.Decl) bool {
				name, ok := quotedLabel(d)
				if ok = ok && !slices.Contains(only, name); ok {
					left = append(left, name)
				}
				return ok
			})
		}
	}
	after := countMentions(f.Decls)
	idle := func(spec *ast.ImportSpec) bool {
		name := importName(spec)
		return before[name] > 0 && after[name] == 0
	}
	for _, d := range f.Decls {
		if imports, ok := d.(*ast.ImportDecl); ok {
			imports.Specs = slices.DeleteFunc(imports.Specs, idle)
		}
	}
	return left
}

const rulesetsField = "rulesets"

// shippedIn is the list of rulesets that a declaration of rules.cue holds.
func shippedIn(d ast.Decl) (*ast.StructLit, bool) {
	f, ok := d.(*ast.Field)
	if !ok {
		return nil, false
	}
	list, ok := f.Value.(*ast.StructLit)
	return list, ok && isRulesetList(f)
}

// isRulesetList reports whether a field is a list of rulesets.
func isRulesetList(f *ast.Field) bool {
	label, ok := f.Label.(*ast.Ident)
	return ok && label.Name == rulesetsField
}

// quotedLabel is the name of a field that stands in quotes.
func quotedLabel(d ast.Decl) (string, bool) {
	f, ok := d.(*ast.Field)
	if !ok {
		return "", false
	}
	label, ok := f.Label.(*ast.BasicLit)
	if !ok {
		return "", false
	}
	name, err := literal.Unquote(label.Value)
	return name, err == nil
}

// countMentions counts the names in declarations, besides those of imports.
func countMentions(decls []ast.Decl) map[string]int {
	out := map[string]int{}
	for _, d := range decls {
		if _, ok := d.(*ast.ImportDecl); ok {
			continue
		}
		ast.Walk(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				out[id.Name]++
			}
			return true
		}, nil)
	}
	return out
}

// importName is the name by which a file refers to a package.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	path, _ := literal.Unquote(spec.Path.Value)
	return ast.ParseImportPath(path).Qualifier
}
