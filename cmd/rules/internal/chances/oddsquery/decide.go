package oddsquery

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/argdata"
	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/partial"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// What an event is given under a policy.
//
// --decide EVENT.FIELD: FORMULA says what a field of an event is: over the state, the character, the input and the options
// when it is given beforehand, and over the named values of the event too when the ruleset has it decided once dice have
// fallen. A list is what it may be; then --best says what it is chosen for. The first kind makes inputs of a move, the
// second a choice of package odds.

// An eventField is a field that a formula gives when its event begins.
type eventField struct {
	event, path, text string // text is all of the flag
	valueIn           func(character, input, state []byte) (runtime.Value, error)
	stateFields       []string // that the formula reads
}

// A playDecider reads the fields of a procedure's events that --decide decides.
type playDecider struct {
	program   *runtime.Program
	procedure *runtime.Procedure
	plan      *plan.Procedure
	options   map[string]string
	fields    []*eventField
	choices   map[string][]odds.Choice // decided when dice have fallen, by event
}

// newPlayDecider reads every --decide of a question.
func newPlayDecider(program *runtime.Program, id string, q *query.Question) (*playDecider, error) {
	procedure, err := program.Procedure(id, runtime.Choice{Options: q.Options})
	if err != nil {
		return nil, err
	}
	d := &playDecider{program: program, procedure: procedure, plan: program.Plan().Procedure(id), options: q.Options,
		choices: map[string][]odds.Choice{}}
	for _, text := range q.Decide {
		if err := d.addDecision(text); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// addDecision reads "event.field: formula"; a field that is decided when dice have fallen may stand alone.
func (d *playDecider) addDecision(text string) error {
	head, _, hasFormula := strings.Cut(text, ":")
	if field, value, isSet := strings.Cut(head, "="); isSet && !hasFormula {
		return fmt.Errorf("--decide %s: write --decide \"%s: %s\"", text, field, quoteWord(value))
	}
	name, path, hasPath := strings.Cut(strings.TrimSpace(head), ".")
	if !hasPath {
		return fmt.Errorf("--decide %s: of a procedure it is EVENT.FIELD: FORMULA", text)
	}
	e := d.plan.Event(name)
	if e == nil {
		return fmt.Errorf("--decide %s: %w", text,
			&runtime.UnknownError{What: "event", Name: name, Known: d.plan.EventNames()})
	}
	// A decision of the ruleset may be a whole record, spend; then spend.ep is decided when dice
	// have fallen too.
	isLate := slices.ContainsFunc(e.Graph.Decisions, func(x plan.Decision) bool {
		return path == x.Path || strings.HasPrefix(path, x.Path+".")
	})
	if isLate {
		return d.addChoice(e, text, path, hasFormula)
	}
	return d.addField(e, text, path, hasFormula)
}

// quoteWord returns a value as a formula has it: a word in quotes, any other value as it is.
func quoteWord(value string) string {
	if json.Valid([]byte(value)) || strings.ContainsAny(value, "'[({") {
		return value
	}
	return "'" + value + "'"
}

// formulaOf returns the formula of a decision, FIELD: FORMULA.
func formulaOf(text string) string {
	_, formula, _ := strings.Cut(text, ":")
	return formula
}

// addChoice adds a field that is decided when dice have fallen.
func (d *playDecider) addChoice(e *plan.Event, text, path string, hasFormula bool) error {
	// What a formula may read is all that has a value at the moment of the decision. A name that is
	// known later is refused when the formula is compiled, with the names that can be read.
	known, err := d.procedure.KnownAt(e.ID, path)
	if err != nil {
		return fmt.Errorf("--decide %s: %w", text, err)
	}
	if containsPath(d.choices[e.ID], path) {
		return fmt.Errorf("--decide %s: %s.%s is decided twice", text, e.ID, path)
	}
	c := odds.Choice{Path: path}
	if hasFormula {
		c, err = compileChoice(d.program.Plan(), d.plan.ID, text, path, known, e.Graph.Decisions, []record{
			{"event", plan.EventRoot, e.Input.Type()}, {"state", plan.StateRoot, d.plan.State.Type()},
			{"input", plan.InputRoot, d.plan.Input.Type()},
		})
	}
	d.choices[e.ID] = append(d.choices[e.ID], c)
	return err
}

// addField adds a field that is given when the event begins.
func (d *playDecider) addField(e *plan.Event, text, path string, hasFormula bool) error {
	shape := e.Input.Path(plan.SplitPath(path))
	switch {
	case shape == nil:
		var known []string
		for i := range e.Input.Fields {
			known = appendFields(known, e.Input.Fields[i].Name, e.Input.Fields[i].Shape)
		}
		return fmt.Errorf("--decide %s: the event %s: %w", text, e.ID,
			&runtime.UnknownError{What: "field", Name: path, Known: known})
	// The value that a formula gives is put at one path of a JSON object; a record given as a whole
	// would hide which of its fields were meant.
	case shape.Kind == plan.Record || shape.Kind == plan.List || shape.Kind == plan.Map:
		return fmt.Errorf("--decide %s: decide a number, a bool or a string, field by field", text)
	case !hasFormula:
		return fmt.Errorf("--decide %s: say what it is, or a list of what it may be: '%s: [...]'", text,
			strings.TrimSpace(text))
	case slices.ContainsFunc(d.fields, func(f *eventField) bool { return f.event == e.ID && f.path == path }):
		return fmt.Errorf("--decide %s: %s.%s is decided twice", text, e.ID, path)
	}
	if word := strings.TrimSpace(formulaOf(text)); slices.Contains(shape.Enum, word) {
		return fmt.Errorf("--decide %s: a word stands in quotes: --decide \"%s.%s: '%s'\"", text, e.ID, path, word)
	}
	p := d.program.Plan()
	compiled, valueIn, err := compileOverState(p, d.plan.ID, "--decide", blankBeforeFormula(text),
		playedOptions(p, d.options))
	if err != nil {
		return err
	}
	d.fields = append(d.fields, &eventField{e.ID, path, text, valueIn, compiled.stateFields})
	return nil
}

// allMoves returns the policy that tries every event, with nothing given. Without an order of its
// own it makes sense only under --best, which compares the moves.
func (d *playDecider) allMoves() (out runtime.Policy) {
	for _, name := range d.plan.EventNames() {
		out = append(out, runtime.Move{Event: name})
	}
	return out
}

// addInputs makes the moves of a policy take their inputs from the decisions. It is an error if no move tries the event
// of a decision, which would be ignored in silence.
func (d *playDecider) addInputs(policy runtime.Policy) error {
	tries := func(event string) bool {
		return slices.ContainsFunc(policy, func(m runtime.Move) bool { return m.Event == event })
	}
	for _, f := range d.fields {
		// A decision that no move can use changes nothing, and would be ignored in silence.
		if !tries(f.event) {
			return fmt.Errorf("--decide %s: no --policy tries the event %s", f.text, f.event)
		}
		if err := refuseGivenByPolicy(f.text, f.event, f.path, policy); err != nil {
			return err
		}
	}
	for _, event := range slices.Sorted(maps.Keys(d.choices)) {
		if !tries(event) {
			return fmt.Errorf("--decide %s.%s: no --policy tries the event %s", event, d.choices[event][0].Path, event)
		}
		for _, c := range d.choices[event] {
			if err := refuseGivenByPolicy(event+"."+c.Path, event, c.Path, policy); err != nil {
				return err
			}
		}
	}
	for i := range policy {
		m := &policy[i]
		if choices := d.choices[m.Event]; len(choices) > 0 {
			var err error
			if m.Input, err = withDecided(m.Input, d.plan.Event(m.Event).Input, choices); err != nil {
				return err
			}
		}
		var fields []*eventField
		for _, f := range d.fields {
			if f.event == m.Event {
				fields = append(fields, f)
			}
		}
		if len(fields) > 0 {
			m.Inputs = inputsWith(m.Input, fields)
			m.StateReads = append([]string{}, m.StateReads...)
			for _, f := range fields {
				m.StateReads = append(m.StateReads, f.stateFields...)
			}
		}
	}
	return nil
}

// maxInputs bounds how many inputs of a move are compared in one state. Several lists multiply:
// three fields of 20 values are 8,000 inputs, each of which is followed by itself.
const maxInputs = 10_000

// inputsWith returns a function that makes the possible inputs of an event in a state: every combination of the values
// of its fields there, added to the input of the move. Formulas are evaluated in each state anew, because the amount
// that may be spent depends on the amount that is left.
func inputsWith(given []byte, fields []*eventField) func(character, input, state []byte) ([][]byte, error) {
	return func(character, input, state []byte) ([][]byte, error) {
		rows := []json.RawMessage{jsontext.OrObject(given)}
		for _, f := range fields {
			v, err := f.valueIn(character, input, state)
			if err != nil {
				return nil, fmt.Errorf("--decide %s: %w", f.text, err)
			}
			options := optionsOf(v)
			switch {
			case len(options) == 0:
				return nil, fmt.Errorf("--decide %s: there is nothing to choose from", f.text)
			case len(rows)*len(options) > maxInputs:
				return nil, fmt.Errorf("--decide: more than %d inputs to compare", maxInputs)
			}
			var next []json.RawMessage
			for _, row := range rows {
				for _, o := range options {
					with, err := argdata.PutInto(row, plan.SplitPath(f.path), o.AppendJSON(nil))
					if err != nil {
						return nil, fmt.Errorf("--decide %s: %w", f.text, err)
					}
					next = append(next, with)
				}
			}
			rows = next
		}
		out := make([][]byte, len(rows))
		for i, row := range rows {
			out[i] = row
		}
		return out, nil
	}
}

// nameDecision names, in the error of an event that does not take its input, the flag that gave the field, or how the
// event is given what is missing.
func (a *PlayAsker) nameDecision(err error) error {
	e, isOfEvent := errors.AsType[*runtime.EventInputError](err)
	bad, isOfField := errors.AsType[*runtime.InputError](err)
	if !isOfEvent || !isOfField {
		return err
	}
	for _, f := range a.decided {
		if f.event == e.Event && bad.Path == "."+f.path {
			return fmt.Errorf("--decide %s: %w", f.text, exit.PathOnly(err))
		}
	}
	if bad.IsMissing() {
		field := strings.TrimPrefix(bad.Path, ".")
		advice := fmt.Sprintf("a formula chooses it: --decide '%s.%s: FORMULA'", e.Event, field)
		if example := a.exampleInput(e.Event); example != "" {
			advice = fmt.Sprintf("write --policy '%s %s'; %s", e.Event, example, advice)
		}
		return fmt.Errorf("event %s: %s %s: %s", e.Event, field, bad.Msg, advice)
	}
	return err
}

// exampleInput returns the input of an event as a policy gives it, with a value for each field that is missing; ""
// where none is, or where no move of the policy tries the event.
func (a *PlayAsker) exampleInput(event string) string {
	d := a.program.Plan().Procedure(a.Subject)
	e := slices.IndexFunc(d.Events, func(e plan.Event) bool { return e.ID == event })
	k := slices.IndexFunc(a.policy, func(m runtime.Move) bool { return m.Event == event })
	if e < 0 || k < 0 {
		return ""
	}
	return completeInput(&d.Events[e], a.policy[k].Input, a.Decide)
}

// ExampleMove returns the move of a policy that tries an event, with values for all that it must be given.
func ExampleMove(e *plan.Event) string {
	return strings.TrimSpace(e.ID + " " + completeInput(e, nil, nil))
}

// completeInput returns the input of an event as it is given, with a value for each field that it must have, is not
// given and not decided; "" where none is missing. What is decided stands in the given input as a placeholder, and is
// left out.
func completeInput(e *plan.Event, given json.RawMessage, decide []string) string {
	members, err := jsontext.Members(jsontext.OrObject(given))
	if err != nil {
		return ""
	}
	input, isComplete := json.RawMessage("{}"), true
	for i := range e.Input.Fields {
		m := &e.Input.Fields[i]
		isDecided := func(text string) bool {
			field, _, _ := strings.Cut(text, ":")
			return strings.HasPrefix(strings.TrimSpace(field)+".", e.ID+"."+m.Name+".")
		}
		k := slices.IndexFunc(members, func(x jsontext.Member) bool { return x.Name == m.Name })
		var value json.RawMessage
		switch {
		case slices.ContainsFunc(decide, isDecided):
			continue
		case k >= 0:
			value = members[k].Value
		case m.Optional || m.Default != "":
			continue
		default:
			value, isComplete = partial.AppendPlaceholder(nil, m.Shape), false
		}
		if input, err = argdata.PutInto(input, []string{m.Name}, value); err != nil {
			return ""
		}
	}
	if isComplete {
		return ""
	}
	return strings.ReplaceAll(string(input), `""`, `"..."`) // a name that only its author knows
}

// newAim returns the compiled aim of the moves, over the outputs and the status of a procedure, or nil without --best.
// A condition aims at its probability where the procedure ends, a number at its mean there.
func newAim(names *plan.Plan, id string, q *query.Question) (*runtime.Aim, error) {
	if q.Best == "" {
		return nil, nil
	}
	f, err := compileBest(names, id, q.Best)
	if err != nil {
		return nil, err
	}
	outputs := slices.Clone(f.reads)
	if len(outputs) == 0 {
		return nil, errors.New("--best " + q.Best + ": it reads no output, and so nothing is better than anything else")
	}
	return &runtime.Aim{Outputs: outputs, IsCondition: f.kind == plan.Bool,
		Worth: f.worthIn(func() []string { return outputs })}, nil
}
