package golden_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// TestDecidedChecksAreNotScheduled wants no check that a requirement or a loop has decided, and every other one.
func TestDecidedChecksAreNotScheduled(t *testing.T) {
	for _, c := range []struct {
		name, body string
		faults     int // instructions that find a fault, or join it to that of other iterations
	}{
		{"a key that a requirement has found", `
			require: "it is there": "input.key in input.map"
			output: {a: "input.map[input.key]", b: "input.map[input.key] + 1"}`, 0},
		{"a key that no requirement has found", `
			output: a: "input.map[input.key]"`, 1},
		{"a key that a requirement has not found", `
			require: "it is not there": "!(input.key in input.map)"
			output: a: "input.map[input.key]"`, 1},
		{"another key than the one that was found", `
			require: "it is there": "input.key in input.map"
			output: a: "input.map['other']"`, 1},
		{"a formula that a requirement has judged", `
			require: "it is short": "input.values[input.at] < 5"
			output: a: "input.values[input.at] > 3"`, 1},
		{"the elements of a list in the order of a range", `
			output: a: "range(size(input.values)).sum(i, input.values[i])"`, 0},
		{"the elements of another list", `
			output: a: "range(size(input.values)).sum(i, input.other[i])"`, 2},
		{"one element more", `
			output: a: "range(size(input.values) + 1).sum(i, input.values[i])"`, 2},
		{"the elements behind the first", `
			output: a: "range(1, size(input.values)).sum(i, input.values[i])"`, 2},
		{"the elements before them", `
			output: a: "range(size(input.values)).sum(i, input.values[i - 1])"`, 2},
		{"indices that were filtered and sorted", `
			let: some: "range(size(input.values)).filter(i, input.values[i] > 2).sort_by(i, input.values[i])"
			output: a: "some.sum(i, input.values[i])"`, 0},
		{"a list that was mapped", `
			let: twice: "range(size(input.values)).map(i, input.values[i] * 2)"
			output: a: "range(size(input.values)).sum(i, twice[i])"`, 0},
		{"a list that was filtered", `
			let: some: "input.values.filter(x, x > 2)"
			output: a: "range(size(input.values)).sum(i, some[i])"`, 2},
	} {
		p := gametest.Small(t, map[string]string{"small": `
			import "list"

			rules: r: {
				cite: "x"
				#Input: {
					map: {[string]: int & >=0 & <=9}
					key: *"k" | string
					values: [...(int & >=0 & <=9)] & list.MaxItems(12)
					other: [...(int & >=0 & <=9)] & list.MaxItems(12)
					at: *0 | int
				}
				` + c.body + `
			}`}).Plan()
		body := p.Bodies()[0]
		code, err := schedule.Default(p, body, []string{"names"})
		if err != nil {
			t.Fatal(err)
		}
		faults := 0
		for line := range strings.SplitSeq(code.String(), "\n") {
			if words := strings.Fields(line); slices.ContainsFunc(words, func(w string) bool {
				return strings.Contains(w, "fault") || strings.HasPrefix(w, "first.")
			}) {
				faults++
			}
		}
		if faults != c.faults {
			t.Errorf("%s: %d instructions find or join faults, want %d:\n%v", c.name, faults, c.faults, code)
		}
	}
}
