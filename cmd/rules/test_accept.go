package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/recorded"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
)

// acceptAnswers writes new expectations into the recorded cases whose answers have changed, and prints each difference.
// It reports whether any other case fails: a statement of the book is not accepted away.
//
// Only recorded cases are written. A case that states the book's answer is the reason for the program and never the
// other way round. No flag works around this.
func acceptAnswers(page *layout.Page, reports []*golden.Report) (otherFails bool, err error) {
	for _, r := range reports {
		for _, result := range r.Failed() {
			if !result.Case.Recorded {
				otherFails = true
				continue
			}
			if err := acceptAnswer(r.Program, result.Case); err != nil {
				return false, fmt.Errorf("%s: %w", result.Case.File, err)
			}
			page.AddLine(0, "%s: accepted", result.Case.File)
			for _, p := range result.Problems {
				page.AddLine(2, "%s", p)
			}
		}
	}
	return otherFails, nil
}

// acceptAnswer writes the current answer into the file of a recorded case. The case is evaluated again, under its own
// options, and only want.json is replaced: the sentences and the question stay as they are.
func acceptAnswer(program *runtime.Program, c *golden.Case) error {
	wantOf, known := map[golden.Kind]func([]byte) ([]byte, error){
		golden.RuleCase: recorded.SelectOutputs, golden.ProcedureCase: recorded.SelectPlayed,
		golden.FunctionCase: func(value []byte) ([]byte, error) { return value, nil },
	}[c.Kind]
	if !known {
		return fmt.Errorf("only cases of rules, procedures and functions are accepted, not of a %s", c.Kind)
	}
	sheet, err := golden.EvaluateCase(program, c, runtime.Choice{Options: c.Options})
	if err != nil {
		return fmt.Errorf("there is no answer any more: %w", err)
	}
	want, err := wantOf(sheet)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	archive := txtar.Parse(text)
	if err := replaceWant(archive, numberOf(c), want); err != nil {
		return err
	}
	return atomicfile.TheDisk().WriteWhole(c.File, txtar.Format(archive))
}

// numberOf returns which case of its file one is, from 1. The name of a further case ends in its
// number, "leap/2"; that of the first has none.
func numberOf(c *golden.Case) int {
	_, number, _ := strings.Cut(c.Name, "/")
	if n, err := strconv.Atoi(number); err == nil {
		return n
	}
	return 1
}

// replaceWant puts another want.json into one of the cases of a file. In txtar the cases of a file
// follow each other, each but the first begun by an entry called case.
func replaceWant(archive *txtar.Archive, number int, want []byte) error {
	at := 1
	for i := range archive.Files {
		f := &archive.Files[i]
		if f.Name == "case" {
			at++
		}
		if at == number && f.Name == "want.json" {
			f.Data = append(bytes.TrimSpace(want), '\n')
			return nil
		}
	}
	return errors.New("it has no want.json")
}
