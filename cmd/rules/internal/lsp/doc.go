// Package lsp is a language server for rulesets: it speaks the Language Server Protocol 3.17 over a stream, beside CUE's
// own server, and knows what that one cannot, the formulas inside of CUE's strings.
//
// # How it works
//
// An editor sends the text of what is opened, and of every change. The server lays these buffers over the files of the
// module, so that what it says is about what is on the screen, saved or not. Three things are made of it:
//
//   - Diagnostics, by the compiler, some time after the last change: first the errors, then what the analysis of the plans
//     finds (checker.go). Only the rulesets are compiled again whose files changed, in this process or, of a stranger's
//     module, in one of package sandbox. A change that comes meanwhile ends the compilation.
//   - The golden cases, played on what was compiled (played.go): what is not as they expect is shown at their line, code
//     lenses count them at each definition, and inlay hints have the odds of a rule for its first case (forecast.go).
//   - An index of names (package symbols), when a request needs it. It is made from the book, which exists even while
//     formulas are wrong; while CUE itself cannot read the files, the last one is used (library.go).
//
// Each feature of the editor is a function of a snapshot, all that is known at one time (snapshot.go); the server keeps
// what changes and speaks the protocol. Requests are answered one at a time, in the order in which they come, as document
// synchronisation demands.
//
// # Positions
//
// The compiler counts lines and code points from 1, the protocol lines from 0 and, unless client and server agree
// otherwise, UTF-16 code units. The server offers UTF-32 and UTF-8 too. Conversions need the text of the line; they are all
// in position.go.
//
// Invariant: nothing is read outside of the directory and, for a homebrew, of its ruleset's module; nothing is written:
// edits go to the client; and no CUE of a directory that is not trusted is evaluated in this process.
package lsp
