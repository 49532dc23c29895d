package resolve

import (
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/builtin"
)

// standard holds the functions that every formula may call: CEL's own and the builtins.
var standard = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range []string{"size", "contains", "startsWith", "endsWith", "int", "double", "string", "bool"} {
		out[name] = true
	}
	for _, f := range builtin.Table() {
		out[f.Name] = true
	}
	return out
}()

// reserved reports whether a table or a function may not have a name.
func reserved(name string) bool { return standard[name] || syntax.IsMacro(name) }
