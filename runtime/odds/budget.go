package odds

import (
	"fmt"
	"math"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A BudgetError is a question whose answer would take more work or memory than is allowed.
type BudgetError struct {
	Subject string // what makes it so large
	Needs   float64
	Budget  float64
	What    string // of what: "values", "states", ...
}

// Error names the cause.
func (e *BudgetError) Error() string {
	if math.IsInf(e.Needs, 1) {
		return fmt.Sprintf("%s: exact odds need more %s than can be counted, but the budget is %.3g", e.Subject, e.What, e.Budget)
	}
	return fmt.Sprintf("%s: exact odds need about %.3g %s, but the budget is %.3g", e.Subject, e.Needs, e.What, e.Budget)
}

// DefaultBudget is how many times a state may meet a class.
const DefaultBudget = 20_000_000

// maxHeld bounds the numbers of 64 bits that a table of states holds.
const maxHeld = 1 << 26

// A budget is work that may be done: a unit is a state that meets a class, or so many of the words that long formulas take.
type budget struct {
	all, spent int64
	words      int64 // of the stage, that are counted among what is spent
	states     int   // the most at once
}

const wordsOfUnit = 1 << 8

// spend judges work before it is done, on behalf of a source.
func (e *engine[W]) spend(id plan.ID, units float64) error {
	b := e.budget
	if needs := float64(b.spent) + units; needs > float64(b.all) {
		return &BudgetError{Subject: e.named(id), Needs: needs, Budget: float64(b.all), What: "states"}
	}
	b.spent += int64(units)
	return nil
}

// hold judges what a table has grown to, and what it took to compute its last row.
func (e *engine[W]) hold(id plan.ID, t *table[W]) error {
	if held := len(t.w) * (t.width + 2 + t.den.BitLen()/64); held > maxHeld {
		return &BudgetError{Subject: e.named(id), Needs: float64(held), Budget: maxHeld, What: "numbers in memory"}
	}
	more := (e.stage.Long() - e.budget.words) / wordsOfUnit
	e.budget.words += more * wordsOfUnit
	return e.spend(id, float64(more))
}
