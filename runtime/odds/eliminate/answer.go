package eliminate

import (
	"encoding/binary"
	"errors"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A question goes through four stages, each of which may end it:
//
//   - computePrefix reads the records and computes what depends on no chance.
//   - Dice that no chance decides are judged. If some are impossible, all is done again with every effect in its
//     order.
//   - The program is run: for itself, once for each decision and again (strategy.go), or by way of what is recalled.
//   - The rows become values when these are asked for (reading.go), or states (step.go).

// Odds returns the joint distribution for a character. Its errors are those of runtime.Rule.Eval that no die decides,
// a *BudgetError, and ErrStopped.
func (r *Rule) Odds(q odds.Question) (*odds.Joint, error) {
	if q.Budget == 0 {
		q.Budget = odds.DefaultBudget
	}
	if q.Exact {
		return answerWith(r, q, exactEngine)
	}
	return answerWith(r, q, floatEngine)
}

// floatEngine returns the engine of a prepared graph that computes with probabilities.
func floatEngine(w *preparedGraph, p *vm.Image) *engine[pmf.Float] {
	if w.floats == nil {
		e := &engine[pmf.Float]{arithmetic: arithmetic[pmf.Float]{
			unit: 1, raise: pmf.RaiseFloats, keep: pmf.KeepOverOne, raiseSparse: powerOfSparse,
			weightOfFraction: func(n, d *big.Int) pmf.Float { return pmf.Float(pmf.NumeratorOf(n).Over(d)) },
		}}
		w.floats = e
		e.prepareEngine(w, p)
	}
	return w.floats.(*engine[pmf.Float])
}

// exactEngine returns the engine of a prepared graph that computes with fractions.
func exactEngine(w *preparedGraph, p *vm.Image) *engine[pmf.Numerator] {
	if w.exact == nil {
		e := &engine[pmf.Numerator]{arithmetic: arithmetic[pmf.Numerator]{
			isExact: true, unit: pmf.NewNumerator(1), raise: pmf.RaiseExactly, keep: pmf.KeepExactly,
			raiseSparse:      raiseWhole,
			weightOfFraction: func(n, _ *big.Int) pmf.Numerator { return pmf.NumeratorOf(n) },
		}}
		w.exact = e
		e.prepareEngine(w, p)
	}
	return w.exact.(*engine[pmf.Numerator])
}

// A Filler puts what is given into the frame of a fragment.
type Filler func(f *vm.Frame, x *vm.Fragment) error

// answerWith answers with an engine.
func answerWith[W pmf.Weight[W]](r *Rule, q odds.Question,
	engineOf func(*preparedGraph, *vm.Image) *engine[W]) (*odds.Joint, error) {
	w, e, t, err := rowsOf(r, q, engineOf, nil, nil)
	if err != nil {
		return nil, err
	}
	return newJoint(r, w, t, e), nil
}

// rowsOf returns the rows of an engine's answer to the question or, unless fill is nil, to the values that fill writes.
// made has the choice of each decision, by its number and stateKey; it is nil where the rule's strategy makes them.
//
// Dice that are impossible whatever falls end every evaluation that comes as far: then all must happen in its order.
func rowsOf[W pmf.Weight[W]](
	r *Rule, q odds.Question, engineOf func(*preparedGraph, *vm.Image) *engine[W], fill Filler,
	made []map[string]int64,
) (w *preparedGraph, e *engine[W], t *Table[W], err error) {
	w, e, t, done, err := answerByTurns(r, q, engineOf, fill, made)
	if err == nil && !done {
		if w, err = r.inOrder(); err != nil {
			return nil, nil, nil, err
		}
		e = engineOf(w, r.image)
		t, _, err = e.answerGraph(r, w, q, fill, made)
	}
	if errors.Is(err, vm.ErrLayout) && e.stopRecalling() {
		return rowsOf(r, q, engineOf, fill, made)
	}
	return w, e, t, err
}

// inOrder returns the rule with every effect in its order; it is made when it is needed.
func (r *Rule) inOrder() (w *preparedGraph, err error) {
	if r.plain == nil {
		r.plain, err = r.prepareGraph(true)
	}
	return r.plain, err
}

// prepareEngine sets the fields of an engine that are the same for all questions.
func (e *engine[W]) prepareEngine(w *preparedGraph, p *vm.Image) {
	e.Network, e.executor, e.symbolOf = w.Network, vm.NewExecutor(p), p.SymbolOf
	e.sources, e.decidedFields = map[*source]*recall[W]{}, w.decidedFields
	e.memory, e.dice = map[*source]map[string]*Table[W]{}, map[diceKey]*madeDie[W]{}
	e.env = make([]int64, len(w.Nodes))
	for id := range w.Nodes {
		if n := &w.Nodes[id]; n.Op == plan.OpConst {
			e.env[id] = n.Imm
		}
	}
	e.prefix = make([]int64, len(w.program.prefix.outs))
}

// answerGraph carries out a prepared graph. It is not done when dice that must be judged first are impossible.
func (e *engine[W]) answerGraph(
	r *Rule, w *preparedGraph, q odds.Question, fill Filler, made []map[string]int64,
) (t *Table[W], done bool, err error) {
	e.answerKey, e.enclosing = nil, e.enclosing[:0]
	e.budget, e.course = &budget{all: q.Budget, stop: q.Stop}, r.course
	if err := e.computePrefix(r, w, q.Records, fill); err != nil {
		if _, ends := endingOf(err); ends && !w.KeepsOrder && len(w.unchainedSources()) > 0 {
			return nil, false, nil // a die that comes before may have ended it already
		}
		t, err := e.endAll(e.unitTable(), err, len(w.outs))
		return t, true, err
	}
	if !w.KeepsOrder && e.hasImpossibleDice(w.unchainedSources()) {
		return nil, false, nil
	}
	top := *w.program
	top.prefix = nil
	switch {
	case len(r.decidedFields) > 0:
		t, err = e.runDecided(r, w, &top, q, made)
	case e.recalls:
		t, err = e.runRecalled(w, &top, r.isKnown)
	default:
		t, err = e.runProgram(&top, e.unitTable())
	}
	if err == nil && e.isExact && len(w.chains) > 0 {
		e.completeTail(t)
	}
	return t, true, err
}

// completeTail sets the weight of the tail of dice that explode to the rest of the whole. Between two draws of a pool
// the weight of a state is too small (count.go). Nothing ends there but such a tail. It may be met beside any draw,
// because putting it off to the last one would keep the faces from being forgotten meanwhile. Of several dice that
// explode the first is charged; only their sum appears in an answer.
//
// A difference counts as a tail only if it is smaller than one part in 2^UnseenBits. Anything larger would be an error
// of the elimination, and is left to show itself in a sum that is not 1.
func (e *engine[W]) completeTail(t *Table[W]) {
	k := slices.IndexFunc(t.ended, func(x ended[W]) bool { return x.why.Kind == odds.Unfollowed })
	if k < 0 {
		return
	}
	sum := pmf.SumWeights(t.w)
	for _, x := range t.ended {
		sum = sum.Plus(x.w)
	}
	_, all := probabilityOf(sum, t.den, true)
	missing := new(big.Int).Sub(t.den, all)
	if missing.Sign() > 0 && missing.BitLen() <= t.den.BitLen()-pmf.UnseenBits {
		t.ended[k].w = t.ended[k].w.Plus(e.weightOfFraction(missing, one))
	}
}

// runRecalled runs the outermost program, or recalls its rows for equal values in an earlier question. Rows of an
// answer that isKnown are left out.
func (e *engine[W]) runRecalled(w *preparedGraph, top *program, isKnown func(any) bool) (*Table[W], error) {
	if e.top == nil {
		e.top = e.findReads(nil, top)
	}
	if e.top.never && e.undeferred == nil {
		if err := e.tryToDefer(w, top); err != nil {
			return nil, err
		}
	}
	of, program := e.top, top
	if e.deferred != nil && !e.undeferred.never {
		of, program = e.undeferred, e.deferred.program
	}
	columns := program.steps[len(program.steps)-1].keep
	t, err := e.computeOrRecall(of, columns, func() (*Table[W], error) { return e.runSteps(program, e.unitTable()) })
	e.answerKey = nil
	if err == nil && program == top {
		if e.answerKey = e.keyOfAnswer(top); e.answerKey != nil && isKnown != nil && isKnown(e.answerKey) {
			return e.emptyTable(len(top.last)), nil
		}
	} else if err == nil {
		t, err = e.finishDeferred(e.deferred, t)
	}
	if err != nil {
		return nil, err
	}
	return e.projectOutputs(top.last, t), nil
}

// An answerKey tells the answers of an engine apart: answers are equal when they come of the same rows
// and of the same values in the columns from the environment.
type answerKey[W pmf.Weight[W]] struct {
	rows    *recalled[W]
	columns string
}

// keyOfAnswer returns the answerKey of the outermost program's rows, or nil where none is known.
func (e *engine[W]) keyOfAnswer(top *program) any {
	if e.answered == nil {
		return nil
	}
	var beside []byte
	for _, r := range top.last {
		if r.where != inEnv {
			continue
		}
		v := e.env[r.at]
		if !e.outlivesQuestion(e.Nodes[r.at].Kind, v) {
			return nil
		}
		beside = binary.AppendVarint(beside, v)
	}
	return answerKey[W]{e.answered, string(beside)}
}

// tryToDefer puts off the part of a program that keeps it from being recalled.
func (e *engine[W]) tryToDefer(w *preparedGraph, top *program) (err error) {
	if e.deferred, err = w.deferFragment(top, e.top.differs, !e.isExact); err != nil {
		return err
	}
	before := top
	if e.deferred != nil {
		before = e.deferred.program
	}
	e.undeferred = e.findReads(nil, before)
	return nil
}

// computePrefix computes the values that depend on no die.
func (e *engine[W]) computePrefix(r *Rule, w *preparedGraph, records odds.Records, fill Filler) error {
	if fill == nil {
		fill = func(f *vm.Frame, x *vm.Fragment) error { return r.readRecords(f, x, records) }
		e.executor.Reset()
		e.recalls = false
	} else {
		e.beginNextQuestion()
	}
	for _, made := range e.memory {
		e.releaseClasses(made)
	}
	if len(e.dice) > maxDice {
		clear(e.dice)
	}
	x := w.program.prefix.code
	if err := e.executor.Begin(x, func(f *vm.Frame) error { return fill(f, x) }, e.prefix); err != nil {
		return err
	}
	for k, id := range w.program.prefix.outs {
		e.env[id] = e.prefix[k]
	}
	return nil
}

// WithDefaults returns records with the defaults of the fields that they do not give. Formulas beside the rule read these.
func (r *Rule) WithDefaults(records odds.Records) odds.Records {
	for root, shape := range r.shapes {
		if shape == nil {
			continue
		}
		text := records[root]
		if len(text) == 0 {
			text = []byte("{}")
		}
		records[root] = jsonio.Complete(r.image, jsonio.NewRootSchema(r.image, plan.Root(root), shape), text)
	}
	return records
}

// unchainedSources returns the dice that may end the evaluation and are not judged in their order.
func (b *builder) unchainedSources() (out []plan.ID) {
	for _, id := range b.own {
		if s := b.sourceOf(id); s != nil && !s.chain && s.kind != loopSource && b.EndsEvaluation(id) {
			out = append(out, id)
		}
	}
	return out
}

// hasImpossibleDice reports whether some dice cannot be rolled.
func (e *engine[W]) hasImpossibleDice(dice []plan.ID) bool {
	return slices.ContainsFunc(dice, func(id plan.ID) bool {
		n := &e.Nodes[id]
		at := func(k int) int64 { return e.env[n.Args[k]] }
		count := at(2)
		if !e.Dice[n.Imm].List {
			count = 1
		}
		return at(0) != 0 && e.executor.Impossible(e.Graph, int(n.Imm), at(1), count, at(3)) != nil
	})
}
