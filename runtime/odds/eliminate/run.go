package eliminate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// run carries out a program from its first columns on. What has ended before stays ended.
func (e *engine[W]) run(p *program, t *Table[W]) (*Table[W], error) {
	for _, s := range p.reset {
		e.forget(e.memory[s])
	}
	if p.prefix != nil && p.prefix.part != nil {
		if err := e.compute(p.prefix, nil, nil); err != nil {
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
	return e.project(p.last, t), nil
}

// runSteps takes all steps of a program, and leaves the columns of the last one.
func (e *engine[W]) runSteps(p *program, t *Table[W]) (*Table[W], error) {
	for i := range p.steps {
		next, err := e.runStep(&p.steps[i], t)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			e.release(t)
		}
		t = next
	}
	return t, nil
}

// runStep multiplies every state with the classes of the step's source.
func (e *engine[W]) runStep(s *step, t *Table[W]) (*Table[W], error) {
	met, den, err := e.classesOfStates(s, t)
	if err != nil {
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
	if err := e.judgeSize(s.rolls(), rows, len(s.keep), outDen); s.apart && err != nil {
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
func (e *engine[W]) classesOfStates(s *step, t *Table[W]) (met []*Table[W], den *big.Int, err error) {
	if s.source == nil {
		return []*Table[W]{e.unitTable()}, one, e.chargeWork(s.rolls(), float64(len(t.w)))
	}
	den = one
	units := 0.0
	for i := range t.w {
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
	return met, den, e.chargeWork(s.rolls(), units)
}

// multiplyState adds to a table what comes of a state with each of some classes: what the step computes of both, with the
// product of their weights.
func (e *engine[W]) multiplyState(s *step, row []int64, w W, c *Table[W], out *Table[W]) error {
	for _, x := range c.ended {
		out.addEnding(x.why, w.Times(x.w))
	}
	e.next = resized(e.next, len(s.from))
	for k := range c.w {
		class, weight := c.Row(k), w.Times(c.w[k])
		if s.piece != nil {
			if err := e.compute(s.piece, row, class); err != nil {
				why, ok := endingOf(err)
				switch {
				case errors.Is(err, vm.ErrMemory):
					return fmt.Errorf("%s: %w", e.NameOf(s.rolls()), err)
				case !ok:
					return err
				}
				out.addEnding(why, weight)
				continue
			}
		}
		next := e.next[:len(s.from)]
		e.gather(next, s.from, row, class)
		switch {
		case s.apart:
			out.appendRow(next, weight)
		case s.isTraced:
			out.addTraced(next, weight)
		default:
			out.add(next, weight)
		}
		if err := e.chargeTable(s.rolls(), out); err != nil {
			return err
		}
	}
	return nil
}

// classesOf returns what a source can show in a state. Equal inputs give the same classes.
func (e *engine[W]) classesOf(s *source, row []int64) (*Table[W], error) {
	ins := resized(e.ins, len(s.from))
	e.ins = ins
	e.gather(ins, s.from, row, nil)
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
		return e.run(s.body, e.unitTable())
	case loopSource:
		return e.runLoop(s)
	case resultSource:
		return e.run(s.body, e.unitTable())
	case drawSource:
		return e.drawCount(s, ins)
	case choiceSource:
		return e.decideField(s, ins)
	case headSource:
		if s.results != nil {
			return e.resultsHead(s, ins[0])
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
		if why := e.stage.Impossible(e.Graph, int(n.Imm), faces, count, fault); why != nil {
			return e.endAll(e.unitTable(), why, len(s.gives))
		}
	}
	switch s.kind {
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
func (e *engine[W]) runLoop(s *source) (*Table[W], error) {
	begin := make([]int64, len(s.begin))
	for k, id := range s.begin {
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
		if needs := growth.needs(int64(len(t.w)), count-i); needs > float64(e.budget.all) {
			return nil, e.chargeWork(s.id, needs)
		}
		for k, id := range s.ins {
			e.env[id] = env[k]
		}
		if s.iteration != plan.None {
			e.env[s.iteration] = i
		}
		next, err := e.run(s.body, t)
		if err != nil {
			return nil, err
		}
		e.release(t)
		if t = next; len(t.w) == 0 {
			break
		}
	}
	last := make([]ref, len(s.which))
	for k, at := range s.which {
		last[k] = ref{inRow, int32(at)}
	}
	return e.project(last, t), nil
}
