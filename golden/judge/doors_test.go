package judge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/golden/generated"
	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// An inquiry is a question about a rule that is asked through every door of the runtime: whichever is taken, the answer is
// the judge's.
type inquiry struct {
	g                asker
	o                *oracle
	rule             *runtime.Rule
	whole            *runtime.Rule // the same, asked for all of its outputs
	asked            generated.Rule
	character, input []byte
	options          map[string]string
	outputs          []string // those that are asked for; nil for all
}

func (q *inquiry) String() string {
	return fmt.Sprintf("%s %q: character %s input %s options %v", q.asked.ID, q.outputs, q.character, q.input, q.options)
}

func (q *inquiry) judge(t judge.Thrower) (*judge.Sheet, error) {
	return q.o.evaluate(q.asked.ID, q.question(t))
}

func (q *inquiry) question(t judge.Thrower) judge.Question {
	return judge.Question{Character: q.character, Input: q.input, Options: q.options, Outputs: q.outputs, Thrower: t}
}

func (q *inquiry) eval(request runtime.Request) (*runtime.Sheet, error) {
	sheet, failed := q.rule.Eval(request)
	var text []byte
	if failed == nil {
		text = sheet.AppendJSON(nil)
	}
	q.o.hear(text, failed)
	return sheet, failed
}

func (q *inquiry) request(t dice.Throw) runtime.Request {
	return runtime.Request{Character: q.character, Input: q.input, Throw: t}
}

// askDrawn compares faces that are drawn from a seed.
func (q *inquiry) askDrawn() (string, error) {
	seed, record := q.g.Uint64(), uint64(q.g.IntN(3))
	request := q.request(dice.DrawnFrom(seed))
	request.Record = record
	sheet, failed := q.eval(request)
	ours, err := q.judge(judge.DrawFrom(seed, record, 0))
	if err != nil || failed != nil {
		return compareErrors(failed, err)
	}
	return compareSheet(sheet.AppendJSON(nil), ours)
}

// askTraced compares a trace: the outputs and lets that it tells are the judge's.
func (q *inquiry) askTraced(fell []int64) (string, error) {
	request := q.request(dice.Fallen(fell...))
	request.Trace = true
	sheet, failed := q.eval(request)
	ours, err := q.judge(&judge.InOrder{Faces: fell})
	if err != nil || failed != nil {
		return compareErrors(failed, err)
	}
	diff := ""
	var compareSteps func(steps []*trace.Step)
	compareSteps = func(steps []*trace.Step) {
		for _, s := range steps {
			want, isNamed := ours.Named[s.Name]
			if isNamed && s.Kind == trace.Named && s.Of == "rule "+q.asked.ID && s.Failure == "" && diff == "" {
				diff = differ("trace."+s.Name, s.Value.AppendJSON(nil), want)
			}
			compareSteps(s.From)
		}
	}
	compareSteps(sheet.Trace)
	for name := range ours.Output {
		if !slices.ContainsFunc(sheet.Trace, func(s *trace.Step) bool { return s.Name == name }) {
			return "the trace lacks " + name, nil
		}
	}
	text, err := compareSheet(sheet.AppendJSON(nil), ours)
	return joined(text, diff), err
}

// askStepwise lets the rule ask for every face, one after the other.
func (q *inquiry) askStepwise(fell []int64) (string, error) {
	ours, err := q.judge(&judge.InOrder{Faces: fell})
	request := q.request(dice.Throw{})
	if q.g.IntN(3) > 0 {
		request.Accepted = []string{"character", "input"}
	}
	last := 0 // how late what was asked for last is
	var falls []judge.Fall
	if ours != nil {
		falls = ours.Falls
	}
	for {
		reply, failed := q.rule.Ask(request)
		q.o.hear(nil, failed)
		if failed == nil {
			needs, err := json.Marshal(reply.Needs)
			q.o.hear(needs, err)
		}
		if failed != nil || err != nil {
			if err == nil && isOneOf(failed, ours.Undue) {
				return "", nil // to ask for a decision it must know whether there is one, where an evaluation need not
			}
			if err != nil && (failed != nil || reply.Sheet == nil || isMisfit(err) || isFailure(err)) {
				// What is known refuses before more is asked for, no field is asked for that nothing reads, and what fails
				// in a die that nothing reads is not met.
				return "", nil
			}
			return compareErrors(failed, err)
		}
		if reply.Sheet != nil {
			ours.Falls = nil
			return compareSheet(reply.Sheet.AppendJSON(nil), ours)
		}
		need := reply.Needs[0]
		for _, known := range need.Values {
			if diff := q.findUnasked(known.Name); diff != "" {
				return diff, nil
			}
			if want, isNamed := ours.Named[known.Name]; isNamed {
				if diff := differ("known "+known.Name, known.Value.AppendJSON(nil), want); diff != "" {
					return diff, nil
				}
			}
		}
		if need.Kind == ask.Decision {
			if name := findUntold(&need, reply.Dice, ours); name != "" {
				return fmt.Sprintf("it does not tell %s before %s is decided", name, need.Path), nil
			}
			if diff, err := q.compareKnown(request, &need); diff != "" || err != nil {
				return diff, err
			}
		}
		order := lateness(&need)
		switch diff := findEarlyDie(&need, reply.Dice); {
		case q.asked.HasDecision() && diff != "":
			return diff, nil
		case need.Kind == ask.Decision:
			order = last
		case order < last && !q.asked.HasDecision():
			return fmt.Sprintf("it asks for %s%s too late", need.Path, need.Die), nil
		}
		last = order
		var diff string
		if falls, diff, failed = answerNeed(&request, &need, falls); diff != "" || failed != nil {
			return diff, failed
		}
	}
}

// askSeeded lets the rule ask for every face, and each fall as the seed draws it: the sheet is that of an evaluation with the
// seed, also where the input makes a die needless.
func (q *inquiry) askSeeded() (string, error) {
	seed := q.g.Uint64()
	ours, err := q.judge(judge.DrawFrom(seed, 0, 0))
	request := q.request(dice.DrawnFrom(seed))
	request.Accepted = []string{"character", "input"}
	for {
		reply, failed := q.rule.Ask(request)
		q.o.hear(nil, failed)
		switch {
		case err == nil && failed != nil && isOneOf(failed, ours.Undue): // to ask for a decision it must know whether there is one
			return "", nil
		case err != nil && (failed != nil || isMisfit(err)):
			return "", nil // as askStepwise says
		case err != nil && reply.Sheet == nil: // it has not come so far yet
		case err != nil || failed != nil:
			return compareErrors(failed, err)
		case reply.Sheet != nil:
			return compareSheet(reply.Sheet.AppendJSON(nil), ours)
		}
		if need := reply.Needs[0]; need.Kind == ask.Die {
			request.LetFall(&need)
		} else if failed := request.Answer(&need, nil); failed != nil {
			return "", failed
		}
	}
}

// compareKnown compares the lets that are told before a decision with those that are where all outputs are asked for: they are
// the same.
func (q *inquiry) compareKnown(request runtime.Request, need *ask.Need) (string, error) {
	reply, err := q.whole.Ask(request)
	if err != nil || len(reply.Needs) == 0 {
		return "", err
	}
	if reply.Needs[0].Path != need.Path || len(reply.Dice) == 0 {
		return "", nil // other outputs read other fields, and also dice of which none is rolled
	}
	isOutput := func(known ask.NamedValue) bool {
		return slices.ContainsFunc(q.asked.Outputs, func(o generated.Output) bool { return o.Name == known.Name })
	}
	got := fmt.Sprint(slices.DeleteFunc(slices.Clone(need.Values), isOutput))
	if want := fmt.Sprint(slices.DeleteFunc(slices.Clone(reply.Needs[0].Values), isOutput)); got != want {
		return fmt.Sprintf("it tells %s before %s is decided, and %s where all outputs are asked for", got, need.Path, want), nil
	}
	return "", nil
}

// findUntold returns a die after which something is decided, which has fallen and is not told; "" where there is none. What is
// told is a number or a list of numbers.
func findUntold(need *ask.Need, fallen dice.Rolls, ours *judge.Sheet) string {
	if ours == nil {
		return ""
	}
	for _, name := range need.After {
		first := ours.Named[name]
		if list, isList := first.([]any); isList && len(list) > 0 {
			first = list[0]
		}
		_, isNumber := first.(json.Number)
		hasFallen := slices.ContainsFunc(fallen, func(r dice.Roll) bool { return r.ID == name })
		isTold := slices.ContainsFunc(need.Values, func(known ask.NamedValue) bool { return known.Name == name })
		if isNumber && hasFallen && !isTold {
			return name
		}
	}
	return ""
}

// findUnasked says that an output is told which is not asked for.
func (q *inquiry) findUnasked(name string) string {
	isNamed := func(o generated.Output) bool { return o.Name == name }
	if q.outputs == nil || slices.Contains(q.outputs, name) || !slices.ContainsFunc(q.asked.Outputs, isNamed) {
		return ""
	}
	return fmt.Sprintf("output %s is told, and not asked for", name)
}

// findEarlyDie says that a die has fallen before a decision and should not: generated ones are made after their first die,
// which is called before.
func findEarlyDie(need *ask.Need, fallen dice.Rolls) string {
	for _, r := range fallen {
		if need.Kind == ask.Decision && !strings.HasPrefix(r.ID, "before") {
			return fmt.Sprintf("%s has fallen before %s is decided", r.ID, need.Path)
		}
	}
	return ""
}

// answerNeed answers a need with the face that fell for the judge; what need not be given is not. It returns the faces that
// are left.
func answerNeed(request *runtime.Request, need *ask.Need, falls []judge.Fall) (left []judge.Fall, diff string, err error) {
	switch {
	case need.Kind == ask.Decision || need.Kind != ask.Die && !need.Required: // about which the input says nothing
		return falls, "", request.Answer(need, nil)
	case need.Kind != ask.Die:
		return falls, fmt.Sprintf("it asks for the %s %s", need.Kind, need.Path), nil
	}
	i := slices.IndexFunc(falls, func(f judge.Fall) bool { return f.ID == need.Die })
	if i < 0 {
		return falls, fmt.Sprintf("it asks for the die %s, which does not fall", need.Die), nil
	}
	err = request.Answer(need, []byte(fmt.Sprint(falls[i].Face)))
	return slices.Delete(slices.Clone(falls), i, i+1), "", err
}

// playStepwise plays what the judge has played, and lets the procedure ask for every face; fieldwise also for every field of
// the character and of what comes with an event, of which it knows nothing then.
func playStepwise(o *oracle, procedure *runtime.Procedure, id string, q runtime.Request, steps []runtime.Step, ours *judge.Play,
	options map[string]string, fieldwise bool) (string, error) {
	var play *runtime.Play
	var paths []string // of the character, that are asked for
	asked := *ours
	asked.Events = slices.Clone(ours.Events)
	for i := range len(steps) + 1 {
		request := runtime.Request{Character: q.Character, Input: q.Input, Accepted: []string{"character", "input"}}
		given := map[string][]byte{"character": q.Character, "input": q.Input}
		falls := ours.Begun
		if i > 0 {
			request = runtime.Request{Input: steps[i-1].Input, Accepted: []string{"event"}}
			given = map[string][]byte{"event": steps[i-1].Input}
			falls = ours.Events[i-1].Falls
		}
		var whole map[string]any
		if fieldwise {
			var err error
			if whole, err = treesOf(given); err != nil {
				return "", nil //nolint:nilerr // such as has a member twice
			}
			request = runtime.Request{}
		}
		for next := (*runtime.Play)(nil); next == nil; {
			var reply *runtime.PlayReply
			var failed error
			if i == 0 {
				reply, failed = procedure.Ask(request)
			} else {
				reply, failed = play.Ask(steps[i-1].Event, request)
			}
			o.hear(nil, failed)
			if i > 0 && isOneOf(failed, ours.Events[i-1].Undue) {
				return "", nil // as for rules: to ask for a decision it must know whether there is one
			}
			if failed != nil {
				return compareErrors(failed, nil)
			}
			needs, err := json.Marshal(reply.Needs)
			o.hear(needs, err)
			if next = reply.Play; next != nil {
				play = next
				if i == 0 && fieldwise {
					asked.State = playFromSheet(o, id, play, steps, ours, options)
				}
				break
			}
			need, diff := &reply.Needs[0], ""
			if fieldwise && need.Kind != ask.Die {
				if strings.HasPrefix(need.Path, "character") {
					paths = append(paths, need.Path)
				}
				diff, failed = answerField(&request, need, whole)
			} else {
				falls, diff, failed = answerNeed(&request, need, falls)
			}
			if diff != "" || failed != nil {
				return fmt.Sprintf("%s of event %d", diff, i), failed
			}
		}
		if i > 0 { // a die that nothing reads is not asked for
			asked.Events[i-1].Falls = withoutDice(asked.Events[i-1].Falls, falls)
		}
	}
	text := play.AppendJSON(nil)
	if fieldwise { // "values that fit stand in the sheet for fields that nothing reads"
		var sheet struct{ Character json.RawMessage }
		if err := json.Unmarshal(text, &sheet); err != nil {
			return "", err
		}
		filled, err := o.fillCharacter(sheet.Character, options)
		if err != nil {
			return "the program's character: " + err.Error(), nil
		}
		for _, path := range paths {
			diff := differAt(path, partOf(map[string]any{"character": filled}, path),
				partOf(map[string]any{"character": any(ours.Character)}, path))
			if diff != "" {
				return diff, nil
			}
		}
		asked.Character, _ = filled.(map[string]any)
	}
	return comparePlay(o, text, &asked, options)
}

// playFromSheet returns the state to which the judge plays what has begun so: a start may copy a field that nothing reads into
// a state that nothing reads, and both are then what stands in the sheet.
func playFromSheet(o *oracle, id string, begun *runtime.Play, steps []runtime.Step, ours *judge.Play,
	options map[string]string) map[string]any {
	var sheet struct{ Character, Input json.RawMessage }
	if json.Unmarshal(begun.AppendJSON(nil), &sheet) != nil {
		return ours.State
	}
	facesOf := func(falls []judge.Fall) *judge.InOrder {
		faces := &judge.InOrder{}
		for _, f := range falls {
			faces.Faces = append(faces.Faces, f.Face)
		}
		return faces
	}
	q := judge.Question{Character: sheet.Character, Input: sheet.Input, Options: options, Thrower: facesOf(ours.Begun)}
	var events []judge.Happening
	for i, s := range steps {
		events = append(events, judge.Happening{Event: s.Event, Input: s.Input, Thrower: facesOf(ours.Events[i].Falls)})
	}
	play, _, err := o.play(id, q, events)
	if err != nil {
		return ours.State
	}
	return play.State
}

// tracePlay plays what the judge has played and traces it: the play is the same, and each output of an event and each next
// value is told once.
func tracePlay(o *oracle, procedure *runtime.Procedure, q runtime.Request, steps []runtime.Step, ours *judge.Play,
	options map[string]string) (string, error) {
	q.Trace = true
	play, failed := procedure.Play(q, steps...)
	o.hear(nil, failed)
	if failed != nil {
		return compareErrors(failed, nil)
	}
	for i := range play.Events {
		told := map[string]bool{}
		for _, s := range play.Events[i].Trace {
			_, isNext := ours.State[s.Name]
			want, isOutput := ours.Events[i].Output[s.Name]
			if isNext && isOutput {
				told[s.Name] = true // by the one or the other
				continue
			}
			if told[s.Name] {
				return fmt.Sprintf("the trace of event %d tells %s twice", i+1, s.Name), nil
			}
			told[s.Name] = true
			if isOutput && s.Failure == "" {
				if diff := differ("trace."+s.Name, s.Value.AppendJSON(nil), want); diff != "" {
					return diff, nil
				}
			}
		}
		for name := range ours.Events[i].Output {
			if !told[name] {
				return fmt.Sprintf("the trace of event %d lacks %s", i+1, name), nil
			}
		}
	}
	return comparePlay(o, play.AppendJSON(nil), ours, options)
}

// askUnoffered plays all steps but the last, the event of which is not offered then, and asks for that event with nothing of
// what comes with it: the guard is judged first.
func askUnoffered(o *oracle, procedure *runtime.Procedure, q runtime.Request, steps []runtime.Step) (string, error) {
	last := len(steps) - 1
	play, failed := procedure.Play(q, steps[:last]...)
	if failed != nil {
		return fmt.Sprintf("the steps before fail: %v", failed), nil
	}
	_, failed = play.Ask(steps[last].Event, runtime.Request{})
	o.hear(nil, failed)
	return compareErrors(failed, &judge.NotOffered{Event: steps[last].Event})
}

// withoutDice returns falls without those of dice of which a face is left.
func withoutDice(falls, left []judge.Fall) (out []judge.Fall) {
	for _, f := range falls {
		if !slices.ContainsFunc(left, func(l judge.Fall) bool { return l.ID == f.ID }) {
			out = append(out, f)
		}
	}
	return out
}

// askRewritten compares texts that are nearly the question's, or another one's: some mean the same, some mean something else, and
// some are no JSON. Of most only how they are read is compared, which takes the least time.
func (q *inquiry) askRewritten() (string, error) {
	character, input := q.character, q.input
	for range 20 {
		if q.character, q.input = character, input; q.g.IntN(3) == 0 {
			q.character, q.input = q.g.Character(), q.g.Input(q.asked)
		}
		for range 1 + q.g.IntN(4)/3 {
			if q.g.IntN(2) == 0 {
				q.character = q.g.Rewrite(q.character)
			} else {
				q.input = q.g.Rewrite(q.input)
			}
		}
		diff, err := q.compareReading()
		if diff == "" && err == nil && q.g.IntN(4) == 0 {
			diff, err = q.compareThrow()
		}
		if diff != "" || err != nil {
			return diff, err
		}
	}
	return "", nil
}

// compareReading compares whether the character and the input are read, and which field is told where they are not. What a key
// must be is told by who carries the rule out, too.
func (q *inquiry) compareReading() (string, error) {
	err := q.o.fits(q.asked.ID, q.question(nil))
	given := [2][]byte{q.character, q.input} // of which a frame takes an empty one for one that stays as it is
	for i := range given {
		if len(given[i]) == 0 {
			given[i] = []byte("{}")
		}
	}
	failed := q.rule.Frame().Read(given[0], given[1])
	q.o.hear(nil, failed)
	switch {
	case isUnjudged(err):
		return "", nil
	case err == nil && failed != nil:
		return q.compareThrow()
	}
	diff, err := compareErrors(failed, err)
	if diff != "" {
		diff = fmt.Sprintf("read, character %s input %s: %s", q.character, q.input, diff)
	}
	return diff, err
}

// compareThrow compares the answer for dice that fall at random.
func (q *inquiry) compareThrow() (string, error) {
	random := newRandomFaces(q.g)
	ours, err := q.o.evaluate(q.asked.ID, q.question(judge.ThrowerFunc(random.Throw)), random)
	sheet, failed := q.eval(q.request(dice.Fallen(random.fell...)))
	if failed != nil {
		return compareAnswer(nil, failed, ours, err)
	}
	return compareAnswer(sheet.AppendJSON(nil), nil, ours, err)
}

// isOneOf reports whether a failure of the program is of the kind of one of the judge's.
func isOneOf(failed error, ours []error) bool {
	return failed != nil && slices.ContainsFunc(ours, func(err error) bool { return kindOf(err) == kindOf(failed) })
}

// askFieldwise begins with nothing, and answers what the rule asks for with what the question says there: what it does not
// ask for has no part in the answer.
func (q *inquiry) askFieldwise(fell []int64) (string, error) {
	ours, refused := q.judge(&judge.InOrder{Faces: fell})
	if _, isRefusal := errors.AsType[*judge.Refusal](refused); refused != nil && (!isRefusal || q.asked.HasDecision()) {
		return "", nil // what is asked for before a failure or a decision may be more than the judge has come to
	}
	if refused != nil { // as what is known refuses, perhaps before more is asked for
		ours = &judge.Sheet{}
	}
	whole, err := treesOf(map[string][]byte{"character": q.character, "input": q.input})
	if err != nil {
		return "", nil //nolint:nilerr // such as has a member twice
	}
	fields, err := consult(q.o, "the fields of "+q.asked.ID, func(r *judge.Ruleset) (map[string]judge.Described, error) {
		return r.Describe(q.asked.ID), nil
	})
	if err != nil {
		return "", err
	}
	var request runtime.Request
	falls, order := ours.Falls, rand.New(rand.NewPCG(q.g.Uint64(), 0)) // which is of no use for what is asked next
	for {
		reply, failed := q.rule.Ask(request)
		q.o.hear(nil, failed)
		if isOneOf(failed, ours.Undue) {
			return "", nil
		}
		if failed != nil || reply.Sheet != nil && refused != nil {
			return compareErrors(failed, refused)
		}
		if reply.Sheet != nil {
			ours.Falls = nil
			return compareSheet(reply.Sheet.AppendJSON(nil), ours)
		}
		for i := range reply.Needs {
			if diff := differInField(&reply.Needs[i], fields); diff != "" {
				return diff, nil
			}
			if i > 0 && lateness(&reply.Needs[i]) < lateness(&reply.Needs[i-1]) {
				return fmt.Sprintf("it tells of %s too late", reply.Needs[i].Path), nil
			}
		}
		need := &reply.Needs[0]
		var diff string
		if need.Kind != ask.Die {
			if need.Kind == ask.Field { // in whatever order fields are answered
				need = &reply.Needs[order.IntN(len(reply.Needs))]
			}
			if diff, failed = answerField(&request, need, whole); diff != "" || failed != nil {
				return diff, failed
			}
			continue
		}
		if refused != nil {
			return "", nil // nobody says which die the faces that fell are of
		}
		if falls, diff, failed = answerNeed(&request, need, falls); diff != "" || failed != nil {
			return diff, failed
		}
	}
}

// differInField says how what a need tells of a field is not as its definition says.
func differInField(need *ask.Need, fields map[string]judge.Described) string {
	d, isKnown := fields[need.Path]
	if !isKnown || need.Kind != ask.Field {
		return ""
	}
	var words []string
	for _, k := range need.Keys {
		words = append(words, k.Key)
	}
	var told, bounds [4]string
	for i, bound := range []*float64{need.Min, need.Above, need.Max, need.Below} {
		if bound != nil {
			told[i] = fmt.Sprint(*bound)
		}
	}
	for i, bound := range []json.Number{d.Least, d.Above, d.Most, d.Below} {
		if n, err := bound.Float64(); err == nil { // which CUE may write as 1E+6
			bounds[i] = fmt.Sprint(n)
		}
	}
	switch {
	case !slices.Equal(words, d.Words):
		return fmt.Sprintf("%s is one of %q, the judge: of %q", need.Path, words, d.Words)
	case need.Required == d.MayLack:
		return fmt.Sprintf("%s must be given: %t, the judge: %t", need.Path, need.Required, !d.MayLack)
	case d.Default != "" && !isSameDefault(need.Default, d.Default):
		return fmt.Sprintf("%s has the default %s, the judge: %s", need.Path, need.Default, d.Default)
	case d.HasBounds && told != bounds:
		return fmt.Sprintf("%s is bounded by %q, and for the judge by %q", need.Path, told, bounds)
	}
	return ""
}

// isSameDefault compares defaults as what is given is read: of a double 0 is 0.0.
func isSameDefault(theirs json.RawMessage, ours any) bool {
	tree, err := treeOf(theirs)
	return err == nil && differAt("", numbersLike(tree), numbersLike(ours)) == ""
}

// treesOf reads what is given.
func treesOf(given map[string][]byte) (map[string]any, error) {
	whole := map[string]any{}
	for name, text := range given {
		tree, err := treeOf(text)
		if err != nil {
			return nil, err
		}
		whole[name] = tree
	}
	return whole, nil
}

// answerField answers what is asked for with what is given there.
func answerField(request *runtime.Request, need *ask.Need, whole map[string]any) (diff string, err error) {
	var text []byte
	if v := partOf(whole, need.Path); v != nil {
		if text, err = json.Marshal(v); err != nil {
			return "", err
		}
	}
	if failed := request.Answer(need, text); failed != nil {
		diff = fmt.Sprintf("the answer %s to %s: %v", text, need.Path, failed)
	}
	return diff, nil
}

// partOf returns the part of a tree at a path, input.part.of or input.purse["a b"]; nil where there is none.
func partOf(tree any, path string) any {
	for path != "" {
		m, isMap := tree.(map[string]any)
		if !isMap {
			return nil
		}
		name, isQuoted := strings.CutPrefix(path, "[")
		if isQuoted {
			quoted, err := strconv.QuotedPrefix(name)
			if err != nil {
				return nil
			}
			path = strings.TrimPrefix(name[len(quoted):], "]")
			name, _ = strconv.Unquote(quoted)
		} else {
			end := len(path)
			if i := strings.IndexAny(path[1:], ".["); i >= 0 {
				end = i + 1
			}
			name, path = strings.TrimPrefix(path[:end], "."), path[end:]
		}
		tree = m[name]
	}
	return tree
}

// lateness returns when a need is asked for: "the fields of the input before those of the character and all fields before
// the dice".
func lateness(need *ask.Need) int {
	switch {
	case need.Kind == ask.Die:
		return 2
	case strings.HasPrefix(need.Path, "character"):
		return 1
	}
	return 0
}

func isFailure(err error) bool { return strings.HasPrefix(kindOf(err), "failure ") }

func isMisfit(err error) bool { return strings.HasPrefix(kindOf(err), "misfit ") }

// askFrame compares the values that a frame gives without JSON.
func (q *inquiry) askFrame(fell []int64) (string, error) {
	ours, err := q.judge(&judge.InOrder{Faces: fell})
	f := q.rule.Frame()
	var failed error
	if q.g.IntN(2) == 0 || isMisfit(err) && !q.isBeyondOther(err, fell) || !q.setFields(f) {
		f = q.rule.Frame()
		failed = f.Read(q.character, q.input)
	}
	if failed == nil && q.g.IntN(2) == 0 { // and as a record that is kept while the frame has others
		var record *runtime.Record
		if record, failed = f.Keep(); failed == nil {
			if f.Read(q.g.Character(), q.g.Input(q.asked)) == nil {
				f.Run(dice.FromSeed(1, 0, 0))
			}
			f.Set(record)
		}
	}
	if failed == nil && !f.Run(dice.FromList(fell)) {
		failed = f.Err()
	}
	if err != nil || failed != nil {
		return compareErrors(failed, err)
	}
	for _, o := range q.asked.Outputs {
		if slices.Contains([]string{"list", "doubles", "texts", "lists", "map", "row", "results"}, o.Kind) ||
			q.outputs != nil && !slices.Contains(q.outputs, o.Name) {
			continue
		}
		result, err := q.rule.Result(o.Name)
		if err != nil {
			return "", err
		}
		var text []byte
		switch o.Kind {
		case "int":
			text = strconv.AppendInt(nil, f.Int(result), 10)
		case "bool":
			text = strconv.AppendBool(nil, f.Bool(result))
		case "word", "text":
			text = jsonio.TextValue(f.Text(result)).AppendJSON(nil)
		case "double":
			text = jsonio.DoubleValue(f.Double(result)).AppendJSON(nil)
		}
		if diff := differ(o.Name, text, ours.Output[o.Name]); diff != "" {
			return diff, nil
		}
	}
	return "", nil
}

// isBeyondOther reports whether all that does not fit are ints beyond a bound that another field of the character sets.
func (q *inquiry) isBeyondOther(err error, fell []int64) bool {
	m, doesNotFit := errors.AsType[*judge.Misfit](err)
	whole, failed := treesOf(map[string][]byte{"character": q.character, "input": q.input})
	if !doesNotFit || failed != nil || slices.ContainsFunc(m.Paths, func(path string) bool {
		n, isNumber := partOf(whole, path).(json.Number)
		v, err := n.Int64()
		return !isNumber || err != nil || v < 0 || path != "character.worn" && path != "character.belt.full"
	}) {
		return false
	}
	fitting := *q
	fitting.character = []byte(`{"might":3}`)
	_, err = fitting.judge(&judge.InOrder{Faces: fell})
	return !isMisfit(err)
}

// setFields sets all that the question says without JSON, and reports whether that can be: lists, maps and records that may be
// absent are read. What fits has been judged.
func (q *inquiry) setFields(f *runtime.Frame) bool {
	whole, err := treesOf(map[string][]byte{"character": q.character, "input": q.input})
	if err != nil || partOf(whole, "character.might") == nil { // which must be there, though nothing may read it
		return false
	}
	return q.setField(f, "character", whole["character"]) && q.setField(f, "input", whole["input"])
}

func (q *inquiry) setField(f *runtime.Frame, path string, v any) bool {
	if m, isRecord := v.(map[string]any); isRecord {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if !q.setField(f, path+"."+name, m[name]) {
				return false
			}
		}
		return true
	}
	x, err := q.rule.Field(path)
	if err != nil {
		return false
	}
	switch v := v.(type) {
	case bool:
		f.SetBool(x, v)
	case string:
		f.SetText(x, v)
	case json.Number:
		if v == "-0" { // an int or a double, as the schema has it
			return false
		}
		if n, err := v.Int64(); err == nil {
			f.SetInt(x, n)
		} else if d, err := v.Float64(); err == nil {
			f.SetDouble(x, d)
		}
	default:
		return false
	}
	return true
}

// askBatch compares many characters at once, whose faces are drawn from a seed.
func (q *inquiry) askBatch() (string, error) {
	seed := q.g.Uint64()
	batch, failed := q.rule.Batch(runtime.BatchOptions{Input: q.input, Seed: seed, Workers: 1})
	if failed != nil {
		q.character = q.g.Fitting()
		_, err := q.judge(judge.DrawFrom(seed, 0, 0))
		return compareErrors(failed, err)
	}
	characters := make([][]byte, 1+q.g.IntN(12))
	for i := range characters {
		characters[i] = q.g.Character()
	}
	i := 0
	for sheet, failed := range batch.All(slices.Values(characters)) {
		q.character = characters[i]
		q.o.hear(sheet, failed)
		ours, err := q.judge(judge.DrawFrom(seed, uint64(i), 0))
		var diff string
		if err != nil || failed != nil {
			diff, err = compareErrors(failed, err)
		} else {
			diff, err = compareSheet(sheet, ours)
		}
		if diff != "" || err != nil {
			return fmt.Sprintf("record %d, %s: %s", i, q.character, diff), err
		}
		i++
	}
	return "", nil
}

// askBlock compares a few characters that are set without JSON and carried out together.
func (q *inquiry) askBlock() (string, error) {
	seed := q.g.Uint64()
	block, failed := q.rule.Block(seed)
	if errors.Is(failed, runtime.ErrRecordByRecord) {
		return "", nil
	}
	if failed != nil {
		return "", failed
	}
	var added []*judge.Sheet
	var errs []error
	for range 1 + q.g.IntN(12) {
		if q.character = q.g.Character(); q.g.IntN(2) == 0 {
			q.input = q.g.Input(q.asked)
		}
		ours, err := q.judge(judge.DrawFrom(seed, uint64(len(added)), 0))
		if failed = block.Frame().Read(q.character, q.input); failed == nil {
			failed = block.Add()
		}
		if failed != nil {
			if diff, err := compareErrors(failed, err); diff != "" || err != nil {
				return diff, err
			}
			continue
		}
		added, errs = append(added, ours), append(errs, err)
	}
	block.Run()
	for row := range added {
		var text []byte
		failed := block.Err(row)
		if failed == nil {
			var unwritten error
			if text, unwritten = block.AppendJSON(nil, row); unwritten != nil {
				return fmt.Sprintf("row %d tells no error, and is not written: %v", row, unwritten), nil
			}
		}
		q.o.hear(text, failed)
		if diff, err := compareAnswer(text, failed, added[row], errs[row]); diff != "" || err != nil {
			return fmt.Sprintf("row %d: %s", row, diff), err
		}
	}
	return "", nil
}

// askMarginals compares the distribution of each output by itself, as fractions or as decimals.
func (q *inquiry) askMarginals() (string, error) {
	ours, err := q.o.odds(q.asked.ID, q.question(nil), 1_000)
	if isUnjudged(err) {
		return "", err
	}
	exact := q.g.IntN(2) == 0
	asked := &odds.Options{Exact: exact, Quick: !exact && q.g.IntN(2) == 0}
	theirs, failed := q.rule.Odds(context.Background(), q.request(dice.Throw{}), asked)
	q.o.hear(nil, failed)
	if err != nil || failed != nil {
		return compareErrors(failed, err)
	}
	want := map[string]*big.Rat{}
	for _, c := range ours {
		for name, v := range c.Output {
			addTo(want, name+" = "+canonical(v, true), c.P)
		}
		if c.Err != nil {
			addTo(want, endingOf(c.Err), c.P)
		}
	}
	got := map[string]*big.Rat{}
	for _, m := range theirs.Outputs {
		if !asked.Quick { // whose last digits may be off
			q.o.hear(fmt.Sprint(m.Values, m.P, m.N), nil)
		}
		if diff := findDisorder(q.asked.Outputs, m); diff != "" {
			return diff, nil
		}
	}
	if err := addMarginals(got, theirs.Outputs); err != nil {
		return "", err
	}
	if err := addEndings(got, theirs.Endings, theirs.Joint.Den); err != nil {
		return "", err
	}
	return compareFractions(got, want, exact), nil
}

// addMarginals adds the chances of each value of some distributions.
func addMarginals(chances map[string]*big.Rat, list []*odds.Marginal) error {
	for _, m := range list {
		for i, v := range m.Values {
			tree, err := treeOf(v.AppendJSON(nil))
			if err != nil {
				return err
			}
			addTo(chances, m.Name+" = "+canonical(tree, false), fractionOf(m.P[i], numerator(m.N, i), m.Den))
		}
	}
	return nil
}

// askGiven compares the distributions of the outputs, and of whether one is more than 0, where another one is true.
func (q *inquiry) askGiven() (string, error) {
	of := func(kind string) string {
		for _, o := range q.asked.Outputs {
			if o.Kind == kind && (q.outputs == nil || slices.Contains(q.outputs, o.Name)) {
				return o.Name
			}
		}
		return ""
	}
	condition, number := of("bool"), of("int")
	if condition == "" || number == "" {
		return q.askMarginals()
	}
	ours, err := q.o.odds(q.asked.ID, q.question(nil), 1_000)
	if err != nil {
		return "", unjudgedAlone(err)
	}
	const isMore = "is more"
	theirs, failed := q.rule.Odds(context.Background(), q.request(dice.Throw{}), &odds.Options{Exact: true,
		Given: &odds.Formula{Text: condition, Reads: []string{condition}, Value: func(_ []byte, reads []jsonio.Value) (jsonio.Value,
			error) {
			return reads[0], nil
		}},
		Formulas: []odds.Formula{{Text: isMore, Reads: []string{number}, Value: func(_ []byte, reads []jsonio.Value) (jsonio.Value,
			error) {
			return jsonio.BoolValue(reads[0].Int() > 0), nil
		}}}})
	q.o.hear(nil, failed)
	want, all, isWhole := map[string]*big.Rat{}, new(big.Rat), true
	for _, c := range ours {
		if _, isUnfollowed := errors.AsType[*judge.Unfollowed](c.Err); isUnfollowed {
			isWhole = false
		}
		if c.Output[condition] != true {
			continue
		}
		all.Add(all, c.P)
		for name, v := range c.Output {
			addTo(want, name+" = "+canonical(v, true), c.P)
		}
		n, err := c.Output[number].(json.Number).Int64()
		if err != nil {
			return "", err
		}
		addTo(want, fmt.Sprintf("%s = %t", isMore, n > 0), c.P)
	}
	if all.Sign() == 0 || failed != nil {
		if all.Sign() != 0 || !errors.Is(failed, odds.ErrNever) {
			return fmt.Sprintf("%s is true with the chance %v for the judge, and the program says: %v", condition, all, failed), nil
		}
		return "", nil
	}
	for _, p := range want {
		p.Quo(p, all)
	}
	got := map[string]*big.Rat{}
	if err := addMarginals(got, theirs.Outputs); err != nil {
		return "", err
	}
	return compareFractions(got, want, isWhole), nil
}

// findDisorder returns the first value of a distribution that stands before a lesser one: "The words of a choice … go by the
// order in which they are written … other strings go by letters".
func findDisorder(outputs []generated.Output, m *odds.Marginal) string {
	i := slices.IndexFunc(outputs, func(o generated.Output) bool { return o.Name == m.Name })
	if i < 0 {
		return ""
	}
	words := []string{"poor", "fair", "good", "best"}
	isLess := map[string]func(a, b jsonio.Value) bool{
		"int":    func(a, b jsonio.Value) bool { return a.Int() < b.Int() },
		"bool":   func(a, b jsonio.Value) bool { return !a.Bool() && b.Bool() },
		"double": func(a, b jsonio.Value) bool { return a.Double() < b.Double() },
		"text":   func(a, b jsonio.Value) bool { return a.Text() < b.Text() },
		"word":   func(a, b jsonio.Value) bool { return slices.Index(words, a.Text()) < slices.Index(words, b.Text()) },
	}[outputs[i].Kind]
	for k := 1; isLess != nil && k < len(m.Values); k++ {
		if !isLess(m.Values[k-1], m.Values[k]) {
			return fmt.Sprintf("%s stands before %s in the odds of %s", m.Values[k-1], m.Values[k], m.Name)
		}
	}
	return ""
}

func numerator(list []*big.Int, i int) *big.Int {
	if list == nil {
		return nil
	}
	return list[i]
}

func fractionOf(p float64, n, den *big.Int) *big.Rat {
	if n != nil && den != nil {
		return new(big.Rat).SetFrac(n, den)
	}
	return new(big.Rat).SetFloat64(p)
}

func treeOf(text []byte) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// unfollowed is the ending of dice that the judge follows no further, whether anything reads them or not.
const unfollowed = judge.StatusUnfollowed

func endingOf(err error) string {
	if _, isUnfollowed := errors.AsType[*judge.Unfollowed](err); isUnfollowed {
		return unfollowed
	}
	return kindOf(err)
}

// compareFractions says which chance differs first; decimals may differ in their last digits.
func compareFractions(got, want map[string]*big.Rat, exact bool) string {
	exact = exact && want[unfollowed] == nil && got[unfollowed] == nil
	for _, keys := range []map[string]*big.Rat{want, got} {
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			p, q := orZero(got[key]), orZero(want[key])
			a, _ := p.Float64()
			b, _ := q.Float64()
			if exact && p.Cmp(q) != 0 || math.Abs(a-b) > 1e-9 {
				return fmt.Sprintf("the chance of %s is %v, the judge has %v", key, p, q)
			}
		}
	}
	return ""
}

func orZero(p *big.Rat) *big.Rat {
	if p == nil {
		return new(big.Rat)
	}
	return p
}

// askThroughAnotherDoor asks once more in one of the other ways.
func (q *inquiry) askThroughAnotherDoor(fell []int64) (door, diff string, err error) {
	switch q.g.IntN(16) {
	case 14, 15:
		door = "on a condition"
		diff, err = q.askGiven()
	case 13:
		door = "asked, and drawn"
		diff, err = q.askSeeded()
	case 10, 11:
		door = "in a block"
		diff, err = q.askBlock()
	case 7:
		door = "field by field"
		diff, err = q.askFieldwise(fell)
	case 6:
		door = "rewritten"
		diff, err = q.askRewritten()
	case 0:
		door = "drawn"
		diff, err = q.askDrawn()
	case 1:
		door = "traced"
		diff, err = q.askTraced(fell)
	case 2:
		door = "stepwise"
		diff, err = q.askStepwise(fell)
	case 3, 12:
		door = "in a frame"
		diff, err = q.askFrame(fell)
	case 4, 8, 9: // which is carried out column by column, as nothing else is
		door = "in a batch"
		diff, err = q.askBatch()
	default:
		door = "marginals"
		diff, err = q.askMarginals()
	}
	return door, diff, err
}

// An asksCourses is a procedure, or one that is prepared for many courses and remembers what it was asked before.
type asksCourses interface {
	Odds(context.Context, runtime.Request, runtime.Policy, *runtime.CourseOptions) (*runtime.Course, error)
}

// compareCourse compares the chances of the ends of a procedure after a few events, and of all that it comes to.
func compareCourse(o *oracle, fresh, prepared asksCourses, id string, q runtime.Request, options map[string]string,
	moves []judge.Move, events int) (string, error) {
	situations, err := o.course(id, judge.Question{Character: q.Character, Input: q.Input, Options: options}, moves, events, 400)
	if isUnjudged(err) {
		return "", err
	}
	want := chancesOfSituations(situations)
	policy := policyOf(moves)
	for i, budget := range budgets {
		asked := prepared
		if i == 1 {
			asked = fresh
		}
		diff, err := compareCourseWithin(o, asked, q, policy, &runtime.CourseOptions{Most: events, Exact: true, Budget: budget},
			want, err)
		if diff != "" || err != nil {
			return diff, err
		}
	}
	if err != nil {
		return "", nil // which is the program's error too
	}
	course, failed := prepared.Odds(context.Background(), q, policy, &runtime.CourseOptions{Most: events})
	if failed != nil {
		return compareErrors(failed, nil)
	}
	got := map[string]*big.Rat{}
	for _, e := range course.Ends {
		addTo(got, e.Status, new(big.Rat).SetFloat64(e.P))
	}
	if course.Open > 0 {
		addTo(got, runtime.StatusOpen, new(big.Rat).SetFloat64(course.Open))
	}
	if diff := compareFractions(got, want, false); diff != "" {
		return "in decimals, " + diff, nil
	}
	diff, err := compareSituations(o, prepared, q, options, policy, events, situations)
	for _, isSituation := range []bool{false, true} {
		if diff == "" && err == nil {
			diff, err = compareResults(o, prepared, q, policy, events, isSituation, situations)
		}
	}
	return diff, err
}

func policyOf(moves []judge.Move) (out runtime.Policy) {
	for _, m := range moves {
		out = append(out, runtime.Move{Event: m.Event, Input: m.Input})
	}
	return out
}

// compareSituations compares the chances of the states, and of the characters where they change, behind so many events.
func compareSituations(o *oracle, procedure asksCourses, q runtime.Request, options map[string]string,
	policy runtime.Policy, events int, situations []judge.Situation) (string, error) {
	course, failed := procedure.Odds(context.Background(), q, policy, &runtime.CourseOptions{After: events, Most: events,
		Exact: true})
	o.hear(nil, failed)
	if failed != nil {
		return compareErrors(failed, nil)
	}
	got, want := map[string]*big.Rat{}, map[string]*big.Rat{}
	changes := false
	for _, s := range course.After {
		changes = changes || s.Character != ""
		var state, character any
		if s.State != "" {
			var err error
			if state, err = treeOf([]byte(s.State)); err != nil {
				return "", err
			}
		}
		if s.Character != "" && s.Status != judge.StatusOutgrown {
			var err error
			if character, err = o.fillCharacter([]byte(s.Character), options); err != nil {
				return "the program's character: " + err.Error(), nil
			}
		}
		addTo(got, situationText(s.Status, state, character), s.N)
	}
	o.hear(chancesText(got), nil)
	for _, s := range situations {
		var state, character any
		if s.State != nil {
			state = s.State
		}
		if s.Character != nil && changes {
			character = s.Character
		}
		addTo(want, situationText(s.Status, state, character), s.P)
	}
	return compareFractions(got, want, true), nil
}

// compareResults compares the joint distribution of the outputs of a procedure where it has ended, or with isSituation behind
// so many events.
func compareResults(o *oracle, procedure asksCourses, q runtime.Request, policy runtime.Policy, events int,
	isSituation bool, situations []judge.Situation) (string, error) {
	asked := &runtime.CourseOptions{Most: events, Exact: true}
	if isSituation {
		asked.After = events
	}
	for _, s := range situations {
		if s.Output != nil {
			asked.Outputs = slices.Sorted(maps.Keys(s.Output))
		}
	}
	if asked.Outputs == nil {
		return "", nil
	}
	course, failed := procedure.Odds(context.Background(), q, policy, asked)
	o.hear(nil, failed)
	if failed != nil {
		return compareErrors(failed, nil)
	}
	got, want := map[string]*big.Rat{}, map[string]*big.Rat{}
	if err := addOutcomes(got, course.Outputs); err != nil {
		return "", err
	}
	for _, e := range course.Outputs.Endings() {
		status := ""
		if e.Kind == odds.Unfollowed {
			status = unfollowed
		}
		addTo(got, withoutOutputs(status), fractionOf(e.P, e.N, course.Outputs.Den))
	}
	o.hear(chancesText(got), nil)
	for _, s := range situations {
		if s.Output == nil || s.Status == judge.StatusOpen && !isSituation {
			addTo(want, withoutOutputs(s.Status), s.P)
		} else {
			addTo(want, canonicalOutputs(s.Output, true), s.P)
		}
	}
	return compareFractions(got, want, true), nil
}

// withoutOutputs tells dice that are followed no further from the other endings.
func withoutOutputs(status string) string {
	if status == unfollowed {
		return unfollowed
	}
	return "no outputs"
}

// situationText writes what a course has come to so that equal situations are equal texts. What has outgrown its fields is no
// state.
func situationText(status string, state, character any) string {
	if state == nil || status == judge.StatusOutgrown {
		return status
	}
	return fmt.Sprintf("%s, state %s, character %s", status, canonical(state, true), canonical(character, true))
}

// chancesOfSituations returns the judge's chances of the ends of a course.
func chancesOfSituations(list []judge.Situation) map[string]*big.Rat {
	chances := map[string]*big.Rat{}
	for _, s := range list {
		addTo(chances, s.Status, s.P)
	}
	return chances
}

// compareCourseWithin compares a course with the judge's chances, or with the judge's error.
func compareCourseWithin(o *oracle, procedure asksCourses, q runtime.Request, policy runtime.Policy,
	asked *runtime.CourseOptions, want map[string]*big.Rat, err error) (string, error) {
	if asked.Budget > 0 {
		o = o.unheard()
	}
	course, failed := procedure.Odds(context.Background(), q, policy, asked)
	if _, isTooMuch := errors.AsType[*odds.BudgetError](failed); isTooMuch && asked.Budget > 0 {
		o.noteWork(tooMuch)
		return "", nil
	}
	o.hear(nil, failed)
	if failed == nil {
		o.noteWork(int64(course.States))
	}
	if err != nil || failed != nil {
		m, isMisfit := errors.AsType[*judge.Misfit](err)
		isGiven := isMisfit && !strings.HasPrefix(m.Paths[0], "state") && !strings.HasPrefix(m.Paths[0], "event")
		if err == nil || failed == nil || isGiven { // what is given is read first; of other errors the one met first is told
			return compareErrors(failed, err)
		}
		return "", &judge.Unjudged{Why: "a course with an error"}
	}
	got := chancesOfCourse(course)
	o.hear(chancesText(got), nil)
	return compareFractions(got, want, true), nil
}

// chancesOfCourse returns the chances of the ends of a course.
func chancesOfCourse(c *runtime.Course) map[string]*big.Rat {
	chances := map[string]*big.Rat{}
	for _, e := range c.Ends {
		addTo(chances, e.Status, e.N)
	}
	if c.OpenN != nil && c.OpenN.Sign() > 0 {
		addTo(chances, runtime.StatusOpen, c.OpenN)
	}
	return chances
}
