package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/scorecard"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden/mutants"
)

const mutantsHelp = `With --mutants it measures how well the cases hold the ruleset: it changes one number, comparison,
operator, rounding, die, arm or row of it at a time, plays the cases on each changed ruleset, and
prints how many of them a case noticed, by kind, and what no case noticed. A change that alters no
answer counts as equivalent; one that no longer compiles is noticed, too. survivors.txt beside the
cases excuses what no case can notice, in lines "what | was -> now | reason"; a line that nothing needs
any more is told. A result of all changes is kept, and "rules show" tells it. --sample N --seed S plays
some, --at those of a file, a line or a definition, --without-tables leaves out the cases that only
repeat a table. The exit status is 1 when a change survives without an excuse, or an excuse is stale.`

// mutantFlags say which mutants are played.
type mutantFlags struct {
	on            bool
	withoutTables bool
	options       mutants.Options
}

func (m *mutantFlags) addTo(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&m.on, "mutants", false, "measure what the cases notice when the ruleset is changed")
	flags.IntVar(&m.options.Sample, "sample", 0, "play `N` mutants of each ruleset, drawn at random")
	flags.Uint64Var(&m.options.Seed, "seed", 0, "draw the sample from the seed `S`")
	flags.StringVar(&m.options.At, "at", "",
		"play the mutants at `PLACE`: a file, file:line, or a definition such as \"rule test\"")
	flags.BoolVar(&m.withoutTables, "without-tables", false, "leave out the cases that repeat a table of the book")
	// Without --mutants these would be ignored, and --seed would look as if cases drew faces.
	for _, name := range []string{"sample", "seed", "at", "without-tables"} {
		usage.MarkNeeds(c, name, "mutants")
	}
	c.MarkFlagsMutuallyExclusive("mutants", "complete")
}

// run plays the mutants of the rulesets that are named, or of all.
//
// Trust is asked for because thousands of changed rulesets are compiled in this process, without
// the bounds of the sandbox, which would start a worker for each.
func (m *mutantFlags) run(s *settings, c *cobra.Command, f usage.Format, verbose bool, cases string, names []string) error {
	if m.options.Sample < 0 {
		return fmt.Errorf("--sample %d: it is 0 for all, or more", m.options.Sample)
	}
	if len(s.With) > 0 {
		return errors.New("--mutants: homebrews are not changed; leave out --with")
	}
	if err := s.CheckTrust(); err != nil {
		return err
	}
	if len(names) == 0 {
		names = s.RulesetIDs()
	}
	var reports []*mutants.Report
	for _, name := range names {
		r, err := m.play(s, cases, name, c.ErrOrStderr())
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	if err := printMutants(s, c.OutOrStdout(), f, verbose, reports); err != nil {
		return err
	}
	for _, r := range reports {
		if len(r.Survivors())+len(r.Stale) > 0 {
			return exit.ErrNo
		}
	}
	return nil
}

// play plays the mutants of one ruleset, and tells a person who waits how far it has come.
//
// The digest of the sources is taken before the mutants are played: a file that is saved meanwhile
// makes the kept score stale at once, as it should.
func (m *mutantFlags) play(s *settings, cases, ruleset string, progress io.Writer) (*mutants.Report, error) {
	list, err := loadCases(s, cases, ruleset)
	if err != nil {
		return nil, err
	}
	excuses, err := mutants.LoadExcuses(excuseDirectory(s, cases, ruleset))
	if err != nil {
		return nil, err
	}
	o := m.options
	o.Excuses = excuses
	o.Tables = !m.withoutTables
	line := layout.NewLiveLine(progress)
	defer line.Clear()
	o.Progress = func(done, total int) { line.Show("%s: %d of %d mutants", ruleset, done, total) }
	shelf := scoreShelf(s)
	before := shelf.Digest(ruleset)
	r, err := mutants.Run(load.Source{FS: s.Files()}, ruleset, list, o)
	if err != nil {
		return nil, err
	}
	for i := range r.Verdicts {
		r.Verdicts[i].Place = workspace.PlaceUnder(s.ModuleDir(), r.Verdicts[i].Place)
	}
	// Only a whole measurement with the module's own cases says anything about the ruleset; a
	// sample would replace a score by a guess.
	if r.Whole && cases == "" {
		keepScore(shelf, before, r)
	}
	return r, nil
}

// scoreShelf is where the scores of a module's rulesets are kept.
func scoreShelf(s *settings) scorecard.Shelf {
	return scorecard.Shelf{Cache: cache.UserCache(), Dir: s.ModuleDir(), Files: s.Files()}
}

// keepScore stores a whole report on a ruleset; before is the digest of its sources before the report was made. A
// report that cannot be stored is not missed: it was printed.
func keepScore(shelf scorecard.Shelf, before string, r *mutants.Report) {
	var report bytes.Buffer
	if jsontext.PrintJSON(&report, present.MutantsJSON([]*mutants.Report{r})) != nil {
		return
	}
	all := r.Score("")
	shelf.Keep(scorecard.Card{
		Ruleset: r.Ruleset, Measured: time.Now().UTC().Truncate(time.Second), MadeFrom: before, Mutants: all.Total(),
		Noticed: all.Noticed + all.Refused, Excused: all.Excused, Survived: all.Survived, Report: report.Bytes(),
	})
}

// excuseDirectory returns where the cases lie, and their excuses (survivors.txt) beside them.
func excuseDirectory(s *settings, cases, ruleset string) (files fs.FS, dir, called string) {
	if cases != "" {
		return workspace.OpenDir(cases), ".", filepath.ToSlash(cases)
	}
	return goldenDirectory(s, ruleset)
}

func printMutants(s *settings, w io.Writer, f usage.Format, verbose bool, reports []*mutants.Report) error {
	if f == usage.AsJSON {
		return jsontext.PrintJSON(w, present.MutantsJSON(reports))
	}
	p := s.newPage(w)
	for _, r := range reports {
		present.PrintMutants(p, r, verbose)
	}
	return p.Flush(w)
}
