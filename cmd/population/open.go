package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/runtime"
)

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
