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

// begin is where the procedure may be before any event.
func (c *chain) begin() (map[int]*big.Rat, error) {
	if len(c.q.Records[plan.StateRoot]) > 0 {
		return map[int]*big.Rat{0: big.NewRat(1, 1)}, c.beginAt()
	}
	first, den, _, err := c.outcomes(&stride{rule: c.start, from: -1, records: c.q.Records})
	now := map[int]*big.Rat{}
	for _, e := range first {
		now[e.to] = new(big.Rat).SetFrac(e.n, den)
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
		if c.given.packed[root], err = c.pack(root); err != nil {
			return err
		}
	}
	return nil
}

// pack decodes a record of the question.
func (c *chain) pack(root plan.Root) (*jsonio.Packed, error) {
	shape := c.plan.Input
	switch root {
	case plan.CharacterRoot:
		shape = c.program.Plan().Character
	case plan.StateRoot:
		shape = c.plan.State
	}
	return c.packAs(root, shape, c.q.Records[root])
}

// packAs decodes a record, of which nothing is an empty one.
func (c *chain) packAs(root plan.Root, shape *plan.Shape, text []byte) (*jsonio.Packed, error) {
	if len(text) == 0 {
		text = []byte("{}")
	}
	return jsonio.Pack(c.states.image, jsonio.NewRootSchema(c.states.image, root, shape), text)
}

// fixRoots decodes what is the same in every state.
func (c *chain) fixRoots() (err error) {
	roots := []plan.Root{plan.InputRoot}
	if !c.plan.Changes {
		roots = append(roots, plan.CharacterRoot)
	}
	for _, root := range roots {
		if c.fixed[root] != nil {
			continue
		}
		if c.fixed[root], err = c.pack(root); err != nil {
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
		c.states.load(state, f, base)
		return
	}
	for root, p := range c.given.packed {
		if p != nil {
			p.Load(f, f.Slots()[base(plan.Root(root)):])
		}
	}
}

// texts are the character and the state of a node, in JSON; empty of what was not followed.
func (c *chain) texts(i int) (character, state string) {
	switch {
	case i == 0 && c.given != nil:
		return c.given.character, c.given.state
	case c.nodes[i].state < 0:
		return "", ""
	}
	state, character = c.states.texts(c.nodes[i].state)
	if !c.plan.Changes {
		character = string(c.q.Records[plan.CharacterRoot])
	}
	return character, state
}

// visit is the node of a state.
//
// The budget of states is that of nodes. Beyond MaxExactStates fractions are given up at once, but not while moves are
// explored: of those states most are left out again.
func (c *chain) visit(state int) (int, error) {
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
	if err != nil && len(c.nodes) > 0 && c.procedure.IsOutgrown(err) {
		status, err = Outgrown, nil
	}
	if err != nil {
		return 0, err
	}
	if len(c.nodes) == MaxStates {
		subject := "procedure " + c.plan.ID
		return 0, &odds.BudgetError{Subject: subject, Needs: MaxStates + 1, Budget: MaxStates, What: "different states"}
	}
	c.nodes = append(c.nodes, node{state: state, status: status})
	c.at[state] = len(c.nodes)
	if len(c.nodes) > MaxExactStates && !c.explores {
		c.exact, c.q.Exact = false, false
	}
	return len(c.nodes) - 1, nil
}

// isGiven reports whether a state is written as the one with which the course began.
func (c *chain) isGiven(state int) bool {
	if c.given == nil {
		return false
	}
	text, character := c.states.texts(state)
	return text == c.given.state && (!c.plan.Changes || character == c.given.character)
}

// statusOf judges a state. One that does not fit what is declared is judged as it is written, which says why.
func (c *chain) statusOf(state int) (string, error) {
	if err := c.fixRoots(); err != nil {
		return "", err
	}
	if c.states.fits(state) {
		return c.judge.JudgeStatus(func(f *vm.Frame, base func(plan.Root) int) { c.writeState(state, f, base) })
	}
	text, character := c.states.texts(state)
	if !c.plan.Changes {
		character = string(c.q.Records[plan.CharacterRoot])
	}
	status, _, err := c.judge.Judge([]byte(character), c.q.Records[plan.InputRoot], []byte(text))
	return status, err
}

// outcomes are the nodes that a step leads to, with the denominator of their fractions. A state in which it is refused is
// left as it is. Where choices are compared, what they lead to comes as branches, and neither.
//
// Unless choices are compared, what is reached is sorted by value before nodes are made of it, because package
// eliminate gives it in no order that may be relied on. So nodes have the same numbers however the states were found.
func (c *chain) outcomes(s *stride) ([]edge, *big.Int, *branches, error) {
	q := odds.Question{Records: s.records, Exact: c.q.Exact, Budget: max(1, c.q.Budget-c.spent), Stop: c.q.Stop}
	t, err := c.steps.Take(s.rule, q, s.fill)
	if b, is := errors.AsType[*odds.BudgetError](err); is {
		b.Needs, b.Budget = b.Needs+float64(c.spent), float64(c.q.Budget)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	c.spent += t.Spent
	if t.Choices == nil {
		slices.SortFunc(t.Reached, func(a, b eliminate.Reached) int { return c.states.compare(a.State, b.State) })
	}
	for _, e := range t.Endings {
		isImpossible := e.Kind == odds.NotOffered || e.Kind == odds.Refused && c.aim != nil && s.from >= 0
		// The endings of branches are summed over all choices, so only that nothing is reached says that none is possible.
		if isImpossible && (t.Choices == nil && e.P == 1 || t.Choices != nil && len(t.Reached) == 0) {
			return nil, nil, nil, nil
		}
	}
	out := make([]edge, 0, len(t.Reached)+len(t.Endings))
	for _, x := range t.Reached {
		to, err := c.visit(x.State)
		if err != nil {
			return nil, nil, nil, err
		}
		out = append(out, edge{to, x.P, x.N})
	}
	if t.Choices != nil {
		b := newBranches(t)
		for k := range out {
			b.rows[k].edge = out[k]
		}
		return nil, nil, b, nil
	}
	for _, e := range t.Endings {
		to, err := c.nodeOfEnding(s, e)
		if err != nil {
			return nil, nil, nil, err
		}
		out = append(out, edge{to, e.P, e.N})
	}
	return out, reduceEdges(out, t.Den), nil, nil
}

// nodeOfEnding is the node that a step leads to where it ends without a state: the one that it left when it is refused.
func (c *chain) nodeOfEnding(s *stride, e odds.Ended) (int, error) {
	switch {
	case e.Kind == odds.Refused && s.from >= 0 && e.P < 1:
		return s.from, nil
	case e.Kind == odds.Unfollowed:
		return c.unfollowed(), nil
	}
	return 0, fmt.Errorf("with probability %g: %s", e.P, e.Message)
}

// unfollowed stands for all that comes of dice that explode further than was followed.
func (c *chain) unfollowed() int {
	if c.lost == 0 {
		c.nodes = append(c.nodes, node{state: -1, status: unfollowedStatus})
		c.lost = len(c.nodes)
	}
	return c.lost - 1
}

// findOffers finds the moves of the policy that can happen in a state, the first ones of them.
//
// Without an aim most is 1: moves behind the first that can happen are not even asked for.
func (c *chain) findOffers(i, most int) (out []offer, err error) {
	if err := c.fixRoots(); err != nil {
		return nil, err
	}
	for k := range c.policy {
		m := &c.policy[k]
		inputs, err := c.inputsOf(i, m)
		if err != nil {
			return nil, err
		}
		for _, text := range inputs {
			if c.explores { // each is kept: there may be more of them than states
				if err := c.charge(1); err != nil {
					return nil, err
				}
			}
			input, err := c.packInput(k, text)
			if err != nil {
				return nil, &EventInputError{m.Event, err}
			}
			o := offer{move: k, input: input.text}
			if o.edges, o.den, o.branches, err = c.follow(i, k, input); err != nil {
				return nil, fmt.Errorf("event %s: %w", m.Event, err)
			}
			if o.edges == nil && o.branches == nil {
				continue
			}
			if out = append(out, o); len(out) == most {
				return out, nil
			}
		}
	}
	return out, nil
}

// inputsOf are what a move may give its event in a state: nothing when its guard does not hold.
func (c *chain) inputsOf(i int, m *Move) ([][]byte, error) {
	if m.Guard == nil && m.Inputs == nil {
		return [][]byte{m.Input}, nil
	}
	character, state := c.texts(i)
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

// charge counts work against the budget, and looks whether to stop.
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

// packInput decodes what a move gives its event, each text once.
func (c *chain) packInput(move int, text []byte) (*eventInput, error) {
	if known := c.inputs[move][string(text)]; known != nil {
		return known, nil
	}
	packed, err := c.packAs(plan.EventRoot, c.shapeOfInput(c.policy[move].Event), text)
	if err != nil {
		return nil, err
	}
	if c.inputs[move] == nil {
		c.inputs[move] = map[string]*eventInput{}
	}
	out := &eventInput{string(text), packed}
	c.inputs[move][out.text] = out
	return out, nil
}

// follow lets an event of the policy happen in a state; it gives nothing when the event is not offered there.
func (c *chain) follow(i, move int, input *eventInput) (next []edge, den *big.Int, b *branches, err error) {
	r := c.events[c.policy[move].Event]
	records := c.q.Records
	if r.Decides() {
		character, state := c.texts(i)
		records[plan.CharacterRoot], records[plan.StateRoot] = []byte(character), []byte(state)
		records[plan.EventRoot] = []byte(input.text)
	}
	state := c.nodes[i].state
	return c.outcomes(&stride{rule: r, from: i, records: records, fill: func(f *vm.Frame, x *vm.Fragment) error {
		c.writeState(state, f, x.Base)
		input.packed.Load(f, f.Slots()[x.Base(plan.EventRoot):])
		return nil
	}})
}
