package golden_test

import (
	"fmt"
	goruntime "runtime"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// newCounting returns a procedure that counts, by what comes with each event.
func newCounting(t *testing.T) *runtime.Procedure {
	p := gametest.CompileParts(t, `procedures: tally: {
	cite: "x"
	#State: n: *0 | int & >=0
	events: add: {
		doc: "x"
		#Event: by: *1 | int & >=0
		next: n: "state.n + event.by"
		output: by: "event.by"
	}
	ends: over: "state.n < 0"
	output: n: "state.n"
}
`)
	d, err := runtime.New(p).Procedure("tally", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestPlaysFromOnePlay lets different events follow one play, as an undo does: each play keeps its own events, with the
// states after them, whether others took the place behind the shared ones before.
func TestPlaysFromOnePlay(t *testing.T) {
	step := func(by int) runtime.Step {
		return runtime.Step{Event: "add", Input: fmt.Appendf(nil, `{"by":%d}`, by)}
	}
	play, err := newCounting(t).Play(runtime.Request{}, step(1), step(2))
	if err != nil {
		t.Fatal(err)
	}
	var states [][]string
	for _, by := range [][]int{{3, 4}, {5}, {6, 7, 8}, {}} {
		next := *play
		for _, n := range by {
			if err := next.Do(step(n), false); err != nil {
				t.Fatal(err)
			}
		}
		var after []string
		for _, e := range next.Events {
			after = append(after, string(e.State))
		}
		states = append(states, after)
		if want := 2 + len(by); len(next.Events) != want {
			t.Errorf("%v: %d events, not %d", by, len(next.Events), want)
		}
		for i, e := range next.Events {
			if want := fmt.Sprintf(`{"by":%d}`, append([]int{1, 2}, by...)[i]); string(e.Output) != want {
				t.Errorf("%v: event %d has %s, not %s", by, i+1, e.Output, want)
			}
		}
	}
	want := [][]string{{`{"n":1}`, `{"n":3}`, `{"n":6}`, `{"n":10}`}, {`{"n":1}`, `{"n":3}`, `{"n":8}`},
		{`{"n":1}`, `{"n":3}`, `{"n":9}`, `{"n":16}`, `{"n":24}`}, {`{"n":1}`, `{"n":3}`}}
	if !slices.EqualFunc(states, want, slices.Equal) {
		t.Errorf("states %v, not %v", states, want)
	}
}

// TestCostOfManyEvents wants four times as many events to take about four times as much memory. With a copy of all earlier
// events for each event it would be sixteen times as much.
func TestCostOfManyEvents(t *testing.T) {
	d := newCounting(t)
	allocated := func(events int) float64 {
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		if _, err := d.Play(runtime.Request{}, slices.Repeat([]runtime.Step{{Event: "add"}}, events)...); err != nil {
			t.Fatal(err)
		}
		goruntime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	allocated(10)
	if few, many := allocated(1_000), allocated(4_000); many > 6*few {
		t.Errorf("4,000 events take %.1f times the memory of 1,000", many/few)
	}
}

// TestDieThrownAgain asks for two dice whose ones are thrown again once: a die keeps its position when it is thrown again.
func TestDieThrownAgain(t *testing.T) {
	p := gametest.CompileParts(t, `rules: march: {
	cite: "x"
	#Input: {}
	dice: way: {die: 6, count: 2, again: {on: 1, once: true}}
	output: total: "sum(way)"
}
`)
	rule, err := runtime.New(p).Rule("march", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, faces := range [][]int64{{}, {1}, {1, 1}, {1, 1, 1}, {4}} {
		reply, err := rule.Ask(runtime.Request{Throw: dice.FallenByID(dice.Rolls{{ID: "way", Faces: faces}})})
		if err != nil || len(reply.Needs) != 1 {
			t.Fatalf("%v: %v, %+v", faces, err, reply)
		}
		q := reply.Needs[0]
		got = append(got, fmt.Sprint(q.Position, q.Count, q.Number, q.Again))
	}
	// After 1 the first die falls again; after 1 1 it has fallen, whatever it shows; after 1 1 1 the second falls again.
	if want := []string{"1 2 1 false", "1 2 2 true", "2 2 3 false", "2 2 4 true", "2 2 2 false"}; !slices.Equal(got, want) {
		t.Errorf("asked %q, not %q", got, want)
	}
}
