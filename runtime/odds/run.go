package odds

import (
	"encoding/binary"
	"errors"
	"math/big"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/vm"
)

// An Ending is why there is no answer for some of the ways in which the dice can fall.
type Ending struct {
	Kind    EndingKind
	Message string
	Cite    string
}

// EndingKind says how an evaluation ended.
type EndingKind uint8

// The kinds of endings.
const (
	Refused    EndingKind = iota // a requirement does not hold
	Failed                       // a formula has no value
	Unfollowed                   // dice explode further than was followed
	NotOffered                   // of an event: its guard does not hold
)

// An engine carries out programs with weights of one kind.
type engine[W weight[W]] struct {
	*graph
	stage       *vm.Executor
	schemas     [plan.NumRoots]*jsonio.Schema // of the records that it began with
	env         []int64
	memory      map[*source]map[string]*table[W]
	dice        map[diceKey]*madeDie[W] // of earlier questions too
	unit        W
	whole       bool
	of          func(num, den *big.Int) W // a fraction; of a whole the numerator alone
	raise       func(l line[W], n int) line[W]
	keep        func(l line[W], n, keep int, worth func(int64) int64, den *big.Int) line[W]
	raiseSparse func(l line[W], steps []int, n int) line[W]
	free        []*table[W] // whose memory may be used again
	budget      *budget
	prefix      []int64
	ins         []int64
	in          []int64
	out         []int64
	next        []int64
	key         []byte
}

// certain is a table of one row.
func (e *engine[W]) certain(row ...int64) *table[W] {
	t := e.table(len(row))
	t.push(row, e.unit)
	return t
}

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
	return e.project(p.last, t), nil
}

// forget gives back the classes that a source has shown.
func (e *engine[W]) forget(made map[string]*table[W]) {
	for key, t := range made {
		e.release(t)
		delete(made, key)
	}
}

// over ends all that has not ended.
func (e *engine[W]) over(t *table[W], err error, width int) (*table[W], error) {
	why, ok := endingOf(err)
	if !ok {
		return nil, err
	}
	out := e.table(width)
	out.den, out.ended = t.den, t.ended
	for _, w := range t.w {
		out.end(why, w)
	}
	return out, nil
}

// endingOf is the ending that an error of an evaluation is.
func endingOf(err error) (Ending, bool) {
	if r, ok := errors.AsType[*runtime.Refused](err); ok {
		if r.Require.Message == "" {
			return Ending{NotOffered, "the event is not offered", r.Require.Cite}, true
		}
		return Ending{Refused, r.Require.Message, r.Require.Cite}, true
	}
	if f, ok := errors.AsType[*runtime.Failure](err); ok {
		return Ending{Kind: Failed, Message: f.Error()}, true
	}
	return Ending{}, false
}

// project gives a table the columns that are asked for in the end.
func (e *engine[W]) project(last []ref, t *table[W]) *table[W] {
	same := len(last) == t.width
	for k, r := range last {
		same = same && r == ref{inRow, int32(k)}
	}
	if same {
		return t
	}
	return e.moved(t, last, nil)
}

// gather reads values where they stand.
func (e *engine[W]) gather(to []int64, from []ref, row, class []int64) {
	for k, r := range from {
		switch r.where {
		case inEnv:
			to[k] = e.env[r.at]
		case inRow:
			to[k] = row[r.at]
		case inClass:
			to[k] = class[r.at]
		case inPiece:
			to[k] = e.out[r.at]
		}
	}
}

// compute computes a piece, into e.out.
func (e *engine[W]) compute(x *piece, row, class []int64) error {
	e.in = resized(e.in, len(x.from))
	e.out = resized(e.out, len(x.outs))
	e.gather(e.in, x.from, row, class)
	return e.stage.Run(x.part, e.in, e.out)
}

func resized(s []int64, n int) []int64 {
	if cap(s) < n {
		return make([]int64, n)
	}
	return s[:n]
}

// step lets every state meet the classes of the step's source.
func (e *engine[W]) step(s *step, t *table[W]) (*table[W], error) {
	met, den, err := e.meets(s, t)
	if err != nil {
		return nil, err
	}
	out := e.roomy(len(s.keep), s.rows)
	out.den = t.den
	if den != one {
		out.den = new(big.Int).Mul(t.den, den)
	}
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

// scaled is a weight times den/by.
func (e *engine[W]) scaled(w W, den, by *big.Int) W {
	if den == by || den.Cmp(by) == 0 {
		return w
	}
	return w.times(e.of(new(big.Int).Quo(den, by), one))
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

// common is the least common multiple.
func common(a, b *big.Int) *big.Int {
	switch {
	case a == one || a == b:
		return b
	case b == one || a.Cmp(b) == 0:
		return a
	}
	g := new(big.Int).GCD(nil, nil, a, b)
	return g.Mul(g.Quo(a, g), b)
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
				if !ok {
					return err
				}
				out.end(why, weight)
				continue
			}
		}
		next := e.next[:len(s.from)]
		e.gather(next, s.from, row, class)
		out.add(next, weight)
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
	t, err := e.make(s, ins)
	if err != nil {
		return nil, err
	}
	if e.memory[s] == nil {
		e.memory[s] = map[string]*table[W]{}
	}
	e.memory[s][key] = t
	return t, nil
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
		return e.list(s, d, faces, count)
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
