package main

// What init writes is text of package scaffold with names put in. It must vet, test and be
// formatted as it stands, since a newcomer's first run must show no message:
// TestSeedlingIsFormatted, TestPlainCUE and the script of init hold this. Nothing is ever
// overwritten but the schema, and this only on request.

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/example"
	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/scaffold"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const initHelp = `Init makes a module with a small ruleset in a new or empty directory: rules.cue, which says what
ships; the ruleset under tables, with a die, a table, an option and a rule; its cases under golden;
and the schema under cue.mod/pkg, so that nothing is fetched from anywhere. The ruleset is called
after the directory where it can be. It vets and tests at once:

    rules init mygame
    rules vet mygame
    rules test --dir mygame

With --homebrew it makes a homebrew instead: what one table of players changes in a ruleset, with a
table, a rule, and cases.

    rules init myhouse --homebrew tempestas
    rules vet myhouse
    rules test --with myhouse

With --add it puts another such ruleset into a module that there is: under tables and golden, and in a
file beside rules.cue that ships it.

    rules init mygame --add duels

The schema under cue.mod/pkg is for editors and for cue vet; what this program reads, it checks by
itself. With --schema init writes nothing but the schema, into a module that there is, to bring it
up to date.`

func newInit(s *settings) *cobra.Command {
	var homebrew, add string
	var schema bool
	c := &cobra.Command{
		Use:   "init DIR",
		Short: "Make a module with a small ruleset that vets and tests",
		Long:  initHelp,
		Example: "  rules init mygame\n  rules init myhouse --homebrew tempestas\n  rules init mygame --add duels\n" +
			"  rules init --schema myhouse",
		Args: usage.ArgCount(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			// Only a homebrew is made of the ruleset of another module, which --dir names.
			if homebrew == "" || add != "" {
				if err := usage.RefuseGiven(c, "DIR is where the module is made", "dir"); err != nil {
					return err
				}
			}
			switch {
			case schema:
				return refreshSchema(c, args[0])
			case add != "":
				return addRuleset(c, args[0], add)
			case homebrew != "":
				return initHomebrew(s, c, args[0], homebrew)
			}
			return initModule(c, args[0])
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	c.Flags().StringVar(&homebrew, "homebrew", "", "make a homebrew that changes `RULESET`")
	c.Flags().BoolVar(&schema, "schema", false, "write only the schema, into the module in DIR")
	c.Flags().StringVar(&add, "add", "", "add the small ruleset, called `RULESET`, to the module in DIR")
	c.MarkFlagsMutuallyExclusive("homebrew", "schema", "add")
	c.AddCommand(newInitCharacter(s))
	usage.RefuseFlags(c, "a module and a homebrew are made alone", "with")
	must.Succeed(c.RegisterFlagCompletionFunc("homebrew", completion.CompleteRulesets(&s.Workspace)))
	return c
}

// initHomebrew makes a homebrew of a ruleset of the module.
func initHomebrew(s *settings, c *cobra.Command, dir, ruleset string) error {
	if err := s.CheckDir(); err != nil {
		return err
	}
	if !slices.Contains(s.RulesetIDs(), ruleset) {
		return s.UnknownRuleset(ruleset)
	}
	p, err := s.CompileRuleset(ruleset)
	if err != nil {
		return err
	}
	// The homebrew's cases need a character that the ruleset accepts, whatever the ruleset: the
	// least one that its schema allows.
	character, err := leastCharacter(p)
	if err != nil {
		return err
	}
	name := scaffold.RulesetName(dir)
	if name == ruleset {
		// A rule of the homebrew is called after it; one named like the ruleset would read as the
		// ruleset's own.
		name = "house"
	}
	if err := scaffold.WriteModule(dir, scaffold.HomebrewSeedling, "NAME", name, "RULESET", ruleset,
		"REVISION", p.Revision, "CHARACTER", string(character)); err != nil {
		return err
	}
	trustOwn(dir)
	page := &layout.Page{}
	page.AddLine(0, "%s has the homebrew %s of %s; go on with", dir, name, ruleset)
	module := ""
	if s.Dir != "" {
		module = " --dir " + shell.Quote(s.Dir)
	}
	page.AddLine(2, "rules vet %s%s", shell.Quote(dir), module)
	page.AddLine(2, "rules test --with %s%s", shell.Quote(dir), module)
	page.AddLine(2, "rules eval %s %s_weather --with %s%s", ruleset, name, shell.Quote(dir), module)
	return page.Flush(c.OutOrStdout())
}

// leastCharacter returns the least character of a plan, on one line, as it stands in a case.
//
// Shapes are shared by the whole plan and must not be changed, hence the copy. The mark Character
// is taken off because it makes a value stand for "another character", and this one is the
// character itself.
func leastCharacter(p *plan.Plan) ([]byte, error) {
	fields := *p.Character
	fields.Character = false
	var out bytes.Buffer
	err := json.Compact(&out, example.LeastValue(&fields, nil))
	return out.Bytes(), err
}

// initModule makes a module with a small ruleset, and says how to go on.
//
// A module that this program has written is trusted at once: its author should not begin with a
// question about bounds. The printed commands are those that a test runs.
func initModule(c *cobra.Command, dir string) error {
	name := scaffold.RulesetName(dir)
	if err := scaffold.WriteModule(dir, scaffold.Seedling, "NAME", name); err != nil {
		return err
	}
	trustOwn(dir)
	page := &layout.Page{}
	page.AddLine(0, "%s has the ruleset %s; go on with", dir, name)
	page.AddLine(2, "rules vet %s", shell.Quote(dir))
	page.AddLine(2, "rules test --dir %s", shell.Quote(dir))
	page.AddLine(2, "rules eval --dir %s %s leap", shell.Quote(dir), name)
	return page.Flush(c.OutOrStdout())
}

// addRuleset adds a ruleset to a module, in a new file. CUE unifies it with rules.cue, so that no text of the author's
// is edited.
func addRuleset(c *cobra.Command, dir, name string) error {
	if err := scaffold.AddRuleset(dir, name); err != nil {
		return err
	}
	page := &layout.Page{}
	page.AddLine(0, "%s has the ruleset %s too; go on with", dir, name)
	page.AddLine(2, "rules vet %s", shell.Quote(dir))
	page.AddLine(2, "rules test --dir %s %s", shell.Quote(dir), name)
	return page.Flush(c.OutOrStdout())
}

// refreshSchema brings the schema of a module up to date.
//
// The schema is a copy in each module, so that no registry is needed; this is how it follows the
// program. Nothing else of the module is touched.
func refreshSchema(c *cobra.Command, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "cue.mod")); err != nil {
		return fmt.Errorf("%s is no CUE module: it has no cue.mod", dir)
	}
	if err := scaffold.WriteSchema(dir); err != nil {
		return err
	}
	page := &layout.Page{}
	page.AddLine(0, "%s has the schema of this program", dir)
	return page.Flush(c.OutOrStdout())
}
