package oddsquery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// A Measure is a number about odds: the probability that a formula over the outputs holds, or the mean of one.
type Measure struct {
	Formula string
	IsMean  bool
	With    []string // NAME=VALUE: what is set for this measure alone, as --vary names it
	at      int      // of the formula, in the text that it was read from
}

// with stands between a formula and what is set for it.
const with = " with "

// parseMeasure reads "P(success)", "E(damage)" or "E(damage with weapon=axe, range=2)" at the beginning of a text, and
// returns where it ends.
func parseMeasure(text string) (m Measure, end int, ok bool) {
	start := len(text) - len(strings.TrimLeft(text, " "))
	switch {
	case strings.HasPrefix(text[start:], "E("):
		m.IsMean = true
	case !strings.HasPrefix(text[start:], "P("):
		return m, 0, false
	}
	m.at = start + len("P(")
	length := closingParenthesis(text[m.at:])
	if length < 0 {
		return m, 0, false
	}
	m.Formula, m.With = CutSettings(text[m.at : m.at+length])
	return m, m.at + length + 1, strings.TrimSpace(m.Formula) != ""
}

// CutSettings returns the formula of "damage with weapon=axe, range=2", and what is set for it.
func CutSettings(text string) (formula string, settings []string) {
	formula, list, found := strings.Cut(text, with)
	if found {
		for part := range strings.SplitSeq(list, ",") {
			settings = append(settings, strings.TrimSpace(part))
		}
	}
	return formula, settings
}

// closingParenthesis returns where the parenthesis ends in which a text stands, -1 where it does not. Those in strings are
// none.
func closingParenthesis(text string) int {
	depth, quote := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote && text[i-1] != '\\' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')' && depth == 0:
			return i
		case c == ')':
			depth--
		}
	}
	return -1
}

// ParseMeasure reads "P(success)" or "E(damage)".
func ParseMeasure(text string) (Measure, error) {
	m, end, ok := parseMeasure(text)
	if !ok || strings.TrimSpace(text[end:]) != "" {
		return m, fmt.Errorf("%s: it is P(FORMULA), the chance that it holds, or E(FORMULA), the mean of a number", text)
	}
	return m, nil
}

// Padded returns the formula behind as many blanks as stand before it, so that places in a message count from the beginning
// of the text that it was read from.
func (m *Measure) Padded() string { return strings.Repeat(" ", m.at) + m.Formula }

// String writes the measure: "P(success)".
func (m *Measure) String() string {
	inner := m.Formula
	if len(m.With) > 0 {
		inner += with + strings.Join(m.With, ", ")
	}
	if m.IsMean {
		return "E(" + inner + ")"
	}
	return "P(" + inner + ")"
}

// A NoValueError is a setting for which the rule always refuses, or the formula never has a value.
type NoValueError struct{ Why string }

// Error returns the reason.
func (e *NoValueError) Error() string { return e.Why }

// NoValue returns the error of an answer without values. Its reason is the likeliest one.
func (a *Answer) NoValue() *NoValueError {
	if len(a.Endings) == 0 {
		return &NoValueError{"it has none, whatever falls"}
	}
	likeliest := slices.MaxFunc(a.Endings, func(x, y odds.Ended) int { return cmp.Compare(x.P, y.P) })
	switch likeliest.Kind {
	case odds.Refused:
		return &NoValueError{"refused: " + likeliest.Message}
	case odds.Failed:
		return &NoValueError{"failed: " + likeliest.Message}
	}
	return &NoValueError{cmp.Or(likeliest.Message, "dice explode further than was followed")}
}

// valueIn returns the probability or the mean, by the distribution of the formula in an answer; its error is a NoValueError
// when the formula never has a value.
func (m *Measure) valueIn(a *Answer, d *odds.Marginal) (float64, error) {
	switch {
	case len(d.Values) == 0:
		return 0, a.NoValue()
	case m.IsMean && d.Numeric():
		return d.Mean(), nil
	case m.IsMean:
		return 0, fmt.Errorf("%s: it is no number; write P(%s) for the chance that it holds", m, m.Formula)
	}
	p := 0.0 // only values that occur are listed: without "true" among them it is 0
	for i, v := range d.Values {
		switch v.String() {
		case "true":
			p = d.P[i]
		case "false":
		default:
			return 0, fmt.Errorf("%s: it is no condition; write E(%[2]s) for its mean, or P(%[2]s >= 1)", m, m.Formula)
		}
	}
	return p, nil
}

// An Opening answers for settings of what is left open. Its formulas are those of measures, in their order.
type Opening interface {
	// Asked returns the question as it is when nothing is set.
	Asked() *query.Question
	Variations() ([]Variation, error)
	ParseVariation(text string) (Variation, error)
	CanSet(name string) bool
	Settings() ([]Setting, error)
	// ParseSetting reads NAME=VALUE texts.
	ParseSetting(texts []string) (Setting, error)
	OddsAt(context.Context, Setting) (*Answer, error)
}

// Formulas returns the formulas of measures, as a question asks for them.
func Formulas(measures []Measure) []string {
	var out []string
	for i := range measures {
		out = append(out, measures[i].Padded())
	}
	return out
}

// A Measured is the value of a measure, or the reason why it has none.
type Measured struct {
	Value float64
	None  *NoValueError
}

// MeasureAt returns the value of each measure with a setting. Its error is a NoValueError when one has none.
func MeasureAt(ctx context.Context, o Opening, measures []Measure, s Setting) ([]float64, error) {
	list, err := MeasureEach(ctx, o, measures, s)
	if err != nil {
		return nil, err
	}
	var out []float64
	for _, m := range list {
		if m.None != nil {
			return nil, m.None
		}
		out = append(out, m.Value)
	}
	return out, nil
}

// MeasureEach returns each measure with a setting. One that has settings of its own is asked with these too; all others are
// of one answer.
func MeasureEach(ctx context.Context, o Opening, measures []Measure, s Setting) ([]Measured, error) {
	var common *Answer
	out := make([]Measured, len(measures))
	for i := range measures {
		m := &measures[i]
		a, err := common, error(nil)
		if a == nil || len(m.With) > 0 {
			own, err := o.ParseSetting(m.With)
			if err != nil {
				return nil, err
			}
			both := Setting{slices.Concat(s.Names, own.Names), slices.Concat(s.Values, own.Values)}
			if a, err = o.OddsAt(ctx, both); err != nil {
				return nil, err
			}
		}
		if len(m.With) == 0 {
			common = a
		}
		out[i].Value, err = m.valueIn(a, a.Outputs[i])
		if none, is := errors.AsType[*NoValueError](err); is {
			out[i].None = none
		} else if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// FractionAt returns the value of a measure with a setting as a fraction. It is exact where the odds are; else it is that
// of their float, or of plays that were drawn.
func FractionAt(ctx context.Context, o Opening, m Measure, s Setting) (value *big.Rat, isExact bool, err error) {
	own, err := o.ParseSetting(m.With)
	if err != nil {
		return nil, false, err
	}
	a, err := o.OddsAt(ctx, Setting{slices.Concat(s.Names, own.Names), slices.Concat(s.Values, own.Values)})
	if err != nil {
		return nil, false, err
	}
	d := a.Outputs[0]
	v, err := m.valueIn(a, d)
	if err != nil {
		return nil, false, err
	}
	isExact = a.Course == nil || a.Course.Sample == nil && a.Course.Open == 0
	switch at := slices.IndexFunc(d.Values, func(v runtime.Value) bool { return v.String() == "true" }); {
	case m.IsMean:
		value = d.ExactMean()
	case d.Den != nil && at >= 0:
		value = new(big.Rat).SetFrac(d.N[at], d.Den)
	case d.Den != nil:
		value = new(big.Rat)
	}
	if value == nil {
		return new(big.Rat).SetFloat64(v), false, nil
	}
	return value, isExact, nil
}
