// Package oddsquery asks a rule for its odds: which outputs, under which condition, with which inputs left open, and by
// which policy a procedure is played. It reads what flags say, compiles the formulas in it, and answers as oddspage writes.
//
// Formulas are over the outputs of the rule, not over its inputs: they are compiled as rules of their own, whose input are
// the outputs they read, and evaluated once for each outcome of the joint distribution.
package oddsquery

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/oddspage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Query is what is asked of a rule.
type Query struct {
	Character, Input []byte // JSON
	Options          map[string]string
	Outputs          []string // asked for by name; all when there are neither names nor formulas
	Formulas         []string // asked for: each has a distribution of its own
	Given            string   // a condition over the outputs; "" for none
	Vary             []string // inputs that are left open: NAME=1..20 or NAME=0,10,30
	Exact            bool     // answer in fractions
	Budget           int64    // states that may be met

	// FormulaFlag is the flag that gave the formulas, for messages.
	FormulaFlag string
	// Locate adds the file and the line to the error of a value of the character or the input.
	Locate func(error) error
}

// An Asker answers a query about one rule of a program.
type Asker struct {
	Query
	rule     *odds.Rule
	given    *formula
	formulas []*formula
	input    *plan.Shape
}

// NewAsker compiles the formulas of a query and schedules the rule for the outputs that it needs.
func NewAsker(program *runtime.Program, id string, q Query) (*Asker, error) {
	a := &Asker{Query: q, input: describe.InputOf(program.Plan(), id)}
	var err error
	if q.Given != "" {
		if a.given, err = compileFormula(program.Plan(), id, "--given", q.Given); err != nil {
			return nil, err
		}
		if a.given.kind != plan.Bool {
			return nil, fmt.Errorf("--given %s: it is no condition", q.Given)
		}
	}
	for _, text := range q.Formulas {
		f, err := compileFormula(program.Plan(), id, q.FormulaFlag, text)
		if err != nil {
			return nil, err
		}
		a.formulas = append(a.formulas, f)
	}
	a.rule, err = odds.NewRule(program, id, runtime.Choice{Options: q.Options, Outputs: a.neededOutputs()})
	return a, err
}

// neededOutputs are the outputs that the query names or reads; nil for all. Fewer outputs have a smaller joint
// distribution, and dice that none of them reads are not followed.
func (a *Asker) neededOutputs() []string {
	needed := slices.Clone(a.Outputs)
	if len(needed) == 0 && len(a.formulas) == 0 {
		return nil
	}
	for _, f := range append(slices.Clone(a.formulas), a.given) {
		if f == nil {
			continue
		}
		for _, name := range f.reads {
			if !slices.Contains(needed, name) {
				needed = append(needed, name)
			}
		}
	}
	return needed
}

// Odds answers for the input of the query.
func (a *Asker) Odds() (*oddspage.Distributions, error) { return a.oddsOf(a.Input) }

// Estimate tells what the answer takes at most, without answering.
func (a *Asker) Estimate() (*odds.Estimate, error) {
	e, err := a.rule.Estimate(odds.Records{plan.CharacterRoot: a.Character, plan.InputRoot: a.Input})
	if err != nil {
		return nil, a.Locate(err)
	}
	return e, nil
}

func (a *Asker) oddsOf(input []byte) (*oddspage.Distributions, error) {
	var records odds.Records
	records[plan.CharacterRoot], records[plan.InputRoot] = a.Character, input
	joint, err := a.jointOf(odds.Question{Records: records, Exact: a.Exact, Budget: a.Budget})
	if err != nil {
		return nil, a.Locate(err)
	}
	out := &oddspage.Distributions{Exact: a.Exact, All: joint}
	out.AddEndings(joint)
	if a.given != nil {
		if joint, err = joint.Given(func(o *odds.Outcome) (bool, error) {
			v, err := a.given.valueOf(joint.Names, o)
			return v.Bool(), err
		}); err != nil {
			return nil, fmt.Errorf("--given %s: %w", a.given.text, err)
		}
		out.All = joint
		out.SetCondition(a.given.text)
	}
	names := a.Outputs
	if len(names) == 0 && len(a.formulas) == 0 {
		names = joint.Names
	}
	for _, name := range names {
		out.Marginals = append(out.Marginals, joint.Marginal(name))
	}
	if out.LacksOnlyUnfollowed() {
		if out.Means, err = a.closedMeans(out.Marginals, records); err != nil {
			return nil, err
		}
	}
	for _, f := range a.formulas {
		m, err := joint.Of(f.text, func(o *odds.Outcome) (runtime.Value, error) { return f.valueOf(joint.Names, o) })
		if err != nil {
			return nil, fmt.Errorf("--ask %s: %w", f.text, err)
		}
		out.Marginals = append(out.Marginals, m)
	}
	return out, nil
}

// maxRepeated is how many states may be met a second time with fractions, so that no probability shows the
// rounding of sums.
const maxRepeated = 20_000

// jointOf answers in floats first. What took little work is answered again in fractions, which are rounded once; the
// fractions themselves are shown only when they are asked for.
func (a *Asker) jointOf(q odds.Question) (*odds.Joint, error) {
	j, err := a.rule.Odds(q)
	if err != nil || q.Exact || j.Spent > maxRepeated {
		return j, err
	}
	q.Exact = true
	return a.rule.Odds(q)
}

// closedMeans finds the means that have a closed form: of a die that explodes without end, the mean of all that it may show
// and not only of what was followed. A mean that has none is nil.
func (a *Asker) closedMeans(marginals []*odds.Marginal, records odds.Records) (map[string]*big.Rat, error) {
	out := map[string]*big.Rat{}
	for _, m := range marginals {
		mean, err := a.rule.Mean(records, m.Name)
		if err != nil {
			return nil, err
		}
		out[m.Name] = mean
	}
	return out, nil
}

// A Setting is a choice of values for the inputs that are left open.
type Setting struct {
	Names  []string
	Values []json.RawMessage
}

// String writes the values by name.
func (s Setting) String() string {
	var out []string
	for i, n := range s.Names {
		out = append(out, n+"="+string(s.Values[i]))
	}
	return strings.Join(out, ", ")
}

// ByName are the values by name.
func (s Setting) ByName() map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for i, n := range s.Names {
		out[n] = s.Values[i]
	}
	return out
}

// Settings are all choices of values of the inputs that are left open, the last name's varying fastest. There are at most
// maxVaried.
func (a *Asker) Settings() ([]Setting, error) {
	var names []string
	rows := [][]json.RawMessage{nil}
	for _, text := range a.Vary {
		v, err := parseVariation(text, a.input)
		if err != nil {
			return nil, err
		}
		names = append(names, v.name)
		var next [][]json.RawMessage
		for _, row := range rows {
			for _, x := range v.values {
				next = append(next, append(slices.Clip(row), x))
			}
		}
		if rows = next; len(rows) > maxVaried {
			return nil, fmt.Errorf("--vary asks for more than %d rows", maxVaried)
		}
	}
	var out []Setting
	for _, row := range rows {
		out = append(out, Setting{names, row})
	}
	return out, nil
}

// OddsAt answers for the input with values put into it.
func (a *Asker) OddsAt(s Setting) (*oddspage.Distributions, error) {
	object := json.RawMessage(a.Input)
	if len(object) == 0 {
		object = json.RawMessage("{}")
	}
	for i, name := range s.Names {
		var err error
		if object, err = (argdata.Assignment{Path: strings.Split(name, "."), Value: s.Values[i]}).PutInto(object); err != nil {
			return nil, fmt.Errorf("--vary %s: %w", name, err)
		}
	}
	d, err := a.oddsOf(object)
	if err != nil {
		return nil, s.describeError(err)
	}
	return d, nil
}

// describeError says with which values something went wrong. Of a value that does not fit it quotes the flag, because the
// place in the input is not one that the reader wrote.
func (s Setting) describeError(err error) error {
	for i, name := range s.Names {
		if what, is := strings.CutPrefix(err.Error(), "input."+name+": "); is {
			return fmt.Errorf("--vary %s=%s: %s", name, strings.Trim(string(s.Values[i]), `"`), what)
		}
	}
	return fmt.Errorf("%s: %w", s, err)
}

// Table answers for every setting.
func (a *Asker) Table(subject oddspage.Subject) (*oddspage.Table, error) {
	settings, err := a.Settings()
	if err != nil {
		return nil, err
	}
	t := &oddspage.Table{Subject: subject, Varied: settings[0].Names, Exact: a.Exact}
	for _, s := range settings {
		d, err := a.OddsAt(s)
		if err != nil {
			return nil, err
		}
		t.AddRow(s.Values, d)
	}
	return t, nil
}
