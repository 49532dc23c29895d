package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules"
)

const initHelp = `Init makes a module with a small ruleset in a new or empty directory: rules.cue, which says what ships; the ruleset under
tables, with a die, a table, an option and a rule; its cases under golden; and the schema under cue.mod/pkg, so that
nothing is fetched from anywhere. The ruleset is called after the directory where it can be. It vets and tests at once:

    rules init mygame
    rules vet mygame
    rules test --dir mygame

With --homebrew it makes a homebrew instead: what one table of players changes in a ruleset, with a table, a rule, and
cases.

    rules init myhouse --homebrew tempestas
    rules vet myhouse
    rules test --with myhouse

The schema under cue.mod/pkg is for editors and for cue vet; what this program reads, it checks by itself. With --schema
init writes nothing but the schema, into a module that there is, to bring it up to date.`

// schemaDir is where a module keeps the schema.
const schemaDir = "cue.mod/pkg/github.com/tabletop-rules/rules/schema"

// seedling is what init writes; NAME stands for the ruleset's. Its cases, which are archives as well, are quoted.
//
//go:embed seedling.txtar
var seedling []byte

// homebrewSeedling is the same for a homebrew; RULESET stands for the ruleset that it changes, CHARACTER for one of its
// characters.
//
//go:embed seedling_homebrew.txtar
var homebrewSeedling []byte

func newInit(s *settings) *cobra.Command {
	var homebrew string
	var schema bool
	c := &cobra.Command{
		Use:     "init DIR",
		Short:   "Make a module with a small ruleset that vets and tests",
		Long:    initHelp,
		Example: "  rules init mygame\n  rules init myhouse --homebrew tempestas\n  rules init --schema myhouse",
		Args:    between(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case schema:
				return refreshSchema(c, args[0])
			case homebrew != "":
				return s.initHomebrew(c, args[0], homebrew)
			}
			return initModule(c, args[0])
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	c.Flags().StringVar(&homebrew, "homebrew", "", "make a homebrew that changes `RULESET`")
	c.Flags().BoolVar(&schema, "schema", false, "write only the schema, into the module in DIR")
	c.MarkFlagsMutuallyExclusive("homebrew", "schema")
	must(c.RegisterFlagCompletionFunc("homebrew", s.completeRulesets))
	return c
}

// plant writes the files of a seedling, and the schema, in a new or empty directory.
func plant(dir string, seedling []byte, words ...string) error {
	if err := mustBeEmpty(dir); err != nil {
		return err
	}
	text := strings.NewReplacer(words...).Replace(string(seedling))
	for _, f := range txtar.Parse([]byte(text)).Files {
		if strings.HasSuffix(f.Name, ".txtar") {
			var err error
			f.Data, err = txtar.Unquote(f.Data)
			must(err)
		}
		if err := writeBelow(dir, f.Name, f.Data); err != nil {
			return err
		}
	}
	return writeSchema(dir)
}

// initHomebrew makes a homebrew of a ruleset of the module.
func (s *settings) initHomebrew(c *cobra.Command, dir, ruleset string) error {
	if !slices.Contains(s.rulesets(), ruleset) {
		return s.unknown(ruleset)
	}
	character, err := s.someone(ruleset)
	if err != nil {
		return err
	}
	name := rulesetName(dir)
	if name == ruleset {
		name = "house"
	}
	if err := plant(dir, homebrewSeedling, "NAME", name, "RULESET", ruleset, "CHARACTER", string(character)); err != nil {
		return err
	}
	page := &page{}
	page.line(0, "%s has the homebrew %s of %s; go on with", dir, name, ruleset)
	page.line(2, "rules vet %s", quoted(dir))
	page.line(2, "rules test --with %s", quoted(dir))
	page.line(2, "rules eval %s house_weather --with %s", ruleset, quoted(dir))
	return page.flush(c.OutOrStdout())
}

// someone is the least character of a ruleset, on one line.
func (s *settings) someone(ruleset string) ([]byte, error) {
	p, err := s.ruleset(ruleset)
	if err != nil {
		return nil, err
	}
	fields := *p.Character
	fields.Character = false
	var out bytes.Buffer
	err = json.Compact(&out, least(&fields, nil))
	return out.Bytes(), err
}

func initModule(c *cobra.Command, dir string) error {
	name := rulesetName(dir)
	if err := plant(dir, seedling, "NAME", name); err != nil {
		return err
	}
	page := &page{}
	page.line(0, "%s has the ruleset %s; go on with", dir, name)
	page.line(2, "rules vet %s", quoted(dir))
	page.line(2, "rules test --dir %s", quoted(dir))
	page.line(2, "rules eval --dir %s %s leap", quoted(dir), name)
	return page.flush(c.OutOrStdout())
}

// mustBeEmpty refuses a directory that has anything in it.
func mustBeEmpty(dir string) error {
	list, err := os.ReadDir(dir)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return err
	case len(list) > 0:
		return fmt.Errorf("%s is not empty: it has %s", dir, list[0].Name())
	}
	return nil
}

// The name of a ruleset is also that of a CUE package and of its import: no keyword of CUE, and no other package of the
// module.
var (
	nameForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	keywords = []string{"package", "import", "for", "in", "if", "let", "null", "true", "false", "schema", "rules"}
)

// rulesetName is the last part of a directory's name where a ruleset may be called so, else "example".
func rulesetName(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "example"
	}
	name := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(filepath.Base(abs)))
	if !nameForm.MatchString(name) || slices.Contains(keywords, name) {
		return "example"
	}
	return name
}

// refreshSchema brings the schema of a module up to date.
func refreshSchema(c *cobra.Command, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "cue.mod")); err != nil {
		return fmt.Errorf("%s is no CUE module: it has no cue.mod", dir)
	}
	if err := writeSchema(dir); err != nil {
		return err
	}
	page := &page{}
	page.line(0, "%s has the schema of this program", dir)
	return page.flush(c.OutOrStdout())
}

// writeSchema writes the schema that this program compiles with.
func writeSchema(dir string) error {
	return fs.WalkDir(rules.Files, "schema", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(rules.Files, name)
		if err != nil {
			return err
		}
		return writeBelow(dir, schemaDir+strings.TrimPrefix(name, "schema"), data)
	})
}

// writeBelow writes a file of a module, making the directories on its path.
func writeBelow(dir, name string, data []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}
