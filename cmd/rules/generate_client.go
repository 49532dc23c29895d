package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/typedclient"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const generateClientHelp = `Client writes a typed client of a ruleset: records of characters, inputs, outputs, states and
events, the rows of tables as words with their labels, sentences and citations as comments. A wrong word, a field that is
missing, a text for a number, an output that is not there, or an event of a procedure that has ended does not compile. The
digest of the rules stands in it, and is compared before the first question. The same revision makes the same bytes.

"rules generate client ts" writes an ES module with its types, for Node and browsers:
    import { connect, overHTTP } from "./tempestas.js";
    const tempestas = await connect(overHTTP("http://127.0.0.1:7777"));
    const sheet = await tempestas.test({ character, input: { name: "navigation", difficulty: "hard" }, dice: [43] });
    sheet.output.success
    const play = await tempestas.task.start({ character, input: { name: "navigation", target_value: 8 } });
    if (play.status === "open") await play.do("roll", { difficulty: "hard" })
overHTTP asks "rules serve"; inProcess asks the modules of "rules generate js", whose options are fixed. A whole number
beyond 2^53 is an error and never another number.`

func newGenerateClient(s *settings) *cobra.Command {
	q := &generating{s: s}
	c := &cobra.Command{
		Use:   "client ts RULESET -o DIR",
		Short: "Write a typed client of a ruleset",
		Long:  generateClientHelp,
		Example: `  rules generate client ts tempestas -o tempestas
  rules generate client ts --plan tempestas.plan -o tempestas`,
		Args: usage.ArgCount(1, 2),
		RunE: q.writeClient,
		ValidArgsFunction: func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return clientLanguages, usage.NoFiles
			}
			return completion.CompleteRulesets(&s.Workspace)(c, args[1:], begun)
		},
	}
	c.Flags().StringVarP(&q.dir, "out", "o", "", "write the client into `DIR`")
	q.plan.addTo(c)
	must.Succeed(c.MarkFlagRequired("out"))
	completion.CompleteFlags(c)
	return c
}

// clientLanguages are those that clients are written in.
var clientLanguages = []string{"ts"}

// writeClient writes the client of a ruleset.
func (q *generating) writeClient(c *cobra.Command, args []string) error {
	if !slices.Contains(clientLanguages, args[0]) {
		return &plan.UnknownError{What: "language", Name: args[0], Known: clientLanguages}
	}
	if q.plan.file == "" && len(args) == 1 {
		return fmt.Errorf("name a ruleset: %s", strings.Join(q.s.RulesetIDs(), ", "))
	}
	p, _, err := q.readPlan(c, args[1:])
	if err != nil {
		return err
	}
	pages := map[string][]byte{}
	for _, f := range typedclient.TypeScript(p) {
		pages[f.Name] = []byte(f.Text)
	}
	return writePages(q.dir, pages)
}
