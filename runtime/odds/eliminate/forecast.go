package eliminate

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A forecast walks random ways through the steps that are left, and so tells early that these lead to too many states.
//
// The problem. States that multiply with every step are refused when the next step is known to take more than the budget.
// By then all steps before it have been taken. For seven named d20 that are asked for together these are 3,368,420 pairs of
// a state and a class, some seconds to say no. An upper bound (estimate.go) must not refuse, because it does not know which
// states merge.
//
// The idea. Of n independent ways that come to M equally likely states, n(n-1)/2M pairs meet in one state on the average,
// and more when some states are likelier than others (the birthday problem). So few meetings are a lower bound of M,
// whatever the ways are drawn by: when 8,000 ways meet nowhere there are four million states or more, but for one case in
// 3,000. Ways are drawn from a fixed seed, so that equal questions have equal answers.
//
// A way comes to states that are met in any case, unless the question is refused. So the classes that are made for it serve
// later, and are charged once.
//
// The cost. A few ways tell whether some step may have a million states at all. Only then are as many walked as prove it.
// That costs at most half as much as was spent so far, and this as much; the next forecast comes when four times as much
// was spent. Without it questions of TestRefusedEarly take up to fourteen seconds and 5 GB to be refused.
type forecast[W pmf.Weight[W]] struct {
	*engine[W]
	random  *rand.Rand
	ways    []way[W]
	classes float64 // that the state of a way has met in the last step, on the average
}

// A way is at a state.
type way[W pmf.Weight[W]] struct {
	row []int64
	met *Table[W] // the classes of the state, where they are known
}

const (
	firstForecast = 1 << 15 // work before the first forecast
	fewWays       = 1 << 9
	manyWays      = 1 << 13
	mostWays      = 1 << 16
)

// A frame is a step of a program that makes the classes of its source, for a state of a table. It is a mark when it has no
// program: what is run within is no region, and its rows are not the classes of a source.
type frame[W pmf.Weight[W]] struct {
	*program
	at    int
	table *Table[W]
	state int
}

// A move is a step that ways take. Where it ends a region, the row of the way is a row of that, and resumed is the step
// around it that goes on with it.
type move[W pmf.Weight[W]] struct {
	*step
	region  *program
	resumed frame[W]
}

// foresee refuses the steps that are left of a program and of those around it, when they take more than the budget. The
// step at is charged: met are the classes that the states of a table meet in it.
func (e *engine[W]) foresee(p *program, at int, t *Table[W], met []*Table[W]) error {
	b := e.budget
	if e.recalls || b.spent < max(firstForecast, b.forecast) {
		return nil
	}
	b.forecast = 4 * b.spent
	words := e.stage.LongWork()
	defer func() { b.words += e.stage.LongWork() - words }()
	may := int(b.spent)
	moves := e.movesLeft(p, at)
	moves = moves[:min(len(moves), may/2/fewWays)]
	first, last := len(moves), -1 // moves that may lead to too many states
	x := e.beginForecast(&p.steps[at], t, met, fewWays)
	for k := range moves {
		if err := x.take(&moves[k]); err != nil {
			return ignoreMemory(err)
		}
		if x.countMeetings(x.rowOf) <= 1 {
			first, last = min(first, k), k
		}
	}
	ways := manyWays
	for ways < mostWays && may/(2*ways) > last {
		ways *= 2
	}
	if last = min(last, may/ways-1); last < first {
		b.forecast = 2 * b.spent
		return nil
	}
	x = e.beginForecast(&p.steps[at], t, met, ways)
	needs, states := float64(b.spent), 0.0
	for k := range moves[:last+1] {
		if err := x.take(&moves[k]); err != nil {
			return ignoreMemory(err)
		}
		if needs += states * x.classes; needs > float64(b.all) {
			return e.tooMuch(moves[k].rolls(), needs)
		}
		states = x.leastStates(x.rowOf)
		if err := x.judge(moves[k].step, states, t.den); err != nil {
			return err
		}
	}
	return nil
}

// ignoreMemory drops the error of a forecast that has run out of memory for lists: the steps themselves may need less.
func ignoreMemory(err error) error {
	if errors.Is(err, vm.ErrMemory) {
		return nil
	}
	return err
}

// movesLeft are the steps that are left of a program and, behind a region, of those around it.
func (e *engine[W]) movesLeft(p *program, at int) (out []move[W]) {
	for k := range p.steps[at:] {
		out = append(out, move[W]{step: &p.steps[at+k]})
	}
	for i := len(e.around) - 1; i >= 0 && e.around[i].program != nil; i-- {
		f := e.around[i]
		out = append(out, move[W]{&f.steps[f.at], p, f})
		for k := range f.steps[f.at+1:] {
			out = append(out, move[W]{step: &f.steps[f.at+1+k]})
		}
		p = f.program
	}
	return out
}

// beginForecast draws the states of a table from which so many ways begin.
func (e *engine[W]) beginForecast(first *step, t *Table[W], met []*Table[W], ways int) *forecast[W] {
	x := &forecast[W]{engine: e, random: rand.New(rand.NewPCG(1, 2))}
	futures := make([]float64, len(t.w)) // of each row, those of the rows up to it
	sum := 0.0
	for i := range t.w {
		sum += x.countFutures(first, t.Row(i), met[min(i, len(met)-1)])
		futures[i] = sum
	}
	for range ways {
		i, _ := slices.BinarySearch(futures, x.random.Float64()*sum)
		x.ways = append(x.ways, way[W]{t.Row(i), met[min(i, len(met)-1)]})
	}
	return x
}

// take lets every way take a step. Ways that end there are left out.
func (x *forecast[W]) take(m *move[W]) error {
	on := x.ways[:0]
	rows := make([]int64, 0, len(x.ways)*len(m.from))
	x.classes = 0
	for _, w := range x.ways {
		row, class, err := x.meet(m, w)
		switch {
		case err != nil:
			return err
		case row == nil:
			continue
		case m.piece != nil:
			if err := x.compute(m.piece, row, class); err != nil {
				if _, ends := endingOf(err); ends {
					continue
				}
				return err
			}
		}
		at := len(rows)
		rows = rows[:at+len(m.from)]
		x.gather(rows[at:], m.from, row, class)
		on = append(on, way[W]{row: rows[at:]})
	}
	x.classes /= float64(len(x.ways))
	x.ways = on
	return nil
}

// meet gives the state of a way at a step, and the class that it meets there; no state when there are no classes.
func (x *forecast[W]) meet(m *move[W], w way[W]) (row, class []int64, err error) {
	if m.region != nil {
		class = make([]int64, len(m.region.last))
		x.gather(class, m.region.last, w.row, nil)
		x.classes++
		state := m.resumed.state
		if len(m.source.from) == 0 { // all states meet the same classes
			state = x.random.IntN(len(m.resumed.table.w))
		}
		return m.resumed.table.Row(state), class, nil
	}
	c := w.met
	switch {
	case c != nil:
	case m.source == nil:
		c = x.unitTable()
	default:
		depth := len(x.around)
		x.around = append(x.around, frame[W]{})
		c, err = x.classesOf(m.source, w.row)
		if x.around = x.around[:depth]; err != nil {
			return nil, nil, err
		}
	}
	if x.classes += float64(len(c.w)); len(c.w) == 0 {
		return nil, nil, nil
	}
	return w.row, c.Row(x.choose(m.source, c, w.row)), nil
}

// choose draws one of some classes: all alike, but of the counts of a class of faces such that all counts of a pool, as its
// classes will have them in the end, are alike.
func (x *forecast[W]) choose(s *source, c *Table[W], state []int64) int {
	if s == nil || s.kind != drawSource {
		return x.random.IntN(len(c.w))
	}
	likely, sum := make([]float64, len(c.w)), 0.0
	for i := range likely {
		likely[i] = x.countBehind(s, state, c.Row(i)[0]-1)
		sum += likely[i]
	}
	at := x.random.Float64() * sum
	for i, w := range likely {
		if at -= w; at < 0 {
			return i
		}
	}
	return len(likely) - 1
}

// countFutures returns in how many ways a state may go on: as many as there are classes or, of a pool, counts.
func (x *forecast[W]) countFutures(s *step, state []int64, c *Table[W]) (sum float64) {
	if s.source == nil || s.source.kind != drawSource {
		return float64(len(c.w))
	}
	for i := range c.w {
		sum += x.countBehind(s.source, state, c.Row(i)[0]-1)
	}
	return sum
}

// countBehind returns in how many ways a pool may show its later classes when so many dice show that of a draw.
func (x *forecast[W]) countBehind(s *source, state []int64, shown int64) float64 {
	var left [1]int64
	x.gather(left[:], s.from[:1], state, nil)
	draw := x.Draws[s.id]
	later, distinct := draw.Pool.Classes[draw.Step+1:], draw.Pool.Die.Distinct && s.results == nil
	values := len(later)
	if distinct {
		values = len(slices.Concat(later...))
	}
	return rewrite.CountLists(float64(values), float64(left[0]-1-shown), true, distinct)
}

// rowOf returns the state of a way as the values in which ways may meet.
func (x *forecast[W]) rowOf(w way[W]) []int64 { return w.row }

// countMeetings returns the number of pairs of ways that have met: those equal in the values that of selects.
func (x *forecast[W]) countMeetings(of func(way[W]) []int64) (pairs float64) {
	if len(x.ways) == 0 {
		return math.Inf(1)
	}
	t := NewTable[pmf.Float](len(of(x.ways[0])))
	for _, w := range x.ways {
		i := t.NumberOf(of(w))
		pairs += float64(t.w[i])
		t.w[i]++
	}
	return pairs
}

// leastStates is a lower bound of how many states there are, by the pairs of ways that have met.
func (x *forecast[W]) leastStates(of func(way[W]) []int64) float64 {
	n, met := float64(len(x.ways)), x.countMeetings(of)
	return n * (n - 1) / 2 / (met + 3*math.Sqrt(met) + 8)
}

// judge refuses so many states behind a step, and so many different lists in them, as do not fit into memory.
func (x *forecast[W]) judge(s *step, states float64, den *big.Int) error {
	if err := x.judgeSize(s.rolls(), int(states), len(s.keep), den); err != nil {
		return err
	}
	for k, id := range s.keep {
		if x.Nodes[id].Kind != plan.List {
			continue
		}
		size := int64(math.MaxInt32)
		for _, w := range x.ways {
			size = min(size, vm.SpanSize(w.row[k]))
		}
		lists := x.leastStates(func(w way[W]) []int64 { return w.row[k : k+1] })
		if slots := lists * float64(size); slots > vm.MaxKeptSlots {
			return &odds.BudgetError{Subject: x.NameOf(s.rolls()), Needs: slots, Budget: vm.MaxKeptSlots,
				What: "numbers in memory", Advice: fixedLimit}
		}
	}
	return nil
}
