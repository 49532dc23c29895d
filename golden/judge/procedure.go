package judge

import (
	"math"
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
	Undue  []error // as in a Sheet
}

// A game is a procedure that is being played.
type game struct {
	r                       *Ruleset
	p                       *procedure
	chosen                  map[string]string
	character, input, state *object
	keys                    *judgement // of the input
	ofEvents                []string   // the outputs of events that are asked for; nil for all
}

// Play begins a procedure and lets events happen, up to the first that does not: of the error at counts the events that
// were tried, 0 for the start.
func (r *Ruleset) Play(id string, q Question, events []Happening) (play *Play, at int, err error) {
	defer recoverUnjudged(&err)
	play = &Play{}
	g, err := r.readGame(id, q)
	if err != nil {
		return nil, 0, err
	}
	if play.Begun, err = g.startGame(q.Thrower); err != nil {
		return nil, 0, err
	}
	if play.Status, play.Output, err = g.judgeStanding(); err != nil {
		return nil, 0, err
	}
	for i, h := range events {
		x, err := g.carryOutEvent(h)
		if err != nil {
			return nil, i + 1, err
		}
		play.Events = append(play.Events, *x)
		if play.Status, play.Output, err = g.judgeStanding(); err != nil {
			return nil, i + 1, err
		}
	}
	state, err := plainValue(g.state)
	if err != nil {
		return nil, len(events), err
	}
	character, err := plainValue(g.character)
	if err != nil {
		return nil, len(events), err
	}
	play.State, play.Character = state.(map[string]any), character.(map[string]any)
	return play, len(events), nil
}

// readGame reads the character and the input of a procedure that is to begin.
func (r *Ruleset) readGame(id string, q Question) (g *game, err error) {
	p := r.procedures[id]
	if p == nil {
		return nil, &Unjudged{"no procedure " + id}
	}
	g = &game{r: r, p: p, chosen: r.chooseOptions(q.Options)}
	g.character, g.input, g.keys, err = r.readRequest(q.Character, q.Input, p.input, g.chosen)
	return g, err
}

func (g *game) rootsOf() map[string]any {
	return map[string]any{"character": g.character, "input": g.input, "state": g.state}
}

// startGame gives every field of the state its default, or what the start sets.
func (g *game) startGame(t Thrower) ([]Fall, error) {
	g.state = &object{fields: map[string]any{}, field: g.p.state}
	for _, name := range g.p.state.names {
		v, found, err := g.r.defaultOf(g.p.state.fields[name], "state."+name)
		if err != nil {
			return nil, err
		}
		if found {
			g.state.setField(name, v)
		}
	}
	e := &evaluation{r: g.r, chosen: g.chosen, thrower: t}
	first := g.p.start
	if first == nil {
		first = &step{}
	}
	b := e.prepareRun(&first.body, "", g.rootsOf(), g.p.lets, g.p.input, "input")
	b.keys = g.keys
	if err := b.carryOut(); err != nil {
		return nil, err
	}
	if err := noneLeft(t); err != nil {
		return nil, err
	}
	c, err := g.computeChange(b, first)
	if err != nil {
		return nil, err
	}
	return e.Falls, g.judgeChange(c)
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
	v, err := x.decodeField(f, data, path)
	return v, err == nil, err
}

// A change is a state and a character as a step makes them, before these are judged.
type change struct{ state, character *object }

// computeChange computes the next values: all read the state before the step, and what is not named stays. One "that fails
// is told of before the outputs of the event".
func (g *game) computeChange(b *run, s *step) (c change, err error) {
	c = change{g.state, g.character}
	for _, n := range s.next {
		v, err := b.newScope().evalFormula(n.formula)
		if err != nil {
			return c, err
		}
		path := strings.Split(n.name, ".")
		if path[0] == "character" {
			c.character, err = c.character.withPath(path[1:], v)
		} else {
			c.state, err = c.state.withPath(path, v)
		}
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

// judgeChange makes a state and a character those of the game, unless they are not as their fields say: "the bounds of the
// character and then of the state, each in the order of its fields".
func (g *game) judgeChange(c change) error {
	moved, err := g.readChanged(c.character, g.r.character, "character")
	if err != nil {
		return err
	}
	changed, err := g.readChanged(c.state, g.p.state, "state")
	g.state, g.character = changed, moved
	return err
}

// readChanged returns a record that has changed as its fields read it.
func (g *game) readChanged(o *object, f *field, root string) (*object, error) {
	data, err := plainValue(withoutNonNumbers(o))
	if err != nil {
		return nil, err
	}
	return (&judgement{r: g.r, root: root}).readRecord(f, data)
}

// withoutNonNumbers returns a value with a text, which no number is, for each double that JSON has no number for.
func withoutNonNumbers(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "no number"
		}
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = withoutNonNumbers(x)
		}
		return out
	case *object:
		out := v.cloneObject()
		for _, name := range v.names {
			if x, _, err := v.getField(name); err == nil {
				out.fields[name] = withoutNonNumbers(x)
			}
		}
		return out
	}
	return v
}

// judgeStanding returns "the first that holds after an event" of the ends, and the outputs.
func (g *game) judgeStanding() (string, map[string]any, error) {
	e := &evaluation{r: g.r, chosen: g.chosen}
	b := e.prepareRun(&body{outputs: g.p.outputs}, "", g.rootsOf(), g.p.lets, &field{}, "")
	status, err := g.findStatus(b)
	if err != nil {
		return "", nil, err
	}
	out, err := b.computeOutputs(nil)
	return status, out, err
}

func (g *game) findStatus(b *run) (string, error) {
	for _, end := range g.p.ends {
		holds, err := b.newScope().evalTruth(end.text)
		if err != nil {
			return "", err
		}
		if holds {
			return end.message, nil
		}
	}
	return StatusOpen, nil
}

// isOffered reports whether the guard of an event holds.
func (g *game) isOffered(s *step) (bool, error) {
	if s.when == "" {
		return true, nil
	}
	e := &evaluation{r: g.r, chosen: g.chosen}
	b := e.prepareRun(&body{lets: s.lets}, "", g.rootsOf(), g.p.lets, &field{}, "")
	return b.newScope().evalTruth(s.when)
}

// carryOutEvent lets an event happen: its guard must hold, then it is a body like that of a rule, then the state changes.
func (g *game) carryOutEvent(h Happening) (*Happened, error) {
	s := g.p.events[h.Event]
	if s == nil {
		return nil, &Unjudged{"no event " + h.Event}
	}
	status, _, err := g.judgeStanding()
	if err != nil {
		return nil, err
	}
	if status != StatusOpen {
		return nil, &NotOffered{h.Event}
	}
	switch offered, err := g.isOffered(s); {
	case err != nil:
		return nil, err
	case !offered:
		return nil, &NotOffered{h.Event}
	}
	e := &evaluation{r: g.r, chosen: g.chosen, thrower: h.Thrower}
	data, err := decodeJSON(orEmpty(h.Input))
	if err != nil {
		return nil, &Misfit{[]string{"event"}, err.Error()}
	}
	x := &judgement{r: g.r, root: "event"}
	event, err := x.readRecord(s.event, data)
	if err != nil {
		return nil, err
	}
	roots := g.rootsOf()
	roots["event"] = event
	b := e.prepareRun(&s.body, "", roots, g.p.lets, s.event, "event")
	b.keys = x
	if err := b.carryOut(); err != nil {
		return nil, err
	}
	if err := noneLeft(h.Thrower); err != nil {
		return nil, err
	}
	c, err := g.computeChange(b, s)
	if err != nil {
		return nil, err
	}
	out, err := b.computeOutputs(g.ofEvents)
	if err != nil {
		return nil, err
	}
	return &Happened{Falls: e.Falls, Output: out, Undue: e.undue}, g.judgeChange(c)
}
