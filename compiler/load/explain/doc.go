// Package explain reports what CUE refuses in a module, in words for people who write rules and not CUE.
//
// CUE's errors are those of a language: a conflict in the schema's third alternative, a comma that is missing, an end of
// file that was not expected. They are true and seldom help. So each is looked at for what led to it, and the first of
// these that can be told replaces CUE's words (Reporter.reportError):
//
//   - A package cannot be imported: where that package is broken.
//   - Files of several packages in one directory: at the fewer files.
//   - A bracket that is not closed: where it was opened, which only the layout tells (brackets.go).
//   - A habit of another language, 0..8 or a note behind #: the line at which CUE stopped tells which, mostly by a pattern
//     (habits.go, slips.go).
//   - A value behind a comma that belongs to no field (strays.go), and a name that CUE does not know (references.go).
//   - A formula without its quotes: its names are unknown to CUE, and none of them is misspelt (unquoted.go).
//   - A field that other tools name otherwise, or a name that is missing in front of a formula (foreign.go); of
//     these CUE itself is silent, for the reader of books looks for them.
//   - A value outside of what is said of its field elsewhere: CUE has tried every alternative and names a
//     conflict with one of them; the two halves are told apart by how they are written, and compared (misfit.go).
//
// What none of them knows keeps CUE's words, with a code that its text decides (messages.go), for CUE's errors have no
// codes. Each test for a text is bound to the version of cuelang.org/go in go.mod; the pages of the catalogue fail when
// an upgrade changes one.
//
// One error is reported for one path: CUE gives one for each alternative that a value does not fit, and one that counts
// them.
//
// Invariant: nothing here decides whether a module is refused. Every error of CUE's is reported, or follows from one that
// is.
package explain
