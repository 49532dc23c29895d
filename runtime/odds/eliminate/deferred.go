package eliminate

import (
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Of many an event the dice decide a difference, and the state is what it was, and the difference: no two states are alike,
// and nothing could be recalled. Then what reads what differs from state to state is put off until all dice have been met.
// What they lead to without it is recalled, in few rows, and only the rest is computed for each state.
//
// This must not change the answer, and the sum of floats depends on their order: rows that are different before the late
// fragment may be equal behind it, and their weights would have come by turns. So the program is recalled with the order in
// which weights came to its rows (trace), and behind the late fragment, which is computed once for each row, they are added
// up in just that order. That is one addition for each pair of a state and a class, where a fragment, a hash and a look-up
// were. Sums of whole numbers are the same in every order, and need no trace.

// The course of case injuries_treated of hybrid takes a third of the time that it takes without, that of
// arm_wrestling_unspent of supermen a fifth (BenchmarkCourses of package markov).

// A late fragment is what is left to do in each state, behind a program that does not read what differs from state to
// state.
//
// Example: an event adds the total of 2d6 to a sum. As one program it reads the sum, and is new in every state.
// Divided, the early program reads nothing that differs: its 11 totals are met once and then recalled, and for each
// state the late fragment adds the sum to them.
type lateFragment struct {
	program  *program // without what is put off; the last step is traced where weights are floats
	fragment *fragment
	keep     []ref // the columns of the program that something was put off from, out of the program's rows and the fragment
}

// deferFragment divides the last fragment of a program by whether it reads nodes that differ and that nothing before it
// reads: a number of events that dice have decided to count may differ in every generation of a course, and is still
// the same for the states of that one. It gives nil where that cannot be done.
func (w *preparedGraph) deferFragment(p *program, differs map[plan.ID]bool, isTraced bool) (*lateFragment, error) {
	last := &p.steps[len(p.steps)-1]
	if last.fragment == nil {
		return nil, nil
	}
	if differs = w.readLast(p, differs); differs == nil {
		return nil, nil
	}
	early, late := w.divideNodes(last.fragment.nodes, differs)
	if len(late) == 0 {
		return nil, nil
	}
	var row, class []plan.ID // what stands in the rows before the step, and what it meets
	if n := len(p.steps); n > 1 {
		row = p.steps[n-2].keep
	}
	if last.source != nil {
		class = last.source.gives
	}
	x := &fragment{nodes: late, ins: w.Externals(late)}
	first := step{source: last.source, fragment: &fragment{nodes: early, ins: w.Externals(early)}, isTraced: isTraced}
	for _, id := range slices.Concat(last.keep, x.ins) {
		isMade := slices.Contains(row, id) || slices.Contains(class, id) || slices.Contains(early, id)
		if isMade && !slices.Contains(first.keep, id) {
			first.keep = append(first.keep, id)
		}
	}
	slices.Sort(first.keep)
	for _, id := range early {
		if slices.Contains(first.keep, id) {
			first.fragment.outs = append(first.fragment.outs, id)
		}
	}
	for _, id := range late {
		if slices.Contains(last.keep, id) {
			x.outs = append(x.outs, id)
		}
	}
	first.fragment.from = w.placesOf(first.fragment.ins, row, class, nil)
	first.from = w.placesOf(first.keep, row, class, first.fragment.outs)
	x.from = w.placesOf(x.ins, first.keep, nil, nil)
	out := &lateFragment{fragment: x, keep: w.placesOf(last.keep, first.keep, nil, x.outs)}
	out.program = &program{steps: append(slices.Clone(p.steps[:len(p.steps)-1]), first)}
	if err := w.scheduleFragment(x); err != nil {
		return nil, err
	}
	if len(early) == 0 {
		out.program.steps[len(p.steps)-1].fragment = nil
		return out, nil
	}
	return out, w.scheduleFragment(first.fragment)
}

// readLast returns those of some nodes that a program does not read before its last fragment, nil when that is not known.
func (w *preparedGraph) readLast(p *program, nodes map[plan.ID]bool) map[plan.ID]bool {
	before := program{steps: slices.Clone(p.steps)}
	before.steps[len(before.steps)-1] = step{source: p.steps[len(p.steps)-1].source}
	out := maps.Clone(nodes)
	if !addReads(nil, &before, func(id plan.ID) { delete(out, id) }) {
		return nil
	}
	return out
}

// divideNodes divides nodes by whether they read some others, directly or by way of each other. A node that may end the
// evaluation stays behind those that may end it before.
//
// The order among nodes is kept in both lists, and a late node is never an operand of an early one.
func (w *preparedGraph) divideNodes(nodes []plan.ID, others map[plan.ID]bool) (early, late []plan.ID) {
	isLate, endsLate := map[plan.ID]bool{}, false
	for _, id := range nodes {
		reads := slices.Concat(w.Nodes[id].Args, w.Externals([]plan.ID{id}))
		isLate[id] = slices.ContainsFunc(reads, func(a plan.ID) bool { return others[a] || isLate[a] }) ||
			endsLate && w.mayEnd(id)
		if isLate[id] {
			late, endsLate = append(late, id), endsLate || w.mayEnd(id)
		} else {
			early = append(early, id)
		}
	}
	return early, late
}

// placesOf returns where values stand.
func (w *preparedGraph) placesOf(ids, row, class, outs []plan.ID) (out []ref) {
	for _, id := range ids {
		out = append(out, w.placeOf(id, row, class, outs))
	}
	return out
}

// finishDeferred computes the deferred fragment in the rows of a table, which it uses up. Long formulas are charged, but
// not the rows: each was paid for when its state met a class, or when that was recalled. Paying for them again would
// refuse a question only because others were asked before it.
func (e *engine[W]) finishDeferred(x *lateFragment, t *Table[W]) (*Table[W], error) {
	if err := e.chargeWork(plan.None, 0); err != nil { // whether it is to stop
		return nil, err
	}
	out := e.emptyTableFor(len(x.keep), len(t.w))
	out.den = t.den
	if t.isTraced {
		return out, e.finishTraced(x, t, out)
	}
	out.ended = t.ended
	next := make([]int64, len(x.keep))
	for i, w := range t.w {
		why, err := e.computeLate(x, t.Row(i), next)
		switch {
		case err != nil:
			return nil, err
		case why != nil:
			out.addEnding(*why, w)
			continue
		}
		out.addRow(next, w)
		if err := e.chargeTable(plan.None, out); err != nil {
			return nil, err
		}
	}
	e.releaseTable(t)
	return out, nil
}

// finishTraced is finishDeferred for a traced table. The next state of each row is computed first, and then weights are
// added up in the order in which they came.
func (e *engine[W]) finishTraced(x *lateFragment, t, out *Table[W]) error {
	next := make([]int64, len(x.keep))
	rows, whys := make([]int, len(t.w)), make([]*odds.Ending, len(t.w))
	for i := range t.w {
		why, err := e.computeLate(x, t.Row(i), next)
		if err != nil {
			return err
		}
		if whys[i] = why; why == nil {
			rows[i] = out.NumberOf(next)
		}
		if err := e.chargeTable(plan.None, out); err != nil {
			return err
		}
	}
	for _, c := range t.trace {
		switch {
		case c.row < 0:
			out.addEnding(t.ended[^c.row].why, c.w)
		case whys[c.row] != nil:
			out.addEnding(*whys[c.row], c.w)
		default:
			k := rows[c.row]
			out.w[k] = out.w[k].Plus(c.w)
		}
	}
	e.releaseTable(t)
	return nil
}

// computeLate computes the deferred fragment in a row, and writes the kept values into next. It returns an ending instead
// if the fragment ends the evaluation.
func (e *engine[W]) computeLate(x *lateFragment, row, next []int64) (*odds.Ending, error) {
	if err := e.computeFragment(x.fragment, row, nil); err != nil {
		why, ok := endingOf(err)
		if !ok {
			return nil, err
		}
		return &why, nil
	}
	e.gatherValues(next, x.keep, row, nil)
	return nil, nil
}
