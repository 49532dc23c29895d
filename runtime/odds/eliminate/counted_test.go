package eliminate_test

import (
	"fmt"
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
)

// listOutputs are lists of a few dice that are asked for whole. Of the first ones only counts are computed.
var listOutputs = []struct {
	dice, output string
	counted      bool
}{
	{`d: {die: 4, count: 4}`, `all: "sort(d)"`, true},
	{`d: {die: 4, count: 4}`, `all: "d.sort_by(f, -f)"`, true},
	{`d: {die: 4, count: 4}`, `all: "sort(d)", sum: "sum(d)", first: "sort(d)[0]"`, true},
	{`d: {die: 4, count: 4}`, `high: "sort(d).map(f, f > 2)"`, true},
	{`d: {die: 4, count: 4}`, `halves: "sort(d).map(f, div_floor(f, 2))"`, true},
	{`d: {die: 4, count: 4}`, `large: "sort(d).filter(f, f > 2)"`, true},
	{`d: {die: 4, count: 4}`, `best: "sort(d).slice(2, 4)", least: "sort(d).slice(0, 1)"`, true},
	{`d: {die: 5, count: 3, distinct: true}`, `all: "sort(d)"`, true},
	{`{d: {die: 4, count: "input.n"}, e: die: 2}`, `all: "sort(d)", more: "e"`, true},
	{`{d: {die: 4, count: "input.n"}, e: die: 2}`, `best: "sort(d).slice(e, 2)"`, true}, // may fail
	{`{d: {die: 4, count: 3}, e: {die: 3, count: 2}}`, `all: "sort(d + e)"`, true},
	{`d: {die: 4, count: 4}`, `odd: "sort(d).map(f, f % 2)"`, false},
	{`{d: {die: 4, count: 3}, e: die: 2}`, `all: "sort(d).map(f, f + e)"`, false},
}

// Lists of which only the counts of their elements are computed have the distribution that all ways give.
func TestListsAgainstEveryWay(t *testing.T) {
	files := map[string]string{}
	for i, c := range listOutputs {
		files[fmt.Sprintf("list%d", i)] = fmt.Sprintf(
			"rules: list%d: {cite: \"x\", #Input: n: *2 | (int & >=0 & <=4), dice: %s, output: {%s}}", i, c.dice, c.output)
	}
	p := gametest.Small(t, files)
	for i, c := range listOutputs {
		id := fmt.Sprintf("list%d", i)
		made, err := eliminate.NewExpandedRule(vm.NewImage(p.Plan()), id, runtime.Choice{})
		if err != nil {
			t.Fatalf("%s: %v", c.output, err)
		}
		if counted := made.CountedLists() > 0; counted != c.counted {
			t.Errorf("%s: %s: told by counts: %t", c.dice, c.output, counted)
		}
		for n := range 4 {
			x := &golden.Case{Name: c.dice + ": " + c.output, Subject: id, Character: []byte("{}"),
				Input: fmt.Appendf(nil, `{"n":%d}`, n)}
			want, short, ok := everyWay(t, p, x, 10_000)
			if !ok {
				t.Fatalf("%s: too many ways", c.output)
			}
			compareRule(t, made, x, want, short)
		}
	}
}
