package tuning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// A Contest compares the values of one open name by the distribution of a number, in each setting of the other open names.
type Contest struct {
	Options    oddsquery.Variation
	Situations []oddsquery.Setting // one without names, when nothing else is open
	Of         [][]*odds.Marginal  // of each option in each situation; nil where the rule refuses it
}

// NewContest asks for the first formula of a question with each value of its first open name.
func NewContest(ctx context.Context, o oddsquery.Opening) (*Contest, error) {
	open, err := o.Variations()
	if err != nil {
		return nil, err
	}
	settings, err := o.Settings()
	if err != nil {
		return nil, err
	}
	c := &Contest{Options: open[0]}
	situations := len(settings) / len(c.Options.Values)
	for i := range c.Options.Values {
		var row []*odds.Marginal
		for _, s := range settings[i*situations:][:situations] {
			if i == 0 {
				c.Situations = append(c.Situations, oddsquery.Setting{Names: s.Names[1:], Values: s.Values[1:]})
			}
			a, err := o.OddsAt(ctx, s)
			if err != nil {
				return nil, err
			}
			m := a.Outputs[0]
			switch {
			case len(m.Values) == 0:
				m = nil
			case !m.Numeric() && !isTruth(m):
				return nil, errors.New("what is compared is a number or a condition")
			}
			row = append(row, m)
		}
		c.Of = append(c.Of, row)
	}
	if !slices.ContainsFunc(slices.Concat(c.Of...), func(m *odds.Marginal) bool { return m != nil }) {
		return nil, fmt.Errorf("%s: %w", c.Options.Name, oddsquery.ErrNoValue)
	}
	return c, nil
}

// isTruth reports whether a distribution is of a condition.
func isTruth(m *odds.Marginal) bool {
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

// Option returns the value of an option.
func (c *Contest) Option(i int) json.RawMessage { return c.Options.Values[i] }
