package odds

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/vm"
)

// A given state is one with which a course begins, as it was written: it is the node of number 0.
type given struct {
	character, state string
	packed           [plan.NumRoots]*jsonio.Packed
}

// begin is where the procedure may be before any event.
func (c *chain) begin() (map[int]*big.Rat, error) {
	if len(c.q.Records[plan.StateRoot]) > 0 {
		return map[int]*big.Rat{0: big.NewRat(1, 1)}, c.beginAt()
	}
	first, den, err := c.outcomes(c.start, -1, nil)
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
		return 0, &BudgetError{Subject: subject, Needs: MaxStates + 1, Budget: MaxStates, What: "different states"}
	}
	c.nodes = append(c.nodes, node{state: state, status: status})
	c.at[state] = len(c.nodes)
	if len(c.nodes) > MaxExactStates {
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

// A reached state is one that a step leads to.
type reached struct {
	state int
	p     float64
	n     *big.Int // over the denominator of the step
}

// outcomes are the nodes that a step leads to, with the denominator of their fractions. A state in which it is refused is
// left as it is; from is its node, -1 of the start. What the step reads, fill puts into its frame: nil of the start, for
// which it is the records of the question.
func (c *chain) outcomes(r *Rule, from int, fill filler) ([]edge, *big.Int, error) {
	c.reached = c.reached[:0]
	q := Question{Records: c.q.Records, Exact: c.q.Exact, Budget: max(1, c.q.Budget-c.spent), Stop: c.q.Stop}
	var endings []Ended
	var den *big.Int
	var err error
	if q.Exact {
		endings, den, err = take(c, r, q, (*way).exact, fill)
	} else {
		endings, _, err = take(c, r, q, (*way).approximate, fill)
	}
	if b, is := errors.AsType[*BudgetError](err); is {
		b.Needs, b.Budget = b.Needs+float64(c.spent), float64(c.q.Budget)
	}
	if err != nil {
		return nil, nil, err
	}
	out := make([]edge, 0, len(c.reached)+len(endings))
	for _, x := range c.reached {
		to, err := c.visit(x.state)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, edge{to, x.p, x.n})
	}
	for _, e := range endings {
		switch {
		case e.Kind == NotOffered && e.P == 1:
			return nil, nil, nil
		case e.Kind == Refused && from >= 0 && e.P < 1:
			out = append(out, edge{from, e.P, e.N})
		case e.Kind == Unfollowed:
			out = append(out, edge{c.unfollowed(), e.P, e.N})
		default:
			return nil, nil, fmt.Errorf("with probability %g: %s", e.P, e.Message)
		}
	}
	return out, reduceEdges(out, den), nil
}

// take carries a step out, and leaves what it leads to in the order of the states.
func take[W weight[W]](
	c *chain, r *Rule, q Question, engineOf func(*way, *runtime.Program) *engine[W], fill filler,
) (endings []Ended, den *big.Int, err error) {
	w, e, t, err := rowsOf(r, q, engineOf, fill)
	if err != nil {
		return nil, nil, err
	}
	c.spent += e.budget.spent
	weights := readStates(c, w, e, t)
	for i := range c.reached {
		c.reached[i].p, c.reached[i].n = probability(weights[i], t.den, e.whole)
	}
	endings, den = endingsOf(t, e.whole), t.den
	slices.SortFunc(c.reached, func(a, b reached) int { return c.states.compare(a.state, b.state) })
	e.release(t)
	return endings, den, nil
}

// readStates finds the states in the rows of a table, each once, and gives their weights.
func readStates[W weight[W]](c *chain, w *way, e *engine[W], t *table[W]) (weights []W) {
	x := c.readers[e.stage]
	if x == nil {
		x = newStateReader(c.states, w)
		c.readers[e.stage] = x
	}
	x.begin(e.stage, e.epoch)
	for i, weight := range t.w {
		state, ok := x.read(t.row(i))
		if !ok {
			_, failure := newReading(w, t, e).values(t.row(i))
			t.end(Ending{Kind: Failed, Message: failure.Error()}, weight)
			continue
		}
		for len(c.stamps) <= state {
			c.stamps = append(c.stamps, 0)
		}
		k := c.stamps[state] - 1
		if k < 0 || k >= len(c.reached) || c.reached[k].state != state {
			c.reached = append(c.reached, reached{state: state})
			c.stamps[state] = len(c.reached)
			weights = append(weights, weight)
			continue
		}
		weights[k] = weights[k].plus(weight)
	}
	return weights
}

// unfollowed stands for all that comes of dice that explode further than was followed.
func (c *chain) unfollowed() int {
	if c.lost == 0 {
		c.nodes = append(c.nodes, node{state: -1, status: unfollowedStatus})
		c.lost = len(c.nodes)
	}
	return c.lost - 1
}

// expand finds what the policy leads to from a state.
func (c *chain) expand(i int) error {
	if c.nodes[i].next != nil || c.nodes[i].status != Open {
		return nil
	}
	if err := c.fixRoots(); err != nil {
		return err
	}
	for k, m := range c.policy {
		if m.Guard != nil {
			character, state := c.texts(i)
			ok, err := m.Guard([]byte(character), c.q.Records[plan.InputRoot], []byte(state))
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
		}
		next, den, err := c.follow(i, k)
		if err != nil {
			return fmt.Errorf("event %s: %w", m.Event, err)
		}
		if next != nil {
			c.nodes[i].next, c.nodes[i].den = next, den
			return nil
		}
	}
	c.nodes[i].status = Stuck
	return nil
}

// follow lets an event of the policy happen in a state; it gives nothing when the event is not offered there.
func (c *chain) follow(i, move int) (next []edge, den *big.Int, err error) {
	m := &c.policy[move]
	r := c.events[m.Event]
	input := c.inputs[move]
	if input == nil {
		if input, err = c.packAs(plan.EventRoot, r.shapes[plan.EventRoot], m.Input); err != nil {
			return nil, nil, err
		}
		c.inputs[move] = input
	}
	state := c.nodes[i].state
	return c.outcomes(r, i, func(f *vm.Frame, x *vm.Fragment) error {
		c.writeState(state, f, x.Base)
		input.Load(f, f.Slots()[x.Base(plan.EventRoot):])
		return nil
	})
}
