package main

import (
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/scorecard"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/rulebook"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const showHelp = `Show prints a ruleset as a book to read: chapters in the order in which the book has them, each
definition with a sentence, tables row by row, and beside them the options, the readings (rulings
without a switch) and the errata (contradictions of the book) about them, and a worked example.
--formulas adds the formulas. Last comes what "rules test --mutants" found, when it has measured the
ruleset, and whether something has changed since.

With a name it prints what has that name: a definition, a reading or an erratum; a procedure with its
events, an event as "procedure.event"; a chapter by its file; or what carries out a statement of the
book, "tempestas.test.roll".`

func newShow(s *settings) *cobra.Command {
	var f usage.Format
	var from planFlag
	var formulas bool
	c := &cobra.Command{
		Use:   "show RULESET [CHAPTER|DEFINITION|STATEMENT]",
		Short: "Print a ruleset, a chapter or a definition for reading",
		Long:  showHelp,
		Example: `  rules show tempestas
  rules show tempestas difficulty
  rules show tempestas test --formulas
  rules show tempestas heroic_band --format json
  rules show --plan tempestas-0.2.0.rules test`,
		Args: leaveKindOut(from.argCount(1, 2)),
		RunE: func(c *cobra.Command, args []string) error { return printShow(s, c, f, &from, args, formulas) },
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, func(p *plan.Plan) []string {
			return rulebook.New(p, nil).Names()
		}),
	}
	c.Flags().BoolVar(&formulas, "formulas", false, "print the formulas, in CEL")
	f.AddTo(c)
	from.addTo(c)
	return c
}

// A shownBook is a book, or some of its definitions, for tools.
//
// Its Definitions hide those of the embedded Shown: the chosen ones are written, in the same place
// of the JSON, whether a whole book is shown or one rule.
type shownBook struct {
	*describe.Shown
	Definitions []*rulebook.Definition `json:"definitions"`
	Measured    *shownScore            `json:"measured,omitempty"`
}

// A shownScore is what "rules test --mutants" found last, without each mutant.
type shownScore struct {
	*scorecard.Card
	Stale  bool `json:"stale"` // the ruleset or its cases have changed since
	Report any  `json:"report,omitempty"`
}

// lastScore returns the last measurement of a ruleset of the module, nil when there is none.
func lastScore(s *settings, ruleset string) *shownScore {
	card, stale := scoreShelf(s).Last(ruleset)
	if card == nil {
		return nil
	}
	return &shownScore{Card: card, Stale: stale}
}

// printShow prints a ruleset, a chapter or a definition.
//
// A plan without its sources has no list of statements and no cases, so chapters come in the
// author's order and no example stands beside a rule. Everything else is in the plan.
func printShow(s *settings, c *cobra.Command, f usage.Format, from *planFlag, args []string, formulas bool) error {
	var p *plan.Plan
	var files fs.FS // a plan alone has no list of statements and no cases
	var err error
	if from.file != "" {
		p, args, err = from.readOne(s, c, args)
	} else if p, err = s.CompileRuleset(args[0]); err == nil {
		args, files = args[1:], s.Files()
	}
	if err != nil {
		return err
	}
	book := rulebook.New(p, files)
	list := book.All()
	if len(args) > 1 {
		return fmt.Errorf("%s is of the ruleset %s, not of %s", argdata.FileName(from.file), p.Ruleset, args[0])
	}
	if len(args) == 1 {
		if list = book.Named(args[0]); len(list) == 0 {
			return describe.UnknownIn(p, "definition, chapter or statement", args[0], book.Names())
		}
	}
	var score *shownScore
	// A score is of the ruleset as its module has it; with a homebrew it would be of other rules.
	if from.file == "" && len(s.With) == 0 && len(args) == 0 {
		score = lastScore(s, p.Ruleset)
	}
	if f == usage.AsJSON {
		return jsontext.PrintJSON(c.OutOrStdout(), shownBook{book.Shown, list, score})
	}
	page := s.newPage(c.OutOrStdout())
	if len(args) == 0 {
		present.PrintBook(page, book, formulas)
		printScore(page, score)
	} else {
		present.PrintDefinitions(page, list, formulas)
	}
	return page.Flush(c.OutOrStdout())
}

// printScore says how well the cases hold a ruleset, when that was measured.
//
// The score is of a measurement that took minutes, some time ago. That is said with its date, and
// whether anything has changed since.
func printScore(p *layout.Page, score *shownScore) {
	if score == nil {
		return
	}
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, "how well its cases hold it"))
	p.AddLine(2, "%d of %d changes are noticed, %d are excused, %d survive; measured %s by \"rules test %s --mutants\"",
		score.Noticed, score.Mutants, score.Excused, score.Survived, score.Measured.Format(time.DateOnly), score.Ruleset)
	if score.Stale {
		p.AddLine(2, "the ruleset or its cases have changed since: this is no longer certain")
	}
}
