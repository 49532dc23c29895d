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
//
// # Three edits
//
// Of rule test of tempestas, active_value is base - penalty - hard, where hard is a cell of the
// table difficulty.
//
//   - The cell 30 becomes 20. compareEntries finds the row by its key in both tables and reports:
//     table difficulty, row "hard", points, 30 and 20, NUMBERS. Then compareAnswers: the digest
//     of the node "cell" has the text of its column in it, so it is another one, and so are
//     those of the two subtractions above it and of the output active_value, which is reported for
//     rule test. penalty reads no such cell and has its old digest.
//   - The let penalty is renamed, and the two operands of a sum change places. The definition has
//     changed as people read it (class Same: only the answers can tell); no name is part of a
//     digest and operands that commute are sorted, so no answer has.
//   - The die becomes a d20. What the die declares is left out of one of two digests of each
//     output: those are equal, and the others are not, so the change is ODDS. The same faces
//     still give the same answers.
//
// change.go and class.go are what comes out; diff.go, schemas.go and tables.go compare definitions;
// answers.go and digest.go compare graphs. TestClassOfAnEdit has an edit for each class;
// TestAnswersNameTheOutputsThatChange, TestFieldBesideOthersChangesNoAnswer and
// TestOtherNumbersOfSymbolsChangeNoAnswer hold the digests.
//
// Invariant: a plan compared with itself gives an empty Diff, and what is reported as unchanged
// gives the same answers.
package compare
