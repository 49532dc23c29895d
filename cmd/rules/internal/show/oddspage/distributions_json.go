package oddspage

// The JSON of odds is a promise to programs: a member may be added, none renamed or given another
// unit. Probabilities are numbers from 0 to 1, fractions are strings such as "5/36", values keep
// their types. The means, quantiles and modes are there for numbers only; "work" counts the states
// that were met, which is what --budget bounds.

import (
	"strconv"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
)

type jsonOdds struct {
	Subject
	Notes           []string                `json:"notes,omitempty"` // where other programs read the dice otherwise
	After           int                     `json:"after_events,omitempty"`
	Given           string                  `json:"given,omitempty"`
	Odds            map[string]jsonMarginal `json:"odds"`
	Joint           []jsonOutcome           `json:"joint,omitempty"`
	Ends            []jsonEnd               `json:"ends,omitempty"` // of a procedure
	Open            float64                 `json:"open,omitempty"` // likewise: it goes on
	Refused         []ending                `json:"refused,omitempty"`
	Failed          []ending                `json:"failed,omitempty"`
	Unended         []ending                `json:"unended,omitempty"`        // the procedure goes on
	FloatsBecause   string                  `json:"floats_because,omitempty"` // of a procedure
	Unfollowed      float64                 `json:"unfollowed,omitempty"`
	UnfollowedExact string                  `json:"unfollowed_exact,omitempty"`
	Work            int64                   `json:"work,omitempty"` // states that were met
}

type jsonMarginal struct {
	Mean         *float64                 `json:"mean,omitempty"`
	ExactMean    string                   `json:"exact_mean,omitempty"`
	Deviation    *float64                 `json:"deviation,omitempty"`
	Skewness     *float64                 `json:"skewness,omitempty"` // of a number that is not always the same
	Entropy      float64                  `json:"entropy"`            // in bits
	Modes        []runtime.Value          `json:"modes,omitempty"`
	Quantiles    map[string]runtime.Value `json:"quantiles,omitempty"`
	Distribution []jsonValue              `json:"distribution"`
}

type jsonValue struct {
	Value   runtime.Value `json:"value"`
	P       float64       `json:"p"`
	Exact   string        `json:"exact,omitempty"`
	AtLeast *float64      `json:"at_least,omitempty"`
	AtMost  *float64      `json:"at_most,omitempty"`
}

type jsonOutcome struct {
	Output map[string]runtime.Value `json:"output"`
	P      float64                  `json:"p"`
	Exact  string                   `json:"exact,omitempty"`
}

func (d *Distributions) toJSON() any {
	out := jsonOdds{
		Subject: d.Subject, Notes: d.notes, Given: d.Given, Refused: d.refused, Failed: d.failed, Unfollowed: d.unfollowed,
		UnfollowedExact: d.unfollowedExact, Unended: d.unended, After: d.After,
		FloatsBecause: d.floatsBecause(),
		Odds:          map[string]jsonMarginal{},
	}
	for _, m := range d.Marginals {
		out.Odds[m.Name] = d.jsonOfMarginal(m)
	}
	if d.Course != nil {
		out.Ends, out.Open = jsonOfEnds(d.Course), d.Course.Open
	}
	if d.All == nil {
		return out
	}
	out.Work = d.All.Spent
	if d.ShowsJoint {
		out.Joint = jsonOfOutcomes(d.All, d.Exact)
	}
	return out
}

func jsonOfOutcomes(j *odds.Joint, exact bool) []jsonOutcome {
	var out []jsonOutcome
	for _, o := range j.Outcomes() {
		x := jsonOutcome{Output: map[string]runtime.Value{}, P: o.P}
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

// jsonOfMarginal returns a distribution with its statistics. A mean in closed form takes the place of the sum over the
// followed values, in the number and in the fraction alike.
func (d *Distributions) jsonOfMarginal(m *odds.Marginal) jsonMarginal {
	out := jsonMarginal{Distribution: []jsonValue{}, Entropy: m.Entropy()}
	if m.Numeric() {
		mean, deviation := m.Mean(), m.Deviation()
		if closed := d.Means[m.Name]; closed != nil {
			mean, _ = closed.Float64()
		}
		out.Mean, out.Deviation, out.Quantiles = &mean, &deviation, map[string]runtime.Value{}
		out.Modes = m.Modes()
		if skewness, ok := m.Skewness(); ok {
			out.Skewness = &skewness
		}
		// The keys of the JSON are the same texts that are parsed here, so that no formatting of
		// floats can change them.
		for _, q := range []string{"0.05", "0.25", "0.5", "0.75", "0.95"} {
			f, err := strconv.ParseFloat(q, 64)
			must.Succeed(err)
			out.Quantiles[q] = m.Quantile(f)
		}
		if exact, closed := m.ExactMean(), d.Means[m.Name]; closed != nil {
			out.ExactMean = closed.RatString()
		} else if d.Exact && exact != nil && d.unfollowed == 0 {
			out.ExactMean = exact.RatString()
		}
	}
	atLeast, atMost := m.AtLeast(), m.AtMost()
	for i, v := range m.Values {
		x := jsonValue{Value: v, P: m.P[i]}
		if d.Exact {
			x.Exact = m.Exact(i)
		}
		if m.Numeric() {
			x.AtLeast, x.AtMost = &atLeast[i], &atMost[i]
		}
		out.Distribution = append(out.Distribution, x)
	}
	return out
}
