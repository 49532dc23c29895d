package golden

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/phrase"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The odds of a procedure.
//
// A procedure has odds when something says which event comes next. The headers "policy" of a case
// do, in the words of the command line: the first event that is offered happens, with the input
// that stands behind its name. A condition on the state, which the command line takes after a
// colon, would have to be compiled, and this package plays cases without a compiler. Events are
// offered under conditions of their own, so that few policies need more.

// readMove reads "EVENT", "EVENT INPUT" or "EVENT NAME=VALUE" (package phrase).
func (p *parser) readMove(value string) error {
	m, err := phrase.SplitMove(value)
	if err != nil {
		return fmt.Errorf("policy %s: the input of the event is no JSON: %w", m.Event, err)
	}
	if m.Input != nil {
		if _, err := jsontree.ReadTree(m.Input); err != nil {
			return fmt.Errorf("policy %s: the input of the event: %w", m.Event, err)
		}
	}
	switch {
	case strings.HasPrefix(m.Rest, ":"):
		return fmt.Errorf("policy %s: a case takes no condition after the event, as the command line does: "+
			"the first event that is offered happens", m.Event)
	case m.Event == "" || m.Rest != "" && m.Input == nil && m.Sets == nil:
		return fmt.Errorf("policy %q: it is EVENT or EVENT INPUT, an object", value)
	case m.Rest != "":
		return fmt.Errorf("policy %s: after the input stands %q: it is EVENT or EVENT INPUT", m.Event, m.Rest)
	}
	p.c.Policy = append(p.c.Policy, Move{Phrase: m, line: p.line})
	return nil
}

// checkPolicy notes where the case names a procedure, an event or an end that there is not. A misspelt end would else be
// an end that never comes.
func (r *Result) checkPolicy(program *runtime.Program) bool {
	c := r.Case
	d := program.Plan().Procedure(c.Subject)
	switch {
	case d == nil && slices.Contains(program.RuleNames(), c.Subject):
		r.addAtLine(c.Policy[0].line, fmt.Errorf("%s is a rule: only procedures are played under a policy", c.Subject))
		return false
	case d == nil:
		r.addProblem("", &runtime.UnknownError{What: "procedure", Name: c.Subject, Known: program.ProcedureNames()})
		return false
	}
	events := d.EventNames()
	for _, m := range c.Policy {
		if !slices.Contains(events, m.Event) {
			r.addAtLine(m.line, &runtime.UnknownError{What: "event", Name: m.Event, Known: events})
		}
	}
	if ends := c.want.Get("ends"); ends != nil && ends.Kind == jsontree.Object {
		known := listStatuses(d)
		for i, name := range ends.Names {
			if !slices.Contains(known, name) {
				err := runtime.UnknownError{What: "end", Name: name, Known: known}
				r.failAt("want.json", ends.Items[i].From, "%v", &err)
			}
		}
	}
	return r.Passed()
}

func (r *Result) addAtLine(line int, err error) {
	r.Problems = append(r.Problems, Problem{Line: line, Msg: err.Error()})
}

// listStatuses returns the ends of a procedure, and those in which it may stop or go on without one.
func listStatuses(d *plan.Procedure) []string {
	return append(slices.Clone(d.Ends), runtime.StatusRefused, runtime.StatusStuck, runtime.StatusEndless,
		runtime.StatusOutgrown)
}

// playedProbabilities are the odds of a procedure, in the JSON that cases expect.
type playedProbabilities struct {
	*odds.Probabilities                    // of the outputs, and of the status among them, where it ends
	Ends                map[string]float64 `json:"ends"`
	// Because tells of the ends refused and stuck how likely each reason is.
	Because    map[string]map[string]float64 `json:"because"`
	Open       float64                       `json:"open"`                  // it goes on after all followed events
	MeanEvents *float64                      `json:"mean_events,omitempty"` // until it ends; nil where that is not known
}

// playedOdds returns the chances of every end of a case's procedure under its policy, 0 of one that never comes, the mean
// number of events until then and, when the case names them, the distributions and the means of outputs.
//
// Only outputs that are named are asked for: one that counts events, such as the time that has
// passed, has no end of values, and then there would be no closed form for anything.
func playedOdds(program *runtime.Program, c *Case, q runtime.Request, budget int64) (*playedProbabilities, error) {
	procedure, err := program.Procedure(c.Subject, runtime.Choice{Options: c.Options})
	if err != nil {
		return nil, err
	}
	courses, err := procedure.PrepareOdds(nil, false)
	if err != nil {
		return nil, err
	}
	var policy runtime.Policy
	for _, m := range c.Policy {
		move := runtime.Move{Event: m.Event}
		if e := program.Plan().Procedure(c.Subject).Event(m.Event); e != nil {
			if move.Input, err = m.InputFor(e.Input); err != nil {
				return nil, fmt.Errorf("policy %s: %w", m.Event, err)
			}
		}
		policy = append(policy, move)
	}
	o := runtime.CourseOptions{Outputs: wantedOutputs(c.want), Exact: true, Budget: budget}
	for _, name := range o.Outputs {
		known := courses.OutputType().FieldNames()
		if !slices.Contains(known, name) {
			return nil, &runtime.UnknownError{What: "output", Name: name, Known: known}
		}
	}
	course, err := courses.Odds(context.Background(), q, policy, &o)
	if err != nil {
		return nil, err
	}
	out := &playedProbabilities{Probabilities: &odds.Probabilities{}, Ends: map[string]float64{}, Open: course.Open,
		Because: map[string]map[string]float64{runtime.StatusRefused: {}, runtime.StatusStuck: {}}}
	// What is open beyond the last digit of a sum near 1 leaves the mean a bound.
	if rounding := 1e-15; course.Open < rounding && !math.IsInf(course.Mean, 1) {
		out.MeanEvents = &course.Mean
	}
	if course.Outputs != nil {
		out.Probabilities = course.Outputs.Probabilities()
	}
	for _, name := range listStatuses(program.Plan().Procedure(c.Subject)) {
		out.Ends[name] = 0
	}
	for _, e := range course.Ends {
		out.Ends[e.Status] += e.P
		if e.Status == runtime.StatusRefused && course.Outputs == nil { // else it is an ending of the outputs
			out.Refused += e.P
		}
		if len(e.Because) > 0 {
			out.Because[e.Status][e.Why()] = e.P
		}
	}
	return out, nil
}

// wantedOutputs returns the outputs of which a case states the distribution or the mean, each once.
func wantedOutputs(want *jsontree.Tree) (out []string) {
	for _, part := range []string{"odds", "mean"} {
		if t := want.Get(part); t != nil {
			for _, name := range t.Names {
				if !slices.Contains(out, name) {
					out = append(out, name)
				}
			}
		}
	}
	return out
}
