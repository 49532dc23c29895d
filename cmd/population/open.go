package main

import (
	"fmt"
	"io"
	"os"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/runtime"
)

// loadPlan reads a plan file, of which only one rule is needed.
//
// The runtime reads only the parts of the file that the rule needs, which is why it is opened and
// not read as a whole.
func loadPlan(file, rule string) (*runtime.Program, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, source.PlainError(err)
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
	// The instructions in the file start a program sooner, and whoever altered the file may have altered them. Many records
	// are worth making them again of the rules.
	program = runtime.New(program.Plan())
	// LoadFrom with the name of a procedure loads that procedure alone, and no rule.
	if len(program.RuleNames()) == 0 {
		return nil, fmt.Errorf("%s: %s is a procedure: populations are of rules, which have no memory", file, rule)
	}
	return program, nil
}

// openSource opens the records of a rule.
func openSource(name, format string, first uint64, kinds columns.Kinds, stdin io.Reader) (source.Reader, error) {
	f, err := source.FormatOf(name, format)
	if err != nil {
		return nil, err
	}
	return source.Open(name, f, first, kinds, stdin)
}
