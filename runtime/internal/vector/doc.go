// Package vector executes the instructions of a graph for a block of records at once, column by column.
//
// # Why columns
//
// A loop over instructions spends, for each instruction of each record, more time on finding out what to do than on doing
// it: it reads the instruction, jumps through a table where no processor predicts the target well, and computes one sum.
// Here an instruction is read once for a block of Size records, and a kernel computes its whole column: one slot of all
// records, which lie together. The cost of an instruction is shared by a thousand records, and what remains is a loop
// over arrays.
//
// # No branches, no selection
//
// Databases that work by columns keep a selection vector: which rows take part. Formulas do not need one. All sides of a
// choice are computed for all records (they cannot fail, because faults are values of slots of their own), and Select
// takes the bits of one or the other by a mask. So kernels have no branches that depend on data, and run at the speed of
// the memory they read. A column of faults is mostly 0 for all records: that is remembered for the column (zero), and
// joining faults that are known to be 0 costs nothing.
//
// Records that end early, by a requirement or a fault of a die, are noted, and computed to the end like all others; only
// dice look at it, because each record draws from a stream of its own and the faces after its end must not be drawn.
//
// Code with loops or with lists that are made has no bound on the work of a record, and runs in a frame of package vm,
// record by record: CanRun tells. Columns lie one cache line further apart than they are long, since columns at a power
// of two would all compete for the same lines of the cache.
//
// # One instruction
//
// The requirement of a test, roll <= active_value, of a block of 1,000 records: the instruction is
// le.int with the slots A (roll) and B (active_value) and the result slot D. Run asks KernelOf for
// its kernel, leInt, and calls it with three slices of 1,000 numbers each; leInt compares them pair
// by pair. Next comes the instruction of the requirement, which has a step: it looks for records
// whose guard is 1 and whose column D is 0, and notes for each why it ended. These records' columns
// are computed on with the others'. At the end View(7) reads the slots of record 7 at a distance of
// pitch from each other, as if they were a frame.
//
// columns.go holds the columns and runs them; kernel.go has the operations, fused.go those that
// scheduling has put together, steps.go what needs more than columns: faults, look-ups, dice and
// requirements. TestColumnsEndAndRollAsFramesDo compares with frames; TestKernels,
// TestKernelsOfFourColumns, TestKernelsOfDenseTables and TestKernelsOfOverflow compare each kernel
// with the function of one record.
//
// Invariant: each record ends as the same instructions end in a frame, to the bit. Float products are rounded before sums,
// so no fused multiplication can make a difference.
package vector
