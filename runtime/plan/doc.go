// Package plan represents an executable ruleset: typed graphs in single static assignment, the tables and constants they
// read, the input schemas and the citations. It is data, with its verification and its printed form: planfile keeps it in
// files, schedule turns a graph into instructions. Of ours it imports the package that finds misspelt names.
//
// # Graphs
//
// A rule is one graph. A node computes one slot from nodes that stand before it, so that whatever depends on what is plain
// reachability, and every analysis is one walk in order (R. Cytron et al., "Efficiently computing static single assignment
// form", TOPLAS 1991; a graph has no branches, so it needs none of their phi nodes). Three things are not as in a compiler:
//
//   - Failure is a value. An operation never fails: where its operands are senseless it gives 0, or wraps, and a node of
//     another operation beside it says whether they were (the Fails of its row). The fault counts only where an answer, a
//     requirement or a die reads it. Dead code, absorption by && and columns of records need no case for errors.
//   - Repetition is a node too: a loop carries values through a block of its own, a bounded number of times.
//   - An effect (a roll, a requirement, a count of branches) stays where it stands. Everything else may move or go.
//
// What an operation is stands in one row of the table of operations (op.go), and what a kind of table is in a row of
// tablekind.go. The packages above have tables keyed by the same numbers, and tests fail where one lacks a row.
//
// # Verification
//
// Verify proves, once, what execution relies on afterwards: operands stand before their users and in an open block, have
// the kinds of the operation's row, and every index (of a leaf, a table and its cell, a symbol, a type, a block, a die)
// lies within what it refers to; a constant span lies within the constants. It is a walk over nodes in linear time with
// no search. A value may still be wrong, as in a file that somebody altered with care, but it is computed within the
// frame.
//
// Invariant: Verify holds for every plan that lower makes or that planfile reads, so execution checks no index.
package plan
