package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
)

const vetHelp = `Vet compiles rulesets and prints what is wrong with them, each problem with its file, line and column. A directory is a
module with a rules.cue, of which every ruleset that it ships is compiled, the package of one ruleset in a module, or a
homebrew, which is compiled with the ruleset that it changes. Without a directory it is the one in which the command runs.

Besides errors vet prints warnings: rows that nothing reaches, keys that dice and formulas reach and no row has. With
--strict it prints notes too, such as columns that nobody reads. A ruleset and a homebrew can allow a warning or a note,
with the reason: allow: [{code: "table-unreached", at: "table weapon", why: "the book prints it"}]. What a code means,
"rules explain" says.

With --fix, names that are misspelt are written as they are meant where nothing else changes by that; a repair that needs a
decision is shown as a diff.

On a terminal, or with --excerpt, the line is shown with a mark where the problem is. The exit status is 1 when anything
is wrong.`

func newVet(s *settings) *cobra.Command {
	v := &vetting{s: s}
	c := &cobra.Command{
		Use:   "vet [DIR ...]",
		Short: "Check rulesets and print what is wrong",
		Long:  vetHelp,
		Example: `  rules vet
  rules vet tables/tempestas tables/haze
  rules vet --strict myhomebrew
  rules vet --fix myhomebrew
  rules vet --format sarif > rules.sarif
  rules vet --format json | jq -r '.[].code'`,
		Args: cobra.ArbitraryArgs,
		RunE: v.run,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	c.Flags().BoolVar(&v.excerpt, "excerpt", false, "show the line of each problem (the default on a terminal)")
	c.Flags().BoolVar(&v.strict, "strict", false, "print notes too: what is right and may not be meant")
	c.Flags().BoolVar(&v.repair, "fix", false, "write the repairs that are sure, and show the others as a diff")
	v.format.addTo(c, asSARIF)
	return c
}

// A vetting is what vet is asked.
type vetting struct {
	s       *settings
	excerpt bool
	strict  bool // notes too
	repair  bool
	patched map[string][]byte // texts of files, instead of those on the disk
	format  format
}

func (v *vetting) run(c *cobra.Command, dirs []string) error {
	if len(dirs) == 0 {
		dirs = []string{cmp.Or(v.s.dir, v.here())}
	}
	var all []diag.Diagnostic
	for _, dir := range dirs {
		diags, err := v.judge(c, dir)
		if err != nil {
			return err
		}
		all = append(all, v.heard(diags)...)
	}
	if err := v.print(c, all); err != nil || len(all) == 0 {
		return err
	}
	return errNo
}

// here is the package in the current directory or, where there is none, the module around it.
func (v *vetting) here() string {
	if !hasCUE(".") {
		return cmp.Or(v.s.module(), ".")
	}
	return "."
}

// hasCUE reports whether files of CUE stand in a directory.
func hasCUE(dir string) bool {
	names, err := fs.Glob(within(dir), "*.cue")
	return err == nil && len(names) > 0
}

// judge says what is wrong in a directory, after the repairs when they are asked for.
func (v *vetting) judge(c *cobra.Command, dir string) ([]diag.Diagnostic, error) {
	if !v.repair {
		return v.diagnose(dir)
	}
	page := v.s.page(c.ErrOrStderr())
	diags, err := v.fix(dir, page)
	return diags, errors.Join(err, page.flush(c.ErrOrStderr()))
}

// heard are the diagnostics that are printed.
func (v *vetting) heard(diags []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Note && !v.strict })
}

// diagnose compiles the module or the package in a directory.
func (v *vetting) diagnose(dir string) ([]diag.Diagnostic, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is no directory", dir)
	}
	root, below, err := moduleOf(dir)
	if err != nil {
		return nil, err
	}
	if !hasCUE(dir) {
		return nil, fmt.Errorf("%s is neither a module nor a ruleset nor a homebrew: no file in it ends in .cue", dir)
	}
	if h, err := homebrewSource(root); err == nil && below == "." {
		if id, ok := load.HomebrewOf(h); ok {
			return v.homebrew(dir, id)
		}
	}
	return under(root, diagnostics(load.Source{FS: patchedFS{within(root), root, v.patched}}, filepath.ToSlash(below))), nil
}

// homebrew are the diagnostics of a ruleset with the homebrews of --with and the one in a directory, without those that it
// has on its own, and without what of it nobody reads any more: that is what replacing and disabling is for.
func (v *vetting) homebrew(dir, ruleset string) ([]diag.Diagnostic, error) {
	s := *v.s
	s.with = append(slices.Clip(s.with), dir)
	o := compiler.Options{Analyse: true}
	s.patched = v.patched
	_, diags, err := s.overlaid(o, []string{ruleset})
	_, own := compiler.Release(s.source(), o, ruleset)
	return slices.DeleteFunc(diags, func(d diag.Diagnostic) bool {
		return d.Severity != diag.Error && (idle(s.with, &d) || slices.ContainsFunc(own, func(x diag.Diagnostic) bool { return x.String() == d.String() }))
	}), err
}

// idle reports whether a problem is that nobody reads something which stands in none of the homebrews.
func idle(homebrews []string, d *diag.Diagnostic) bool {
	return strings.HasPrefix(string(d.Code), "unused") &&
		!slices.ContainsFunc(homebrews, func(dir string) bool { return lies(d.Place.File, dir) })
}

// diagnostics are those of what a module ships, or of one of its packages.
func diagnostics(src load.Source, dir string) []diag.Diagnostic {
	if _, err := fs.Stat(src.FS, "rules.cue"); err == nil && dir == "." {
		_, diags := compiler.Release(src, compiler.Options{Analyse: true})
		return diags
	}
	_, diags := compiler.Directory(src, dir, compiler.Options{Analyse: true})
	return diags
}

// moduleOf finds the module that a directory is in: its root, and the directory from there.
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
			return "", "", fmt.Errorf("%s is in no CUE module: none of the directories above it has a cue.mod; \"rules init\" makes a module", dir)
		}
		root, below = filepath.Join(root, ".."), filepath.Join(filepath.Base(abs), below)
	}
}

func (v *vetting) print(c *cobra.Command, diags []diag.Diagnostic) error {
	out := c.OutOrStdout()
	switch v.format {
	case asJSON:
		return printJSON(out, problemsOf(diags))
	case asSARIF:
		return printJSON(out, sarifOf(diags))
	}
	page := v.s.page(out)
	for i := range diags {
		page.text(0, plain, diags[i].String())
		if v.excerpt || terminal(out) {
			page.excerpt(&diags[i])
		}
	}
	return page.flush(out)
}

// severityNames are the severities as tools call them.
var severityNames = [...]string{diag.Error: "error", diag.Warn: "warning", diag.Note: "note"}

// A problem is a diagnostic for tools.
type problem struct {
	Code     string    `json:"code"`
	Severity string    `json:"severity"`
	File     string    `json:"file"`
	Line     int       `json:"line"`
	Column   int       `json:"column"` // in code points, from 1
	Subject  string    `json:"subject,omitempty"`
	Message  string    `json:"message"`
	Repair   string    `json:"repair,omitempty"`
	Related  []related `json:"related,omitempty"`
}

type related struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func problemsOf(diags []diag.Diagnostic) []problem {
	out := []problem{}
	for i := range diags {
		d := &diags[i]
		p := problem{
			Code: string(d.Code), Severity: severityNames[d.Severity],
			File: d.Place.File, Line: d.Place.Line, Column: d.Place.Col,
			Subject: d.Subject, Message: d.Message, Repair: d.Repair,
		}
		for _, r := range d.Related {
			p.Related = append(p.Related, related{r.Place.File, r.Place.Line, r.Place.Col, r.Message})
		}
		out = append(out, p)
	}
	return out
}
