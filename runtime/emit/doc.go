// Package emit turns a graph of a plan into a function of a small intermediate language, from which the back ends below it
// write source text: for a program that has no interpreter, as one in a browser.
//
// # From values to statements
//
// A graph says of each value how it is computed, and not when, how often, or under which name. A program must say all
// three. New decides them once for every back end:
//
//   - Placement. A value stands in the innermost region in which all its readers stand: the body of the function, the body
//     of a loop, or the arm of a choice. So an arm that is not taken costs nothing. It is the late schedule of C. Click
//     ("Global Code Motion, Global Value Numbering", PLDI 1995) on regions in place of basic blocks: one walk from the last
//     node to the first, in which each reader moves its operands outwards to the region that they share.
//   - Inlining. A value that one reader reads is written where it is read, as an operand, unless the author gave it a name.
//     In a language that reads fields again, so is every field outside of loops.
//   - Names. A value that the author named has that name, as a comment in code that people may read.
//
// Two kinds of values must not move. Effects (dice and requirements) stay in their order in the body that holds them. A
// list that is pushed to is changed in place, so that its readers stay where they are, too.
//
// Before all that, schedule.Reduce leaves out each check that an earlier one has answered, or a condition around it.
//
// # One table for all back ends
//
// spellings has a row for each operation and a column for each back end: a template of source text, or the mark that the
// back end writes the operation itself because it needs more than its operands. A new operation is a row there.
//
// Invariant: an emitted function draws the same faces in the same order, judges the same requirements, and has the same
// outputs as the interpreter; what a back end cannot compute exactly it refuses as an error of its own kind.
package emit
