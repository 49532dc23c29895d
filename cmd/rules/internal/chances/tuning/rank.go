package tuning

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/chances/oddsquery"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// A Ranking says on which values a measure depends, the strongest first.
type Ranking struct {
	Value    float64 // of the measure, as things are
	Effects  []Effect
	Idle     int // changes that leave the measure as it is
	Refused  int // changes with which there is no answer
	Measured int // settings that were asked
}

// An Effect is what one change does to a measure.
type Effect struct {
	Name  string
	From  json.RawMessage
	To    json.RawMessage
	Value float64 // of the measure then
}

// Rank asks for a measure with each change of each lever alone.
//
// A change that a schema, a requirement or the machine refuses is no error: where the least bonus is 0, one less is no
// question. Everything that it is refused for would be refused to the author as well.
func Rank(ctx context.Context, o oddsquery.Opening, m oddsquery.Measure, levers []Lever) (*Ranking, error) {
	measures := []oddsquery.Measure{m}
	now, err := oddsquery.MeasureAt(ctx, o, measures, oddsquery.Setting{})
	if err != nil {
		return nil, err
	}
	r := &Ranking{Value: now[0], Measured: 1}
	for _, l := range levers {
		for _, to := range l.To {
			r.Measured++
			v, err := oddsquery.MeasureAt(ctx, o, measures,
				oddsquery.Setting{Names: []string{l.Name}, Values: []json.RawMessage{to}})
			_, isTooMuch := errors.AsType[*odds.BudgetError](err)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case isTooMuch:
				return nil, err
			case err != nil:
				r.Refused++
			case oddsquery.IsSame(v[0], r.Value):
				r.Idle++
			default:
				r.Effects = append(r.Effects, Effect{l.Name, l.Now, to, v[0]})
			}
		}
	}
	slices.SortStableFunc(r.Effects, func(a, b Effect) int {
		return cmp.Compare(math.Abs(b.Value-r.Value), math.Abs(a.Value-r.Value))
	})
	return r, nil
}
