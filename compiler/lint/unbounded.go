package lint

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// computing are the calls whose result has no bound where an int among their operands has none.
var computing = []string{"add_int64", "subtract_int64", "multiply_int64", "negate_int64"}

// CheckBounds reports the ints of characters, inputs and events that formulas compute with and that lack a bound. Nothing
// proves then that a result lies within 2^53, so that generated JavaScript checks each. What a state holds the procedure
// itself has put there.
func CheckBounds(r *check.Ruleset, diags *diag.List) {
	f := &mapFinder{book: r.Book}
	reported := map[*plan.Shape]bool{}
	for _, t := range r.Trees {
		t.Root.Visit(func(e *check.Expr) {
			if e.Op != check.OpCall || !slices.Contains(computing, e.Name) {
				return
			}
			for _, a := range e.Args {
				s := f.shapeAt(a)
				if s == nil || s.Kind != plan.Int || reported[s] || isOfState(a) {
					continue
				}
				bound := "upper bound"
				switch {
				case s.Min != nil && s.Max != nil:
					continue
				case s.Min == nil && s.Max == nil:
					bound = "bounds"
				case s.Min == nil:
					bound = "lower bound"
				}
				reported[s] = true
				d := diags.Addf("unbounded-int", s.Place, t.Subject, "%s has no %s, and formulas compute with it: "+
					"nothing proves that JavaScript holds the result", a.Describe(), bound)
				d.Repair = "give it the least and the greatest that the game knows: int & >=0 & <=20"
				d.Related = []diag.Related{{Place: e.Place, Message: "where it is computed with"}}
			}
		})
	}
}

// isOfState reports whether an expression reads a state.
func isOfState(e *check.Expr) bool {
	for e.Op == check.OpField {
		e = e.Args[0]
	}
	given, ok := e.Object.(*check.Given)
	return ok && given.Root == plan.StateRoot
}
