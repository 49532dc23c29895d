package typedclient

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// GoAnswers returns the answers of the driver for the rules and procedures of a plan.
func GoAnswers(p *plan.Plan) string {
	m := newModel(p, goKernelNames)
	m.nameMethods(camelCase, camelCase)
	var out strings.Builder
	out.WriteString("\nfunc rulesOf(c *client.Client) map[string]answering {\nreturn map[string]answering{\n")
	for _, x := range m.rules {
		fmt.Fprintf(&out, "%q: func(q *request) (any, error) {\nr, err := requestOf[client.%sRequest](q)\nif err != nil {\n"+
			"return nil, err\n}\ns, err := c.%s(q.ctx, r)\nif err != nil {\nreturn nil, err\n}\n"+
			"return checked(s.Text, \"output\", s.Output)\n},\n", x.id, x.name, x.method)
	}
	for _, x := range m.procedures {
		fmt.Fprintf(&out, "%q: func(q *request) (any, error) {\nr, err := requestOf[client.%sRequest](q)\nif err != nil {\n"+
			"return nil, err\n}\nplay, err := c.%s(q.ctx, r)\nif err != nil {\nreturn nil, err\n}\n"+
			"for _, e := range q.Events {\nopen, ok := play.Open()\nif !ok {\n"+
			"return nil, &client.Problem{Code: \"not-offered\"}\n}\n"+
			"switch e.Event {\n", x.id, x.name, x.method)
		for _, e := range x.events {
			fmt.Fprintf(&out, "case %q:\ninput, err := decode[client.%s](e.Input)\nif err != nil {\nreturn nil, err\n}\n"+
				"done, err := open.%s(q.ctx, input, throwOf(e.Dice, nil))\nif err != nil {\nreturn nil, err\n}\nplay = done.Play\n",
				e.id, e.input.name, e.method)
		}
		out.WriteString("default:\nreturn nil, &client.Problem{Code: \"unknown-name\"}\n}\n}\n" +
			"if _, err := checked(play.Sheet(), \"state\", play.State); err != nil {\nreturn nil, err\n}\n" +
			"return checked(play.Sheet(), \"output\", play.Output)\n},\n")
	}
	out.WriteString("}\n}\n")
	return out.String()
}

// GoKernelNames are the names that no type of a ruleset has.
var GoKernelNames = goKernelNames
