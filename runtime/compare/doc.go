// Package compare says what differs between two plans of a ruleset: in the definitions that people read, and in the answers
// that the graphs give, each difference with its class of change.
//
// Definitions are compared part by part, as their author wrote them. Answers are compared by semantic digests, a kind of
// global value numbering (B. Alpern, M. Wegman, F. Zadeck, "Detecting equality of variables in programs", POPL 1988) whose
// numbers are hashes, so that they can be compared across two graphs: each node has the digest of its operation and of its
// operands' digests. Whether two graphs can differ at all in their answers is undecidable in general and hard even here, so
// the comparison errs on one side: equal digests mean equal answers, while different ones may come of a formula that is
// written in another way and always gives the same. Much of that goes away in normal forms (schedule.Normal), which are
// compared too.
package compare
