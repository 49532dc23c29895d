package eliminate

import (
	"math/big"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A step of a chain of states.
//
// The problem. A course asks the same few events about thousands of states, each time what state comes next. Were each
// answer read as values, as those of a rule are, nearly all time would go into writing and reading JSON.
//
// The idea. The caller writes what a step reads into its frame (a Filler), and finds states in the rows of the answer
// itself, as numbers of its own; here the weights of rows with the same number are added up. The engine knows that such
// questions follow each other, and recalls what its sources have shown for the values that they read (recall.go).

// A StepReader takes steps and finds the states that they lead to. It is used for one chain, whose states it numbers from
// 0.
//
// stamps finds a state in reach without a search and without clearing anything between steps. A stamp may be old: it
// counts only if reach has this very state at that place.
type StepReader struct {
	open   func(Columns) func(row []int64) (state int, ok bool)
	reach  []Reached
	known  map[any]bool // answers that were given
	stamps []int        // of each state: 1 + where it stood in reach when a step last led there
}

// NewStepReader takes the function that finds states. It is opened for every answer, and then called with every row of it:
// it gives the number of the state there, and reports false when some value of that has failed.
func NewStepReader(open func(Columns) func(row []int64) (state int, ok bool)) *StepReader {
	return &StepReader{open: open, known: map[any]bool{}}
}

// Columns say where the values that a step leads to stand in the rows of its answer, and what the slots there name.
type Columns struct {
	Executor *vm.Executor
	// Epoch is the same in two answers of an executor when equal values have equal slots in both; 0 where they have not.
	Epoch  int
	locate func(value int) vm.Location
}

// Locate finds the columns of the new state, which is value 0, or of the new character, which is value 1.
func (c *Columns) Locate(value int) vm.Location { return c.locate(value) }

// A Reached state is one that a step leads to.
type Reached struct {
	State int
	P     float64
	N     *big.Int // the numerator of the exact probability; nil in floats
}

// A StepResult is what a step leads to.
type StepResult struct {
	// Reached has each state once, in no order; where choices are compared, once for each row of Choices. It holds until
	// the next step.
	Reached []Reached
	Endings []odds.Ended  // of all choices together
	Den     *big.Int      // of the fractions; nil in floats
	Spent   int64         // how many times a state of the elimination met a class
	Choices *ShownChoices // nil unless choices are compared
	// Answer identifies the answer among those of the reader; nil where it is not known whether it comes again. Of one that
	// has come before there is nothing but that and Spent.
	Answer any
}

// ShownChoices are what the rows of an answer tell of the decisions on the way, of those that something reads, in the
// order in which they are made.
type ShownChoices struct {
	Rows []ChoiceRow
	// Options are of each decision, for each number of what was known, the slots that may be chosen.
	Options [][][]int64

	keys      [][]string // of each decision, the keys of what was known, by its number
	decisions []int      // of each decision, its number among those of the rule
}

// A ChoiceRow is what was known at each decision, as a number, and the slot that was chosen.
type ChoiceRow struct {
	Known  []int
	Chosen []int64
}

// BeginCourse says that the steps that are taken from now on belong to another course.
func (r *Rule) BeginCourse() { r.course, r.last = r.course+1, turn{} }

// Decides reports whether fields of the step are decided when dice have fallen.
func (r *Rule) Decides() bool { return len(r.decidedFields) > 0 }

// choicesMade returns the choices by their decisions and keys. best has for each shown decision the chosen slot of each
// number of known values.
func (c *ShownChoices) choicesMade(r *Rule, best [][]int64) []map[string]int64 {
	out := make([]map[string]int64, len(r.decidedFields))
	for k, keys := range c.keys {
		of := map[string]int64{}
		for n, key := range keys {
			of[key] = best[k][n]
		}
		out[c.decisions[k]] = of
	}
	return out
}

// Take takes a step. Unless fill is nil it reads the values that fill writes, and the question's records only for
// choices. Its errors are those of Rule.Odds.
func (x *StepReader) Take(r *Rule, q odds.Question, fill Filler) (*StepResult, error) {
	if q.Exact {
		return takeStep(x, r, q, fill, exactEngine, nil)
	}
	return takeStep(x, r, q, fill, floatEngine, nil)
}

// TakeChosen takes a step again whose choices were shown, with the best of them alone. best has for each decision the
// chosen slot of each number of known values. Where no choice led to a state the first one is taken.
func (x *StepReader) TakeChosen(
	r *Rule, q odds.Question, fill Filler, shown *ShownChoices, best [][]int64,
) (*StepResult, error) {
	if q.Exact {
		return takeStep(x, r, q, fill, exactEngine, shown.choicesMade(r, best))
	}
	return takeStep(x, r, q, fill, floatEngine, shown.choicesMade(r, best))
}

// takeStep takes a step with an engine.
func takeStep[W pmf.Weight[W]](
	x *StepReader, r *Rule, q odds.Question, fill Filler, engineOf func(*preparedGraph, *vm.Image) *engine[W],
	made []map[string]int64,
) (*StepResult, error) {
	r.isKnown = func(answer any) bool { return x.known[answer] }
	w, e, t, err := rowsOf(r, q, engineOf, fill, made)
	r.isKnown = nil
	if err != nil {
		return nil, err
	}
	out := &StepResult{Spent: e.budget.spent}
	if e.answerKey != nil && len(r.decidedFields) == 0 {
		out.Answer = e.answerKey
		if x.known[out.Answer] {
			e.releaseTable(t)
			return out, nil
		}
		x.known[out.Answer] = true
	}
	x.reach = x.reach[:0]
	read := x.open(Columns{e.executor, e.epoch, w.locateValue})
	if len(r.decidedFields) > 0 && r.compares && made == nil {
		out.Choices = readChoices(x, r, w, e, t, read)
	} else {
		weights := readStates(x, w, e, t, read)
		for i := range x.reach {
			x.reach[i].P, x.reach[i].N = probabilityOf(weights[i], t.den, e.isExact)
		}
	}
	out.Reached, out.Endings = x.reach, endingsOf(t, e.isExact)
	if e.isExact {
		out.Den = t.den
	}
	e.releaseTable(t)
	return out, nil
}

// readStates finds the states in the rows of a table, each once, and gives their weights.
func readStates[W pmf.Weight[W]](
	x *StepReader, w *preparedGraph, e *engine[W], t *Table[W], read func([]int64) (int, bool),
) (weights []W) {
	for i, weight := range t.w {
		state, ok := read(t.Row(i))
		if !ok {
			addFailure(w, e, t, i)
			continue
		}
		for len(x.stamps) <= state {
			x.stamps = append(x.stamps, 0)
		}
		k := x.stamps[state] - 1
		if k < 0 || k >= len(x.reach) || x.reach[k].State != state {
			x.reach = append(x.reach, Reached{State: state})
			x.stamps[state] = len(x.reach)
			weights = append(weights, weight)
			continue
		}
		weights[k] = weights[k].Plus(weight)
	}
	return weights
}

// addFailure makes an ending of a row that is no state, because a value in it has failed.
func addFailure[W pmf.Weight[W]](w *preparedGraph, e *engine[W], t *Table[W], row int) {
	_, failure := newReading(w, t, e).readValues(t.Row(row))
	t.addEnding(odds.Ending{Kind: odds.Failed, Message: failure.Error()}, t.w[row])
}

// readChoices reads the rows of an answer that tells all choices.
func readChoices[W pmf.Weight[W]](
	x *StepReader, r *Rule, w *preparedGraph, e *engine[W], t *Table[W], read func([]int64) (int, bool),
) *ShownChoices {
	out := &ShownChoices{}
	var leaves []plan.ID
	var numbers []map[string]int
	for k, d := range r.decidedFields {
		if leaf := w.DecisionOf(d.leaf); leaf != plan.None {
			leaves, numbers = append(leaves, leaf), append(numbers, map[string]int{})
			out.decisions = append(out.decisions, k)
		}
	}
	out.Options, out.keys = make([][][]int64, len(leaves)), make([][]string, len(leaves))
	for i, weight := range t.w {
		row := t.Row(i)
		state, ok := read(row)
		if !ok {
			addFailure(w, e, t, i)
			continue
		}
		c := ChoiceRow{Known: make([]int, len(leaves)), Chosen: make([]int64, len(leaves))}
		for k, leaf := range leaves {
			var known []int64
			for _, id := range e.Nodes[leaf].Args {
				known = append(known, row[w.columns[id]])
			}
			key := stateKey(known)
			n, ok := numbers[k][key]
			if !ok {
				n = len(numbers[k])
				numbers[k][key] = n
				out.Options[k] = append(out.Options[k], e.play.options[out.decisions[k]][key])
				out.keys[k] = append(out.keys[k], key)
			}
			c.Known[k], c.Chosen[k] = n, row[w.columns[leaf]]
		}
		p, n := probabilityOf(weight, t.den, e.isExact)
		x.reach = append(x.reach, Reached{state, p, n})
		out.Rows = append(out.Rows, c)
	}
	return out
}
