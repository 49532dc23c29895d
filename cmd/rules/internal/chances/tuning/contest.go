package tuning

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// A Contest compares options by the distribution of a number, in each of several situations.
type Contest struct {
	Compared   string              // the difference of the options: an open name, "rule", "formula", or "question"
	Options    []json.RawMessage   // values of that name, or words
	Situations []oddsquery.Setting // one without names, when nothing else is open
	Of         [][]*odds.Marginal  // of each option in each situation; nil where the rule refuses it
}

// A contestant is an option: a formula of a question, with values of its own.
type contestant struct {
	option  json.RawMessage
	of      oddsquery.Opening
	formula int
	with    oddsquery.Setting
	shares  bool // the situations, with rules that have other inputs
}

// NewContest asks for the formulas of contenders with each setting of what vary leaves open. One contender with one formula
// is compared with itself: the options are then the values of the first open name. The error is a NoValueError when the
// rule refuses all options in all situations.
func NewContest(ctx context.Context, contenders []Contender, vary []string) (*Contest, error) {
	c := &Contest{}
	list, err := c.listContestants(contenders, vary)
	if err != nil {
		return nil, err
	}
	var refused *oddsquery.NoValueError // the first one
	for _, x := range list {
		var row []*odds.Marginal
		for _, s := range c.Situations {
			m, err := x.oddsIn(ctx, s)
			if none, is := errors.AsType[*oddsquery.NoValueError](err); is {
				refused = cmp.Or(refused, none)
			} else if err != nil {
				return nil, err
			}
			row = append(row, m)
		}
		c.Options, c.Of = append(c.Options, x.option), append(c.Of, row)
	}
	if !slices.ContainsFunc(slices.Concat(c.Of...), func(m *odds.Marginal) bool { return m != nil }) {
		return nil, refused
	}
	return c, nil
}

// listContestants returns the options, and sets what they are and the situations.
func (c *Contest) listContestants(contenders []Contender, vary []string) (out []contestant, err error) {
	open, err := openNames(contenders, vary)
	if err != nil {
		return nil, err
	}
	first := contenders[0]
	if len(contenders) == 1 && len(first.Formulas) == 1 {
		if len(open) == 0 {
			return nil, errors.New("there is one option only: name several rules, several formulas by of, or several " +
				"values by vary, as weapon=axe,bow")
		}
		with, err := readSettings(&first, &first.Formulas[0], open)
		if err != nil {
			return nil, err
		}
		for _, v := range open[0].Values {
			out = append(out, contestant{v, first.Of, 0, with.With(open[0].Name, v), false})
		}
		c.Compared, open = open[0].Name, open[1:]
	} else {
		c.Compared = tellApart(contenders)
		for _, x := range contenders {
			for i, f := range x.Formulas {
				with, err := readSettings(&x, &f, open)
				if err != nil {
					return nil, err
				}
				out = append(out, contestant{jsontext.Quote(x.label(&f, c.Compared)), x.Of, i, with,
					len(contenders) > 1})
			}
		}
	}
	c.Situations, err = oddsquery.Combine(open)
	return out, err
}

// readSettings returns the values that a formula is asked with. It refuses those of names that are left open too: one
// of the two would be passed over in silence.
func readSettings(x *Contender, f *ComparedFormula, open []oddsquery.Variation) (oddsquery.Setting, error) {
	s, err := x.Of.ParseSetting(f.With)
	for _, v := range open {
		if slices.ContainsFunc(s.Names, func(name string) bool { return oddsquery.Overlaps(name, v.Name) }) {
			return s, fmt.Errorf("%s sets %s, which is left open too: leave one of them out", f.Text, v.Name)
		}
	}
	return s, err
}

// SizeOfContest returns how many options NewContest compares, and how many settings it asks for.
func SizeOfContest(contenders []Contender, vary []string) (options, settings int, err error) {
	var c Contest
	list, err := c.listContestants(contenders, vary)
	return len(list), len(list) * len(c.Situations), err
}

// oddsIn returns the distribution of a contestant in a situation, a NoValueError where the rule refuses it. A name that is
// left open and that its rule does not have makes no difference to it.
func (x *contestant) oddsIn(ctx context.Context, situation oddsquery.Setting) (*odds.Marginal, error) {
	s := x.with
	for i, name := range situation.Names {
		if !x.shares || x.of.CanSet(name) {
			s = s.With(name, situation.Values[i])
		}
	}
	a, err := x.of.OddsAt(ctx, s)
	if err != nil {
		return nil, err
	}
	m := a.Outputs[x.formula]
	switch {
	case len(m.Values) == 0:
		return nil, a.NoValue()
	case !m.Numeric() && !IsTruth(m):
		return nil, fmt.Errorf("%s: what is compared is a number or a condition", x.option)
	}
	return m, nil
}

// IsTruth reports whether a distribution is of a condition.
func IsTruth(m *odds.Marginal) bool {
	if len(m.Values) == 0 {
		return false
	}
	text := m.Values[0].String()
	return text == "true" || text == "false"
}

// MeanOf returns the mean of a number, or the chance of a condition.
func MeanOf(m *odds.Marginal) float64 {
	if m.Numeric() {
		return m.Mean()
	}
	l, out := LawOf(m), 0.0
	for i, v := range l.values {
		if v.Sign() > 0 {
			out, _ = l.p[i].Float64()
		}
	}
	return out
}

// BestIn returns the situations in which an option has the greatest mean, alone or with others.
func (c *Contest) BestIn(option int) (out []int) {
	for s := range c.Situations {
		m := c.Of[option][s]
		if m == nil {
			continue
		}
		isBest := !slices.ContainsFunc(c.Of, func(row []*odds.Marginal) bool {
			return row[s] != nil && MeanOf(row[s]) > MeanOf(m) && !oddsquery.IsSame(MeanOf(row[s]), MeanOf(m))
		})
		if isBest {
			out = append(out, s)
		}
	}
	return out
}

// DominatedBy returns the first option with a mean that is in no situation less than that of an option, and in some
// greater; -1 when there is none.
func (c *Contest) DominatedBy(option int) int {
	return slices.IndexFunc(c.Of, func(other []*odds.Marginal) bool {
		greater := false
		for s, m := range c.Of[option] {
			if m == nil {
				greater = greater || other[s] != nil
				continue
			}
			if other[s] == nil {
				return false
			}
			a, b := MeanOf(other[s]), MeanOf(m)
			if oddsquery.IsSame(a, b) {
				continue
			}
			if a < b {
				return false
			}
			greater = true
		}
		return greater
	})
}
