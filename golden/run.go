package golden

import (
	"errors"
	"fmt"
	"maps"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// A Result is how a case went.
type Result struct {
	Case     *Case
	Problems []string // what is not as expected, in the order of the case; none when it passed
}

// Passed reports whether everything is as the case expects.
func (r *Result) Passed() bool { return len(r.Problems) == 0 }

func (r *Result) failf(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// Run plays a case on a program.
func Run(program *runtime.Program, c *Case) *Result {
	r := &Result{Case: c}
	switch {
	case c.Kind == TableCase:
		r.table(program.Plan())
	case c.Kind == OddsCase:
		r.odds(program)
	case c.Refused != "":
		r.refused(program)
	default:
		r.answered(program)
	}
	return r
}

// refused expects that the case is refused with its message.
func (r *Result) refused(program *runtime.Program) {
	c := r.Case
	_, err := play(program, c, c.Options)
	switch {
	case err == nil:
		r.failf("want a refusal: %s, but nothing refuses", c.Refused)
	case refusal(err) == "":
		r.failf("want a refusal: %s, got an error: %v", c.Refused, err)
	case refusal(err) != c.Refused:
		r.failf("want a refusal: %s, got: %s", c.Refused, refusal(err))
	}
}

// refusal is the message of what refuses; empty when the error is another one.
func refusal(err error) string {
	if e, ok := errors.AsType[*runtime.Refused](err); ok {
		return e.Require.Message
	}
	if e, ok := errors.AsType[*runtime.NotOffered](err); ok {
		return fmt.Sprintf("event %s is not offered", e.Event)
	}
	return ""
}

// answered expects the sheet of want.json; that of printed.json comes out under an option, or not at all.
func (r *Result) answered(program *runtime.Program) {
	c := r.Case
	sheet, err := play(program, c, c.Options)
	if err != nil {
		r.failf("%v", err)
		return
	}
	for _, d := range compare(c.want, sheet, c.Near) {
		r.failf("%v", d)
	}
	if c.printed == nil {
		return
	}
	if len(compare(c.printed, sheet, c.Near)) == 0 {
		r.failf("printed.json comes out as well: the book does not contradict itself")
	}
	if c.Printed != nil {
		r.asPrinted(program)
	}
}

func (r *Result) asPrinted(program *runtime.Program) {
	c := r.Case
	options := maps.Clone(c.Printed)
	for name, value := range c.Options {
		if _, set := options[name]; !set {
			options[name] = value
		}
	}
	sheet, err := play(program, c, options)
	if err != nil {
		r.failf("as printed: %v", err)
		return
	}
	for _, d := range compare(c.printed, sheet, c.Near) {
		r.failf("as printed: %v", d)
	}
}

// play carries the case's rule or procedure out and gives its sheet.
func play(program *runtime.Program, c *Case, options map[string]string) (*tree, error) {
	sheet, err := evaluate(program, c, runtime.Choice{Options: options})
	if err != nil {
		return nil, err
	}
	t, err := readTree(sheet)
	if err != nil {
		return nil, fmt.Errorf("the sheet is no JSON: %w", err)
	}
	return t, nil
}

func evaluate(program *runtime.Program, c *Case, choice runtime.Choice) ([]byte, error) {
	q := c.request()
	if c.Kind == ProcedureCase {
		return proceed(program, c, choice, q)
	}
	rule, err := program.Rule(c.Subject, choice)
	if err != nil {
		return nil, err
	}
	sheet, err := rule.Eval(q)
	if err != nil {
		return nil, err
	}
	return sheet.AppendJSON(nil), nil
}

// request asks what the case asks, with fresh faces.
func (c *Case) request() runtime.Request {
	return runtime.Request{Character: c.character(), Input: c.Input, Dice: c.faces(c.Dice, 0), Seed: c.seed}
}

// faces are given ones, or when the case has a seed, those that are drawn from it for an event.
func (c *Case) faces(given Faces, event uint64) dice.Source {
	if c.seed != nil && !given.Given() {
		return dice.FromSeed(*c.seed, 0, event)
	}
	return given.Source()
}

// character is the case's character; one without members when the case has none.
func (c *Case) character() []byte {
	if c.Character == nil {
		return []byte("{}")
	}
	return c.Character
}

// proceed plays a procedure. Only the last event may be refused.
func proceed(program *runtime.Program, c *Case, choice runtime.Choice, q runtime.Request) ([]byte, error) {
	procedure, err := program.Procedure(c.Subject, choice)
	if err != nil {
		return nil, err
	}
	p, err := procedure.Start(q)
	if err != nil {
		if len(c.Events) > 0 {
			return nil, fmt.Errorf("start: %v", err)
		}
		return nil, err
	}
	for i, e := range c.Events {
		err := p.Do(runtime.Event{Name: e.Name, Input: e.Input, Dice: c.faces(e.Dice, p.Number())})
		switch {
		case err == nil:
		case i < len(c.Events)-1:
			return nil, fmt.Errorf("event %d, %s: %v", i+1, e.Name, err)
		default:
			return nil, fmt.Errorf("event %d, %s: %w", i+1, e.Name, err)
		}
	}
	return p.AppendJSON(nil), nil
}
