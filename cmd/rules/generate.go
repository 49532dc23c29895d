package main

// Generated code is for programs that have no interpreter, above all pages in a browser. It is one
// answer for good: what it is made of is the plan, whose digest stands in it, and what it answers
// is held by the tests of runtime/emit to what "rules eval" answers.

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/emit/golang"
	"github.com/tabletop-rules/rules/runtime/emit/js"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const generateHelp = `Generate writes rules as code in another language, for programs that have neither this program nor
its Go package. The same revision makes the same bytes.

"rules generate js" writes ES modules with their types: one for each rule and procedure, one for what all
share, a kernel, and an index. They need no other package, in Node as in a browser:
    import { test, task } from "./tempestas/index.js";
    test.evaluate({ character, input, dice: [43] })    the outputs of a rule
    test.sheet({ character, input, seed: 7 })          its sheet, byte for byte the line of "rules eval --ndjson"
    const play = task.start({ character, input, seed: 7 });
    play.do("roll", { input })                         the outputs of an event; play.status, play.output
    play.sheet()                                       the sheet of the play
character and input are objects or JSON texts. Errors are Refused, Failure, InputError, DiceError and
NotOffered, and Beyond where a whole number leaves 2^53: no number of JavaScript holds it. Their messages are
those of "rules eval", without what it adds about the numbers that were compared and the dice that lack. A name
that is a word of JavaScript has a _ behind it, throw_. index.js exports the errors and ruleset too.

"rules generate go" writes a Go package. It needs of this module, github.com/tabletop-rules/rules, the packages
runtime/builtin and runtime/emit/kernel, and no plan. Each rule is a function on structs, which checks their
fields, and a value that evaluates JSON, as a procedure is played on JSON:
    out, err := tempestas.Test(&character, &tempestas.TestInput{...}, kernel.Faces(43))
    sheet, err := tempestas.TestRule.Eval(kernel.Request{Character: json, Input: json, Throw: throw})
    play, err := tempestas.Task.Start(kernel.Request{Character: json, Input: json, Throw: throw})
    err = play.Do("roll", kernel.Request{Input: json})
JSON gets the defaults of the ruleset where it leaves something out; a struct has none, and its comments say them.
The sheet is byte for byte the line of "rules eval --ndjson", and the errors are those of package runtime. With
--standalone the package needs nothing of this module: it has what it needs itself, tempestas.Faces(43),
tempestas.Request.

Options are fixed: those of --option, and otherwise the rulings of the release. Traces and odds are not
generated.

"rules generate client" writes typed clients of all rules and procedures, which ask a server or the modules above, and
"rules generate npm" a package of both with exact odds: see their --help.`

func newGenerate(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "generate",
		Short: "Write rules as code in another language",
		Long:  generateHelp,
		Args:  usage.ArgCount(0, 0),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	usage.RefuseFlags(c, "say what to write: rules generate js, rules generate client, rules generate npm", "dir", "with")
	c.AddCommand(newGenerateJS(s), newGenerateGo(s), newGenerateClient(s), newGenerateNpm(s))
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
	q.addFlags(c, "write the modules into `DIR`")
	return c
}

// A goGenerating is a command line of generate go.
type goGenerating struct {
	generating
	packageName  string
	isStandalone bool
}

func newGenerateGo(s *settings) *cobra.Command {
	q := &goGenerating{generating: generating{s: s}}
	c := &cobra.Command{
		Use:   "go RULESET [RULE|PROCEDURE ...] -o DIR",
		Short: "Write rules as a Go package",
		Long:  generateHelp,
		Example: `  rules generate go tempestas -o tempestas
  rules generate go tempestas test pace -o internal/rules --package rules
  rules generate go hybrid --option stat_rolls=half -o hybrid
  rules generate go tempestas pace --standalone -o pace`,
		Args:              q.plan.argCount(1, usage.Many),
		RunE:              q.writePackage,
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, describe.EvaluableNames),
	}
	c.Flags().StringVar(&q.packageName, "package", "", "call the package `NAME`; otherwise it has that of its directory")
	c.Flags().BoolVar(&q.isStandalone, "standalone", false,
		"write the functions that the package needs of this module into it")
	q.addFlags(c, "write the package into `DIR`")
	return c
}

// addFlags adds the flags that all languages have.
func (q *generating) addFlags(c *cobra.Command, out string) {
	c.Flags().StringVarP(&q.dir, "out", "o", "", out)
	c.Flags().StringArrayVar(&q.options, "option", nil, "fix another ruling: `NAME=VALUE`; may be repeated")
	q.plan.addTo(c)
	must.Succeed(c.MarkFlagRequired("out"))
	completion.CompleteFlags(c)
}

// readBodies returns the plan, the values of its options, and the rules and procedures that are named, or all.
func (q *generating) readBodies(c *cobra.Command, args []string) (p *plan.Plan, values []int, rules []*plan.Rule,
	procedures []*plan.Procedure, err error) {
	p, names, err := q.readPlan(c, args)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	options, err := parseOptions(q.options, &argdata.Files{In: c.InOrStdin()})
	if err != nil {
		return nil, nil, nil, nil, err
	}
	if values, err = p.OptionValues(plan.Choice{Options: options}); err != nil {
		return nil, nil, nil, nil, err
	}
	rules, procedures, err = bodiesOf(p, names)
	return p, values, rules, procedures, err
}

// writeModules writes the modules of the rules that are named, or of all.
func (q *generating) writeModules(c *cobra.Command, args []string) error {
	p, values, rules, procedures, err := q.readBodies(c, args)
	if err != nil {
		return err
	}
	pages := map[string][]byte{}
	for _, f := range js.Generate(p, values, rules, procedures) {
		pages[f.Name] = []byte(f.Text)
	}
	return writeFiles(c, q.dir, pages)
}

// writePackage writes the package of the rules that are named, or of all.
func (q *goGenerating) writePackage(c *cobra.Command, args []string) error {
	p, values, rules, procedures, err := q.readBodies(c, args)
	if err != nil {
		return err
	}
	name, err := q.findPackageName()
	if err != nil {
		return err
	}
	files, _, err := golang.Generate(p, values, golang.Package{Name: name, IsStandalone: q.isStandalone}, rules, procedures)
	if err != nil {
		return err
	}
	pages := map[string][]byte{}
	for _, f := range files {
		pages[f.Name] = []byte(f.Text)
	}
	return writeFiles(c, q.dir, pages)
}

// findPackageName returns the name of --package, or else that of the directory.
func (q *goGenerating) findPackageName() (string, error) {
	name := q.packageName
	if name == "" {
		dir, err := filepath.Abs(q.dir)
		if err != nil {
			return "", err
		}
		name = filepath.Base(dir)
	}
	if !golang.IsPackageName(name) {
		return "", fmt.Errorf("%q is no name of a Go package: give one with --package", name)
	}
	return name, nil
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
