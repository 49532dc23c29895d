package oracle

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/cel-go/common/types"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Operations on whole numbers A and B.
var onInts = []string{
	"A + B", "A - B", "A * B", "A / B", "A % B", "-A", "abs(A)", "min(A, B)", "max(A, B)", "pow(A, B)",
	"div_floor(A, B)", "div_ceil(A, B)", "div_half_up(A, B)", "div_trunc(A, B)", "div_away(A, B)",
	"A < B", "A <= B", "A > B", "A >= B", "A == B", "A != B", "int(A)", "double(A)", "string(A)", "A in [B, 2]", "[A] == [B]",
	"sum([A, B, A])", "min([A, B])", "max([A, B])", "sort([A, B, 0])", "[A, B, 0].sort_by(v, -v)", "[7, 8][A]",
	"range(A)", "range(A, B)", "[7].slice(A, B)", "pour(A, [B, 1])", "pour(1, [A, B])",
	"counts([A, B, 1], 0, 2)", "counts([1], A, B)",
	"A > 0 && 1 / B > 0", "A > 0 || 1 / B > 0", "1 / A > 0 && B > 0", "1 / A > 0 || B > 0", "A > 0 ? 1 / B : B - 1",
}

// Operations on doubles X and Y.
var onDoubles = []string{
	"X + Y", "X - Y", "X * Y", "X / Y", "-X", "abs(X)", "min(X, Y)", "max(X, Y)", "pow(X, Y)",
	"X < Y", "X <= Y", "X > Y", "X >= Y", "X == Y", "X != Y", "int(X)", "double(X)", "string(X)", "X in [Y, 2.0]",
	"[X] == [Y]",
	"floor(X)", "ceil(X)", "round(X)", "floor(X + 0.5)", "round(X - 0.25)", "sum([X, Y, X])", "min([X, Y])", "max([X, Y])",
	"sort([X, Y, 1.0])", "[X, Y, 1.0].sort_by(v, -v)", "double(string(X))", "X * Y + X",
}

// Operations on a whole number and a double.
var onBoth = []string{
	"A + X", "X + A", "A - X", "X - A", "A * X", "X * A", "A / X", "X / A",
	"A < X", "A <= X", "A > X", "A >= X", "X < A", "X <= A", "X > A", "X >= A",
}

var (
	boundInts    = []int64{math.MinInt64, -1, 0, 1, 2, math.MaxInt64}
	boundDoubles = []float64{
		math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, 5e-324, -5e-324, 1, -1, 0.5, 2.5, 1 << 63, -1 << 63,
		math.MaxFloat64,
	}
)

// A bound is an operand: as a quotient of JSON's numbers, so that it can be infinite or none, and as a literal.
type bound struct {
	over, under float64
	whole       int64
	literal     string
}

func intBounds() []bound {
	var out []bound
	for _, n := range boundInts {
		out = append(out, bound{whole: n, literal: fmt.Sprintf("(%d)", n)})
	}
	return out
}

func doubleBounds() []bound {
	var out []bound
	for _, f := range boundDoubles {
		b := bound{over: f, under: 1, literal: "(" + decimal(f) + ")"}
		switch {
		case math.IsNaN(f):
			b = bound{literal: "(0.0/0.0)"}
		case math.IsInf(f, 0):
			over := math.Copysign(1, f)
			b = bound{over: over, literal: "(" + decimal(over) + "/0.0)"}
		}
		out = append(out, b)
	}
	return out
}

// decimal is a double as CEL and JSON write it, with a point or an exponent.
func decimal(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// TestBoundaries runs every operator and builtin on the numbers where arithmetic ends, read from the input and, where
// passes can see them, as literals.
func TestBoundaries(t *testing.T) {
	t.Parallel()
	ints, doubles := intBounds(), doubleBounds()
	for _, group := range []struct {
		operations    []string
		first, second string
		lefts, rights []bound
	}{
		{onInts, "A", "B", ints, ints},
		{onDoubles, "X", "Y", doubles, doubles},
		{onBoth, "A", "X", ints, doubles},
	} {
		for _, operation := range group.operations {
			o := newOperation(t, operation)
			for i, left := range group.lefts {
				for j, right := range group.rights {
					if portion.Takes(i+j, 3) {
						o.run(t, map[string]bound{group.first: left, group.second: right})
					}
				}
			}
		}
	}
}

// An operation is compiled once for operands that it reads.
type operation struct {
	text string
	pair *pair
}

func newOperation(t *testing.T, text string) *operation {
	read := strings.NewReplacer("X", "(xo / xu)", "Y", "(yo / yu)").Replace(text)
	return &operation{text, compiledPair(t, read)}
}

// boundaryVars are the names of operands.
func boundaryVars() []*check.Param {
	var out []*check.Param
	for _, name := range []string{"A", "B"} {
		out = append(out, check.NewParam(name, plan.IntType))
	}
	for _, name := range []string{"xo", "xu", "yo", "yu"} {
		out = append(out, check.NewParam(name, plan.DoubleType))
	}
	return out
}

func compiledPair(t *testing.T, text string) *pair {
	var diags diag.List
	c := check.CheckExpression(&book.Text{S: text}, boundaryVars(), profile, &diags)
	if c == nil {
		t.Fatalf("%s: %v", text, diags.Err())
	}
	p, err := newPair(c, newReference(nil))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

func (o *operation) run(t *testing.T, operands map[string]bound) {
	parts, vars, literals := []string{}, map[string]any{}, []string{}
	for name, b := range operands {
		literals = append(literals, name, b.literal)
		for _, v := range o.pair.checked.Reads {
			value, text := operand(b, name, v.Name())
			if value != nil {
				vars[v.Name()] = value
				parts = append(parts, fmt.Sprintf("%q:%s", v.Name(), text))
			}
		}
	}
	if err := o.pair.differOn([]byte("{"+strings.Join(parts, ",")+"}"), vars, nil); err != nil {
		t.Error(err)
	}
	folded := compiledPair(t, strings.NewReplacer(literals...).Replace(o.text))
	if err := folded.differOn([]byte("{}"), map[string]any{}, nil); err != nil {
		t.Error(err)
	}
}

// operand is the value of a name of the operation when an operand is given; nil when it is no name of that operand.
func operand(b bound, name, v string) (value any, text string) {
	switch v {
	case name:
		return types.Int(b.whole), strconv.FormatInt(b.whole, 10)
	case strings.ToLower(name) + "o":
		return types.Double(b.over), decimal(b.over)
	case strings.ToLower(name) + "u":
		return types.Double(b.under), decimal(b.under)
	}
	return nil, ""
}
