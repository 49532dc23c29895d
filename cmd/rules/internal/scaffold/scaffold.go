// Package scaffold writes the files of a new ruleset module or homebrew, and the schema that editors read.
package scaffold

import (
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/must"
)

// SchemaDir is where a module keeps the schema.
const SchemaDir = "cue.mod/pkg/github.com/tabletop-rules/rules/schema"

// Seedling is what init writes; NAME stands for the ruleset's. Its cases, which are archives as well, are quoted.
//
//go:embed seedling.txtar
var Seedling []byte

// HomebrewSeedling is the same for a homebrew; RULESET stands for the ruleset that it changes, CHARACTER for one of its
// characters.
//
//go:embed seedling_homebrew.txtar
var HomebrewSeedling []byte

// WriteModule writes the files of a seedling, and the schema, in a new or empty directory.
func WriteModule(dir string, seedling []byte, words ...string) error {
	if err := mustBeEmpty(dir); err != nil {
		return err
	}
	text := strings.NewReplacer(words...).Replace(string(seedling))
	for _, f := range txtar.Parse([]byte(text)).Files {
		if strings.HasSuffix(f.Name, ".txtar") {
			var err error
			f.Data, err = txtar.Unquote(f.Data)
			must.Succeed(err)
		}
		if err := WriteBelow(dir, f.Name, f.Data); err != nil {
			return err
		}
	}
	return WriteSchema(dir)
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

// RulesetName is the last part of a directory's name where a ruleset may be called so, else "example".
func RulesetName(dir string) string {
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

// WriteSchema writes the schema that this program compiles with.
func WriteSchema(dir string) error {
	return fs.WalkDir(rules.Files, "schema", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(rules.Files, name)
		if err != nil {
			return err
		}
		return WriteBelow(dir, SchemaDir+strings.TrimPrefix(name, "schema"), data)
	})
}

// WriteBelow writes a file of a module, making the directories on its path.
func WriteBelow(dir, name string, data []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return atomicfile.TheDisk().WriteWhole(file, data)
}
