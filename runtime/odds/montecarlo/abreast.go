package montecarlo

import (
	"context"

	"github.com/tabletop-rules/rules/runtime/internal/unroll"
	"github.com/tabletop-rules/rules/runtime/internal/vector"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Plays abreast.
//
// Of a fight everything is the same in all plays but the state: who fights, with what, under which policy. So the event is
// unrolled for these characters and for lists as long as the state of this play has them (package unroll), which makes it
// straight code, and straight code runs by columns: one event of many plays at once, each with dice of its own. That
// takes a sixth of the time of one play after the other.
//
// Only what goes as usual is drawn so. A play that ends, is refused, fails, leaves its bounds, gets a longer list or is
// followed too long is drawn on by itself, from the state before the event with which it does, and its own seed tells
// then what became of it. So how a play ends is found in one way only.

// An unrolledProcedure is the code of a procedure that is drawn abreast: of its one event, and of its ends.
type unrolledProcedure struct {
	layout      *unroll.Layout
	event, ends *unroll.Code
}

// A playBlock draws plays side by side. It serves one goroutine.
type playBlock struct {
	*drawer
	*unrolledProcedure
	eventColumns *vector.Columns // of the event
	endColumns   *vector.Columns // of the ends
	rows         []playRow
	leaving      []bool    // of each row, whether its play is drawn on by itself
	next         [][]int64 // of each number of the state, a column
	numbers      []int64
	store        *vm.Frame // of the state of one play
	mark         vm.Mark
}

// A playRow is the play of a row, with how many events have happened in it.
type playRow struct {
	play   uint64
	events int
}

// fewPlays is how many plays are drawn one after the other before unrolling pays.
const fewPlays = 4 * chunk

// canDrawAbreast reports whether plays could be drawn abreast: under a policy of one move, for which nothing is chosen,
// in a procedure that changes no characters.
func (d *drawer) canDrawAbreast() bool {
	return len(d.policy) == 1 && d.policy[0].Guard == nil && d.policy[0].Inputs == nil && !d.Plan.Changes &&
		len(d.choices[d.steps[0]]) == 0 && d.run.Plays >= fewPlays
}

// unrollSteps unrolls the procedure for states like that in which the drawer is. It returns nil where that cannot be done.
func (d *drawer) unrollSteps() (*unrolledProcedure, error) {
	at := d.steps[0]
	step := d.events[at][0]
	input, err := d.inputOf(0)
	if err != nil || step.packers[0] == nil || len(step.graph.Branches) > 0 {
		return nil, nil // an error is told by the first play
	}
	given := unroll.Given{Image: d.Image, Options: d.Options, Store: vm.NewStore(d.Image)}
	fixed := d.fixedRecords
	fixed[plan.EventRoot] = input.packed
	for root, p := range fixed {
		if p != nil {
			given.Fixed[root] = p.Store(given.Store)
		}
	}
	state := vm.NewStore(d.Image)
	if given.State = unroll.NewLayout(d.schemas[plan.StateRoot], state, d.state[0].Store(state)); given.State == nil {
		return nil, nil
	}
	bodies := d.Image.Plan().Steps(d.Plan)
	ends := unroll.Wanted{}
	for i := range d.Plan.Close.Ends {
		ends.Values = append(ends.Values, &d.Plan.Close.Ends[i])
	}
	for i := range d.Plan.Close.Outputs.Fields {
		if d.Closing.Code.Asked(d.Plan.Close.Outputs.Type.Fields[i].Name) {
			ends.Sound = append(ends.Sound, &d.Plan.Close.Outputs.Fields[i])
		}
	}
	out := &unrolledProcedure{layout: given.State}
	out.event, err = unroll.Make(given, bodies[1+at], unroll.Wanted{State: &step.graph.Next[0]})
	if err != nil || out.event == nil {
		return nil, err
	}
	out.ends, err = unroll.Make(given, bodies[len(bodies)-1], ends)
	if err != nil || out.ends == nil {
		return nil, err
	}
	return out, nil
}

func newPlayBlock(d *drawer, u *unrolledProcedure) *playBlock {
	a := &playBlock{
		drawer: d, unrolledProcedure: u, eventColumns: u.event.Columns(), endColumns: u.ends.Columns(),
		leaving: make([]bool, vector.Size), numbers: make([]int64, u.layout.Size()), store: vm.NewStore(d.Image),
	}
	a.mark = a.store.Mark()
	for range a.numbers {
		a.next = append(a.next, make([]int64, vector.Size))
	}
	return a
}

// enterPlay gives the play that the drawer has begun a row. It reports false for one whose lists are not as long as
// others'.
func (a *playBlock) enterPlay(play uint64) bool {
	a.store.ResetTo(a.mark)
	if !a.layout.Read(a.store, a.state[0].Store(a.store), a.numbers) {
		return false
	}
	row := len(a.rows)
	a.rows = append(a.rows, playRow{play: play})
	for k, v := range a.numbers {
		a.stateColumn(a.eventColumns, k)[row] = v
	}
	return true
}

// stateColumn returns the column of a number of the state.
func (a *playBlock) stateColumn(c *vector.Columns, number int) []int64 {
	return c.Input(int(c.Code.Base[plan.StateRoot]) + number)
}

// movePlays carries out the next event of all plays, and finds out which of them are drawn on by themselves.
func (a *playBlock) movePlays() {
	n := len(a.rows)
	leaving := a.leaving[:n]
	for row, r := range a.rows {
		a.eventColumns.SetSeed(row, a.run.Seed, r.play, uint64(max(a.run.Begun, 0)+r.events)+1)
		leaving[row] = r.events+1 >= a.run.Most
	}
	a.event.Run(a.eventColumns, n, leaving)
	for k, slot := range a.event.Results {
		copy(a.next[k], a.eventColumns.Column(uint16(slot)))
		a.layout.NoteMisfits(k, a.next[k][:n], leaving)
		copy(a.stateColumn(a.endColumns, k), a.next[k][:n])
	}
	a.ends.Run(a.endColumns, n, leaving)
	for _, slot := range a.ends.Results {
		for row, holds := range a.endColumns.Column(uint16(slot)) {
			leaving[row] = leaving[row] || holds != 0
		}
	}
}

// removeRow removes a row, and puts the drawer where its play was before the last event.
func (a *playBlock) removeRow(row int) (playRow, error) {
	r, last := a.rows[row], len(a.rows)-1
	a.store.ResetTo(a.mark)
	slots := a.layout.Write(func(k int) int64 { return a.stateColumn(a.eventColumns, k)[row] }, a.store)
	a.state[0], a.texts[0], a.lastStage = jsonio.PackStored(a.schemas[plan.StateRoot], a.store, slots), a.texts[0][:0], nil
	a.rows[row] = a.rows[last]
	a.rows = a.rows[:last]
	for _, column := range a.next {
		column[row] = column[last]
	}
	_, err := a.judge.JudgeFixed(a.writeChanged)
	return r, err
}

// advancePlays makes the state that each play has come to the one that its next event begins with.
func (a *playBlock) advancePlays() {
	for k, column := range a.next {
		copy(a.stateColumn(a.eventColumns, k), column[:len(a.rows)])
	}
	for row := range a.rows {
		a.rows[row].events++
	}
}

// drawBlock draws the plays from a number up to another. Of those that fail, it returns the first.
func (a *playBlock) drawBlock(ctx context.Context, from, to int) (failed int, err error) {
	a.rows = a.rows[:0]
	note := func(n uint64, why error) {
		if why != nil && (err == nil || int(n) < failed) {
			failed, err = int(n), why
		}
	}
	for n := uint64(from); n < uint64(to) && err == nil; n++ {
		status, why := a.beginPlay(n)
		if why != nil || status != plan.Open || !a.enterPlay(n) {
			note(n, a.followPlay(ctx, n, status, 0, why))
		}
	}
	for rounds := 1; len(a.rows) > 0; rounds++ {
		if rounds%eventsBetweenLooks == 0 && ctx.Err() != nil {
			return from, context.Cause(ctx)
		}
		a.movePlays()
		for row := len(a.rows) - 1; row >= 0; row-- {
			if a.leaving[row] {
				r, why := a.removeRow(row)
				if why == nil {
					why = a.followPlay(ctx, r.play, plan.Open, r.events, nil)
				}
				note(r.play, why)
			}
		}
		a.advancePlays()
	}
	return failed, err
}
