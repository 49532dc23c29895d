package runtime

import (
	"context"
	"errors"
	"fmt"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// Odds when some dice have fallen.
//
// A solver knows no faces that have fallen. So everything is carried out for each way in which the other dice can fall, as
// it would be with these faces given. That is for the last dice of a roll, of which a player asks whether it can still
// succeed: their ways multiply.

// maxWays bounds the ways in which the dice that are left may fall. So many evaluations take a second.
const maxWays = 50_000

// fallenOdds returns the odds of outputs after some faces of a throw have fallen, by evaluating every way in which the
// remaining dice can fall. A refusal or a failure of evaluate is counted as an ending.
func fallenOdds(ctx context.Context, t *dice.Throw, o *odds.Options, outputs []string, character []byte,
	evaluate func(dice.Source) (jsonio.Value, error)) (*odds.Answer, error) {
	switch {
	case t.Dice.List != nil:
		return nil, errors.New("odds after faces that have fallen: give each by the id of its die")
	case o.Exact || o.Strategy != nil:
		return nil, errors.New("odds after faces that have fallen are decimals, and decide nothing")
	}
	joint, collector := &odds.Joint{Names: outputs}, odds.Collector{}
	ways := dice.NewWays(t.Dice.ByID.ByID())
	for more := true; more; more = ways.Next() {
		if joint.Spent++; joint.Spent > maxWays {
			return nil, fmt.Errorf("the dice that are left fall in more than %d ways: odds need some of them first",
				maxWays)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		out, err := evaluate(ways)
		refused, isRefused := errors.AsType[*Refused](err)
		failed, isFailed := errors.AsType[*Failure](err)
		switch {
		case isRefused:
			collector.AddEnding(odds.Ending{Kind: odds.Refused, Message: refused.Require.Message,
				Cite: refused.Require.Cite},
				ways.P(), nil, nil)
		case isFailed:
			collector.AddEnding(odds.Ending{Kind: odds.Failed, Message: failed.Error()}, ways.P(), nil, nil)
		case err != nil:
			return nil, err
		default:
			values := make([]jsonio.Value, len(outputs))
			for i, name := range outputs {
				values[i], _ = out.Get(name)
			}
			collector.AddOutcome(values, ways.P(), nil, nil)
		}
	}
	joint.FillLater(func() ([]odds.Outcome, []odds.Ended) { return collector.Outcomes, collector.Endings })
	return odds.NewAnswer([]*odds.Joint{joint}, outputs, o, character)
}
