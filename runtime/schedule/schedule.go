package schedule

import "github.com/tabletop-rules/rules/runtime/plan"

// Make returns the code of a graph of a plan. It fails if the graph needs more slots than instructions can name, or if
// an option names an unknown output or pass.
func Make(p *plan.Plan, g *plan.Graph, opt Options) (*Code, error) {
	w := newWork(p, g, opt)
	if err := w.askOutputs(opt.Outputs); err != nil {
		return nil, err
	}
	if err := w.runPasses(opt); err != nil {
		return nil, err
	}
	code, err := w.emitCode(opt.Roots)
	if err != nil {
		return nil, err
	}
	code.outputs = opt.Outputs
	return code, nil
}

// Default returns the code of a graph of a plan for the default options and all outputs.
func Default(p *plan.Plan, body plan.Body, without []string) (*Code, error) {
	opt := Options{Without: without, Shapes: body.Shapes, Roots: body.Slots()}
	for _, o := range p.Options {
		opt.Values = append(opt.Values, o.Default)
	}
	return Make(p, body.Graph, opt)
}
