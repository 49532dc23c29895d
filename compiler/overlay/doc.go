// Package overlay turns a book and homebrews into one book: what they add, extend, replace and disable is carried out, in
// this order, homebrew by homebrew. It imports neither CUE nor CEL, and knows no types: what an overlaid ruleset means is
// checked by the phases after it, as if its author had written all of it.
//
// # The problem
//
// A homebrew is written against one state of a ruleset and is used with later ones, beside homebrews whose makers have
// never met. CUE's own way of combining files is unification, which cannot say "5 instead of 3": two values for one field
// are an error. A patch of lines can, and breaks with every comment that somebody adds. Whoever just overwrites by name
// changes, after an erratum, a number that is no longer the one that its maker had read.
//
// # The idea
//
// A homebrew names what it changes by its path in the book ("tables.weapon.rows.dagger.damage"), not by its place in a
// file. A replacement also says what it expects there, as the context of a patch does, and is carried out only if that is
// found; else the diagnostic shows all three versions of a three-way merge (expected, found, wanted), because only a
// person can decide then. Expected and found are compared in a normal form (show.go): blanks in formulas, the order of
// columns and of a use's inputs say nothing, so that a formatter breaks no homebrew.
//
// Adding and extending never need an expectation, and may not hide anything: a name that is there already is an error
// that asks for a replacement. Appended rows that overlap others are left to the check of the table, which sees both; a row
// that leaves out what the table gives to every row by a default gets it here.
//
// # Several homebrews
//
// The next homebrew sees what the one before has made: it may extend, or expect, what another has added. What is replaced
// or disabled is claimed by its path, and a later change at that path or below it is a conflict that names both places.
// What is extended may be extended again and replaced in part, but not be disabled: the extension would be gone without
// a word. (A whole that is replaced after a part of it needs no claim: its expectation no longer holds.) Hence two
// homebrews that can be applied in either order give the same answers in both, but for the order of what both append.
// Citations are the exception: who replaces a row does not claim the page.
//
// Fields that are added to characters are laid into the ruleset's one shape of characters first, and into every input and
// state that holds a character; formulas of the homebrew and of the ruleset alike see them.
//
// Everything that a homebrew has touched carries its name, which plans, traces and listings show: a table of players can
// see what is theirs.
//
// # One cell
//
// A homebrew makes daggers weaker:
//
//	replace: tables: weapon: rows: dagger: damage: {expect: 5, with: 4}
//
// load has made a book.Replacement of it: the path [tables weapon rows dagger damage], Expect with
// the JSON "5", With with the JSON "4", each with its place in the homebrew. overlay.go calls
// replacePart. findTarget (target.go) follows the path through the book: list of tables, table
// weapon, row dagger, column damage, and gives a target that points to the cell. claimPath
// (claims.go) finds nobody who has changed this path or a part above it, and notes the change. Both
// sides come into normal form (show.go), "5" and what stands in the cell. If they are equal,
// putPart puts the new cell there, with the homebrew's place, so that a later message about it
// points into the homebrew; and the table is marked as the homebrew's. If the book has 6 by now,
// reportMoved shows 5, 6 and 4 with their places and changes nothing.
//
// # In which order to read
//
// overlay.go has the order of a homebrew's parts. add.go, extend.go and append.go are what only
// adds; target.go, show.go, claims.go and replace.go what changes; mark.go gives everything its
// owner. find.go answers, without changing the book, what a homebrew would find.
//
// # Which test holds what
//
//   - A homebrew's effect on answers: TestApply, TestReplaceUse, TestTwoKeys, TestExtendProcedure,
//     TestSaysAndCites.
//   - What a table says of all of its rows: TestRowsOfPatterns; package load carries it, and holds
//     the rows to it (CheckRows).
//   - Two homebrews, and every conflict: TestConflicts.
//   - Who has a part in a value: TestOverlays.
//
// Invariant: nothing is replaced that is not what the homebrew expects, and nothing is changed twice; where that is so,
// there is a diagnostic that names both places.
package overlay
