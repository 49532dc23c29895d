package odds

import (
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// readerOf reads the states in the rows of an engine's answer.
func (c *chain) readerOf(w *preparedGraph, stage *vm.Executor, epoch int) *stateReader {
	x := c.readers[stage]
	if x == nil {
		x = newStateReader(c.states, w)
		c.readers[stage] = x
	}
	x.begin(stage, epoch)
	return x
}

// readStates finds the states in the rows of a table, each once, and gives their weights.
func readStates[W weight[W]](c *chain, w *preparedGraph, e *engine[W], t *table[W]) (weights []W) {
	x := c.readerOf(w, e.stage, e.epoch)
	for i, weight := range t.w {
		state, ok := x.read(t.row(i))
		if !ok {
			addFailure(w, e, t, i)
			continue
		}
		for len(c.stamps) <= state {
			c.stamps = append(c.stamps, 0)
		}
		k := c.stamps[state] - 1
		if k < 0 || k >= len(c.reached) || c.reached[k].state != state {
			c.reached = append(c.reached, reached{state: state})
			c.stamps[state] = len(c.reached)
			weights = append(weights, weight)
			continue
		}
		weights[k] = weights[k].plus(weight)
	}
	return weights
}

// addFailure makes an ending of a row that is no state, because a value in it has failed.
func addFailure[W weight[W]](w *preparedGraph, e *engine[W], t *table[W], row int) {
	_, failure := newReading(w, t, e).values(t.row(row))
	t.addEnding(Ending{Kind: Failed, Message: failure.Error()}, t.w[row])
}

// readBranches reads the rows of an answer that tells all choices: of each, the state goes to c.reached.
func readBranches[W weight[W]](c *chain, r *Rule, w *preparedGraph, e *engine[W], t *table[W]) *branches {
	out := &branches{den: t.den}
	var leaves []plan.ID
	var numbers []map[string]int
	var decisions []int
	for k, d := range r.decided {
		if leaf := w.decisionOf(d.leaf); leaf != plan.None {
			leaves, numbers, decisions = append(leaves, leaf), append(numbers, map[string]int{}), append(decisions, k)
		}
	}
	out.levels = make([]level, len(leaves))
	x := c.readerOf(w, e.stage, e.epoch)
	for i, weight := range t.w {
		row := t.row(i)
		state, ok := x.read(row)
		if !ok {
			addFailure(w, e, t, i)
			continue
		}
		b := branch{known: make([]int, len(leaves)), chosen: make([]int64, len(leaves))}
		for k, leaf := range leaves {
			var known []int64
			for _, id := range e.nodes[leaf].Args {
				known = append(known, row[w.columns[id]])
			}
			key := stateKey(known)
			n, ok := numbers[k][key]
			if !ok {
				n = len(numbers[k])
				numbers[k][key] = n
				options := e.play.options[decisions[k]][key]
				out.levels[k].options = append(out.levels[k].options, options)
				out.levels[k].best = append(out.levels[k].best, options[0])
			}
			b.known[k], b.chosen[k] = n, row[w.columns[leaf]]
		}
		p, n := probability(weight, t.den, e.isExact)
		c.reached = append(c.reached, reached{state: state, p: p, n: n})
		out.rows = append(out.rows, b)
	}
	if !e.isExact {
		out.den = nil
	}
	return out
}
