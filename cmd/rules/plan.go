package main

// plan is for those who work on the compiler or wonder what a rule costs. Its text is not a format:
// it changes with the passes, and nothing should parse it. What is stable is the plan file, and
// what compares plans is diff.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

const planHelp = `Plan prints what a ruleset is compiled to, for whoever wants to see how: of every rule, or of one
rule or procedure, the graph with a line for each value, then the words that carry it out with the
default options and all outputs. A value is named as its author named it; where it may fail stands
its place.

The words are made by passes, which --passes lists in their order, with what each does and the
passes that it must follow. --without leaves one out: whatever passes run, the answers are the same
to the bit.`

func newPlan(s *settings) *cobra.Command {
	var x planning
	c := &cobra.Command{
		Use:   "plan RULESET [RULE]",
		Short: "Print the graphs and the words that a ruleset is compiled to",
		Long:  planHelp,
		Example: `  rules plan tempestas test
  rules plan --plan tempestas.plan test
  rules plan tempestas test --without fuse
  rules plan --passes`,
		Args:              usage.ArgCount(0, 2),
		RunE:              func(c *cobra.Command, args []string) error { return printPlan(s, c, &x, args) },
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, describe.EvaluableNames),
	}
	c.Flags().StringVar(&x.file, "plan", "", "print the plan in `FILE`, as build or release writes it")
	c.Flags().BoolVar(&x.passes, "passes", false, "list the passes that make the words")
	c.Flags().StringArrayVar(&x.without, "without", nil, "leave out the pass `NAME`; may be repeated")
	must.Succeed(c.RegisterFlagCompletionFunc("without", completion.CompletePass))
	return c
}

// planning is what the flags of plan say.
type planning struct {
	file    string
	passes  bool
	without []string
}

func printPlan(s *settings, c *cobra.Command, x *planning, args []string) error {
	// The passes belong to the program and not to a ruleset, so that every flag that chooses one
	// would be ignored in silence.
	if x.passes {
		if err := usage.RefuseGiven(c, "the passes are those of the program", "dir", "with", "plan",
			"without"); err != nil {
			return err
		}
		return printPasses(c.OutOrStdout())
	}
	p, names, err := planOf(s, c, x.file, args)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !slices.Contains(describe.EvaluableNames(p), name) {
			return describe.UnknownIn(p, "rule or procedure", name, describe.EvaluableNames(p))
		}
	}
	// A procedure has several bodies: its start, each event, its ends. All of them are of its name.
	for _, body := range p.Bodies() {
		if len(names) > 0 && !slices.Contains(names, body.Of) {
			continue
		}
		if err := printBody(c.OutOrStdout(), p, body, x.without); err != nil {
			return err
		}
	}
	return nil
}

// planOf returns the plan of the first argument or of a file, and the remaining arguments, which name parts of the
// plan.
func planOf(s *settings, c *cobra.Command, file string, args []string) (*plan.Plan, []string, error) {
	if file != "" {
		p, err := s.PlanFile(file, &argdata.Files{In: c.InOrStdin()})
		return p, args, err
	}
	if len(args) == 0 {
		return nil, nil, fmt.Errorf("name a ruleset: %s", c.UseLine())
	}
	p, err := s.CompileRuleset(args[0])
	return p, args[1:], err
}

// printBody prints a graph and the words it is scheduled to.
//
// Graph and instructions are printed one after the other, so that each pass's work can be seen by
// leaving it out with --without and comparing the two texts.
func printBody(w io.Writer, p *plan.Plan, x plan.Body, without []string) error {
	if err := p.Print(w, x.Title, x.Graph); err != nil {
		return err
	}
	code, err := schedule.Default(p, x, without)
	if err != nil {
		return fmt.Errorf("%s: %w", x.Title, err)
	}
	_, err = fmt.Fprintf(w, "%s: %v\n", x.Title, code)
	return err
}

// printPasses lists the passes in the order in which they run, each with its purpose and the reason why it comes after
// others.
func printPasses(w io.Writer) error {
	for i, p := range schedule.Passes() {
		after := ""
		if len(p.After) > 0 {
			after = " (after " + strings.Join(p.After, ", ") + ": " + p.Why + ")"
		}
		if _, err := fmt.Fprintf(w, "%2d  %-10s  %s%s\n", i+1, p.Name, p.Doc, after); err != nil {
			return err
		}
	}
	return nil
}
