package eliminate

import (
	"errors"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An engine carries out programs with weights of one kind. What it holds has five lifetimes, each a type of its own.
//
// Its buffers are overwritten by the next call that uses them. So an engine is not safe for concurrent use.
type engine[W pmf.Weight[W]] struct {
	*rewrite.Network
	arithmetic[W]
	executor      *vm.Executor
	decidedFields []*decidedField    // fields that a strategy decides
	symbolOf      func(string) int64 // a string as a slot
	reserve[W]
	inquiry[W]
	courseMemory[W]
	buffers
}

// The arithmetic of an engine does not change.
type arithmetic[W pmf.Weight[W]] struct {
	unit             W
	isExact          bool
	weightOfFraction func(num, den *big.Int) W // a fraction; of a Numerator the numerator alone
	raise            func(l pmf.Line[W], n int) pmf.Line[W]
	keep             func(l pmf.Line[W], n, keep int, worth func(int64) int64, den *big.Int) pmf.Line[W]
	raiseSparse      func(l pmf.Line[W], steps []int, n int) pmf.Line[W]
}

// The reserve of an engine serves all its questions.
type reserve[W pmf.Weight[W]] struct {
	dice      map[diceKey]*madeDie[W]
	binomials *pmf.Binomials[W]
	free      []*Table[W] // whose memory may be used again
}

// An inquiry holds for one question.
type inquiry[W pmf.Weight[W]] struct {
	// env has a slot for each node of the network: constants always, what the prefix computes for the question, and what a
	// source reads of a state while its classes are made.
	env       []int64
	memory    map[*source]map[string]*Table[W]
	budget    *budget
	enclosing []frame[W]   // the steps whose classes are being made, the outermost first
	play      *strategyRun // of a rule with fields that a strategy decides
	// answered is what the last program or source that was looked for has recalled, or is recalled by from now on.
	answered *recalled[W]
	// answerKey identifies the answer to the question; nil where it is not known whether it comes again.
	answerKey any
}

// A courseMemory holds for the questions of a course. Its tables are forgotten when the executor forgets its values
// (epoch).
type courseMemory[W pmf.Weight[W]] struct {
	// recalls says that the engine answers the questions of a course. What it keeps of one question then has the same slots
	// in the next, unless a list has an unknown layout.
	recalls bool
	course  int // of which it answers a question, as Rule numbers them
	// hasUnknownLayout says that the engine has met a list whose layout it does not know. Slots then mean something
	// else in every question.
	hasUnknownLayout bool
	// epoch is how often the engine has forgotten what it kept; 0 while a list has an unknown layout.
	epoch      int
	sources    map[*source]*recall[W]
	top        *recall[W]    // of the outermost program
	deferred   *lateFragment // what is put off behind it; nil when nothing is
	undeferred *recall[W]    // of the program before it; nil before that was tried
	recalled   int           // numbers of all tables that are recalled
}

// The buffers of an engine keep their contents only until the next call.
type buffers struct {
	prefix, ins, in, out, next []int64
	key                        []byte
}

// A diceKey says what a die shows.
type diceKey struct {
	faces          int64
	again, explode plan.Band
	once           bool
	times          int64
	shows          string // what the faces of a die show that are added; "" of any other
}

// A madeDie outlives the question for which it was made.
type madeDie[W pmf.Weight[W]] struct {
	totals    *Table[W]
	cost      int64
	chargedTo *budget // of the last question that was charged for it
}

// unitTable returns a table of one row.
func (e *engine[W]) unitTable(row ...int64) *Table[W] {
	t := e.emptyTable(len(row))
	t.appendRow(row, e.unit)
	return t
}

// releaseClasses releases the tables of the classes that a source has shown.
func (e *engine[W]) releaseClasses(made map[string]*Table[W]) {
	for key, t := range made {
		e.releaseTable(t)
		delete(made, key)
	}
}

// endAll returns a table in which every state of t has the ending of an error: none of them goes on.
func (e *engine[W]) endAll(t *Table[W], err error, width int) (*Table[W], error) {
	why, ok := endingOf(err)
	if !ok {
		return nil, err
	}
	out := e.emptyTable(width)
	out.den, out.ended = t.den, t.ended
	for _, w := range t.w {
		out.addEnding(why, w)
	}
	return out, nil
}

// endingOf returns the ending of an error of an evaluation; not ok when the error is none.
func endingOf(err error) (odds.Ending, bool) {
	if r, ok := errors.AsType[*vm.Refused](err); ok {
		if r.Require.Message == "" {
			return odds.Ending{Kind: odds.NotOffered, Message: "the event is not offered", Cite: r.Require.Cite}, true
		}
		return odds.Ending{Kind: odds.Refused, Message: r.Require.Message, Cite: r.Require.Cite}, true
	}
	if f, ok := errors.AsType[*vm.Failure](err); ok {
		return odds.Ending{Kind: odds.Failed, Message: f.Error()}, true
	}
	return odds.Ending{}, false
}

// gatherValues writes the values that refs denote into to.
func (e *engine[W]) gatherValues(to []int64, from []ref, row, class []int64) {
	for k, r := range from {
		switch r.where {
		case inEnv:
			to[k] = e.env[r.at]
		case inRow:
			to[k] = row[r.at]
		case inClass:
			to[k] = class[r.at]
		case inFragment:
			to[k] = e.out[r.at]
		}
	}
}

// computeFragment computes a fragment, into e.out.
func (e *engine[W]) computeFragment(x *fragment, row, class []int64) error {
	e.in = resizeSlice(e.in, len(x.from))
	e.out = resizeSlice(e.out, len(x.outs))
	e.gatherValues(e.in, x.from, row, class)
	return e.executor.Run(x.code, e.in, e.out)
}

func resizeSlice(s []int64, n int) []int64 {
	if cap(s) < n {
		return make([]int64, n)
	}
	return s[:n]
}

// scaleWeight returns a weight times den/by.
//
// In whole numbers by must divide den, as it does when den is a least common multiple. In floats both are one and the
// weight stays.
func (e *engine[W]) scaleWeight(w W, den, by *big.Int) W {
	if den == by || den.Cmp(by) == 0 {
		return w
	}
	return w.Times(e.weightOfFraction(new(big.Int).Quo(den, by), one))
}

// rearrangeColumns returns a table with other columns of the rows of t, which it uses up. Rows that keep all they have
// stay different.
func (e *engine[W]) rearrangeColumns(t *Table[W], from []ref, class []int64) *Table[W] {
	kept := make([]bool, t.width)
	for _, r := range from {
		if r.where == inRow {
			kept[r.at] = true
		}
	}
	out := e.emptyTableFor(len(from), len(t.w))
	out.den, out.ended = t.den, t.ended
	put := out.addRow
	if !slices.Contains(kept, false) {
		put = out.appendRow
	}
	row := make([]int64, len(from))
	for i, w := range t.w {
		e.gatherValues(row, from, t.Row(i), class)
		put(row, w)
	}
	e.releaseTable(t)
	return out
}

// projectOutputs returns the table of the columns that are asked for in the end, and uses t up.
func (e *engine[W]) projectOutputs(last []ref, t *Table[W]) *Table[W] {
	same := len(last) == t.width
	for k, r := range last {
		same = same && r == ref{inRow, int32(k)}
	}
	if same {
		return t
	}
	return e.rearrangeColumns(t, last, nil)
}

func (e *engine[W]) powerOfDenominator(den *big.Int, count int64) *big.Int {
	if !e.isExact {
		return one
	}
	return pmf.RaiseInt(den, int(count))
}

// A preparedGraph is a graph made ready for odds.
type preparedGraph struct {
	*builder
	*program
	columns       map[plan.ID]int // of the program's outs
	decidedFields []*decidedField // that a strategy decides
	floats        any             // *engine[pmf.Float]
	exact         any             // *engine[pmf.Numerator]; made when they are needed
}

// emptyTable returns an empty table of a few rows.
func (e *engine[W]) emptyTable(width int) *Table[W] { return e.emptyTableFor(width, 0) }

// emptyTableFor returns an empty table with room for so many rows, in the memory of one that was released: the smallest
// that has the room, else the largest.
func (e *engine[W]) emptyTableFor(width, rows int) *Table[W] {
	need, best := width*rows, -1
	for i, t := range e.free {
		if best < 0 || fitsBetter(cap(t.rows), cap(e.free[best].rows), need) {
			best = i
		}
	}
	if best < 0 {
		t := NewTable[W](width)
		t.rows, t.w = make([]int64, 0, need), make([]W, 0, rows)
		return t
	}
	t, last := e.free[best], len(e.free)-1
	e.free[best] = e.free[last]
	e.free = e.free[:last]
	*t = Table[W]{
		width: width, den: one,
		rows: slices.Grow(t.rows[:0], need), w: slices.Grow(t.w[:0], rows), slots: t.slots[:0],
	}
	return t
}

// releaseTable makes the memory of a table available to the next one. Nothing may refer to the table any more.
//
// Recalled tables, and dice that outlive the question, are marked and not released (stays).
func (e *engine[W]) releaseTable(t *Table[W]) {
	const most = 64
	if len(e.free) < most && !t.stays {
		e.free = append(e.free, t)
	}
}

// chargeWork judges work before it is done, on behalf of a source.
func (e *engine[W]) chargeWork(id plan.ID, units float64) error {
	b := e.budget
	select {
	case <-b.stop:
		return odds.ErrStopped
	default:
	}
	if needs := float64(b.spent) + units; needs > float64(b.all) {
		return e.tooMuch(id, needs)
	}
	b.spent += int64(units)
	return nil
}

// tooMuch returns the error of so many units of work, on behalf of a source.
func (e *engine[W]) tooMuch(id plan.ID, units float64) error {
	return &odds.BudgetError{Subject: e.NameOf(id), Needs: units, Budget: float64(e.budget.all), What: "states",
		Advice: e.Advice(id)}
}

// chargeTable charges the size of a table, and the work of its last row.
func (e *engine[W]) chargeTable(id plan.ID, t *Table[W]) error {
	if err := e.judgeSize(id, len(t.w), t.width, t.den); err != nil {
		return err
	}
	more := (e.executor.LongWork() - e.budget.words) / wordsOfUnit
	e.budget.words += more * wordsOfUnit
	return e.chargeWork(id, float64(more))
}

// judgeSize judges so many rows of a width, with weights over a denominator.
func (e *engine[W]) judgeSize(id plan.ID, rows, width int, den *big.Int) error {
	if held, most := rows*(width+2+den.BitLen()/64), e.budget.maxNumbers(); held > most {
		err := &odds.BudgetError{Subject: e.NameOf(id), Needs: float64(held), Budget: float64(most),
			What: "numbers in memory"}
		if most == mostNumbers {
			err.Advice = fixedLimit
		}
		return err
	}
	return nil
}

// fitsBetter reports whether a capacity is better for a need than another one.
func fitsBetter(a, b, need int) bool {
	if a >= need && b >= need {
		return a < b
	}
	return a > b
}

// ofCount returns a whole number as a weight.
func (e *engine[W]) ofCount(n *big.Int) W { return e.weightOfFraction(n, one) }
