package odds

import (
	"errors"
	"fmt"
	"math"
)

// A BudgetError is a question whose answer would take more work or memory than is allowed.
type BudgetError struct {
	Subject string  // what makes it so large
	Needs   float64 // about how many of What; may be infinite
	Budget  float64 // how many are allowed
	What    string  // "values", "states", ...
	Advice  string  // a form that would take less, when one is known
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

// DefaultBudget is how many times a state may meet a class where the question does not say.
const DefaultBudget = 20_000_000

// ErrStopped ends a question whose Stop was closed. Package runtime returns the cause of the context in its place.
var ErrStopped = errors.New("canceled")
