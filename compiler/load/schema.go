package load

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/schema"
)

// What a struct of a ruleset must and may have is read from schema.cue, and nowhere written again. A struct is named by the
// path to its description in the schema: a definition, then fields, "*" for those of a pattern: "#Homebrew/extend/rules/*".
//
// Only the names are taken from there. Types are checked where a value is read, because there a message can say what the
// value is for, and CUE's cannot.
//
// The description of a use is this field of #Body in schema.cue, shortened:
//
//	use?: [#ID]: #Use
//	#Use: {rule!: #ID, when?: #Formula, ...}
//
// and gives the entry "#Use": {required: [rule], optional: [when, ...]}. The struct of an "explode"
// has no name of its own and is "#Dice/explode". TestSchemaPaths holds that the paths which this
// package asks for are in the schema; TestVerdicts, that nothing is refused for its fields which CUE
// accepts with the schema in place.

// A fieldSet is the fields of a struct that the schema describes. Definitions (#Character, #Input, #State, #Event) are the
// author's to fill and not among them.
type fieldSet struct {
	required    []string
	optional    []string
	definitions []string // "#Input": those that the author may fill
}

// fieldSets is every struct of the schema by its path.
var fieldSets = sync.OnceValue(func() map[string]fieldSet {
	sets, err := parseSchema(schema.Text)
	if err != nil {
		panic("load: the schema: " + err.Error()) // it is compiled in, and a test parses it
	}
	return sets
})

// fieldSetOf is the fields of the struct at a path of the schema, which must be there.
func fieldSetOf(path string) fieldSet {
	set, ok := fieldSets()[path]
	if !ok {
		panic("load: the schema has no struct " + path)
	}
	return set
}

func parseSchema(text string) (map[string]fieldSet, error) {
	file, err := parser.ParseFile("schema.cue", text)
	if err != nil {
		return nil, err
	}
	s := schemaWalker{definitions: map[string]ast.Expr{}, sets: map[string]fieldSet{}}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.Field); ok {
			s.definitions[labelName(f.Label)] = f.Value
		}
	}
	for name, value := range s.definitions {
		if err := s.addStruct(name, value); err != nil {
			return nil, err
		}
	}
	return s.sets, nil
}

// A schemaWalker collects the structs of the schema.
type schemaWalker struct {
	definitions map[string]ast.Expr
	sets        map[string]fieldSet
}

// addStruct adds the struct that an expression describes, if it describes one, and those in its fields.
func (s *schemaWalker) addStruct(path string, value ast.Expr) error {
	lit := structIn(value)
	if lit == nil {
		return nil
	}
	marks := map[string]token.Token{}
	if err := s.addFields(path, lit, marks); err != nil {
		return err
	}
	var set fieldSet
	for name, mark := range marks {
		if strings.HasPrefix(name, "#") {
			set.definitions = append(set.definitions, name)
		} else if mark == token.NOT {
			set.required = append(set.required, name)
		} else {
			set.optional = append(set.optional, name)
		}
	}
	slices.Sort(set.required)
	slices.Sort(set.optional)
	s.sets[path] = set
	return nil
}

// addFields notes for each field of a struct, and of what it embeds, whether it is required: that binds more than optional.
func (s *schemaWalker) addFields(path string, lit *ast.StructLit, marks map[string]token.Token) error {
	for _, d := range lit.Elts {
		switch x := d.(type) {
		case *ast.EmbedDecl:
			id, ok := x.Expr.(*ast.Ident)
			if !ok || s.definitions[id.Name] == nil {
				return fmt.Errorf("%s embeds what is no definition of the schema", path)
			}
			embedded := structIn(s.definitions[id.Name])
			if err := s.addFields(path, embedded, marks); err != nil {
				return err
			}
		case *ast.Field:
			name := "*"
			if _, isPattern := x.Label.(*ast.ListLit); !isPattern {
				if name = labelName(x.Label); marks[name] != token.NOT {
					marks[name] = x.Constraint
				}
			}
			if err := s.addStruct(path+"/"+name, x.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// structIn is the struct that an expression says, alone or as an alternative; nil when there is none.
func structIn(x ast.Expr) *ast.StructLit {
	switch x := x.(type) {
	case *ast.StructLit:
		return x
	case *ast.BinaryExpr:
		if x.Op == token.OR {
			if lit := structIn(x.X); lit != nil {
				return lit
			}
			return structIn(x.Y)
		}
	}
	return nil
}

// checkFields reports what a struct lacks and what it must not have, by the schema's description of it. Definitions and
// hidden fields are the author's own, except a definition that is spelt nearly as one that is read. What a misspelt field
// is meant to be is not reported as missing too.
func (n *node) checkFields(path string) {
	set := fieldSetOf(path)
	known := slices.Concat(set.required, set.optional)
	missing := slices.Clone(set.required)
	for _, k := range n.allFields() {
		switch {
		case k.def:
			n.checkDefinitionName(k, set.definitions)
		case !slices.Contains(known, k.name):
			meant := n.reportUnknownField(k, known, set.definitions)
			missing = slices.DeleteFunc(missing, func(name string) bool { return name == meant })
		}
	}
	unmet := n.reportUnmet()
	n.requireFields(slices.DeleteFunc(missing, func(name string) bool { return slices.Contains(unmet, name) })...)
}

// reportUnknownField reports a field that the schema does not have here, and gives the one that is probably meant. What
// stands in the field means nothing until it is mended.
func (n *node) reportUnknownField(k *node, known, definitions []string) (meant string) {
	d := n.r.addf("unknown-field", k.place, n.subject, "there is no field %s here", k.name)
	d.Breaks = k.brokenNames()
	meant = diag.Nearest(k.name, known)
	for _, name := range definitions {
		if isSlipOf("#"+k.name, name) {
			meant = name
		}
	}
	switch {
	case meant != "":
		d.Repair = "did you mean " + meant + "?"
	case len(known) <= diag.MaxListed:
		d.Repair = "here stand " + strings.Join(slices.Sorted(slices.Values(known)), ", ")
	}
	return meant
}

// brokenNames are the names that are unknown as long as nothing reads the node: those of its fields, and of the definition
// in which it stands.
func (n *node) brokenNames() []string {
	out := []string{n.name}
	if _, id, ok := strings.Cut(n.subject, " "); ok && !strings.Contains(id, " ") {
		out = append(out, id)
	}
	for _, f := range membersOf(n.flatSites()) {
		if f.name != "" {
			out = append(out, f.name)
		}
	}
	return out
}

// checkDefinitionName reports a definition that differs by a slip from one that is read and is not there. A definition of
// the author's own is referred to from elsewhere.
func (n *node) checkDefinitionName(k *node, definitions []string) {
	for _, name := range definitions {
		if _, there := n.fieldNamed(name); there || k.name == name || !isSlipOf(k.name, name) || n.r.isReferredTo(k.name) {
			continue
		}
		d := n.r.addf("unread-definition", k.place, n.subject, "%s is read by nothing", k.name)
		d.Breaks = append(k.brokenNames(), name)
		d.Repair = "did you mean " + name + "?"
	}
}

// isSlipOf reports whether one name of a definition is probably a misspelt form of another.
func isSlipOf(name, meant string) bool {
	return strings.EqualFold(name, meant) || strings.EqualFold(name, meant+"s") || diag.Nearest(name, []string{meant}) != ""
}

// requireFields reports fields that are not there.
func (n *node) requireFields(names ...string) {
	for _, name := range names {
		if _, ok := n.fieldNamed(name); ok {
			continue
		}
		if name == "cite" {
			n.r.addf("missing-cite", n.place, n.subject, "cite is missing: where does the book say this").Repair =
				`write cite: "..." with the chapter, heading or table`
			continue
		}
		n.r.addf("missing-field", n.place, n.subject, "%s is missing", name)
	}
}
