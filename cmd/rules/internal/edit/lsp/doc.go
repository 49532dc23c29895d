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
//
// # One keystroke
//
// The author of tempestas deletes a letter of a name in testing.cue. The client sends
// textDocument/didChange with the whole text (the server asks for full synchronisation: a ruleset's
// file has some kilobytes, and a wrong incremental edit would spoil every later answer). Then:
//
//   - server.change puts the text into the buffers, counts a version, cancels the context of the
//     version before and starts a timer. Nothing is compiled yet.
//   - After a pause without another change, server.diagnose takes a snapshot. From here on it works
//     on values that no later change touches.
//   - checker.findErrors compiles up to the errors of types: "there is no let named activ_value".
//     It is published at once, before the analysis of plans, which takes as long again.
//   - checker.compile does the rest when the first step found nothing: plans, and what only plans
//     tell. What it found last time is carried to the lines where it stands now (carry_over.go), so that
//     warnings do not vanish and come back with every key.
//   - playCases plays the golden cases of those rulesets whose plan or cases have changed; then the
//     client is told to ask again for lenses and hints.
//
// Meanwhile requests are answered from a snapshot of their own, with the index of names that could
// be read last. The name that is half typed is not in it, but everything else still is: completion
// must work just when the text is wrong.
//
// # Rename
//
// A name stands in four languages: as a label in CUE, as an identifier or a member in formulas, as
// a string with which a formula looks something up, and as a key in the JSON of cases. The places
// of the first three come from the index (occurrences.go), those of cases from casenames.go. No
// proof is attempted that these are all and that the new name captures nothing. Instead the edits
// are made on a view of the files, this view is compiled, and its cases are played (tryRename):
// what would become wrong is the refusal, with its place. The cost is a compilation, which a rename
// is worth.
//
// # What is stale, and who must ask
//
// The index and the plans may be of an earlier text than the screen. To show them a little late is
// fine for hover, completion, lenses and hints: the next answer is right again. Whatever edits must
// not use a stale index: rename asks isStale and refuses. A quick fix is made of the line as it stands
// on the screen and of what the diagnostic says about it (repair.EditOf), so it is not offered for a
// line that says something else by now.
//
// # Locks
//
// server.mu guards what is cheap and shared, and is never held while something is compiled or sent.
// server.compiling is held for the whole of a diagnosis: one at a time, so that two do not publish
// in the wrong order. A diagnosis that waits for it finds its context cancelled and ends. Requests
// need neither: they come one at a time, and take mu only to make their snapshot.
package lsp
