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
	text := fmt.Sprintf("%s: exact odds need %s, but the budget is %s", e.Subject, e.DescribeNeeds(),
		FormatWork(e.Budget))
	if e.Advice != "" {
		text += "; " + e.Advice
	}
	return text
}

// DescribeNeeds returns what the answer takes, in words.
func (e *BudgetError) DescribeNeeds() string {
	if math.IsInf(e.Needs, 1) {
		return fmt.Sprintf("more %s than can be counted", e.What)
	}
	needs := FormatWork(e.Needs)
	if needs == FormatWork(e.Budget) { // they differ in digits that are not shown
		return "more " + e.What
	}
	return fmt.Sprintf("about %s %s", needs, e.What)
}

// FormatWork returns a finite amount of work as people read it, in three digits: 950, 20 million, 3.5 billion. What has
// more than 15 digits is a power of ten.
func FormatWork(x float64) string {
	switch x = roundTo3(x); {
	case x < 1e6:
		return fmt.Sprintf("%.0f", x)
	case x < 1e9:
		return fmt.Sprintf("%.4g million", x/1e6)
	case x < 1e15:
		return fmt.Sprintf("%.6g billion", x/1e9)
	}
	return fmt.Sprintf("10^%.0f", math.Log10(x))
}

// roundTo3 returns a number of three digits, or a whole number below 1000.
func roundTo3(x float64) float64 {
	if x < 1000 {
		return math.Round(x)
	}
	step := math.Pow(10, math.Floor(math.Log10(x))-2)
	return math.Round(x/step) * step
}

// DefaultBudget is how many times a state may meet a class where the question does not say.
const DefaultBudget = 20_000_000

// ErrStopped ends a question whose Stop was closed. Package runtime returns the cause of the context in its place.
var ErrStopped = errors.New("canceled")
