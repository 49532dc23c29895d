package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/example"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const initCharacterHelp = `Character writes a new character of a ruleset to a file: all that must be there, as small as it may
be, to be changed in an editor. What each field means, and what else a character may have, is printed;
"rules check" says whether the file is still a character. A file that is there is not touched.`

func newInitCharacter(s *settings) *cobra.Command {
	file := "character.json"
	var from planFlag
	c := &cobra.Command{
		Use:     "character [RULESET]",
		Short:   "Write a new character of a ruleset",
		Long:    initCharacterHelp,
		Example: "  rules init character tempestas\n  rules init character tempestas -o new.json",
		Args:    from.argCount(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return initCharacter(s, c, &from, args, file)
		},
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, nil),
	}
	c.Flags().StringVarP(&file, "output", "o", file, "write the character to `FILE`")
	must.Succeed(c.MarkFlagFilename("output", "json"))
	from.addTo(c)
	return c
}

// initCharacter writes the least character of a ruleset, and prints the fields of a character.
//
// The least character is checked before it is written: where a schema asks for more than bounds and enums can tell, an
// error is better than a file that no command accepts.
func initCharacter(s *settings, c *cobra.Command, from *planFlag, args []string, file string) error {
	p, next, err := planOfCharacter(s, c, from, args)
	if err != nil {
		return err
	}
	// A look before the write may lose against another process, and then a file of the same second
	// is replaced. For keys this would not do (writeNewFile); a character made here holds nothing
	// yet.
	if _, err := os.Stat(file); err == nil {
		return fmt.Errorf("%s is there already: name another file with -o", file)
	}
	var text bytes.Buffer
	if err := json.Indent(&text, example.LeastCharacter(p), "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	if err := runtime.New(p).Fits(text.Bytes()); err != nil {
		return fmt.Errorf("no least character of %s is known: %w", p.Ruleset, err)
	}
	if err := atomicfile.TheDisk().WriteWhole(file, text.Bytes()); err != nil {
		return err
	}
	page := s.newPage(c.OutOrStdout())
	page.AddLine(0, "%s is a character of %s; change it, and go on with", file, workspace.RevisionName(p))
	page.AddLine(2, "%s %s", next, shell.Quote(file))
	present.PrintFields(page, "fields", describe.FieldsOf(p.Character))
	return page.Flush(c.OutOrStdout())
}

// planOfCharacter returns the plan of the ruleset that a character is made for, and the command that goes on with a
// file of it.
func planOfCharacter(s *settings, c *cobra.Command, from *planFlag, args []string) (*plan.Plan, string, error) {
	if from.file == "" {
		p, err := s.CompileRuleset(args[0])
		return p, "rules check --ruleset " + args[0], err
	}
	p, rest, err := from.readOne(s, c, args)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%s has the ruleset %s, not %s", from.file, p.Ruleset, rest[0])
	}
	if err != nil {
		return nil, "", err
	}
	return p, fmt.Sprintf("rules play --plan %s %s --character", shell.Quote(from.file), p.Ruleset), nil
}
