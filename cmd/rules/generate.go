package main

// Generated code is for programs that have no interpreter, above all pages in a browser. It is one
// answer for good: what it is made of is the plan, whose digest stands in it, and what it answers
// is held by the tests of runtime/emit to what "rules eval" answers.

import (
	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/emit/js"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const generateHelp = `Generate writes rules as code in another language, for programs that have neither this program nor
its Go package. The same revision makes the same bytes.

"rules generate js" writes ES modules with their types: one for each rule, one for what all rules share,
a kernel, and an index. They need no other package, in Node as in a browser. A rule is evaluated with
    import { test } from "./tempestas/index.js";
    test.evaluate({ character, input, dice: [43] })    its outputs
    test.sheet({ character, input, seed: 7 })          the sheet, byte for byte that of "rules eval"
character and input are objects or JSON texts. Errors are Refused, Failure, InputError and DiceError, with
the messages of "rules eval", and Beyond where a whole number leaves 2^53, which JavaScript has not.

Options are fixed: those of --option, and otherwise the rulings of the release. Traces, odds and
procedures are not generated.`

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
		Use:   "js RULESET [RULE ...] -o DIR",
		Short: "Write rules as JavaScript modules",
		Long:  generateHelp,
		Example: `  rules generate js tempestas -o tempestas
  rules generate js tempestas test pace -o web/rules
  rules generate js hybrid --option stat_rolls=half -o hybrid`,
		Args:              q.plan.argCount(1, usage.Many),
		RunE:              q.writeModules,
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, (*plan.Plan).RuleNames),
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
	options, err := parseOptions(q.options)
	if err != nil {
		return err
	}
	values, err := p.OptionValues(plan.Choice{Options: options})
	if err != nil {
		return err
	}
	rules, err := rulesOf(p, names)
	if err != nil {
		return err
	}
	pages := map[string][]byte{}
	for _, f := range js.Generate(p, values, rules) {
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

// rulesOf returns the rules of some names, or all when none is named.
func rulesOf(p *plan.Plan, names []string) (out []*plan.Rule, err error) {
	if len(names) == 0 {
		names = p.RuleNames()
	}
	for _, name := range names {
		r := p.Rule(name)
		if r == nil {
			return nil, &plan.UnknownError{What: "rule", Name: name, Known: p.RuleNames()}
		}
		out = append(out, r)
	}
	return out, nil
}
