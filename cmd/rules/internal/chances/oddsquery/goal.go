package oddsquery

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/odds"
)

// A Goal is what is sought: a comparison of a probability or a mean with a number.
type Goal struct {
	Formula string
	mean    bool // of the formula, else the probability that it holds
	op      string
	limit   float64
}

// ParseGoal returns the goal of a text such as "P(success) >= 0.75" or "E(effect) > 4".
//
// The last parenthesis ends the formula: a formula may have parentheses of its own, but the operator and the number
// behind it have none.
func ParseGoal(text string) (g Goal, err error) {
	wrong := fmt.Errorf("--until %s: it is P(FORMULA) or E(FORMULA), compared with a number: P(success) >= 0.75", text)
	end := strings.LastIndexByte(text, ')')
	inner, found := strings.CutPrefix(strings.TrimSpace(text), "P(")
	if !found {
		if inner, found = strings.CutPrefix(strings.TrimSpace(text), "E("); !found {
			return g, wrong
		}
		g.mean = true
	}
	if end < 0 {
		return g, wrong
	}
	g.Formula = inner[:strings.LastIndexByte(inner, ')')]
	rest := strings.TrimSpace(text[end+1:])
	// The longer operators come first: ">" is the beginning of ">=".
	for _, op := range []string{">=", "<=", ">", "<"} {
		if number, is := strings.CutPrefix(rest, op); is {
			g.op = op
			if g.limit, err = strconv.ParseFloat(strings.TrimSpace(number), 64); err != nil {
				return g, wrong
			}
			return g, nil
		}
	}
	return g, wrong
}

// String writes the measure: "P(success)".
func (g Goal) String() string {
	if g.mean {
		return "E(" + g.Formula + ")"
	}
	return "P(" + g.Formula + ")"
}

// IsMet reports whether a number meets the goal. A number within the rounding error of a sum of floats counts as equal
// to the limit.
func (g Goal) IsMet(v float64) bool {
	// A sum of some thousand doubles is off by less; two chances that differ by less than this are
	// the same to any reader.
	const off = 1e-12
	switch g.op {
	case ">=":
		return v >= g.limit-off
	case "<=":
		return v <= g.limit+off
	case ">":
		return v > g.limit+off
	}
	return v < g.limit-off
}

// IsNearer reports whether a number is nearer to the goal than another one, when both miss it.
func (g Goal) IsNearer(a, b float64) bool {
	if strings.HasPrefix(g.op, ">") {
		return a > b
	}
	return a < b
}

// ErrNoValue is a setting for which the rule always refuses, or the formula never has a value.
var ErrNoValue = errors.New("no value")

// Measure returns the probability or the mean of a goal whose formula is the first that is asked; its error is ErrNoValue
// when the formula never has a value.
func (g Goal) Measure(a *Answer) (float64, error) {
	m := a.Outputs[0]
	switch {
	case len(m.Values) == 0:
		return 0, ErrNoValue
	case g.mean && m.Numeric():
		return m.Mean(), nil
	case g.mean:
		return 0, fmt.Errorf("--until %s: it is no number", g)
	}
	return probabilityOfTrue(m, g)
}

// probabilityOfTrue returns the probability that a condition holds. A distribution lists only
// values that occur: without "true" in it the probability is 0.
func probabilityOfTrue(m *odds.Marginal, g Goal) (p float64, err error) {
	for i, v := range m.Values {
		switch v.String() {
		case "true":
			p = m.P[i]
		case "false":
		default:
			return 0, fmt.Errorf("--until %s: it is no condition", g)
		}
	}
	return p, nil
}
