package oracle

import (
	"strings"

	"cel.dev/expr"
	testpb "cel.dev/expr/conformance/test"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/ext"
)

// suiteEnv is the environment that the suite is written for.
var suiteEnv = func() *cel.Env {
	env, err := cel.NewEnv(cel.OptionalTypes(), ext.Bindings(ext.BindingsVersion(1)), ext.Encoders(ext.EncodersVersion(0)),
		ext.Math(ext.MathVersion(2)), ext.Strings(ext.StringsVersion(4)), ext.Lists(ext.ListsVersion(3)),
		ext.TwoVarComprehensions(), cel.EnableIdentifierEscapeSyntax())
	if err != nil {
		panic(err)
	}
	return env
}()

// inSubset reports whether a case is checked and uses only int, double, bool, string, list and map, dyn nowhere.
func inSubset(test *testpb.SimpleTest) bool {
	if test.Container != "" || test.DisableMacros || test.DisableCheck || test.CheckOnly || !plainBindings(test) {
		return false
	}
	var opts []cel.EnvOption
	for _, d := range test.TypeEnv {
		o, err := cel.ProtoAsDeclaration(d)
		if err != nil {
			return false
		}
		opts = append(opts, o)
	}
	env, err := suiteEnv.Extend(opts...)
	if err != nil {
		return false
	}
	a, issues := env.Compile(test.Expr)
	return issues.Err() == nil && plainTree(a.NativeRep())
}

func plainBindings(test *testpb.SimpleTest) bool {
	for _, b := range test.Bindings {
		if !plainValue(b.GetValue()) {
			return false
		}
	}
	if v := test.GetValue(); v != nil {
		return plainValue(v)
	}
	return true
}

func plainValue(v *expr.Value) bool {
	switch x := v.GetKind().(type) {
	case *expr.Value_Int64Value, *expr.Value_DoubleValue, *expr.Value_BoolValue, *expr.Value_StringValue:
		return true
	case *expr.Value_ListValue:
		for _, e := range x.ListValue.Values {
			if !plainValue(e) {
				return false
			}
		}
		return true
	case *expr.Value_MapValue:
		for _, e := range x.MapValue.Entries {
			if !plainValue(e.Key) || !plainValue(e.Value) {
				return false
			}
		}
		return true
	}
	return false
}

func plainTree(tree *ast.AST) bool {
	plain := true
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.StructKind {
			plain = false
		}
		if t := tree.GetType(e.ID()); t != nil && !plainType(t) {
			plain = false
		}
		if e.Kind() == ast.IdentKind && strings.HasPrefix(e.AsIdent(), ".") {
			plain = false
		}
	}))
	return plain
}

func plainType(t *types.Type) bool {
	switch t.Kind() {
	case types.BoolKind, types.IntKind, types.DoubleKind, types.StringKind:
		return true
	case types.ListKind, types.MapKind:
	case types.TypeParamKind:
		return true // of an empty list or map
	default:
		return false
	}
	for _, p := range t.Parameters() {
		if !plainType(p) {
			return false
		}
	}
	return true
}
