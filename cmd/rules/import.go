package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/repair"
	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/scaffold"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/opendata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/tablefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

const importHelp = `Import makes a homebrew of a sheet: a file of CSV or TSV, or a sheet of a workbook, .xlsx. The first row
names the columns, the first column holds the keys; a range is written 1-3, 01–05, 96-00, 7 to 9, 4+, from 3 or above 3.
Cost [gp] is the column cost_gp. Cells of CSV are separated by commas, semicolons or tabs; where it is semicolons, a comma
may begin the decimals. Merged cells, footnotes, 35%, and a date that a spreadsheet program made of 1-3 are refused at their
cells. --sheet A3:C9 takes a part of a sheet.

The sheet is judged as the homebrew that it becomes, and each problem is told at its cell: weapons.xlsx!Ranged!C7.
FILE - is standard input. Published data of the fifth edition, the JSON files of Open5e (version 2) and of the
5e-database, and a directory with the sources of Foundry's packs of dnd5e, are sheets too: monsters, attacks, weapons and
armour, their numbers and no prose. "rules vet" compares them with themselves.

With --as RULESET.TABLE the sheet is that table: cells that differ replace it, rows that it does not have are added, rows
that the sheet does not have stay. Blanks at the ends of a text, and how its lines end, are no difference. With --add it
becomes a new table of that name; the kind of its keys and the types of its columns follow from nine cells of ten, and are
told; a cell that is of another type is refused then. An empty cell is the empty string in a column of strings, and refused
in any other. Columns cite and doc become the citation and the documentation of a new table, or comments on its rows. The
columns "# cite", "# doc", "# errata" and "# changed by", which "rules export --notes" writes, are no data.

With --in-place the files of the ruleset are edited instead: in each cell that differs the value alone, so that a cell is a
line of the diff; new rows come behind the last. With --with HOMEBREW, or in its directory, its files are edited; what it
does not say yet comes in one more file there. Nothing is written unless the ruleset still compiles and nothing but the
table changes.

The homebrew is printed or, with --to, written: to a new directory, or as one more file of a homebrew. "rules vet FILE --as
RULESET.TABLE" only judges.

A decision model of DMN, FILE.dmn, becomes a ruleset of its own, without --as: each decision a rule, each knowledge model a
function, a decision table a table of its outputs, with every hit policy. Two rules of a unique table for one input are an
error. Where one rule counts (unique, any, priority, first) a note names an input that no rule matches; where all that
match count (collect, rule order, output order) there is none. Both need cells of constants. A rule refuses where its
decision is null. What has no counterpart is refused at its element, and nothing is written then.`

func newImport(s *settings) *cobra.Command {
	x := &sheetImport{s: s}
	var to string
	var inPlace bool
	c := &cobra.Command{
		Use:   "import FILE|- --as RULESET.TABLE",
		Short: "Make a homebrew of a sheet of a spreadsheet program, or a ruleset of a decision model",
		Long:  importHelp,
		Example: `  rules import difficulty.csv --as tempestas.difficulty
  rules import weapons.xlsx --sheet ranged_weapon --as zones.ranged_weapon --to house
  rules import streets.tsv --as zones.streets --add --to house
  rules import 5e-SRD-Equipment.json --sheet weapons --as tempestas.srd_weapon --add --to srd
  rules import weapons.xlsx --sheet ranged_weapon --as zones.ranged_weapon --in-place
  rules import loan.dmn --to loan`,
		Args: usage.ArgCount(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if isModelFile(args[0]) {
				return x.importModel(c, args[0], to)
			}
			if x.as == "" {
				return fmt.Errorf("--as RULESET.TABLE says which table the sheet is%s", x.adviseTable(args[0]))
			}
			if inPlace {
				return x.importBack(c, args[0])
			}
			return x.importSheet(c, args[0], to)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"csv", "tsv", "xlsx", "json", "dmn"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	x.addTo(c)
	c.Flags().BoolVar(&x.add, "add", false, "add the sheet as a new table")
	c.Flags().StringVar(&to, "to", "", "write the homebrew in `DIR`")
	c.Flags().BoolVar(&inPlace, "in-place", false, "edit the files of the ruleset, or of the homebrew that --with names")
	c.MarkFlagsMutuallyExclusive("in-place", "add")
	c.MarkFlagsMutuallyExclusive("in-place", "to")
	return c
}

// adviseTable returns the table of which a file has the name, as what to write; "" where there is none.
func (x *sheetImport) adviseTable(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	plans, err := x.s.CompileAll()
	if err != nil {
		return ""
	}
	for _, p := range plans {
		if p.Table(name) != nil {
			return fmt.Sprintf(": write --as %s.%s", p.Ruleset, name)
		}
	}
	return ""
}

// A sheetImport is a sheet that is taken for a table.
type sheetImport struct {
	s     *settings
	as    string // RULESET.TABLE
	sheet string
	add   bool // as a new table
}

func (x *sheetImport) addTo(c *cobra.Command) {
	c.Flags().StringVar(&x.as, "as", "", "the table that the sheet is, `RULESET.TABLE`")
	c.Flags().StringVar(&x.sheet, "sheet", "", "the sheet of a workbook with several, or a range by its `NAME`, or by its "+
		"cells: A3:C9, Ranged!A3:C9")
}

// ruleset returns the two names that --as says.
func (x *sheetImport) ruleset() (ruleset, table string) {
	ruleset, table, _ = strings.Cut(x.as, ".")
	return ruleset, table
}

// importSheet prints or writes the homebrew of a sheet, or prints the problems of the sheet.
func (x *sheetImport) importSheet(c *cobra.Command, name, to string) error {
	id := "house"
	if to != "" {
		id = scaffold.RulesetName(to)
	}
	p, g, err := x.read(&argdata.Files{In: c.InOrStdin()}, name)
	if err != nil {
		return err
	}
	h, err := x.judgeAloud(c, p, g, id)
	if err != nil {
		return err
	}
	_, table := x.ruleset()
	x.tell(c, h, table)
	if to == "" {
		_, err := fmt.Fprint(c.OutOrStdout(), h.Text())
		return err
	}
	if err := x.checkHomebrew(to); err != nil {
		return err
	}
	if err := writeImported(to, id, tablefile.FileName(table), h); err != nil {
		return err
	}
	fmt.Fprintf(c.ErrOrStderr(), "rules: wrote %s; \"rules vet %s\" checks it\n",
		filepath.ToSlash(filepath.Join(to, tablefile.FileName(table))), shell.Quote(to))
	return nil
}

// judgeAloud returns the homebrew that a sheet becomes, and prints its problems. The error says when it becomes none.
func (x *sheetImport) judgeAloud(
	c *cobra.Command, p *plan.Plan, g *tablefile.Grid, id string,
) (*tablefile.Homebrew, error) {
	h, list, err := x.judge(p, g, id)
	if err != nil {
		return nil, err
	}
	printProblems(c, list)
	if h == nil {
		return nil, exit.ErrNo
	}
	return h, nil
}

// printProblems prints diagnostics that are no notes.
func printProblems(c *cobra.Command, list []diag.Diagnostic) {
	for i := range list {
		if list[i].Severity != diag.Note {
			fmt.Fprintln(c.OutOrStdout(), list[i].String())
		}
	}
}

// checkHomebrew refuses a directory that is there and is no homebrew of the ruleset.
func (x *sheetImport) checkHomebrew(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "cue.mod")); err != nil {
		return nil
	}
	m, err := workspace.HomebrewModule(dir)
	if err != nil {
		return err
	}
	ruleset, _ := x.ruleset()
	of, ok, diags := x.s.Compiler().HomebrewOf(m)
	switch {
	case len(diags) > 0:
		return fmt.Errorf("%s is no homebrew: rules vet %[1]s", dir)
	case !ok:
		return fmt.Errorf("%s is no homebrew, whose tables could be changed; name a new directory", dir)
	case of != ruleset:
		return fmt.Errorf("%s is a homebrew of %s, not of %s", dir, of, ruleset)
	}
	return nil
}

// tell says on standard error what the sheet changes.
func (x *sheetImport) tell(c *cobra.Command, h *tablefile.Homebrew, table string) {
	if x.add {
		fmt.Fprintf(c.ErrOrStderr(), "rules: table %s is new: %s; %s\n", table, plural.Of(h.Added, "row"), h.Inferred)
		return
	}
	fmt.Fprintf(c.ErrOrStderr(), "rules: table %s: %s changed, %s added, %s as before, %s not in the sheet\n", table,
		plural.Of(h.Changed, "cell"), plural.Of(h.Added, "row"), plural.Of(h.Same, "row"), plural.Of(h.Untold, "row"))
}

// read returns the ruleset of --as, and a sheet that can be a table of it.
func (x *sheetImport) read(files *argdata.Files, name string) (*plan.Plan, *tablefile.Grid, error) {
	ruleset, table := x.ruleset()
	if table == "" {
		return nil, nil, fmt.Errorf("--as %s names no table: write RULESET.TABLE", x.as)
	}
	p, err := x.s.CompileRuleset(ruleset)
	if err != nil {
		return nil, nil, err
	}
	t := p.Table(table)
	switch {
	case x.add && t != nil:
		return nil, nil, fmt.Errorf("%s has a table %s: leave out --add to change it", ruleset, table)
	case !x.add && t == nil:
		return nil, nil, describe.UnknownIn(p, "table", table, tableNames(p))
	case t != nil && p.Across(t) != nil:
		return nil, nil, fmt.Errorf("table %s has two keys: import takes tables with one", table)
	}
	var s opendata.Source
	switch isData, err := addOpenData(&s, name); {
	case err != nil:
		return nil, nil, err
	case isData:
		g, err := x.chooseTable(name, s.Tables)
		return p, g, err
	}
	data, err := files.Read("FILE", name)
	if err != nil {
		return nil, nil, err
	}
	g, err := tablefile.Read(name, data, x.sheet)
	return p, g, err
}

// chooseTable returns the table of published data that --sheet names, or the only one.
func (x *sheetImport) chooseTable(file string, tables []*opendata.Table) (*tablefile.Grid, error) {
	var names []string
	for _, t := range tables {
		names = append(names, t.Name)
		if t.Name == x.sheet || x.sheet == "" && len(tables) == 1 {
			return tablefile.NewGrid(file, t.Rows, t.Places), nil
		}
	}
	return nil, fmt.Errorf("%s has the tables %s: name one, --sheet NAME", file, strings.Join(names, ", "))
}

// judge makes a homebrew of a sheet and compiles the ruleset with it. It returns no homebrew when the sheet is wrong.
func (x *sheetImport) judge(p *plan.Plan, g *tablefile.Grid, id string) (*tablefile.Homebrew, []diag.Diagnostic, error) {
	_, table := x.ruleset()
	make := tablefile.Change
	if x.add {
		make = tablefile.Add
	}
	h, problems := make(p, table, id, g)
	if h == nil {
		return nil, problems, nil
	}
	compiled, list, err := x.compile(h, id, p, table)
	if len(problems) > 0 {
		compiled = nil
	}
	return compiled, append(problems, list...), err
}

// compile compiles a ruleset with the homebrew of a sheet, from a directory of its own that is gone afterwards. What the
// ruleset has alone is no problem of the sheet, unless it is one of the table that the sheet is.
func (x *sheetImport) compile(h *tablefile.Homebrew, id string, p *plan.Plan, table string) (
	_ *tablefile.Homebrew, list []diag.Diagnostic, err error,
) {
	dir, err := os.MkdirTemp("", "sheet")
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := writeImported(dir, id, tablefile.FileName(table), h); err != nil {
		return nil, nil, err
	}
	s := *x.s
	s.With = append(s.With[:len(s.With):len(s.With)], dir)
	o := compiler.Options{Analyse: true}
	_, list, err = s.CompileOverlaid(o, []string{p.Ruleset})
	if err != nil {
		return nil, nil, err
	}
	alone, err := x.problemsAlone(o, p.Ruleset)
	if err != nil {
		return nil, nil, err
	}
	cells := h.CellsOf(p, table)
	isOwn := func(at plan.Place) bool { return repair.LiesIn(at.File, dir) || cells[at] != "" }
	alone = slices.DeleteFunc(alone, func(d diag.Diagnostic) bool {
		return isOwn(d.Place) || slices.ContainsFunc(d.Related, func(r diag.Related) bool { return isOwn(r.Place) })
	})
	list = h.AtCells(workspace.OwnProblems(list, alone, isOwn), cells, isOwn)
	for _, d := range list {
		if d.Severity == diag.Error {
			return nil, list, nil
		}
	}
	return h, list, nil
}

// problemsAlone returns the problems that a ruleset has without the sheet, with the homebrews of --with.
func (x *sheetImport) problemsAlone(o compiler.Options, ruleset string) ([]diag.Diagnostic, error) {
	if len(x.s.With) == 0 {
		return x.s.Compiler().Problems(x.s.NamedModule(), o, ruleset), nil
	}
	_, list, err := x.s.CompileOverlaid(o, []string{ruleset})
	return list, err
}

// writeImported writes the file of a homebrew, and the module around it where there is none.
func writeImported(dir, id, file string, h *tablefile.Homebrew) error {
	if _, err := os.Stat(filepath.Join(dir, "cue.mod")); err == nil {
		if _, err := os.Stat(filepath.Join(dir, file)); err == nil {
			return fmt.Errorf("%s is there already: remove it to import the sheet anew",
				filepath.ToSlash(filepath.Join(dir, file)))
		}
		name, err := scaffold.PackageIn(dir)
		if err != nil {
			return err
		}
		return scaffold.WriteBelow(dir, file, []byte(h.Part(name)))
	}
	module := fmt.Sprintf("module: \"example.com/%s@v0\"\nlanguage: version: \"v0.16.0\"\n", id)
	archive := "-- cue.mod/module.cue --\n" + module + "-- " + file + " --\n" + h.Text()
	return scaffold.WriteModule(dir, []byte(archive))
}
