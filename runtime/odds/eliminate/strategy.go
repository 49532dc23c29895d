package eliminate

import (
	"math"

	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Backward induction, in numbers. A d6 may be rolled again once, and the total counts. While the decision is open, its
// source shows both choices, each with the full weight. The joint distribution of state, choice and outcome then has
// (2, kept, 2) with 1/6 and (2, again, 1) to (2, again, 6) with 1/36 each; all rows together weigh 2. For the face 2,
// kept is worth 2·1/6 = 2/6, and again 21·1/36 = 3.5/6. So again is best up to 3, kept from 4 on. A second run with
// these choices weighs 1, and has the mean (3·3.5 + 4 + 5 + 6)/6 = 4.25.
//
// Each decision costs one run, and the answer one more. Choices are compared by sums and not by means: the chance of
// the state is the same for all its choices, so the sums have the same order.

// runDecided carries a program out under the strategy of its rule. The decisions are settled from the last to the
// first: while all choices of one are compared, those after it are the best ones already, and those before it are all
// shown, because every state that they may lead to needs a choice.
//
// The worth of a course's step depends on later steps. So the rows show all choices at once, and the course settles
// them (package markov) and asks once more with those that it has made.
func (e *engine[W]) runDecided(
	r *Rule, w *preparedGraph, top *program, q odds.Question, made []map[string]int64,
) (*Table[W], error) {
	n := len(r.decidedFields)
	e.play = newStrategyRun(n, q.Records, r.compares)
	switch {
	case made != nil:
		e.play.best = made
	case r.showsChoices():
		e.play.open = n - 1
	}
	if r.worth != nil {
		for k := n - 1; k >= 0; k-- {
			if w.DecisionOf(r.decidedFields[k].leaf) == plan.None {
				continue
			}
			e.play.open = k
			t, err := e.runProgram(top, e.unitTable())
			if err != nil {
				return nil, err
			}
			if err := e.chooseBest(r, w, t, k); err != nil {
				return nil, err
			}
			e.releaseTable(t)
		}
		e.play.open = -1
	}
	return e.runProgram(top, e.unitTable())
}

// showsChoices reports whether the rows show every choice, of which somebody else takes the best: by keys of the prepared
// graph that showed them.
func (r *Rule) showsChoices() bool { return r.compares && r.worth == nil }

func newStrategyRun(decisions int, records odds.Records, compares bool) *strategyRun {
	out := &strategyRun{
		records: records, compares: compares, open: -1,
		options: make([]map[string][]int64, decisions), best: make([]map[string]int64, decisions),
	}
	for k := range decisions {
		out.options[k], out.best[k] = map[string][]int64{}, map[string]int64{}
	}
	return out
}

// An assessment is what comes of a choice in a state.
type assessment struct {
	mass, worth, size float64 // size is the sum of what was added to worth, without signs
}

// chooseBest takes the best choice of a decision in every state. A choice that the rule refuses, or that leads to no value,
// is not taken while another one leads to more. Of equally good ones the first is taken.
func (e *engine[W]) chooseBest(r *Rule, w *preparedGraph, t *Table[W], k int) error {
	leaf := w.DecisionOf(r.decidedFields[k].leaf)
	operands := e.Nodes[leaf].Args
	all := map[string]map[int64]*assessment{}
	x := newReading(w, t, e)
	state := make([]int64, len(operands))
	for i := range t.w {
		row := t.Row(i)
		values, failure := x.readValues(row)
		if failure != nil {
			continue
		}
		worth, err := r.worth(&odds.Outcome{Values: values})
		if err != nil {
			return err
		}
		for j, id := range operands {
			state[j] = row[w.columns[id]]
		}
		key, chosen := stateKey(state), row[w.columns[leaf]]
		if all[key] == nil {
			all[key] = map[int64]*assessment{}
		}
		a := all[key][chosen]
		if a == nil {
			a = &assessment{}
			all[key][chosen] = a
		}
		p, _ := probabilityOf(t.w[i], t.den, e.isExact)
		a.mass, a.worth, a.size = a.mass+p, a.worth+p*worth, a.size+p*math.Abs(worth)
	}
	for key, byChoice := range all {
		e.play.best[k][key] = bestOf(e.play.options[k][key], byChoice)
	}
	return nil
}

// bestOf returns the best option of one state. Only options after which the rule has a value as often as after any
// other are compared (mass). So a strategy never refuses by choice to be rid of bad outcomes.
func bestOf(options []int64, byChoice map[int64]*assessment) (best int64) {
	most := 0.0
	for _, a := range byChoice {
		most = max(most, a.mass)
	}
	var of *assessment
	for _, v := range options {
		a := byChoice[v]
		if a == nil || a.mass < most*(1-pmf.RoundingOfSums) {
			continue
		}
		if of == nil || a.worth > of.worth+pmf.RoundingOfSums*max(a.size, of.size) {
			best, of = v, a
		}
	}
	return best
}
