package check

import (
	"maps"
	"slices"
	"strings"

	cel "github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/stdlib"
	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Profile opens what formulas of rulesets may not do and CEL's conformance cases do.
type Profile struct {
	IntegerDivision bool // a / b of two ints, rounded towards zero
	MapLiterals     bool // {1: 'a'}: maps whose keys are no strings
}

// standardFunctions are the functions of CEL that formulas may call; the overloads that take other types than ours are
// left out.
var standardFunctions = map[string]bool{
	operators.Conditional: true, operators.LogicalAnd: true, operators.LogicalOr: true, operators.LogicalNot: true,
	operators.NotStrictlyFalse: true, operators.Equals: true, operators.NotEquals: true,
	operators.Add: true, operators.Subtract: true, operators.Multiply: true, operators.Divide: true,
	operators.Modulo: true, operators.Negate: true,
	operators.Less: true, operators.LessEquals: true, operators.Greater: true, operators.GreaterEquals: true,
	operators.Index: true, operators.In: true,
	overloads.Size: true, overloads.Contains: true, overloads.StartsWith: true, overloads.EndsWith: true,
	overloads.TypeConvertInt: true, overloads.TypeConvertDouble: true, overloads.TypeConvertString: true,
	overloads.TypeConvertBool: true,
}

// newEnvironment is CEL's environment of a ruleset, without variables. Its functions are CEL's, the builtins, sort_by, and
// the arithmetic of an int with a double, which promotion replaces; those of the ruleset are added as they are typed.
func newEnvironment(r *registry, p Profile) *cel.Env {
	env, err := cel.NewEnv(containers.DefaultContainer, r, cel.CrossTypeNumericComparisons(true))
	must(err)
	must(env.AddFunctions(languageFunctions(p)...))
	return env
}

// languageFunctions returns the functions of every ruleset. CEL's own stand first: of an empty list, whose elements may be
// of any type, CEL names every overload that an operation on them could be, and the tree takes the first.
func languageFunctions(p Profile) []*decls.FunctionDecl {
	var out []*decls.FunctionDecl
	for _, f := range stdlib.Functions() {
		if standardFunctions[f.Name()] {
			out = append(out, withOurTypes(f, p))
		}
	}
	for _, f := range builtin.Table() {
		if f.Name != with {
			out = append(out, declareBuiltin(f))
		}
	}
	return append(out, withFunction(), sortByFunction(), mixedOperator(operators.Add, "add"),
		mixedOperator(operators.Subtract, "subtract"), mixedOperator(operators.Multiply, "multiply"),
		mixedOperator(operators.Divide, "divide"))
}

// must panics when a declaration of the compiler's own is refused: a broken invariant.
func must(err error) {
	if err != nil {
		panic("check: " + err.Error())
	}
}

// withOurTypes returns a function of CEL's with the overloads for our types.
//
// Of the overloads of "+" those of bytes, durations and timestamps go; int, double, string and list stay. The division of
// two ints goes as well, since how it rounds is a ruling that an author has to make.
func withOurTypes(f *decls.FunctionDecl, p Profile) *decls.FunctionDecl {
	var opts []decls.FunctionOpt
	for _, o := range f.OverloadDecls() {
		if o.ID() == overloads.DivideInt64 && !p.IntegerDivision || !isOurs(o.ResultType()) || !areOurs(o.ArgTypes()) {
			continue
		}
		opts = append(opts, newOverload(o.ID(), o.IsMemberFunction(), o.ArgTypes(), o.ResultType()))
	}
	return newFunction(f.Name(), opts)
}

func newFunction(name string, opts []decls.FunctionOpt) *decls.FunctionDecl {
	f, err := decls.NewFunction(name, opts...)
	must(err)
	return f
}

func newOverload(id string, member bool, args []*types.Type, result *types.Type) decls.FunctionOpt {
	if member {
		return decls.MemberOverload(id, args, result)
	}
	return decls.Overload(id, args, result)
}

func areOurs(list []*types.Type) bool {
	return !slices.ContainsFunc(list, func(t *types.Type) bool { return !isOurs(t) })
}

// isOurs reports whether values of a type of CEL's are of a type of ours too.
func isOurs(t *types.Type) bool {
	switch t.Kind() {
	case types.IntKind, types.DoubleKind, types.BoolKind, types.StringKind, types.ListKind, types.MapKind,
		types.TypeParamKind:
		return true
	}
	return false
}

// declareBuiltin declares a function of the language to CEL, by the types in its row in package builtin, and without an
// implementation: nothing is evaluated here.
func declareBuiltin(f builtin.Function) *decls.FunctionDecl {
	opts := make([]decls.FunctionOpt, len(f.Overloads))
	for i, o := range f.Overloads {
		args := make([]*types.Type, len(o.Params))
		for k, p := range o.Params {
			args[k] = parseType(p)
		}
		opts[i] = newOverload(o.ID, o.Member, args, parseType(o.Result))
	}
	return newFunction(f.Name, opts)
}

// parseType reads a type of the builtin table.
func parseType(s string) *types.Type {
	switch s {
	case "int":
		return types.IntType
	case "double":
		return types.DoubleType
	case "bool":
		return types.BoolType
	case "string":
		return types.StringType
	}
	if elem, ok := strings.CutPrefix(s, "list("); ok {
		return types.NewListType(parseType(strings.TrimSuffix(elem, ")")))
	}
	if elem, ok := strings.CutPrefix(s, "map(string, "); ok {
		return types.NewMapType(types.StringType, parseType(strings.TrimSuffix(elem, ")")))
	}
	if len(s) == 1 {
		return types.NewTypeParamType(s)
	}
	panic("check: no type is written " + s)
}

// with is the builtin whose two overloads CEL cannot tell apart, since a record may be any type for it. It is declared
// as one, and the tree says which it is.
const with = "with"

func withFunction() *decls.FunctionDecl {
	of, value := types.NewTypeParamType("T"), types.NewTypeParamType("V")
	return newFunction(with, []decls.FunctionOpt{decls.Overload(with, []*types.Type{of, types.StringType, value}, of)})
}

func sortByFunction() *decls.FunctionDecl {
	list := types.NewListType(types.NewTypeParamType("T"))
	var opts []decls.FunctionOpt
	for _, key := range []*types.Type{types.IntType, types.DoubleType, types.StringType, types.BoolType} {
		opts = append(opts, decls.Overload("sort_by_"+key.TypeName(), []*types.Type{list, types.NewListType(key)}, list))
	}
	return newFunction(syntax.SortBy, opts)
}

// mixedOperator declares an operator for an int and a double.
func mixedOperator(operator, name string) *decls.FunctionDecl {
	return newFunction(operator, []decls.FunctionOpt{
		decls.Overload(name+intDouble, []*types.Type{types.IntType, types.DoubleType}, types.DoubleType),
		decls.Overload(name+doubleInt, []*types.Type{types.DoubleType, types.IntType}, types.DoubleType),
	})
}

// Endings of the overloads of mixed operators.
const (
	intDouble = "_int64_double"
	doubleInt = "_double_int64"
)

// A callForm tells how a function may be called: as f(x), as x.f(), or as both.
type callForm struct {
	function, method bool
}

// callForms returns the callables that every formula has by name: CEL's functions and the builtins. Few of them are
// methods, and CEL's checker says of a call in the wrong form only that the types do not fit.
func callForms(p Profile) map[string]callForm {
	out := map[string]callForm{}
	for _, f := range languageFunctions(p) {
		if name := f.Name(); 'a' <= name[0] && name[0] <= 'z' { // operators begin with a sign
			var form callForm
			for _, o := range f.OverloadDecls() {
				form.method = form.method || o.IsMemberFunction()
				form.function = form.function || !o.IsMemberFunction()
			}
			out[name] = form
		}
	}
	return out
}

// declareCallable makes a function of a ruleset callable, with an overload for each list of arguments.
func (l *language) declareCallable(name string, result *plan.Type, overloads map[string][]*types.Type) {
	var opts []decls.FunctionOpt
	for _, id := range slices.Sorted(maps.Keys(overloads)) {
		opts = append(opts, decls.Overload(id, overloads[id], l.types.toCEL(result)))
	}
	must(l.base.AddFunctions(newFunction(name, opts)))
}

// environmentFor returns the environment of one expression: the functions of all, and the names that it reads.
//
// It is made anew for each text and not extended from scope to scope: objects get their types while
// the walk goes on, so an environment that was made before would have stale ones. base's
// declarations are shared and were validated when they were added, which is why a new environment
// is cheap.
func (l *language) environmentFor(s *site) *cel.Env {
	env, err := cel.NewEnv(containers.DefaultContainer, l.types,
		cel.ValidatedDeclarations(l.base), cel.CrossTypeNumericComparisons(true))
	must(err)
	for _, r := range s.reads {
		must(env.AddIdents(decls.NewVariable(r.object.Name(), l.types.toCEL(r.object.Type()))))
	}
	if set, ok := s.scope.findObject("option").(*OptionSet); ok {
		must(env.AddIdents(decls.NewVariable(set.name, l.types.toCEL(set.typ))))
	}
	return env
}
