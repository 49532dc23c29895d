package golden_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime"
)

// tipping returns a ruleset with one procedure, of which the start and the event tip are given.
func tipping(start, tip string) string {
	return fmt.Sprintf(`package game

import (
	"list"

	"github.com/tabletop-rules/rules/schema"
)

schema.#Ruleset & {
	id:    "game"
	title: "Game"
	source: book: "none"
	#Character: {}
	procedures: tip: {
		cite: "Tipping"
		#Input: {purse: {[string]: int & >=0}, coins: *2 | int}
		let: far: "input.purse.map(k, input.purse[k]).sum(x, x * input.coins)"
		#State: {
			n:      *0 | int & <=1
			weight: *1.5 | number
			loads: [...number] & list.MaxItems(2)
			bag: {heft: *1.5 | number, by: {[string]: number}}
		}
		%s
		events: tip: {%s}
		ends: under: "state.n < 0"
		output: n: "state.n"
	}
}
`, start, tip)
}

// A course, computed or drawn, of so many events says of the event behind them whether it is offered, and nothing else: it
// fails where that cannot be said, and not where the event would fail. A next value that is no number is no state.
func TestCoursesTellOfTheEventBehindTheirLastWhetherItIsOffered(t *testing.T) {
	const failsAtOne, never = "div_trunc(1, 1 - state.n)", ""
	for _, c := range []struct{ start, tip, want string }{ // want after one event; of what fails a part of the error
		{never, `next: n: "` + failsAtOne + `"`, "open"},
		{never, `dice: d: {die: 6, count: "` + failsAtOne + `", most: 1}, next: n: "1"`, "open"},
		{never, `when: "` + failsAtOne + ` > 0", next: n: "1"`, "division by zero"},
		{never, `when: "state.n == 0", next: n: "1"`, "stuck"},
		{`start: next: n: "1"`, `next: n: "` + failsAtOne + `"`, "division by zero"},
		{never, `next: n: "2"`, "outgrown"},
		{never, `next: weight: "state.weight * 1e300 * 1e300"`, "outgrown"},
		{never, `next: weight: "state.weight * 1e300 * 1e300 - state.weight * 1e300 * 1e300"`, "outgrown"},
		{never, `next: loads: "[1.0, state.weight * 1e300 * 1e300]"`, "outgrown"},
		{never, `next: "bag.heft": "-state.weight * 1e300 * 1e300"`, "outgrown"},
		{never, `next: "bag.by": "{'a': 1.0, 'b': -state.weight * 1e300 * 1e300}"`, "outgrown"},
		{never, `next: loads: "[state.weight, 1.0, 2.0].filter(x, x > 0.0)"`, "outgrown"},
		{never, `next: weight: "state.weight * -0.0"`, "open"},
		{`start: next: weight: "1e300 * 1e300"`, `next: n: "1"`, "state.weight"},
		{`start: {dice: d: "d2", next: n: "d"}`, `next: n: "1"`, "state.n"},
	} {
		d, err := runtime.New(compileText(t, tipping(c.start, c.tip))).Procedure("tip", runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		courses, err := d.PrepareOdds(nil, false)
		if err != nil {
			t.Fatal(err)
		}
		policy, o := runtime.Policy{{Event: "tip"}}, &runtime.CourseOptions{Most: 1}
		computed, err := courses.Odds(context.Background(), runtime.Request{}, policy, o)
		if got := describeCourse(computed, err); !strings.Contains(got, c.want) {
			t.Errorf("computed, start %s, tip %s: %s, want %s", c.start, c.tip, got, c.want)
		}
		drawn, err := courses.Sample(t.Context(), runtime.Request{}, runtime.Sampling{Plays: 32,
			Policy: func() (runtime.Policy, error) { return policy, nil }}, o)
		if got := describeCourse(drawn, err); !strings.Contains(got, c.want) {
			t.Errorf("drawn, start %s, tip %s: %s, want %s", c.start, c.tip, got, c.want)
		}
	}
}

// describeCourse returns the one status that a course has, or its error.
func describeCourse(c *runtime.Course, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case c.Open == 1:
		return runtime.StatusOpen
	case len(c.Ends) == 1 && c.Ends[0].P == 1:
		return c.Ends[0].Status
	}
	return fmt.Sprintf("%+v", c)
}

// What comes with an event is judged behind its guard: it is no error where the event is not offered, and not told where the
// guard fails.
func TestCoursesJudgeGuardsBeforeInputs(t *testing.T) {
	for _, c := range []struct{ when, want string }{
		{"far > input.coins", "stuck"},
		{"state.n > 0", "stuck"},
		{"div_trunc(1, state.n) > 0", "division by zero"},
		{"far == 0", "event.unknown"},
	} {
		d, err := runtime.New(compileText(t, tipping("", `when: "`+c.when+`", next: n: "1"`))).Procedure("tip", runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		courses, err := d.PrepareOdds(nil, false)
		if err != nil {
			t.Fatal(err)
		}
		policy := runtime.Policy{{Event: "tip", Input: []byte(`{"unknown": 1}`)}}
		computed, err := courses.Odds(context.Background(), runtime.Request{}, policy, &runtime.CourseOptions{Most: 2})
		if got := describeCourse(computed, err); !strings.Contains(got, c.want) {
			t.Errorf("computed, when %s: %s, want %s", c.when, got, c.want)
		}
		drawn, err := courses.Sample(t.Context(), runtime.Request{}, runtime.Sampling{Plays: 4,
			Policy: func() (runtime.Policy, error) { return policy, nil }}, &runtime.CourseOptions{Most: 2})
		if got := describeCourse(drawn, err); !strings.Contains(got, c.want) {
			t.Errorf("drawn, when %s: %s, want %s", c.when, got, c.want)
		}
	}
}
