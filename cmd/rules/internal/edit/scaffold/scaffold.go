// Package scaffold writes the files of a new ruleset module or homebrew, and the schema that editors read.
//
// The first minutes of an author decide. So what is written vets without a warning, its cases pass,
// and each of its files shows one thing that the author will want next; a test makes a module and
// runs the commands that the answer of "rules init" names. The schema is written beside it because
// no registry is asked: a module works without a network.
package scaffold

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
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
	top := firstMissing(dir)
	if err := writeAll(dir, filesOf(seedling, words...)); err != nil {
		return errors.Join(err, removeMade(dir, top))
	}
	if err := WriteSchema(dir); err != nil {
		return errors.Join(err, removeMade(dir, top))
	}
	return nil
}

// writeAll writes files of a module.
func writeAll(dir string, files []txtar.File) error {
	for _, f := range files {
		if err := WriteBelow(dir, f.Name, f.Data); err != nil {
			return err
		}
	}
	return nil
}

// firstMissing returns the first directory on the path of one that is not there; "" when it is there.
func firstMissing(dir string) string {
	top := ""
	for {
		if _, err := os.Lstat(dir); err == nil || dir == filepath.Dir(dir) {
			return top
		}
		top, dir = dir, filepath.Dir(dir)
	}
}

// removeMade removes an unfinished module: the directories that were made, or else the contents of a directory that was
// empty.
func removeMade(dir, top string) error {
	if top != "" {
		return os.RemoveAll(top)
	}
	list, err := os.ReadDir(dir)
	for _, d := range list {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, d.Name())))
	}
	return err
}

// filesOf returns the files of a seedling, with words replaced.
func filesOf(seedling []byte, words ...string) []txtar.File {
	files := txtar.Parse([]byte(strings.NewReplacer(words...).Replace(string(seedling)))).Files
	for i := range files {
		if strings.HasSuffix(files[i].Name, ".txtar") {
			var err error
			files[i].Data, err = txtar.Unquote(files[i].Data)
			must.Succeed(err)
		}
	}
	return files
}

// AddRuleset puts the ruleset of the seedling, under a name, into a module that there is. Nothing that is there is touched:
// a file of its own beside the author's rules.cue ships the ruleset, and CUE joins the two.
func AddRuleset(dir, name string) error {
	if !nameForm().MatchString(name) || slices.Contains(keywords, name) {
		return fmt.Errorf("%q is no name of a ruleset: small letters, digits and _, beginning with a letter", name)
	}
	module, err := readWord(dir, "cue.mod/module.cue", modulePath())
	if err != nil {
		return err
	}
	pkg, err := readWord(dir, "rules.cue", packageClause())
	if err != nil {
		return err
	}
	parts := []string{name + ".cue", "tables/" + name, "golden/" + name}
	for _, made := range parts {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(made))); err == nil {
			return fmt.Errorf("%s has %s already", dir, made)
		}
	}
	files := slices.DeleteFunc(filesOf(Seedling, "NAME", name), func(f txtar.File) bool {
		return !strings.HasPrefix(f.Name, "tables/") && !strings.HasPrefix(f.Name, "golden/")
	})
	ships := fmt.Sprintf("package %s\n\nimport %q\n\nrulesets: %q: {rules: %s, revision: \"0.1.0\"}\n",
		pkg, module+"/tables/"+name, name, name)
	err = writeAll(dir, append(files, txtar.File{Name: name + ".cue", Data: []byte(ships)}))
	if err != nil {
		for _, made := range parts {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, filepath.FromSlash(made))))
		}
	}
	return err
}

var (
	modulePath    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*module:\s*"([^"@]+)`) })
	packageClause = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^package\s+(\w+)`) })
)

// readWord finds a word in a file of a module.
func readWord(dir, name string, word *regexp.Regexp) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if os.IsNotExist(err) {
		return "", fmt.Errorf("%s is no module with rulesets: it has no %s; \"rules init DIR\" makes one", dir, name)
	}
	if err != nil {
		return "", err
	}
	found := word.FindSubmatch(text)
	if found == nil {
		return "", fmt.Errorf("%s: nothing in it is of the form %s", filepath.Join(dir, name), word)
	}
	return string(found[1]), nil
}

// PackageIn returns the name of the package in a directory, which may differ from the directory's.
func PackageIn(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.cue"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		if name, err := readWord(dir, filepath.Base(file), packageClause()); err == nil {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s: no file in it says which package it is of", dir)
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
	nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9_]*$`) })
	keywords = []string{"package", "import", "for", "in", "if", "let", "null", "true", "false", "schema", "rules"}
)

// RulesetName returns the last part of a directory's name where a ruleset may be called so, else "example".
func RulesetName(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "example"
	}
	name := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(filepath.Base(abs)))
	if !nameForm().MatchString(name) || slices.Contains(keywords, name) {
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
