package oracle

import (
	"regexp"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/runtime/builtin"
)

// TestOraclesKnowEveryBuiltin fails when a function was added to the language and to none of the lists by which its oracles
// try it: the reference would not run it, generated expressions would never call it, and nobody would try it at the ends of
// the numbers.
func TestOraclesKnowEveryBuiltin(t *testing.T) {
	var generated []string
	for _, list := range forms {
		generated = append(generated, list...)
	}
	for _, f := range builtin.Table() {
		if !isCalled(f.Name, generated) {
			t.Errorf("no form of generate_test.go calls %s", f.Name)
		}
		for _, o := range f.Overloads {
			_, byID := builtins[o.ID]
			_, byName := builtins[f.Name] // one for all overloads
			if !byID && !byName {
				t.Errorf("the reference has no %s", o.ID)
			}
			if takes(o, "int", "list(int)", "list(T)") && !isCalled(f.Name, onInts) {
				t.Errorf("onInts of boundary_test.go has no %s", f.Name)
			}
			if takes(o, "double", "list(double)") && !isCalled(f.Name, onDoubles) {
				t.Errorf("onDoubles of boundary_test.go has no %s", f.Name)
			}
		}
	}
}

// takes reports whether an overload takes operands of these types and no others.
func takes(o builtin.Overload, kinds ...string) bool {
	return !slices.ContainsFunc(o.Params, func(p string) bool { return !slices.Contains(kinds, p) })
}

// isCalled reports whether an expression calls a function: behind a letter it would be the end of another one's name.
func isCalled(name string, expressions []string) bool {
	call := regexp.MustCompile(`(^|[^a-z_])` + name + `\(`)
	return slices.ContainsFunc(expressions, call.MatchString)
}
