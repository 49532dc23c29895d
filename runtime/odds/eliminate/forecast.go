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
// The cost. A few ways come first, which prove that some thousands of states are met in each step. Where that is not
// enough, four times as many are walked, as long as they would decide if they met as often as the few, and take about as
// much as was spent so far, long formulas too. The next forecast comes when four times as much was spent, or twice as much
// after one that stopped because more ways would have taken too long. Without it questions of TestRefusedEarly take up to
// fourteen seconds and 5 GB to be refused.
type forecast[W pmf.Weight[W]] struct {
	*engine[W]
	random  *rand.Rand
	ways    []way
	classes float64   // that the state of a way has met in the last step, on the average
	limit   int64     // of the work that making classes may take
	words   int64     // of long formulas, beyond which no way goes on (work.go)
	single  *Table[W] // the classes of a step without a source
	futures map[tiltedClasses[W]][]float64
	// The rows of the ways, and memory for those behind the next step.
	rows, next []int64
	meetings   equalPairCounter
}

// A way is at a state. The more it tilts, the more dice of a pool show the next classes: sums over dice that all ways drew
// alike would lie near their mean, and meet there.
type way struct {
	row  []int64
	tilt int
}

// mostTilt is how much ways tilt at most where that lets fewer of them meet: it suits states that hold sums, and not
// counts.
const mostTilt = 3

// tiltedClasses are the counts of a class of faces as ways of a tilt prefer them.
type tiltedClasses[W pmf.Weight[W]] struct {
	classes *Table[W]
	tilt    int
}

const (
	firstForecast = 3 << 13 // work before the first forecast
	fewWays       = 1 << 9
	moreWays      = 4 // times as many, where these do not decide
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

// foreseeMoves refuses the steps that are left of a program, from the step at on, and of those around it, when the states
// of a table lead to more work than the budget has.
func (e *engine[W]) foreseeMoves(p *program, at int, t *Table[W]) error {
	b := e.budget
	if e.recalls || !b.isForecastDue(&b.forecast, int64(len(t.w))) {
		return nil
	}
	words := e.executor.LongWork()
	defer func() { b.words += e.executor.LongWork() - words }()
	moves, allowance := e.movesLeft(p, at), int(b.spent)+len(t.w)
	moves = moves[:min(len(moves), allowance/fewWays)]
	tilt, most := 0, 0.0
	for ways := fewWays; len(moves) > 0; ways *= moreWays {
		if len(moves)*ways > 4*allowance {
			b.forecast = 2 * b.spent
			return nil
		}
		decidable := 0
		for _, tried := range [...]int{0, mostTilt} {
			if ways > fewWays && tried != tilt {
				continue
			}
			x := e.beginForecast(&p.steps[at], t, ways, int64(allowance))
			x.words = words + int64(allowance)*wordsOfUnit
			x.tiltWays(tried)
			k, needs, err := x.walkMoves(moves, t, 4*allowance/len(moves))
			if err != nil {
				return ignoreMemory(err)
			}
			if decidable = max(decidable, k); needs > most {
				tilt, most = tried, needs
			}
		}
		moves = moves[:decidable]
	}
	return nil
}

// walkMoves lets all ways take some moves from the states of a table on, and refuses these when they lead to too many
// states. The work of the first one is known when it is taken. It returns how many of the moves would be refused if so many
// ways as may be walked met as often as these, and how much all are known to need.
func (x *forecast[W]) walkMoves(moves []move[W], t *Table[W], most int) (decidable int, needs float64, err error) {
	more := float64(most) / float64(len(x.ways))
	needs = float64(x.budget.spent)
	hopes := needs            // what more ways may prove to be needed
	states, hoped := 0.0, 0.0 // before a move
	for k := range moves {
		if err := x.takeMove(&moves[k]); err != nil || len(x.ways) == 0 {
			return decidable, needs, err
		}
		if needs += states * x.classes; needs > float64(x.budget.all) {
			return 0, 0, x.tooMuch(moves[k].sourceNode(), needs)
		}
		if hopes += hoped * x.classes; hopes > float64(x.budget.all) {
			decidable = len(moves)
		}
		met := x.countMeetings(func(w way) []int64 { return w.row })
		states, hoped = leastStates(len(x.ways), met), leastStates(int(more*float64(len(x.ways))), more*more*met)
		if err := x.judgeStates(moves[k].step, states, t.den); err != nil {
			return 0, 0, err
		}
		if hoped*float64(len(moves[k].keep)) > float64(x.budget.maxNumbers()) {
			decidable = max(decidable, k+1)
		}
	}
	return decidable, needs, nil
}

// leastStates returns a lower bound of how many states there are, of which so many pairs of ways have met in one.
func leastStates(ways int, met float64) float64 {
	n := float64(ways)
	return n * (n - 1) / 2 / (met + 3*math.Sqrt(met) + 8)
}

// ignoreMemory drops the error of a forecast that has run out of memory for lists: the steps themselves may need less.
func ignoreMemory(err error) error {
	if errors.Is(err, vm.ErrMemory) {
		return nil
	}
	return err
}

// movesLeft returns the steps that are left of a program and, behind a region, of those around it.
func (e *engine[W]) movesLeft(p *program, at int) (out []move[W]) {
	for k := range p.steps[at:] {
		out = append(out, move[W]{step: &p.steps[at+k]})
	}
	for i := len(e.enclosing) - 1; i >= 0 && e.enclosing[i].program != nil; i-- {
		f := e.enclosing[i]
		out = append(out, move[W]{&f.steps[f.at], p, f})
		for k := range f.steps[f.at+1:] {
			out = append(out, move[W]{step: &f.steps[f.at+1+k]})
		}
		p = f.program
	}
	return out
}

// beginForecast draws the states of a table from which so many ways begin. Making classes may take so much work.
func (e *engine[W]) beginForecast(first *step, t *Table[W], ways int, limit int64) *forecast[W] {
	x := &forecast[W]{
		engine: e, random: rand.New(rand.NewPCG(1, 2)), limit: limit, single: e.unitTable(),
		futures: map[tiltedClasses[W]][]float64{},
	}
	futures := make([]float64, len(t.w)) // of each row, those of the rows up to it
	sum, byLeft := 0.0, map[int64]float64{}
	for i := range t.w {
		sum += x.countFutures(first.source, t.Row(i), byLeft)
		futures[i] = sum
	}
	for range ways {
		i, _ := slices.BinarySearch(futures, x.random.Float64()*sum)
		x.ways = append(x.ways, way{row: t.Row(min(i, len(futures)-1))})
	}
	return x
}

// tiltWays lets the ways tilt by at most so much.
func (x *forecast[W]) tiltWays(most int) {
	for i := range x.ways {
		x.ways[i].tilt = x.random.IntN(2*most+1) - most
	}
}

// takeMove lets every way take a step. Ways that end there are left out, and those for which it would take too much to make
// the classes, or to compute long formulas.
func (x *forecast[W]) takeMove(m *move[W]) error {
	if err := x.judgeMaking(m); err != nil {
		return err
	}
	remaining, taken := x.ways[:0], 0
	rows := slices.Grow(x.next[:0], len(x.ways)*len(m.from))
	x.classes = 0
	most := x.budget.spent + x.limit
	for _, w := range x.ways {
		if x.budget.spent > most || x.executor.LongWork() > x.words {
			break
		}
		taken++
		row, class, err := x.meetClass(m, w)
		switch {
		case err != nil:
			return err
		case row == nil:
			continue
		case m.fragment != nil:
			if err := x.computeFragment(m.fragment, row, class); err != nil {
				if _, ends := endingOf(err); ends {
					continue
				}
				return err
			}
		}
		at := len(rows)
		rows = rows[:at+len(m.from)]
		x.gatherValues(rows[at:], m.from, row, class)
		remaining = append(remaining, way{rows[at:], w.tilt})
	}
	x.rows, x.next = rows, x.rows
	x.classes /= float64(max(taken, 1))
	x.ways = remaining
	return nil
}

// fewMade is how often classes are made to know what they take at least.
const fewMade = 8

// judgeMaking refuses a step of which the classes take too much to make: as often as there are different values that the
// source reads, and each time as much as the cheapest of a few.
func (x *forecast[W]) judgeMaking(m *move[W]) error {
	if m.region != nil || m.source == nil || len(m.source.from) == 0 || len(x.ways) == 0 {
		return nil
	}
	switch m.source.kind {
	case regionSource, loopSource, streamSource:
	default:
		return nil
	}
	least, made := int64(math.MaxInt64), 0
	for _, w := range x.ways[:min(len(x.ways), 2*fewMade)] {
		before := x.budget.spent
		if _, err := x.classesAt(m, w.row); err != nil {
			return err
		}
		if took := x.budget.spent - before; took > 0 {
			least, made = min(least, took), made+1
		}
	}
	if made < fewMade {
		return nil
	}
	read := make([]int64, len(m.source.from))
	times := leastStates(len(x.ways), x.countMeetings(func(w way) []int64 {
		x.gatherValues(read, m.source.from, w.row, nil)
		return read
	}))
	times -= float64(len(x.memory[m.source])) // which were made, and charged
	if needs := float64(x.budget.spent) + times*float64(least); needs > float64(x.budget.all) {
		return x.tooMuch(m.sourceNode(), needs)
	}
	return nil
}

// classesAt returns the classes that a row meets at a step.
func (x *forecast[W]) classesAt(m *move[W], row []int64) (*Table[W], error) {
	depth := len(x.enclosing)
	x.enclosing = append(x.enclosing, frame[W]{})
	c, err := x.classesOf(m.source, row)
	x.enclosing = x.enclosing[:depth]
	return c, err
}

// meetClass returns the state of a way at a step, and the class that it meets there; no state when there are no classes.
func (x *forecast[W]) meetClass(m *move[W], w way) (row, class []int64, err error) {
	if m.region != nil {
		class = make([]int64, len(m.region.last))
		x.gatherValues(class, m.region.last, w.row, nil)
		x.classes++
		state := m.resumed.state
		if len(m.source.from) == 0 { // all states meet the same classes
			state = x.random.IntN(len(m.resumed.table.w))
		}
		return m.resumed.table.Row(state), class, nil
	}
	c := x.single
	if m.source != nil {
		if c, err = x.classesAt(m, w.row); err != nil {
			return nil, nil, err
		}
	}
	if x.classes += float64(len(c.w)); len(c.w) == 0 {
		return nil, nil, nil
	}
	return w.row, c.Row(x.chooseClass(m.source, c, w)), nil
}

// chooseClass draws one of some classes for a way: all alike but of the counts of a class of faces. These are drawn such
// that all counts of a pool, as its classes will have them in the end, are alike but for the tilt.
func (x *forecast[W]) chooseClass(s *source, c *Table[W], w way) int {
	if s == nil || s.kind != drawSource {
		return x.random.IntN(len(c.w))
	}
	key := tiltedClasses[W]{c, w.tilt}
	futures := x.futures[key]
	if len(futures) != len(c.w) {
		futures = make([]float64, len(c.w))
		sum, tilt := 0.0, x.tiltOf(s, w)
		for i := range futures {
			shown := c.Row(i)[0] - 1
			sum += x.countBehind(s, w.row, shown) * math.Pow(tilt, float64(shown))
			futures[i] = sum
		}
		x.futures[key] = futures
	}
	i, _ := slices.BinarySearch(futures, x.random.Float64()*futures[len(futures)-1])
	return min(i, len(futures)-1)
}

// tiltOf returns the factor by which a way prefers one die more that shows a class: the mean of their number, about
// geometric, becomes as many times as large as the way tilts.
func (x *forecast[W]) tiltOf(s *source, w way) float64 {
	draw := x.Draws[s.id]
	mean := float64(x.leftOf(s, w.row)-1) / float64(len(draw.Pool.Classes)-draw.Step)
	more := math.Exp2(float64(w.tilt) / 2)
	return more * (1 + mean) / (1 + mean*more)
}

// countFutures returns in how many ways a state may go on: as many as there are counts of a pool, and else one. Of pools it
// remembers these by how many dice are left.
func (x *forecast[W]) countFutures(s *source, state []int64, byLeft map[int64]float64) float64 {
	if s == nil || s.kind != drawSource {
		return 1
	}
	left := x.leftOf(s, state)
	sum, known := byLeft[left]
	if !known {
		for shown := range left {
			sum += x.countBehind(s, state, shown)
		}
		byLeft[left] = sum
	}
	return sum
}

// leftOf returns one more than the number of dice that a draw has left.
func (x *forecast[W]) leftOf(s *source, state []int64) int64 {
	var left [1]int64
	x.gatherValues(left[:], s.from[:1], state, nil)
	return left[0]
}

// countBehind returns in how many ways a pool may show its later classes when so many dice show that of a draw.
func (x *forecast[W]) countBehind(s *source, state []int64, shown int64) float64 {
	draw := x.Draws[s.id]
	later, distinct := draw.Pool.Classes[draw.Step+1:], draw.Pool.Die.Distinct && s.results == nil
	values := len(later)
	if distinct {
		values = len(slices.Concat(later...))
	}
	return rewrite.CountLists(float64(values), float64(x.leftOf(s, state)-1-shown), true, distinct)
}

// countMeetings returns the number of pairs of ways that have met: those equal in the values that of selects.
func (x *forecast[W]) countMeetings(of func(way) []int64) float64 {
	return x.meetings.countEqualPairs(len(x.ways), func(i int) []int64 { return of(x.ways[i]) })
}

// equalPairCounter counts rows by their hashes. That two different rows may have one only lowers the bound of how many
// there are.
type equalPairCounter struct{ hashes []uint64 }

// countEqualPairs returns the number of pairs of so many rows that are equal.
func (m *equalPairCounter) countEqualPairs(rows int, rowAt func(i int) []int64) (pairs float64) {
	if rows == 0 {
		return math.Inf(1)
	}
	m.hashes = m.hashes[:0]
	for i := range rows {
		m.hashes = append(m.hashes, hashRow(rowAt(i)))
	}
	slices.Sort(m.hashes)
	equal := 0.0
	for i := range rows - 1 {
		if equal++; m.hashes[i] != m.hashes[i+1] {
			equal = 0
		}
		pairs += equal
	}
	return pairs
}

// judgeStates refuses so many states behind a step, and so many different lists in them, as do not fit into memory.
func (x *forecast[W]) judgeStates(s *step, states float64, den *big.Int) error {
	if err := x.judgeSize(s.sourceNode(), int(states), len(s.keep), den); err != nil {
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
		lists := leastStates(len(x.ways), x.countMeetings(func(w way) []int64 { return w.row[k : k+1] }))
		if slots := lists * float64(size); slots > vm.MaxKeptSlots {
			return &odds.BudgetError{Subject: x.NameOf(s.sourceNode()), Needs: slots, Budget: vm.MaxKeptSlots,
				What: "numbers in memory", Advice: fixedLimit}
		}
	}
	return nil
}
