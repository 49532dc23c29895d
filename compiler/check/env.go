package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/containers"
	"github.com/google/cel-go/common/decls"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/stdlib"
	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/builtin"
)

// A Profile opens what formulas of rulesets may not do and CEL's conformance cases do.
type Profile struct {
	IntegerDivision bool // a / b of two ints, rounded towards zero
	MapLiterals     bool // {'a': 1}
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

// newEnv is CEL's environment of a ruleset, without variables. Its functions are CEL's, the builtins, sort_by, and the
// arithmetic of an int with a double, which promotion replaces.
func newEnv(r *registry, p Profile) *checker.Env {
	env, err := checker.NewEnv(containers.DefaultContainer, r, checker.CrossTypeNumericComparisons(true))
	must(err)
	must(env.AddFunctions(declarations(p)...))
	return env
}

// declarations are the functions of every ruleset. CEL's own stand first: of an empty list, whose elements may be of any
// type, CEL names every overload that an operation on them could be, and the tree takes the first.
func declarations(p Profile) []*decls.FunctionDecl {
	var out []*decls.FunctionDecl
	for _, f := range stdlib.Functions() {
		if standardFunctions[f.Name()] {
			out = append(out, standard(f, p))
		}
	}
	for _, f := range builtin.Table() {
		if f.Name != with {
			out = append(out, declare(f))
		}
	}
	return append(out, withFunction(), sortBy(), mixed(operators.Add, "add"), mixed(operators.Subtract, "subtract"),
		mixed(operators.Multiply, "multiply"), mixed(operators.Divide, "divide"))
}

// must panics when a declaration of the compiler's own is refused: a broken invariant.
func must(err error) {
	if err != nil {
		panic("check: " + err.Error())
	}
}

// standard is a function of CEL's with the overloads for our types.
func standard(f *decls.FunctionDecl, p Profile) *decls.FunctionDecl {
	var opts []decls.FunctionOpt
	for _, o := range f.OverloadDecls() {
		if o.ID() == overloads.DivideInt64 && !p.IntegerDivision || !ours(o.ResultType()) || !allOurs(o.ArgTypes()) {
			continue
		}
		opts = append(opts, overload(o.ID(), o.IsMemberFunction(), o.ArgTypes(), o.ResultType()))
	}
	return newFunction(f.Name(), opts)
}

func newFunction(name string, opts []decls.FunctionOpt) *decls.FunctionDecl {
	f, err := decls.NewFunction(name, opts...)
	must(err)
	return f
}

func overload(id string, member bool, args []*types.Type, result *types.Type) decls.FunctionOpt {
	if member {
		return decls.MemberOverload(id, args, result)
	}
	return decls.Overload(id, args, result)
}

func allOurs(list []*types.Type) bool {
	for _, t := range list {
		if !ours(t) {
			return false
		}
	}
	return true
}

func ours(t *types.Type) bool {
	switch t.Kind() {
	case types.IntKind, types.DoubleKind, types.BoolKind, types.StringKind, types.ListKind, types.MapKind, types.TypeParamKind:
		return true
	}
	return false
}

// declare is a builtin as CEL declares it.
func declare(f builtin.Function) *decls.FunctionDecl {
	opts := make([]decls.FunctionOpt, len(f.Overloads))
	for i, o := range f.Overloads {
		args := make([]*types.Type, len(o.Params))
		for k, p := range o.Params {
			args[k] = written(p)
		}
		opts[i] = overload(o.ID, o.Member, args, written(o.Result))
	}
	return newFunction(f.Name, opts)
}

// written reads a type of the builtin table.
func written(s string) *types.Type {
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
		return types.NewListType(written(strings.TrimSuffix(elem, ")")))
	}
	if elem, ok := strings.CutPrefix(s, "map(string, "); ok {
		return types.NewMapType(types.StringType, written(strings.TrimSuffix(elem, ")")))
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

func sortBy() *decls.FunctionDecl {
	list := types.NewListType(types.NewTypeParamType("T"))
	var opts []decls.FunctionOpt
	for _, key := range []*types.Type{types.IntType, types.DoubleType, types.StringType, types.BoolType} {
		opts = append(opts, decls.Overload("sort_by_"+key.TypeName(), []*types.Type{list, types.NewListType(key)}, list))
	}
	return newFunction(syntax.SortBy, opts)
}

// mixed declares an operator for an int and a double.
func mixed(operator, name string) *decls.FunctionDecl {
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

// A scope is an environment of formulas: CEL's, and our variables by name.
type scope struct {
	env    *checker.Env
	vars   map[string]*Var
	around *scope
}

func newScope(r *registry, base *checker.Env, around *scope) *scope {
	if around != nil {
		base = around.env
	}
	env, err := checker.NewEnv(containers.DefaultContainer, r,
		checker.ValidatedDeclarations(base), checker.CrossTypeNumericComparisons(true))
	must(err)
	return &scope{env: env, vars: map[string]*Var{}, around: around}
}

// add makes a variable readable.
func (s *scope) add(r *registry, v *Var) {
	s.vars[v.Name] = v
	if err := s.env.AddIdents(decls.NewVariable(v.Name, r.cel(v.Type))); err != nil {
		panic(fmt.Sprintf("check: %v", err))
	}
}

// names are those that may be read.
func (s *scope) names() []string {
	var out []string
	for ; s != nil; s = s.around {
		out = slices.AppendSeq(out, maps.Keys(s.vars))
	}
	slices.Sort(out)
	return out
}

func (s *scope) find(name string) *Var {
	for ; s != nil; s = s.around {
		if v := s.vars[name]; v != nil {
			return v
		}
	}
	return nil
}
