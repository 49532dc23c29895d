package explain

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/site"
)

// foreignConstants are names of other languages for what CUE writes in lower case.
var foreignConstants = map[string]string{
	"True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "yes": "true", "no": "false", "None": "null",
	"Int": "int", "integer": "int", "Integer": "int", "String": "string", "str": "string", "text": "string", "Bool": "bool",
	"boolean": "bool", "Boolean": "bool", "double": "number", "Number": "number",
}

// foreignCalls are names of other languages with something in parentheses behind them, and what is written here.
var foreignCalls = map[string]string{
	"enum": choiceAdvice, "oneof": choiceAdvice, "one_of": choiceAdvice, "choice": choiceAdvice,
	"range": rangeAdvice, "between": rangeAdvice, "in": rangeAdvice, "clamp": rangeAdvice,
	"min": "bounds are joined by &: int & >=0 & <=5", "max": "bounds are joined by &: int & >=0 & <=5",
	"key": keyAdvice, "keyof": keyAdvice, "ref": keyAdvice,
}

// foreignTypes are types of other languages that are written at length here.
var foreignTypes = map[string]string{
	"map": mapAdvice, "Map": mapAdvice, "dict": mapAdvice, "Dict": mapAdvice, "Record": mapAdvice, "hash": mapAdvice,
	"any": typeAdvice, "object": typeAdvice, "dynamic": typeAdvice,
	"positive": "bounds are joined by &: int & >=0", "natural": "bounds are joined by &: int & >=0",
	"unsigned": "bounds are joined by &: int & >=0",
}

const (
	choiceAdvice = `one of some words is written "poor" | "fair" | "good"`
	rangeAdvice  = "a range is written as two bounds: int & >=0 & <=9"
	keyAdvice    = "a key of a table is string @key(TABLE)"
	mapAdvice    = "a map says what its values are: [string]: int"
	typeAdvice   = "the type must be known: int, number, bool, string, a list or a struct"
)

// writtenTypes are the types that a field may be written to have.
var writtenTypes = []string{"int", "number", "float", "bool", "string"}

// comparison is a text that a bound goes on.
var comparison = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[<>]=?\s*$`) })

// isAlternative reports whether what stands between two texts is one of several that a field may be.
func isAlternative(before, behind string) bool {
	return strings.HasSuffix(strings.TrimRight(before, " \t*"), "|") ||
		strings.HasPrefix(strings.TrimLeft(behind, " \t"), "|")
}

// fieldsAround returns the names of the fields that CUE knows at a place: those of the structs around it, without the
// fields that it stands in.
func fieldsAround(f *ast.File, at token.Pos) (names []string) {
	ast.Walk(f, func(n ast.Node) bool {
		if n.Pos().Offset() > at.Offset() || n.End().Offset() <= at.Offset() {
			return n == ast.Node(f)
		}
		if s, ok := n.(*ast.StructLit); ok {
			for _, e := range s.Elts {
				if field, ok := e.(*ast.Field); ok &&
					(field.Pos().Offset() > at.Offset() || field.End().Offset() <= at.Offset()) {
					if name, isIdent, err := ast.LabelName(field.Label); err == nil && isIdent {
						names = append(names, name)
					}
				}
			}
		}
		return true
	}, nil)
	return names
}

// bareDie is a die that stands without quotes, and so reads as a name.
var bareDie = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^d[0-9]+$`) })

// schemaDefinitions are those that a file embeds by the name of the package in front.
var schemaDefinitions = map[string]bool{"#Ruleset": true, "#Homebrew": true, "#Release": true, "#ID": true}

// textField is the head of a field whose value is a text.
var textField = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(gives|cite|doc|title|rule|default|id|ruleset|revision|book|name)\??:\s*$`)
})

// bracketedType is the type behind list in list[int].
// boundBefore is a field whose bound begins: pull!: int & <=
var boundBefore = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\w+)[!?]?:[^\n{}:]*?([<>]=?)\s*$`)
})

// leadingPath is a name and what is selected behind it.
var leadingPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\w+(?:\.\w+)*`) })

var bracketedType = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[(\w+)\]`) })

// adviseList returns how a list is written of elements that other languages may call otherwise.
func adviseList(elem string) string {
	return fmt.Sprintf("write [...%s] & list.MaxItems(8)", cmp.Or(foreignConstants[elem], elem))
}

// adviseReference returns the text to write for a name that CUE does not know, at a place of the file: the nearest of the
// known ones of the package and of the fields around it, or our form of the constant, the type or the note of another
// language.
func (r *Reporter) adviseReference(id *ast.Ident, known, fields []string) string {
	switch id.Name {
	case "option":
		return `only formulas know options: output: harm: option: tie: {made: "1", missed: "2"}`
	case "character":
		text := r.FileNamed(id.Pos().Filename()).Text
		if m := boundBefore().FindStringSubmatch(text[:id.Pos().Offset()]); m != nil {
			path := leadingPath().FindString(text[id.Pos().Offset():])
			return fmt.Sprintf("a bound is a number: what depends on the character is a requirement, "+
				`require: "...": "input.%s %s %s"`, m[1], m[2], path)
		}
		return "another character is of the type #Character; only formulas know character, in quotes: " +
			"\"character.x > 3 ? 1 : 2\""
	case "input", "state", "event":
		return "only formulas know " + id.Name + `, in quotes: "` + id.Name + `.x > 3 ? 1 : 2"`
	}
	if schemaDefinitions[id.Name] {
		return "write schema." + id.Name
	}
	text := r.FileNamed(id.Pos().Filename()).Text
	before, behind := text[:id.Pos().Offset()], text[id.End().Offset():]
	isBound := comparison().MatchString(before)
	if strings.HasPrefix(id.Name, "#") || !isBound && isAlternative(before, behind) { // no field, and a word without quotes
		fields = nil
	}
	near := diag.DidYouMean(id.Name, slices.Concat(known, fields, writtenTypes))
	isCalled := strings.HasPrefix(text[id.End().Offset():], "(")
	isType := foreignConstants[id.Name] != "" &&
		!slices.Contains([]string{"true", "false", "null"}, foreignConstants[id.Name])
	if m := textField().FindStringSubmatch(text[:id.Pos().Offset()]); m != nil && !isType {
		return fmt.Sprintf("a text stands in quotes: %s: %q", m[1], id.Name)
	}
	switch start := strings.LastIndexByte(text[:id.Pos().Offset()], '\n') + 1; {
	case id.Name == "list" && bracketedType().MatchString(text[id.End().Offset():]):
		return adviseList(bracketedType().FindStringSubmatch(text[id.End().Offset():])[1])
	case site.IsStandardPackage(id.Name):
		return fmt.Sprintf("write import %q", id.Name)
	case r.rulesetPath(id.Name) != "":
		return fmt.Sprintf("write import %q", r.rulesetPath(id.Name))
	case foreignConstants[id.Name] != "":
		return "write " + foreignConstants[id.Name]
	case near == "" && strings.HasPrefix(id.Name, "#") && strings.TrimSpace(text[start:id.Pos().Offset()]) == "":
		return "a note begins with //, and not with #"
	case isCalled && foreignCalls[id.Name] != "":
		return foreignCalls[id.Name]
	case foreignTypes[id.Name] != "":
		return foreignTypes[id.Name]
	case id.Name == "schema":
		return `write import "github.com/tabletop-rules/rules/schema"`
	case bareDie().MatchString(id.Name):
		return fmt.Sprintf("dice stand in quotes: %q", id.Name)
	case near == "" && isBound && !isCalled:
		return "a bound is a number, or a field that stands beside it: int & >=0 & <=10"
	case near == "" && 'a' <= id.Name[0] && id.Name[0] <= 'z' && !isCalled:
		return fmt.Sprintf("a word stands in quotes, %q; a key of a table is string @key(%s)", id.Name, id.Name)
	}
	name, isDefinition := strings.CutPrefix(id.Name, "#")
	if isDefinition && slices.Contains(known, strings.ToLower(name)) {
		return fmt.Sprintf("write %s: where %s: stands", id.Name, strings.ToLower(name))
	}
	if near == "" && isDefinition {
		return fmt.Sprintf("define it, %s: {...}; a key of a table is string @key(%s)", id.Name, strings.ToLower(name))
	}
	return near
}

// rulesetPath returns the import path of a ruleset of the module; "" when there is none of that name.
func (r *Reporter) rulesetPath(name string) string {
	dir := path.Join("tables", name)
	if info, err := fs.Stat(r.FS, dir); err != nil || !info.IsDir() || len(r.Packages) == 0 {
		return ""
	}
	module, _, _ := strings.Cut(r.Packages[0].Module, "@")
	return path.Join(module, dir)
}
