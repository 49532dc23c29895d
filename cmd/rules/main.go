// Command rules evaluates, shows, checks and tests rulesets of tabletop games.
//
// # A command line
//
// "rules eval tempestas test --character ada.json --dice 43" goes this way:
//
//   - Main (root.go) makes the tree of commands anew and lets cobra find eval. settings are shared
//     by all commands; everything else that a command is told is local to its constructor.
//   - newEval (eval.go) has put the flags into a question. answerQuestion finds out what is asked:
//     a rule, a procedure, one line or many, a definition by its name, or what is needed.
//   - The plan comes from the cache, by a digest of the files that it was compiled from, or from
//     the compiler, through package workspace (Workspace.CompileRuleset).
//   - evalRule reads character, input and faces (argdata), evaluates with package runtime, and
//     prints with package present, or as JSON.
//   - An error goes up as it is. exit.Status makes the exit status of its type, and exit.PrintError
//     one line of its text: "rules: ...".
//
// # Where things are
//
// A file is a command: build.go is "rules build". Files with a longer name have a part of it:
// eval_batch.go reads lines of JSON, eval_play.go plays procedures, test_mutants.go and
// test_accept.go are modes of test. What several commands share is in the packages under internal,
// of which only usage and completion know cobra's commands. question.go is shared by eval, odds, seek and play, which
// all ask about a rule with a character. help.go and internal/manual have the topics; start.go is
// what "rules" alone says.
//
// # What every command keeps
//
// Answers go to standard output, everything else to standard error, so that an answer can be piped.
// Status 1 is an answer, no; status 2 means that nothing was answered. A command that compiles does
// so through Workspace.Compiler, which keeps strangers' modules in a process of their own; none
// calls the compiler with a directory. Every file that others may read at the same time is written
// whole or not at all (atomicfile). These hold for all commands by tests that run every one of
// them: flags_test.go, help_test.go, hostile_files_test.go, and the transcripts in testdata/script.
package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
)

func main() {
	if sandbox.IsWorker(os.Args) {
		os.Exit(sandbox.Serve(os.Stdin, os.Stdout))
	}
	delayCollector()
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// delayCollector lets the heap grow to 64 MiB before garbage is collected for the first time, and then as ever: most
// commands end before that. GOGC in the environment wins, and so does a command that sets its own percentage.
func delayCollector() {
	const atFirst, afterwards = 1600, 100 // percent of the runtime's smallest heap, 4 MiB
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(atFirst)
	garbage := new([64]byte)
	runtime.AddCleanup(garbage, func(struct{}) {
		if percent := debug.SetGCPercent(afterwards); percent != atFirst {
			debug.SetGCPercent(percent)
		}
	}, struct{}{})
}
