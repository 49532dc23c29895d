// Package vectors writes the golden cases of a ruleset as test vectors in neutral JSON, and judges the answers that another
// implementation gives to them: so that one in any language can show that it plays the same revision.
//
// A golden case says what a book states, which is often one number of a sheet. A vector wants the whole sheet: whoever
// plays it without this program must not be free in what the book passes over. So the wanted values are computed by the
// plan, after the case itself has passed; each vector names its case and the place in the book, where a doubt is settled.
//
// Chance is an input of a vector as of a case: the faces are given, by the id of their die wherever a sheet says which die
// fell. Of the odds a few are chosen: those that cases state, and for each rule that rolls dice those of its first case
// whose exact distribution is small.
//
// Invariant: the same plan and cases give the same bytes, and a case that fails gives no vectors at all.
package vectors
