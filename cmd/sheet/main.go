// Command sheet carries out a rule of a plan file for the character on standard input, and prints the sheet. It is the
// smallest program around the runtime: it links neither CUE nor CEL, so it starts in no time and can be put anywhere.
//
//	rules build tempestas -o tempestas.plan
//	sheet -input '{"name": "navigation"}' -seed 7 tempestas.plan test < ada.json
//
// With -vectors it answers the questions of "rules vectors --run", a line of JSON for each line:
//
//	rules vectors tempestas --run "sheet -vectors tempestas.plan"
//
// With -digest it asks a plan only if it is the published one, to the byte: "rules release" prints the digest.
//
// Its exit status is that of "rules eval": 0 for a sheet, 1 when the rule refuses or a formula has no value, 2 when the
// question cannot be asked.
//
// # How to embed the runtime
//
// This program is the example of the smallest embedding, and is kept as short as one. LoadFrom
// reads of a plan file only the parts of the rules that are named, so a release of a large ruleset
// costs no more than its one rule; Rule prepares a choice of options; Eval is what a server would
// call for each request, from many goroutines at once. Everything that can go wrong has a type, by
// which status decides.
//
// With -digest a program pins the rules that it was tested with: a plan file is data, and whoever
// can replace it can otherwise change every answer.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run carries out a command line and gives its exit status.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	flags := flag.NewFlagSet("sheet", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() {
		fmt.Fprintln(errs, "usage: sheet [-input JSON] [-seed N] [-digest SHA256] PLAN RULE < CHARACTER\n"+
			"       sheet -vectors PLAN < QUESTIONS")
		flags.PrintDefaults()
	}
	input := flags.String("input", "{}", "what this use of the rule adds to the character, as `JSON`")
	seed := flags.Uint64("seed", 0, "draw the faces of the dice from the seed `N`")
	digest := flags.String("digest", "", "refuse a plan file whose digest is not `SHA256`")
	vectors := flags.String("vectors", "", "answer every line of standard input by the plan in `FILE`")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *vectors != "" && flags.NArg() == 0 && flags.NFlag() == 1 {
		return report(answerLines(*vectors, in, out), errs)
	}
	if flags.NArg() != 2 || *vectors != "" {
		flags.Usage()
		return 2
	}
	sheet, err := eval(flags.Arg(0), flags.Arg(1), *digest, in, []byte(*input), *seed)
	if err == nil {
		_, err = out.Write(append(sheet, '\n'))
	}
	return report(err, errs)
}

// report prints an error, if there is one, and returns the exit status.
func report(err error, errs io.Writer) int {
	if err != nil {
		fmt.Fprintln(errs, "sheet:", err)
	}
	return status(err)
}

// eval is the sheet of the character, by a plan file of a digest; "" for any.
func eval(file, id, digest string, character io.Reader, input []byte, seed uint64) ([]byte, error) {
	program, err := loadProgram(file, id)
	if err != nil {
		return nil, err
	}
	if digest != "" && digest != program.Digest() {
		return nil, fmt.Errorf("%s: its digest is %s, not %s", file, program.Digest(), digest)
	}
	rule, err := program.Rule(id, runtime.Choice{})
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(character)
	if err != nil {
		return nil, err
	}
	sheet, err := rule.Eval(runtime.Request{Character: text, Input: input, Throw: dice.DrawnFrom(seed)})
	if err != nil {
		return nil, err
	}
	return sheet.AppendJSON(nil), nil
}

// loadProgram loads a plan file: all of it, or only the rules with the given ids.
//
// The file may be closed once LoadFrom has returned: the parts that were asked for are in memory by then, verified.
func loadProgram(name string, ids ...string) (*runtime.Program, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	program, err := runtime.LoadFrom(file, info.Size(), ids...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return program, nil
}

func status(err error) int {
	if err == nil {
		return 0
	}
	_, refused := errors.AsType[*runtime.Refused](err)
	_, failed := errors.AsType[*runtime.Failure](err)
	if refused || failed {
		return 1
	}
	return 2
}
