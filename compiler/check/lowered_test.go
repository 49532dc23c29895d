package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/lower"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestEveryOverloadIsLowered calls every overload that formulas have, with each type where one may be any.
func TestEveryOverloadIsLowered(t *testing.T) {
	p := check.Profile{IntegerDivision: true, MapLiterals: true}
	called := 0
	for _, f := range check.Declarations(p) {
		if f.Name() == operators.NotStrictlyFalse {
			continue // nobody writes it: macros expand to it
		}
		for _, o := range f.OverloadDecls() {
			for _, any := range anyTypes {
				lowers(t, p, f.Name(), o, any)
				called++
				if !slices.ContainsFunc(o.ArgTypes(), open) {
					break
				}
			}
		}
	}
	t.Logf("%d calls", called)
	if called < 220 {
		t.Errorf("only %d calls were lowered", called)
	}
}

// anyTypes stand for a type that may be any.
var anyTypes = []*plan.Type{
	plan.IntType, plan.DoubleType, plan.BoolType, plan.StringType, plan.ListOf(plan.IntType), plan.MapOf(plan.DoubleType),
	{Kind: plan.Record, Fields: []plan.Field{{Name: "a", Type: plan.IntType},
		{Name: "b", Type: plan.DoubleType, Optional: true}}},
}

func open(t *types.Type) bool {
	return t.Kind() == types.TypeParamKind || slices.ContainsFunc(t.Parameters(), open)
}

// typeOf is a declared type; a map's key is a string, whatever it may be.
func typeOf(t *types.Type, any *plan.Type) *plan.Type {
	switch t.Kind() {
	case types.IntKind:
		return plan.IntType
	case types.DoubleKind:
		return plan.DoubleType
	case types.BoolKind:
		return plan.BoolType
	case types.StringKind:
		return plan.StringType
	case types.ListKind:
		return plan.ListOf(typeOf(t.Parameters()[0], any))
	case types.MapKind:
		return plan.MapOf(typeOf(t.Parameters()[1], any))
	}
	return any
}

func lowers(t *testing.T, p check.Profile, name string, o *decls.OverloadDecl, any *plan.Type) {
	if o.ID() == "sort_list" && !any.Scalar() {
		return // refused: there is no order among them
	}
	text, vars := call(name, o, any)
	var diags diag.List
	c := check.CheckExpression(&book.Text{S: text}, vars, p, &diags)
	if c == nil {
		t.Errorf("%s: %s: %v", o.ID(), text, diags.Err())
		return
	}
	objects := make([]check.Object, len(vars))
	for i, v := range vars {
		objects[i] = v
	}
	if err := plan.Verify(lower.Expression(c.Root, objects)); err != nil {
		t.Errorf("%s: %s: %v", o.ID(), text, err)
	}
}

// call writes a call of an overload on variables of its types.
func call(name string, o *decls.OverloadDecl, any *plan.Type) (text string, vars []*check.Param) {
	var args []string
	for i, a := range o.ArgTypes() {
		variable, of := fmt.Sprintf("v%d", i), typeOf(a, any)
		isKey := (name == operators.Index || name == operators.In) && a.Kind() == types.TypeParamKind && overMap(o)
		switch {
		case isKey:
			of = plan.StringType
		case name == "with" && any.Kind == plan.Record && i == 2:
			of = plan.IntType
		case name == "with" && any.Kind != plan.Record && i == 0:
			of = plan.MapOf(any)
		}
		vars, args = append(vars, check.NewParam(variable, of)), append(args, variable)
	}
	switch sign, isOperator := operators.FindReverse(name); {
	case name == "with" && any.Kind == plan.Record:
		return "with(v0, 'a', v2)", vars
	case name == "with":
		return "with(v0, v1, v2)", vars
	case strings.HasPrefix(o.ID(), "sort_by_"):
		return "v0.sort_by(x, v1[0])", vars
	case name == operators.Index:
		return "v0[v1]", vars
	case name == operators.Conditional:
		return "v0 ? v1 : v2", vars
	case isOperator && len(args) == 1:
		return sign + args[0], vars
	case isOperator:
		return args[0] + " " + sign + " " + args[1], vars
	case o.IsMemberFunction():
		return args[0] + "." + name + "(" + strings.Join(args[1:], ", ") + ")", vars
	}
	return name + "(" + strings.Join(args, ", ") + ")", vars
}

func overMap(o *decls.OverloadDecl) bool {
	return slices.ContainsFunc(o.ArgTypes(), func(t *types.Type) bool { return t.Kind() == types.MapKind })
}
