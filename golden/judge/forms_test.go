package judge_test

import (
	"slices"

	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// reduced is the form of a graph of which all outputs are asked for.
const reduced = "reduced"

// forms are other ways to write a plan for some values of its options: they say the same.
var forms = map[string]func(p *plan.Plan, options map[string]string) (*runtime.Program, error){
	// as back ends write it in a language, and never carry it out
	reduced: func(p *plan.Plan, options map[string]string) (*runtime.Program, error) {
		return withGraphs(p, options, func(body plan.Body, values []int) *plan.Graph {
			return graphOf(schedule.Reduce(p, body, values, 0, nil), body.Graph)
		})
	},
	// as revisions are compared
	"normal": func(p *plan.Plan, options map[string]string) (*runtime.Program, error) {
		return withGraphs(p, options, func(body plan.Body, _ []int) *plan.Graph {
			g := schedule.Normal(p, body.Graph, body.Shapes)
			g.Terms, g.Names = nil, nil
			return g
		})
	},
	// with the instructions that are kept beside it, for the defaults of the options
	"read from its file": func(p *plan.Plan, _ map[string]string) (*runtime.Program, error) {
		return runtime.Load(planfile.Write(p, schedule.Stored(p)))
	},
}

// graphOf returns what is left of a graph as a graph that can be executed.
func graphOf(r *schedule.Reduced, g *plan.Graph) *plan.Graph {
	out := *g
	out.Nodes, out.Blocks = slices.Clone(r.Nodes), slices.Clone(r.Blocks)
	out.Terms, out.Names = nil, nil
	var constants []plan.ID
	for id := range out.Nodes {
		if n := &out.Nodes[id]; n.Op == plan.OpConst {
			n.Args = nil
			constants = append(constants, plan.ID(id))
		}
	}
	for b := range out.Blocks {
		out.Blocks[b].Nodes = r.Order(int32(b))
	}
	out.Blocks[0].Nodes = append(constants, out.Blocks[0].Nodes...)
	out.Outputs, out.When = replaced(r, g.Outputs), replaced(r, g.When)
	out.Next, out.Ends = allReplaced(r, g.Next), allReplaced(r, g.Ends)
	out.Decisions = nil // what may be decided is a requirement too
	return &out
}

func allReplaced(r *schedule.Reduced, list []plan.Value) (out []plan.Value) {
	for _, v := range list {
		out = append(out, replaced(r, v))
	}
	return out
}

// replaced returns a value in the nodes that stand for its own.
func replaced(r *schedule.Reduced, v plan.Value) plan.Value {
	if v.Type == nil {
		return v
	}
	v.ID, v.Present = r.Replacement(v.ID), r.Replacement(v.Present)
	if v.Fault != plan.None && r.IsNone(v.Fault) {
		v.Fault = plan.None
	}
	v.Fault, v.Fields = r.Replacement(v.Fault), allReplaced(r, v.Fields)
	return v
}

// withGraphs returns a program of which each graph is written in another way.
func withGraphs(p *plan.Plan, options map[string]string, write func(body plan.Body, values []int) *plan.Graph) (*runtime.Program,
	error) {
	values, err := p.OptionValues(plan.Choice{Options: options})
	if err != nil {
		return nil, err
	}
	out := *p
	out.Rules, out.Procedures = slices.Clone(p.Rules), slices.Clone(p.Procedures)
	for i := range out.Rules {
		out.Rules[i].Graph = *write(p.RuleBody(&p.Rules[i]), values)
	}
	for i := range out.Procedures {
		d := &out.Procedures[i]
		d.Events = slices.Clone(d.Events)
		graphs := []*plan.Graph{&d.Start}
		for k := range d.Events {
			graphs = append(graphs, &d.Events[k].Graph)
		}
		for k, body := range p.Steps(&p.Procedures[i]) {
			*append(graphs, &d.Close)[k] = *write(body, values)
		}
	}
	return runtime.New(&out), nil
}

// askInForm compares the sheet of the rule in a program that is written in another form.
func (q *inquiry) askInForm(program *runtime.Program, fell []int64) (string, error) {
	rule, failed := program.Rule(q.asked.ID, runtime.Choice{Options: q.options, Outputs: q.outputs})
	if failed != nil {
		return "", failed
	}
	other := *q
	other.rule = rule
	ours, err := q.judge(&judge.InOrder{Faces: fell})
	sheet, failed := other.eval(q.request(dice.Fallen(fell...)))
	if err != nil || failed != nil {
		return compareErrors(failed, err)
	}
	return compareSheet(sheet.AppendJSON(nil), ours)
}

// playInForm compares a play of the procedure in a program that is written in another form with what the judge has played, or
// with the error that ended it at an event.
func playInForm(o *oracle, program *runtime.Program, id string, q runtime.Request, steps []runtime.Step, options map[string]string,
	ours *judge.Play, err error, at int) (string, error) {
	procedure, failed := program.Procedure(id, runtime.Choice{Options: options})
	if failed != nil {
		return "", failed
	}
	play, failed := procedure.Play(q, steps...)
	o.hear(nil, failed)
	if err != nil || failed != nil {
		return comparePlayErrors(failed, err, at)
	}
	return comparePlay(o, play.AppendJSON(nil), ours, options)
}
