package markov

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// startNodes returns the nodes before any event, with their probabilities.
func (c *chain) startNodes() (map[int]*big.Rat, error) {
	if len(c.q.Records[plan.StateRoot]) > 0 {
		return map[int]*big.Rat{0: big.NewRat(1, 1)}, c.beginAt()
	}
	start, _, err := c.outcomes(&stride{rule: c.start, records: c.q.Records, isStart: true})
	now := map[int]*big.Rat{}
	for _, e := range start.edges {
		now[e.to] = new(big.Rat).SetFrac(e.n, start.den)
	}
	return now, err
}

// beginAt begins with the state of the question.
func (c *chain) beginAt() (err error) {
	character, state := c.q.Records[plan.CharacterRoot], c.q.Records[plan.StateRoot]
	status, _, err := c.judge.Judge(character, c.q.Records[plan.InputRoot], state)
	if err != nil {
		return err
	}
	c.nodes = append(c.nodes, node{state: -1, status: status})
	c.given = &given{character: string(character), state: string(state)}
	for _, root := range [...]plan.Root{plan.CharacterRoot, plan.StateRoot} {
		if c.given.packed[root], err = c.packRecord(root); err != nil {
			return err
		}
	}
	return nil
}

// packRecord returns a record of the question, decoded.
func (c *chain) packRecord(root plan.Root) (*jsonio.Packed, error) {
	return c.packAs(root, c.shapeOf(root), c.q.Records[root])
}

// packAs returns a decoded record. An absent text is an empty record.
func (c *chain) packAs(root plan.Root, shape *plan.Shape, text []byte) (*jsonio.Packed, error) {
	if len(text) == 0 {
		text = []byte("{}")
	}
	return jsonio.Pack(c.states.image, jsonio.NewRootSchema(c.states.image, root, shape), text)
}

// fixRoots decodes the records that are the same in every state.
func (c *chain) fixRoots() (err error) {
	roots := []plan.Root{plan.InputRoot}
	if !c.plan.Changes {
		roots = append(roots, plan.CharacterRoot)
	}
	for _, root := range roots {
		if c.fixed[root] != nil {
			continue
		}
		if c.fixed[root], err = c.packRecord(root); err != nil {
			return err
		}
	}
	return nil
}

// writeState puts a state, with the character and the input, into a frame.
func (c *chain) writeState(state int, f *vm.Frame, base func(plan.Root) int) {
	for root, p := range c.fixed {
		if p != nil {
			p.Load(f, f.Slots()[base(plan.Root(root)):])
		}
	}
	if state >= 0 {
		c.states.loadState(state, f, base)
		return
	}
	for root, p := range c.given.packed {
		if p != nil {
			p.Load(f, f.Slots()[base(plan.Root(root)):])
		}
	}
}

// textsOf returns the character and the state of a node, in JSON. They are empty for a node that was not followed.
func (c *chain) textsOf(i int) (character, state string) {
	switch {
	case i == 0 && c.given != nil:
		return c.given.character, c.given.state
	case c.nodes[i].state < 0:
		return "", ""
	}
	state, character = c.states.textsOf(c.nodes[i].state)
	if !c.plan.Changes {
		character = string(c.q.Records[plan.CharacterRoot])
	}
	return character, state
}

// nodeOf returns the node of a state, and makes it if it is new.
//
// The budget of states is that of nodes. Beyond MaxExactStates fractions are given up at once unless they were asked
// for, but not while moves are explored: of those states most are left out again.
//
// A state that does not fit is outgrown, unless the start makes it.
func (c *chain) nodeOf(s *stride, state int) (int, error) {
	for len(c.at) <= state {
		c.at = append(c.at, 0)
	}
	if at := c.at[state]; at > 0 {
		return at - 1, nil
	}
	if c.isGiven(state) {
		c.at[state] = 1
		return 0, nil
	}
	status, err := c.statusOf(state)
	if err != nil && !s.isStart && c.closing.IsOutgrown(err) {
		status, err = Outgrown, nil
	}
	if err != nil {
		return 0, err
	}
	if len(c.nodes) == MaxStates {
		subject := "procedure " + c.plan.ID
		return 0, &odds.BudgetError{Subject: subject, Needs: MaxStates + 1, Budget: MaxStates, What: "different states",
			Advice: tooManyStates}
	}
	c.nodes = append(c.nodes, node{state: state, status: status})
	c.at[state] = len(c.nodes)
	if len(c.nodes) > MaxExactStates && !c.explores && !c.asked {
		c.exact, c.q.Exact = false, false
	}
	return len(c.nodes) - 1, nil
}

// isGiven reports whether a state is written as the one with which the course began.
func (c *chain) isGiven(state int) bool {
	if c.given == nil {
		return false
	}
	text, character := c.states.textsOf(state)
	return text == c.given.state && (!c.plan.Changes || character == c.given.character)
}

// statusOf returns the status of a state. A state that does not fit its declaration is judged in its JSON, whose error
// names the reason.
func (c *chain) statusOf(state int) (string, error) {
	if err := c.fixRoots(); err != nil {
		return "", err
	}
	if c.states.fits(state) {
		return c.judge.JudgeFrame(func(f *vm.Frame, base func(plan.Root) int) { c.writeState(state, f, base) })
	}
	text, character := c.states.textsOf(state)
	if !c.plan.Changes {
		character = string(c.q.Records[plan.CharacterRoot])
	}
	status, _, err := c.judge.Judge([]byte(character), c.q.Records[plan.InputRoot], []byte(text))
	return status, err
}

// outcomes returns the offer of a step: the states to which it leads. Under an aim a step that is refused whatever
// falls is no move, and neither is one that is not offered; its hindrance is returned instead. Where choices are
// compared, the offer holds branches.
func (c *chain) outcomes(s *stride) (o offer, why *Hindrance, err error) {
	t, err := c.takeStep(s, nil)
	if err != nil {
		return o, nil, err
	}
	if known, ok := c.answers[t.Answer]; ok {
		return known.offer, known.why, nil
	}
	defer func() {
		if t.Answer != nil {
			c.answers[t.Answer] = outcome{o, why}
		}
	}()
	for _, e := range t.Endings {
		isNoMove := e.Kind == odds.NotOffered || e.Kind == odds.Refused && c.aim != nil && !s.isStart
		// The endings of branches are summed over all choices, so only that nothing else comes of any says that all are
		// refused.
		if isNoMove && len(t.Reached) == 0 &&
			!slices.ContainsFunc(t.Endings, func(x odds.Ended) bool { return x.Kind != e.Kind }) {
			return o, c.hindranceOf(s.event, e.Ending), nil
		}
	}
	if t.Choices == nil {
		o.edges, o.den, err = c.edgesOf(s, t)
		return o, nil, err
	}
	o.branches = newBranches(t)
	for k, x := range t.Reached {
		to, err := c.nodeOf(s, x.State)
		if err != nil {
			return o, nil, err
		}
		o.branches.rows[k].edge = edge{to, x.P, x.N}
	}
	return o, nil, nil
}

// takeStep asks for a step: with every choice that is compared or, unless it is nil, with those that were made.
func (c *chain) takeStep(s *stride, made *branches) (t *eliminate.StepResult, err error) {
	q := odds.Question{Records: s.records, Exact: c.q.Exact, Budget: max(1, c.q.Budget-c.spent), Stop: c.q.Stop}
	if made == nil {
		t, err = c.steps.Take(s.rule, q, s.fill)
	} else {
		t, err = c.steps.TakeChosen(s.rule, q, s.fill, made.shown, made.bestChoices())
	}
	if b, is := errors.AsType[*odds.BudgetError](err); is {
		b.Needs, b.Budget = b.Needs+float64(c.spent), float64(c.q.Budget)
	}
	if err == nil {
		c.spent += t.Spent
	}
	return t, err
}

// edgesOf returns the nodes that a step leads to, with the denominator of their fractions.
//
// The reached states are sorted before nodes are made of them, because package eliminate returns them in no order that
// may be relied on: states that have a node by its number, and the others behind them by value. So nodes have the same
// numbers however the states were found.
func (c *chain) edgesOf(s *stride, t *eliminate.StepResult) ([]edge, *big.Int, error) {
	hasNode := func(x eliminate.Reached) bool { return x.State < len(c.at) && c.at[x.State] > 0 }
	slices.SortFunc(t.Reached, func(a, b eliminate.Reached) int {
		switch x, y := hasNode(a), hasNode(b); {
		case x && y:
			return c.at[a.State] - c.at[b.State]
		case x:
			return -1
		case y:
			return 1
		}
		return c.states.compare(a.State, b.State)
	})
	out := make([]edge, 0, len(t.Reached)+len(t.Endings))
	for _, x := range t.Reached {
		to, err := c.nodeOf(s, x.State)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, edge{to, x.P, x.N})
	}
	slices.SortFunc(t.Endings, odds.CompareEndings)
	for _, e := range t.Endings {
		to, err := c.nodeOfEnding(s, e)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, edge{to, e.P, e.N})
	}
	return out, reduceEdges(out, t.Den), nil
}

// nodeOfEnding is the node that a step leads to where it ends without a state.
func (c *chain) nodeOfEnding(s *stride, e odds.Ended) (int, error) {
	switch e.Kind {
	case odds.Refused:
		return c.refusedFor(*c.hindranceOf(s.event, e.Ending)), nil
	case odds.Unfollowed:
		return c.unfollowedNode(), nil
	}
	return 0, fmt.Errorf("with probability %g: %s", e.P, e.Message)
}

// refusedFor stands for all that one requirement of an event refuses.
func (c *chain) refusedFor(h Hindrance) int {
	why := c.reasonOf([]Hindrance{h})
	at, ok := c.refused[why]
	if !ok {
		at = len(c.nodes)
		c.nodes = append(c.nodes, node{state: -1, status: Refused, why: why})
		c.refused[why] = at
	}
	return at
}

// unfollowedNode returns the node for all results of dice that explode further than was followed.
func (c *chain) unfollowedNode() int {
	if c.lost == 0 {
		c.nodes = append(c.nodes, node{state: -1, status: plan.Unfollowed})
		c.lost = len(c.nodes)
	}
	return c.lost - 1
}

// findOffers returns the first moves of the policy that can happen in a state, at most so many, and the hindrances of
// those before.
//
// Without an aim most is 1: moves behind the first that can happen are not even asked for.
func (c *chain) findOffers(i, most int) (out []offer, hindrances []Hindrance, err error) {
	if err := c.fixRoots(); err != nil {
		return nil, nil, err
	}
	hinder := func(h Hindrance) {
		if !slices.Contains(hindrances, h) { // several inputs of a move are refused for the same reason
			hindrances = append(hindrances, h)
		}
	}
	for k := range c.policy {
		m := &c.policy[k]
		inputs, err := c.inputsOf(i, m)
		switch {
		case err != nil:
			why, err := c.judgeGuard(i, m.Event, err)
			if why == nil {
				return nil, nil, err
			}
			hinder(*why)
		case inputs == nil:
			hindrances = append(hindrances, *m.Unallowed())
		}
		seen := map[*edge]bool{} // what inputs lead to, by the first edge
		for _, text := range inputs {
			if c.explores { // each is kept: there may be more of them than states
				if err := c.charge(1); err != nil {
					return nil, nil, err
				}
			}
			s, misfit := c.strideOf(i, k, text)
			if misfit != nil {
				why, err := c.judgeGuard(i, m.Event, &EventInputError{m.Event, misfit})
				if why == nil {
					return nil, nil, err
				}
				hinder(*why)
				break
			}
			o, why, err := c.outcomes(s)
			switch {
			case err != nil:
				return nil, nil, fmt.Errorf("event %s: %w", m.Event, err)
			case why == nil && len(o.edges) > 0 && seen[&o.edges[0]]: // as with an input before it
			case why == nil:
				if o.move, o.input = k, string(text); len(o.edges) > 0 && len(inputs) > 1 {
					seen[&o.edges[0]] = true
				}
				if out = append(out, o); len(out) == most {
					return out, nil, nil
				}
			default:
				hinder(*why)
			}
		}
	}
	return out, hindrances, nil
}

// hindranceBefore returns what keeps a move from being made in a state, whatever comes with its event: the guard of the
// policy, or that of the event. It is nil where neither does.
func (c *chain) hindranceBefore(i int, m *Move) (*Hindrance, error) {
	holds, failed := true, error(nil)
	if m.Guard != nil {
		character, state := c.textsOf(i)
		holds, failed = m.Guard([]byte(character), c.q.Records[plan.InputRoot], []byte(state))
	}
	if failed == nil && !holds {
		return m.Unallowed(), nil
	}
	return c.judgeGuard(i, m.Event, failed)
}

// judgeGuard judges the guard of an event in a state, as Guards.Judge does.
func (c *chain) judgeGuard(i int, event string, failed error) (*Hindrance, error) {
	return c.guards.Judge(event, failed, func(f *vm.Frame, base func(plan.Root) int) {
		c.writeState(c.nodes[i].state, f, base)
	})
}

// inputsOf returns the inputs that a move may give its event in a state: nil when its guard does not hold.
func (c *chain) inputsOf(i int, m *Move) ([][]byte, error) {
	if m.Guard == nil && m.Inputs == nil {
		return [][]byte{m.Input}, nil
	}
	character, state := c.textsOf(i)
	input := c.q.Records[plan.InputRoot]
	if m.Guard != nil {
		if ok, err := m.Guard([]byte(character), input, []byte(state)); err != nil || !ok {
			return nil, err
		}
	}
	if m.Inputs == nil {
		return [][]byte{m.Input}, nil
	}
	inputs, err := m.Inputs([]byte(character), input, []byte(state))
	if err == nil && c.aim == nil && len(inputs) > 1 {
		err = fmt.Errorf("event %s: there are %d inputs to choose from, and nothing says which is best, as --best does",
			m.Event, len(inputs))
	}
	return inputs, err
}

// charge charges work to the budget, and returns an error when that is spent or the question is stopped.
func (c *chain) charge(cost int) error {
	select {
	case <-c.q.Stop:
		return odds.ErrStopped
	default:
	}
	if c.spent += int64(cost); c.spent > c.q.Budget {
		return &odds.BudgetError{Subject: "procedure " + c.plan.ID, Needs: float64(c.spent), Budget: float64(c.q.Budget),
			What: "states"}
	}
	return nil
}

// packInput returns the decoded input of a move's event. Each text is decoded once.
func (c *chain) packInput(move int, text []byte) (*eventInput, error) {
	if known := c.inputs[move][string(text)]; known != nil {
		return known, nil
	}
	shape := c.shapeOfInput(c.policy[move].Event)
	packed, err := c.packAs(plan.EventRoot, shape, text)
	if err != nil {
		return nil, err
	}
	if c.inputs[move] == nil {
		c.inputs[move] = map[string]*eventInput{}
	}
	whole := text
	if len(text) == 0 {
		whole = []byte("{}")
	}
	whole = jsonio.Complete(c.states.image, jsonio.NewRootSchema(c.states.image, plan.EventRoot, shape), whole)
	out := &eventInput{string(whole), packed}
	c.inputs[move][string(text)] = out
	return out, nil
}

// strideOf returns the step that a move of the policy takes in a state.
func (c *chain) strideOf(i, move int, text []byte) (*stride, error) {
	input, err := c.packInput(move, text)
	if err != nil {
		return nil, err
	}
	event := c.policy[move].Event
	s := &stride{event: event, rule: c.events[event], records: c.q.Records}
	if s.rule.Decides() {
		character, state := c.textsOf(i)
		s.records[plan.CharacterRoot], s.records[plan.StateRoot] = []byte(character), []byte(state)
		s.records[plan.EventRoot] = []byte(input.text)
	}
	state := c.nodes[i].state
	s.fill = func(f *vm.Frame, x *vm.Fragment) error {
		c.writeState(state, f, x.Base)
		input.packed.Load(f, f.Slots()[x.Base(plan.EventRoot):])
		return nil
	}
	return s, nil
}
