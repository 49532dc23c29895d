// Package mutants measures how well cases hold a ruleset: it changes one number, one operator or one row of the ruleset at
// a time, and plays the cases on each changed ruleset, or mutant, until one of them notices.
//
// # What is changed
//
// The unit of change is what the author typed. A literal that stands in one place of the source and reaches several rules,
// because they share a CUE definition, is one mutation and changes all of them. Changes are made to the book, the author's
// text as data, so that neither CUE nor a file is involved after the ruleset was loaded once.
//
//   - A number of a formula, of a row, of a limit of a row, of a bound of a character or an input grows by one.
//   - A comparison takes or leaves its limit (< becomes <=), an operator becomes its inverse (+ becomes -), a rounding goes
//     the other way (div_floor becomes div_ceil), min becomes max.
//   - The arms of a conditional, and neighbouring arms of a choice, change places.
//   - A die has one more face, one more is rolled, or its modifier counts one more.
//   - A row is deleted.
//
// # What is played
//
// A mutant of definition D can only change the rules and procedures that D reaches. Definitions are found to depend on each
// other by the identifiers in their formulas, which is too much rather than too little: a word that happens to be the name
// of a table costs a compilation, and can hide nothing. The mutant is compiled with those rules and what they need, and the
// cases of those rules alone are played. A mutant that no longer compiles is noticed by the compiler.
//
// # Equivalence
//
// Some mutants are no other ruleset. Where the schema lets n be 3 or more, "max(1, n)" says what "max(0, n)" says, and no
// case can be written that notices. Counted as survivors they would punish an author for nothing, and after
// the third of them he reads the list no more. Whether two programs compute the same is undecidable in general (Budd,
// Angluin, "Two Notions of Correctness and Their Relation to Testing", Acta Informatica 18, 1982), so only one direction is
// answered. A survivor is compared with the original by the semantic digests of its graphs (package compare), which are
// taken of a normal form: constants folded, names and order of independent nodes forgotten. Where no digest differs but in
// what is only text, all questions have the same answers, and the mutant counts as equivalent. Different digests prove
// nothing, and the mutant stays in the list for a person to judge.
//
// # Excuses
//
// Digests do not see that row 9 of a chart says what the formula for the rows beyond it says, or that no two cards are
// the same. For these a person writes the reason into survivors.txt beside the cases. An excused mutant still counts
// against the score, so that reasons cannot take the place of cases, but it no longer fails the run; a reason whose mutant
// does not survive any more does, so that the list stays true.
//
// Mutants are independent, so workers share the list of them, each with a book of its own that it changes and mends again.
//
// The method is mutation analysis: DeMillo, Lipton, Sayward, "Hints on Test Data Selection", IEEE Computer 11 (1978).
//
// # One mutant
//
// The function tens of tempestas has, for one value of an option, the text "roll < 100 ?
// div_floor(roll, 10) : 1". rewriteFormula lists what can be changed in it: 100 to 101, "<" to
// "<=", div_floor to div_ceil, 10 to 11, 1 to 2, and the arms exchanged. Take "<=". The collector
// gives the change its place, and to this one mutation every part of the book that comes from
// there. A worker restricts its book to the rules that reach tens, and what they need (reach.go);
// applies the change; compiles; and plays the cases of these rules until one fails. A case of a
// roll of 100 with this value of the option would: the verdict is then "noticed", by that case. If
// there is none, the graphs are compared, and as they differ the mutant has survived; a line of
// survivors.txt may excuse it. The change is then undone.
//
// book.go and mutation.go list what is changed, formula.go changes texts, reach.go finds what must
// be played, run.go plays, excuse.go and report.go say what came of it.
// TestWhatCasesDoNotTellApartSurvives and TestReportsAreTheSameForAnyNumberOfWorkers play a small
// ruleset.
//
// Invariant: with the same ruleset, cases, sample and seed the report is the same, whatever the number of workers.
package mutants
