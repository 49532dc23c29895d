package odds

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Move is what a policy may do: an event with its input, when the guard holds.
type Move struct {
	Event string
	Input []byte                                             // JSON; empty for {}
	Guard func(character, input, state []byte) (bool, error) // nil: always
}

// A Policy says which event comes next: the first whose guard holds and that is offered.
type Policy []Move

// Limits of the chain of states of a procedure.
const (
	MaxExactStates = 10_000  // beyond them probabilities are floats
	MaxStates      = 200_000 // beyond them there is no answer
	maxSolved      = 48      // open states for which the chances of the ends are solved in closed form

	// Fractions grow with every event. Unless they are asked for, a chain goes on in floats beyond so many words of them.
	maxFractionWords = 1 << 24
)

// Statuses that are no end.
const (
	Open  = runtime.Open
	Stuck = "stuck" // no event of the policy can happen
	// Outgrown is a state that does not fit its own declaration any more, so that it cannot be read and gone on with.
	Outgrown = "outgrown"

	// unfollowedStatus is of all that comes of dice that explode further than was followed.
	unfollowedStatus = "unfollowed"
)

// A Process is a procedure of which odds may be asked under a policy. It may be used by one goroutine at a time.
type Process struct {
	program   *runtime.Program
	procedure *runtime.Procedure
	plan      *plan.Procedure
	start     *Rule
	events    map[string]*Rule
}

// NewProcess prepares a procedure.
func NewProcess(p *runtime.Program, id string, c runtime.Choice) (*Process, error) {
	d, err := p.Procedure(id, c)
	if err != nil {
		return nil, err
	}
	out := &Process{program: p, procedure: d, events: map[string]*Rule{}}
	i := slices.IndexFunc(p.Plan().Procedures, func(x plan.Procedure) bool { return x.ID == id })
	out.plan = &p.Plan().Procedures[i]
	if out.start, err = out.rule(&out.plan.Start, nil, c); err != nil {
		return nil, err
	}
	for k := range out.plan.Events {
		e := &out.plan.Events[k]
		if out.events[e.ID], err = out.rule(&e.Graph, e.Input, c); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// rule prepares a step: what it leads to is the new state and, when the procedure changes it, the new character.
func (p *Process) rule(g *plan.Graph, event *plan.Shape, c runtime.Choice) (*Rule, error) {
	c.Outputs = nil
	r := &Rule{program: p.program, graph: g, choice: c, listed: maxListed}
	r.shapes[plan.CharacterRoot], r.shapes[plan.InputRoot] = p.program.Plan().Character, p.plan.Input
	if event != nil {
		r.shapes[plan.StateRoot], r.shapes[plan.EventRoot] = p.plan.State, event
	}
	r.values, r.names = []*plan.Value{&g.Next[0]}, []string{"state"}
	if p.plan.Changes {
		r.values, r.names = append(r.values, &g.Next[1]), append(r.names, "character")
	}
	var err error
	if r.options, err = p.program.Options(c); err != nil {
		return nil, err
	}
	r.normal, err = r.way(false)
	return r, err
}

// A chain is the states that were met, each once.
type chain struct {
	*Process
	q      Question
	policy Policy
	nodes  []node
	at     map[[2]string]int
	judge  *runtime.Judge
	exact  bool
	asked  bool  // fractions are, whatever they take
	words  int64 // of fractions that were multiplied
	spent  int64

	gathered gatherer
	absorbed []absorption // what has ended; only when outputs are asked for
	followed int          // events
}

// Course follows a procedure for at most so many events, from its start or, when the question has a state, from there. Its
// chances are fractions as long as these are short; when the question is exact, however long they grow.
func (p *Process) Course(q Question, policy Policy, after, most int) (*Course, error) {
	for _, m := range policy {
		if p.events[m.Event] == nil {
			return nil, &runtime.UnknownError{What: "event", Name: m.Event, Known: p.procedure.EventNames()}
		}
	}
	c := &chain{Process: p, q: q, policy: policy, at: map[[2]string]int{}, judge: p.procedure.NewJudge(), exact: true,
		asked: q.Exact}
	c.q.Exact = true
	if q.Budget == 0 {
		c.q.Budget = DefaultBudget
	}
	begin, err := c.begin()
	if err != nil {
		return nil, err
	}
	out := &Course{}
	now := newGeneration(begin)
	for n := 0; ; n++ {
		c.followed = n
		if n == after && after > 0 {
			out.After = c.situations(out.Ends, now)
			if err := c.takeOutputs(out, c.sharesOf(now), true); err != nil {
				return nil, err
			}
		}
		for i := range now.cells {
			if err := c.expand(now.cells[i].at); err != nil {
				return nil, err
			}
		}
		c.takeEnded(out, n, now)
		open := now.sumProbabilities()
		out.Open, out.Events = open, n
		if open < 1e-15 && n >= after || n == most {
			break
		}
		now = c.advance(now)
	}
	out.States, out.Exact = len(c.nodes), c.exact
	for k := range out.Ends {
		if n := now.ended[out.Ends[k].Status]; n != nil && c.exact {
			out.Ends[k].N = new(big.Rat).SetFrac(n, now.den)
		}
	}
	shares := c.solve(out, begin)
	out.finish()
	if after > 0 {
		return out, nil
	}
	if shares == nil {
		shares = c.sharesOf(now)
	}
	return out, c.takeOutputs(out, shares, false)
}

// begin is where the procedure may be before any event.
func (c *chain) begin() (map[int]*big.Rat, error) {
	character, state := string(c.q.Records[plan.CharacterRoot]), string(c.q.Records[plan.StateRoot])
	if state != "" {
		i, err := c.visit(character, state)
		return map[int]*big.Rat{i: big.NewRat(1, 1)}, err
	}
	first, den, err := c.outcomes(c.start, c.q.Records, character, "")
	now := map[int]*big.Rat{}
	for _, e := range first {
		now[e.to] = new(big.Rat).SetFrac(e.n, den)
	}
	return now, err
}

// visit is the number of a state.
func (c *chain) visit(character, state string) (int, error) {
	key := [2]string{character, state}
	if i, ok := c.at[key]; ok {
		return i, nil
	}
	status, _, err := c.judge.Judge([]byte(character), c.q.Records[plan.InputRoot], []byte(state))
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
	c.at[key] = len(c.nodes)
	c.nodes = append(c.nodes, node{character: character, state: state, status: status})
	if len(c.nodes) > MaxExactStates {
		c.exact, c.q.Exact = false, false
	}
	return len(c.nodes) - 1, nil
}

// outcomes are the states that a step leads to, with the denominator of their fractions. A state in which it is refused is
// left as it is.
func (c *chain) outcomes(r *Rule, records Records, character, state string) ([]edge, *big.Int, error) {
	j, err := r.Odds(Question{
		Records: records, Exact: c.q.Exact, Budget: max(1, c.q.Budget-c.spent), Stop: c.q.Stop,
	})
	if b, is := errors.AsType[*BudgetError](err); is {
		b.Needs, b.Budget = b.Needs+float64(c.spent), float64(c.q.Budget)
	}
	if err != nil {
		return nil, nil, err
	}
	c.spent += j.Spent
	var out []edge
	add := func(to int, p float64, n *big.Int) { out = append(out, edge{to: to, p: p, n: n}) }
	for _, o := range j.Outcomes() {
		changed, reached := character, strings.TrimSuffix(o.text, "\n")
		if c.plan.Changes {
			reached, changed, _ = strings.Cut(reached, "\n")
		}
		to, err := c.visit(changed, reached)
		if err != nil {
			return nil, nil, err
		}
		add(to, o.P, o.N)
	}
	for _, e := range j.Endings() {
		switch {
		case e.Kind == NotOffered && e.P == 1:
			return nil, nil, nil
		case e.Kind == Refused && state != "" && e.P < 1:
			add(c.at[[2]string{character, state}], e.P, e.N)
		case e.Kind == Unfollowed:
			to, err := c.unfollowed()
			if err != nil {
				return nil, nil, err
			}
			add(to, e.P, e.N)
		default:
			return nil, nil, fmt.Errorf("with probability %g: %s", e.P, e.Message)
		}
	}
	return out, reduceEdges(out, j.Den), nil
}

// unfollowed stands for all that comes of dice that explode further than was followed.
func (c *chain) unfollowed() (int, error) {
	key := [2]string{"", unfollowedStatus}
	i, ok := c.at[key]
	if !ok {
		i = len(c.nodes)
		c.at[key] = i
		c.nodes = append(c.nodes, node{status: unfollowedStatus})
	}
	return i, nil
}

// expand finds what the policy leads to from a state.
func (c *chain) expand(i int) error {
	if c.nodes[i].next != nil || c.nodes[i].status != Open {
		return nil
	}
	n := c.nodes[i]
	var records Records
	records[plan.InputRoot] = c.q.Records[plan.InputRoot]
	records[plan.CharacterRoot], records[plan.StateRoot] = []byte(n.character), []byte(n.state)
	for _, m := range c.policy {
		if m.Guard != nil {
			ok, err := m.Guard(records[plan.CharacterRoot], records[plan.InputRoot], records[plan.StateRoot])
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
		}
		records[plan.EventRoot] = m.Input
		next, den, err := c.outcomes(c.events[m.Event], records, n.character, n.state)
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

// advance lets the next event happen in every state of a generation, all of which are open.
func (c *chain) advance(now *generation) *generation {
	next := &generation{den: now.den, ended: now.ended}
	by := big.NewInt(1) // what this step makes of the denominator
	for k := range now.cells {
		if den := c.nodes[now.cells[k].at].den; den != nil && c.exact && by.Cmp(den) != 0 {
			by = leastMultiple(by, den)
		}
	}
	c.gathered.begin(len(c.nodes))
	for k := range now.cells {
		from := &c.nodes[now.cells[k].at]
		p, n := now.cells[k].p, now.cells[k].n
		if !c.exact || from.den == nil {
			n = nil
		}
		if n != nil {
			n = new(big.Int).Mul(n, new(big.Int).Quo(by, from.den))
			c.words += int64(len(n.Bits()) * len(from.next))
		}
		for _, e := range from.next {
			c.gathered.add(e.to, p*e.p, n, e.n)
		}
	}
	next.cells = c.gathered.take()
	if c.words > maxFractionWords && !c.asked {
		c.exact, c.q.Exact = false, false
	}
	if c.exact {
		next.den = new(big.Int).Mul(now.den, by)
		for status, n := range now.ended {
			next.ended[status] = n.Mul(n, by)
		}
	}
	return next
}

// takeEnded takes the states that have ended out of a generation.
func (c *chain) takeEnded(out *Course, n int, now *generation) {
	now.cells = slices.DeleteFunc(now.cells, func(x cell) bool {
		status := c.nodes[x.at].status
		if status == Open {
			return false
		}
		k := slices.IndexFunc(out.Ends, func(e End) bool { return e.Status == status })
		if k < 0 {
			k = len(out.Ends)
			out.Ends = append(out.Ends, End{Status: status, N: new(big.Rat)})
		}
		e := &out.Ends[k]
		for len(e.By) <= n {
			e.By = append(e.By, 0)
		}
		if len(c.q.Outputs) > 0 {
			c.absorbed = append(c.absorbed, absorption{x.at, x.p, x.n, now.den})
		}
		e.By[n] += x.p
		e.P += x.p
		if x.n != nil && c.exact {
			if now.ended[status] == nil {
				now.ended[status] = new(big.Int)
			}
			now.ended[status].Add(now.ended[status], x.n)
		}
		return true
	})
}

// situations are the states that have been reached, after the ends that were reached before.
func (c *chain) situations(ends []End, now *generation) (out []Situation) {
	for _, e := range ends {
		s := Situation{Status: e.Status, P: e.P}
		if c.exact {
			s.N = new(big.Rat)
			if n := now.ended[e.Status]; n != nil {
				s.N.SetFrac(n, now.den)
			}
		}
		out = append(out, s)
	}
	for k := range now.cells {
		n := &c.nodes[now.cells[k].at]
		s := Situation{Status: n.status, State: n.state, P: now.cells[k].p}
		if c.plan.Changes {
			s.Character = n.character
		}
		if c.exact {
			s.N = now.fraction(&now.cells[k])
		}
		out = append(out, s)
	}
	return out
}
