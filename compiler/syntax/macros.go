package syntax

import (
	"slices"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/parser"
)

// SortBy is the function that sort_by expands to: a list and the list of its keys. No author can write its name.
const SortBy = "@sort_by"

// Fold is the macro that carries a state from element to element.
const Fold = "fold"

// macros are CEL's, and ours: count, sum and sort_by are functions of a filter or a map, and min and max of many
// arguments are calls of two.
func macros() []parser.Macro {
	return []parser.Macro{
		parser.HasMacro, parser.AllMacro, parser.ExistsMacro, parser.ExistsOneMacro,
		parser.MapMacro, parser.MapFilterMacro, parser.FilterMacro,
		parser.NewReceiverMacro("count", 2, expandCount),
		parser.NewReceiverMacro("sum", 2, expandSum),
		parser.NewReceiverMacro("sort_by", 2, expandSortBy),
		parser.NewReceiverMacro(Fold, 4, expandFold),
		parser.NewGlobalVarArgMacro("min", expandPairs("min")),
		parser.NewGlobalVarArgMacro("max", expandPairs("max")),
	}
}

// Macros returns the names of the macros that stand behind a dot.
func Macros() []string {
	return []string{"all", "exists", "exists_one", "map", "filter", "count", "sum", "sort_by", Fold}
}

// IsMacro reports whether a name is a macro's, which no definition may have.
func IsMacro(name string) bool { return name == "has" || slices.Contains(Macros(), name) }

func expandCount(h parser.ExprHelper, target ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
	return wrapIn("size", h)(parser.MakeFilter(h, target, args))
}

func expandSum(h parser.ExprHelper, target ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
	return wrapIn("sum", h)(parser.MakeMap(h, target, args))
}

// expandFold returns xs.fold(x, state, start, next) as the comprehension that it is: the accumulator has the name and the
// start that the author gives it, and no condition ends it early.
func expandFold(h parser.ExprHelper, target ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
	for _, a := range args[:2] {
		if a.Kind() != ast.IdentKind {
			return nil, h.NewError(a.ID(), "fold names the element and the state first: xs.fold(x, state, start, next)")
		}
	}
	x, state := args[0].AsIdent(), args[1].AsIdent()
	if x == state {
		return nil, h.NewError(args[1].ID(), "the element and the state of fold have two names")
	}
	return h.NewComprehension(target, x, state, args[2], h.NewLiteral(types.True), args[3], h.NewIdent(state)), nil
}

// IsFold reports whether a comprehension is a fold: its accumulator has a name that an author can write.
func IsFold(c ast.ComprehensionExpr) bool {
	return c.AccuVar() != parser.AccumulatorName && c.AccuVar() != parser.HiddenAccumulatorName
}

func wrapIn(function string, h parser.ExprHelper) func(ast.Expr, *common.Error) (ast.Expr, *common.Error) {
	return func(e ast.Expr, err *common.Error) (ast.Expr, *common.Error) {
		if err != nil {
			return nil, err
		}
		return h.NewCall(function, e), nil
	}
}

// expandSortBy returns the call into which xs.sort_by(x, key) expands: its arguments are the list and the list of its
// keys.
//
// The list is copied into the map, so that it is evaluated twice. Nodes of a copy need ids of their own, because CEL's
// positions are by id. Each level of nested sort_by doubles the text; maxNodes bounds this.
func expandSortBy(h parser.ExprHelper, target ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
	keys, err := parser.MakeMap(h, h.Copy(target), args)
	if err != nil {
		return nil, err
	}
	return h.NewCall(SortBy, target, keys), nil
}

// expandPairs turns f(a, b, c) into f(f(a, b), c).
func expandPairs(function string) parser.MacroExpander {
	return func(h parser.ExprHelper, _ ast.Expr, args []ast.Expr) (ast.Expr, *common.Error) {
		if len(args) < 3 {
			return nil, nil
		}
		e := args[0]
		for _, a := range args[1:] {
			e = h.NewCall(function, e, a)
		}
		return e, nil
	}
}
