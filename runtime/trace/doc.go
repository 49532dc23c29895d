// Package trace tells what the values of an evaluation rest on: for each answer a tree from the answer down to the dice,
// the character, the input, the options and the rows of tables.
//
// The plan holds the formulas as terms (plan.Term): which part of a formula became which value of the graph. A frame whose
// code computed every node, as schedule.Options.Full makes it, has all of these values. So a trace is read off a frame:
// nothing is computed here, and an evaluation that is not traced pays nothing.
//
// A trace shows what decided and leaves out the rest: of a conditional the condition and the arm that was taken, of && and
// || the side that decided, of a choice the arm of the option that is played, of a list the elements that decided.
// It imports of ours nothing that compiles.
package trace
