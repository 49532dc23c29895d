package markov_test

import (
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// dearCourses are golden cases of procedures whose courses take longest, of each procedure one.
var dearCourses = []struct{ ruleset, procedure, name string }{
	{"tempestas", "contest", "chess_both_fail"},
	{"haze", "friends", "friends_sum"},
	{"haze", "sequence", "ambush_span"},
	{"haze", "sequence", "penalty_highest_of_nobody"},
	{"hybrid", "injuries", "injuries_treated"},
	{"supermen", "arm_wrestling", "arm_wrestling_unspent"},
}

// caseCourse prepares the course of a golden case under the policy "each of its events in turn, whenever it is offered".
func caseCourse(t testing.TB, ruleset, procedure, name string) (*markov.Process, odds.Question, markov.Policy) {
	t.Helper()
	p := gametest.Shipped(t, ruleset)
	all := gametest.Cases(t, ruleset)
	c := all[slices.IndexFunc(all, func(c *golden.Case) bool { return c.Name == name })]
	var policy markov.Policy
	for _, e := range c.Events {
		policy = append(policy, markov.Move{Event: e.Event, Input: e.Input})
	}
	process, err := markov.NewProcess(vm.NewImage(p.Plan()), procedure, runtime.Choice{Options: c.Options})
	if err != nil {
		t.Fatal(err)
	}
	var q odds.Question
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = c.Character, c.Input
	return process, q, policy
}

// BenchmarkCourses follows the dear courses until they end.
func BenchmarkCourses(b *testing.B) {
	for _, dear := range dearCourses {
		process, q, policy := caseCourse(b, dear.ruleset, dear.procedure, dear.name)
		b.Run(dear.ruleset+"/"+dear.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := process.Course(q, policy, 0, 1000); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
