// Package markov follows procedures: what becomes of one under a policy, event by event, and which moves are best.
//
// A procedure (process.go) under a policy is a Markov chain (course_chain.go). Its states, rows of the numbers of the
// values that the fields of the state and of the character have (course_states.go), are met breadth first from the start
// or from a state that is given (course_follow.go, course_step.go). What a state leads to is one question of package
// eliminate, asked with a StepReader: the state is written into the frame of the event as it is, and the states that come
// next are found in the rows of the answer, so that no JSON is written or read (course_read.go). Each step is asked once
// for each state, and what its dice show for the values that they read is recalled from state to state.
//
// How it ends is followed event by event in floats (generation.go), which tells with which event, and in fractions as far
// as a situation is asked for. When all states that may be reached have been met, loops and all are solved by package
// absorb (solve.go); otherwise what was followed is a bound. Fields that only count are left out of the states
// (counters.go). A state that no longer fits its own declaration ends there. Outputs are read of the states in which the
// procedure ends, or is after so many events, each with the chance that was absorbed there (course_outputs.go).
//
// Where moves are chosen for what is best, the chain is a Markov decision process, which is solved before it is followed
// (course_best.go, course_branches.go; Puterman 1994, chapter 7).
//
// Invariant: the chances of the ends, of what is still open, of what was not followed and of what has outgrown its
// declaration add up to 1.
package markov
