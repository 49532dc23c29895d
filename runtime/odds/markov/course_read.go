package markov

import (
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
)

// readStates opens the reader of the states in an answer of a step.
func (c *chain) readStates(at eliminate.Columns) func(row []int64) (state int, ok bool) {
	x := c.readers[at.Executor]
	if x == nil {
		x = newStateReader(c.states, at)
		c.readers[at.Executor] = x
	}
	x.beginQuestion(at.Executor, at.Epoch)
	return x.readState
}

// newBranches are the choices behind states that a step has reached, of which edges are made later.
func newBranches(from *eliminate.StepResult) *branches {
	out := &branches{den: from.Den, shown: from.Choices}
	for _, options := range from.Choices.Options {
		l := level{options: options}
		for _, list := range options {
			l.best = append(l.best, list[0])
		}
		out.levels = append(out.levels, l)
	}
	for _, row := range from.Choices.Rows {
		out.rows = append(out.rows, branch{ChoiceRow: row})
	}
	return out
}
