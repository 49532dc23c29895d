package runtime

import (
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// roll executes a word that rolls. It gives an *ending when the die cannot be rolled, or the error of the source.
func (f *vmFrame) roll(w *schedule.Word, die *plan.Die, loops []uint16) error {
	guard, faces, count := f.slots[w.A], f.slots[w.B], f.slots[w.C]
	f.slots[w.D] = 0
	if guard == 0 {
		return nil
	}
	if !die.List {
		count = 1
	}
	if why, a, b := impossible(die, faces, count); why != possible {
		return f.stop(failed, f.fail(w.Imm, why, a, b))
	}
	f.draw.Die, f.draw.Faces, f.draw.Seen = die, faces, nil
	f.around(loops)
	if !die.List {
		total, err := f.chain(w)
		f.slots[w.D] = total
		return err
	}
	return f.rollList(w, count)
}

// possible is no reason why dice could not be rolled.
const possible faultKind = 255

// impossible says why dice cannot be rolled.
func impossible(die *plan.Die, faces, count int64) (why faultKind, a, b int64) {
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

// around notes the iterations of the loops around a die.
func (f *vmFrame) around(loops []uint16) {
	start := len(f.index)
	for _, slot := range loops {
		f.index = append(f.index, int32(f.slots[slot]))
	}
	f.draw.Index = f.index[start:]
}

// rollList rolls so many faces one after the other, each with what it explodes into.
func (f *vmFrame) rollList(w *schedule.Word, count int64) error {
	at, out := f.room(count)
	if f.work < 0 {
		return f.stop(exhausted, 0)
	}
	for i := range out {
		f.draw.Seen = out[:i]
		total, err := f.chain(w)
		if err != nil {
			return err
		}
		out[i] = total
	}
	f.slots[w.D] = span(at, len(out))
	return nil
}

// chain rolls one die, again and on, and gives its total.
func (f *vmFrame) chain(w *schedule.Word) (int64, error) {
	var c dice.Chain
	for range plan.MaxChain {
		face, err := f.face(w.Imm)
		if err != nil {
			return 0, err
		}
		more := c.Take(f.draw.Die, face)
		if c.Total < 0 {
			return 0, f.stop(failed, f.fail(w.Imm, overflowingChain, 0, 0))
		}
		if !more {
			return c.Total, nil
		}
	}
	return 0, f.stop(failed, f.fail(w.Imm, endlessChain, 0, 0))
}

// face draws one face, and notes it for the sheet.
func (f *vmFrame) face(die int32) (int64, error) {
	if !f.charge(1 + int64(len(f.draw.Seen)/8)) {
		return 0, f.stop(exhausted, 0)
	}
	face, err := f.source.Face(&f.draw)
	if err != nil {
		return 0, err
	}
	f.faces = append(f.faces, fallen{die, int32(len(f.index) - len(f.draw.Index)), face})
	return face, nil
}
