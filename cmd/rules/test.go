package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const testHelp = `Test plays the golden cases of rulesets, those in golden/<ruleset>, and prints each with the statements and examples that
it covers, passed or failed. After them it prints what no case reaches: statements of the book that no passing case names
and evaluates, tables that no case holds, and branches of formulas, requirements, guards and ends that no case takes.

With --cases it plays those in a directory instead, on the one ruleset that is named. The exit status is 1 when a case
fails.`

func newTest(s *settings) *cobra.Command {
	var f format
	var cases string
	c := &cobra.Command{
		Use:               "test [RULESET ...]",
		Short:             "Play the golden cases",
		Long:              testHelp,
		Example:           "  rules test tempestas\n  rules test tempestas --cases my/cases --format json",
		ValidArgsFunction: s.completeNames(nil),
		RunE: func(c *cobra.Command, args []string) error {
			plans, err := s.testable(cases, args)
			if err != nil {
				return err
			}
			reports, unread := s.test(cases, plans)
			if err := s.printReports(c.OutOrStdout(), f, reports); err != nil {
				return err
			}
			if unread == nil && slices.ContainsFunc(reports, failed) {
				return errNo
			}
			return unread
		},
	}
	c.Flags().StringVar(&cases, "cases", "", "play the cases in `DIR`")
	f.addTo(c)
	return c
}

// testable compiles the rulesets that are named, or all, for coverage.
func (s *settings) testable(cases string, names []string) ([]*plan.Plan, error) {
	plans, err := s.release(compiler.Options{Cover: true}, names...)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !slices.ContainsFunc(plans, func(p *plan.Plan) bool { return p.Ruleset == name }) {
			return nil, s.unknown(name)
		}
	}
	if cases != "" && len(plans) != 1 {
		return nil, errors.New("--cases plays cases of one ruleset: name it")
	}
	return plans, nil
}

// test plays the cases of rulesets. Those that cannot be read are the error; the others are played all the same.
func (s *settings) test(cases string, plans []*plan.Plan) ([]*golden.Report, error) {
	var reports []*golden.Report
	var unread []error
	for _, p := range plans {
		list, err := s.cases(cases, p.Ruleset)
		unread = append(unread, err)
		statements, err := s.statements(p.Ruleset)
		unread = append(unread, err)
		reports = append(reports, golden.Test(p, list, statements))
	}
	return reports, errors.Join(unread...)
}

// cases reads those of a directory, or else those of the module for a ruleset. That there are none is an error too.
func (s *settings) cases(dir, ruleset string) ([]*golden.Case, error) {
	files, in, called := s.golden(ruleset)
	if dir != "" {
		files, in, called = os.DirFS(dir), ".", filepath.ToSlash(dir)
	}
	list, err := golden.Load(files, in, called)
	if err == nil && len(list) == 0 {
		return nil, fmt.Errorf("%s: there are no cases", called)
	}
	return list, err
}

// statements are those of the ruleset's list, nil when there is none.
func (s *settings) statements(ruleset string) ([]golden.Statement, error) {
	list, err := golden.LoadStatements(s.golden(ruleset))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

// golden is where the module holds a ruleset, and how the user finds that directory.
func (s *settings) golden(ruleset string) (files fs.FS, dir, called string) {
	dir = path.Join("golden", ruleset)
	return s.files(), dir, path.Join(filepath.ToSlash(s.dir), dir)
}

func failed(r *golden.Report) bool { return len(r.Failed()) > 0 }

func (s *settings) printReports(w io.Writer, f format, reports []*golden.Report) error {
	if f == asJSON {
		return printJSON(w, reportsJSON(reports))
	}
	p := s.page(w)
	for _, r := range reports {
		p.report(r)
	}
	return p.flush(w)
}

// report adds the cases of a ruleset, then what they leave open.
func (p *page) report(r *golden.Report) {
	p.blank()
	p.line(0, "%s", p.in(bold, r.Ruleset))
	for _, x := range r.Results {
		p.result(x)
	}
	p.open("statements that no passing case shows", r.Statements)
	p.open("tables that no passing case holds", r.Tables)
	p.open("branches that no case takes", untaken(r))
	bad := len(r.Failed())
	p.line(2, "%d cases passed, %d failed; %d of %d branches taken", len(r.Results)-bad, bad, r.Taken(), len(r.Branches))
}

func (p *page) result(x *golden.Result) {
	verdict := p.in(faint, "ok  ")
	if !x.Passed() {
		verdict = p.in(red, "FAIL")
	}
	p.line(2, "%s  %s  %s", verdict, x.Case.Name, p.in(faint, strings.Join(x.Case.Covers, " ")))
	for _, problem := range x.Problems {
		p.text(8, plain, x.Case.File+": "+problem)
	}
}

// open adds what cases leave open, unless it is nothing.
func (p *page) open(heading string, list []string) {
	if len(list) == 0 {
		return
	}
	p.line(2, "%s", p.in(bold, heading))
	for _, x := range list {
		p.line(4, "%s", x)
	}
}

func untaken(r *golden.Report) []string {
	var out []string
	for _, b := range openBranches(r) {
		out = append(out, diag.PlaceString(b.Place)+": "+b.Name+": "+b.What)
	}
	return out
}

func openBranches(r *golden.Report) []runtime.Taken {
	var out []runtime.Taken
	for _, b := range r.Branches {
		if b.Times == 0 {
			out = append(out, b)
		}
	}
	return out
}

// A reportJSON is a report for tools.
type reportJSON struct {
	Ruleset    string       `json:"ruleset"`
	Cases      []caseJSON   `json:"cases"`
	Statements []string     `json:"statements"` // that no passing case shows
	Tables     []string     `json:"tables"`     // that no passing case holds
	Branches   []branchJSON `json:"branches"`   // that no case takes
	Taken      int          `json:"taken"`      // how many branches cases take
}

type caseJSON struct {
	Name     string   `json:"name"`
	File     string   `json:"file"`
	Covers   []string `json:"covers"`
	Passed   bool     `json:"passed"`
	Problems []string `json:"problems"`
}

type branchJSON struct {
	Place string `json:"place"`
	Name  string `json:"name"`
	What  string `json:"what"`
}

func reportsJSON(reports []*golden.Report) []reportJSON {
	out := make([]reportJSON, len(reports))
	for i, r := range reports {
		x := reportJSON{Ruleset: r.Ruleset, Cases: []caseJSON{}, Statements: listed(r.Statements), Tables: listed(r.Tables), Branches: []branchJSON{}, Taken: r.Taken()}
		for _, c := range r.Results {
			x.Cases = append(x.Cases, caseJSON{c.Case.Name, c.Case.File, listed(c.Case.Covers), c.Passed(), listed(c.Problems)})
		}
		for _, b := range openBranches(r) {
			x.Branches = append(x.Branches, branchJSON{diag.PlaceString(b.Place), b.Name, b.What})
		}
		out[i] = x
	}
	return out
}

// listed is a list that JSON shows as [] when it is empty.
func listed(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
