package eliminate

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/odds"
)

// How many numbers of 64 bits a table of states may hold, which is known to be so large only when it is: so many within the
// default budget, more of them the larger the budget is, and never more than 2 GiB of them.
const (
	usualNumbers = 1 << 24
	mostNumbers  = 1 << 28
)

// fixedLimit is the advice of a limit that stands whatever the budget is.
const fixedLimit = "no budget raises that"

// maxNumbers returns the largest number of numbers in a table within a budget.
func (b *budget) maxNumbers() int {
	if b.all <= odds.DefaultBudget {
		return usualNumbers
	}
	return int(min(mostNumbers, usualNumbers*(float64(b.all)/odds.DefaultBudget)))
}

// A budget is work that may be done: a unit is a state that meets a class, or so many of the words that long formulas take.
//
// There is one for each question. Dice that were made for an earlier question are charged again (chargeAgain), so that
// an answer does not become cheaper by what was asked before; exceptions are told in recall.go.
type budget struct {
	all, spent int64
	words      int64 // of the stage, that are counted among what is spent
	states     int   // the most at once
	// What is spent when the next forecast of steps comes (forecast.go), and the next of a fold (forecast_fold.go).
	forecast, foldForecast int64
	stop                   <-chan struct{}
}

// wordsOfUnit is how many words of long formulas are a unit of work.
const wordsOfUnit = 1 << 8

// isForecastDue reports whether so much was spent, or will be at once, that the next forecast is due, and puts it off.
func (b *budget) isForecastDue(next *int64, units int64) bool {
	if b.spent+units < max(firstForecast, *next) {
		return false
	}
	*next = 4 * (b.spent + units)
	return true
}

// A projection follows a state space that grows with every repetition of the same step. While nothing merges it grows
// by the same factor each time, and what the whole takes is known long before it is spent.
//
// In numbers: states double with each of 40 iterations. From 1,024 states on (with three equal factors of 2 before) and
// 30 iterations to go, 1,024·2^30 = 2^40 states are projected, about 10^12. That is refused after a thousand states,
// and not only when the budget is spent. Factors that shrink, because states merge, never are steady and are never
// refused here.
type projection struct {
	last, factor float64
	steady       int // steps in a row that have grown by the same factor
}

// After so many such steps, and with so many states, the growth is taken for settled.
const (
	steadySteps  = 3
	leastSettled = 1 << 10
)

// projectWork returns the work of the remaining steps, when the growth is settled; else 0.
func (p *projection) projectWork(states, left int64) float64 {
	factor := 0.0
	if p.last > 0 {
		factor = float64(states) / p.last
	}
	if factor > 1 && math.Abs(factor-p.factor) < 1e-9*factor {
		p.steady++
	} else {
		p.steady = 0
	}
	p.last, p.factor = float64(states), factor
	if p.steady < steadySteps-1 || states < leastSettled {
		return 0
	}
	return float64(states) * math.Pow(factor, float64(left))
}
