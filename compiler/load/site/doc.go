// Package site finds the expressions of a module from which CUE unified a value: its sites.
//
// A value of CUE is the unification of everything that is written for it, at its own place, where it is referred to and
// where it is embedded. CUE's evaluator has forgotten all of that once it has the value. So names are followed here as CUE
// follows them (The CUE Language Specification, sections "References", "Struct values" and "Alias declarations"), on the
// syntax trees of the author's files alone:
//
//	_row: {v: int, b: *1 | int}              // field b, by reference and embedding
//	tables: t: keyed: x: {_row, v: 4}
//
// The member v of x has two sites, "int" and "4"; b has one, "*1 | int". Their keys are lists of positions: the
// embedding's own, then that of the declaration that it leads to. Compared step by step, as the words of a dictionary are,
// they put what is embedded at the place where it is embedded and not where it is declared. So v and b come before
// whatever x declares behind "_row".
//
// # What is not followed
//
// Comprehensions are entered, but their loop variables are not declared; calls, interpolation and arithmetic end the
// search. A value that only these produce has no site, and its place is that of the field around it. CUE is larger than
// this search, so the search may say where a value stands and never what it is.
//
// # Places
//
// CUE counts columns in bytes of the decoded text; a place counts code points. Files (file.go) has the texts, and is the
// only thing that turns one into the other.
//
// Invariant: nothing is evaluated here, except whether a name matches a pattern (Field.MatchesName), and nothing is
// reported.
package site
