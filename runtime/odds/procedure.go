package odds

import (
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/vm"
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
	states *stateStore
	at     []int // of each state of the store, 1 + the number of its node; 0 when it has none
	given  *given
	lost   int // 1 + the node of what was not followed; 0 while there is none
	// Roots that are the same in every state, decoded once, and the inputs of the policy's events.
	fixed  [plan.NumRoots]*jsonio.Packed
	inputs []*jsonio.Packed
	judge  *runtime.Judge
	exact  bool
	asked  bool  // fractions are, whatever they take
	words  int64 // of fractions that were multiplied
	spent  int64

	readers  map[*vm.Executor]*stateReader
	reached  []reached // by the last step
	stamps   []int     // of each state of the store: 1 + where it stood in reached when a step last led there
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
	c := &chain{Process: p, q: q, policy: policy, states: newStateStore(p), judge: p.procedure.NewJudge(), exact: true,
		asked: q.Exact, inputs: make([]*jsonio.Packed, len(policy)),
		readers: map[*vm.Executor]*stateReader{}}
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
		s := Situation{Status: n.status, P: now.cells[k].p}
		character, state := c.texts(now.cells[k].at)
		if s.State = state; c.plan.Changes {
			s.Character = character
		}
		if c.exact {
			s.N = now.fraction(&now.cells[k])
		}
		out = append(out, s)
	}
	return out
}
