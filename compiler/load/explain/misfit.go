package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/shape"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Tables say once what a column may be, and rows say what it is:
//
//	keyed: [string]: crit: *20 | int & >=1 & <=20
//	keyed: dagger: crit: 25
//
// Of this CUE says that 20 and 25 conflict, and somewhere below that 25 is out of bound: it has tried both alternatives,
// and neither is what the author meant to be compared with. So the two halves are told apart by how they are written. A
// value that is written out is one half; what else is written for the field is the other, and is read as the
// specification of an input would be (package shape). Then the reason is a comparison. Where either half is more than
// that, CUE's words stand.

// reportMisfit reports a value that contradicts the other expressions of its field, at the value, and returns whether an
// error is about one.
func (r *Reporter) reportMisfit(e errors.Error) bool {
	text := messageOf(e)
	if !strings.HasPrefix(text, "conflicting values") && !strings.HasPrefix(text, "invalid value") {
		return false
	}
	values, limits := splitValues(r.paths.SitesAt(e.Path()))
	if len(values) != 1 || len(limits) == 0 {
		return false
	}
	value, _, _ := shape.ReadQuietly(r.Module, values)
	_, limit, clear := shape.ReadQuietly(r.Module, limits)
	if value == "" || !clear {
		return false
	}
	why, repair := explainMisfit(value, limit)
	if why == "" {
		return false
	}
	d := r.addf("cue-conflict", r.PlaceOf(values[0].Expr.Pos()), subjectOf(e.Path()), "%s is %s", value, why)
	d.Repair = repair
	d.Related = []diag.Related{{Place: r.PlaceOf(limits[0].Expr.Pos()), Message: "what it may be"}}
	return true
}

// splitValues parts the expressions of a field into values that are written out, and the rest.
func splitValues(sites []site.Site) (values, limits []site.Site) {
	for _, s := range site.SplitConjuncts(sites) {
		if isScalar(s.Expr) && !isBound(s.Expr) {
			values = append(values, s)
		} else {
			limits = append(limits, s)
		}
	}
	return values, limits
}

// isBound reports whether an expression is a bound or a default, and no value.
func isBound(x ast.Expr) bool {
	unary, ok := x.(*ast.UnaryExpr)
	binary, both := x.(*ast.BinaryExpr)
	return ok && unary.Op != token.SUB && unary.Op != token.ADD || both && binary.Op == token.OR
}

// explainMisfit returns the reason why a value in JSON is not one of a shape, and the value that may be meant; nothing if
// it is one.
func explainMisfit(value string, s *plan.Shape) (why, repair string) {
	if shape.FitsShape(value, s) {
		return "", ""
	}
	number, err := strconv.ParseFloat(value, 64)
	isText := strings.HasPrefix(value, `"`)
	switch {
	case s.Enum != nil:
		why = "not one of " + strings.Join(s.Enum, ", ")
		if isText {
			repair = diag.DidYouMean(strings.Trim(value, `"`), s.Enum)
		}
	case s.Kind == plan.Bool:
		why = "not true or false"
	case s.Kind == plan.String && !isText:
		why, repair = "no string", fmt.Sprintf("write it in quotes: %q", value)
	case shape.IsNumber(s.Kind) && err != nil:
		why = "no number"
		if n := leadingNumberOf(strings.Trim(value, `"`)); n != "" {
			repair = "write the number alone: " + n
		}
	case s.Kind == plan.Int && number != float64(int64(number)):
		why = "no whole number"
	case err == nil:
		why = outsideOf(number, s)
	}
	return why, repair
}

// outsideOf says which bound of a shape a number lies outside of; nothing when it lies outside of none.
func outsideOf(v float64, s *plan.Shape) string {
	format := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	switch {
	case s.Min != nil && v < s.Min.Value:
		return "below " + format(s.Min.Value)
	case s.Min != nil && s.Min.Open && v == s.Min.Value:
		return "not above " + format(v)
	case s.Max != nil && v > s.Max.Value:
		return "above " + format(s.Max.Value)
	case s.Max != nil && s.Max.Open && v == s.Max.Value:
		return "not below " + format(v)
	case slices.ContainsFunc(s.Not, func(b plan.Bound) bool { return b.Value == v }):
		return "a number that is left out"
	}
	return ""
}

// leadingNumber is the number before a unit.
var leadingNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?`) })

// leadingNumberOf is the number that a text begins with, as "5 m" does; "" when it begins with none.
func leadingNumberOf(text string) string { return leadingNumber().FindString(text) }
