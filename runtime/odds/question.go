package odds

import "github.com/tabletop-rules/rules/runtime/plan"

// Records are what an evaluation reads: JSON by root, nil for {}.
type Records [plan.NumRoots][]byte

// A Question is a character and what is asked about it.
type Question struct {
	Records Records // JSON
	Exact   bool    // as fractions
	Budget  int64   // states that may meet classes; 0 for DefaultBudget
	// Outputs are those of a procedure whose joint distribution is asked for too, by the names of
	// Process.OutcomeType (package markov).
	Outputs []string
	Stop    <-chan struct{} // closed when nobody waits for the answer any more; nil for never
}
