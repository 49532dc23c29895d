// Package transforms has the rules of a plan as transforms of Apache Beam, for populations that one machine is too small
// for: Eval gives sheets, Odds exact odds, Summary what the answers have in common, and DeadLetters writes what has none.
//
// # Any sharding, any retry, any order
//
// An engine cuts a population as it likes, runs a piece again when a worker fails, and promises no order. Answers must not
// show any of that. So the elements of a pipeline are slices of files (Slices), each of which knows the number of its first
// record; and the faces of a record are drawn from the run's seed and its number, by nothing else. A slice gives the same
// bytes wherever and however often it is answered. Sheets leave Eval in pages, not one by one, because an engine spends
// more on an element than a rule on a record; every page carries its number, by which Write puts them in order.
//
// # The plan
//
// The plan travels as a side input, and its digest with the question. A worker whose plan has another digest refuses to
// answer: two workers never answer by different rules.
//
// Files are opened by their names, so that all workers must see the same files under them.
package transforms
