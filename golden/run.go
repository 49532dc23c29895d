package golden

import (
	"errors"
	"fmt"
	"maps"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Result is how a case went.
type Result struct {
	Case     *Case
	Problems []Problem // what is not as expected, in the order of the case; none when it passed
}

// A Problem is something that is not as a case expects.
type Problem struct {
	Line int    `json:"line"` // of the case's file, 1-based
	Msg  string `json:"message"`
}

// String begins with the line.
func (p Problem) String() string { return fmt.Sprintf("%d: %s", p.Line, p.Msg) }

// Passed reports whether everything is as the case expects.
func (r *Result) Passed() bool { return len(r.Problems) == 0 }

// failf notes what is wrong at a part of the case.
func (r *Result) failf(part, format string, args ...any) { r.failAt(part, 0, format, args...) }

// failAt notes what is wrong at a byte of a part.
func (r *Result) failAt(part string, offset int, format string, args ...any) {
	r.Problems = append(r.Problems, Problem{r.Case.lineOfHeader(part, offset), fmt.Sprintf(format, args...)})
}

// compareWith notes where a value is not as a part of the case says; what stands before the paths.
func (r *Result) compareWith(part, what string, want, got *jsontree.Tree) {
	for _, d := range CompareTrees(want, got, r.Case.Near) {
		r.failAt(part, d.at, "%s%v", what, d)
	}
}

// compareExpected notes where a value is not as a part of the case says, whose arithmetic is carried out first. It reports
// whether that was possible.
func (r *Result) compareExpected(p *plan.Plan, part, what string, want, got *jsontree.Tree) bool {
	x := r.expect(p, part, want)
	if x == nil {
		return false
	}
	for _, d := range CompareTrees(x.tree, got, r.Case.Near) {
		how := ""
		if text, ok := x.formulas[d.at]; ok {
			how = ", by " + text
		}
		r.failAt(part, d.at, "%s%v%s", what, d, how)
	}
	return true
}

// expect carries out the arithmetic of a part of the case; nil when it cannot be.
func (r *Result) expect(p *plan.Plan, part string, want *jsontree.Tree) *expectation {
	x, err := expectOf(p, r.Case, want)
	if e, ok := errors.AsType[*jsontree.Error](err); ok {
		r.failAt(part, e.Offset, "%s", e.Msg)
		return nil
	}
	return x
}

// addProblem notes that a case came to no answer.
func (r *Result) addProblem(what string, err error) {
	c := r.Case
	switch input, face := new(runtime.InputError), new(dice.Error); {
	case errors.As(err, &input):
		line := c.lineOfHeader(string(c.Kind), 0)
		if from, ok := c.parts[input.Root+".json"]; ok {
			line = from.line + input.Line - 1
		}
		r.Problems = append(r.Problems, Problem{line, what + input.Root + input.Path + ": " + input.Msg})
	case errors.As(err, &face) && c.Kind == RuleCase:
		r.failf("dice", "%s%v", what, err)
	default:
		r.failf(string(c.Kind), "%s%v", what, err)
	}
}

// Run plays a case on a program.
func Run(program *runtime.Program, c *Case) *Result {
	r := &Result{Case: c}
	switch {
	case c.Kind == TableCase:
		r.compareTable(program.Plan())
	case c.Kind == OddsCase:
		r.compareOdds(program)
	case c.Refused != "":
		r.ends(program, "refused", "refusal", c.Refused, Refusal)
	case c.Failed != "":
		r.ends(program, "failed", "failure", c.Failed, failureMessage)
	default:
		r.answered(program)
	}
	return r
}

// ends expects that the case ends without an answer, with a message.
func (r *Result) ends(program *runtime.Program, header, what, message string, of func(error) string) {
	_, err := Play(program, r.Case, r.Case.Options)
	switch {
	case err == nil:
		r.failf(header, "want a %s: %s, but there is an answer", what, message)
	case of(err) == "":
		r.failf(header, "want a %s: %s, got: %v", what, message, err)
	case of(err) != message:
		r.failf(header, "want a %s: %s, got: %s", what, message, of(err))
	}
}

// Refusal is the message of what refuses: a requirement, an event that is not offered, a face that no die shows, or an
// input that is out of bounds, with its path. It is empty when the error is another one.
func Refusal(err error) string {
	if e, ok := errors.AsType[*dice.Error](err); ok {
		return e.Error()
	}
	if e, ok := errors.AsType[*runtime.InputError](err); ok {
		return e.Root + e.Path + ": " + e.Msg
	}
	if e, ok := errors.AsType[*runtime.Refused](err); ok {
		return e.Require.Message
	}
	if e, ok := errors.AsType[*runtime.NotOffered](err); ok {
		return fmt.Sprintf("event %s is not offered", e.Event)
	}
	return ""
}

// failureMessage is why a formula has no value; empty when the error is another one.
func failureMessage(err error) string {
	if e, ok := errors.AsType[*runtime.Failure](err); ok {
		return e.Msg
	}
	return ""
}

// answered expects the sheet of want.json; that of printed.json comes out under an option, or not at all.
func (r *Result) answered(program *runtime.Program) {
	c := r.Case
	sheet, err := Play(program, c, c.Options)
	if err != nil {
		r.addProblem("", err)
		return
	}
	if !r.compareExpected(program.Plan(), "want.json", "", c.want, sheet) || c.printed == nil {
		return
	}
	x := r.expect(program.Plan(), "printed.json", c.printed)
	if x == nil {
		return
	}
	if len(CompareTrees(x.tree, sheet, c.Near)) == 0 {
		r.failf("printed.json", "printed.json comes out as well: the book does not contradict itself")
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
	sheet, err := Play(program, c, options)
	if err != nil {
		r.addProblem("as printed: ", err)
		return
	}
	r.compareExpected(program.Plan(), "printed.json", "as printed: ", c.printed, sheet)
}

// Play carries the case's rule or procedure out and gives its sheet.
func Play(program *runtime.Program, c *Case, options map[string]string) (*jsontree.Tree, error) {
	sheet, err := evaluateCase(program, c, runtime.Choice{Options: options})
	if err != nil {
		return nil, err
	}
	t, err := jsontree.ReadTree(sheet)
	if err != nil {
		return nil, fmt.Errorf("the sheet is no JSON: %w", err)
	}
	return t, nil
}

func evaluateCase(program *runtime.Program, c *Case, choice runtime.Choice) ([]byte, error) {
	q := c.Request()
	if c.Kind == ProcedureCase {
		play, err := playProcedure(program, c, choice, q)
		if err != nil {
			return nil, err
		}
		return play.AppendJSON(nil), nil
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

// TraceCase carries the case's rule or procedure out and gives the trace of each step: of a rule there is one; of a
// procedure the start, each event, and the outputs.
func TraceCase(program *runtime.Program, c *Case) ([][]*runtime.Step, error) {
	q, choice := c.Request(), runtime.Choice{Options: c.Options}
	q.Trace = true
	if c.Kind == ProcedureCase {
		play, err := playProcedure(program, c, choice, q)
		if err != nil {
			return nil, err
		}
		out := [][]*runtime.Step{play.Begun}
		for _, e := range play.Events {
			out = append(out, e.Trace)
		}
		return append(out, play.Trace), nil
	}
	rule, err := program.Rule(c.Subject, choice)
	if err != nil {
		return nil, err
	}
	sheet, err := rule.Eval(q)
	if err != nil {
		return nil, err
	}
	return [][]*runtime.Step{sheet.Trace}, nil
}

// Request asks what the case asks, with fresh faces.
func (c *Case) Request() runtime.Request {
	return runtime.Request{Character: c.CharacterJSON(), Input: c.Input, Dice: c.faceSource(c.Dice, 0), Seed: c.Seed}
}

// faceSource are given ones, or when the case has a seed, those that are drawn from it for an event.
func (c *Case) faceSource(given Faces, event uint64) dice.Source {
	if c.Seed != nil && !given.IsGiven() {
		return dice.FromSeed(*c.Seed, 0, event)
	}
	return given.Source()
}

// CharacterJSON is the case's character; one without members when the case has none.
func (c *Case) CharacterJSON() []byte {
	if c.Character == nil {
		return []byte("{}")
	}
	return c.Character
}

// playProcedure plays a procedure. Only the last event may be refused.
func playProcedure(program *runtime.Program, c *Case, choice runtime.Choice, q runtime.Request) (*runtime.Play, error) {
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
		err := p.Do(runtime.Event{Name: e.Name, Input: e.Input, Dice: c.faceSource(e.Dice, p.Number()),
			Trace: q.Trace})
		switch {
		case err == nil:
		case i < len(c.Events)-1:
			return nil, fmt.Errorf("event %d, %s: %v", i+1, e.Name, err)
		default:
			return nil, fmt.Errorf("event %d, %s: %w", i+1, e.Name, err)
		}
	}
	return p, nil
}
