package judge_test

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime"
)

// drawnPlays is how many plays of a course are drawn, some of them side by side.
const drawnPlays = 12

func (o *oracle) draw(id string, q judge.Question, moves []judge.Move, events int, seed, record uint64) (judge.Situation, error) {
	about := fmt.Sprintf("draw %d of %d of %s %d %s", record, seed, aboutQuestion(id, q), events, moves)
	return consult(o, about, func(r *judge.Ruleset) (judge.Situation, error) {
		return r.Draw(id, q, moves, events, seed, record)
	})
}

// compareDraws compares plays that are drawn: how many came to each end, and with which outputs. Of plays that fail it
// compares the error of the first.
func compareDraws(o *oracle, prepared *runtime.Courses, id string, q runtime.Request, options map[string]string,
	moves []judge.Move, events int, seed uint64) (string, error) {
	asked := &runtime.CourseOptions{Most: events}
	want := map[string]*big.Rat{}
	var err error
	for n := uint64(0); n < drawnPlays && err == nil; n++ {
		var s judge.Situation
		s, err = o.draw(id, judge.Question{Character: q.Character, Input: q.Input, Options: options}, moves, events, seed, n)
		if len(s.Output) > 0 && s.Status != judge.StatusOpen {
			asked.Outputs = slices.Sorted(maps.Keys(s.Output))
			addTo(want, canonicalOutputs(s.Output, true), big.NewRat(1, drawnPlays))
		}
		addTo(want, "status "+s.Status, big.NewRat(1, drawnPlays))
	}
	if isUnjudged(err) {
		return "", err
	}
	course, failed := prepared.Sample(context.Background(), q, runtime.Sampling{Seed: seed, Plays: drawnPlays,
		Policy: func() (runtime.Policy, error) { return policyOf(moves), nil }}, asked)
	o.hear(nil, failed)
	if err != nil || failed != nil {
		return compareErrors(failed, err)
	}
	got := map[string]*big.Rat{}
	for _, e := range course.Ends {
		addTo(got, "status "+e.Status, big.NewRat(int64(e.Count), drawnPlays))
	}
	if course.Open > 0 {
		addTo(got, "status "+runtime.StatusOpen, new(big.Rat).SetFloat64(course.Open))
	}
	if course.Outputs != nil {
		if err := addOutcomes(got, course.Outputs); err != nil {
			return "", err
		}
	}
	o.hear(chancesText(got), nil)
	return compareFractions(got, want, false), nil
}
