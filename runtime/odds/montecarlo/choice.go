package montecarlo

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Decisions in a play that is drawn.
//
// A field that is decided when dice have fallen has no value while they fall. So an event with such a field is carried out
// twice: up to the decision, as a graph without what comes later (schedule.CutForFormula), and then as a whole, with the
// value that the formula gives. Both draw from the same stream, so that the same dice fall. Of several decisions each has a
// graph of its own, in which those before it are made.
//
// The first graph judges no requirement. Where one refuses the event, a formula may have no value, and the whole event
// tells why; only where the event happens is that an error.

// A choice decides one field of an event when dice have fallen. It serves one goroutine.
type choice struct {
	*odds.Choice
	number            int // of the decision in the plan
	offset            int // of the field's slot in the record of the event
	shape             *plan.Shape
	stage             *stage       // up to the decision
	when, least, most *vm.Location // nil when they are not declared
	reads             []vm.Location
}

// addChoices prepares the choices of the run.
func (d *drawer) addChoices() error {
	d.choices = make([][]*choice, len(d.Plan.Events))
	if d.run.Choices == nil {
		return nil
	}
	all, err := d.run.Choices()
	if err != nil {
		return err
	}
	for k := range d.Plan.Events {
		e := &d.Plan.Events[k]
		list := all[e.ID]
		for i := range list {
			c, err := d.newChoice(k, &list[i])
			if err != nil {
				return fmt.Errorf("event %s: %w", e.ID, err)
			}
			d.choices[k] = append(d.choices[k], c)
		}
		slices.SortStableFunc(d.choices[k], func(a, b *choice) int { return cmp.Compare(a.number, b.number) })
	}
	return nil
}

// newChoice prepares a choice of an event.
func (d *drawer) newChoice(event int, of *odds.Choice) (*choice, error) {
	g := &d.Plan.Events[event].Graph
	c := &choice{Choice: of, number: slices.IndexFunc(g.Decisions, func(x plan.Decision) bool {
		return x.Root == plan.EventRoot && (of.Path == x.Path || strings.HasPrefix(of.Path, x.Path+"."))
	})}
	c.shape = d.Plan.Events[event].Input
	for step := range strings.SplitSeq(of.Path, ".") {
		c.shape = c.shape.Member(step)
	}
	from, to, ok := d.Plan.Events[event].Input.SlotsAt(of.Path)
	if c.number < 0 || !ok || to-from != 1 || c.shape == nil {
		return nil, fmt.Errorf("%s: decide an int, a bool or a string, field by field", of.Path)
	}
	c.offset = int(from)
	body := d.Image.Plan().Steps(d.Plan)[event+1] // behind the start
	options := schedule.Options{Values: d.Options, Roots: body.Slots(), Shapes: body.Shapes}
	cut, err := schedule.CutForFormula(d.Image.Plan(), body, c.number, options, of.Reads)
	if err != nil {
		return nil, err
	}
	code, err := schedule.Make(d.Image.Plan(), cut.Graph, options)
	if err != nil {
		return nil, err
	}
	d.Image.PrepareTables(code)
	c.stage = &stage{code: code, graph: cut.Graph, frame: vm.NewFrame(d.Image, code)}
	d.loadRecord(c.stage, plan.InputRoot, d.fixedRecords[plan.InputRoot])
	if !d.Plan.Changes {
		d.loadRecord(c.stage, plan.CharacterRoot, d.fixedRecords[plan.CharacterRoot])
	}
	c.stage.mark = c.stage.frame.Mark()
	c.locateReads(&g.Decisions[c.number], cut.Graph, code)
	return c, nil
}

// locateReads finds the bounds of a decision, and the values that a choice reads, among the outputs of its graph.
func (c *choice) locateReads(of *plan.Decision, cut *plan.Graph, code *schedule.Code) {
	outputs := cut.Outputs.Fields
	bound := func(v *plan.Value) *vm.Location {
		if v.ID == plan.None {
			return nil
		}
		at := vm.LocateIn(code, &outputs[0])
		outputs = outputs[1:]
		return &at
	}
	c.when, c.least, c.most = bound(&of.When), bound(&of.Least), bound(&of.Most)
	if c.Path != of.Path { // the bounds are those of the whole
		c.least, c.most = nil, nil
	}
	for i := range outputs {
		c.reads = append(c.reads, vm.LocateIn(code, &outputs[i]))
	}
}

// decideFields writes the values of the choices of an event into the stage in which it is going to happen.
func (d *drawer) decideFields(event int, s *stage, input *eventInput, play, number uint64) error {
	for i, c := range d.choices[event] {
		f := c.stage.frame
		f.ResetTo(c.stage.mark)
		for k := range d.numChanging() {
			d.loadRecord(c.stage, changingRoots[k], d.state[k])
		}
		d.loadRecord(c.stage, plan.EventRoot, input.packed)
		slots := s.frame.Slots()[s.code.Base[plan.EventRoot]:]
		for _, made := range d.choices[event][:i] {
			made.copySlot(c.stage, s.frame, slots[made.offset])
		}
		d.source.Reset(d.run.Seed, play, number)
		if err := vm.Run(f, c.stage.code, d.source); err != nil {
			return vm.Explain(f, c.stage.graph, err)
		}
		v, isOpen, err := d.chooseValue(c, input)
		if err != nil {
			return fmt.Errorf("deciding %s: %w", c.Path, err)
		}
		if isOpen {
			slots[c.offset] = slotOf(s.frame, v)
		}
	}
	return nil
}

// copySlot copies the value of the choice, a slot of another frame, into the stage of a later choice.
func (c *choice) copySlot(to *stage, from *vm.Frame, slot int64) {
	if c.shape.Kind == plan.String {
		slot = to.frame.Intern([]byte(from.Text(slot)))
	}
	to.frame.Slots()[int(to.code.Base[plan.EventRoot])+c.offset] = slot
}

// slotOf returns a value as a slot of a frame.
func slotOf(f *vm.Frame, v jsonio.Value) int64 {
	if v.Kind() == plan.String {
		return f.Intern([]byte(v.Text()))
	}
	return v.Int()
}

// chooseValue returns the one value of a choice in an event with some input; not open when there is nothing to decide.
func (d *drawer) chooseValue(c *choice, input *eventInput) (v jsonio.Value, isOpen bool, err error) {
	read := func(at *vm.Location) (jsonio.Value, error) {
		v, fault := jsonio.ReadValue(c.stage.frame, at, c.stage.frame.View())
		if fault != 0 {
			return v, vm.FailureOf(c.stage.frame, c.stage.graph, fault)
		}
		return v, nil
	}
	if c.when != nil {
		if when, err := read(c.when); err != nil || !when.Bool() {
			return v, false, err
		}
	}
	scope := odds.NewScope(c.shape)
	if c.least != nil {
		least, err := read(c.least)
		if err != nil {
			return v, false, err
		}
		scope.RaiseLeast(least)
	}
	if c.most != nil {
		most, err := read(c.most)
		if err != nil {
			return v, false, err
		}
		scope.LowerMost(most)
	}
	if c.Options == nil {
		return v, false, errors.New("plays that are drawn take one value: say which by a formula")
	}
	var known []jsonio.Value
	for i := range c.reads {
		x, err := read(&c.reads[i])
		if err != nil {
			return v, false, err
		}
		known = append(known, x)
	}
	records := d.run.Question.Records
	records[plan.EventRoot] = input.text
	if records[plan.CharacterRoot], records[plan.StateRoot], err = d.recordsJSON(); err != nil {
		return v, false, err
	}
	values, err := c.Options(records, known)
	if err != nil {
		return v, false, err
	}
	open := slices.DeleteFunc(slices.Clone(values), func(v jsonio.Value) bool { return !scope.Has(v) })
	switch {
	case len(values) == 0:
		return v, false, errors.New("there is nothing to choose from")
	case len(open) == 0:
		return v, false, scope.Refuse(values[0])
	case len(open) > 1:
		return v, false, fmt.Errorf("there are %d values to choose from; plays that are drawn take one", len(open))
	}
	return open[0], true, nil
}
