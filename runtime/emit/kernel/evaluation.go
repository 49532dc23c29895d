package kernel

import (
	"fmt"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Evaluation is one evaluation of a rule: its faces, and how much work it has done.
type Evaluation struct {
	source   dice.Source
	leaveOut bool // dice that nothing reads are not rolled
	hasEnded bool // its dice have fallen and its requirements hold: what fails now is an output
	work     int64
	faces    dice.Rolls // in the order in which their dice fell first
}

// NewEvaluation returns an evaluation with faces from a source; nil for none.
func NewEvaluation(source dice.Source) *Evaluation { return &Evaluation{source: source} }

// Charge counts work, and reports whether the evaluation may go on.
func (e *Evaluation) Charge(n int64) bool {
	if e.work += min(n, plan.MaxWork); e.work > plan.MaxWork {
		e.work = plan.MaxWork + 1
		return false
	}
	return true
}

// Exhausted returns the failure of an evaluation that has done all work that it may do.
//
//go:noinline
func (e *Evaluation) Exhausted() *Failure {
	return &Failure{Msg: fmt.Sprintf("the evaluation takes more than %d steps", plan.MaxWork)}
}

// End returns an error if the evaluation has done too much, or if faces were given that did not fall. Without faces it is
// compiled into its callers.
func (e *Evaluation) End() error {
	if e.source == nil && e.work <= plan.MaxWork {
		e.hasEnded = true
		return nil
	}
	return e.endFaces()
}

//go:noinline
func (e *Evaluation) endFaces() error {
	if e.work > plan.MaxWork {
		return e.Exhausted()
	}
	if e.source != nil {
		if err := e.source.Rest(); err != nil {
			return err
		}
	}
	e.hasEnded = true
	return nil
}

// Join returns one string followed by another.
func (e *Evaluation) Join(a, b string) string {
	if !e.Charge(int64(len(a)+len(b)) / 16) {
		return ""
	}
	return a + b
}

// Roll returns the total of a die with so many faces; 0 where its guard does not hold. loops are the iterations around it.
func (e *Evaluation) Roll(die *Die, guard bool, faces int64, failed *Failure, loops ...int64) (int64, error) {
	if !guard {
		return 0, nil
	}
	totals, err := e.RollAll(die, true, faces, 1, failed, loops...)
	return At(totals, 0), err
}

// RollAll returns the totals of count dice; none where the guard does not hold.
func (e *Evaluation) RollAll(die *Die, guard bool, faces, count int64, failed *Failure, loops ...int64) ([]int64, error) {
	if !guard {
		return nil, nil
	}
	isIdle := e.leaveOut && die.Idle
	if failed != nil && !isIdle {
		return nil, failed
	}
	why := whyImpossible(die, faces, count)
	switch {
	case why == "" && !e.Charge(count):
		return nil, e.Exhausted()
	case isIdle && why != "":
		return nil, nil
	case isIdle:
		return standIn(die, faces, count), nil
	case why != "":
		return nil, Fail(die.site(), "%s", why)
	}
	if e.source == nil {
		e.source = dice.FromList(nil)
	}
	draw := dice.Draw{Die: &die.Declared, Faces: faces, Count: count}
	for _, i := range loops {
		draw.Index = append(draw.Index, int32(i))
	}
	out := make([]int64, 0, count)
	for range count {
		draw.Seen = out
		total, err := e.rollChain(die, &draw)
		if err != nil {
			return nil, err
		}
		out = append(out, total)
	}
	return out, nil
}

// rollChain rolls one die, again and on, and returns its total.
func (e *Evaluation) rollChain(die *Die, draw *dice.Draw) (int64, error) {
	var c dice.Chain
	for range plan.MaxChain {
		if !e.Charge(1 + int64(len(draw.Seen)/8)) {
			return 0, e.Exhausted()
		}
		face, err := e.source.Face(draw)
		if err != nil {
			return 0, err
		}
		e.noteFace(draw, die.Shown(face))
		more := c.Take(&die.Declared, face)
		if c.Total < 0 && !die.AddsShown() { // what is shown is bounded, and may be negative
			return 0, Fail(die.site(), overflow)
		}
		if !more {
			return c.Total, nil
		}
	}
	return 0, Fail(die.site(), "a die was rolled again or on more than %d times", plan.MaxChain)
}

func (e *Evaluation) noteFace(draw *dice.Draw, shown int64) {
	id := string(dice.AppendID(nil, draw.Die.ID, draw.Index))
	for i := range e.faces {
		if e.faces[i].ID == id {
			e.faces[i].Faces = append(e.faces[i].Faces, shown)
			return
		}
	}
	e.faces = append(e.faces, dice.Roll{ID: id, Faces: []int64{shown}})
}

// site returns the site of what is wrong with a die.
func (d *Die) site() *Site { return &Site{Place: d.Place, Name: "die " + d.ID} }

// whyImpossible says why dice cannot be rolled; "" where they can.
func whyImpossible(die *Die, faces, count int64) string {
	switch {
	case faces < 1:
		return fmt.Sprintf("a die has no %d faces", faces)
	case count < 0:
		return fmt.Sprintf("%d dice cannot be rolled", count)
	case die.Most > 0 && count > die.Most:
		return fmt.Sprintf("%d dice are more than the %d that are declared", count, die.Most)
	case die.Distinct && count > faces:
		return fmt.Sprintf("%d distinct faces are more than the %d that the die has", count, faces)
	}
	return ""
}

// standIn returns faces that can fall, for dice that are not rolled because nothing reads them.
func standIn(die *Die, faces, count int64) []int64 {
	face := int64(1)
	for face < faces && (die.Again.Holds(face) || die.Explode.Holds(face)) {
		face++
	}
	out := make([]int64, count)
	for i := range out {
		if out[i] = die.Worth(face); die.Distinct {
			out[i] = int64(i) + 1
		}
	}
	return out
}
