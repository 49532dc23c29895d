package odds

import (
	"errors"
	"fmt"
	"math"
)

// A BudgetError is a question whose answer would take more work or memory than is allowed.
type BudgetError struct {
	Subject string // what makes it so large
	Needs   float64
	Budget  float64
	What    string // of what: "values", "states", ...
	Advice  string // a form that would take less, when one is known
}

// Error names the cause and, where one is known, a form that works.
func (e *BudgetError) Error() string {
	budget := fmt.Sprintf("%.3g", e.Budget)
	needs := fmt.Sprintf("about %.3g %s", e.Needs, e.What)
	if needs == fmt.Sprintf("about %s %s", budget, e.What) { // they differ in digits that are not shown
		needs = fmt.Sprintf("a few more %s", e.What)
	}
	if math.IsInf(e.Needs, 1) {
		needs = fmt.Sprintf("more %s than can be counted", e.What)
	}
	text := fmt.Sprintf("%s: exact odds need %s, but the budget is %s", e.Subject, needs, budget)
	if e.Advice != "" {
		text += "; " + e.Advice
	}
	return text
}

// DefaultBudget is how many times a state may meet a class.
const DefaultBudget = 20_000_000

// Bounds of the numbers of 64 bits that are held at once.
const (
	maxHeld   = 1 << 26 // by lists, and by the parts of a notation
	maxStates = 1 << 24 // by a table of states, which is known to be so large only when it is
)

// A budget is work that may be done: a unit is a state that meets a class, or so many of the words that long formulas take.
type budget struct {
	all, spent int64
	words      int64 // of the stage, that are counted among what is spent
	states     int   // the most at once
	stop       <-chan struct{}
}

// ErrStopped ends a question whose Stop was closed.
var ErrStopped = errors.New("stopped: nobody waits for the answer")

const wordsOfUnit = 1 << 8

// A projection follows a state space that grows with every repetition of the same step. While nothing merges it grows
// by the same factor each time, and what the whole takes is known long before it is spent.
type projection struct {
	last, factor float64
	steady       int // steps in a row that have grown by the same factor
}

// After so many such steps, and with so many states, the growth is taken for settled.
const (
	steadySteps  = 3
	leastSettled = 1 << 10
)

// needs is what the steps that are left take, when the growth is settled; else 0.
func (p *projection) needs(states, left int64) float64 {
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

// Limits of the distribution of an expression.
const (
	maxSupport = 1 << 20       // values of a line
	maxWords   = 1 << 22       // of all weights of a line as whole numbers
	maxReals   = 1_000_000_000 // multiplications of floats

	// Multiplications of words: up to the first limit fractions cost no more than floats, and every answer has them.
	maxWholes = 4_000_000
	maxExact  = 1_000_000_000
)
