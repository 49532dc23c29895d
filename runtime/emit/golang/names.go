package golang

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/tabletop-rules/rules/runtime/emit"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// language is Go as package emit knows it.
var language = emit.Language{
	Identifier:  identifier,
	IsReserved:  isReserved,
	NamesFields: true,
	IsStatement: func(op plan.Op) bool { return op == plan.OpSelect }, // there is no conditional expression
}

// parameters are the names of what functions are given and return, of the packages that they call, and of predeclared
// functions, types and values.
var parameters = func() map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(`c in state event next status e out err f x n kernel builtin math slices strconv strings
		utf8 append bool float64 int int64 len make max min nil string true false ruleset`) {
		out[word] = true
	}
	return out
}()

// generatedName matches the names of values and declarations that the author did not name.
var generatedName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([vfin]\d+|c\d+_\d+|(site|die|list|row|is)\d+|` +
		`(rowOf|rowsOf|schemaOf|fits|run|begin|close|new|convert)[A-Z]\w*)$`)
})

// isReserved reports whether a name means something else in a function.
func isReserved(name string) bool { return token.IsKeyword(name) || parameters[name] }

// identifier returns a name of the author as that of a value in a function. Before one that a declaration may have, whatever
// number is behind it, stands an article.
func identifier(name string) string {
	if text := lowerCamel(name); !generatedName().MatchString(text) {
		return text
	}
	return "the" + camel(name)
}

// camel returns a name of the author, or a path of names, as an exported one: "loc_roll" is LocRoll.
func camel(name string) string {
	var out strings.Builder
	upper := true
	for _, r := range name {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			if upper {
				r = unicode.ToUpper(r)
			}
			out.WriteRune(r)
			upper = false
		default:
			upper = true
		}
	}
	text := out.String()
	if text == "" || unicode.IsDigit(rune(text[0])) {
		return "X" + text
	}
	return text
}

// lowerCamel returns a name of the author as one of a function: "ours_offenciancy" is oursOffenciancy.
func lowerCamel(name string) string {
	text := camel(name)
	return strings.ToLower(text[:1]) + text[1:]
}

// A namespace has names, each once.
type namespace map[string]bool

// take returns a name, with a number if it is taken. Each of some forms of it, "read%s", is free then, and taken with it.
func (s namespace) take(name string, forms ...string) string {
	free := name
	isTaken := func(form string) bool { return s[fmt.Sprintf(form, free)] }
	for k := 2; s[free] || slices.ContainsFunc(forms, isTaken); k++ {
		free = fmt.Sprint(name, "_", k)
	}
	s[free] = true
	for _, form := range forms {
		s[fmt.Sprintf(form, free)] = true
	}
	return free
}

// IsPackageName reports whether a package may have a name: no word of Go, and none that its files use.
func IsPackageName(name string) bool {
	return token.IsIdentifier(name) && name != "_" && name != "main"
}
