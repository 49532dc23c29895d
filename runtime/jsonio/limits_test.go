package jsonio

import (
	"math"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// soldier is a shape whose fields bound each other in every way: by a field, by a sum through a record and a map, strictly,
// from below, in a list, and by what may be absent.
func soldier() *plan.Shape {
	number := func(kind plan.Kind, limits ...plan.Limit) *plan.Shape { return &plan.Shape{Kind: kind, Limits: limits} }
	record := func(members ...plan.Member) *plan.Shape { return &plan.Shape{Kind: plan.Record, Fields: members} }
	most := func(paths ...string) plan.Limit {
		l := plan.Limit{Upper: true}
		for _, p := range paths {
			l.Sum = append(l.Sum, strings.Split(p, "."))
		}
		return l
	}
	below, above := most("height"), plan.Limit{Sum: [][]string{{"rank"}}, Plus: 2}
	below.Open = true
	return record(
		plan.Member{Name: "stamina", Shape: number(plan.Int, most("class.stamina", "attributes.body"))},
		plan.Member{Name: "class", Shape: record(plan.Member{Name: "stamina", Shape: number(plan.Int)})},
		plan.Member{Name: "attributes", Shape: &plan.Shape{Kind: plan.Map, Elem: number(plan.Int),
			Fields: []plan.Member{{Name: "body", Shape: number(plan.Int)}}}},
		plan.Member{Name: "reach", Shape: number(plan.Double, below), Default: "0.5"},
		plan.Member{Name: "height", Shape: number(plan.Double), Optional: true},
		plan.Member{Name: "pay", Shape: number(plan.Int, above), Default: "9"},
		plan.Member{Name: "rank", Shape: number(plan.Int), Default: "0"},
		plan.Member{Name: "mounts", Default: "[]", Shape: &plan.Shape{Kind: plan.List, MaxItems: 2, Elem: record(
			plan.Member{Name: "load", Shape: number(plan.Int, most("strength"))},
			plan.Member{Name: "strength", Shape: number(plan.Int)},
		)}},
	)
}

func TestLimits(t *testing.T) {
	const fit = `"stamina":7,"class":{"stamina":4},"attributes":{"body":3}`
	for text, want := range map[string]string{
		`{` + fit + `}`: "",
		`{"stamina":8,"class":{"stamina":4},"attributes":{"arm":9,"body":3}}`: "character.stamina: must be at most " +
			"class.stamina + attributes.body, which is 7, not 8",
		`{"attributes":{"body":3},"class":{"stamina":4},"stamina":8}`: "character.stamina: must be at most " +
			"class.stamina + attributes.body, which is 7, not 8",
		`{` + fit + `,"reach":1.9,"height":1.75}`:  "character.reach: must be less than height, which is 1.75, not 1.9",
		`{` + fit + `,"reach":1.75,"height":1.75}`: "character.reach: must be less than height, which is 1.75, not 1.75",
		`{` + fit + `,"reach":1.5,"height":1.75}`:  "",
		`{` + fit + `,"reach":99}`:                 "", // nothing bounds it
		`{` + fit + `,"rank":8}`:                   "character.pay: must be at least rank + 2, which is 10, not 9",
		`{` + fit + `,"rank":7}`:                   "",
		`{` + fit + `,"mounts":[{"load":1,"strength":2},{"load":3,"strength":2}]}`: "character.mounts[1].load: must be at " +
			"most strength, which is 2, not 3",
		`{"stamina":9223372036854775807,"class":{"stamina":9223372036854775807},"attributes":{"body":0}}`: "",
		`{"stamina":9223372036854775807,"class":{"stamina":9223372036854775806},"attributes":{"body":0}}`: "character.stamina: " +
			"must be at most class.stamina + attributes.body, which is 9223372036854775806, not 9223372036854775807",
	} {
		_, err := decoded(soldier(), text)
		got := ""
		if err != nil {
			got, _, _ = strings.Cut(err.Error(), " (line")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Sums of bounds are whole as long as an int64 holds them, and the nearest double beyond.
func TestSumsOfBounds(t *testing.T) {
	const most, least = math.MaxInt64, math.MinInt64
	whole := func(n int64) number { return number{true, n, float64(n)} }
	for _, c := range []struct {
		a, b    int64
		isWhole bool
	}{{3, 4, true}, {-3, -4, true}, {-3, 4, true}, {3, -4, true}, {0, 0, true}, {0, -4, true}, {-4, 0, true}, {4, 0, true},
		{most, 1, false}, {least, -1, false}, {most, most, false}, {least, least, false}, {most, least, true}, {most, 0, true},
		{least, 0, true}, {-1, 1, true}, {most - 1, 1, true}, {least + 1, -1, true}} {
		sum := whole(c.a).add(whole(c.b))
		if sum.whole != c.isWhole || sum.value != float64(c.a)+float64(c.b) || c.isWhole && sum.int != c.a+c.b {
			t.Errorf("%d + %d is %+v", c.a, c.b, sum)
		}
	}
	if sum := whole(1).add(number{false, 0, 0.5}); sum.whole || sum.value != 1.5 {
		t.Errorf("1 + 0.5 is %+v", sum)
	}
}
