package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/workspace"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const checkHelp = `Check says whether files are characters of a ruleset: all that it requires is there, and nothing else,
within its bounds. The ruleset is that of --ruleset, or the one that the character is pinned to
("$revision": "tempestas 0.1.0"), or else the only one that the module ships.

Exit status: 0 when all of them are; 1 when one is not, with what is wrong and where; 2 when a file cannot be
read, or its ruleset is not known.`

func newCheck(s *settings) *cobra.Command {
	var ruleset string
	c := &cobra.Command{
		Use:     "check FILE ...",
		Short:   "Say whether files are characters of a ruleset",
		Long:    checkHelp,
		Example: "  rules check ada.json --ruleset tempestas",
		Args:    usage.ArgCount(1, usage.Many),
		RunE: func(c *cobra.Command, args []string) error {
			k := &characterCheck{s: s, files: argdata.Files{In: c.InOrStdin()}, programs: map[string]*runtime.Program{}}
			page := &layout.Page{}
			for _, file := range args {
				if err := k.checkFile(page, file, ruleset); err != nil {
					return err
				}
			}
			if err := page.Flush(c.OutOrStdout()); err != nil {
				return err
			}
			if k.failed {
				return exit.ErrNo
			}
			return nil
		},
	}
	c.Flags().StringVar(&ruleset, "ruleset", "", "they are to be characters of `RULESET`")
	must.Succeed(c.RegisterFlagCompletionFunc("ruleset", completion.CompleteRulesets(&s.Workspace)))
	return c
}

// A characterCheck checks files, and keeps the programs that it needs for them.
type characterCheck struct {
	s        *settings
	files    argdata.Files
	programs map[string]*runtime.Program
	failed   bool
}

// checkFile prints a line about one file.
func (k *characterCheck) checkFile(page *layout.Page, file, ruleset string) error {
	text, err := k.files.Read("character", file)
	if err != nil {
		return err
	}
	if ruleset == "" {
		if ruleset, err = k.rulesetOf(file, text); err != nil {
			return err
		}
	}
	program, err := k.programOf(ruleset)
	if err != nil {
		return err
	}
	name := argdata.FileName(file)
	if err := program.Fits(text); err != nil {
		k.failed = true
		e, ok := errors.AsType[*runtime.InputError](err)
		if !ok {
			return err
		}
		page.AddLine(0, "%s:%d:%d: %s%s: %s", name, e.Line, e.Col, e.Root, e.Path, e.Msg)
		return nil
	}
	page.AddLine(0, "%s is a character of %s", name, revisionOf(program.Plan()))
	return nil
}

func revisionOf(p *plan.Plan) string { return p.Ruleset + " " + p.Revision }

// rulesetOf is the ruleset that a character is pinned to, or the only one that there is.
func (k *characterCheck) rulesetOf(file string, text []byte) (string, error) {
	if id, _, full := strings.Cut(workspace.PinOf(text), " "); full {
		return id, nil
	}
	all := k.s.RulesetIDs()
	if len(all) == 1 {
		return all[0], nil
	}
	return "", fmt.Errorf("%s does not say of which ruleset it is a character: add --ruleset, one of %s",
		argdata.FileName(file), strings.Join(all, ", "))
}

// programOf is the program of a ruleset.
func (k *characterCheck) programOf(ruleset string) (*runtime.Program, error) {
	if p := k.programs[ruleset]; p != nil {
		return p, nil
	}
	p, err := k.s.CompileRuleset(ruleset)
	if err != nil {
		return nil, err
	}
	k.programs[ruleset] = runtime.New(p)
	return k.programs[ruleset], nil
}
