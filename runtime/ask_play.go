package runtime

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/ask"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// Ask begins the procedure as far as the request allows. It asks for the fields that the start or any later event can
// depend on, and for every field that the character must have when an event can change it, because the sheet keeps it then.
// Otherwise values that fit stand in the sheet for fields that nothing reads.
// Its errors are those of Start.
func (d *Procedure) Ask(q Request) (*PlayReply, error) {
	steps := d.program.plan.Steps(d.procedure)
	a, err := d.askStart(q)
	if err != nil {
		return nil, err
	}
	reads, err := a.findStartReads(steps)
	if err != nil {
		return nil, err
	}
	needs, err := a.fields(reads)
	if len(needs) == 0 && err == nil {
		needs, err = a.roll()
	}
	if err != nil {
		return nil, err
	}
	reply := &PlayReply{Needs: needs, Dice: a.listFallen()}
	if needs != nil {
		return reply, nil
	}
	p := &Play{procedure: d, Status: plan.Open, seed: q.Seed}
	if p.Character, p.Input, err = d.Fill(q); err != nil {
		return nil, err
	}
	a.noteOrigin(&q)
	p.reportStart(&q, a.used, vm.ListFaces(a.frame, steps[0].Graph))
	reply.Play = p
	return reply, p.takeNext(a.evaluation, d.start, steps[0].Graph)
}

// Fill gives the character and the input of a start of which everything that matters is known, as Start takes them: in
// place of fields that must be there and that nothing reads stand values that fit them.
func (d *Procedure) Fill(q Request) (character, input []byte, err error) {
	if character, err = fillRoot(&q, d.program.character, q.Character); err != nil {
		return nil, nil, err
	}
	input, err = fillRoot(&q, d.input, q.Input)
	return character, input, err
}

// askStart reads the known part of the start.
func (d *Procedure) askStart(q Request) (*asking, error) {
	a := d.newAsking(d.program.plan.Steps(d.procedure)[0], d.start, q)
	if err := a.read(plan.InputRoot, d.input, q.Input); err != nil {
		return nil, err
	}
	return a, a.read(plan.CharacterRoot, d.program.character, q.Character)
}

func (d *Procedure) newAsking(b plan.Body, code *schedule.Code, q Request) *asking {
	return &asking{evaluation: newEvaluation(d.program.image, code), program: d.program, code: code, body: b,
		values: d.values, known: q}
}

// findStartReads returns the reads of the start and all later steps. Fields of the character and of the input that later
// steps read cannot be given later, so they are asked for at the start. Its error is a refusal that is known already.
func (a *asking) findStartReads(steps []plan.Body) (*schedule.Needs, error) {
	var all schedule.Needs
	for _, step := range steps[1:] {
		later, err := a.findNeeds(step)
		if err != nil {
			return nil, err
		}
		readWholeMaps(later)
		all.Reads, all.Lookups = append(all.Reads, later.Reads...), append(all.Lookups, later.Lookups...)
		all.Changed = append(all.Changed, later.Changed...)
	}
	a.isStart, a.later = true, mergeReads(all.Reads)
	if err := a.findReads(); err != nil {
		return nil, err
	}
	a.needs.Reads = mergeReads(append(a.needs.Reads, a.later...))
	a.needs.Lookups = append(a.needs.Lookups, all.Lookups...)
	a.needs.Changed = append(a.needs.Changed, all.Changed...)
	return a.needs, nil
}

// readWholeMaps makes the maps be read whole in which a later step looks up what comes with an event or stands in the
// state: no key is known at the start.
func readWholeMaps(later *schedule.Needs) {
	for _, l := range later.Lookups {
		if l.Key.Root != plan.EventRoot && l.Key.Root != plan.StateRoot {
			continue
		}
		if i := slices.IndexFunc(later.Reads, func(r schedule.Read) bool { return r.Leaf == l.Map }); i >= 0 {
			later.Reads[i].Whole = true
		}
	}
}

// mergeReads makes one of the reads of one slot.
func mergeReads(list []schedule.Read) (out []schedule.Read) {
	for _, r := range list {
		at := slices.IndexFunc(out, func(x schedule.Read) bool { return x.Leaf == r.Leaf })
		if at < 0 {
			out = append(out, r)
			continue
		}
		to := &out[at]
		to.Whole, to.Later = to.Whole || r.Whole, to.Later || r.Later
		to.By = appendNew(slices.Clip(to.By), r.By)
		for _, key := range r.Keys {
			if !slices.Contains(to.Keys, key) {
				to.Keys = append(slices.Clip(to.Keys), key)
			}
		}
	}
	return out
}

// Ask lets an event happen as far as the request allows: it returns the play after the event, or the needs that come first.
// The play itself stays as it is. Its errors are those of Do.
func (p *Play) Ask(event string, q Request) (*PlayReply, error) {
	d := p.procedure
	i, err := d.eventIndex(event)
	if err != nil {
		return nil, err
	}
	if !p.IsOpen() {
		return nil, &NotOffered{Event: event, Status: p.Status}
	}
	a, err := p.askEvent(i, q)
	if err != nil {
		return nil, p.orGuardError(err, i)
	}
	needs, err := a.run()
	if err != nil {
		return nil, orNotOffered(err, event)
	}
	reply := &PlayReply{Needs: needs, Dice: a.listFallen()}
	if needs != nil {
		if err := p.orGuardError(nil, i); err != nil { // which needs do not foresee where it reads elements of a list
			return nil, err
		}
		return reply, nil
	}
	if q.Input, err = fillRoot(&q, d.events[i].input, q.Input); err != nil {
		return nil, err
	}
	q.Trace = false
	a.noteOrigin(&q)
	reply.Play, err = p.acceptEvent(a.evaluation, &d.events[i], &q, a.used)
	return reply, err
}

// askEvent reads the records of an event: the play is known, the event's input may not be.
func (p *Play) askEvent(i int, q Request) (*asking, error) {
	d := p.procedure
	x := &d.events[i]
	q.Accepted = append(slices.Clip(q.Accepted), "character", "input", "state")
	a := d.newAsking(d.program.plan.Steps(d.procedure)[1+i], x.code, q)
	a.event = p.Number()
	for _, r := range []struct {
		root   plan.Root
		schema *jsonio.Schema
		text   []byte
	}{
		{plan.EventRoot, x.input, q.Input}, {plan.InputRoot, d.input, p.Input},
		{plan.CharacterRoot, d.program.character, p.Character}, {plan.StateRoot, d.state, p.State},
	} {
		if err := a.read(r.root, r.schema, r.text); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// Fill gives the input of an event of which everything that matters is known, as Do takes it: in place of fields that must
// be there and that nothing reads stand values that fit them.
func (p *Play) Fill(event string, q Request) ([]byte, error) {
	i, err := p.procedure.eventIndex(event)
	if err != nil {
		return nil, err
	}
	return fillRoot(&q, p.procedure.events[i].input, q.Input)
}

// An Offer says of an event whether it can happen now.
type Offer struct {
	Event   string `json:"event"`
	Doc     string `json:"doc,omitempty"`
	Offered bool   `json:"offered"`
	// When is the condition under which the event is offered, as its author wrote it; empty when it always is. Values are
	// the parts of the play that it reads, by their paths.
	When   string   `json:"when,omitempty"`
	Values []Value  `json:"-"`
	Paths  []string `json:"-"`
	// Refused is why an event that is offered would be refused whatever is answered.
	Refused string     `json:"refused,omitempty"`
	Needs   []ask.Need `json:"needs,omitempty"` // what is needed first to let it happen
}

// MarshalJSON implements json.Marshaler: the values are an object.
func (o Offer) MarshalJSON() ([]byte, error) {
	type plain Offer
	values := map[string]json.RawMessage{}
	for i, path := range o.Paths {
		values[path] = o.Values[i].AppendJSON(nil)
	}
	return json.Marshal(struct {
		plain
		Values map[string]json.RawMessage `json:"values,omitempty"`
	}{plain(o), values})
}

// Offers tells of every event whether it can happen now, in the author's order. No event is offered once an end has been
// reached. The error is that of a formula of a condition that has no value, or of a play that does not fit its procedure.
func (p *Play) Offers() ([]Offer, error) {
	var out []Offer
	for i := range p.procedure.events {
		o, err := p.offer(i)
		if err != nil {
			return nil, err
		}
		out = append(out, *o)
	}
	return out, nil
}

func (p *Play) offer(i int) (*Offer, error) {
	d := p.procedure
	o := &Offer{Event: d.events[i].ID}
	o.Doc, o.When = d.program.plan.DescribeEvent(d.procedure.ID, o.Event)
	a, err := p.askEvent(i, Request{})
	if err != nil {
		return nil, err
	}
	if o.When != "" {
		if err := a.readGuard(o); err != nil {
			return nil, err
		}
	}
	if !p.IsOpen() {
		return o, nil
	}
	reply, err := p.Ask(o.Event, Request{})
	if err == nil {
		o.Needs = reply.Needs
	}
	var refused *Refused
	var off *NotOffered
	switch {
	case errors.As(err, &off):
		return o, nil
	case errors.As(err, &refused):
		o.Refused = refused.Error()
	case err != nil:
		o.Refused = err.Error()
	}
	o.Offered = true
	return o, nil
}

// readGuard notes the values that the condition of an event reads.
func (a *asking) readGuard(o *Offer) error {
	needs, err := schedule.FindNeeds(a.program.plan, a.body.Graph, schedule.Options{
		Values: a.values, Roots: a.body.Slots(), Shapes: a.body.Shapes,
	}, schedule.Given{})
	if err != nil {
		return err
	}
	guard := schedule.Reader{Kind: schedule.GuardReader}
	for _, r := range needs.Reads {
		if !slices.Contains(r.By, guard) || r.Leaf.Root == plan.EventRoot {
			continue
		}
		i := slices.IndexFunc(a.records, func(x knownRoot) bool { return x.root == r.Leaf.Root })
		path, shape := findSlot(a.records[i].schema.Shape, r.Leaf.Offset, a.records[i].schema.Root)
		if shape == nil || slices.Contains(o.Paths, path) {
			continue
		}
		at := vm.Location{Type: shape.Type(), Slot: a.code.Base[r.Leaf.Root] + r.Leaf.Offset, Fault: -1, Present: -1}
		v, fault := jsonio.ReadValue(a.frame, &at, a.frame.View())
		if fault == 0 {
			o.Paths, o.Values = append(o.Paths, path), append(o.Values, v)
		}
	}
	return nil
}

// findSlot is the field whose value lies in a slot of a record; no shape for a slot that is a presence.
func findSlot(s *plan.Shape, slot int32, path string) (string, *plan.Shape) {
	if s.Kind != plan.Record {
		return path, s
	}
	for i := range s.Fields {
		m := &s.Fields[i]
		if m.Optional {
			if slot == 0 {
				return path, nil
			}
			slot--
		}
		if n := int32(m.Shape.Slots()); slot >= n {
			slot -= n
			continue
		}
		return findSlot(m.Shape, slot, path+jsonio.PathStep(m.Name))
	}
	return path, nil
}

// WhyNot describes the condition of an event that is not offered, with its values: "needs state.turn == 'us', and
// state.turn is "them"". It is empty for an event without a condition.
func (o *Offer) WhyNot() string {
	if o.When == "" {
		return ""
	}
	var values []string
	for i, path := range o.Paths {
		values = append(values, path+" is "+o.Values[i].String())
	}
	if len(values) == 0 {
		return "it needs " + o.When
	}
	return "it needs " + o.When + ", and " + strings.Join(values, ", ")
}
