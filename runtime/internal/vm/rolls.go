package vm

import (
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// rollDie executes an instruction that rolls. It gives an *ending when the die cannot be rolled, or the error of the
// source.
func rollDie(f *Frame, w *schedule.Instruction, die *plan.Die, loops []uint16) error {
	guard, faces, count := f.slots[w.A], f.slots[w.B], f.slots[w.C]
	f.slots[w.D] = 0
	if guard == 0 {
		return nil
	}
	if !die.List {
		count = 1
	}
	if f.leavesOut(w.Imm) {
		return standIn(f, w, die, faces, count)
	}
	if why, a, b := impossible(die, faces, count); why != possible {
		return f.stop(failed, f.addFault(w.Imm, why, a, b))
	}
	f.draw.Die, f.draw.Faces, f.draw.Count, f.draw.Seen = die, faces, count, nil
	noteLoops(f, loops)
	return rollInto(f, w, die, count)
}

// standIn puts faces that can fall into the slot of a die that is not rolled. Nothing that is wanted reads them; but the
// checks that every face passes have been left out of the code, so values computed from them must pass these as well.
func standIn(f *Frame, w *schedule.Instruction, die *plan.Die, faces, count int64) error {
	if why, _, _ := impossible(die, faces, count); why != possible {
		return nil
	}
	face := int64(1)
	for face < faces && (die.Again.Holds(face) || die.Explode.Holds(face)) {
		face++
	}
	if !die.List {
		f.slots[w.D] = die.Worth(face)
		return nil
	}
	at, out := f.reserve(count)
	if f.work < 0 {
		return f.stop(exhausted, 0)
	}
	for i := range out {
		if out[i] = die.Worth(face); die.Distinct {
			out[i] = int64(i) + 1
		}
	}
	f.slots[w.D] = SpanOf(at, len(out))
	return nil
}

// rollInto rolls dice into the slot of an instruction.
func rollInto(f *Frame, w *schedule.Instruction, die *plan.Die, count int64) error {
	if die.List {
		return rollDice(f, w, count)
	}
	total, err := rollChain(f, w)
	f.slots[w.D] = total
	return err
}

// RollFor rolls a die that gives no list and stands in no loop, for a record whose slots lie elsewhere: faces are those
// of its die. It gives an *Ending when the die cannot be rolled, or the error of the source; the faces that fell are then
// the frame's.
func RollFor(f *Frame, w *schedule.Instruction, die *plan.Die, faces int64, source dice.Source) (total int64, err error) {
	f.faces = f.faces[:0]
	if why, a, b := impossible(die, faces, 1); why != possible {
		return 0, f.stop(failed, f.addFault(w.Imm, why, a, b))
	}
	f.work, f.source = plan.MaxWork, source
	f.draw = dice.Draw{Die: die, Faces: faces, Count: 1}
	return rollChain(f, w)
}

// possible is no reason why dice could not be rolled.
const possible FaultKind = 255

// impossible says why dice cannot be rolled.
func impossible(die *plan.Die, faces, count int64) (why FaultKind, a, b int64) {
	switch {
	case faces < 1:
		return noFaces, faces, 0
	case count < 0:
		return negativeCount, count, 0
	case die.Most > 0 && count > die.Most:
		return overCount, count, die.Most
	case die.Distinct && count > faces:
		return overDistinct, count, faces
	}
	return possible, 0, 0
}

// noteLoops notes the iterations of the loops around a die.
func noteLoops(f *Frame, loops []uint16) {
	start := len(f.index)
	for _, slot := range loops {
		f.index = append(f.index, int32(f.slots[slot]))
	}
	f.draw.Index = f.index[start:]
}

// rollDice rolls so many faces one after the other, each with its explosions.
func rollDice(f *Frame, w *schedule.Instruction, count int64) error {
	at, out := f.reserve(count)
	if f.work < 0 {
		return f.stop(exhausted, 0)
	}
	for i := range out {
		f.draw.Seen = out[:i]
		total, err := rollChain(f, w)
		if err != nil {
			return err
		}
		out[i] = total
	}
	f.slots[w.D] = SpanOf(at, len(out))
	return nil
}

// rollChain rolls one die, again and on, and gives its total.
func rollChain(f *Frame, w *schedule.Instruction) (int64, error) {
	var c dice.Chain
	f.draw.Again = false
	for range plan.MaxChain {
		face, err := drawFace(f, w.Imm)
		if err != nil {
			return 0, err
		}
		more := c.Take(f.draw.Die, face)
		if c.Total < 0 && !f.draw.Die.AddsShown() { // what is shown is bounded, and may be negative
			return 0, f.stop(failed, f.addFault(w.Imm, overflowingChain, 0, 0))
		}
		if !more {
			return c.Total, nil
		}
		f.draw.Again = true
	}
	return 0, f.stop(failed, f.addFault(w.Imm, endlessChain, 0, 0))
}

// drawFace draws one face, and notes it for the sheet.
func drawFace(f *Frame, die int32) (int64, error) {
	if !f.chargeWork(1 + int64(len(f.draw.Seen)/8)) {
		return 0, f.stop(exhausted, 0)
	}
	face, err := f.source.Face(&f.draw)
	if err != nil {
		return 0, err
	}
	f.faces = append(f.faces, Face{die, int32(len(f.index) - len(f.draw.Index)), f.draw.Die.Shown(face)})
	return face, nil
}

// ListFaces lists the faces that fell, by the id of their die, in the order in which they fell first.
func ListFaces(f *Frame, g *plan.Graph) dice.Rolls {
	var out dice.Rolls
	at := map[string]int{}
	for _, face := range f.Faces() {
		id := string(dice.AppendID(nil, g.Dice[face.Die].ID, f.LoopsOf(face)))
		i, ok := at[id]
		if !ok {
			i = len(out)
			at[id] = i
			out = append(out, dice.Roll{ID: id})
		}
		out[i].Faces = append(out[i].Faces, face.Face)
	}
	return out
}
