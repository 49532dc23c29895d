// Package odds says what is asked of dice and what is answered: questions, choices and strategies, joint and marginal
// distributions, endings, and the error of a question that is too large. Rule.Odds and Procedure.Odds of package runtime
// ask, with Options that are described here, and packages beside it solve:
//
//	eliminate  a rule, or one event of a procedure, and a character: the exact joint distribution of its outputs
//	markov     a procedure under a policy: the chances of its ends, and the moves that are best
//	montecarlo the same of plays that are drawn and counted, where the states are too many
//	notation   what a person types, as in "4d6kh3": the distribution of its total
//
// Invariant: all weight is accounted for. What a distribution holds, what is refused, what has no value, and what was not
// followed of dice that explode without end, add up to 1; as fractions, exactly.
//
// # The way of one question
//
// eliminate.NewRule prepares a rule once. The graph of the rule, as plans have it, goes through package
// internal/rewrite: what the asked outputs do not need is left out, and lists of dice that are read in no order become
// counts of their faces. What comes out is a network: a graph in which some nodes are random variables, dice, draws and
// loops that roll, and all others are functions of these. Package eliminate orders it into a program: a sequence of steps,
// each of which meets one random variable and drops what nobody reads any more.
//
// The rule is then asked for one character. What depends on no die is computed first. The program is carried out over
// tables of states, with weights that are either probabilities or, when the question is Exact, whole numbers over one
// denominator for a whole table, which no step has to reduce. Both calculi, and what can be said of sums of dice in
// closed form, are package internal/pmf. What a node computes from its operands is not said here again: pieces of the
// graph between two random variables are cut out, scheduled and executed as the runtime executes any rule. The rows of
// the last table are the answer. They are read as values, and sorted, when somebody asks a Joint for its Outcomes.
//
// A course (package markov) asks so about every state that a procedure may reach, without reading values: its states are
// numbers, found in the rows. A notation is a tree of independent parts, which package notation sums up from its leaves
// with the same arithmetic, without a plan.
//
// Work is counted, never timed, and judged before it is done: a question that would take more than its Budget is refused
// with a BudgetError, which names the dice that ask for too much and, where one is known, a form that takes less.
package odds
