package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

const planHelp = `Plan prints what a ruleset is compiled to, for whoever wants to see how: of every rule, or of one rule or procedure, the
graph with a line for each value, then the words that carry it out with the default options and all outputs. A value is
named as its author named it; where it may fail stands its place.`

func newPlan(s *settings) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "plan RULESET [RULE]",
		Short: "Print the graphs and the words that a ruleset is compiled to",
		Long:  planHelp,
		Example: `  rules plan tempestas test
  rules plan --plan tempestas.plan test`,
		Args:              cobra.MaximumNArgs(2),
		RunE:              func(c *cobra.Command, args []string) error { return s.printPlan(c, file, args) },
		ValidArgsFunction: s.completeNames(evaluable),
	}
	c.Flags().StringVar(&file, "plan", "", "print the plan in `FILE`, as build or release writes it")
	return c
}

func (s *settings) printPlan(c *cobra.Command, file string, args []string) error {
	p, names, err := s.planOf(c, file, args)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !slices.Contains(evaluable(p), name) {
			return unknownIn(p, "rule or procedure", name, evaluable(p))
		}
	}
	for _, x := range graphs(p) {
		if len(names) > 0 && !slices.Contains(names, x.of) {
			continue
		}
		if err := printGraph(c.OutOrStdout(), p, x); err != nil {
			return err
		}
	}
	return nil
}

// planOf is the plan of the first argument, or of a file; the other arguments name what is asked for.
func (s *settings) planOf(c *cobra.Command, file string, args []string) (*plan.Plan, []string, error) {
	if file != "" {
		p, err := s.planFile(file, &files{in: c.InOrStdin()})
		return p, args, err
	}
	if len(args) == 0 {
		return nil, nil, fmt.Errorf("name a ruleset: %s", c.UseLine())
	}
	p, err := s.ruleset(args[0])
	return p, args[1:], err
}

// A drawn is a graph of a plan with what it belongs to.
type drawn struct {
	of    string // the rule or the procedure
	title string
	graph *plan.Graph
	roots [plan.NumRoots]int
}

// graphs are all graphs of a plan.
func graphs(p *plan.Plan) []drawn {
	var out []drawn
	character := p.Character.Type().Slots()
	for i := range p.Rules {
		r := &p.Rules[i]
		roots := [plan.NumRoots]int{plan.CharacterRoot: character, plan.InputRoot: r.Input.Type().Slots()}
		out = append(out, drawn{r.ID, "rule " + r.ID, &r.Graph, roots})
	}
	for i := range p.Procedures {
		out = append(out, steps(&p.Procedures[i], character)...)
	}
	return out
}

func steps(d *plan.Procedure, character int) []drawn {
	roots := [plan.NumRoots]int{
		plan.CharacterRoot: character, plan.InputRoot: d.Input.Type().Slots(), plan.StateRoot: d.State.Type().Slots(),
	}
	out := []drawn{{d.ID, "procedure " + d.ID + ", start", &d.Start, roots}}
	for i := range d.Events {
		e := &d.Events[i]
		with := roots
		with[plan.EventRoot] = e.Input.Type().Slots()
		out = append(out, drawn{d.ID, "procedure " + d.ID + ", event " + e.ID, &e.Graph, with})
	}
	return append(out, drawn{d.ID, "procedure " + d.ID + ", ends", &d.Close, roots})
}

// printGraph prints a graph and the words it is scheduled to.
func printGraph(w io.Writer, p *plan.Plan, x drawn) error {
	if err := p.Print(w, x.title, x.graph); err != nil {
		return err
	}
	options := schedule.Options{Roots: x.roots}
	for _, o := range p.Options {
		options.Values = append(options.Values, o.Default)
	}
	code, err := schedule.Make(p, x.graph, options)
	if err != nil {
		return fmt.Errorf("%s: %w", x.title, err)
	}
	_, err = fmt.Fprintf(w, "%s: %v\n", x.title, code)
	return err
}
