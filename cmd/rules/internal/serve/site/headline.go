package site

import (
	"strconv"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A headlineOdds is how the dice may answer what players ask: the chances of each headline.
type headlineOdds struct {
	Chance, What string // to succeed or, where nothing is a success, that something holds; "" for neither
	Outcomes     []outcomeView
	p            float64 // of Chance
}

// An outcomeView is a headline with its chance, and its part of a strip of all of them, in hundredths.
type outcomeView struct {
	Label, Tone, Chance string
	X, Width            string
}

// mostOutcomes is how many headlines stand beside each other.
const mostOutcomes = 12

// newHeadlineOdds finds the output that alone decides the headline of a rule; without one, the first choice or truth that
// may come out either way.
//
// A headline is told of each of its values as of an answer that has nothing else: where it reads more than that, nothing is
// told.
func newHeadlineOdds(t *say.Teller, d *oddspage.Distributions) *headlineOdds {
	var choice, truth *odds.Marginal
	for _, m := range d.Marginals {
		if len(m.Values) == 0 || len(m.Values) > mostOutcomes {
			continue
		}
		if out := outcomesOf(t, m); out != nil {
			return out
		}
		if choice == nil && m.Values[0].Kind() == plan.String && len(m.Values) > 1 {
			choice = m
		}
		if truth == nil && m.Values[0].Kind() == plan.Bool && len(m.Values) == 2 {
			truth = m
		}
	}
	switch {
	case choice != nil:
		return &headlineOdds{Outcomes: listOutcomes(choice, func(_ int, v runtime.Value) (label, tone string) {
			return t.LabelOf(choice.Name, v.Text()), plan.OtherTone.String()
		})}
	case truth != nil:
		what := t.Heading(truth.Name)
		return &headlineOdds{Chance: chanceText(truth.P[1]), What: what, p: truth.P[1],
			Outcomes: listOutcomes(truth, func(_ int, v runtime.Value) (label, tone string) {
				tone = plan.FailTone.String()
				if v.Bool() {
					tone = plan.OtherTone.String()
				}
				return what + ": " + t.Show(truth.Name, v.AppendJSON(nil)), tone
			})}
	}
	return nil
}

// listOutcomes returns the values of an output with their chances.
func listOutcomes(m *odds.Marginal, tell func(i int, v runtime.Value) (label, tone string)) []outcomeView {
	var out []outcomeView
	at := 0.0
	for i, v := range m.Values {
		label, tone := tell(i, v)
		out = append(out, outcomeView{Label: label, Tone: tone, Chance: chanceText(m.P[i]), X: hundredths(at),
			Width: hundredths(m.P[i])})
		at += m.P[i]
	}
	return out
}

// outcomesOf returns the headlines of the values of an output; nil where it alone decides none.
func outcomesOf(t *say.Teller, m *odds.Marginal) *headlineOdds {
	isTold, success, chance := true, false, 0.0
	list := listOutcomes(m, func(i int, v runtime.Value) (label, tone string) {
		told := t.Tell(say.Answer{Output: jsontext.Join([]jsontext.Member{{Name: m.Name, Value: v.AppendJSON(nil)}})})
		isTold = isTold && told.Headline != ""
		if told.Tone == plan.WinTone || told.Tone == plan.RareTone {
			success = true
			chance += m.P[i]
		}
		return told.Headline, told.Tone.String()
	})
	if !isTold {
		return nil
	}
	out := &headlineOdds{Outcomes: list}
	if success {
		out.Chance, out.What, out.p = chanceText(chance), "to succeed", chance
	}
	return out
}

func hundredths(p float64) string { return strconv.FormatFloat(100*p, 'f', 2, 64) }

// chanceText returns a chance as people say it at a table: whole per cent, one decimal below 1 % and above 99 %. What can
// happen is never 0 %, and what need not is never 100 %.
func chanceText(p float64) string {
	const near = 1e-12 // rounding of sums
	switch percent := 100 * p; {
	case p <= near:
		return "0 %"
	case p >= 1-near:
		return "100 %"
	case percent < .05:
		return "under 0.1 %"
	case percent > 99.95:
		return "over 99.9 %"
	case percent < .95 || percent > 99.05:
		return strconv.FormatFloat(percent, 'f', 1, 64) + " %"
	default:
		return strconv.FormatFloat(percent, 'f', 0, 64) + " %"
	}
}
