package vm

import "github.com/tabletop-rules/rules/runtime/plan"

// A View is the value of every slot of one evaluation: the slots of a frame, or one row across columns.
//
// It has four words and no more, so that the compiler hands it over in registers: it is made once for each record of a
// block.
type View struct {
	slots  []int64 // from the evaluation's first slot on
	stride int     // from a slot to the next
}

// NewView views slots of which the one of a number n lies at n * stride.
func NewView(slots []int64, stride int) View { return View{slots, stride} }

// Slot reads a slot of the record. In a block the slots of one record lie stride apart.
func (r View) Slot(s int32) int64 { return r.slots[int(s)*r.stride] }

// Bool returns the truth at a location, and the fault that made it fail; 0 for none.
func (r View) Bool(at *Location) (v bool, fault int64) {
	if at.Fault >= 0 {
		if fault = r.Slot(at.Fault); fault != 0 {
			return false, fault
		}
	}
	return r.Slot(at.Slot) != 0, 0
}

// A Location says in which slots a typed value lies. A slot is -1 where the value needs none.
type Location struct {
	Type    *plan.Type
	Slot    int32 // of a value that is no record
	Fault   int32 // of what made it fail
	Present int32 // of whether it is there, when it is optional
	Fields  []Location
}
