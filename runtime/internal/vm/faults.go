package vm

import (
	"fmt"
	"strconv"

	"github.com/tabletop-rules/rules/runtime/builtin"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A fault is a formula that has no value, as it happened. Its message is made only when somebody reads it.
type fault struct {
	site int32 // index in Graph.Sites; of a die, in Graph.Dice
	kind FaultKind
	a, b int64 // operands, as the kind says
}

// FaultKind says what happened. Where CEL has the fault, its message is that of cel-go.
type FaultKind uint8

const (
	Overflow FaultKind = iota
	divideByZero
	moduloZero
	negativePower    // a: the exponent
	notAnInt         // a: the bits of a double
	notAnIntText     // a: a symbol
	notADoubleText   // a: a symbol
	noElement        // a: the index, b: the size
	noSlice          // a: from, b: to
	longRange        // a: from, b: to
	noElements       // the list is empty
	noTextKey        // a: a symbol
	noIntKey         // a: an int
	noBoolKey        // a: a truth
	NoTextRow        // a: a symbol
	NoIntRow         // a: an int
	NoDoubleRow      // a: the bits of a double
	negativePour     // the amount or a capacity
	declared         // a: the symbol of the message
	noFaces          // a: the faces. From here on site is a die's
	negativeCount    // a: the count
	overCount        // a: the count, b: the most
	overDistinct     // a: the count, b: the faces
	endlessChain     // more than MaxChain faces
	overflowingChain // the total of a chain
)

// addFault records a fault, and gives it as a slot.
func (f *Frame) addFault(site int32, kind FaultKind, a, b int64) int64 {
	f.faults = append(f.faults, fault{site, kind, a, b})
	return int64(len(f.faults))
}

// describeFault returns the message of a fault.
func describeFault(f *Frame, x fault) string {
	switch x.kind {
	case Overflow, overflowingChain:
		return "integer overflow"
	case divideByZero:
		return "division by zero"
	case moduloZero:
		return "modulus by zero"
	case negativePower:
		return fmt.Sprintf("pow of integers has no negative exponent: %d", x.a)
	case notAnInt:
		return fmt.Sprintf("range error: %g is no int", builtin.Double(x.a))
	case notAnIntText:
		return fmt.Sprintf("%q is no int", f.Text(x.a))
	case notADoubleText:
		return fmt.Sprintf("%q is no double", f.Text(x.a))
	case noElement:
		return fmt.Sprintf("index out of bounds: %d, the list has %s", x.a, plural.Of(int(x.b), "element"))
	case noSlice:
		return fmt.Sprintf("index out of bounds: the list has no slice from %d to %d", x.a, x.b)
	case longRange:
		return fmt.Sprintf("range error: from %d to %d are more than %d elements", x.a, x.b, plan.MaxRange)
	case noElements:
		return "the list is empty"
	case noTextKey, NoTextRow:
		return "no such key: " + f.Text(x.a)
	case noIntKey, NoIntRow:
		return "no such key: " + strconv.FormatInt(x.a, 10)
	case noBoolKey:
		return "no such key: " + strconv.FormatBool(x.a != 0)
	case NoDoubleRow:
		return fmt.Sprintf("no such key: %g", builtin.Double(x.a))
	case negativePour:
		return "range error: an amount or a capacity is negative"
	case declared:
		return f.Text(x.a)
	case noFaces:
		return fmt.Sprintf("a die has no %d faces", x.a)
	case negativeCount:
		return fmt.Sprintf("%d dice cannot be rolled", x.a)
	case overCount:
		return fmt.Sprintf("%d dice are more than the %d that are declared", x.a, x.b)
	case overDistinct:
		return fmt.Sprintf("%d distinct faces are more than the %d that the die has", x.a, x.b)
	case endlessChain:
		return fmt.Sprintf("a die was rolled again or on more than %d times", plan.MaxChain)
	}
	panic("runtime: a fault of an unknown kind")
}

// FailureOf returns a fault for people, with its place and its message. A slot that holds none comes of a plan that was
// altered.
func FailureOf(f *Frame, g *plan.Graph, slot int64) *Failure {
	if slot == overread {
		return &Failure{Msg: fmt.Sprintf("the lists and maps of a value come to more than %d elements and letters",
			plan.MaxRead)}
	}
	if uint64(slot-1) >= uint64(len(f.faults)) {
		return &Failure{Msg: "the plan is damaged: a fault is none"}
	}
	x := f.faults[slot-1]
	return &Failure{Site: siteOf(g, x), Msg: describeFault(f, x)}
}

// OutputFailure returns the failure of an output, which is named where nothing else says where it happened.
func OutputFailure(f *Frame, g *plan.Graph, output string, slot int64) *Failure {
	out := FailureOf(f, g, slot)
	if slot == overread {
		out.Site.Name = "output " + output
	}
	return out
}

// siteOf returns where a fault happened.
func siteOf(g *plan.Graph, x fault) plan.Site {
	switch at := uint(x.site); {
	case x.kind >= noFaces && at < uint(len(g.Dice)):
		return plan.Site{Place: g.Dice[at].Place, Name: "die " + g.Dice[at].ID}
	case x.kind < noFaces && at < uint(len(g.Sites)):
		return g.Sites[at]
	}
	return plan.Site{}
}

// An Ending is why an evaluation stopped before its end.
type Ending struct {
	why   endingKind
	index int64 // of the requirement; of the fault, as a slot
}

// Stopped reports whether the evaluation has ended before its end.
func (e *Ending) Stopped() bool { return e.why != going }

// FailedWith ends an evaluation by a fault that its frame holds, for those that execute instructions outside of Run.
func FailedWith(fault int64) Ending { return Ending{failed, fault} }

type endingKind uint8

const (
	going endingKind = iota // it has not stopped
	refused
	failed
	exhausted
)

// stop notes why the evaluation stops. It is the frame's own, so that stopping allocates nothing.
func (f *Frame) stop(why endingKind, index int64) *Ending {
	f.ending = Ending{why, index}
	return &f.ending
}

// Error is for nobody: explain returns the message.
func (e *Ending) Error() string { return "the evaluation ended" }

// Explain returns an error of run in a form that a caller can understand.
func Explain(f *Frame, g *plan.Graph, err error) error {
	end, ok := err.(*Ending)
	if !ok {
		return err
	}
	switch end.why {
	case refused:
		return &Refused{Require: g.Requires[end.index]}
	case failed:
		return FailureOf(f, g, end.index)
	}
	return &Failure{Msg: fmt.Sprintf("the evaluation takes more than %d steps", plan.MaxWork)}
}

// FaultIf records a fault, if it happened.
func FaultIf(f *Frame, happened bool, site int32, kind FaultKind) int64 {
	if !happened {
		return 0
	}
	return f.addFault(site, kind, 0, 0)
}

// FaultOfSides returns the fault of an operation with two sides, such as &&. A side that decides, and has no fault of
// its own, absorbs the other's.
func FaultOfSides(decides, fault, otherDecides, otherFault int64) int64 {
	if fault == 0 && decides != 0 || otherFault == 0 && otherDecides != 0 {
		return 0
	}
	return FirstOfFaults(fault, otherFault)
}

func FirstOfFaults(a, b int64) int64 {
	if a != 0 {
		return a
	}
	return b
}

// unknownOperation returns an operation that Verify does not admit.
func unknownOperation(op plan.Op) string { return fmt.Sprintf("runtime: unknown operation %d", op) }

// FaultUnless records a fault about a value, if it happened.
func FaultUnless(f *Frame, ok bool, site int32, kind FaultKind, a int64) int64 {
	if ok {
		return 0
	}
	return f.addFault(site, kind, a, 0)
}

// overread is the fault of a value with more than plan.MaxRead elements. Frames give none this number.
const overread = -1
