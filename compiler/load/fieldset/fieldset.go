// Package fieldset reads from schema.cue which fields a struct of a ruleset must and may have; nowhere are they written
// again. A struct is named by the path to its description in the schema: a definition, then fields, "*" for those of a
// pattern: "#Homebrew/extend/rules/*".
//
// Only the names are taken from there. Types are checked where a value is read, because there a message can say what the
// value is for, and CUE's cannot.
//
// The description of a use is this field of #Body in schema.cue, shortened:
//
//	use?: [#ID]: #Use
//	#Use: {rule!: #ID, when?: #Formula, ...}
//
// and gives the entry "#Use": {Required: [rule], Optional: [when, ...]}. The struct of an "explode" has no name of its own
// and is "#Dice/explode". TestSchemaPaths of package load holds that the paths which it asks for are in the schema;
// TestVerdicts, that nothing is refused for its fields which CUE accepts with the schema in place.
package fieldset

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/schema"
)

// A Set is the fields of a struct that the schema describes. Definitions (#Character, #Input, #State, #Event) are the
// author's to fill and not among them.
type Set struct {
	Required    []string
	Optional    []string
	Definitions []string // "#Input": those that the author may fill
}

// Definitions returns the names of all definitions of the schema, in order.
func Definitions() []string { return slices.Sorted(maps.Keys(definitionsOfSchema())) }

// definitionsOfSchema is the expression of each definition of the schema.
var definitionsOfSchema = sync.OnceValue(func() map[string]ast.Expr {
	definitions, err := parseDefinitions(schema.Text)
	if err != nil {
		panic("fieldset: the schema: " + err.Error()) // it is compiled in, and a test parses it
	}
	return definitions
})

// setsOfSchema is every struct of the schema by its path.
var setsOfSchema = sync.OnceValue(func() map[string]Set {
	sets, err := setsOf(definitionsOfSchema())
	if err != nil {
		panic("fieldset: the schema: " + err.Error()) // it is compiled in, and a test reads it
	}
	return sets
})

// Of is the fields of the struct at a path of the schema, which must be there.
func Of(path string) Set {
	set, ok := setsOfSchema()[path]
	if !ok {
		panic("fieldset: the schema has no struct " + path)
	}
	return set
}

func parseDefinitions(text string) (map[string]ast.Expr, error) {
	file, err := parser.ParseFile("schema.cue", text)
	if err != nil {
		return nil, err
	}
	out := map[string]ast.Expr{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.Field); ok {
			out[site.LabelName(f.Label)] = f.Value
		}
	}
	return out, nil
}

// setsOf returns the structs of definitions.
func setsOf(definitions map[string]ast.Expr) (map[string]Set, error) {
	s := schemaWalker{definitions: definitions, sets: map[string]Set{}}
	for name, value := range definitions {
		if err := s.addStruct(name, value); err != nil {
			return nil, err
		}
	}
	return s.sets, nil
}

// A schemaWalker collects the structs of the schema.
type schemaWalker struct {
	definitions map[string]ast.Expr
	sets        map[string]Set
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
	var set Set
	for name, mark := range marks {
		if strings.HasPrefix(name, "#") {
			set.Definitions = append(set.Definitions, name)
		} else if mark == token.NOT {
			set.Required = append(set.Required, name)
		} else {
			set.Optional = append(set.Optional, name)
		}
	}
	slices.Sort(set.Required)
	slices.Sort(set.Optional)
	s.sets[path] = set
	return nil
}

// addFields notes for each field of a struct, and of the definitions it embeds, whether it is required. A field that is
// required anywhere stays so, because that binds more than optional.
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
				if name = site.LabelName(x.Label); marks[name] != token.NOT {
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
