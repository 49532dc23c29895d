package main

import (
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	rules "github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	rt "github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A shippedProblem is the dearest that is asked about a shipped ruleset: the odds of cases, or preparing a rule.
type shippedProblem struct {
	ruleset, subject string
	goal             float64 // ms
	preparing        bool    // the rule is prepared, not answered
}

// shippedProblems are odds of rules for the characters and inputs of their cases, and of procedures under the policy
// "each event of the case in turn, whenever it is offered".
func shippedProblems() []shippedProblem {
	return []shippedProblem{
		{ruleset: "zones", subject: "turn_track", goal: 50},
		{ruleset: "hybrid", subject: "feint", goal: 50},
		{ruleset: "haze", subject: "attack", goal: 50},
		{ruleset: "tempestas", subject: "contest", goal: 1000},
		{ruleset: "haze", subject: "friends", goal: 1000},
		{ruleset: "haze", subject: "sequence", goal: 1000},
		{ruleset: "hybrid", subject: "injuries", goal: 1000},
		{ruleset: "supermen", subject: "arm_wrestling"},
		{ruleset: "hybrid", subject: "blow", goal: 5, preparing: true},
	}
}

// printShipped prints what the problems take, case by case.
func printShipped(out io.Writer) error {
	fmt.Fprintln(out, "| shipped | case | ms | goal |")
	fmt.Fprintln(out, "|---|---|--:|--:|")
	for _, p := range shippedProblems() {
		if err := p.print(out); err != nil {
			return err
		}
	}
	return printManySources(out)
}

// print measures the cases of a problem.
func (p *shippedProblem) print(out io.Writer) error {
	plans, diags := compiler.Release(load.Source{FS: rules.Files}, compiler.Options{}, p.ruleset)
	if plans == nil {
		return fmt.Errorf("%s does not compile: %v", p.ruleset, diags)
	}
	program := rt.New(plans[0])
	if p.preparing {
		took, err := best(10, func() error {
			_, err := eliminate.NewRule(vm.NewImage(program.Plan()), p.subject, rt.Choice{})
			return err
		})
		fmt.Fprintf(out, "| %s %s | preparing | %.3g | %s |\n", p.ruleset, p.subject, took.Seconds()*1e3, goalText(p.goal))
		return err
	}
	dir, err := fs.Sub(rules.Files, "golden/"+p.ruleset)
	if err != nil {
		return err
	}
	cases, err := golden.Load(dir, ".", "")
	if err != nil {
		return err
	}
	for _, c := range cases {
		if c.Subject != p.subject || c.Kind != golden.RuleCase && c.Kind != golden.ProcedureCase {
			continue
		}
		answer, err := questionOf(program, c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		ms := "refused"
		took, err := bestWithin(3, time.Second, answer)
		if err == nil {
			ms = fmt.Sprintf("%.3g", took.Seconds()*1e3)
		}
		name := strings.TrimSuffix(c.Name, ".txtar")
		fmt.Fprintf(out, "| %s %s | %s | %s | %s |\n", p.ruleset, p.subject, name, ms, goalText(p.goal))
		if err != nil {
			fmt.Fprintf(out, "| | %s | | |\n", err)
		}
	}
	return nil
}

// questionOf asks for the odds of a case, as the command does: of a rule how each output is distributed.
func questionOf(program *rt.Program, c *golden.Case) (func() error, error) {
	var q odds.Question
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = c.Character, c.Input
	choice := rt.Choice{Options: c.Options}
	if c.Kind == golden.ProcedureCase {
		process, err := markov.NewProcess(vm.NewImage(program.Plan()), c.Subject, choice)
		var policy markov.Policy
		for _, e := range c.Events {
			policy = append(policy, markov.Move{Event: e.Event, Input: e.Input})
		}
		return func() error { _, err := process.Course(q, policy, 0, maxEvents); return err }, err
	}
	r, err := eliminate.NewRule(vm.NewImage(program.Plan()), c.Subject, choice)
	if err != nil {
		return nil, err
	}
	var each [][]string
	for _, name := range r.Names() {
		each = append(each, []string{name})
	}
	return func() error {
		joints, err := r.Apart(q, each)
		if err != nil {
			return err
		}
		for i, name := range r.Names() {
			joints[i].Marginal(name)
		}
		return nil
	}, nil
}

// maxEvents is how many events of a procedure are followed, as by the command.
const maxEvents = 1000

// printManySources measures preparing a rule of twenty sources of chance.
func printManySources(out io.Writer) error {
	var dice, sum []string
	for i := range 20 {
		dice = append(dice, fmt.Sprintf("d%d: die: 6", i))
		sum = append(sum, fmt.Sprintf("d%d", i))
	}
	body := fmt.Sprintf("dice: {%s}, output: n: %q", strings.Join(dice, ", "), strings.Join(sum, " + "))
	program, err := poolGame([]poolProblem{{name: "many", body: body}})
	if err != nil {
		return err
	}
	took, err := best(10, func() error {
		_, err := eliminate.NewRule(vm.NewImage(program.Plan()), "many", rt.Choice{})
		return err
	})
	fmt.Fprintf(out, "| twenty sources | preparing | %.3g | 12 |\n", took.Seconds()*1e3)
	return err
}
