package closing

import (
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Guard judges whether an event is offered in a state, in the memory of one evaluation. What else the event does is not
// evaluated. It may be used by one goroutine at a time.
type Guard struct {
	code  *schedule.Code
	graph *plan.Graph
	frame *vm.Frame
}

// NewGuard returns the guard of an event, by its index, when options have these values, by index.
func NewGuard(image *vm.Image, d *plan.Procedure, event int, options []int) (*Guard, error) {
	body := image.Plan().Steps(d)[1+event]
	graph := schedule.CutGuard(body.Graph)
	code, err := schedule.Make(image.Plan(), graph,
		schedule.Options{Values: options, Roots: body.Slots(), Shapes: body.Shapes})
	if err != nil {
		return nil, err
	}
	image.PrepareTables(code)
	return &Guard{code, graph, vm.NewFrame(image, code)}, nil
}

// Judge returns nil where the event is offered, a *vm.Refused without a message where it is not, and else the failure
// of the guard. write puts the records into the slots of a frame, each root from the slot on that base tells.
func (g *Guard) Judge(write func(f *vm.Frame, base func(plan.Root) int) error) error {
	g.frame.Reset(g.code)
	if err := write(g.frame, func(r plan.Root) int { return int(g.code.Base[r]) }); err != nil {
		return err
	}
	if err := vm.Run(g.frame, g.code, dice.FromList(nil)); err != nil {
		return vm.Explain(g.frame, g.graph, err)
	}
	return nil
}
