package main

// # How vet finds what is wrong
//
//	directory ─ diagnose ─┬─ a homebrew: its ruleset with it, less what the ruleset has alone
//	                      ├─ a module: all that it ships
//	                      └─ a package: the one ruleset in it
//	diagnostics ─ filterNotes ─ text, JSON, SARIF
//
// With --fix, package repair takes the diagnostics one by one, makes the repair in memory and calls
// diagnose again on the patched text. A repair is written only when its own problem is gone and no
// other has come.
//
// The status is 1 as soon as one diagnostic is printed, a warning too: a build that wants to pass
// with warnings has no way to forget them.

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/repair"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/sarif"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const vetHelp = `Vet compiles rulesets and prints what is wrong with them, each problem with its file, line and
column. A directory is a module with a rules.cue, of which every ruleset that it ships is compiled,
the package of one ruleset in a module, or a homebrew, which is compiled with the ruleset that it
changes. Without a directory it is the one in which the command runs.

Besides errors vet prints warnings: rows that nothing reaches, keys that dice and formulas reach and
no row has, and what goes wrong when each rule and each procedure is tried a few times, with records
that are made up within their bounds. With --strict it prints notes too, such as columns that nobody
reads and, of modules, whole numbers without bounds. What a code means, "rules explain" says. A ruleset
and a homebrew can allow a warning or a note, with the reason:
    allow: [{code: "table-unreached", at: "table weapon", why: "the book prints it"}]

With --as, FILE is a sheet, CSV, TSV or XLSX, that is judged as that table of a ruleset; problems are
told at its cells, and nothing is written.

FILE may also be published data of the fifth edition, JSON of Open5e or the 5e-database, or DIR with
such files or the sources of Foundry's packs. Averages that they print are compared with their dice,
the damage in fields with that in texts, and what two of the three have with each other; files that
belong together are named together. With --format markdown it is a page for those who keep the data.

With --fix, names that are misspelt are written as they are meant where nothing else changes by
that; a repair that needs a decision is shown as a diff.

On a terminal, or with --excerpt, the line is shown with a mark where the problem is. The exit
status is 1 when anything is wrong.`

func newVet(s *settings) *cobra.Command {
	v := &vetting{s: s}
	c := &cobra.Command{
		Use:   "vet [DIR ...] | FILE --as RULESET.TABLE | FILE.json ...",
		Short: "Check rulesets and print what is wrong",
		Long:  vetHelp,
		Example: `  rules vet
  rules vet tables/tempestas tables/haze
  rules vet --strict myhomebrew
  rules vet --fix myhomebrew
  rules vet --format sarif > rules.sarif
  rules vet difficulty.csv --as tempestas.difficulty
  rules vet Creature.json CreatureAction.json CreatureActionAttack.json
  rules vet srd-2024 --format markdown > page.md
  rules vet --format json | jq -r '.[].code'`,
		Args: cobra.ArbitraryArgs,
		RunE: v.vetDirectories,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	for _, name := range []string{"verbose", "v"} {
		usage.AdviseInstead(c, name, "--strict tells notes too, --excerpt shows the lines")
	}
	c.Flags().BoolVar(&v.excerpt, "excerpt", false, "show the line of each problem (the default on a terminal)")
	c.Flags().BoolVar(&v.strict, "strict", false, "print notes too: what is right and may not be meant")
	c.Flags().BoolVar(&v.repair, "fix", false, "write the repairs that are sure, and show the others as a diff")
	v.format.AddTo(c, usage.AsSARIF, usage.AsMarkdown)
	v.sheet.addTo(c)
	return c
}

// A vetting is what vet is asked.
//
// patched is set while a repair is tried: the same diagnosis then sees the text as it would be, and
// nothing on the disk has changed.
type vetting struct {
	s       *settings
	excerpt bool
	strict  bool // notes too
	repair  bool
	patched map[string][]byte // texts of files, instead of those on the disk
	format  usage.Format
	sheet   sheetImport // that is judged as a table, when a file is named
}

// vetDirectories prints the problems of all named directories. Every one is checked before the status is decided, so
// that a build shows all problems at once.
func (v *vetting) vetDirectories(c *cobra.Command, dirs []string) error {
	if v.sheet.as != "" {
		return v.vetSheets(c, dirs)
	}
	if v.sheet.sheet != "" {
		return errors.New("a sheet is judged as a table: --as RULESET.TABLE")
	}
	if data, others, err := readOpenData(dirs); data != nil || err != nil {
		if err == nil {
			err = usage.RefuseGiven(c, "published data are compared with themselves alone", "fix", "strict", "dir", "with")
		}
		if err != nil {
			return err
		}
		return v.vetData(c, data, others)
	}
	if v.format == usage.AsMarkdown {
		return errors.New("--format markdown is the page about published data: text, json or sarif say what is wrong " +
			"with rulesets")
	}
	if len(dirs) > 0 {
		if err := usage.RefuseGiven(c, "DIR says what is checked", "dir"); err != nil && !v.hasHomebrew(dirs) {
			return err
		}
	}
	if len(dirs) == 0 {
		dirs = []string{cmp.Or(v.s.Dir, v.currentDirectory())}
	}
	if len(v.s.Dir) > 0 && dirs[0] != v.s.Dir {
		if err := v.s.CheckDir(); err != nil {
			return err
		}
	}
	var all []diag.Diagnostic
	for _, dir := range dirs {
		diags, err := v.vetDirectory(c, dir)
		if err != nil {
			return err
		}
		all = append(all, v.filterNotes(diags)...)
	}
	if err := v.printDiagnostics(c, all); err != nil || len(all) == 0 {
		return err
	}
	return exit.ErrNo
}

// vetSheets prints the problems of sheets as a table of a ruleset. It writes nothing.
func (v *vetting) vetSheets(c *cobra.Command, files []string) error {
	v.sheet.s = v.s
	in := &argdata.Files{In: c.InOrStdin()}
	var all []diag.Diagnostic
	for _, file := range files {
		p, g, err := v.sheet.read(in, file)
		if err != nil {
			return err
		}
		_, diags, err := v.sheet.judge(p, g, "sheet")
		if err != nil {
			return err
		}
		all = append(all, v.filterNotes(diags)...)
	}
	if err := v.printDiagnostics(c, all); err != nil || len(all) == 0 {
		return err
	}
	return exit.ErrNo
}

// hasHomebrew reports whether one of the directories is a homebrew: for such, --dir says where its
// ruleset is.
func (v *vetting) hasHomebrew(dirs []string) bool {
	return slices.ContainsFunc(dirs, v.s.IsHomebrew)
}

// currentDirectory returns the package in the current directory or, where there is none, the module
// around it.
func (v *vetting) currentDirectory() string {
	if !hasCUE(".") {
		return cmp.Or(v.s.ModuleDir(), ".")
	}
	return "."
}

// hasCUE reports whether files of CUE stand in a directory.
func hasCUE(dir string) bool {
	names, err := fs.Glob(workspace.OpenDir(dir), "*.cue")
	return err == nil && len(names) > 0
}

// vetDirectory returns the diagnostics of a directory, after the repairs when they are asked for. Repairs are shown on
// standard error, so that JSON and SARIF stay whole.
func (v *vetting) vetDirectory(c *cobra.Command, dir string) ([]diag.Diagnostic, error) {
	if !v.repair {
		return v.diagnose(dir)
	}
	page := v.s.newPage(c.ErrOrStderr())
	r := repair.Repairer{Dir: dir, Page: page, Diagnose: func(patched map[string][]byte) ([]diag.Diagnostic, error) {
		v.patched = patched
		defer func() { v.patched = nil }()
		return v.diagnose(dir)
	}}
	diags, err := r.RepairAll()
	return diags, errors.Join(err, page.Flush(c.ErrOrStderr()))
}

// filterNotes returns the diagnostics that are printed: notes only under --strict. They are no part
// of the status either.
func (v *vetting) filterNotes(diags []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Note && !v.strict })
}

// diagnose compiles the module or the package in a directory.
//
// The files decide which of these the directory is, and not its name: a cue.mod at its root with a homebrew's fields
// makes it a homebrew, a rules.cue makes it a module of rulesets, anything else is a package within a module.
func (v *vetting) diagnose(dir string) ([]diag.Diagnostic, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		meant := filepath.Join(cmp.Or(v.s.Dir, v.currentDirectory()), "tables", dir) // the name of a ruleset
		if _, err := os.Stat(meant); err == nil {
			return nil, fmt.Errorf("there is no directory %s; did you mean %s", dir, meant)
		}
		return nil, fmt.Errorf("there is no directory %s", dir)
	case err != nil:
		return nil, err
	case !info.IsDir():
		switch filepath.Ext(dir) {
		case ".json":
			return nil, fmt.Errorf("%s is no directory: rules check %[1]s judges characters", dir)
		case ".txtar":
			return nil, fmt.Errorf("%s is no directory: rules test plays cases", dir)
		case ".csv", ".tsv", ".xlsx", ".ods":
			return nil, fmt.Errorf("%s is no directory: a sheet is judged as a table: --as RULESET.TABLE", dir)
		}
		return nil, fmt.Errorf("%s is no directory: a package is checked whole, rules vet %s", dir,
			filepath.ToSlash(filepath.Dir(dir)))
	}
	root, below, err := moduleOf(dir)
	if err != nil {
		return nil, err
	}
	if !hasCUE(dir) {
		if below, err := filepath.Glob(filepath.Join(dir, "tables", "*", "*.cue")); err == nil && len(below) > 0 {
			return nil, fmt.Errorf("%s has no rules.cue, which says what a module releases: write it as \"rules init\" does, "+
				"or check a ruleset by itself: rules vet %s", dir, filepath.ToSlash(filepath.Dir(below[0])))
		}
		return nil, fmt.Errorf("%s is neither a module nor a ruleset nor a homebrew: no file in it ends in .cue", dir)
	}
	if h, err := workspace.HomebrewModule(root); err == nil && below == "." {
		id, ok, diags := v.s.Compiler().HomebrewOf(h)
		if len(diags) > 0 {
			return diags, nil
		}
		if ok {
			return v.diagnoseHomebrew(dir, id)
		}
	}
	if len(v.s.With) > 0 {
		return nil, fmt.Errorf("--with changes nothing here: %s is no homebrew; \"rules vet %s\" checks the homebrew",
			dir, v.s.With[0])
	}
	return workspace.PlacesUnder(root, v.compileModule(root, filepath.ToSlash(below))), nil
}

// diagnoseHomebrew returns the diagnostics of a ruleset with the homebrews of --with and the one in a directory. It
// leaves out those that the ruleset has on its own, and notes on definitions that are no longer read, because replacing
// and disabling are for that.
//
// The ruleset is compiled alone as well, to know the earlier diagnostics, unless it ships and they are in the cache.
// Compiling twice is the price of showing authors only problems of their own.
func (v *vetting) diagnoseHomebrew(dir, ruleset string) ([]diag.Diagnostic, error) {
	s := *v.s
	s.With = append(slices.Clip(s.With), dir)
	o := compiler.Options{Analyse: true}
	s.Patched = v.patched
	_, diags, err := s.CompileOverlaid(o, []string{ruleset})
	own := s.Compiler().Problems(s.NamedModule(), o, ruleset)
	return workspace.OwnProblems(diags, own, func(at plan.Place) bool { return isInHomebrews(s.With, at) }), err
}

// options are those of a compilation for authors.
func (v *vetting) options() compiler.Options {
	return compiler.Options{Analyse: true, Bounds: v.strict}
}

// isInHomebrews reports whether a place is in one of the homebrews.
func isInHomebrews(homebrews []string, at plan.Place) bool {
	return slices.ContainsFunc(homebrews, func(dir string) bool {
		_, err := os.Stat(at.File) // the names of a shipped ruleset's files lie below "." too
		return err == nil && repair.LiesIn(at.File, dir)
	})
}

// compileModule returns the diagnostics of a module's shipped rulesets, or of one of its packages. Options.Analyse adds
// checks that are slow and only for authors: gaps, unreachable rows, dead branches.
func (v *vetting) compileModule(root, dir string) []diag.Diagnostic {
	m := sandbox.Module{Dir: root, Patched: workspace.Below(root, v.patched)}
	if _, err := fs.Stat(workspace.OpenDir(root), "rules.cue"); err == nil && dir == "." {
		_, diags := v.s.Compiler().Release(m, v.options())
		return diags
	}
	_, diags := v.s.Compiler().Directory(m, dir, v.options())
	return diags
}

// moduleOf finds the module that a directory is in: its root, and the directory from there.
//
// The root is found by adding "..", so that places in messages are paths from here that can be
// clicked.
func moduleOf(dir string) (root, below string, err error) {
	root, below = filepath.Clean(dir), "."
	for {
		if _, err := os.Stat(filepath.Join(root, "cue.mod")); err == nil {
			return root, below, nil
		}
		abs, err := filepath.Abs(root)
		if err != nil {
			return "", "", err
		}
		if filepath.Dir(abs) == abs {
			return "", "", fmt.Errorf(
				"%s is in no CUE module: none of the directories above it has a cue.mod; \"rules init\" makes a "+
					"module with one, and that of files that are there is a file cue.mod/module.cue, module: "+
					"\"example.com/game\"", dir)
		}
		root, below = filepath.Join(root, ".."), filepath.Join(filepath.Base(abs), below)
	}
}

// printDiagnostics prints the diagnostics. An excerpt of the source is for people at a terminal; a log that is searched
// by line keeps one line for each problem.
func (v *vetting) printDiagnostics(c *cobra.Command, diags []diag.Diagnostic) error {
	out := c.OutOrStdout()
	switch v.format {
	case usage.AsJSON:
		return jsontext.PrintJSON(out, present.ProblemsOf(diags))
	case usage.AsSARIF:
		return jsontext.PrintJSON(out, sarif.SarifOf(diags, programVersion()))
	}
	page := v.s.newPage(out)
	for i := range diags {
		page.AddText(0, layout.Plain, diags[i].String())
		if v.excerpt || layout.IsTerminal(out) {
			present.PrintExcerpt(page, &diags[i])
		}
	}
	return page.Flush(out)
}
