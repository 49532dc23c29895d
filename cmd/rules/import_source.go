package main

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/tablefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// importBack edits the files of a ruleset so that a table says what a sheet says. The sheet is judged as a homebrew first,
// so that its problems are at its cells. Nothing is written unless the edited files compile to the same ruleset with just
// this table changed.
func (x *sheetImport) importBack(c *cobra.Command, name string) error {
	switch {
	case len(x.s.With) == 1:
		return x.importIntoHomebrew(c, name)
	case len(x.s.With) > 1:
		return errors.New("--in-place edits the files of one homebrew: name it alone with --with")
	case x.s.ModuleDir() == "":
		return errors.New("--in-place edits the module in the current directory or of --dir; what ships with the program " +
			"is changed by a homebrew, --to DIR")
	}
	p, g, err := x.read(&argdata.Files{In: c.InOrStdin()}, name)
	if err != nil {
		return err
	}
	if _, err := x.judgeAloud(c, p, g, "house"); err != nil {
		return err
	}
	ruleset, table := x.ruleset()
	t := x.tableInBook(ruleset, table)
	if t == nil {
		return fmt.Errorf("the files of %s cannot be read: rules vet", ruleset)
	}
	everything := func(*book.Row, *book.Cell) bool { return true }
	e, list, err := tablefile.WriteBack(p, t, g, safefile.Read, everything)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		printProblems(c, list)
		return exit.ErrNo
	}
	if err := x.checkEdited(p, t, g, e); err != nil {
		return err
	}
	return writeEdits(c, table, e)
}

// writeEdits writes edited files and prints what was changed.
func writeEdits(c *cobra.Command, table string, e *tablefile.SourceEdit) error {
	names := slices.Sorted(maps.Keys(e.Files))
	for _, name := range names {
		if err := atomicfile.TheDisk().WriteWhole(name, e.Files[name]); err != nil {
			return err
		}
		fmt.Fprintf(c.ErrOrStderr(), "rules: wrote %s\n", filepath.ToSlash(name))
	}
	fmt.Fprintf(c.ErrOrStderr(), "rules: table %s: %s changed, %s added\n", table, plural.Of(e.Changed, "cell"),
		plural.Of(e.Added, "row"))
	return nil
}

// tableInBook returns a table as its ruleset's files have it; nil when these cannot be read.
func (x *sheetImport) tableInBook(ruleset, table string) *book.Table {
	for _, d := range x.s.Compiler().Drafts(x.s.NamedModule(), ruleset) {
		i := slices.IndexFunc(d.Rules.Tables, func(t *book.Table) bool { return t.ID == table })
		if d.Rules.ID == ruleset && i >= 0 {
			return d.Rules.Tables[i]
		}
	}
	return nil
}

// checkEdited compiles a ruleset with edited files. The table must say what the sheet says, and all others what they said:
// a literal may be the source of several cells.
func (x *sheetImport) checkEdited(p *plan.Plan, t *book.Table, g *tablefile.Grid, e *tablefile.SourceEdit) error {
	m := x.s.NamedModule()
	m.Patched = workspace.Below(x.s.ModuleDir(), e.Files)
	plans, diags := x.s.Compiler().Release(m, compiler.Options{}, p.Ruleset)
	if len(plans) == 0 {
		return errors.Join(errors.New("the files would not compile, and are as they were"), &diag.Errors{List: diags})
	}
	after := plans[0]
	if h, list := tablefile.Change(after, t.ID, "house", g); len(list) > 0 || h.Changed+h.Added > 0 {
		return fmt.Errorf("table %s would not say what the sheet says, and the files are as they were: change it in %s",
			t.ID, diag.PlaceString(t.Place))
	}
	if err := checkOthersStay(p, after, t.ID); err != nil {
		return err
	}
	return x.checkOthers(p.Ruleset, t.ID, m)
}

// checkOthers compiles the other rulesets of the module that read edited files. They must answer as before.
func (x *sheetImport) checkOthers(ruleset, table string, edited sandbox.Module) error {
	m := x.s.NamedModule()
	others := slices.DeleteFunc(x.s.Compiler().Names(m), func(other string) bool {
		return other == ruleset || !x.readsEdited(other, edited.Patched)
	})
	if len(others) == 0 {
		return nil
	}
	before, _ := x.s.Compiler().Release(m, compiler.Options{}, others...)
	after, diags := x.s.Compiler().Release(edited, compiler.Options{}, others...)
	for _, p := range before {
		i := slices.IndexFunc(after, func(q *plan.Plan) bool { return q.Ruleset == p.Ruleset })
		switch {
		case i < 0:
			return errors.Join(fmt.Errorf("ruleset %s would not compile with the new table %s, and the files are as they "+
				"were", p.Ruleset, table), &diag.Errors{List: diags})
		case !workspace.SaySame(p, after[i]):
			return fmt.Errorf("ruleset %s would change with table %s, for it reads the same files, and these are as they "+
				"were", p.Ruleset, table)
		}
	}
	return nil
}

// readsEdited reports whether a ruleset is compiled from files in the directory of an edited one, or from files that are not
// known.
func (x *sheetImport) readsEdited(ruleset string, edited map[string][]byte) bool {
	sources := x.s.Compiler().Sources(x.s.NamedModule(), ruleset)
	return sources == nil || slices.ContainsFunc(sources, func(source string) bool {
		for name := range edited {
			if path.Dir(name) == path.Dir(source) {
				return true
			}
		}
		return false
	})
}
