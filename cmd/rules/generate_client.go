package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/typedclient"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const generateClientHelp = `Client writes a typed client of a ruleset: records of characters, inputs, outputs, states and
events, the rows of tables as words with their labels, sentences and citations as comments. A wrong word, a text for a
number, an output that is not there, or an event of a procedure that has ended does not compile. The digest of the rules
stands in it, and is compared before the first question. The same revision makes the same bytes.

"rules generate client ts" writes an ES module with its types, for Node and browsers, in which a field that is missing does
not compile either:
    import { connect, overHTTP } from "./tempestas.js";
    const tempestas = await connect(overHTTP("http://127.0.0.1:7777"));
    const sheet = await tempestas.test({ character, input: { name: "navigation", difficulty: "hard" }, dice: [43] });
    sheet.output.success
    const odds = await tempestas.test.odds({ character, input: { name: "navigation" }, outputs: ["success"] });
    const play = await tempestas.task.start({ character, input: { name: "navigation", target_value: 8 } });
    if (play.status === "open") { const rolled = await play.do("roll", { difficulty: "hard" }); rolled.play.status }
overHTTP asks "rules serve"; inProcess asks the modules of "rules generate js", whose options are fixed. A whole number
beyond 2^53 is an error and never another number.

"rules generate client go" writes a Go package, which needs no other. What may be left out is a pointer, or a word, a list
or a map that is not set; a word that must be there and is not is an error before anything is asked:
    way, err := tempestas.OverHTTP("http://127.0.0.1:7777", nil)
    client, err := tempestas.Connect(ctx, way)
    sheet, err := client.Test(ctx, tempestas.TestRequest{Character: ada, Input: navigation, Throw: tempestas.Faces(43)})
    play, err := client.StartTask(ctx, tempestas.TaskRequest{Character: ada, Input: task})
    if open, ok := play.Open(); ok { roll, err := open.Roll(ctx, input, tempestas.Throw{}) }
    odds, err := client.OddsOfTest(ctx, request, tempestas.Chance{Outputs: []string{"success"}})
A Way of one's own answers in process; functions on structs without a server are those of "rules generate go".

"rules generate client python" writes a package for Python 3.11 or later, whose misuses a type checker finds:
    from tempestas import Client, OverHTTP
    tempestas = Client(OverHTTP("http://127.0.0.1:7777"))
    sheet = tempestas.test(character=ada, input={"name": "navigation", "difficulty": "hard"}, dice=[43])
    play = tempestas.start_task(character=ada, input={"name": "navigation", "target_value": 8})
    if play.status == "open": play = play.roll({"difficulty": "hard"}).play
    odds = tempestas.odds_of_test(character=ada, input={"name": "navigation"}, outputs=["success"])
It asks a server alone.

A play does not change, in any of these languages: an event gives its output, its dice and the play that follows.`

func newGenerateClient(s *settings) *cobra.Command {
	c := &cobra.Command{
		Use:   "client",
		Short: "Write a typed client of a ruleset",
		Long:  generateClientHelp,
		Args:  usage.ArgCount(0, 0),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	usage.RefuseFlags(c, "name a language: rules generate client ts", "dir", "with")
	c.AddCommand(newGenerateTypeScriptClient(s), newGenerateGoClient(s), newGeneratePythonClient(s))
	return c
}

func newGenerateTypeScriptClient(s *settings) *cobra.Command {
	return newClientCommand(s, "ts", "TypeScript", nil, typedclient.TypeScript)
}

func newGeneratePythonClient(s *settings) *cobra.Command {
	return newClientCommand(s, "python", "Python", typedclient.IsPythonPackage, typedclient.Python)
}

// newClientCommand returns the command of a language that needs to know nothing but the plan. isPackage, if any, reports
// whether a program can import a directory of some name.
func newClientCommand(s *settings, name, language string, isPackage func(dir string) bool,
	generate func(*plan.Plan) []typedclient.File) *cobra.Command {
	q := &generating{s: s}
	c := &cobra.Command{
		Use:     name + " RULESET -o DIR",
		Short:   "Write a typed client in " + language,
		Long:    generateClientHelp,
		Example: "  rules generate client " + name + " tempestas -o tempestas",
		RunE: func(c *cobra.Command, args []string) error {
			dir, err := filepath.Abs(q.dir)
			if err != nil {
				return err
			}
			if base := filepath.Base(dir); isPackage != nil && !isPackage(strings.TrimSuffix(base, ".py")) {
				return fmt.Errorf("--out %s: %s cannot import a directory called %q: write letters, digits and _ alone", q.dir,
					language, base)
			}
			p, _, err := q.readPlan(c, args)
			if err != nil {
				return err
			}
			return q.writeClient(c, generate(p))
		},
	}
	q.addClientFlags(c)
	return c
}

func newGenerateGoClient(s *settings) *cobra.Command {
	q := &goGenerating{generating: generating{s: s}}
	c := &cobra.Command{
		Use:   "go RULESET -o DIR",
		Short: "Write a typed client in Go",
		Long:  generateClientHelp,
		Example: `  rules generate client go tempestas -o tempestas
  rules generate client go tempestas -o internal/rules --package tempestas`,
		RunE: func(c *cobra.Command, args []string) error {
			p, _, err := q.readPlan(c, args)
			if err != nil {
				return err
			}
			name, err := q.findPackageName()
			if err != nil {
				return err
			}
			return q.writeClient(c, typedclient.Go(p, name))
		},
	}
	c.Flags().StringVar(&q.packageName, "package", "", "call the package `NAME`; otherwise it has that of its directory")
	q.addClientFlags(c)
	return c
}

// addClientFlags adds the flags and the arguments that clients of all languages have. Options are no flags: clients
// send them.
func (q *generating) addClientFlags(c *cobra.Command) {
	c.Args = q.plan.argCount(1, 1)
	c.ValidArgsFunction = completion.CompleteRulesets(&q.s.Workspace)
	c.Flags().StringVarP(&q.dir, "out", "o", "", "write the client into `DIR`")
	q.plan.addTo(c)
	must.Succeed(c.MarkFlagRequired("out"))
	completion.CompleteFlags(c)
}

// writeClient writes the files of a client.
func (q *generating) writeClient(c *cobra.Command, files []typedclient.File) error {
	pages := map[string][]byte{}
	for _, f := range files {
		pages[f.Name] = []byte(f.Text)
	}
	return writeFiles(c, q.dir, pages)
}
