package main

// # What odds does
//
//	dice notation ─ notation.Compute, oddsquery.AskDice ─┐
//	rule          ─ oddsquery.Asker: Odds, Table ───────┼─ oddspage.Answer ─ text, JSON, CSV, SVG
//	procedure     ─ oddsquery.PlayAsker: Course, Odds ──┘
//
// This file reads flags and decides which of the three is meant; package oddsquery compiles what is
// asked (formulas, policies, decisions) and counts; package oddspage writes. "rules seek" and the
// pages of "rules serve" use the same two packages, so that the three cannot give different
// numbers.
//
// Nothing is sampled. What an answer may cost is bounded by --budget in states that are met, and
// not in seconds: the same question is answered, or refused, on every machine.

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/shell"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/usage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
	"github.com/tabletop-rules/rules/runtime/odds/oddsjson"
)

const oddsHelp = `Odds gives the exact distribution of what a rule answers, over every way in which the dice can fall: nothing is sampled.
The character, the input and the options are given as to eval.

By default every output has a distribution of its own; --joint shows them together. --output names those that are asked
for, --given conditions on a formula over the outputs, --ask asks for the distribution of one. Both are in CEL, like the
ruleset's formulas, and may read the character: --ask 'harm >= character.health'. --exact gives fractions. --vary leaves an
input open: a range 1..20, a list 0,10,30, or * for all words that it may be; the answer is then a table, with a row for
each value, and as a picture of two of them a heat map: all weapons over all armours. So it does with character.NAME,
option.NAME, and a cell of a table by its row and its column, tables.weapon.axe.damage=4..8, or in a chart by both of its
keys, tables.harm.mail.cut; a key with a point or a bracket stands in quotes, tables.luck["0.3 to 0.7"].pull, and a band may
be any number in it. The answer is then as if the table had that value, whatever its author says of the column. What a
requirement refuses is probability of its own, and so is what is not followed of dice that explode without end.

A field that a player decides when dice have fallen (decide: in a ruleset) is what the input gives, unless --decide says
how it is decided: by a formula over what is known then, the rule's dice, uses and lets, the input and the character,
such as 'spend.distance: roll.quality', or as one of a list, 'spend.distance: range(roll.quality + 1)'. Of a list, and of
a field without a formula, that is taken which makes the mean of --best greatest. A choice that the rule refuses is not
taken while there is another. The choices are shown beside the outputs.

--estimate answers nothing: it tells what the answer takes at most, die by die. When more than --budget would be needed,
the error names the die that makes it so much: ask for fewer outputs, or raise the budget.

A rule needs no module to be tried: -e has its text, FILE.cue holds it ("rules eval --help" says more).

With dice in place of a ruleset and a rule it is their odds; several are shown side by side, and --given and --ask read the
total and the labels of one: --given 'fire == 6' of '2d6[fire] + d8' ("rules help dice" says more):

` + dice.Help + dice.CommandHelp + `
Of a procedure, it plays a policy: --policy names, in the order in which they are tried, the events, each with the guard
under which it happens and with an input: 'pay: state.owes', 'roll {"difficulty": "hard"}: true'. A guard reads the
state, the character, the input and the options: 'pay: character.fatigue < 9 && option.npc_fatigue == "yes"'. It gives
the chance of each end, how many events there are until then, and with --after N the distribution after so many events.

What an event is given may follow from a formula too: --decide EVENT.FIELD, 'pass.ours.ep: state.our_paid < 5 ? 2 : 0',
over the state, the character, the input and the options, and over the event's dice, uses and lets where the ruleset has
the field decided when dice have fallen: 'roll.spend.speed: max(0, roll.quality)'. Of a list for such a field, what the
field may not be is passed over; in one for what is given when the event begins, it is an error. --best finds the best
moves: of the events that can happen (all, without --policy), and of the lists that --decide gives, it takes in every
state what makes a condition likeliest where the procedure ends, --best 'status == "won"', or the mean of a number
greatest among the moves that make an end likeliest, --best '-elapsed'. It tells what is best in which state.

An event that a requirement refuses changes nothing, and what was to come of it is not known: the course ends there, as
refused, with the event and the requirement; the table of events says which event it was. Who would then do something
else with the dice that have fallen decides it: --decide 'roll.spend.ep: min(9, roll.quality)'. Under --best, what a
move is refused with counts for nothing, and a move that is refused whatever falls is none. An end called stuck is a
state in which no event of the policy can happen, also behind the last one that --most follows, with the conditions that
fail; endless are states that lead only to one another; outgrown is one that has grown beyond what the procedure
declares of its state, such as a list of more than 64 elements; unfollowed are dice that explode without end. Loops are
solved, so the chances and the mean are those of all plays, however long. Where there are too many states for that, or
--most ends it before, what is still open is told, each chance has a least and a most, and the mean a least. Chances are
fractions while these are short; with --exact, as long as the budget lasts.
With --state it goes on from the sheet of a procedure that has begun, as eval prints it.
--output, --ask, --given and --joint are over the outputs that it has where it ends, or after N events, and over its
status; formulas may read its state too, --ask 'state.left > 2'. --vary leaves a field of its input open, and without them
shows how likely each end is.

Exit status: 0 for an answer; 1 when the rule refuses or a formula has no value, whatever falls; 2 when the question
cannot be asked, takes more than the budget, or has a condition that never holds.`

const oddsExamples = `  rules odds 4d6kh3
  rules odds 4d6kh3 3d6 2d6+6 --show at-least
  rules odds '1d20+5 >= 15'
  rules odds '2d6[fire] + d8' --given 'fire >= 10' --ask 'total > 14'
  rules odds tempestas test --character ada.json --set name=navigation --set difficulty=hard
  rules odds tempestas test --character ada.json --set name=navigation --set difficulty=hard --exact --given success --ask 'offenciancy >= 4'
  rules odds tempestas test --character ada.json --set name=navigation --vary difficulty=moderate,hard
  rules odds -e 'dice: a: {die: 6, count: 3}, output: pair: "a.exists(f, a.count(g, g == f) == 2)"'
  rules odds tempestas task --character ada.json --set name=navigation --set target_value=5 --policy decline --policy roll
  rules odds tempestas task --character ada.json --set name=navigation --set target_value=5 --best 'status == "won"'
  rules odds haze effect --character warrior.json --set dice=8 -o effect.svg`

// An oddsQuestion is what odds is asked: all that eval is asked but faces, and which distribution
// is wanted. seek embeds the same flags and sets form itself.
type oddsQuestion struct {
	question
	show     string // one of oddspage.Measures
	form     string // one of oddspage.Forms; "" by the name of the file
	csv      bool   // as --format csv
	file     string
	estimate bool
	// sharesPolicy says that a procedure is compared too, to which belongs what a rule has no use for: policy, after
	// and most.
	sharesPolicy bool
	// startsFromSet says that what is left open has a value from which changes are counted.
	startsFromSet bool
}

// absentDice says what to do in place of --dice, which eval has.
const absentDice = "odds are over all that may fall; --given conditions on an output, as in --given 'roll == 6'"

func newOdds(s *settings) *cobra.Command {
	q := &oddsQuestion{question: question{s: s}}
	c := &cobra.Command{
		Use:     "odds RULESET RULE | odds EXPR... | odds FILE.cue [RULE] | odds -e TEXT",
		Short:   "Give the exact distribution of a rule's outputs, or of dice",
		Long:    oddsHelp,
		Example: oddsExamples,
		// Cobra parses flags before it counts arguments, so -e can change how many there must be.
		Args: func(c *cobra.Command, args []string) error {
			least := 1
			if q.inline != "" {
				least = 0
			}
			return leaveKindOut(usage.ArgCount(least, usage.Many))(c, args)
		},
	}
	q.addOutputFlag(c)
	q.askForOdds(c, q.answerOdds)
	q.addInlineFlag(c)
	f := c.Flags()
	f.BoolVar(&q.Exact, "exact", false, "give probabilities as fractions")
	f.BoolVar(&q.Joint, "joint", false, "show the outputs together")
	f.StringArrayVar(&q.Formulas, "ask", nil, "ask for the distribution of a `FORMULA` over the outputs; may be repeated")
	f.BoolVar(&q.estimate, "estimate", false, "tell what the answer takes at most, and do not answer")
	q.addFormFlags(c)
	f.BoolVar(&q.csv, "csv", false, "the same as --format csv")
	f.StringVar(&q.show, "show", string(oddspage.Exactly),
		"of several dice: show `exactly`, at-least or at-most each value")
	must.Succeed(c.RegisterFlagCompletionFunc("show", usage.Among("exactly", "at-least", "at-most")))
	c.MarkFlagsMutuallyExclusive("csv", "format")
	return c
}

// addFormFlags adds the flags that say how and where the answer is written.
func (q *oddsQuestion) addFormFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&q.form, "format", "", "how the answer is written, as `FORMAT`: text, json, csv or svg")
	f.StringVarP(&q.file, "out", "o", "", "write the answer to `FILE`, as its name says: .txt, .json, .csv or .svg")
	must.Succeed(c.RegisterFlagCompletionFunc("format", usage.Among(formNames()...)))
}

// addOutputFlag adds the flag of commands that show outputs. What others answer is a formula, which names those it reads.
func (q *oddsQuestion) addOutputFlag(c *cobra.Command) {
	c.Flags().StringSliceVar(&q.Outputs, "output", nil, "ask for these outputs only: `NAME,...`")
}

// askForOdds makes c a command that asks for odds: with the flags that all of them have, and answer once these are read.
func (q *oddsQuestion) askForOdds(c *cobra.Command, answer func(args []string) error) {
	var options []string
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		q.c, q.files.In = c, c.InOrStdin()
		if q.Options, err = parseOptions(options, &q.files); err != nil {
			return err
		}
		if !q.startsFromSet {
			if err := oddsquery.RefuseOpenGiven(q.Vary, q.Sets, options); err != nil {
				return err
			}
		}
		if err := q.checkEventCounts(); err != nil {
			return err
		}
		return answer(args)
	}
	c.ValidArgsFunction = completion.CompleteNames(&q.s.Workspace, describe.EvaluableNames)
	q.addOddsFlags(c, &options)
	usage.AdviseInstead(c, "dice", absentDice)
	usage.AdviseInstead(c, "seed", "odds are computed, and no dice fall: leave it out")
	for _, name := range []string{"turns", "rounds", "steps"} {
		usage.AdviseInstead(c, name, "--after 3 asks how things stand after three events, and --set sets an input of "+
			"that name")
	}
	for name, sign := range map[string]string{"at-least": ">=", "at-most": "<="} {
		usage.AdviseInstead(c, name, fmt.Sprintf("the chance of one number is asked by '2d6 %s 7'; "+
			"--show %s shows those of all, of several dice side by side", sign, name))
	}
	if c.Flags().Lookup("output") == nil {
		usage.AdviseInstead(c, "output", "the formula names the outputs that it reads")
	}
	q.registerCompletions(c)
}

// checkEventCounts returns an error if --after or --most is given and is no number of events to follow. The 0 of a flag
// that is not given asks for the end of a procedure.
func (q *oddsQuestion) checkEventCounts() error {
	given := q.c.Flags().Changed
	switch {
	case given("after") && q.After < 1:
		return fmt.Errorf("--after %d: follow at least one event; without --after the answer is where the procedure ends",
			q.After)
	case given("most") && q.Most < 1:
		return fmt.Errorf("--most %d: follow at least one event; without --most a procedure is followed to its end", q.Most)
	case given("most") && q.After > q.Most:
		return fmt.Errorf("--after %d, --most %d: follow at least as many events as --after", q.After, q.Most)
	}
	return nil
}

// addOddsFlags adds the flags of all commands that ask for odds.
func (q *oddsQuestion) addOddsFlags(c *cobra.Command, options *[]string) {
	f := c.Flags()
	q.addCharacterFlag(c, "read the character from `FILE`, - for standard input; may be repeated for rules of two")
	f.StringVar(&q.input, "input", "", "read the input from `FILE`, - for standard input")
	f.StringArrayVar(&q.Sets, "set", nil, "set a value of the input: `NAME=VALUE`; may be repeated")
	f.StringArrayVar(options, "option", nil, optionUsage)
	f.StringVar(&q.plan, "plan", "",
		"use the plan in `FILE`, as build or release writes it, or the releases of a directory or a lock file")
	f.StringArrayVar(&q.Decide, "decide", nil,
		"decide a field when dice have fallen: a `FIELD: FORMULA`, or FIELD: LIST of what it may be; of a procedure"+
			" any EVENT.FIELD; may be repeated")
	f.StringVar(&q.Best, "best", "", "decide what is best for a `FORMULA` over the outputs")
	f.StringVar(&q.Given, "given", "", "condition on a `FORMULA` over the outputs")
	f.StringArrayVar(&q.Vary, "vary", nil,
		"leave a value of the input, or character.NAME, option.NAME, tables.TABLE.ROW.COLUMN open: `NAME=1..20`,"+
			" NAME=0,10,30, or NAME=* for all words that it may be; may be repeated")
	f.StringVar(&q.state, "state", "", "of a procedure: go on from the sheet in `FILE`, - for standard input")
	f.StringArrayVar(&q.Policy, "policy", nil, "of a procedure: an `EVENT: GUARD` or 'EVENT INPUT: GUARD'; may be repeated")
	f.IntVar(&q.After, "after", 0, "of a procedure: the distribution after `N` events")
	f.IntVar(&q.Most, "most", 0, "of a procedure: follow it for at most `N` events, not to its end")
	usage.MarkExclusive(c, inState, "state", "character", "input", "set", "option")
	f.Int64Var(&q.Budget, "budget", odds.DefaultBudget, "give up when more than `N` states would have to be met")
}

// answerOdds finds the dice, rule or procedure that is asked about, and prints its odds.
func (q *oddsQuestion) answerOdds(args []string) error {
	if err := q.checkForm(); err != nil {
		return err
	}
	// Dice come first: they need no module, and nothing is compiled for them.
	if texts := q.diceTexts(args); texts != nil {
		return q.answerDice(texts)
	}
	if q.show != "" && q.show != string(oddspage.Exactly) {
		return errors.New("--show changes nothing here: it is for several dice side by side")
	}
	if len(args) > 2 {
		return usage.ArgCount(0, 2)(q.c, args)
	}
	p, id, err := q.findSubject(args)
	if err != nil {
		return err
	}
	switch program := runtime.New(p); {
	case slices.Contains(program.RuleNames(), id):
		return q.answerRule(program, id)
	case slices.Contains(program.ProcedureNames(), id):
		return q.answerProcedure(program, id)
	}
	return q.unknownSubject(p, "rule or procedure", id, describe.EvaluableNames(p))
}

// formNames returns the forms in which an answer can be written, as --format names them.
func formNames() []string {
	var out []string
	for _, f := range oddspage.Forms() {
		out = append(out, string(f))
	}
	return out
}

// formOfExtension returns the form that a file's name asks for, "" for one that asks for none. The
// form text is called txt there; a file named x.text asks for none.
func formOfExtension(file string) string {
	switch form := strings.TrimPrefix(filepath.Ext(file), "."); {
	case form == "txt":
		return string(oddspage.Text)
	case form != string(oddspage.Text) && slices.Contains(formNames(), form):
		return form
	}
	return ""
}

// checkForm settles how the answer is written: --csv, then --format, then the name of the file of
// --out, and else text. It comes before any counting, which may take a minute and should not end in
// a usage error.
func (q *oddsQuestion) checkForm() error {
	if q.csv {
		q.form = string(oddspage.CSV)
	}
	if q.form == "" {
		q.form = string(oddspage.Text)
		if q.file != "" && q.file != argdata.Stdin {
			if q.form = formOfExtension(q.file); q.form == "" {
				return fmt.Errorf("--out %s: it ends in .txt, .json, .csv or .svg, or --format says how it is written",
					q.file)
			}
		}
	}
	if !slices.Contains(formNames(), q.form) {
		return fmt.Errorf("--format %s: it is text, json, csv or svg", q.form)
	}
	if q.Budget < 1 {
		return fmt.Errorf("--budget %d: it is at least 1", q.Budget)
	}
	return nil
}

// diceTexts are the dice that arguments ask about, each of which is shown by itself when each is a notation; nil when they
// name a ruleset and a rule.
func (q *oddsQuestion) diceTexts(args []string) []string {
	if len(args) > 2 && slices.Contains(q.s.RulesetIDs(), args[0]) {
		if _, err := dice.ParseNotation(args[1]); err != nil {
			return nil // a rule, and a word too many
		}
	}
	// A ruleset called d6 wins over the dice, when it is there. With three or more words it cannot
	// be meant: a ruleset and a rule are two.
	if q.plan != "" || q.inline != "" || strings.HasSuffix(args[0], ".cue") || slices.Contains(q.s.RulesetIDs(), args[0]) &&
		len(args) < 3 {
		return nil
	}
	if ruleset, _, isJoined := strings.Cut(strings.Replace(args[0], "/", ".", 1), "."); isJoined &&
		slices.Contains(q.s.RulesetIDs(), ruleset) {
		return nil // arena.strike, of which findSubject says what to write
	}
	for _, text := range args {
		if _, err := dice.ParseNotation(text); err == nil {
			continue
		}
		// Two words without a digit are a ruleset that is misspelled rather than dice: the error
		// about an unknown ruleset is the one that helps.
		if len(args) == 2 && !strings.ContainsAny(args[0], "0123456789") {
			return nil
		}
		// Words that are no notation each may be one together, written with blanks: 2d6 + 3.
		return []string{strings.Join(args, " ")}
	}
	return args
}

// ruleFlags are the flags that mean nothing to dice without a ruleset.
var ruleFlags = [...]string{
	"dir", "with", "character", "input", "set", "option", "output", "vary", "joint", "budget", "state", "policy", "after",
	"most", "estimate", "decide", "best",
}

// answerDice answers for dice, one notation or several side by side.
func (q *oddsQuestion) answerDice(texts []string) error {
	if err := usage.RefuseGiven(q.c, "dice need no ruleset", ruleFlags[:]...); err != nil {
		return err
	}
	if !slices.Contains(oddspage.Measures(), oddspage.Measure(q.show)) {
		return fmt.Errorf("--show %s: it is exactly, at-least or at-most", q.show)
	}
	if q.Given != "" || len(q.Formulas) > 0 {
		return q.askDice(texts)
	}
	page := &oddspage.Comparison{Measure: oddspage.Measure(q.show)}
	for _, text := range texts {
		n, err := parseNotation(text)
		if err != nil {
			return err
		}
		printNotes(q.c.ErrOrStderr(), n)
		answer := notation.Compute
		if q.Exact {
			answer = notation.ComputeExactly
		}
		roll, err := answer(n)
		if err != nil {
			return err
		}
		page.Items = append(page.Items, oddspage.OfRoll(text, n, roll, q.Exact))
	}
	if len(texts) > 1 {
		return q.writeAnswer(page)
	}
	if page.Measure != oddspage.Exactly {
		return errors.New("--show changes nothing here: it is for several dice side by side")
	}
	return q.writeAnswer(page.Items[0])
}

// askDice answers formulas over one notation.
func (q *oddsQuestion) askDice(texts []string) error {
	if len(texts) > 1 {
		return errors.New("--given and --ask are for one notation: ask about each by itself")
	}
	n, err := parseNotation(texts[0])
	if err != nil {
		return err
	}
	if n.Repeat > 1 {
		return fmt.Errorf("--given and --ask are for one roll, and %s makes %d: leave the repetition out, or read the tables "+
			"that rules odds '%[1]s' prints, of the highest result to the lowest", texts[0], n.Repeat)
	}
	printNotes(q.c.ErrOrStderr(), n)
	answer, err := oddsquery.AskDice(n, q.Given, q.Formulas, q.Exact)
	if err != nil {
		return err
	}
	return q.writeAnswer(oddspage.OfAnswer(oddspage.Subject{Dice: texts[0]}, answer))
}

// newAsker reads the character and the input, and returns the compiled question about a rule. Messages about a formula
// name formulaFlag: --ask for odds, --until for seek.
func (q *oddsQuestion) newAsker(program *runtime.Program, id, formulaFlag string) (*oddsquery.Asker, error) {
	asked := q.Question
	asked.Subject, asked.FormulaFlag, asked.Locate = id, formulaFlag, q.placeError
	var err error
	if asked.Request.Character, err = q.files.Read("character", q.character); err != nil {
		return nil, err
	}
	if asked.Request.Input, err = q.inputText(describe.InputOf(program.Plan(), id)); err != nil {
		return nil, err
	}
	return oddsquery.NewAsker(program, asked)
}

// answerRule answers for a rule: an estimate of the cost, a table over --vary, or the distributions
// of one input.
func (q *oddsQuestion) answerRule(program *runtime.Program, id string) error {
	if err := q.checkRule(program, id); err != nil {
		return err
	}
	a, err := q.newAsker(program, id, "--ask")
	if err != nil {
		return err
	}
	subject := oddsjson.RuleSubject(program.Plan(), id)
	// The strategy is part of the heading: a chance under decisions means little without what was
	// decided.
	subject.SetStrategy(a.Decide, q.Best)
	switch {
	case q.estimate && len(a.Decide) > 0:
		return errors.New("--estimate is of one choice: leave --decide and --best out")
	case q.estimate && len(q.Vary) > 0:
		return errors.New("--estimate is of one input: leave --vary out")
	case q.Joint && len(q.Vary) > 0:
		return errJointRows
	case q.estimate:
		return q.answerEstimate(a, subject)
	case len(q.Vary) > 0:
		rows, err := a.Table(q.c.Context())
		if err != nil {
			return err
		}
		return q.writeOutcomes(oddspage.OfRows(subject, q.Exact, rows))
	}
	answer, err := a.Odds(q.c.Context())
	if err != nil {
		return err
	}
	d := oddspage.OfAnswer(subject, answer)
	d.ShowsJoint = q.Joint
	return q.writeOutcomes(d)
}

// checkRule returns an error if a character is missing, or if a flag is given that only procedures have.
func (q *oddsQuestion) checkRule(program *runtime.Program, id string) error {
	if q.character == "" && q.state == "" && !q.answersAlone(program, id) {
		return fmt.Errorf("name a character with --character; \"rules eval %s %s\" says what the rule needs",
			program.Plan().Ruleset, id)
	}
	switch {
	case q.state != "" && q.sharesPolicy:
		return errors.New("a rule has no --state to go on from: compare it with what begins anew")
	case q.state != "",
		!q.sharesPolicy && (len(q.Policy) > 0 || q.c.Flags().Changed("after") || q.c.Flags().Changed("most")):
		return fmt.Errorf("%s is a rule: --policy, --after, --most and --state are of procedures", id)
	}
	return nil
}

// writeOutcomes writes an answer, which is no when nothing can come out.
func (q *oddsQuestion) writeOutcomes(a interface {
	oddspage.Answer
	IsAnswered() bool
}) error {
	if err := q.writeAnswer(a); err != nil {
		return err
	}
	if !a.IsAnswered() {
		return exit.ErrNo
	}
	return nil
}

// answerEstimate answers --estimate. The budget goes along because the page says whether it would
// suffice.
func (q *oddsQuestion) answerEstimate(a *oddsquery.Asker, subject oddspage.Subject) error {
	e, err := a.Estimate()
	if err != nil {
		return err
	}
	if err := q.writeAnswer(&oddspage.Estimate{Subject: subject, Of: e, Budget: q.Budget}); err != nil {
		return fmt.Errorf("--estimate: %w", err)
	}
	return nil
}

// answerProcedure answers for a procedure under a policy. A field of --vary makes a table, outputs
// or formulas make distributions where the procedure ends, and without either the answer is its
// course: each end with its chance.
func (q *oddsQuestion) answerProcedure(program *runtime.Program, id string) error {
	a, err := q.newPlayAsker(program, id, "--ask")
	if err != nil {
		return err
	}
	subject := oddsjson.ProcedureSubject(program.Plan(), id)
	subject.SetStrategy(q.Decide, q.Best)
	switch {
	case len(q.Vary) > 0:
		rows, err := a.Table(q.c.Context())
		if err != nil {
			// Positions in a character or an input are of no use here: with a value of --vary in it,
			// they are those of a text that nobody wrote.
			return q.pathError(err)
		}
		return q.writeOutcomes(oddspage.OfRows(subject, q.Exact, rows))
	case q.Joint || a.AsksForOutputs():
		answer, err := a.Odds(q.c.Context())
		if err != nil {
			return q.placeError(err)
		}
		d := oddspage.OfAnswer(subject, answer)
		d.ShowsJoint, d.After = q.Joint, q.After
		return q.writeOutcomes(d)
	}
	course, err := a.Course(q.c.Context())
	if err != nil {
		return q.placeError(err)
	}
	return q.writeOutcomes(&oddspage.Course{Subject: subject, Of: course, After: q.After, Exact: q.Exact})
}

// maxMoves is how many events an example of a policy has.
const maxMoves = 3

// errJointRows is the error of a table that would have to show all outputs at once.
var errJointRows = errors.New("--joint and --vary: a table has a row for each value, and no room for all outputs " +
	"at once: leave one of them out")

// newPlayAsker reads the start of a play, and returns the compiled question about a procedure. formulaFlag is as of
// newAsker.
func (q *oddsQuestion) newPlayAsker(program *runtime.Program, id, formulaFlag string) (*oddsquery.PlayAsker, error) {
	switch {
	case q.character == "" && q.state == "" && !q.answersAlone(program, id):
		return nil, fmt.Errorf("name a character with --character FILE, or the sheet to go on from with --state FILE")
	case len(q.Policy) == 0 && q.Best == "":
		var moves []string
		for i, e := range program.Plan().Procedure(id).Events {
			if i < maxMoves {
				moves = append(moves, "--policy "+shell.Quote(oddsquery.ExampleMove(&e)))
			}
		}
		return nil, fmt.Errorf("%s is a procedure: say which events happen, those tried first in front, as by %s; "+
			"or with --best what they are chosen for", id, strings.Join(moves, " "))
	case q.estimate:
		return nil, fmt.Errorf("%s is a procedure: --estimate is of rules", id)
	case q.Joint && len(q.Vary) > 0:
		return nil, errJointRows
	}
	asked := q.Question
	asked.Subject, asked.FormulaFlag = id, formulaFlag
	if err := q.readBeginning(program, &asked); err != nil {
		return nil, err
	}
	return oddsquery.NewPlayAsker(program, asked)
}

// readBeginning reads the character and the input that a procedure begins with, or the sheet in --state, whose options are
// played.
func (q *oddsQuestion) readBeginning(program *runtime.Program, asked *query.Question) (err error) {
	if q.state != "" {
		asked.From, err = q.resumePlay(program, asked.Subject)
		asked.Options = q.Options
		return err
	}
	if asked.Request.Character, err = q.files.Read("character", q.character); err != nil {
		return err
	}
	asked.Request.Input, err = q.inputText(describe.InputOf(program.Plan(), asked.Subject))
	return err
}

// writeAnswer writes an answer to the file that is asked for, or to standard output. A file has no colours.
func (q *oddsQuestion) writeAnswer(a oddspage.Answer) error {
	page := q.s.newPage(q.c.OutOrStdout())
	if q.file != "" {
		page.Color = false
	}
	text, err := oddspage.Write(a, oddspage.Form(q.form), page)
	if err != nil {
		return err
	}
	if q.file != "" && q.file != argdata.Stdin {
		return atomicfile.TheDisk().WriteAnswer(q.file, text)
	}
	_, err = q.c.OutOrStdout().Write(text)
	return err
}
