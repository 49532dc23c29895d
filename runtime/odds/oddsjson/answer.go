package oddsjson

import (
	"cmp"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// An Answer has the distributions of outputs. Their probabilities, those of the endings and that of dice which were not
// followed add up to 1. Under a condition they are those given the condition, and there are no endings.
type Answer struct {
	Subject
	Notes []string            `json:"notes,omitempty"` // where other programs read the dice otherwise
	After int                 `json:"after_events,omitempty"`
	Given string              `json:"given,omitempty"`
	Odds  map[string]Marginal `json:"odds"`
	Joint []Outcome           `json:"joint,omitempty"`
	Ends  []End               `json:"ends,omitempty"` // of a procedure
	Open  float64             `json:"open,omitempty"` // likewise: it goes on
	Endings
	FloatsBecause string `json:"floats_because,omitempty"` // of a procedure
	Work          int64  `json:"work,omitempty"`           // states that were met
}

// Endings are the ways without outputs, by their meaning for a reader.
type Endings struct {
	Refused         []Ending `json:"refused,omitempty"`
	Failed          []Ending `json:"failed,omitempty"`
	Unended         []Ending `json:"unended,omitempty"`    // the procedure goes on
	Unfollowed      float64  `json:"unfollowed,omitempty"` // dice explode further than was followed
	UnfollowedExact string   `json:"unfollowed_exact,omitempty"`
}

// An Ending is why there are no outputs.
type Ending struct {
	Message string  `json:"message"`
	P       float64 `json:"p"`
	Exact   string  `json:"exact,omitempty"`
}

// A Marginal is the distribution of one output with its statistics.
type Marginal struct {
	Mean         *float64                `json:"mean,omitempty"`
	ExactMean    string                  `json:"exact_mean,omitempty"`
	Deviation    *float64                `json:"deviation,omitempty"`
	Skewness     *float64                `json:"skewness,omitempty"` // of a number that is not always the same
	Entropy      float64                 `json:"entropy"`            // in bits
	Modes        []jsonio.Value          `json:"modes,omitempty"`
	Quantiles    map[string]jsonio.Value `json:"quantiles,omitempty"`
	Distribution []Value                 `json:"distribution"`
}

// A Value is one value of an output, with the probabilities of it, of at least it, and of at most it.
type Value struct {
	Value   jsonio.Value `json:"value"`
	P       float64      `json:"p"`
	Exact   string       `json:"exact,omitempty"`
	AtLeast *float64     `json:"at_least,omitempty"`
	AtMost  *float64     `json:"at_most,omitempty"`
}

// An Outcome has a value for each output.
type Outcome struct {
	Output map[string]jsonio.Value `json:"output"`
	P      float64                 `json:"p"`
	Exact  string                  `json:"exact,omitempty"`
}

// NewAnswer returns the distributions of an answer, with fractions when exact.
func NewAnswer(s Subject, a *odds.Answer, endings Endings, exact bool) *Answer {
	out := &Answer{Subject: s, Given: a.Given, Odds: map[string]Marginal{}, Endings: endings}
	if a.Joint != nil {
		out.Work = a.Joint.Spent
	}
	for _, m := range a.Outputs {
		x := newMarginal(m, exact)
		if m.Numeric() {
			x.addStatistics(m, a.Means[m.Name], exact && endings.Unfollowed == 0)
		}
		out.Odds[m.Name] = x
	}
	return out
}

// NewEndings sorts endings by their meaning. Refusals of rules and events that are not offered are one kind: the answer
// is no. The joint distribution that they belong to writes their fractions; nil for none.
func NewEndings(list []odds.Ended, fractions *odds.Joint) Endings {
	var out Endings
	unfollowed := new(big.Int)
	for _, e := range list {
		x := Ending{Message: e.Message, P: e.P}
		if fractions != nil {
			x.Exact = fractions.Fraction(e.N)
		}
		switch e.Kind {
		case odds.Refused, odds.NotOffered:
			out.Refused = append(out.Refused, x)
		case odds.Failed:
			out.Failed = append(out.Failed, x)
		case odds.Unended:
			out.Unended = append(out.Unended, x)
		// Several dice may be cut off at different depths; to a reader this is one lack.
		default:
			out.Unfollowed += e.P
			unfollowed.Add(unfollowed, cmp.Or(e.N, new(big.Int)))
		}
	}
	if fractions != nil && out.Unfollowed > 0 {
		out.UnfollowedExact = fractions.Fraction(unfollowed)
	}
	return out
}

// NewOutcomes returns the outcomes of a joint distribution, with fractions when exact.
func NewOutcomes(j *odds.Joint, exact bool) []Outcome {
	var out []Outcome
	for _, o := range j.Outcomes() {
		x := Outcome{Output: map[string]jsonio.Value{}, P: o.P}
		for k, name := range j.Names {
			x.Output[name] = o.Values[k]
		}
		if exact {
			x.Exact = j.Fraction(o.N)
		}
		out = append(out, x)
	}
	return out
}

func newMarginal(m *odds.Marginal, exact bool) Marginal {
	out := Marginal{Distribution: []Value{}, Entropy: m.Entropy()}
	atLeast, atMost := m.AtLeast(), m.AtMost()
	for i, v := range m.Values {
		x := Value{Value: v, P: m.P[i]}
		if exact {
			x.Exact = m.Exact(i)
		}
		if m.Numeric() {
			x.AtLeast, x.AtMost = &atLeast[i], &atMost[i]
		}
		out.Distribution = append(out.Distribution, x)
	}
	return out
}

// quantiles are the quantiles of an answer, with the names of their members.
var quantiles = []struct {
	name string
	of   float64
}{{"0.05", 0.05}, {"0.25", 0.25}, {"0.5", 0.5}, {"0.75", 0.75}, {"0.95", 0.95}}

// addStatistics adds what only a number has. A mean in closed form takes the place of the sum over the followed values,
// in the number and in the fraction alike. Otherwise the mean is a fraction when all of the distribution is known in
// fractions.
func (out *Marginal) addStatistics(m *odds.Marginal, closed *big.Rat, fractions bool) {
	mean, deviation := m.Mean(), m.Deviation()
	out.Mean, out.Deviation, out.Quantiles = &mean, &deviation, map[string]jsonio.Value{}
	out.Modes = m.Modes()
	if skewness, ok := m.Skewness(); ok {
		out.Skewness = &skewness
	}
	for _, q := range quantiles {
		out.Quantiles[q.name] = m.Quantile(q.of)
	}
	exact := closed
	switch {
	case closed != nil:
		mean, _ = closed.Float64()
	case fractions:
		exact = m.ExactMean()
	}
	if exact != nil {
		out.ExactMean = exact.RatString()
	}
}
