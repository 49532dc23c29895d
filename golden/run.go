package golden

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// Run plays a case on a program.
// It never stops at an error: whatever goes wrong is a problem of the result, with a line of the
// case's file.
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

// ends expects that the case ends without an answer, with a message of which a part is enough: the words that do not
// hang on the numbers of the case.
func (r *Result) ends(program *runtime.Program, header, what, message string, of func(error) string) {
	_, err := Play(program, r.Case, r.Case.Options)
	switch {
	case err == nil:
		r.failf(header, "want a %s: %s, but there is an answer", what, message)
	case r.Case.isEarly(err):
		r.failf(header, "want a %s: %s, got: %v", what, message, r.Case.placeError(err))
	case of(err) == "" && header == "failed" && Refusal(err) != "":
		r.failf(header, "that is no failure but a refusal: write refused: %s", Refusal(err))
	case of(err) == "" && header == "refused" && failureMessage(err) != "":
		r.failf(header, "that is no refusal but a failure: write failed: %s", failureMessage(err))
	case of(err) == "":
		r.failf(header, "want a %s: %s, got: %v", what, message, err)
	case !strings.Contains(of(err), message):
		r.failf(header, "want a %s: %s, got: %s", what, message, of(err))
	case message != of(err) && !strings.ContainsAny(message, " ."): // neither several words nor the path of an input
		r.failf(header, "%s alone may stand in the message of another %s too: %s: %s", message, what, header, of(err))
	}
}

// isEarly reports whether an error is of a step before the last. A case that expects a refusal is about its last step, and
// must not pass because of one before it.
func (c *Case) isEarly(err error) bool {
	e, ok := errors.AsType[*runtime.EventError](err)
	return c.Kind == ProcedureCase && len(c.Events) > 0 && (!ok || e.Number < len(c.Events))
}

// placeError says of an error of a play with events in which step it is.
func (c *Case) placeError(err error) error {
	if _, ok := errors.AsType[*runtime.EventError](err); ok || c.Kind != ProcedureCase || len(c.Events) == 0 {
		return err
	}
	return fmt.Errorf("start: %w", err)
}

// Refusal returns the message of a refusal: of a requirement, an event that is not offered, a face that no die has, or an
// input out of bounds, with its path. It is empty if the error is another one.
//
// Four kinds of errors refuse, and a case may expect each by its text. Any other error is a mistake of the case or of the
// program and never an expectation.
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
//
// Three things are checked of a case about an erratum: the ruling comes out, the printed value does not, and where an
// option plays the printed text, it does under that option. The second keeps a case from claiming a contradiction that
// there is not.
func (r *Result) answered(program *runtime.Program) {
	c := r.Case
	sheet, err := Play(program, c, c.Options)
	if refused, ok := errors.AsType[*runtime.Refused](err); ok && !c.isEarly(err) {
		err = fmt.Errorf("an answer is wanted, and it is refused: %w; a case of that has the header refused: %s, and "+
			"no want.json", c.placeError(err), refused.Require.Message)
		r.addProblem("", err)
		return
	}
	if err != nil {
		r.addProblem("", c.placeError(err))
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
		r.addProblem("as printed: ", c.placeError(err))
		return
	}
	r.compareExpected(program.Plan(), "printed.json", "as printed: ", c.printed, sheet)
}

// Play carries the case's rule or procedure out and gives its sheet.
func Play(program *runtime.Program, c *Case, options map[string]string) (*jsontree.Tree, error) {
	sheet, err := EvaluateCase(program, c, runtime.Choice{Options: options})
	if err != nil {
		return nil, err
	}
	t, err := jsontree.ReadTree(sheet)
	if err != nil {
		return nil, fmt.Errorf("the sheet is no JSON: %w", err)
	}
	return t, nil
}

// EvaluateCase carries the case's rule or procedure out and gives its sheet as JSON; of a function {"value": ...}.
func EvaluateCase(program *runtime.Program, c *Case, choice runtime.Choice) ([]byte, error) {
	sheet, play, err := carryOut(program, c, choice, c.Request())
	switch {
	case err != nil:
		return nil, err
	case play != nil:
		return play.AppendJSON(nil), nil
	case c.Kind == FunctionCase:
		return sheet.Output.AppendJSON(nil), nil
	}
	return sheet.AppendJSON(nil), nil
}

// TraceCase carries the case's rule or procedure out and gives the trace of each step: of a rule there is one; of a
// procedure the start, each event, and the outputs.
func TraceCase(program *runtime.Program, c *Case) ([][]*trace.Step, error) {
	q := c.Request()
	q.Trace = true
	sheet, play, err := carryOut(program, c, runtime.Choice{Options: c.Options}, q)
	switch {
	case err != nil:
		return nil, err
	case play == nil:
		return [][]*trace.Step{sheet.Trace}, nil
	}
	out := [][]*trace.Step{play.Begun}
	for _, e := range play.Events {
		out = append(out, e.Trace)
	}
	return append(out, play.Trace), nil
}

// carryOut returns the sheet of a case's rule, or its procedure as it was played.
func carryOut(program *runtime.Program, c *Case, choice runtime.Choice, q runtime.Request) (
	*runtime.Sheet, *runtime.Play, error) {
	if c.Kind == ProcedureCase {
		play, err := playProcedure(program, c, choice, q)
		return nil, play, err
	}
	find := program.Rule
	if c.Kind == FunctionCase {
		find = program.Function
	}
	rule, err := find(c.Subject, choice)
	if err != nil {
		return nil, nil, err
	}
	sheet, err := rule.Eval(q)
	return sheet, nil, err
}

// Request returns the request of the case. Faces that it does not give are drawn from its seed, if it has one.
func (c *Case) Request() runtime.Request {
	return runtime.Request{Character: c.CharacterJSON(), Input: c.Input, Throw: c.throw(dice.Throw{Dice: c.Dice})}
}

// Steps returns the events of the case, with the same rule of faces.
func (c *Case) Steps() []runtime.Step {
	out := slices.Clone(c.Events)
	for i := range out {
		out[i].Throw = c.throw(out[i].Throw)
	}
	return out
}

// throw returns a throw that draws from the case's seed if it says nothing of any face.
func (c *Case) throw(t dice.Throw) dice.Throw {
	if t.IsZero() {
		t.Seed = c.Seed
	}
	return t
}

// playProcedure plays a procedure.
func playProcedure(program *runtime.Program, c *Case, choice runtime.Choice, q runtime.Request) (*runtime.Play, error) {
	procedure, err := program.Procedure(c.Subject, choice)
	if err != nil {
		return nil, err
	}
	return procedure.Play(q, c.Steps()...)
}
