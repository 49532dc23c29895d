// Command population asks a rule for millions of characters that lie in columns: Parquet, Arrow, CSV or NDJSON. It reads
// plans, as "rules build" and "rules release" write them, and executes them by the public runtime.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/runtime"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// Exit statuses, as those of rules.
const (
	done    = 0
	refused = 1 // some records have no sheet: the rule refuses, or a formula has no value
	unasked = 2 // the question could not be asked, or some records do not fit
)

// A statusError ends the command with a status. What there was to say has been said when it has no text.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string { return e.text }

// run carries out a command line.
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
	c.CompletionOptions.HiddenDefaultCmd = true
	c.AddCommand(newSchema(), newEval(), newSummary())
	return c
}

// loadPlan reads a plan file, of which only one rule is needed.
func loadPlan(file, rule string) (*runtime.Program, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, plainError(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	program, err := runtime.LoadFrom(f, info.Size(), rule)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(program.RuleNames()) == 0 {
		return nil, fmt.Errorf("%s: %s is a procedure: populations are of rules, which have no memory", file, rule)
	}
	return program, nil
}

// plainError leaves out the system call.
func plainError(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}

// openSource opens the records of a rule.
func openSource(name, format string, first uint64, kinds columns.Kinds, stdin io.Reader) (source.Reader, error) {
	f, err := source.FormatOf(name, format)
	if err != nil {
		return nil, err
	}
	return source.Open(name, f, first, kinds, stdin)
}
