package oddsquery

// # From flags to a course
//
//	--decide ─ playDecider ─┬─ late choices ─> runtime.Courses
//	                        └─ event fields ─> inputs of moves
//	--policy ─ ParsePolicy  ─> runtime.Policy (all events, when only --best is given)
//	--best   ─ newAim       ─> runtime.Aim
//	--ask, --given ─ newOptions ─> formulas over the outcomes
//	Courses.Odds(request, policy, options) ─> runtime.Course ─> answer
//
// The order is forced. Late choices are part of the scheduled process, so they are read before it
// is made; the policy must be there before inputs can be added to its moves; the formulas need the
// process's type of outcomes, which has its status among the outputs.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// A PlayAsker answers a question about a procedure.
type PlayAsker struct {
	query.Question
	opening
	options *odds.Options
	courses *runtime.Courses
	policy  runtime.Policy
	aim     *runtime.Aim
	decided []*eventField // when their events begin
}

// NewPlayAsker compiles the policy and the formulas of a question.
func NewPlayAsker(program *runtime.Program, q query.Question) (*PlayAsker, error) {
	id := q.Subject
	p := program.Plan()
	a := &PlayAsker{Question: q, opening: opening{program, q.Vary, describe.InputOf(program.Plan(), id)}}
	if q.From != nil {
		a.Request.Character, a.Request.Input = q.From.Character, q.From.Input
	}
	decider, err := newPlayDecider(program, id, &q)
	if err != nil {
		return nil, err
	}
	if a.courses, err = decider.procedure.PrepareOdds(decider.choices, q.Best != ""); err != nil {
		return nil, err
	}
	if a.policy, err = ParsePolicy(p, id, q.Policy, q.Options); err != nil {
		return nil, err
	}
	if len(a.policy) == 0 && q.Best != "" {
		a.policy = decider.allMoves()
	}
	if err := decider.addInputs(a.policy); err != nil {
		return nil, err
	}
	names := planOfOutcomes(id, a.courses.ReadableType())
	a.decided = decider.fields
	if a.aim, err = newAim(names, id, &q); err != nil {
		return nil, err
	}
	if a.options, err = newOptions(names, id, q.Given, cmp.Or(q.FormulaFlag, "--ask"), q.Formulas); err != nil {
		return nil, err
	}
	// Judged here and not by odds, whose error would come after the course was followed.
	known := a.courses.OutputType().FieldNames()
	for _, name := range q.Outputs {
		if !slices.Contains(known, name) {
			return nil, &runtime.UnknownError{What: "output", Name: name, Known: known}
		}
	}
	return a, nil
}

// AsksForOutputs reports whether outputs are asked for, and not only how and when the procedure ends.
func (a *PlayAsker) AsksForOutputs() bool {
	return len(a.Outputs) > 0 || len(a.Formulas) > 0 || a.Given != ""
}

// Course returns the probability of each end of the procedure, and when it comes, without the outputs. That is cheaper
// than Odds, which must also tell apart all states that differ in an output at the end.
func (a *PlayAsker) Course(ctx context.Context) (*runtime.Course, error) {
	return a.courseOf(ctx, nil)
}

// courseOf follows the procedure, or draws plays of it where exact odds take too much.
func (a *PlayAsker) courseOf(ctx context.Context, outputs []string) (*runtime.Course, error) {
	o := &runtime.CourseOptions{Outputs: outputs, Aim: a.aim, After: a.After, Most: a.Most, Exact: a.Exact,
		Budget: a.Budget}
	switch {
	case a.Sampling == nil:
		return a.follow(ctx, o)
	case a.Sampling.Always:
		return a.sample(ctx, o)
	}
	plays := a.beginPlays(ctx, o)
	defer plays.stop()
	course, err := a.follow(ctx, o)
	tooMuch, isTooMuch := errors.AsType[*odds.BudgetError](err)
	switch {
	case isTooMuch:
		return plays.take(describeExcess(tooMuch))
	case err == nil && course.Open > mostOpen:
		return plays.take(fmt.Sprintf("of its exact course %.3g is still open after %s", course.Open,
			plural.Of(course.Events, "event")))
	}
	return course, err
}

// mostOpen is how much of a course may be left open before plays are drawn instead, which tell no more.
const mostOpen = 1e-6

// describeExcess says what exact odds would take.
func describeExcess(e *odds.BudgetError) string {
	if e.Needs < 2*e.Budget {
		return fmt.Sprintf("exact odds take more than the budget of %s %s", odds.FormatWork(e.Budget), e.What)
	}
	return fmt.Sprintf("exact odds take %s, the budget is %s", e.DescribeNeeds(), odds.FormatWork(e.Budget))
}

// sample draws plays of the procedure.
func (a *PlayAsker) sample(ctx context.Context, o *runtime.CourseOptions) (*runtime.Course, error) {
	if o.Most == 0 && a.Sampling.Most > 0 {
		limited := *o
		limited.Most, o = a.Sampling.Most, &limited
	}
	s := runtime.Sampling{Seed: a.Sampling.Seed, Plays: a.Sampling.Plays, Policy: a.newPolicy, Choices: a.newChoices,
		Progress: a.Sampling.Progress}
	var course *runtime.Course
	var err error
	if a.From != nil {
		course, err = a.courses.SampleFrom(ctx, a.play(), s, o)
	} else {
		course, err = a.courses.Sample(ctx, a.Request, s, o)
	}
	if err != nil {
		return nil, a.nameDecision(err)
	}
	return course, nil
}

// play returns the play whose state is gone on from, with the character and the input of the question.
func (a *PlayAsker) play() *runtime.Play {
	play := *a.From
	play.Character, play.Input = a.Request.Character, a.Request.Input
	return &play
}

// newPolicy compiles the policy once more: its formulas remember values, and serve one goroutine.
func (a *PlayAsker) newPolicy() (runtime.Policy, error) {
	decider, err := newPlayDecider(a.program, a.Subject, &a.Question)
	if err != nil {
		return nil, err
	}
	policy, err := ParsePolicy(a.program.Plan(), a.Subject, a.Policy, a.Options)
	if err != nil {
		return nil, err
	}
	return policy, decider.addInputs(policy)
}

// newChoices compiles once more what is decided when dice have fallen, as newPolicy does the policy.
func (a *PlayAsker) newChoices() (map[string][]odds.Choice, error) {
	decider, err := newPlayDecider(a.program, a.Subject, &a.Question)
	if err != nil {
		return nil, err
	}
	return decider.choices, nil
}

// follow follows the procedure exactly.
func (a *PlayAsker) follow(ctx context.Context, o *runtime.CourseOptions) (course *runtime.Course, err error) {
	if a.From != nil {
		course, err = a.courses.OddsFrom(ctx, a.play(), a.policy, o)
	} else {
		course, err = a.courses.Odds(ctx, a.Request, a.policy, o)
	}
	if err != nil {
		return nil, a.nameDecision(err)
	}
	return course, nil
}

// Odds returns the distributions of the outputs where the procedure ends, or after so many events
// as the question says.
func (a *PlayAsker) Odds(ctx context.Context) (*Answer, error) {
	names := a.Outputs
	if len(names) == 0 && len(a.options.Formulas) == 0 {
		names = a.courses.OutputType().FieldNames()
	}
	course, err := a.courseOf(ctx, readsOf(names, a.options))
	if err != nil {
		return nil, err
	}
	// A rule finds a joint distribution for each formula by itself, the smallest that it needs. A
	// course is followed once, so that here every formula reads the same one.
	answer, err := odds.NewAnswer([]*odds.Joint{course.Outputs}, names, a.options, nil)
	if err != nil {
		return nil, nameFlag(err, a.options)
	}
	// Fractions that take too much are not known, and the page says so if they are asked for.
	return &Answer{Answer: answer, Exact: a.Exact && course.Outputs.Den != nil, AsksExact: a.Exact, Course: course}, nil
}

// Fight returns how a procedure ends, with the distributions of its outputs there. Outputs that count, such as rounds,
// leave an exact course without a closed form; its ends are then those of the course without outputs.
func (a *PlayAsker) Fight(ctx context.Context) (*Answer, error) {
	answer, err := a.Odds(ctx)
	if err != nil || answer.Course.Solved || answer.Course.Sample != nil {
		return answer, err
	}
	if ends, err := a.Course(ctx); err == nil && ends.Solved {
		answer.Course = ends
	}
	return answer, ctx.Err()
}

// Table answers for every setting of the inputs that are left open: with the outputs that are asked for, else with how the
// procedure ends.
func (a *PlayAsker) Table(ctx context.Context) ([]Row, error) {
	if !a.AsksForOutputs() {
		// How it ends is an output like any other, and the one that fits into a row.
		a.Outputs = []string{runtime.StatusOutput}
	}
	return a.makeTable(ctx, a.OddsAt)
}

// Asked returns the question as it is when nothing is set.
func (a *PlayAsker) Asked() *query.Question { return &a.Question }

// OddsAt answers for a setting.
func (a *PlayAsker) OddsAt(ctx context.Context, s Setting) (*Answer, error) {
	program, q, err := a.at(a.Question, s)
	if err != nil {
		return nil, err
	}
	other := *a
	other.Request = q.Request
	if program != a.program || !maps.Equal(q.Options, a.Options) {
		fresh, err := NewPlayAsker(program, q)
		if err != nil {
			return nil, a.describeError(s, err)
		}
		fresh.Request = q.Request // a play that is gone on from has another one
		other = *fresh
	}
	d, err := other.Odds(ctx)
	if err != nil {
		return nil, a.describeError(s, err)
	}
	return d, nil
}
