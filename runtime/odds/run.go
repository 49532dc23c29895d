package odds

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/vm"
)

// run carries out a program from its first columns on. What has ended before stays ended.
func (e *engine[W]) run(p *program, t *table[W]) (*table[W], error) {
	for _, s := range p.reset {
		e.forget(e.memory[s])
	}
	if p.prefix != nil && p.prefix.part != nil {
		if err := e.compute(p.prefix, nil, nil); err != nil {
			return e.over(t, err, len(p.outs))
		}
		for k, id := range p.prefix.outs {
			e.env[id] = e.out[k]
		}
	}
	t, err := e.meetAll(p, t)
	if err != nil {
		return nil, err
	}
	return e.project(p.last, t), nil
}

// meetAll takes all steps of a program, and leaves the columns of the last one.
func (e *engine[W]) meetAll(p *program, t *table[W]) (*table[W], error) {
	for i := range p.steps {
		next, err := e.step(&p.steps[i], t)
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

// step lets every state meet the classes of the step's source.
func (e *engine[W]) step(s *step, t *table[W]) (*table[W], error) {
	met, den, err := e.meets(s, t)
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
	out := e.roomy(len(s.keep), rows)
	out.den = outDen
	for _, x := range t.ended {
		out.end(x.why, e.scaled(x.w, den, one))
	}
	for i := range t.w {
		c := met[min(i, len(met)-1)]
		w := e.scaled(t.w[i], den, c.den)
		if err := e.meet(s, t.row(i), w, c, out); err != nil {
			return nil, err
		}
	}
	s.rows = len(out.w)
	e.budget.states = max(e.budget.states, s.rows)
	return out, nil
}

// meets gives the classes that each state meets, one for all when they are the same, and the least common denominator.
func (e *engine[W]) meets(s *step, t *table[W]) (met []*table[W], den *big.Int, err error) {
	if s.source == nil {
		return []*table[W]{e.certain()}, one, e.spend(s.rolls(), float64(len(t.w)))
	}
	den = one
	units := 0.0
	for i := range t.w {
		c, err := e.classes(s.source, t.row(i))
		if err != nil {
			return nil, nil, err
		}
		met = append(met, c)
		if units += float64(len(c.w)); units > float64(e.budget.all) {
			break // spend tells
		}
		if i == 0 || c != met[i-1] {
			den = common(den, c.den)
		}
	}
	return met, den, e.spend(s.rolls(), units)
}

// meet adds what comes of a state with each of some classes.
func (e *engine[W]) meet(s *step, row []int64, w W, c *table[W], out *table[W]) error {
	for _, x := range c.ended {
		out.end(x.why, w.times(x.w))
	}
	e.next = resized(e.next, len(s.from))
	for k := range c.w {
		class, weight := c.row(k), w.times(c.w[k])
		if s.piece != nil {
			if err := e.compute(s.piece, row, class); err != nil {
				why, ok := endingOf(err)
				switch {
				case errors.Is(err, vm.ErrMemory):
					return fmt.Errorf("%s: %w", e.named(s.rolls()), err)
				case !ok:
					return err
				}
				out.end(why, weight)
				continue
			}
		}
		next := e.next[:len(s.from)]
		e.gather(next, s.from, row, class)
		if s.apart {
			out.push(next, weight)
		} else {
			out.add(next, weight)
		}
		if err := e.hold(s.rolls(), out); err != nil {
			return err
		}
	}
	return nil
}

// classes gives what a source can show in a state. Equal inputs give the same classes.
func (e *engine[W]) classes(s *source, row []int64) (*table[W], error) {
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
	t, err := e.remade(s, ins)
	if err != nil {
		return nil, err
	}
	if e.memory[s] == nil {
		e.memory[s] = map[string]*table[W]{}
	}
	e.memory[s][key] = t
	return t, nil
}

// remade makes the classes of a source or, in a course, recalls them.
func (e *engine[W]) remade(s *source, ins []int64) (*table[W], error) {
	if !e.recalls || s.kind != regionSource && s.kind != loopSource && s.kind != streamSource {
		return e.make(s, ins)
	}
	x := e.sources[s]
	if x == nil {
		x = e.recallOf(s, nil)
		e.sources[s] = x
	}
	return e.recalling(x, s.gives, func() (*table[W], error) { return e.make(s, ins) })
}

func (e *engine[W]) make(s *source, ins []int64) (*table[W], error) {
	switch s.kind {
	case regionSource:
		return e.run(s.body, e.certain())
	case loopSource:
		return e.loop(s)
	case resultSource:
		return e.run(s.body, e.certain())
	case drawSource:
		return e.drawCount(s, ins)
	case choiceSource:
		return e.decide(s, ins)
	case headSource:
		if s.results != nil {
			return e.resultsHead(s, ins[0])
		}
	}
	n := &e.nodes[s.id]
	d := &e.Dice[n.Imm]
	guard, faces, count, fault := ins[0], ins[1], ins[2], ins[3]
	if guard == 0 {
		faces, count = 1, 0
	} else {
		if !d.List {
			count = 1
		}
		if why := e.stage.Impossible(e.Graph, int(n.Imm), faces, count, fault); why != nil {
			return e.over(e.certain(), why, len(s.gives))
		}
	}
	switch s.kind {
	case listSource:
		ordered := count
		if s.tail && ins[4] > 0 {
			ordered = min(count, ins[4])
		}
		return e.list(s, d, faces, count, ordered)
	case streamSource:
		return e.stream(s, d, faces, count)
	case headSource:
		return e.poolHead(s, d, faces, count)
	}
	if count == 0 {
		return e.certain(0), nil
	}
	return e.die(d, faces, s.id)
}

// loop carries out a loop that rolls, from one state.
func (e *engine[W]) loop(s *source) (*table[W], error) {
	begin := make([]int64, len(s.begin))
	for k, id := range s.begin {
		begin[k] = e.env[id]
	}
	count := e.env[e.nodes[s.id].Args[0]]
	env := make([]int64, len(s.ins)) // nothing within writes them, but loops within read them
	for k, id := range s.ins {
		env[k] = e.env[id]
	}
	t := e.certain(begin...)
	var growth projection
	for i := range count {
		if needs := growth.needs(int64(len(t.w)), count-i); needs > float64(e.budget.all) {
			return nil, e.spend(s.id, needs)
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
