// Package schedule turns a graph, the values of the options and the outputs that are asked for into code: instructions that
// compute on the slots of one flat frame, and the constants that stand in it. An Instruction has 16 bytes.
//
// # Why a graph is not executed as it is
//
// A graph is lowered for every question at once: all options, all outputs, a fault node beside each value that can fail.
// For one choice and one set of outputs most of it is constant, or checks what the input schema has ruled out, or is read
// by nobody. So a graph is scheduled once for each choice, and executed often.
//
// # Passes
//
// Make copies the graph into a work and runs the passes over it in the order of Passes, which says of each why it stands
// behind others. The first ones are those of any compiler (see S. Muchnick, "Advanced Compiler Design and Implementation",
// 1997): constant propagation by intervals, constant folding, common sub-expressions, dead code. What remains is
// strength reduction: what depends on one slot with few values becomes a table (tabulate), division by a power of two a
// multiplication (reciprocal), and instructions that only serve one another become one (fuse, chain).
//
// A pass never removes a node. It says that another node stands for it (same), makes it a constant, or does not mark it as
// live. So node numbers stay those of the plan, and a trace, a site and a named
// value are found without a map from old to new.
//
// # Emission and slots
//
// The nodes already stand in an order of execution, so emission is one walk. A frame has the records that are given first,
// then the constants, then what instructions write; so a slot's number tells whether it may be written. Without loops the
// slot of a value is given to another one after its last reader, as in linear-scan register allocation (M. Poletto and
// V. Sarkar, TOPLAS 1999), which keeps columns in the cache. With loops a carried value is computed into the slot of its
// predecessor where no reader comes later (overwrite).
//
// Slots are numbered with 16 bits. A graph that needs more is refused with a *SizeError, not split.
//
// # Files
//
// A plan file keeps the code of each rule for the default options, so that a program that starts schedules nothing. Bytes
// of a file are not trusted: Restore checks every operand of every instruction, after which execution checks none.
//
// It imports of ours the plan, the intervals, and the builtins, with which it computes what is constant.
//
// Invariant: whatever passes run, the same faces are drawn in the same order, the same requirements are judged, and
// every root has the same value.
package schedule
