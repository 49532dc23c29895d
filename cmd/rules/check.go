package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/jsonadvice"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime"
)

const checkHelp = `Check says whether files are characters of a ruleset: all that it requires is there, and nothing else,
within its bounds. The ruleset is that of --ruleset, or the one that the character is pinned to
("$revision": "tempestas 0.2.0"), or else the only one that the module ships.

Exit status: 0 when all of them are; 1 when one is not, with what is wrong and where; 2 when a file cannot be
read, or its ruleset is not known.`

func newCheck(s *settings) *cobra.Command {
	var ruleset string
	var format usage.Format
	c := &cobra.Command{
		Use:     "check FILE ...",
		Short:   "Say whether files are characters of a ruleset",
		Long:    checkHelp,
		Example: "  rules check ada.json --ruleset tempestas",
		Args:    usage.ArgCount(1, usage.Many),
		RunE: func(c *cobra.Command, args []string) error {
			// What was checked before a file that cannot be read is printed all the same, and
			// the error after it ends the command with status 2, whatever the other files were.
			k := &characterCheck{s: s, files: argdata.Files{In: c.InOrStdin()}, programs: map[string]*runtime.Program{}}
			list, unread := k.checkFiles(args, ruleset)
			if err := errors.Join(printChecked(c.OutOrStdout(), format, list), unread); err != nil {
				return err
			}
			if slices.ContainsFunc(list, func(x *checkedCharacter) bool { return !x.Fits }) {
				return exit.ErrNo
			}
			return nil
		},
	}
	c.Flags().StringVar(&ruleset, "ruleset", "", "they are to be characters of `RULESET`")
	format.AddTo(c)
	must.Succeed(c.RegisterFlagCompletionFunc("ruleset", completion.CompleteRulesets(&s.Workspace)))
	return c
}

// A checkedCharacter is what was found about a file.
type checkedCharacter struct {
	File     string `json:"file"`
	Ruleset  string `json:"ruleset"`
	Revision string `json:"revision"`
	Fits     bool   `json:"fits"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"` // in bytes
	Path     string `json:"path,omitempty"`
	Message  string `json:"message,omitempty"`

	wrong error // what does not fit, and where
}

// A characterCheck checks files, and keeps the programs that it needs for them.
//
// A directory of characters is checked with one program for each ruleset: compiling costs a
// thousand times what reading a character does.
type characterCheck struct {
	s        *settings
	files    argdata.Files
	programs map[string]*runtime.Program
}

// checkFiles checks files up to the first that cannot be read.
func (k *characterCheck) checkFiles(files []string, ruleset string) ([]*checkedCharacter, error) {
	out := []*checkedCharacter{}
	for _, file := range files {
		x, err := k.checkFile(file, ruleset)
		if err != nil {
			return out, err
		}
		out = append(out, x)
	}
	return out, nil
}

// checkFile checks one file.
//
// That a file does not fit is the answer no, and the next file is looked at. That it cannot be read
// ends the command: a misspelled name must not count as a bad character.
func (k *characterCheck) checkFile(file, ruleset string) (*checkedCharacter, error) {
	text, err := k.files.Read("character", file)
	if err != nil && slices.Contains(k.s.RulesetIDs(), file) {
		return nil, fmt.Errorf("%s is a ruleset, and no file: rules check FILE --ruleset %[1]s", file)
	}
	if err != nil {
		return nil, err
	}
	if ruleset == "" {
		if ruleset, err = k.rulesetOf(file, text); err != nil {
			return nil, err
		}
	}
	program, err := k.programOf(ruleset)
	if err != nil {
		return nil, err
	}
	p := program.Plan()
	out := &checkedCharacter{File: argdata.FileName(file), Ruleset: p.Ruleset, Revision: p.Revision}
	err = jsonadvice.Fits(program, text)
	e, misfits := errors.AsType[*runtime.InputError](err)
	if err != nil && !misfits {
		return nil, err
	}
	if out.Fits = !misfits; misfits {
		out.Line, out.Column, out.Path, out.Message = e.Line, e.Col, e.Root+e.Path, e.Msg
		out.wrong = exit.PlaceIn(out.File, e)
	}
	return out, nil
}

// printChecked prints for each character whether it fits, as text or JSON.
func printChecked(w io.Writer, f usage.Format, list []*checkedCharacter) error {
	if f == usage.AsJSON {
		return jsontext.PrintJSON(w, list)
	}
	page := &layout.Page{}
	for _, x := range list {
		// A misfit is printed as file:line:column, the form that editors and terminals make into a
		// link.
		if x.Fits {
			page.AddLine(0, "%s is a character of %s %s", x.File, x.Ruleset, x.Revision)
		} else {
			page.AddLine(0, "%s", x.wrong)
		}
	}
	return page.Flush(w)
}

// rulesetOf returns the ruleset that a character is pinned to, or the only one that there is.
//
// A pin may be a number without a ruleset ("0.1.0"). It says nothing here, because several rulesets
// may have a revision of that number.
func (k *characterCheck) rulesetOf(file string, text []byte) (string, error) {
	if id, _, full := strings.Cut(workspace.PinOf(text).Revision, " "); full {
		return id, nil
	}
	all := k.s.RulesetIDs()
	if len(all) == 1 {
		return all[0], nil
	}
	return "", fmt.Errorf("%s does not say of which ruleset it is a character: add --ruleset, one of %s",
		argdata.FileName(file), strings.Join(all, ", "))
}

// programOf returns the program of a ruleset, compiled for the first character that needs it.
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
