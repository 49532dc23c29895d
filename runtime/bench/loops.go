package main

import (
	"fmt"

	rt "github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// loopProblems are procedures that come back to states in which they were, until an end: how many events are there on the
// average? Icepool answers by mean_time_to_absorb.
func loopProblems() []poolProblem {
	ruin := `#State: gold: *%d | int
		events: go: {
			dice: coin: die: 2
			next: gold: "coin == 2 ? state.gold + 1 : state.gold - 1"
		}
		ends: {broken: "state.gold == 0", rich: "state.gold == %d"}`
	coupons := `#State: have: *0 | int
		events: go: {
			dice: d: die: %d
			next: have: "d > state.have ? state.have + 1 : state.have"
		}
		ends: all: "state.have == %d"`
	return []poolProblem{
		{name: "ruin_100", procedure: fmt.Sprintf(ruin, 50, 100), icepool: 64},
		{name: "ruin_400", procedure: fmt.Sprintf(ruin, 200, 400), icepool: 960},
		{name: "coupons_80", procedure: fmt.Sprintf(coupons, 80, 80), icepool: 36},
		{name: "coupons_200", procedure: fmt.Sprintf(coupons, 200, 200), icepool: 198},
	}
}

// prepareLoop makes the question of a procedure. Every answer is that of a process of its own, as the first call of a
// person is: a process keeps what its dice have shown.
func (p *poolProblem) prepareLoop(program *rt.Program, exact bool) (func() (float64, error), error) {
	q := odds.Question{Exact: exact}
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
	return func() (float64, error) {
		process, err := markov.NewProcess(vm.NewImage(program.Plan()), p.name, rt.Choice{})
		if err != nil {
			return 0, err
		}
		course, err := process.Course(q, markov.Policy{{Event: "go"}}, 0, 0)
		if err != nil {
			return 0, err
		}
		if !course.Solved {
			return 0, fmt.Errorf("%s is not solved", p.name)
		}
		return course.Mean, nil
	}, nil
}
