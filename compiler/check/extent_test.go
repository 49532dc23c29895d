package check

import (
	"fmt"
	"math"
	"testing"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/builtin"
)

// TestExtent holds the bounds of expressions over i in -3..10, j in 1..4, d in 0.5..2, and lists of up to 5.
func TestExtent(t *testing.T) {
	given := map[string]*builtin.Extent{
		"i": builtin.ExtentBetween(-3, 10), "j": builtin.ExtentBetween(1, 4), "d": builtin.ExtentBetween(0.5, 2),
		"is": builtin.ExtentOfElements(5, builtin.ExtentBetween(0, 6)),
		"ds": builtin.ExtentOfElements(5, builtin.ExtentBetween(-1, 1)),
		"m":  builtin.ExtentOfElements(8, builtin.ExtentBetween(2, 3)),
	}
	for text, want := range map[string]string{
		"i + j":                        "-2..14",
		"i - j":                        "-7..9",
		"i * j":                        "-12..40",
		"i * i":                        "-30..100",
		"-i":                           "-10..3",
		"abs(i)":                       "0..10",
		"abs(j)":                       "1..4",
		"div_floor(i, j)":              "-3..10",
		"div_ceil(i, 2)":               "-2..5",
		"div_floor(j, i)":              "-Inf..+Inf",
		"i % 4":                        "-3..3",
		"j % 3":                        "0..2",
		"pow(j, 2)":                    "0..16",
		"min(i, 5)":                    "-3..5",
		"max(i, 0)":                    "0..10",
		"floor(d * 3)":                 "1..6",
		"1.0 / d":                      "0.5..2",
		"b ? i : 20":                   "-3..20",
		"size(is)":                     "0..5",
		"sum(is)":                      "0..30",
		"sum(ds)":                      "-5..5",
		"max(is)":                      "0..6",
		"is.count(x, x > 2)":           "0..5",
		"is.sum(x, x * 2)":             "0..60",
		"size(is + [1, 9])":            "0..7",
		"(is + [1, 9])[0]":             "0..9",
		"size(range(j))":               "0..4",
		"range(j)[0]":                  "0..3",
		"size(range(i, j))":            "0..7",
		"get(m, 'a', 7)":               "2..7",
		"m.a":                          "2..3",
		"pour(i, is)[0]":               "0..6",
		"is.filter(x, x > 1)[0]":       "0..6",
		"is.sort_by(x, -x)[0] + j":     "1..10",
		"size(is.map(x, range(x))[0])": "0..6",
		"int(s)":                       "-Inf..+Inf",
		"size(s)":                      "-Inf..+Inf",
	} {
		var diags diag.List
		e := CheckExpression(placed(text), testNames(), Profile{}, &diags)
		if e == nil {
			t.Errorf("%s: %s", text, brokenBy(&diags))
			continue
		}
		b := newBounder(&Ruleset{}, &diags)
		for _, o := range e.Reads {
			b.names[o] = given[o.Name()]
		}
		x := b.extentOf(e.Root, b.names).NumberOrUnbounded()
		if got := fmt.Sprintf("%v..%v", x.Lo, x.Hi); got != want {
			t.Errorf("%s lies in %s, want %s", text, got, want)
		}
	}
}

func TestExtentOfEmpty(t *testing.T) {
	x := builtin.ExtentOfElements(0, nil).Unite(builtin.ExtentOfElements(3, builtin.ExtentBetween(1, 2)))
	if x.Size != 3 || x.Elem == nil || x.Elem.Hi != 2 {
		t.Errorf("an empty list or another is %+v", x)
	}
	if y := builtin.ExtentBetween(0, math.Inf(1)).Multiply(builtin.ExtentBetween(0, 0)); y.Lo != 0 || y.Hi != 0 {
		t.Errorf("nothing times anything is %+v", y)
	}
}
