package eliminate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// One step, in numbers. Two states have the weights 1 and 5 over 6. In the first a d4 is rolled, in the second a d6.
// The classes have the denominators 4 and 6, of which 12 is the least common multiple; so what comes out is over 6·12 =
// 72. The weight of the first state is scaled by 12/4 = 3 and that of the second by 12/6 = 2. A class of the d4 then
// weighs 1·3·1 = 3, and 3/72 = 1/6·1/4; one of the d6 weighs 5·2·1 = 10, and 10/72 = 5/6·1/6. Four times 3 and six
// times 10 are 72 again. An ending from before meets no classes and is scaled by all of 12.
//
// A common denominator for all rows costs one multiplication for each pair. Reduced fractions would cost a greatest
// common divisor for each sum, and in wide tables that would take nearly all time.
//
// The order of the loops (states outside, classes inside) decides the order of the rows that come out, and so the last
// digit of sums of floats. What replays a step later (deferred.go) has to keep it.

// runProgram carries out a program from its first columns on. Endings that the table has already stay as they are.
func (e *engine[W]) runProgram(p *program, t *Table[W]) (*Table[W], error) {
	for _, s := range p.reset {
		e.releaseClasses(e.memory[s])
	}
	if p.prefix != nil && p.prefix.code != nil {
		if err := e.computeFragment(p.prefix, nil, nil); err != nil {
			return e.endAll(t, err, len(p.outs))
		}
		for k, id := range p.prefix.outs {
			e.env[id] = e.out[k]
		}
	}
	t, err := e.runSteps(p, t)
	if err != nil {
		return nil, err
	}
	return e.projectOutputs(p.last, t), nil
}

// runSteps takes all steps of a program, and leaves the columns of the last one.
//
// The table that it was given is the caller's. Every table between two steps is released, as nothing refers to it.
func (e *engine[W]) runSteps(p *program, t *Table[W]) (*Table[W], error) {
	for i := range p.steps {
		next, err := e.runStep(p, i, t)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			e.releaseTable(t)
		}
		t = next
	}
	return t, nil
}

// runStep multiplies every state with the classes of a step's source.
//
// It costs as many units of work as there are pairs of a state and a class, which are charged before the first pair is
// multiplied. A step whose rows stay apart makes exactly one row of each pair, so its memory is judged beforehand too;
// any other is judged as it grows.
func (e *engine[W]) runStep(p *program, at int, t *Table[W]) (*Table[W], error) {
	s := &p.steps[at]
	if err := e.foreseeMoves(p, at, t); err != nil {
		return nil, err
	}
	met, den, err := e.classesOfStates(p, at, t)
	if err != nil {
		return nil, err
	}
	if err := e.foreseeMoves(p, at, t); err != nil { // the classes may have taken much, and there may be many of them
		return nil, err
	}
	rows := s.rows
	if s.apart {
		rows = 0
		for i := range t.w {
			rows += len(met[min(i, len(met)-1)].w)
		}
	}
	outDen := t.den
	if den != one {
		outDen = new(big.Int).Mul(t.den, den)
	}
	if err := e.judgeSize(s.sourceNode(), rows, len(s.keep), outDen); s.apart && err != nil {
		return nil, err
	}
	out := e.emptyTableFor(len(s.keep), rows)
	out.den, out.isTraced = outDen, s.isTraced
	for _, x := range t.ended {
		out.addEnding(x.why, e.scaleWeight(x.w, den, one))
	}
	for i := range t.w {
		c := met[min(i, len(met)-1)]
		w := e.scaleWeight(t.w[i], den, c.den)
		if err := e.multiplyState(s, t.Row(i), w, c, out); err != nil {
			return nil, err
		}
	}
	s.rows = len(out.w)
	e.budget.states = max(e.budget.states, s.rows)
	return out, nil
}

// classesOfStates returns the classes that each state is multiplied with, one for all when they are the same, and the
// least common denominator.
//
// met has one element for each state, or a single one when the step has no source. Making the classes may need work of
// its own (a region is run, a loop is walked), which was charged meanwhile.
func (e *engine[W]) classesOfStates(p *program, at int, t *Table[W]) (met []*Table[W], den *big.Int, err error) {
	s := &p.steps[at]
	if s.source == nil {
		return []*Table[W]{e.unitTable()}, one, e.chargeWork(s.sourceNode(), float64(len(t.w)))
	}
	den = one
	units := 0.0
	depth := len(e.enclosing)
	for i := range t.w {
		e.enclosing = append(e.enclosing[:depth], frame[W]{p, at, t, i})
		c, err := e.classesOf(s.source, t.Row(i))
		if err != nil {
			return nil, nil, err
		}
		met = append(met, c)
		if units += float64(len(c.w)); units > float64(e.budget.all) {
			break // spend tells
		}
		if i == 0 || c != met[i-1] {
			den = pmf.LeastCommonMultiple(den, c.den)
		}
	}
	e.enclosing = e.enclosing[:depth]
	return met, den, e.chargeWork(s.sourceNode(), units)
}

// multiplyState adds to a table the rows of a state with each of some classes: the values that the step computes of
// both, with the product of their weights.
//
// A fragment that ends the evaluation turns the pair into an ending. It is no error of the question: a requirement may
// refuse one of three hundred pairs.
func (e *engine[W]) multiplyState(s *step, row []int64, w W, c *Table[W], out *Table[W]) error {
	for _, x := range c.ended {
		out.addEnding(x.why, w.Times(x.w))
	}
	e.next = resizeSlice(e.next, len(s.from))
	for k := range c.w {
		class, weight := c.Row(k), w.Times(c.w[k])
		if s.fragment != nil {
			if err := e.computeFragment(s.fragment, row, class); err != nil {
				why, ok := endingOf(err)
				switch {
				case errors.Is(err, vm.ErrMemory):
					return fmt.Errorf("%s: %w", e.NameOf(s.sourceNode()), err)
				case !ok:
					return err
				}
				out.addEnding(why, weight)
				continue
			}
		}
		next := e.next[:len(s.from)]
		e.gatherValues(next, s.from, row, class)
		switch {
		case s.apart:
			out.appendRow(next, weight)
		case s.isTraced:
			out.addTraced(next, weight)
		default:
			out.addRow(next, weight)
		}
		if err := e.chargeTable(s.sourceNode(), out); err != nil {
			return err
		}
	}
	return nil
}

// classesOf returns the classes of a source in a state. Equal inputs give the same classes.
//
// Example: the number of dice follows from a skill that a state has in a column. Of 500 states with 4 different skills
// the list is made 4 times and found 496 times. The key is the varints of all that the source reads of a state: each
// varint says where it ends, so two different lists of values never have the same key. e.key is used again, so it is
// copied before anything else is made.
func (e *engine[W]) classesOf(s *source, row []int64) (*Table[W], error) {
	ins := resizeSlice(e.ins, len(s.from))
	e.ins = ins
	e.gatherValues(ins, s.from, row, nil)
	e.key = e.key[:0]
	for k, v := range ins {
		e.key = binary.AppendVarint(e.key, v)
		e.env[s.ins[k]] = v
	}
	if t, ok := e.memory[s][string(e.key)]; ok {
		return t, nil
	}
	key := string(e.key)
	t, err := e.makeOrRecall(s, ins)
	if err != nil {
		return nil, err
	}
	if e.memory[s] == nil {
		e.memory[s] = map[string]*Table[W]{}
	}
	e.memory[s][key] = t
	return t, nil
}

// makeOrRecall makes the classes of a source or, in a course, recalls them.
func (e *engine[W]) makeOrRecall(s *source, ins []int64) (*Table[W], error) {
	if !e.recalls || s.kind != regionSource && s.kind != loopSource && s.kind != streamSource {
		return e.makeClasses(s, ins)
	}
	x := e.sources[s]
	if x == nil {
		x = e.findReads(s, nil)
		e.sources[s] = x
	}
	return e.computeOrRecall(x, s.gives, func() (*Table[W], error) { return e.makeClasses(s, ins) })
}

func (e *engine[W]) makeClasses(s *source, ins []int64) (*Table[W], error) {
	switch s.kind {
	case regionSource:
		return e.runProgram(s.body, e.unitTable())
	case loopSource:
		e.enclosing = append(e.enclosing, frame[W]{})
		return e.runLoop(s)
	case resultSource:
		e.enclosing = append(e.enclosing, frame[W]{})
		return e.runProgram(s.body, e.unitTable())
	case drawSource:
		return e.drawCount(s, ins)
	case choiceSource:
		return e.decideField(s, ins)
	case comparedSource:
		return e.comparedClasses(s)
	case headSource:
		switch p := e.Heads[s.id]; {
		case s.results != nil:
			return e.resultsHead(s, ins[0])
		case p.Sizes != nil:
			return e.headOfSizes(p)
		}
	}
	n := &e.Nodes[s.id]
	d := &e.Dice[n.Imm]
	guard, faces, count, fault := ins[0], ins[1], ins[2], ins[3]
	if guard == 0 {
		faces, count = 1, 0
	} else {
		if !d.List {
			count = 1
		}
		if why := e.executor.Impossible(e.Graph, int(n.Imm), faces, count, fault); why != nil {
			return e.endAll(e.unitTable(), why, len(s.gives))
		}
	}
	switch s.kind {
	case unreadSource:
		if guard == 0 || dice.Endless(d, faces) == "" {
			return e.unitTable(0), nil
		}
	case listSource:
		ordered := count
		if s.tail && ins[4] > 0 {
			ordered = min(count, ins[4])
		}
		return e.listDice(s, d, faces, count, ordered)
	case streamSource:
		return e.runStream(s, d, faces, count)
	case headSource:
		return e.poolHead(s, d, faces, count)
	}
	if count == 0 {
		return e.unitTable(0), nil
	}
	return e.dieTotals(d, faces, s.id)
}

// runLoop carries out a loop that rolls, from one state.
//
// The states are the values that the loop carries. A loop that counts the sixes of 10 rolled dice has i+1 states before
// iteration i of 0 to 9; it meets (1 + 2 + … + 10)·6 = 330 pairs, where there are 6^10 lists. The states behind the
// last iteration are its classes.
//
// The loop ends early when every state has ended. Growth by a constant factor is refused before it is paid for
// (projection in work.go).
func (e *engine[W]) runLoop(s *source) (*Table[W], error) {
	begin := make([]int64, len(s.initial))
	for k, id := range s.initial {
		begin[k] = e.env[id]
	}
	count := e.env[e.Nodes[s.id].Args[0]]
	env := make([]int64, len(s.ins)) // nothing within writes them, but loops within read them
	for k, id := range s.ins {
		env[k] = e.env[id]
	}
	t := e.unitTable(begin...)
	var growth projection
	for i := range count {
		if needs := growth.projectWork(int64(len(t.w)), count-i); needs > float64(e.budget.all) {
			return nil, e.chargeWork(s.id, needs)
		}
		for k, id := range s.ins {
			e.env[id] = env[k]
		}
		if s.iteration != plan.None {
			e.env[s.iteration] = i
		}
		next, err := e.runProgram(s.body, t)
		if err != nil {
			return nil, err
		}
		e.releaseTable(t)
		if t = next; len(t.w) == 0 {
			break
		}
	}
	last := make([]ref, len(s.which))
	for k, at := range s.which {
		last[k] = ref{inRow, int32(at)}
	}
	return e.projectOutputs(last, t), nil
}
