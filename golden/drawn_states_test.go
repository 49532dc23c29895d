package golden_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
)

// A march of three rounds: what the condition of a turn computes is also its next round.
const marching = `package game

import "github.com/tabletop-rules/rules/schema"

schema.#Ruleset & {
	id:    "game"
	title: "Game"
	source: book: "none"
	#Character: {}
	procedures: march: {
		cite: "Marches"
		#Input: first: int | *0
		#State: round: int & <=9
		start: next: round: "input.first"
		events: {
			turn: {
				when: "state.round + 1 <= 3"
				next: round: "state.round + 1"
			}
			rest: next: round: "state.round"
			flee: next: round: "-1"
		}
		ends: fled: "state.round < 0"
		output: round: "state.round"
	}
}
`

// prepareMarches returns the procedure prepared to be drawn.
func prepareMarches(t *testing.T) *runtime.Courses {
	t.Helper()
	d, err := runtime.New(compileText(t, marching)).Procedure("march", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := d.PrepareOdds(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A start that does not fit is refused as in a play: without a place in JSON that nobody has written.
func TestDrawnStartsThatDoNotFitNameNoPlace(t *testing.T) {
	policy := func() (runtime.Policy, error) { return runtime.Policy{{Event: "turn"}}, nil }
	_, err := prepareMarches(t).Sample(t.Context(), runtime.Request{Input: []byte(`{"first": 10}`)},
		runtime.Sampling{Plays: 1, Policy: policy}, nil)
	if err == nil || !strings.Contains(err.Error(), "state.round") || strings.Contains(err.Error(), "line") {
		t.Errorf("a start in round 10 gives %v", err)
	}
}

// sampleMarches draws a few marches.
func sampleMarches(t *testing.T, policy runtime.Policy, o *runtime.CourseOptions) *runtime.Course {
	t.Helper()
	course, err := prepareMarches(t).Sample(t.Context(), runtime.Request{},
		runtime.Sampling{Plays: 2, Policy: func() (runtime.Policy, error) { return policy, nil }}, o)
	if err != nil {
		t.Fatal(err)
	}
	return course
}

// An event that was tried and is not offered leaves no trace in the state that the next guard reads.
func TestDrawnGuardsReadTheStateBehindARefusedEvent(t *testing.T) {
	course := sampleMarches(t, runtime.Policy{{Event: "turn"}, {Event: "flee",
		Guard: func(_, _, state []byte) (bool, error) { return string(state) == `{"round":3}`, nil }}}, nil)
	if len(course.Ends) != 1 || course.Ends[0].Status != "fled" || course.Mean != 4 {
		t.Errorf("after three rounds all flee, not %v after %v events", course.Ends, course.Mean)
	}
}

// A play that is stuck shows the state in which it is, not that of the event which it tried last.
func TestDrawnPlaysShowTheStateInWhichTheyAreStuck(t *testing.T) {
	course := sampleMarches(t, runtime.Policy{{Event: "turn"}}, &runtime.CourseOptions{Outputs: []string{"state"}})
	if len(course.Ends) != 1 || course.Ends[0].Status != runtime.StatusStuck {
		t.Fatalf("it ends with %v", course.Ends)
	}
	outcomes := course.Outputs.Outcomes()
	if len(outcomes) != 1 || outcomes[0].Values[0].String() != `{"round":3}` {
		t.Errorf("it is stuck in %v, not in round 3", outcomes)
	}
}

// Behind three turns no fourth is offered: the march is stuck there also where three events are followed and no more, drawn
// as computed. Behind two it goes on.
func TestMarchesAreStuckBehindTheLastEvent(t *testing.T) {
	policy := runtime.Policy{{Event: "turn"}}
	for most, want := range map[int]string{2: "", 3: runtime.StatusStuck} {
		drawn := sampleMarches(t, policy, &runtime.CourseOptions{Most: most})
		d, err := runtime.New(compileText(t, marching)).Procedure("march", runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		computed, err := d.Odds(t.Context(), runtime.Request{}, policy, &runtime.CourseOptions{Most: most})
		if err != nil {
			t.Fatal(err)
		}
		for name, course := range map[string]*runtime.Course{"drawn": drawn, "computed": computed} {
			status := ""
			for _, e := range course.Ends {
				if e.P > 0 {
					status += e.Status
				}
			}
			if status != want || (course.Open == 1) != (want == "") {
				t.Errorf("%s for %d events it ends %q and is open with %v", name, most, status, course.Open)
			}
		}
	}
}

// A text that a step makes is in the state of the next one what it was, though it is the first one that is no word of the
// ruleset, and the next step makes another: three digits are told of which not all begin with two equal ones.
func TestDrawnTextsGoFromEventToEvent(t *testing.T) {
	d, err := runtime.New(gametest.CompileParts(t, `#Character: {}
procedures: tale: {
	cite: "x"
	#State: {told: string, by: int & >=1 & <=3}
	start: {dice: d: "d4", next: {told: "string(d)", by: "1"}}
	events: tell: {dice: d: "d4", next: {told: "state.told + string(d)", by: "state.by + 1"}}
	ends: three: "state.by == 3"
	output: told: "state.told"
}
`)).Procedure("tale", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	courses, err := d.PrepareOdds(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	policy := func() (runtime.Policy, error) { return runtime.Policy{{Event: "tell"}}, nil }
	isTold := regexp.MustCompile(`^"[1-4]{3}"$`).MatchString
	changes := 0
	for seed := range uint64(20) { // only the first play of a run has no texts yet
		course, err := courses.Sample(t.Context(), runtime.Request{}, runtime.Sampling{Seed: seed, Plays: 1, Policy: policy},
			&runtime.CourseOptions{Outputs: []string{"told"}})
		if err != nil {
			t.Fatal(err)
		}
		told := course.Outputs.Outcomes()[0].Values[0].String()
		if !isTold(told) {
			t.Errorf("seed %d tells %s", seed, told)
		} else if told[1] != told[2] {
			changes++
		}
	}
	if changes == 0 {
		t.Error("what was told first is forgotten in all plays")
	}
}

// A run without a policy, or for less than no events, is an error.
func TestRunsThatCannotBeDrawn(t *testing.T) {
	c := prepareMarches(t)
	policy := func() (runtime.Policy, error) { return runtime.Policy{{Event: "turn"}}, nil }
	for want, x := range map[string]struct {
		policy func() (runtime.Policy, error)
		most   int
	}{
		"no policy: plays are drawn under one":                   {nil, 0},
		"most -1: plays are followed for no fewer than 0 events": {policy, -1},
	} {
		_, err := c.Sample(t.Context(), runtime.Request{}, runtime.Sampling{Plays: 1, Policy: x.policy},
			&runtime.CourseOptions{Most: x.most})
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// A run is canceled within a play, too.
func TestDrawingStopsWithinAPlay(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	moves := 0
	policy := func() (runtime.Policy, error) {
		return runtime.Policy{{Event: "rest", Guard: func(_, _, _ []byte) (bool, error) {
			if moves++; moves == 300 {
				cancel()
			}
			return true, nil
		}}}, nil
	}
	_, err := prepareMarches(t).Sample(ctx, runtime.Request{}, runtime.Sampling{Plays: 1, Policy: policy},
		&runtime.CourseOptions{Most: 20_000})
	if !errors.Is(err, context.Canceled) || moves > 1_000 {
		t.Errorf("a run that is canceled at its move 300 gives %v after %d moves", err, moves)
	}
}
