// Command population asks a rule for millions of characters that lie in columns: Parquet, Arrow, CSV or NDJSON. It reads
// plans, as "rules build" and "rules release" write them, and executes them by the public runtime.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func (e *statusError) Error() string { return e.text }

// run carries out a command line.
//
// run is a function of its arguments and streams, so that tests run whole command lines in their
// own process. Whatever is no statusError comes from the command line or from files, and is a
// question that could not be asked.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	c := newRoot()
	c.SetArgs(args)
	c.SetIn(in)
	c.SetOut(out)
	c.SetErr(errs)
	err := c.Execute()
	if err == nil {
		return done
	}
	status := unasked
	if e, ok := errors.AsType[*statusError](err); ok {
		status = e.status
	}
	if err.Error() != "" {
		fmt.Fprintln(errs, "population:", err)
	}
	return status
}

const rootHelp = `Population asks a rule for many characters at once, which lie in columns: a Parquet or Arrow file, CSV, or
lines of JSON. It is for those who balance a game or move a platform: one process answers some millions of characters a
second.

A plan is a file that "rules build" or "rules release" writes.`

func newRoot() *cobra.Command {
	c := &cobra.Command{
		Use: "population", Short: "Ask a rule for millions of characters", Long: rootHelp,
		SilenceErrors: true, SilenceUsage: true,
	}
	// The command completion exists, but three commands need no line of help about it.
	c.CompletionOptions.HiddenDefaultCmd = true
	c.AddCommand(newSchema(), newEval(), newSummary())
	return c
}
