package analyse

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// # Trials
//
// Some mistakes no bound tells from what is meant. That the points of a state fall below their least is prevented in most
// games, by a requirement of the event, by a guard, or because no damage is so great; intervals see none of that, and a
// warning that is wrong in nine cases of ten is read by nobody. So such warnings have a witness: rules and procedures are
// tried with records that are made up within their bounds and with dice that are drawn, and what goes wrong in a trial goes
// wrong at a table.
//
//   - A formula that has no value, where nothing else is said of it.
//   - A decision whose default is outside of its bounds: who leaves it out is refused.
//   - A procedure that has ended after every start, where no list is given to it: it is never played.
//   - A next that leaves the bounds of the state or of the character: the event is refused to a player who did nothing
//     wrong.
//
// Invariant: the same plan has the same trials. What no trial meets is not proven; of silence nothing follows.

// Limits of what is tried, counted in evaluations.
const (
	mostTrials = 16 // of a rule, and starts of a procedure
	mostEvents = 40 // after each of them, those that are not offered counted too
)

// A trial is a maker with the character that it made, and the seed of the dice.
type trial struct {
	maker
	sheet []byte // the character
	seed  uint64
}

// runTrials reports what goes wrong when rules and procedures are tried.
func (r *report) runTrials() {
	trials := make([]*trial, mostTrials)
	for i := range trials {
		t := &trial{maker: maker{rng: rand.New(rand.NewPCG(1, uint64(i)))}, seed: uint64(i)}
		t.character = t.fields(r.plan.Character, "", nil)
		t.sheet = encode(t.character)
		trials[i] = t
	}
	program := runtime.New(r.plan)
	for _, b := range r.book.Rules {
		if rule, err := program.Rule(b.ID, runtime.Choice{}); err == nil {
			r.tryRule(rule, b, trials)
		}
	}
	for _, b := range r.book.Procedures {
		if procedure, err := program.Procedure(b.ID, runtime.Choice{}); err == nil {
			r.tryProcedure(procedure, b, trials)
		}
	}
}

// tryRule evaluates a rule whose decisions are left to their defaults.
func (r *report) tryRule(rule *runtime.Rule, b *book.Rule, trials []*trial) {
	for _, t := range trials {
		input := t.record(b.Input, decidedPaths(&b.Body))
		_, err := rule.Eval(runtime.Request{Character: t.sheet, Input: input, Throw: dice.DrawnFrom(t.seed)})
		if r.reportTrial("rule "+b.ID, &b.Body, input, err) {
			return
		}
	}
}

func decidedPaths(b *book.Body) (out []string) {
	for i := range b.Decisions {
		out = append(out, b.Decisions[i].Path)
	}
	return out
}

// tryProcedure plays a procedure with events that are chosen from all. Every other trial favours one of them: where events
// work against each other, a state comes to its bounds by one that happens again and again.
func (r *report) tryProcedure(procedure *runtime.Procedure, b *book.Procedure, trials []*trial) {
	name := "procedure " + b.ID
	ended := map[string]int{} // starts, by the status after them
	for i, t := range trials {
		input := t.record(b.Input, nil)
		play, err := procedure.Start(runtime.Request{Character: t.sheet, Input: input, Throw: dice.DrawnFrom(t.seed)})
		if b.Start != nil {
			if r.reportTrial(name+", start", &b.Start.Body, input, err) {
				return
			}
			r.reportOutside(name+", start", b.Start, input, err)
		}
		if err != nil {
			continue
		}
		ended[play.Status]++
		for range mostEvents {
			if !play.IsOpen() || len(b.Events) == 0 {
				break
			}
			e := b.Events[t.rng.IntN(len(b.Events))]
			if i%2 == 1 && t.rng.IntN(4) > 0 {
				e = b.Events[i/2%len(b.Events)]
			}
			step := runtime.Step{Event: e.ID, Input: t.record(e.Input, decidedPaths(&e.Body))}
			err := play.Do(step, false)
			if r.reportTrial(name+", event "+e.ID, &e.Body, step.Input, err) {
				return
			}
			r.reportOutside(name+", event "+e.ID, &e.Step, step.Input, err)
		}
	}
	if ended[plan.Open] == 0 && !hasList(b.Input) { // who takes part, a list says: sides that are made up are seldom two
		r.reportEnded(b, ended)
	}
}

func hasList(s *plan.Shape) bool {
	return slices.ContainsFunc(s.Fields, func(m plan.Member) bool {
		return m.Shape.Kind == plan.List || m.Shape.Kind == plan.Map || hasList(m.Shape)
	})
}

// reportTrial reports what the error of a trial says of the ruleset. That an input is refused, by a requirement or because
// two of its fields do not fit each other, says nothing. It reports whether a formula has failed: then no other trial is
// needed, and one that has come to a limit of what a value may come to, which has no place, takes long.
func (r *report) reportTrial(subject string, b *book.Body, input []byte, err error) (failed bool) {
	if failure, is := errors.AsType[*runtime.Failure](err); is {
		if at := failure.Site.Place; at.File != "" && !r.diags.HasAt(at) {
			d := r.diags.Addf("trial-failure", at, failure.Site.Name, "this has no value in a trial of %s%s: %s", subject,
				withInput(input), failure.Msg)
			d.Repair = repairOf(failure)
		}
		return true
	}
	refused, is := errors.AsType[*runtime.Refused](err)
	for i := range b.Decisions {
		d := &b.Decisions[i]
		for _, bound := range []*book.Text{&d.Least, &d.Most} {
			if at := bound.At(0); is && bound.S != "" && refused.Require.Place == at && !r.diags.HasAt(at) {
				r.diags.Addf("trial-default", at, subject+", decide "+d.Path, "in a trial%s the default is refused: %s",
					withInput(input), refused.Require.Message).
					Repair = fmt.Sprintf("let the default be what may always be chosen, or give the field none: %s!: int",
					d.Path[strings.LastIndexByte(d.Path, '.')+1:])
			}
		}
	}
	return false
}

// repairOf says what to write in place of a formula that has failed.
func repairOf(failure *runtime.Failure) string {
	if oneTooFar(failure.Msg) {
		return "the first element is [0]: write [x - 1] where x begins with 1"
	}
	key, isAbsent := strings.CutPrefix(failure.Msg, "no such key: ")
	if !isAbsent {
		return requireBefore
	}
	written := "a map may have no " + key + ": write get(%s, %s, 0), or another value without it"
	selected := regexp.MustCompile(`([a-z_][\w.]*)\.` + regexp.QuoteMeta(key) + `\b`)
	if m := selected.FindStringSubmatch(failure.Site.Text); m != nil {
		return fmt.Sprintf(written, m[1], "'"+key+"'")
	}
	if m := keyed().FindStringSubmatch(failure.Site.Text); m != nil {
		return fmt.Sprintf(written, m[1], m[2])
	}
	return requireBefore
}

// keyed is a value of a map of the character by a key that is computed.
var keyed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(character(?:\.\w+)+)\[([^\[\]]+)\]`) })

// oneTooFar reports whether a failure is that of an index which is the size of its list.
func oneTooFar(message string) bool {
	var index, size int
	_, err := fmt.Sscanf(message, "index out of bounds: %d, the list has %d element", &index, &size)
	return err == nil && index == size
}

const requireBefore = "bound what is given, or require before what must be so, with a message for the player"

func withInput(input []byte) string {
	if string(input) == "{}" {
		return ""
	}
	return " with the input " + string(input)
}

// reportOutside reports a next value that is outside of its bounds.
func (r *report) reportOutside(subject string, s *book.Step, input []byte, err error) {
	misfit, is := errors.AsType[*runtime.InputError](err)
	if !is || misfit.Line != 0 {
		return
	}
	path := misfit.Root + misfit.Path
	i := slices.IndexFunc(s.Next, func(n book.Named) bool { return n.Name == path || "state."+n.Name == path })
	if i >= 0 && !r.diags.HasAt(s.Next[i].Place) {
		next := &s.Next[i]
		d := r.diags.Addf("trial-outside", next.Place, subject+", next "+next.Name,
			"in a trial%s %s %s", withInput(input), path, misfit.Msg)
		d.Repair = "hold it within its bounds with max and min; " + requireBefore
		if m := differences().FindStringSubmatch(next.Formula.Expr.S); m != nil {
			d.Repair = fmt.Sprintf("next says the new value, and no difference to the old one: state.%s - %s",
				next.Name, m[1])
		}
	}
}

// differences are formulas that are a number below zero and nothing more.
var differences = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-\s*(\d+)$`) })

// reportEnded reports that a procedure had ended after every start, at the end that held most often.
func (r *report) reportEnded(b *book.Procedure, ended map[string]int) {
	most := 0
	for i := range b.Ends {
		if ended[b.Ends[i].Message] > ended[b.Ends[most].Message] {
			most = i
		}
	}
	if len(b.Ends) == 0 || ended[b.Ends[most].Message] == 0 {
		return
	}
	r.diags.Addf("trial-ended", b.Ends[most].Place, "procedure "+b.ID+", end "+b.Ends[most].Message,
		"this holds as soon as the procedure has started, in all trials: no event can happen").
		Repair = "ends are judged after the start too: say what ends it later, or let the start set another state"
}
