package schedule

import "github.com/tabletop-rules/rules/runtime/plan"

// Make schedules a graph of a plan. It fails when the graph needs more slots than words can name, or when an option
// names an output or a pass that there is not.
func Make(p *plan.Plan, g *plan.Graph, opt Options) (*Code, error) {
	w := newWork(p, g, opt)
	if err := w.ask(opt.Outputs); err != nil {
		return nil, err
	}
	if err := w.passes(opt); err != nil {
		return nil, err
	}
	code, err := w.emit(opt.Roots)
	if err != nil {
		return nil, err
	}
	code.outputs = opt.Outputs
	return code, nil
}

// Default schedules a graph of a plan for the default options and all outputs.
func Default(p *plan.Plan, body plan.Body, without []string) (*Code, error) {
	opt := Options{Without: without, Shapes: body.Shapes, Roots: body.Slots()}
	for _, o := range p.Options {
		opt.Values = append(opt.Values, o.Default)
	}
	return Make(p, body.Graph, opt)
}
