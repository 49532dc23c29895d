package tuning

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
)

// A Balanced is the answer of Balance.
type Balanced struct {
	Changes []Effect  // whose Value has no meaning
	Before  []float64 // of each goal, with nothing changed; nil where there is no answer then
	After   []float64 // of each goal, with the changes; nil where no choice has an answer
	IsMet   bool      // else the changes are those that miss the goals least
	Tried   int
	Refused string // why the last choice that was asked for and has no answer has none
}

// A try is a choice of a value for each lever.
type try struct {
	values   []json.RawMessage
	edits    int
	distance float64
}

// Balance finds the fewest changes with which all goals are met, and of these the nearest to the values as they are.
//
// # The order is the proof
//
// All choices are sorted by how many levers they change, then by how far they move them in sum: a number by its difference,
// dice by that of their means, anything else by its place among the values to try. They are asked in that order and the
// first that meets all goals is the answer, so that every smaller change has been asked and missed. Chances need not rise
// with a number, so there is nothing to bisect.
func Balance(ctx context.Context, o oddsquery.Opening, goals []oddsquery.Goal, levers []Lever) (*Balanced, error) {
	tries, err := listTries(levers)
	if err != nil {
		return nil, err
	}
	var measures []oddsquery.Measure
	for i := range goals {
		measures = append(measures, goals[i].Measures...)
	}
	out := &Balanced{}
	least := math.Inf(1)
	for _, t := range tries {
		out.Tried++
		measured, err := oddsquery.MeasureAt(ctx, o, measures, t.setting(levers))
		none, isRefused := errors.AsType[*oddsquery.NoValueError](err)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case isRefused && t.edits > 0:
			out.Refused = none.Why // a change that the rule refuses is none
			continue
		case err != nil:
			return nil, err
		}
		values, missed := judge(goals, measured)
		if t.edits == 0 {
			out.Before = values
		}
		if missed < least {
			least = missed
			out.After, out.Changes = values, t.changes(levers)
		}
		if missed == 0 {
			out.IsMet = true
			return out, nil
		}
	}
	return out, nil
}

// judge returns the value of each goal, and by how much they are missed in sum.
func judge(goals []oddsquery.Goal, measured []float64) (values []float64, missed float64) {
	for i := range goals {
		n := len(goals[i].Measures)
		v := goals[i].Value(measured[:n])
		values, missed, measured = append(values, v), missed+goals[i].Misses(v), measured[n:]
	}
	return values, missed
}

// listTries returns all combinations of values, the present one among them, in the order in which they are asked.
func listTries(levers []Lever) ([]try, error) {
	out := []try{{}}
	for _, l := range levers {
		var next []try
		for _, t := range out {
			if l.Now != nil {
				next = append(next, try{append(slices.Clip(t.values), l.Now), t.edits, t.distance})
			}
			for i, to := range l.To {
				next = append(next, try{append(slices.Clip(t.values), to), t.edits + 1,
					t.distance + distanceOf(l.Now, to, i)})
			}
		}
		if out = next; len(out) > oddsquery.MaxVaried {
			return nil, fmt.Errorf("--vary asks for more than %d choices of values", oddsquery.MaxVaried)
		}
	}
	slices.SortStableFunc(out, func(a, b try) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(a.distance, b.distance))
	})
	return out, nil
}

// distanceOf returns how far a value is from another one, dice by their means; place is that among the values to try.
func distanceOf(from, to json.RawMessage, place int) float64 {
	a, isNumber := meanOf(from)
	b, isNumberToo := meanOf(to)
	if !isNumber || !isNumberToo {
		return float64(place + 1)
	}
	return math.Abs(a - b)
}

// meanOf returns a number, or the mean of dice in notation.
func meanOf(value json.RawMessage) (mean float64, ok bool) {
	if f, err := strconv.ParseFloat(string(value), 64); err == nil {
		return f, true
	}
	var text string
	if json.Unmarshal(value, &text) != nil {
		return 0, false
	}
	n, err := dice.ParseNotation(text)
	if err != nil {
		return 0, false
	}
	d, err := notation.Compute(n)
	if err != nil || len(d.Results) != 1 || !d.Results[0].Numeric() {
		return 0, false
	}
	return d.Results[0].Mean(), true
}

// setting returns the changed values of a try, and no others, so that nothing is set that nobody asked for.
func (t *try) setting(levers []Lever) (s oddsquery.Setting) {
	for _, c := range t.changes(levers) {
		s.Names, s.Values = append(s.Names, c.Name), append(s.Values, c.To)
	}
	return s
}

// changes returns the values that a try changes.
func (t *try) changes(levers []Lever) (out []Effect) {
	for i, l := range levers {
		if !bytes.Equal(t.values[i], l.Now) {
			out = append(out, Effect{Name: l.Name, From: l.Now, To: t.values[i]})
		}
	}
	return out
}

// LeversOf returns a lever for each variation of a question. A value that is as it is, is none to try.
func LeversOf(s *Subject, variations []oddsquery.Variation) []Lever {
	var out []Lever
	for _, v := range variations {
		l := Lever{Name: v.Name, Now: s.Now(v.Name)}
		for _, x := range v.Values {
			if !bytes.Equal(x, l.Now) {
				l.To = append(l.To, x)
			}
		}
		out = append(out, l)
	}
	return out
}
