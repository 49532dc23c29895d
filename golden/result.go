package golden

import (
	"errors"
	"fmt"
	"strings"

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
//
// Line, Col and Length are those of an editor's mark: in the case, never in the ruleset. Which of
// the two is wrong is for a person to say.
type Problem struct {
	Line int    `json:"line"` // of the case's file, 1-based
	Msg  string `json:"message"`

	// Of a value of a sheet that is not as wanted: where that is stated on the line, in code points from 1, and the value
	// that there is instead, as JSON.
	Col, Length int    `json:"-"` // 0 of any other problem
	Got         string `json:"-"` // empty where there is no such value
}

// String begins with the line.
func (p Problem) String() string { return fmt.Sprintf("%d: %s", p.Line, p.Msg) }

// Passed reports whether everything is as the case expects.
func (r *Result) Passed() bool { return len(r.Problems) == 0 }

// failf notes a problem of a part of the case.
func (r *Result) failf(part, format string, args ...any) { r.failAt(part, 0, format, args...) }

// failAt notes a problem at a byte of a part.
func (r *Result) failAt(part string, offset int, format string, args ...any) {
	r.Problems = append(r.Problems, Problem{Line: r.Case.lineOfHeader(part, offset), Msg: fmt.Sprintf(format, args...)})
}

// addDifference notes a value that is not as wanted.
func (r *Result) addDifference(part string, d Difference, format string, args ...any) {
	r.failAt(part, d.at, format, args...)
	p := &r.Problems[len(r.Problems)-1]
	p.Col, p.Length = r.Case.extentOf(part, d.at, d.end)
	p.Got = d.Got
}

// compareWith notes the places where a value differs from a part of the case. The text in prefix stands before each
// path.
func (r *Result) compareWith(part, prefix string, want, got *jsontree.Tree) {
	for _, d := range CompareTrees(want, got, r.Case.Near) {
		r.addDifference(part, d, "%s%v", prefix, d)
	}
}

// compareExpected notes where a value differs from a part of the case, after carrying out the arithmetic of that part.
// It reports whether the arithmetic was possible.
func (r *Result) compareExpected(p *plan.Plan, part, prefix string, want, got *jsontree.Tree) bool {
	x := r.expect(p, part, want)
	if x == nil {
		return false
	}
	for _, d := range CompareTrees(x.tree, got, r.Case.Near) {
		d.By = x.formulas[d.at]
		r.addDifference(part, d, "%s%v", prefix, d)
	}
	return true
}

// expect returns a part of the case with its arithmetic carried out; nil when it cannot be.
func (r *Result) expect(p *plan.Plan, part string, want *jsontree.Tree) *expectation {
	x, err := expectOf(p, r.Case, want)
	if e, ok := errors.AsType[*jsontree.Error](err); ok {
		r.failAt(part, e.Offset, "%s", e.Msg)
		return nil
	}
	return x
}

// addProblem notes that a case has no answer.
//
// An error of an input has a line of its own in the file with that input; any other stands at the header of the question.
func (r *Result) addProblem(what string, err error) {
	c := r.Case
	input, face, event, unknown := new(runtime.InputError), new(dice.Error), new(runtime.EventError),
		new(runtime.UnknownError)
	switch {
	case errors.As(err, &input):
		line := c.lineOfHeader(string(c.Kind), 0)
		if from, ok := c.parts[input.Root+".json"]; ok {
			line = from.line + input.Line - 1
		}
		r.Problems = append(r.Problems, Problem{Line: line, Msg: what + input.Root + input.Path + ": " + input.Msg})
	case errors.As(err, &face) && c.Kind == RuleCase:
		r.failf("dice", "%s%v", what, err)
	case errors.As(err, &face) && !face.Missing && !errors.As(err, &event):
		r.failf("dice", `%s%v: the faces of an event stand with it, {"event": NAME, "dice": [...]}`, what, err)
	case errors.As(err, &event) && r.hasEvents():
		r.failAt("events.json", r.offsetOfEvent(event.Number), "%s%v", what, err)
	case errors.As(err, &unknown) && strings.Contains(unknown.What, "option"):
		r.failf("option", "%s%v", what, err)
	default:
		r.failf(string(c.Kind), "%s%v", what, err)
	}
}

// hasEvents reports whether the case has its events in a part of its own.
func (r *Result) hasEvents() bool {
	_, ok := r.Case.parts["events.json"]
	return ok
}

// offsetOfEvent returns where an event begins in events.json, the first being 1.
func (r *Result) offsetOfEvent(number int) int {
	t, err := jsontree.ReadTree(r.Case.parts["events.json"].data)
	if err != nil || number < 1 || number > len(t.Items) {
		return 0
	}
	return t.Items[number-1].From
}
