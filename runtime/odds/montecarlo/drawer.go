package montecarlo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/closing"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A drawer draws one play after the other, in frames that it keeps. It serves one goroutine.
type drawer struct {
	*Process
	run     *Run
	policy  markov.Policy
	steps   []int                    // of each move, the number of its event
	inputs  []map[string]*eventInput // of each move, by their texts
	start   *stage
	events  [][2]*stage // of each event two, so that trying it again leaves the frame of the state as it is
	choices [][]*choice // of each event, in the order in which they are made
	guards  *markov.Guards
	judge   *closing.Judge
	source  *dice.Seeded
	counts  *counts

	schemas      [plan.NumRoots]*jsonio.Schema
	fixedRecords [plan.NumRoots]*jsonio.Packed // records that are the same in every state
	beginning    [2]*jsonio.Packed             // the state and the character from which plays go on, or nil
	// Of the play that is being drawn.
	state     [2]*jsonio.Packed // the state, and the character when the procedure changes it
	lastStage *stage            // whose frame has them, too; nil where none has
	texts     [2][]byte         // of them, in JSON; empty until somebody asks
}

// A stage is a step of the procedure with its frame.
type stage struct {
	code    *schedule.Code
	graph   *plan.Graph
	frame   *vm.Frame
	packers [2]*jsonio.Packer // of the next state and the next character; nil where only JSON will do
	next    [2]vm.Location
	mark    vm.Mark // behind the records that are the same in every state
}

// changingRoots are the roots of what a step changes, in the order of Graph.Next.
var changingRoots = [2]plan.Root{plan.StateRoot, plan.CharacterRoot}

// newDrawer prepares the frames of a procedure for one goroutine.
func newDrawer(p *Process, r *Run, policy markov.Policy) (*drawer, error) {
	d := &drawer{Process: p, run: r, policy: policy, judge: p.Closing.NewJudge(), counts: newCounts(),
		guards: markov.NewGuards(p.Image, p.Plan, p.Options), source: dice.FromSeed(r.Seed, 0, 0),
		inputs: make([]map[string]*eventInput, len(policy)),
		state:  [2]*jsonio.Packed{{}, {}}}
	d.schemas[plan.CharacterRoot] = jsonio.NewRootSchema(p.Image, plan.CharacterRoot, p.Image.Plan().Character)
	d.schemas[plan.InputRoot] = jsonio.NewRootSchema(p.Image, plan.InputRoot, p.Plan.Input)
	d.schemas[plan.StateRoot] = jsonio.NewRootSchema(p.Image, plan.StateRoot, p.Plan.State)
	for _, root := range [...]plan.Root{plan.CharacterRoot, plan.InputRoot} {
		packed, err := jsonio.Pack(p.Image, d.schemas[root], orEmpty(r.Question.Records[root]))
		if err != nil {
			return nil, err
		}
		d.fixedRecords[root] = packed
	}
	d.judge.Fix(d.writeFixed)
	if r.Begun >= 0 {
		for i := range d.numChanging() {
			packed, err := jsonio.Pack(p.Image, d.schemas[changingRoots[i]], orEmpty(r.Question.Records[changingRoots[i]]))
			if err != nil {
				return nil, err
			}
			d.beginning[i] = packed
		}
	}
	d.start = d.newStage(p.Start, &p.Plan.Start, true)
	for k, code := range p.Events {
		g := &p.Plan.Events[k].Graph
		d.events = append(d.events, [2]*stage{d.newStage(code, g, !p.Plan.Changes), d.newStage(code, g, !p.Plan.Changes)})
	}
	for _, m := range policy {
		at := slices.Index(p.Plan.EventNames(), m.Event)
		if at < 0 {
			return nil, &plan.UnknownError{What: "event", Name: m.Event, Known: p.Plan.EventNames()}
		}
		d.steps = append(d.steps, at)
	}
	return d, nil
}

// newStage makes the frame of a step and puts the records into it that do not change: the input, and the character if it
// stays as it is until then.
func (d *drawer) newStage(code *schedule.Code, g *plan.Graph, keepsCharacter bool) *stage {
	s := &stage{code: code, graph: g, frame: vm.NewFrame(d.Image, code)}
	for i := range d.numChanging() {
		s.next[i] = vm.LocateIn(code, &g.Next[i])
		s.packers[i] = jsonio.NewPacker(d.Image, d.schemas[changingRoots[i]], s.next[i])
	}
	d.loadRecord(s, plan.InputRoot, d.fixedRecords[plan.InputRoot])
	if keepsCharacter {
		d.loadRecord(s, plan.CharacterRoot, d.fixedRecords[plan.CharacterRoot])
	}
	s.mark = s.frame.Mark()
	return s
}

// numChanging returns the number of records that the steps change: the first of changingRoots.
func (d *drawer) numChanging() int {
	if d.Plan.Changes {
		return 2
	}
	return 1
}

func (d *drawer) loadRecord(s *stage, root plan.Root, p *jsonio.Packed) {
	p.Load(s.frame, s.frame.Slots()[s.code.Base[root]:])
}

// drawPlays draws the plays from a number up to another. Where one fails, it returns that.
func (d *drawer) drawPlays(ctx context.Context, from, to int) (failed int, err error) {
	for n := from; n < to; n++ {
		if err := d.drawPlay(ctx, uint64(n)); err != nil {
			return n, err
		}
	}
	return 0, nil
}

// drawPlay draws a play and counts how it ends. A context that ends meanwhile leaves it uncounted.
func (d *drawer) drawPlay(ctx context.Context, n uint64) error {
	status, err := d.beginPlay(n)
	return d.followPlay(ctx, n, status, 0, err)
}

// followPlay draws a play to its end from the state in which the drawer is, after so many events, and counts how it
// ends. err is that of its beginning.
func (d *drawer) followPlay(ctx context.Context, n uint64, status string, events int, err error) error {
	if r, is := errors.AsType[*vm.Refused](err); is {
		d.counts.addEnd(n, markov.Refused, []markov.Hindrance{requirementHindrance("", r)}, 0)
		return nil
	}
	if err != nil {
		return err
	}
	for ; ; events++ {
		switch {
		case status != plan.Open:
			d.counts.addEnd(n, status, nil, events)
			return d.countOutputs(status)
		case events%eventsBetweenLooks == 0 && ctx.Err() != nil:
			return context.Cause(ctx)
		}
		var hindrances []markov.Hindrance
		isRefused := false
		if events == d.run.Most { // what an event would do that is not followed has no part in the answer
			hindrances, isOffered, err := d.judgeOffers()
			switch {
			case err != nil:
				return err
			case isOffered:
				d.counts.openPlays++
				return nil
			}
			d.counts.addEnd(n, markov.Stuck, hindrances, events)
			return d.countOutputs(markov.Stuck)
		}
		if status, hindrances, isRefused, err = d.makeMove(n, uint64(max(d.run.Begun, 0)+events)+1); err != nil {
			return err
		}
		switch {
		case status == markov.Stuck:
			d.counts.addEnd(n, status, hindrances, events)
			return d.countOutputs(status)
		case isRefused:
			d.counts.addEnd(n, markov.Refused, hindrances, events+1)
			return nil
		case status == markov.Outgrown:
			d.counts.addEnd(n, status, nil, events+1)
			return nil
		}
	}
}

// beginPlay starts a play, or puts it where it goes on from, and returns its status.
func (d *drawer) beginPlay(play uint64) (status string, err error) {
	if d.run.Begun < 0 {
		d.source.Reset(d.run.Seed, play, 0)
		d.start.frame.ResetTo(d.start.mark)
		return d.takeStep(d.start)
	}
	for i := range d.numChanging() {
		d.state[i].CopyFrom(d.beginning[i])
		d.texts[i] = append(d.texts[i][:0], orEmpty(d.run.Question.Records[changingRoots[i]])...)
	}
	return d.judge.JudgeFixed(d.writeChanged)
}

// makeMove makes the first move of the policy that can happen, and returns the status after it. Without one it is
// stuck, for the hindrances of all moves.
func (d *drawer) makeMove(play, event uint64) (status string, hindrances []markov.Hindrance, isRefused bool, err error) {
	for k := range d.policy {
		m := &d.policy[k]
		input, err := d.inputOf(k)
		if err != nil {
			why, err := d.judgeGuard(m.Event, err)
			if why == nil {
				return "", nil, false, err
			}
			hindrances = append(hindrances, *why)
			continue
		}
		if input == nil {
			hindrances = append(hindrances, *m.Unallowed())
			continue
		}
		s := d.spareStage(d.steps[k])
		s.frame.ResetTo(s.mark)
		for i := range d.numChanging() {
			d.loadRecord(s, changingRoots[i], d.state[i])
		}
		d.loadRecord(s, plan.EventRoot, input.packed)
		undecided := d.decideFields(d.steps[k], s, input, play, event)
		d.source.Reset(d.run.Seed, play, event)
		status, err := d.takeStep(s)
		if r, is := errors.AsType[*vm.Refused](err); is {
			if r.Require.Message == "" {
				hindrances = append(hindrances, *d.guards.NotOffered(m.Event, r.Require.Cite))
				continue
			}
			return "", []markov.Hindrance{requirementHindrance(m.Event, r)}, true, nil
		}
		if undecided != nil {
			err = undecided
		}
		if err != nil {
			err = fmt.Errorf("event %s: %w", m.Event, err)
		}
		return status, nil, false, err
	}
	return markov.Stuck, hindrances, false, nil
}

// judgeOffers reports whether any move of the policy can be made now, and returns the hindrances of the moves before it, or
// of all moves.
func (d *drawer) judgeOffers() (hindrances []markov.Hindrance, isOffered bool, err error) {
	for k := range d.policy {
		why, err := d.hindranceBefore(k)
		if err != nil || why == nil {
			return hindrances, true, err
		}
		hindrances = append(hindrances, *why)
	}
	return hindrances, false, nil
}

// hindranceBefore returns the hindrance of a move now, whatever comes with its event: the guard of the policy, or
// that of the event. It is nil where neither does.
func (d *drawer) hindranceBefore(k int) (*markov.Hindrance, error) {
	m := &d.policy[k]
	holds, failed := d.isAllowed(m)
	if failed == nil && !holds {
		return m.Unallowed(), nil
	}
	return d.judgeGuard(m.Event, failed)
}

// judgeGuard judges the guard of an event now, as markov.Guards.Judge does.
func (d *drawer) judgeGuard(event string, failed error) (*markov.Hindrance, error) {
	return d.guards.Judge(event, failed, func(f *vm.Frame, base func(plan.Root) int) {
		d.writeFixed(f, base)
		d.writeChanged(f, base)
	})
}

// isAllowed reports whether the guard of the policy lets a move be made now.
func (d *drawer) isAllowed(m *markov.Move) (bool, error) {
	if m.Guard == nil {
		return true, nil
	}
	character, state, err := d.recordsJSON()
	if err != nil {
		return false, err
	}
	return m.Guard(character, d.run.Question.Records[plan.InputRoot], state)
}

// spareStage returns a stage of an event whose frame does not have the state: an event that is refused writes into its
// frame, and the state may still be read from there.
func (d *drawer) spareStage(event int) *stage {
	if s := d.events[event][0]; s != d.lastStage {
		return s
	}
	return d.events[event][1]
}

// takeStep carries out the step of a stage, and judges the records that it has changed.
func (d *drawer) takeStep(s *stage) (status string, err error) {
	if err := vm.Evaluate(s.frame, s.code, s.graph, d.source); err != nil {
		return "", err
	}
	d.lastStage = s
	for i := range d.numChanging() {
		d.texts[i] = d.texts[i][:0]
		if s.packers[i] != nil && s.packers[i].Pack(s.frame, d.state[i]) {
			continue
		}
		if err := d.writeText(i); err != nil {
			return "", err
		}
		packed, err := jsonio.Pack(d.Image, d.schemas[changingRoots[i]], d.texts[i])
		if err != nil && d.Closing.IsOutgrown(err) && s != d.start {
			return markov.Outgrown, nil
		}
		if err != nil {
			return "", d.computedMisfit(i, err)
		}
		d.state[i] = packed
	}
	status, err = d.judge.JudgeFixed(d.writeChanged)
	if err != nil && d.Closing.IsOutgrown(err) && s != d.start {
		return markov.Outgrown, nil
	}
	return status, err
}

// computedMisfit returns the error of a record that does not fit its declaration by the procedure, as a play has it.
func (d *drawer) computedMisfit(i int, err error) error {
	misfit, isMisfit := errors.AsType[*jsonio.InputError](err)
	if !isMisfit {
		return err
	}
	value, fault := jsonio.ReadValue(d.lastStage.frame, &d.lastStage.next[i], d.lastStage.frame.View())
	if fault != 0 {
		return vm.FailureOf(d.lastStage.frame, d.lastStage.graph, fault)
	}
	return misfit.AsComputed(value)
}

// writeFixed puts the records that do not change into a frame.
func (d *drawer) writeFixed(f *vm.Frame, base func(plan.Root) int) {
	d.fixedRecords[plan.InputRoot].Load(f, f.Slots()[base(plan.InputRoot):])
	if !d.Plan.Changes {
		d.fixedRecords[plan.CharacterRoot].Load(f, f.Slots()[base(plan.CharacterRoot):])
	}
}

// writeChanged puts the records that steps change into a frame.
func (d *drawer) writeChanged(f *vm.Frame, base func(plan.Root) int) {
	for i := range d.numChanging() {
		d.state[i].Load(f, f.Slots()[base(changingRoots[i]):])
	}
}

// writeText writes a record that a step changes in JSON, from the frame in which it happened.
func (d *drawer) writeText(i int) error {
	if d.lastStage == nil {
		d.texts[i] = d.state[i].AppendJSON(d.texts[i][:0], d.Image, d.schemas[changingRoots[i]])
		return nil
	}
	e := jsonio.NewEncoder(d.texts[i][:0])
	f := d.lastStage.frame
	if fault := vm.Walk(f, &d.lastStage.next[i], f.View(), e); fault != 0 {
		return vm.FailureOf(f, d.lastStage.graph, fault)
	}
	d.texts[i] = e.Bytes()
	return nil
}

// recordsJSON returns the character and the state as they are now, in JSON.
func (d *drawer) recordsJSON() (character, state []byte, err error) {
	for i := range d.numChanging() {
		if len(d.texts[i]) == 0 {
			if err := d.writeText(i); err != nil {
				return nil, nil, err
			}
		}
	}
	if character = d.run.Question.Records[plan.CharacterRoot]; d.Plan.Changes {
		character = d.texts[1]
	}
	return character, d.texts[0], nil
}

// An eventInput is the input of an event.
type eventInput struct {
	packed *jsonio.Packed
	text   []byte // with its defaults, for formulas that decide; nil where nothing is decided
}

// inputOf returns the input of a move as it is now; nil when its guard does not hold.
func (d *drawer) inputOf(k int) (*eventInput, error) {
	m := &d.policy[k]
	if ok, err := d.isAllowed(m); err != nil || !ok {
		return nil, err
	}
	if m.Inputs == nil {
		return d.packInput(k, m.Input)
	}
	character, state, err := d.recordsJSON()
	if err != nil {
		return nil, err
	}
	inputs, err := m.Inputs(character, d.run.Question.Records[plan.InputRoot], state)
	if err != nil {
		return nil, err
	}
	if len(inputs) != 1 {
		return nil, fmt.Errorf("event %s: there are %d inputs to choose from; drawn plays take one", m.Event, len(inputs))
	}
	return d.packInput(k, inputs[0])
}

// maxKeptInputs is how many decoded inputs of a move are kept: a policy that reads the state may come to one for each
// state.
const maxKeptInputs = 1 << 12

// packInput returns the decoded input of a move. A text is decoded again only when more than maxKeptInputs others came.
func (d *drawer) packInput(k int, text []byte) (*eventInput, error) {
	if known := d.inputs[k][string(text)]; known != nil {
		return known, nil
	}
	e := &d.Plan.Events[d.steps[k]]
	schema := jsonio.NewRootSchema(d.Image, plan.EventRoot, e.Input)
	packed, err := jsonio.Pack(d.Image, schema, orEmpty(text))
	if err != nil {
		return nil, &markov.EventInputError{Event: e.ID, Err: err}
	}
	input := &eventInput{packed: packed}
	if len(d.choices[d.steps[k]]) > 0 {
		input.text = jsonio.Complete(d.Image, schema, orEmpty(text))
	}
	if d.inputs[k] == nil || len(d.inputs[k]) == maxKeptInputs {
		d.inputs[k] = map[string]*eventInput{}
	}
	d.inputs[k][string(text)] = input
	return input, nil
}

// requirementHindrance returns the hindrance of a step that a requirement refuses.
func requirementHindrance(event string, r *vm.Refused) markov.Hindrance {
	return markov.Hindrance{Kind: markov.Requirement, Event: event, Condition: r.Require.Message, Cite: r.Require.Cite}
}

// countOutputs counts the outputs that are asked for where a play has ended.
func (d *drawer) countOutputs(status string) error {
	if len(d.run.Question.Outputs) == 0 {
		return nil
	}
	output, err := d.judge.ReadOutputs()
	if err != nil {
		return err
	}
	var values []jsonio.Value
	for _, name := range d.run.Question.Outputs {
		v, ok := output.Get(name)
		switch {
		case ok:
		case name == markov.StatusName:
			v = jsonio.TextValue(status)
		case name == markov.StateName:
			_, state, err := d.recordsJSON()
			if err != nil {
				return err
			}
			if v, err = jsonio.ParseValue(d.Image, d.schemas[plan.StateRoot], state); err != nil {
				return err
			}
		}
		values = append(values, v)
	}
	d.counts.addOutputs(values)
	return nil
}

func orEmpty(text []byte) []byte {
	if len(text) == 0 {
		return []byte("{}")
	}
	return text
}
