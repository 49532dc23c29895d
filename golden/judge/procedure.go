package judge

import (
	"strings"
)

// StatusOpen is the status of a procedure no end of which holds.
const StatusOpen = "open"

// A Happening is an event that is to happen.
type Happening struct {
	Event   string
	Input   []byte
	Thrower Thrower
}

// A Play is a procedure as far as it was played.
type Play struct {
	State, Character, Output map[string]any
	Status                   string
	Begun                    []Fall
	Events                   []Happened
}

// A Happened is an event that has happened.
type Happened struct {
	Falls  []Fall
	Output map[string]any
}

// A game is a procedure that is being played.
type game struct {
	r                       *Ruleset
	p                       *procedure
	chosen                  map[string]string
	character, input, state *object
	keys                    *judgement // of the input
}

// Play begins a procedure and lets events happen, up to the first that does not: of the error at counts the events that
// were tried, 0 for the start.
func (r *Ruleset) Play(id string, q Question, events []Happening) (play *Play, at int, err error) {
	defer recoverUnjudged(&err)
	play = &Play{}
	g, begun, err := r.begin(id, q)
	if err != nil {
		return nil, 0, err
	}
	play.Begun = begun
	for i, h := range events {
		x, err := g.happen(h)
		if err != nil {
			return nil, i + 1, err
		}
		play.Events = append(play.Events, *x)
	}
	play.Status, play.Output, err = g.standing()
	if err != nil {
		return nil, len(events), err
	}
	state, err := plain(g.state)
	if err != nil {
		return nil, len(events), err
	}
	character, err := plain(g.character)
	if err != nil {
		return nil, len(events), err
	}
	play.State, play.Character = state.(map[string]any), character.(map[string]any)
	return play, len(events), nil
}

// begin reads the question and starts the procedure.
func (r *Ruleset) begin(id string, q Question) (g *game, begun []Fall, err error) {
	p := r.procedures[id]
	if p == nil {
		return nil, nil, &Unjudged{"no procedure " + id}
	}
	g = &game{r: r, p: p, chosen: r.choose(q.Options)}
	if g.character, g.input, g.keys, err = r.readRequest(q.Character, q.Input, p.input, g.chosen); err != nil {
		return nil, nil, err
	}
	begun, err = g.start(q.Thrower)
	return g, begun, err
}

func (g *game) roots() map[string]any {
	return map[string]any{"character": g.character, "input": g.input, "state": g.state}
}

// start gives every field of the state its default, or what the start sets.
func (g *game) start(t Thrower) ([]Fall, error) {
	g.state = newObject()
	for _, name := range g.p.state.names {
		v, found, err := g.r.defaultOf(g.p.state.fields[name], "state."+name)
		if err != nil {
			return nil, err
		}
		if found {
			g.state.set(name, v)
		}
	}
	e := &evaluation{r: g.r, chosen: g.chosen, thrower: t}
	first := g.p.start
	if first == nil {
		first = &step{}
	}
	b := e.prepare(&first.body, "", g.roots(), g.p.lets, g.p.input, "input")
	b.keys = g.keys
	if err := b.carryOut(); err != nil {
		return nil, err
	}
	if err := noneLeft(t); err != nil {
		return nil, err
	}
	return e.Falls, g.step(b, first)
}

// defaultOf returns the value of a field of which nothing is said.
func (r *Ruleset) defaultOf(f *field, path string) (any, bool, error) {
	text, err := f.value.MarshalJSON()
	if err != nil {
		return nil, false, nil
	}
	data, err := decodeJSON(text)
	if err != nil {
		return nil, false, err
	}
	x := &judgement{r: r, root: path}
	v, err := x.decode(f, data, path)
	return v, err == nil, err
}

// step changes the state: "all read the state before the step; what is not named stays".
func (g *game) step(b *run, s *step) error {
	state, character := g.state, g.character
	for _, n := range s.next {
		v, err := b.scope().formula(n.formula)
		if err != nil {
			return err
		}
		path := strings.Split(n.name, ".")
		if path[0] == "character" {
			character, err = character.withPath(path[1:], v)
		} else {
			state, err = state.withPath(path, v)
		}
		if err != nil {
			return err
		}
	}
	return g.fit(state, character, s)
}

// fit makes a state and a character those of the game, unless they are not as their fields say.
func (g *game) fit(state, character *object, s *step) error {
	changed, err := g.reread(state, g.p.state, "state")
	moved, failed := g.reread(character, g.r.character, "character")
	if m, isMisfit := err.(*Misfit); isMisfit {
		if n, alsoMisfit := failed.(*Misfit); alsoMisfit {
			m.Paths = append(m.Paths, n.Paths...)
		}
	}
	if err == nil {
		err = failed
	}
	g.state, g.character = changed, moved
	return err
}

// reread returns a record that has changed as its fields read it.
func (g *game) reread(o *object, f *field, root string) (*object, error) {
	data, err := plain(o)
	if err != nil {
		return nil, err
	}
	x := &judgement{r: g.r, root: root}
	return x.read(f, data)
}

// standing returns "the first that holds after an event" of the ends, and the outputs.
func (g *game) standing() (string, map[string]any, error) {
	e := &evaluation{r: g.r, chosen: g.chosen}
	b := e.prepare(&body{outputs: g.p.outputs}, "", g.roots(), g.p.lets, &field{}, "")
	status, err := g.status(b)
	if err != nil {
		return "", nil, err
	}
	out, err := b.outputs()
	return status, out, err
}

func (g *game) status(b *run) (string, error) {
	for _, end := range g.p.ends {
		holds, err := b.scope().truth(end.text)
		if err != nil {
			return "", err
		}
		if holds {
			return end.message, nil
		}
	}
	return StatusOpen, nil
}

// happen lets an event happen: its guard must hold, then it is a body like that of a rule, then the state changes.
func (g *game) happen(h Happening) (*Happened, error) {
	s := g.p.events[h.Event]
	if s == nil {
		return nil, &Unjudged{"no event " + h.Event}
	}
	status, _, err := g.standing()
	if err != nil {
		return nil, err
	}
	if status != StatusOpen {
		return nil, &NotOffered{h.Event}
	}
	e := &evaluation{r: g.r, chosen: g.chosen, thrower: h.Thrower}
	if s.when != "" {
		before := e.prepare(&body{lets: s.lets}, "", g.roots(), g.p.lets, &field{}, "")
		offered, err := before.scope().truth(s.when)
		if err != nil {
			return nil, err
		}
		if !offered {
			return nil, &NotOffered{h.Event}
		}
	}
	data, err := decodeJSON(orEmpty(h.Input))
	if err != nil {
		return nil, &Misfit{[]string{"event"}, err.Error()}
	}
	x := &judgement{r: g.r, root: "event"}
	event, err := x.read(s.event, data)
	if err != nil {
		return nil, err
	}
	roots := g.roots()
	roots["event"] = event
	b := e.prepare(&s.body, "", roots, g.p.lets, s.event, "event")
	b.keys = x
	if err := b.carryOut(); err != nil {
		return nil, err
	}
	if err := noneLeft(h.Thrower); err != nil {
		return nil, err
	}
	out, err := b.outputs()
	if err != nil {
		return nil, err
	}
	return &Happened{Falls: e.Falls, Output: out}, g.step(b, s)
}
