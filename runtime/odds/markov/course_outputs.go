package markov

import (
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// StatusName is the name under which the status of a procedure stands beside its outputs, unless an output has that name.
const StatusName = "status"

// StateName is the name under which formulas read the state, unless an output has that name.
const StateName = "state"

// OutcomeType returns the record of a state's observable values: the outputs of the procedure and, in front of them,
// its status.
func (p *Process) OutcomeType() *plan.Type {
	outputs := p.plan.Close.Outputs.Type
	if i, _ := outputs.Field(StatusName); i >= 0 {
		return outputs
	}
	statuses := slices.Concat([]string{Open}, p.plan.Ends, []string{Stuck})
	status := plan.Field{Name: StatusName, Type: &plan.Type{Kind: plan.String, Enum: statuses}}
	return &plan.Type{Kind: plan.Record, Fields: append([]plan.Field{status}, outputs.Fields...)}
}

// ReadableType returns the record of the values of a state that a formula may read: those of OutcomeType, and behind
// them the state as a whole. If a question names the state among its outputs, a course tells it too, and keeps all
// states apart.
func (p *Process) ReadableType() *plan.Type {
	t := p.OutcomeType()
	if i, _ := t.Field(StateName); i >= 0 {
		return t
	}
	state := plan.Field{Name: StateName, Type: p.plan.State.Type()}
	return &plan.Type{Kind: plan.Record, Fields: append(slices.Clip(t.Fields), state)}
}

// sharesOf returns the shares of the absorbed states and of the states of a generation, which may still be open.
func (c *chain) sharesOf(now *generation) []share {
	var out []share
	place := map[int]int{}
	add := func(at int, p float64, n, den *big.Int) {
		k, ok := place[at]
		if !ok {
			k = len(out)
			place[at] = k
			out = append(out, share{at: at})
		}
		out[k].p += p
		switch x := &out[k]; {
		case n == nil:
			x.exact = nil
		case x.exact == nil:
			x.exact = new(big.Rat).SetFrac(n, den)
		default:
			x.exact.Add(x.exact, new(big.Rat).SetFrac(n, den))
		}
	}
	for i := range c.absorbed {
		a := &c.absorbed[i]
		add(a.at, a.p, a.n, a.den)
	}
	for i := range now.cells {
		x := &now.cells[i]
		if now.den == nil {
			x.n = nil
		}
		add(x.at, x.p, x.n, now.den)
	}
	return out
}

// takeOutputs answers for the outputs, when they are asked for.
func (c *chain) takeOutputs(out *Course, shares []share, isSituation bool) (err error) {
	if len(c.q.Outputs) > 0 {
		out.Outputs, err = c.jointOf(shares, isSituation)
	}
	return err
}

// jointOf is the joint distribution of the outputs that are asked for. A procedure that goes on has outputs too, but
// they are no result; it counts as an ending unless the situation after so many events is asked for.
func (c *chain) jointOf(shares []share, isSituation bool) (*odds.Joint, error) {
	t := c.OutcomeType()
	j := &odds.Joint{Names: c.q.Outputs, Spent: c.spent, States: len(c.nodes)}
	for _, name := range j.Names {
		i, _ := t.Field(name)
		var order []string
		if i >= 0 {
			order = t.Fields[i].Type.Order()
		}
		j.Orders = append(j.Orders, order)
	}
	if !slices.ContainsFunc(shares, func(s share) bool { return s.exact == nil }) {
		j.Den = big.NewInt(1)
		for _, s := range shares {
			j.Den = pmf.LeastCommonMultiple(j.Den, s.exact.Denom())
		}
	}
	var all odds.Collector
	for _, s := range shares {
		p, n := s.p, (*big.Int)(nil)
		if j.Den != nil {
			n = new(big.Int).Mul(s.exact.Num(), new(big.Int).Quo(j.Den, s.exact.Denom()))
			p = pmf.NumeratorOf(n).Over(j.Den)
		}
		values, ending, err := c.outputsIn(s.at, c.q.Outputs, isSituation)
		switch {
		case err != nil:
			return nil, err
		case ending != nil:
			all.AddEnding(*ending, p, n, j.Den)
		default:
			all.AddOutcome(values, p, n, j.Den)
		}
	}
	j.FillLater(func() ([]odds.Outcome, []odds.Ended) { return all.Outcomes, all.Endings })
	return j, nil
}

// outputsIn are the values that are asked for in a state, or why there are none.
func (c *chain) outputsIn(i int, names []string, isSituation bool) ([]jsonio.Value, *odds.Ending, error) {
	n := &c.nodes[i]
	end := End{Status: n.status}
	if n.why != nil {
		end.Because = n.why.hindrances
	}
	if ending := end.Ending(); ending != nil {
		return nil, ending, nil
	}
	if n.status == Open && !isSituation {
		ending := StillOpen(c.followed)
		return nil, &ending, nil
	}
	character, state := c.textsOf(i)
	_, output, err := c.judge.Judge([]byte(character), c.q.Records[plan.InputRoot], []byte(state))
	if err != nil {
		return nil, nil, err
	}
	var values []jsonio.Value
	for _, name := range names {
		v, ok := output.Get(name)
		switch {
		case ok:
		case name == StatusName:
			v = jsonio.TextValue(n.status)
		case name == StateName:
			schema := jsonio.NewRootSchema(c.states.image, plan.StateRoot, c.plan.State)
			if v, err = jsonio.ParseValue(c.states.image, schema, []byte(state)); err != nil {
				return nil, nil, err
			}
		}
		values = append(values, v)
	}
	return values, nil, nil
}
