package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// addInlineFlag adds -e to a command that asks about a rule.
func (q *question) addInlineFlag(c *cobra.Command) {
	c.Flags().StringVarP(&q.inline, "inline", "e", "",
		"ask about the rule in `TEXT`, without a module: 'dice: a: \"3d6\", "+
			"output: most: \"max(a)\"'")
	c.MarkFlagsMutuallyExclusive("inline", "plan")
}

// findInline finds the rules without a module that a command line names, -e TEXT or FILE.cue, and the arguments that are
// left; nil when it names none.
//
// A directory that is called game.cue is a ruleset's directory and no text: the suffix alone does
// not decide.
func (q *question) findInline(args []string) (*workspace.Inline, []string, error) {
	if _, notDice := dice.ParseNotation(q.inline); q.inline != "" && notDice == nil {
		ask := "odds"
		if q.c.Name() == "eval" {
			ask = "roll"
		}
		return nil, nil, fmt.Errorf("-e %s: these are dice, and no rule: rules %s %[1]s", shell.Quote(q.inline), ask)
	}
	if q.inline != "" {
		return &workspace.Inline{Name: "-e", Text: q.inline}, args, nil
	}
	// With --plan the first argument is a rule, whatever it is called.
	if q.plan != "" || len(args) == 0 || !strings.HasSuffix(args[0], ".cue") {
		return nil, args, nil
	}
	if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
		return nil, args, nil
	}
	text, err := safefile.Read(args[0])
	return &workspace.Inline{Name: args[0], Text: string(text)}, args[1:], err
}

// compileInline is the plan of rules without a module, and the one that is asked about: the only one, unless it is named.
//
// A receipt or a case names a ruleset by which it is replayed; a text on the command line has none,
// so both are refused.
func (q *question) compileInline(x *workspace.Inline, args []string, err error) (*plan.Plan, string, error) {
	if err != nil {
		return nil, "", err
	}
	for _, other := range []string{"receipt", "case"} {
		if f := q.c.Flags().Lookup(other); f != nil && f.Changed {
			return nil, "", fmt.Errorf("--%s names the ruleset, and rules without a module have none", other)
		}
	}
	if q.inline == "" {
		q.inlineFile = x.Name
	}
	p, err := q.s.CompileInline(x, compiler.Options{Open: q.findOpenColumns()})
	if err != nil {
		return nil, "", err
	}
	names := describe.EvaluableNames(p)
	switch {
	case len(args) > 1:
		return nil, "", errors.New("of rules without a module name only the rule")
	case len(args) == 1:
		return p, args[0], nil
	case len(names) != 1:
		return nil, "", fmt.Errorf("name a rule or procedure: %s has %s", x.Name, strings.Join(names, ", "))
	}
	return p, names[0], nil
}
