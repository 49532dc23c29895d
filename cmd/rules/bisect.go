package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/tuning"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/release"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/present"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

const bisectHelp = `Bisect finds since when an answer is another one: of the revisions between a good and a bad one the first that answers
otherwise than the good one, and the edits of that revision that the answer reads, with their places.

--good and --bad are git:REV, whose commits are those of the first parents; or with --plan DIR revisions of the releases in
a directory, by default the oldest and the newest. A revision that does not compile, lacks the rule, or wants another
character or input, answers otherwise. Of a commit its subject stands above the edits. Releases of a registry are first
fetched, by "rules pull".

--of is what is asked: P(FORMULA), the probability that a formula over the outputs holds, or E(FORMULA), the mean of a
number; --by is how far it may move and still be the same. A formula of a rule that rolls nothing has one value:
--of 'P(rank == "high")'. --given conditions on what falls: --given 'roll == 61'.

--receipt asks instead why a receipt does not replay to the same answer: the rule, the character, the input and the faces
are those of the receipt, and the good revisions those by which it replays. It needs no ruleset and no rule.

A revision to which a character is pinned says nothing of the others: pins are left out, as if there were none.

Half of what is left is ruled out with every revision that is asked: of 200 nine or ten are.

Exit status: 0 when the revision was found; 1 when the last one answers as the first; 2 when they cannot be asked.`

// A bisectQuestion is what bisect is asked.
type bisectQuestion struct {
	oddsQuestion
	of        string
	by        float64
	good, bad string
	format    usage.Format
}

func newBisect(s *settings) *cobra.Command {
	q := &bisectQuestion{oddsQuestion: oddsQuestion{question: question{s: s}, form: "text"}}
	c := &cobra.Command{
		Use:   "bisect RULESET RULE | bisect --receipt FILE",
		Short: "Find the revision, and the edit, that changed an answer",
		Long:  bisectHelp,
		Example: "  rules bisect tempestas test --character ada.json --set name=navigation --of 'P(success)' " +
			"--good git:v1.0 --bad git:HEAD\n" +
			"  rules bisect tempestas test --character ada.json --set name=navigation --of 'P(success)' " +
			"--plan revisions\n" +
			"  rules bisect --receipt roll.json --plan revisions",
		Args: usage.ArgCount(0, 2),
	}
	q.askForOdds(c, q.bisect)
	must.Succeed(c.Flags().MarkHidden("vary"))
	f := c.Flags()
	f.StringVar(&q.of, "of", "", "what is asked: `P(FORMULA)` or E(FORMULA)")
	f.Float64Var(&q.by, "by", 0, "how far it may move and still be the same: a `NUMBER`")
	f.StringVar(&q.good, "good", "", "the earlier `REV`, whose answer is right")
	f.StringVar(&q.bad, "bad", "", "the later `REV`, whose answer is another one")
	f.StringVar(&q.receipt, "receipt", "", "find out why the receipt in `FILE` does not replay")
	c.MarkFlagsOneRequired("of", "receipt")
	c.MarkFlagsMutuallyExclusive("of", "receipt")
	usage.RefuseFlags(c, "the revisions say what is asked", "with")
	q.format.AddTo(c)
	return c
}

// A bisected question is what all revisions are asked.
type bisected struct {
	ruleset, id string
	what        string                           // in words
	answer      func(*plan.Plan) (string, error) // its error says why a revision cannot be asked
}

// bisect finds the first revision with another answer, and prints its changes.
func (q *bisectQuestion) bisect(args []string) error {
	of, err := q.subject(args)
	if err != nil {
		return err
	}
	states, err := q.states(of.ruleset)
	if err != nil {
		return err
	}
	plans := make([]*plan.Plan, len(states))
	said := make([]string, len(states))
	line := layout.NewLiveLine(q.c.ErrOrStderr())
	defer line.Clear()
	at, asked, err := tuning.Bisect(len(states), func(i int) (string, error) {
		if err := context.Cause(q.c.Context()); err != nil {
			return "", err
		}
		line.Show("rules: asking %s, %d of %d", states[i], i+1, len(states))
		x, err := release.ReadState(&q.s.Workspace, states[i], []string{of.ruleset})
		if _, isWrong := errors.AsType[*diag.Errors](err); err != nil && !isWrong {
			return "", err
		}
		if err == nil && x.Of(of.ruleset) != nil {
			plans[i] = x.Of(of.ruleset).Plan
		}
		said[i], err = q.answerOf(plans[i], of)
		switch {
		case context.Cause(q.c.Context()) != nil:
			return "", context.Cause(q.c.Context())
		case err != nil && i == 0:
			return "", fmt.Errorf("%s: %w", states[0], err)
		case err != nil: // what the good revision can be asked, this one cannot
			said[i] = err.Error()
		case i == 0 && q.receipt != "" && said[0] != replays:
			return "", &exit.Denial{Why: fmt.Sprintf("the receipt does not replay by %s either: %s", states[0], said[0])}
		}
		return q.sameAs(said[0], said[i]), nil
	})
	line.Clear()
	switch {
	case err != nil:
		return err
	case at < 0:
		return q.printSame(of, states, said, asked)
	}
	return q.printFirst(of, states, said, plans, at, asked)
}

// subject returns what the revisions are asked, by the arguments or by the receipt.
func (q *bisectQuestion) subject(args []string) (*bisected, error) {
	switch {
	case q.by < 0:
		return nil, fmt.Errorf("--by %v: it is at least 0", q.by)
	case len(q.Vary) > 0:
		return nil, errors.New("--vary: the revisions are what varies")
	case q.receipt != "":
		return q.receiptSubject(args)
	case len(args) != 2:
		return nil, usage.ArgCount(2, 2)(q.c, args)
	}
	q.files.DropPins = true // the same is asked of revisions that the characters are not pinned to
	m, err := oddsquery.ParseMeasure(q.of)
	if err != nil {
		return nil, fmt.Errorf("--of %w", err)
	}
	q.Formulas = oddsquery.Formulas([]oddsquery.Measure{m})
	ask := func(p *plan.Plan) (string, error) { return q.measureBy(p, args[1], m) }
	return &bisected{args[0], args[1], m.String(), ask}, nil
}

// replays is the answer of a revision by which a receipt replays.
const replays = "as it says"

// receiptSubject returns the replay of the receipt as what is asked. One that was altered has no answer to look for.
func (q *bisectQuestion) receiptSubject(args []string) (*bisected, error) {
	if len(args) > 0 {
		return nil, errors.New("--receipt: the receipt says of which ruleset and rule it is")
	}
	if err := usage.RefuseGiven(q.c, "the receipt has it all", "character", "input", "set", "option", "given",
		"decide", "best", "state", "policy", "after", "most", "by", "budget"); err != nil {
		return nil, err
	}
	text, err := q.files.Read("receipt", q.receipt)
	if err != nil {
		return nil, err
	}
	r, err := receipt.ReadReceipt(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", argdata.FileName(q.receipt), err)
	}
	if wrong := r.FindAlterations(); len(wrong) > 0 {
		return nil, &exit.Denial{Why: strings.Join(wrong, "; ")}
	}
	r = r.WithoutPins()
	id := cmp.Or(r.Rule, r.Procedure)
	return &bisected{r.Ruleset, id, "the receipt of " + id, func(p *plan.Plan) (string, error) {
		if wrong := r.FindOtherAnswers(runtime.New(p)); len(wrong) > 0 {
			return wrong[0], nil
		}
		return replays, nil
	}}, nil
}

// states returns the revisions between the good and the bad one.
func (q *bisectQuestion) states(ruleset string) ([]string, error) {
	if q.plan == "" {
		if q.good == "" || q.bad == "" {
			return nil, errors.New("--good git:REV and --bad git:REV say between what is looked, " +
				"or --plan has a directory of releases")
		}
		return release.History(&q.s.Workspace, q.good, q.bad)
	}
	if err := usage.RefuseGiven(q.c, "--plan has the revisions", "dir"); err != nil {
		return nil, err
	}
	if !workspace.HoldsReleases(q.plan) {
		return nil, fmt.Errorf("--plan %s: it is a directory of releases", q.plan)
	}
	return release.Releases(q.plan, ruleset, q.good, q.bad)
}

// answerOf returns the answer of a revision by its plan, nil for none.
func (q *bisectQuestion) answerOf(p *plan.Plan, of *bisected) (string, error) {
	if p == nil {
		return "", fmt.Errorf("there is no ruleset %s that compiles", of.ruleset)
	}
	if known := describe.EvaluableNames(p); !slices.Contains(known, of.id) {
		return "", describe.UnknownIn(p, "rule or procedure", of.id, known)
	}
	return of.answer(p)
}

// measureBy returns the value of the measure by a plan. That the rule refuses whatever falls is an answer, too.
func (q *bisectQuestion) measureBy(p *plan.Plan, id string, m oddsquery.Measure) (string, error) {
	o, err := q.open(p, id, "--of")
	if err != nil {
		return "", q.pathError(err)
	}
	v, err := oddsquery.MeasureAt(q.c.Context(), o, []oddsquery.Measure{m}, oddsquery.Setting{})
	if none, is := errors.AsType[*oddsquery.NoValueError](err); is {
		return none.Why, nil
	}
	if err != nil {
		return "", q.pathError(err)
	}
	return strconv.FormatFloat(v[0], 'g', 12, 64), nil
}

// sameAs returns the good answer for one that is the same, or within --by.
func (q *bisectQuestion) sameAs(good, answer string) string {
	a, err1 := strconv.ParseFloat(good, 64)
	b, err2 := strconv.ParseFloat(answer, 64)
	if err1 == nil && err2 == nil && (a-b <= q.by && b-a <= q.by || oddsquery.IsSame(a, b)) {
		return good
	}
	return answer
}

// printSame prints that the last of the revisions answers as the first, or within --by of it.
func (q *bisectQuestion) printSame(of *bisected, states, said []string, asked int) error {
	end := len(states) - 1
	good, answer := said[0], said[end]
	switch {
	case q.format == usage.AsJSON:
		if err := jsontext.PrintJSON(q.c.OutOrStdout(), map[string]any{"measure": of.what, "first": nil, "good": good,
			"answer": answer, "asked": asked, "states": len(states)}); err != nil {
			return err
		}
	case q.by > 0 && answer != good:
		fmt.Fprintf(q.c.OutOrStdout(), "%s is %s at %s and %s at %s, which is the same within --by %v\n", of.what, good,
			states[0], answer, states[end], q.by)
	default:
		fmt.Fprintf(q.c.OutOrStdout(), "%s is %s from %s to %s\n", of.what, good, states[0], states[end])
	}
	return exit.ErrNo
}

// printFirst prints the first revision that answers otherwise, and which of its edits the answer reads.
func (q *bisectQuestion) printFirst(of *bisected, states, said []string, plans []*plan.Plan, at, asked int) error {
	var edits []compare.Changed
	if plans[at] != nil {
		x := revisions.Compare(plans[at-1], plans[at], nil, nil)
		edits = editsOf(x, of.id)
	}
	subject, err := release.CommitSubject(&q.s.Workspace, states[at])
	if err != nil {
		return err
	}
	if q.format == usage.AsJSON {
		return jsontext.PrintJSON(q.c.OutOrStdout(), map[string]any{"measure": of.what, "first": states[at],
			"subject": subject, "before": states[at-1], "good": said[0], "answer": said[at], "edits": edits, "asked": asked,
			"states": len(states)})
	}
	page := q.s.newPage(q.c.OutOrStdout())
	page.AddLine(0, "%s", page.Style(layout.Bold, states[at]+" is the first that answers otherwise"))
	if subject != "" {
		page.AddLine(2, "%s", subject)
	}
	page.AddRows(2, [][]string{{of.what, said[0] + " → " + said[at]}})
	for i := range edits {
		present.PrintChangedDefinition(page, &edits[i])
	}
	page.AddBlank()
	page.AddLine(0, "%d of %s asked", asked, plural.Of(len(states), "revision"))
	return page.Flush(q.c.OutOrStdout())
}

// editsOf returns the changed definitions on which the answer of a rule or a procedure rests, or all when none is
// known.
func editsOf(x *revisions.Comparison, id string) []compare.Changed {
	var because []string
	for i := range x.Answers {
		if a := &x.Answers[i]; a.ID == id || strings.HasPrefix(a.ID, id+".") {
			because = append(because, a.Because...)
		}
	}
	return slices.DeleteFunc(slices.Clone(x.Definitions), func(c compare.Changed) bool {
		return len(because) > 0 && !slices.Contains(because, c.Label())
	})
}
