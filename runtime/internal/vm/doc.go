// Package vm executes the instructions of a graph for one record: a flat frame of slots, the loop over instructions, lists,
// strings, dice and faults. It knows neither JSON nor blocks of records.
//
// # Register code with fault slots
//
// A formula could be walked as a tree, or compiled to a stack machine. Both spend most of their time on moving operands.
// Here every value of a graph has a slot of its own in one array, and an instruction names the slots that it reads and
// writes: three-address register code whose registers are never allocated twice, so that the array is at the end the
// trace of all named values. runtime/bench compares it with hand-written Go.
//
// A formula may have no value: an overflow, a missing key. Leaving the loop there would be wrong, because && and ||
// absorb the fault of a side that does not decide, and a value that no output needs must not fail the sheet. So a value
// that can fail has a second slot beside it, its fault: 0, or the number of a record of what happened. A fault is
// computed like any other value (AddIntFault beside AddInt), faults are joined in the order of evaluation (FirstFault),
// and && and || have a fault of their own (AndFault, OrFault). Only requirements, dice and asked outputs look at faults
// in the end. The code has no handlers and no jumps but those of loops, and the interval analysis drops the fault slots
// of all that cannot fail.
//
// Slots are int64: an int, the bits of a double, a truth, a symbol, a row's number, a fault, or a span (offset in the
// arena in the upper half, number of elements in the lower). Arenas only grow during an evaluation and are cut back
// before the next, so that a frame that is used again allocates nothing.
//
// Invariants: an evaluation ends, however long its input: every instruction, and what it does to strings and lists, is
// counted against plan.MaxWork, and not against a clock, so that the same input ends alike on every machine. Instructions
// of damaged plan files, as far as schedule.Restore admits them, read and write within the frame.
package vm
