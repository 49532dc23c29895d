package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/txtar"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/scaffold"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/dmn"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// isModelFile reports whether a file is a decision model of DMN, by its name.
func isModelFile(name string) bool { return strings.EqualFold(filepath.Ext(name), ".dmn") }

// mostBeside bounds the files beside a model among which its imports are sought.
const mostBeside = 32

// importModel prints the ruleset that a decision model becomes or, with to, writes it as a module of its own.
func (x *sheetImport) importModel(c *cobra.Command, name, to string) error {
	const why = "a decision model becomes a ruleset of its own"
	if err := usage.RefuseGiven(c, why, "as", "sheet", "add", "in-place", "dir", "with"); err != nil {
		return err
	}
	r, list, err := readModel(name)
	if err != nil {
		return err
	}
	if r != nil {
		list = x.judgeModel(r)
	}
	printProblems(c, list)
	for _, d := range list {
		if d.Severity == diag.Error {
			return exit.ErrNo
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintf(c.ErrOrStderr(), "rules: note: %s\n", note)
	}
	fmt.Fprintf(c.ErrOrStderr(), "rules: ruleset %s: %s, %s, %s\n", r.ID, plural.Of(r.Rules, "rule"),
		plural.Of(r.Functions, "function"), plural.Of(r.Tables, "table"))
	if to == "" {
		_, err := fmt.Fprint(c.OutOrStdout(), r.Text())
		return err
	}
	if err := scaffold.WriteModule(to, r.Archive()); err != nil {
		return err
	}
	fmt.Fprintf(c.ErrOrStderr(), "rules: wrote %s; \"rules eval --dir %s %s\" lists its rules\n",
		filepath.ToSlash(filepath.Join(to, r.File())), shell.Quote(to), r.ID)
	return nil
}

// readModel reads a model, and the files of its directory that it imports.
func readModel(name string) (*dmn.Ruleset, []diag.Diagnostic, error) {
	data, err := safefile.Read(name)
	if err != nil {
		return nil, nil, err
	}
	beside := func() ([]dmn.File, error) { return modelsBeside(name) }
	r, list := dmn.Import(dmn.File{Name: filepath.ToSlash(name), Data: data}, beside)
	return r, list, nil
}

// modelsBeside reads the other models in the directory of one.
func modelsBeside(name string) ([]dmn.File, error) {
	dir := filepath.Dir(name)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []dmn.File
	for _, e := range entries {
		other := filepath.Join(dir, e.Name())
		if !isModelFile(other) || e.Name() == filepath.Base(name) {
			continue
		}
		if len(out) == mostBeside {
			return nil, fmt.Errorf("beside %s lie more than %d models, among which its imports would be sought", name,
				mostBeside)
		}
		data, err := safefile.Read(other)
		if err != nil {
			return nil, err
		}
		out = append(out, dmn.File{Name: filepath.ToSlash(other), Data: data})
	}
	return out, nil
}

// judgeModel returns the problems that the compiler finds in the ruleset of a model, at the elements of the model.
func (x *sheetImport) judgeModel(r *dmn.Ruleset) []diag.Diagnostic {
	m := sandbox.Module{Held: txtar.Parse(r.Archive())}
	_, list := x.s.Compiler().Release(m, compiler.Options{Analyse: true}, r.ID)
	list = r.AtElements(list, func(at plan.Place) bool { return at.File == r.File() })
	return list
}
