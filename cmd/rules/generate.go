package main

// Generated code is for programs that have no interpreter, above all pages in a browser. It is one
// answer for good: what it is made of is the plan, whose digest stands in it, and what it answers
// is held by the tests of runtime/emit to what "rules eval" answers.

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/emit/js"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const generateHelp = `Generate writes rules as code in another language, for programs that have neither this program nor
its Go package. The same revision makes the same bytes.

"rules generate js" writes ES modules with their types: one for each rule and procedure, one for what all
share, a kernel, and an index. They need no other package, in Node as in a browser:
    import { test, task } from "./tempestas/index.js";
    test.evaluate({ character, input, dice: [43] })    the outputs of a rule
    test.sheet({ character, input, seed: 7 })          its sheet, byte for byte that of "rules eval"
    const play = task.start({ character, input, seed: 7 });
    play.do("roll", { input })                         the outputs of an event; play.status, play.output
    play.sheet()                                       the sheet of the play
character and input are objects or JSON texts. Errors are Refused, Failure, InputError, DiceError and
NotOffered, with the messages of "rules eval", and Beyond where a whole number leaves 2^53: no number of
JavaScript holds it.

Options are fixed: those of --option, and otherwise the rulings of the release. Traces and odds are not
generated.`

func newGenerate(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "generate",
		Short: "Write rules as code in another language",
		Long:  generateHelp,
		Args:  usage.ArgCount(0, 0),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	usage.RefuseFlags(c, "name a language: rules generate js", "dir", "with")
	c.AddCommand(newGenerateJS(s))
	return c
}

// A generating is a command line of generate.
type generating struct {
	s       *settings
	plan    planFlag
	dir     string
	options []string
}

func newGenerateJS(s *settings) *cobra.Command {
	q := &generating{s: s}
	c := &cobra.Command{
		Use:   "js RULESET [RULE|PROCEDURE ...] -o DIR",
		Short: "Write rules as JavaScript modules",
		Long:  generateHelp,
		Example: `  rules generate js tempestas -o tempestas
  rules generate js tempestas test pace -o web/rules
  rules generate js hybrid --option stat_rolls=half -o hybrid`,
		Args:              q.plan.argCount(1, usage.Many),
		RunE:              q.writeModules,
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, describe.EvaluableNames),
	}
	c.Flags().StringVarP(&q.dir, "out", "o", "", "write the modules into `DIR`")
	c.Flags().StringArrayVar(&q.options, "option", nil, "fix another ruling: `NAME=VALUE`; may be repeated")
	q.plan.addTo(c)
	must.Succeed(c.MarkFlagRequired("out"))
	completion.CompleteFlags(c)
	return c
}

// writeModules writes the modules of the rules that are named, or of all.
func (q *generating) writeModules(c *cobra.Command, args []string) error {
	p, names, err := q.readPlan(c, args)
	if err != nil {
		return err
	}
	options, err := parseOptions(q.options, &argdata.Files{In: c.InOrStdin()})
	if err != nil {
		return err
	}
	values, err := p.OptionValues(plan.Choice{Options: options})
	if err != nil {
		return err
	}
	rules, procedures, err := bodiesOf(p, names)
	if err != nil {
		return err
	}
	pages := map[string][]byte{}
	for _, f := range js.Generate(p, values, rules, procedures) {
		pages[f.Name] = []byte(f.Text)
	}
	return writePages(q.dir, pages)
}

// readPlan returns the plan whose rules are written, and the names of these.
func (q *generating) readPlan(c *cobra.Command, args []string) (*plan.Plan, []string, error) {
	if q.plan.file != "" {
		return q.plan.readOne(q.s, c, args)
	}
	p, err := q.s.CompileRuleset(args[0])
	return p, args[1:], err
}

// bodiesOf returns the rules and procedures of some names, or all when none is named.
func bodiesOf(p *plan.Plan, names []string) (rules []*plan.Rule, procedures []*plan.Procedure, err error) {
	known := describe.EvaluableNames(p)
	if len(names) == 0 {
		names = known
	}
	for _, name := range names {
		r, d := p.Rule(name), p.Procedure(name)
		switch {
		case r != nil:
			rules = append(rules, r)
		case d != nil:
			procedures = append(procedures, d)
		default:
			return nil, nil, &plan.UnknownError{What: "rule or procedure", Name: name, Known: known}
		}
	}
	return rules, procedures, nil
}
