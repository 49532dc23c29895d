package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/completion"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/must"
	"github.com/tabletop-rules/rules/cmd/rules/internal/usage"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

const oddsHelp = `Odds gives the exact distribution of what a rule answers, over every way in which the dice can fall: nothing is sampled.
The character, the input and the options are given as to eval.

By default every output has a distribution of its own; --joint shows them together. --output names those that are asked
for, --given conditions on a formula over the outputs, --ask asks for the distribution of one (both in CEL, like the
ruleset's formulas). --exact gives fractions. --vary leaves an input open: a range 1..20 or a list 0,10,30; the answer
is then a table, with a row for each value. What a requirement refuses is probability of its own, and so is what is not
followed of dice that explode without end.

--estimate answers nothing: it tells what the answer takes at most, die by die. When more than --budget would be needed,
the error names the die that makes it so much: ask for fewer outputs, or raise the budget.

With one argument it is the odds of dice, without any ruleset:

` + dice.Help + `
Of a procedure, it plays a policy: --policy names, in the order in which they are tried, the events, each with the guard
under which it happens and with an input: 'pay: state.owes', 'roll {"difficulty": "hard"}: true'. A guard reads the
state, the character, the input and the options: 'pay: character.fatigue < 9 && option.npc_fatigue == "yes"'. It gives
the chance of each end, how many events there are until then, and with --after N the distribution after so many events.
With --state it goes on from the sheet of a procedure that has begun, as eval prints it.

Exit status: 0 for an answer; 1 when the rule refuses or a formula has no value, whatever falls; 2 when the question
cannot be asked, takes more than the budget, or has a condition that never holds.`

const oddsExamples = `  rules odds 4d6kh3
  rules odds tempestas test --character ada.json --set name=navigation --set difficulty=hard
  rules odds tempestas test --character ada.json --set name=navigation --set difficulty=hard --exact --given success --ask 'offenciancy >= 4'
  rules odds tempestas test --character ada.json --set name=navigation --vary difficulty=moderate,hard
  rules odds haze effect --character warrior.json --set dice=8 -o effect.svg`

// A chance is what odds is asked: what eval is asked but for faces, and more.
type chance struct {
	question
	exact    bool
	given    string
	ask      []string
	vary     []string
	joint    bool
	budget   int64
	form     string // text, json, csv or svg; "" by the name of the file
	file     string
	policy   []string
	after    int
	most     int
	estimate bool
}

func newOdds(s *settings) *cobra.Command {
	q := &chance{question: question{s: s}}
	var options []string
	c := &cobra.Command{
		Use:     "odds RULESET RULE | odds EXPR",
		Short:   "Give the exact distribution of a rule's outputs, or of dice",
		Long:    oddsHelp,
		Example: oddsExamples,
		Args:    usage.ArgCount(1, usage.Many),
		RunE: func(c *cobra.Command, args []string) (err error) {
			q.c, q.files.In = c, c.InOrStdin()
			if q.options, err = parseOptions(options); err != nil {
				return err
			}
			return q.answerOdds(args)
		},
		ValidArgsFunction: completion.CompleteNames(&s.Workspace, describe.EvaluableNames),
	}
	q.addCommonFlags(c, &options)
	f := c.Flags()
	f.BoolVar(&q.joint, "joint", false, "show the outputs together")
	f.StringArrayVar(&q.ask, "ask", nil, "ask for the distribution of a `FORMULA` over the outputs; may be repeated")
	f.BoolVar(&q.estimate, "estimate", false, "tell what the answer takes at most, and do not answer")
	f.StringVar(&q.state, "state", "", "of a procedure: go on from the sheet in `FILE`, - for standard input")
	f.StringVar(&q.form, "format", "", "how the answer is written, as `FORMAT`: text, json, csv or svg")
	f.StringVarP(&q.file, "out", "o", "", "write the answer to `FILE`, as its name says: .txt, .json, .csv or .svg")
	f.StringArrayVar(&q.policy, "policy", nil, "of a procedure: an `EVENT: GUARD` or 'EVENT INPUT: GUARD'; may be repeated")
	f.IntVar(&q.after, "after", 0, "of a procedure: the distribution after `N` events")
	f.IntVar(&q.most, "most", 1000, "of a procedure: follow it for at most `N` events")
	must.Succeed(c.RegisterFlagCompletionFunc("format", usage.Among("text", "json", "csv", "svg")))
	q.registerCompletions(c)
	for _, known := range []string{"character", "input", "set", "option"} {
		c.MarkFlagsMutuallyExclusive("state", known)
	}
	return c
}

// addCommonFlags are those that odds and seek have in common.
func (q *chance) addCommonFlags(c *cobra.Command, options *[]string) {
	f := c.Flags()
	f.StringVar(&q.character, "character", "", "read the character from `FILE`, - for standard input")
	f.StringVar(&q.input, "input", "", "read the input from `FILE`, - for standard input")
	f.StringArrayVar(&q.set, "set", nil, "set a value of the input: `NAME=VALUE`; may be repeated")
	f.StringArrayVar(options, "option", nil, "play another ruling: `NAME=VALUE`; may be repeated")
	f.StringSliceVar(&q.outputs, "output", nil, "ask for these outputs only: `NAME,...`")
	f.StringVar(&q.plan, "plan", "", "use the plan in `FILE`, as build or release writes it, or the releases in a directory")
	f.BoolVar(&q.exact, "exact", false, "give probabilities as fractions")
	f.StringVar(&q.given, "given", "", "condition on a `FORMULA` over the outputs")
	f.StringArrayVar(&q.vary, "vary", nil, "leave a value of the input open: `NAME=1..20` or NAME=0,10,30; may be repeated")
	f.Int64Var(&q.budget, "budget", odds.DefaultBudget, "give up when more than `N` states would have to be met")
}

// answerOdds finds what is asked about, and asks it.
func (q *chance) answerOdds(args []string) error {
	if err := q.judgeForm(); err != nil {
		return err
	}
	if len(args) == 1 && q.plan == "" && !slices.Contains(q.s.RulesetIDs(), args[0]) || len(args) > 2 {
		if err := usage.RefuseGiven(q.c, "dice need no ruleset", "dir", "with"); err != nil {
			return err
		}
		return q.ofDice(strings.Join(args, " "))
	}
	p, id, err := q.findSubject(args)
	if err != nil {
		return err
	}
	switch program := runtime.New(p); {
	case slices.Contains(program.RuleNames(), id):
		return q.ofRule(program, id)
	case slices.Contains(program.ProcedureNames(), id):
		return q.ofProcedure(program, id)
	}
	return &runtime.UnknownError{What: "rule or procedure", Name: id, Known: describe.EvaluableNames(p)}
}

// endings are the ends of file names that say how an answer is written.
var endings = map[string]string{".txt": "text", ".json": "json", ".csv": "csv", ".svg": "svg"}

// judgeForm finds how the answer is written.
func (q *chance) judgeForm() error {
	if q.form == "" {
		q.form = "text"
		if q.file != "" && q.file != argdata.Stdin {
			if q.form = endings[filepath.Ext(q.file)]; q.form == "" {
				return fmt.Errorf("--out %s: it ends in .txt, .json, .csv or .svg, or --format says how it is written", q.file)
			}
		}
	}
	if !slices.Contains(slices.Collect(maps.Values(endings)), q.form) {
		return fmt.Errorf("--format %s: it is text, json, csv or svg", q.form)
	}
	if q.budget < 1 {
		return fmt.Errorf("--budget %d: it is at least 1", q.budget)
	}
	return nil
}

// ofDice answers for an expression.
func (q *chance) ofDice(text string) error {
	e, err := parseDice(text)
	if err != nil {
		return err
	}
	answer := odds.OfExpression
	if q.exact {
		answer = odds.Fractions
	}
	sum, err := answer(e)
	if err != nil {
		return err
	}
	a := &distributions{about: about{Dice: text}, exact: q.exact, list: []*odds.Marginal{sum.Marginal()}, Unfollowed: sum.Rest}
	a.means = map[string]*big.Rat{a.list[0].Name: sum.Mean}
	if sum.Rest > 0 && sum.N != nil && q.exact {
		a.UnfollowedExact = new(big.Rat).SetFrac(sum.RestN, sum.Den).RatString()
	}
	return q.printDistributions(a)
}

// A asker answers questions about one rule.
type asker struct {
	*chance
	program *runtime.Program
	id      string
	rule    *odds.Rule
	given   *formula
	asks    []*formula
	request runtime.Request
}

// ask prepares a rule and the formulas about it.
func (q *chance) newAsker(program *runtime.Program, id string) (*asker, error) {
	a := &asker{chance: q, program: program, id: id}
	var err error
	if a.request.Character, err = q.files.Read("character", q.character); err != nil {
		return nil, err
	}
	if a.request.Input, err = q.inputText(describe.InputOf(program.Plan(), id)); err != nil {
		return nil, err
	}
	if q.given != "" {
		if a.given, err = a.compileFormula("--given", q.given); err != nil {
			return nil, err
		}
		if a.given.kind != plan.Bool {
			return nil, fmt.Errorf("--given %s: it is no condition", q.given)
		}
	}
	for _, text := range q.ask {
		f, err := a.compileFormula(q.askFlag(), text)
		if err != nil {
			return nil, err
		}
		a.asks = append(a.asks, f)
	}
	a.rule, err = odds.NewRule(program, id, runtime.Choice{Options: q.options, Outputs: a.neededOutputs()})
	return a, err
}

// askFlag is the flag that asks.
func (q *chance) askFlag() string {
	if q.c.Flags().Lookup("until") != nil {
		return "--until"
	}
	return "--ask"
}

// neededOutputs are the outputs that the question needs; nil for all.
func (a *asker) neededOutputs() []string {
	all := slices.Clone(a.outputs)
	if len(all) == 0 && len(a.asks) == 0 {
		return nil
	}
	for _, f := range append(slices.Clone(a.asks), a.given) {
		if f == nil {
			continue
		}
		for _, name := range f.reads {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// A formula is one over outputs, ready to be evaluated.
type formula struct {
	text  string
	rule  *runtime.Rule
	reads []string
	kind  plan.Kind
}

func (a *asker) compileFormula(flag, text string) (*formula, error) {
	p, err := compiler.Formula(a.program.Plan(), a.id, text, flag)
	if err != nil {
		return nil, exit.AsUsageError(err)
	}
	return newFormula(p, strings.TrimSpace(text))
}

func newFormula(p *plan.Plan, text string) (*formula, error) {
	f := &formula{text: text, kind: p.Rules[0].Graph.Outputs.Type.Fields[0].Type.Kind}
	for _, m := range p.Rules[0].Input.Fields {
		f.reads = append(f.reads, m.Name)
	}
	var err error
	f.rule, err = runtime.New(p).Rule("expression", runtime.Choice{})
	return f, err
}

// valueOf is the value for an outcome.
func (f *formula) valueOf(names []string, o *odds.Outcome) (runtime.Value, error) {
	input := []byte{'{'}
	for _, name := range f.reads {
		if len(input) > 1 {
			input = append(input, ',')
		}
		input = o.Values[slices.Index(names, name)].AppendJSON(append(strconv.AppendQuote(input, name), ':'))
	}
	return f.rule.Value(runtime.Request{Character: []byte("{}"), Input: append(input, '}')}, "value")
}

// oddsOf answers for one input.
func (a *asker) oddsOf(input []byte) (*distributions, error) {
	var records odds.Records
	records[plan.CharacterRoot], records[plan.InputRoot] = a.request.Character, input
	j, err := a.oddsInFractions(odds.Question{Records: records, Exact: a.exact, Budget: a.budget})
	if err != nil {
		return nil, a.placeError(err)
	}
	out := &distributions{exact: a.exact, all: j}
	out.addEndings(j)
	if a.given != nil {
		if j, err = j.Given(func(o *odds.Outcome) (bool, error) {
			v, err := a.given.valueOf(j.Names, o)
			return v.Bool(), err
		}); err != nil {
			return nil, fmt.Errorf("--given %s: %w", a.given.text, err)
		}
		out.all, out.Given, out.Refused, out.Failed = j, a.given.text, nil, nil
	}
	names := a.outputs
	if len(names) == 0 && len(a.asks) == 0 {
		names = j.Names
	}
	for _, name := range names {
		out.list = append(out.list, j.Marginal(name))
	}
	if err := a.closedMeans(out, records); err != nil {
		return nil, err
	}
	for _, f := range a.asks {
		m, err := j.Of(f.text, func(o *odds.Outcome) (runtime.Value, error) { return f.valueOf(j.Names, o) })
		if err != nil {
			return nil, fmt.Errorf("--ask %s: %w", f.text, err)
		}
		out.list = append(out.list, m)
	}
	return out, nil
}

// soon is how much work is done again with fractions, so that no probability shows the rounding of sums.
const soon = 20_000

// oddsInFractions answers in floats, and what is little work as fractions, which are rounded once.
func (a *asker) oddsInFractions(q odds.Question) (*odds.Joint, error) {
	j, err := a.rule.Odds(q)
	if err != nil || q.Exact || j.Spent > soon {
		return j, err
	}
	q.Exact = true
	return a.rule.Odds(q)
}

// closedMeans finds the means that have a closed form, where the distributions lack what was not followed and nothing else.
func (a *asker) closedMeans(d *distributions, records odds.Records) (err error) {
	if d.Unfollowed == 0 || d.Given != "" || len(d.Refused)+len(d.Failed) > 0 {
		return nil
	}
	d.means = map[string]*big.Rat{}
	for _, m := range d.list {
		if d.means[m.Name], err = a.rule.Mean(records, m.Name); err != nil {
			return err
		}
	}
	return nil
}

// ofRule answers for a rule.
func (q *chance) ofRule(program *runtime.Program, id string) error {
	if q.character == "" && q.state == "" {
		return fmt.Errorf("name a character with --character; \"rules eval %s %s\" says what the rule needs",
			program.Plan().Ruleset, id)
	}
	if len(q.policy) > 0 || q.after != 0 || q.state != "" {
		return fmt.Errorf("%s is a rule: --policy, --after and --state are of procedures", id)
	}
	a, err := q.newAsker(program, id)
	if err != nil {
		return err
	}
	subject := subjectOf(program.Plan(), "rule", id)
	switch {
	case q.estimate && len(q.vary) > 0:
		return errors.New("--estimate is of one input: leave --vary out")
	case q.estimate:
		return a.printEstimate(subject)
	case len(q.vary) > 0:
		return a.answerTable(subject)
	}
	d, err := a.oddsOf(a.request.Input)
	if err != nil {
		return err
	}
	d.about = subject
	return q.printDistributions(d)
}

// A variation is an input left open: its values as JSON.
type variation struct {
	name   string
	values []json.RawMessage
}

// maxVaried bounds the values of one variation, and all rows of a table.
const maxVaried = 10_000

// parseVary reads "name=1..20" or "name=0,10,30".
func parseVary(text string, shape *plan.Shape) (v variation, err error) {
	name, list, ok := strings.Cut(text, "=")
	if !ok || name == "" || list == "" {
		return v, fmt.Errorf("--vary %s: it is NAME=1..20 or NAME=0,10,30", text)
	}
	v.name = name
	if lo, hi, is := strings.Cut(list, ".."); is {
		from, err1 := strconv.ParseInt(lo, 10, 64)
		to, err2 := strconv.ParseInt(hi, 10, 64)
		switch {
		case err1 != nil || err2 != nil:
			return v, fmt.Errorf("--vary %s: a range is of ints, such as 1..20", text)
		case from > to:
			return v, fmt.Errorf("--vary %s: the range is empty", text)
		case uint64(to)-uint64(from) >= maxVaried:
			return v, fmt.Errorf("--vary %s: more than %d values", text, maxVaried)
		}
		for n := from; n <= to; n++ {
			v.values = append(v.values, json.RawMessage(strconv.FormatInt(n, 10)))
		}
		return v, nil
	}
	for part := range strings.SplitSeq(list, ",") {
		a, err := argdata.ParseAssignment(name+"="+part, shape)
		if err != nil {
			return v, err
		}
		v.values = append(v.values, a.Value)
	}
	return v, nil
}

// variedRows are all rows of a table: the values of the variations, and the input with them.
func (a *asker) variedRows() (names []string, rows [][]json.RawMessage, err error) {
	rows = [][]json.RawMessage{nil}
	for _, text := range a.vary {
		v, err := parseVary(text, describe.InputOf(a.program.Plan(), a.id))
		if err != nil {
			return nil, nil, err
		}
		names = append(names, v.name)
		var next [][]json.RawMessage
		for _, row := range rows {
			for _, x := range v.values {
				next = append(next, append(slices.Clip(row), x))
			}
		}
		if rows = next; len(rows) > maxVaried {
			return nil, nil, fmt.Errorf("--vary asks for more than %d rows", maxVaried)
		}
	}
	return names, rows, nil
}

// inputWith is the input with values put into it.
func (a *asker) inputWith(names []string, values []json.RawMessage) ([]byte, error) {
	object := json.RawMessage(a.request.Input)
	if len(object) == 0 {
		object = json.RawMessage("{}")
	}
	for i, name := range names {
		var err error
		if object, err = (argdata.Assignment{Path: strings.Split(name, "."), Value: values[i]}).PutInto(object); err != nil {
			return nil, fmt.Errorf("--vary %s: %w", name, err)
		}
	}
	return object, nil
}

// answerTable answers for every value of the inputs that are left open.
func (a *asker) answerTable(subject about) error {
	names, rows, err := a.variedRows()
	if err != nil {
		return err
	}
	t := &oddsTable{about: subject, Varied: names, exact: a.exact}
	for _, row := range rows {
		input, err := a.inputWith(names, row)
		if err != nil {
			return err
		}
		d, err := a.oddsOf(input)
		if err != nil {
			return a.variedError(names, row, err)
		}
		t.addRow(row, d)
	}
	return a.printTable(t)
}

// variedError says with which values something went wrong; of a value that does not fit, as the flag has it.
func (a *asker) variedError(names []string, row []json.RawMessage, err error) error {
	for i, name := range names {
		if what, is := strings.CutPrefix(err.Error(), "input."+name+": "); is {
			return fmt.Errorf("--vary %s=%s: %s", name, strings.Trim(string(row[i]), `"`), what)
		}
	}
	return fmt.Errorf("%s: %w", joinValues(names, row), err)
}

func joinValues(names []string, values []json.RawMessage) string {
	var out []string
	for i, n := range names {
		out = append(out, n+"="+string(values[i]))
	}
	return strings.Join(out, ", ")
}

// writeAnswer writes an answer to the file that is asked for, or to standard output.
func (q *chance) writeAnswer(text []byte) error {
	if q.file != "" && q.file != argdata.Stdin {
		return atomicfile.TheDisk().WriteAnswer(q.file, text)
	}
	_, err := q.c.OutOrStdout().Write(text)
	return err
}
