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

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/release"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const testHelp = `Test plays the golden cases of rulesets, those in golden/<ruleset>, and prints those that fail; with
--verbose each, with the statements and examples that it covers. Once all pass, it prints after them
what is left open, the first of each kind, or with --complete or --verbose all: statements of the book
that no passing case names and evaluates, examples and tables that no case holds, branches of formulas,
requirements, guards and ends that no case takes, and what is covered though
golden/<ruleset>/statements.txt does not list it.

A case that "rules eval --case" wrote is marked recorded: it covers nothing, and tells when an answer
changes. After a change that is meant, --accept writes the new answers into the recorded cases, and shows
what was wanted and what is answered; the others stay as they are.

With --plan it plays the cases that a release holds on what the release says, without its module.

With --cases it plays those in a directory instead, on the one ruleset that is named; with --with
those in the golden of the homebrew that comes last, of which alone is printed what no case reaches:
the tables that it adds or changes, too.

` + mutantsHelp + `

Exit status: 1 when a case fails; with --complete when anything is left open, too. How a case is
written, "rules help cases" says.`

func newTest(s *settings) *cobra.Command {
	var f usage.Format
	var cases string
	var verbose, complete, accept bool
	var m mutantFlags
	var from planFlag
	c := &cobra.Command{
		Use:   "test [RULESET ...]",
		Short: "Play the golden cases",
		Long:  testHelp,
		Example: "  rules test\n  rules test tempestas --verbose\n  rules test --complete\n" +
			"  rules test tempestas --mutants --sample 20\n  rules test tempestas --cases my/cases --format json",
		ValidArgsFunction: completion.CompleteRulesets(&s.Workspace),
		RunE: func(c *cobra.Command, args []string) error {
			// Mutants are another question with the same arguments; everything below is about
			// playing cases once.
			if m.on {
				return m.run(s, c, f, verbose, cases, args)
			}
			if from.file != "" {
				from.options.Cover = true // plans without homebrews are as they are
				return testReleases(s, c, f, &from, verbose, args)
			}
			plans, err := compileForCoverage(s, cases, args)
			if err != nil {
				return err
			}
			reports, unread := playCases(s, cases, plans)
			if cases == "" && len(args) == 0 {
				unread = errors.Join(unread, findStrayCases(s, plans))
			}
			if accept && unread == nil {
				page := s.newPage(c.OutOrStdout())
				// What was accepted is shown before other failures are told, which stay for a run
				// without --accept.
				fails, err := acceptAnswers(page, reports)
				if err := errors.Join(err, page.Flush(c.OutOrStdout())); err != nil {
					return err
				}
				if fails {
					return &exit.Denial{Why: "cases that are not recorded fail too; rules test shows them"}
				}
				return nil
			}
			if err := printReports(s, c.OutOrStdout(), f, verbose, complete, reports); err != nil {
				return err
			}
			fails := func(r *golden.Report) bool { return len(r.Failed()) > 0 || complete && !r.Complete() }
			if unread == nil && slices.ContainsFunc(reports, fails) {
				return exit.ErrNo
			}
			return unread
		},
	}
	c.Flags().StringVar(&cases, "cases", "", "play the cases in `DIR`")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "print the cases that pass too")
	c.Flags().BoolVar(&complete, "complete", false, "end with status 1 when anything is left open")
	c.Flags().BoolVar(&accept, "accept", false,
		"write what recorded cases want anew, after a change that is meant, and show what changes")
	m.addTo(c)
	f.AddTo(c)
	from.addTo(c)
	usage.AdviseInstead(c, "case", "all cases of a ruleset are played, or with --cases those of a directory")
	for _, flag := range []string{"cases", "complete", "mutants", "accept"} {
		c.MarkFlagsMutuallyExclusive("plan", flag)
	}
	return c
}

// testReleases plays the cases in releases on their plans; with homebrews, it plays those of the last homebrew instead.
// Releases do not count branches.
//
// Homebrews bring cases of their own. Those of the release would mostly fail, as they should: the homebrew changes the
// rules that they state.
func testReleases(s *settings, c *cobra.Command, f usage.Format, from *planFlag, verbose bool, names []string) error {
	list, err := from.readNamed(s, c, names...)
	if err != nil {
		return err
	}
	if len(s.With) > 0 {
		reports, unread := playCases(s, "", plansOf(list))
		if err := reportCases(s, c, f, verbose, reports); unread == nil || !errors.Is(err, exit.ErrNo) {
			return errors.Join(err, unread)
		}
		return unread // joined with a "no" it would not be printed
	}
	var reports []*golden.Report
	for _, r := range list {
		cases, err := release.ParseCases(r)
		if err != nil {
			return err
		}
		if len(cases) == 0 {
			return fmt.Errorf("%s: there are no cases: a plan that \"rules build\" writes has none",
				argdata.FileName(from.file))
		}
		reports = append(reports, golden.Test(r.Plan, cases, nil))
	}
	return reportCases(s, c, f, verbose, reports)
}

// reportCases prints reports; cases that fail are the answer no.
func reportCases(s *settings, c *cobra.Command, f usage.Format, verbose bool, reports []*golden.Report) error {
	if err := printReports(s, c.OutOrStdout(), f, verbose, false, reports); err != nil {
		return err
	}
	if slices.ContainsFunc(reports, func(r *golden.Report) bool { return len(r.Failed()) > 0 }) {
		return exit.ErrNo
	}
	return nil
}

// compileForCoverage compiles the rulesets that are named, or all, for coverage.
//
// With Cover every branch of the author's formulas gets a counter in the graph, and is reached only
// where the formula around it is needed. Plans that are served or released have none.
func compileForCoverage(s *settings, cases string, names []string) ([]*plan.Plan, error) {
	plans, err := s.CompileWith(compiler.Options{Cover: true, Functions: true}, names...)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !slices.ContainsFunc(plans, func(p *plan.Plan) bool { return p.Ruleset == name }) {
			return nil, unknownSubject(s, name)
		}
	}
	if cases != "" && len(plans) != 1 {
		return nil, errors.New("--cases plays cases of one ruleset: name it")
	}
	return plans, nil
}

// unknownSubject returns the error of a word that is no ruleset: mostly a file or a directory of one.
func unknownSubject(s *settings, name string) error {
	path := filepath.ToSlash(name)
	info, err := os.Stat(name)
	if err != nil && !strings.Contains(path, "/") && filepath.Ext(path) == "" {
		if ruleset := s.RulesetWith(name); ruleset != "" {
			return fmt.Errorf("there is no ruleset %q, but %s has it: all cases of a ruleset are played, rules test %[2]s",
				name, ruleset)
		}
		if found, _ := filepath.Glob(filepath.Join(s.ModuleDir(), "golden", "*", name+".txtar")); len(found) > 0 {
			return fmt.Errorf("there is no ruleset %q, but %s has cases of that name: all cases of a ruleset are played, "+
				"rules test %[2]s", name, filepath.Base(filepath.Dir(found[0])))
		}
		return s.UnknownRuleset(name)
	}
	what := "file"
	if err == nil && info.IsDir() {
		what = "directory"
	}
	for _, id := range s.RulesetIDs() {
		if strings.Contains("/"+path+"/", "/"+id+"/") {
			return fmt.Errorf("%s is a %s, and no ruleset: all cases of a ruleset are played, rules test %s", name,
				what, id)
		}
	}
	if what == "directory" && s.IsHomebrew(name) {
		return fmt.Errorf("%s is a homebrew, and no ruleset: write --with %[1]s", name)
	}
	if what == "directory" {
		return fmt.Errorf("%s is a directory, and no ruleset: without it all of the module around this directory is "+
			"played; another module is --dir DIR, and cases that stand elsewhere are --cases DIR", name)
	}
	return fmt.Errorf("%s is a file, and no ruleset: all cases of a ruleset are played, or with --cases those of a "+
		"directory", name)
}

// playCases plays the cases of rulesets. A case that cannot be read does not hide how the others
// go: it becomes part of the error, which is printed after the reports. A ruleset of which no case can be read has no
// report.
func playCases(s *settings, cases string, plans []*plan.Plan) ([]*golden.Report, error) {
	var reports []*golden.Report
	var unread []error
	for _, p := range plans {
		list, err := loadCases(s, cases, p.Ruleset)
		if err != nil {
			// What cases leave open cannot be told of cases that are not read: a list of it all would hide the error.
			unread = append(unread, err)
			if len(list) > 0 {
				reports = append(reports, golden.Test(p, list, nil).WithUnread(countErrors(err)))
			}
			continue
		}
		if n := len(s.With); n > 0 {
			// Coverage is asked of what the homebrew changes. The ruleset's own branches are for
			// its own cases.
			reports = append(reports, golden.Test(p, list, nil).Of(p, filesOf(s.With[n-1])))
			continue
		}
		statements, err := loadStatements(s, p.Ruleset)
		unread = append(unread, err)
		r := golden.Test(p, list, statements)
		for i := range r.Branches {
			r.Branches[i].Place = workspace.PlaceUnder(s.ModuleDir(), r.Branches[i].Place)
		}
		reports = append(reports, r)
	}
	return reports, errors.Join(unread...)
}

// countErrors returns how many errors are joined in one.
func countErrors(err error) int {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return len(joined.Unwrap())
	}
	return 1
}

// filesOf returns whether a place's file is one of a homebrew in a directory. Files of the current directory have no
// directory in their names: one that is not there is of the ruleset.
func filesOf(homebrew string) func(file string) bool {
	dir := path.Clean(filepath.ToSlash(homebrew))
	if dir != "." {
		return func(file string) bool { return strings.HasPrefix(file, dir+"/") }
	}
	return func(file string) bool {
		_, err := fs.Stat(workspace.OpenDir(homebrew), file)
		return err == nil
	}
}

// loadCases returns the cases of a directory, or else those of the last homebrew, or else those of
// the module for a ruleset. That there are none is an error too: a test that plays nothing must not
// pass.
func loadCases(s *settings, dir, ruleset string) ([]*golden.Case, error) {
	files, in, called := goldenDirectory(s, ruleset)
	switch {
	case dir != "":
		files, in, called = workspace.OpenDir(dir), ".", filepath.ToSlash(dir)
	case len(s.With) > 0:
		last := filepath.Join(s.With[len(s.With)-1], "golden")
		files, in, called = workspace.OpenDir(last), ".", filepath.ToSlash(last)
	}
	list, err := golden.Load(files, in, called)
	if err == nil && len(list) == 0 {
		return nil, fmt.Errorf("%s: there are no cases", called)
	}
	return list, err
}

// loadStatements returns the statements of the ruleset's list, nil when there is none: then nothing
// is left open.
func loadStatements(s *settings, ruleset string) ([]golden.Statement, error) {
	list, err := golden.LoadStatements(goldenDirectory(s, ruleset))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

// goldenDirectory returns where the module holds the cases of a ruleset, and how the user finds
// that directory.
func goldenDirectory(s *settings, ruleset string) (files fs.FS, dir, called string) {
	dir = path.Join("golden", ruleset)
	return s.Files(), dir, path.Join(filepath.ToSlash(s.ModuleDir()), dir)
}

// printReports prints the reports; verbose adds the cases that pass.
func printReports(s *settings, w io.Writer, f usage.Format, verbose, allGaps bool, reports []*golden.Report) error {
	if f == usage.AsJSON {
		return jsontext.PrintJSON(w, present.ReportsJSON(reports))
	}
	p := s.newPage(w)
	for _, r := range reports {
		present.PrintReport(p, r, verbose, allGaps)
	}
	return p.Flush(w)
}
