package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const testHelp = `Test plays the golden cases of rulesets, those in golden/<ruleset>, and prints those that fail; with --verbose each, with
the statements and examples that it covers. After them it prints what is left open: statements of the book that no passing
case names and evaluates, examples and tables that no case holds, branches of formulas, requirements, guards and ends that
no case takes, and what is covered though golden/<ruleset>/statements.txt does not list it.

With --cases it plays those in a directory instead, on the one ruleset that is named; with --with those in the golden of
the homebrew that comes last, of which alone is printed what no case reaches: the tables that it adds or changes, too.

Exit status: 1 when a case fails; with --complete when anything is left open, too. How a case is written, "rules help cases"
says.`

func newTest(s *settings) *cobra.Command {
	var f format
	var cases string
	var verbose, complete bool
	c := &cobra.Command{
		Use:               "test [RULESET ...]",
		Short:             "Play the golden cases",
		Long:              testHelp,
		Example:           "  rules test\n  rules test tempestas --verbose\n  rules test --complete\n  rules test tempestas --cases my/cases --format json",
		ValidArgsFunction: s.completeRulesets,
		RunE: func(c *cobra.Command, args []string) error {
			plans, err := s.testable(cases, args)
			if err != nil {
				return err
			}
			reports, unread := s.test(cases, plans)
			if err := s.printReports(c.OutOrStdout(), f, verbose, reports); err != nil {
				return err
			}
			fails := func(r *golden.Report) bool { return len(r.Failed()) > 0 || complete && !r.Complete() }
			if unread == nil && slices.ContainsFunc(reports, fails) {
				return errNo
			}
			return unread
		},
	}
	c.Flags().StringVar(&cases, "cases", "", "play the cases in `DIR`")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "print the cases that pass too")
	c.Flags().BoolVar(&complete, "complete", false, "end with status 1 when anything is left open")
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
		if n := len(s.with); n > 0 {
			reports = append(reports, golden.Test(p, list, nil).Of(p, path.Clean(filepath.ToSlash(s.with[n-1]))))
			continue
		}
		statements, err := s.statements(p.Ruleset)
		unread = append(unread, err)
		r := golden.Test(p, list, statements)
		for i := range r.Branches {
			r.Branches[i].Place = placeUnder(s.module(), r.Branches[i].Place)
		}
		reports = append(reports, r)
	}
	return reports, errors.Join(unread...)
}

// cases reads those of a directory, or else those of the homebrews, or else those of the module for a ruleset. That there
// are none is an error too.
func (s *settings) cases(dir, ruleset string) ([]*golden.Case, error) {
	files, in, called := s.golden(ruleset)
	switch {
	case dir != "":
		files, in, called = within(dir), ".", filepath.ToSlash(dir)
	case len(s.with) > 0:
		last := filepath.Join(s.with[len(s.with)-1], "golden")
		files, in, called = within(last), ".", filepath.ToSlash(last)
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
	return s.files(), dir, path.Join(filepath.ToSlash(s.module()), dir)
}
