package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/scaffold"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/tablefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// importIntoHomebrew edits the files of the homebrew of --with so that a table says what a sheet says. Values and rows that
// the homebrew has are changed where they stand, and new rows of it follow them; what the ruleset has is replaced and
// extended in one more file. Nothing is written unless the ruleset compiles with it and no other definition changes.
func (x *sheetImport) importIntoHomebrew(c *cobra.Command, name string) error {
	dir := x.s.With[0]
	p, g, err := x.read(&argdata.Files{In: c.InOrStdin()}, name)
	if err != nil {
		return err
	}
	t, err := x.tableWith(dir)
	if err != nil {
		return err
	}
	alone := *x.s
	alone.With = nil
	before, err := alone.CompileRuleset(p.Ruleset)
	if err != nil {
		return err
	}
	isNew := before.Table(t.ID) == nil
	isOwn := func(r *book.Row, c *book.Cell) bool {
		return isNew || r.Overlay != "" || c != nil && c.Overlay != ""
	}
	e, list, err := tablefile.WriteBack(p, t, g, safefile.Read, isOwn)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		printProblems(c, list)
		return exit.ErrNo
	}
	edited, err := x.compileEdited(e.Files)
	if err != nil {
		return err
	}
	rest, list := tablefile.Change(edited, t.ID, "house", g)
	if len(list) > 0 {
		printProblems(c, list)
		return exit.ErrNo
	}
	if rest.Changed+rest.Added > 0 {
		if err := addPart(e, dir, t.ID, rest); err != nil {
			return err
		}
		if edited, err = x.compileEdited(e.Files); err != nil {
			return err
		}
	}
	if err := checkOthersStay(p, edited, t.ID); err != nil {
		return err
	}
	return writeEdits(c, t.ID, e)
}

// tableWith returns the table as the ruleset has it with the homebrew.
func (x *sheetImport) tableWith(dir string) (*book.Table, error) {
	ruleset, table := x.ruleset()
	h, err := workspace.HomebrewModule(dir)
	if err != nil {
		return nil, err
	}
	if d := x.s.Compiler().HomebrewDraft(x.s.NamedModule(), ruleset, h); d != nil {
		if i := slices.IndexFunc(d.Rules.Tables, func(t *book.Table) bool { return t.ID == table }); i >= 0 {
			return d.Rules.Tables[i], nil
		}
	}
	return nil, fmt.Errorf("the files of %s with %s cannot be read: rules vet %[2]s", ruleset, dir)
}

// compileEdited compiles the ruleset with the homebrew, whose files are partly others.
func (x *sheetImport) compileEdited(files map[string][]byte) (*plan.Plan, error) {
	ruleset, _ := x.ruleset()
	s := *x.s
	s.Patched = maps.Clone(s.Patched)
	if s.Patched == nil {
		s.Patched = map[string][]byte{}
	}
	maps.Copy(s.Patched, files)
	p, list, err := s.CompileOverlaid(compiler.Options{}, []string{ruleset})
	if err == nil && p == nil {
		err = errors.Join(errors.New("the homebrew would not compile, and its files are as they were"),
			&diag.Errors{List: list})
	}
	return p, err
}

// addPart adds a file to those of a homebrew, of a name that no file there has.
func addPart(e *tablefile.SourceEdit, dir, table string, rest *tablefile.Homebrew) error {
	name, err := scaffold.PackageIn(dir)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, tablefile.FileName(table))
	for i := 2; ; i++ {
		if _, err := os.Stat(file); err != nil {
			break
		}
		file = filepath.Join(dir, tablefile.FileName(fmt.Sprintf("%s_%d", table, i)))
	}
	e.Files[file] = []byte(rest.Part(name))
	e.Changed += rest.Changed
	e.Added += rest.Added
	return nil
}

// checkOthersStay refuses edits by which another definition changes: a literal may be the source of several cells, and of
// formulas. Inputs that name a row of the table accept the rows that are new.
func checkOthersStay(before, after *plan.Plan, table string) error {
	names := map[string]bool{}
	for _, cells := range describe.TableOf(after, table).Cells {
		names[strconv.Quote(cells[0])] = true
	}
	isNewRow := func(x compare.Change) bool { return x.Old == "" && names[x.New] }
	for _, d := range compare.Compare(before, after, schedule.Normal).Definitions {
		if d.Kind == plan.TableEntry.String() && d.ID == table {
			continue
		}
		if d.Changes = slices.DeleteFunc(d.Changes, isNewRow); len(d.Changes) > 0 {
			return fmt.Errorf("%s would change with %s in its %s, for both are made of one value, and the files are as "+
				"they were", d.Label(), table, d.Changes[0].Part)
		}
	}
	return nil
}
