package revisions

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
)

// policyOf lets the events of a case happen again and again, each with the input that it has first: always the first that
// is offered, in the order in which the case plays them.
func policyOf(c *golden.Case) runtime.Policy {
	var out runtime.Policy
	for _, e := range c.Events {
		if !slices.ContainsFunc(out, func(x runtime.Move) bool { return x.Event == e.Event }) {
			out = append(out, runtime.Move{Event: e.Event, Input: e.Input})
		}
	}
	return out
}

func sameMove(a, b runtime.Move) bool { return a.Event == b.Event && bytes.Equal(a.Input, b.Input) }

// courseOf returns how a procedure goes by the events of a case.
func courseOf(p *runtime.Program, c *golden.Case) (*runtime.Course, error) {
	procedure, err := p.Procedure(c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		return nil, err
	}
	return procedure.Odds(context.Background(), runtime.Request{Character: c.CharacterJSON(), Input: c.Input}, policyOf(c),
		&runtime.CourseOptions{Budget: golden.OddsBudget})
}

// compareCourses compares how a procedure ends, and after how many events.
func compareCourses(c *golden.Case, old, new *runtime.Course) []Chance {
	var by []string
	for _, m := range policyOf(c) {
		by = append(by, m.Event)
	}
	var out []Chance
	if values := changedProbabilities(ends(old), ends(new)); len(values) > 0 {
		out = append(out, Chance{By: by, Output: "status", Values: values})
	}
	// One that may never end has no mean, and its chance of that is among the ends.
	if d := math.Abs(old.Mean - new.Mean); d >= apart && !math.IsInf(d, 1) {
		out = append(out, Chance{By: by, Output: "events", Mean: &Means{old.Mean, new.Mean}, Values: []Likely{}})
	}
	return out
}

// ends returns the probabilities of a procedure's statuses where it ends, or where it is no longer followed.
func ends(x *runtime.Course) []probability {
	var out []probability
	add := func(name string, p float64) {
		k := slices.IndexFunc(out, func(x probability) bool { return x.value == name })
		if k < 0 {
			k, out = len(out), append(out, probability{value: name})
		}
		out[k].p += p
	}
	for _, e := range x.Ends {
		name := e.Status
		if name == runtime.StatusRefused {
			name += ": " + e.Why()
		}
		add(strconv.Quote(name), e.P)
	}
	if x.Open > 0 {
		add(strconv.Quote(runtime.StatusOpen), x.Open)
	}
	return slices.SortedFunc(slices.Values(out), func(a, b probability) int { return cmp.Compare(a.value, b.value) })
}
