package runtime

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// A traced evaluation is a second one, with the faces that fell and with code that keeps every value. So a sheet is the
// same whether it is traced or not, and what is not traced runs as fast as it can.

// traceAgain evaluates a body again with the faces that fell, and returns the trees of the values that leave it. The
// records are put into the frame by read.
func (p *Program) traceAgain(b plan.Body, values []int, outputs []string, faces dice.Rolls,
	read func(*evaluation, *schedule.Code) error) ([]*trace.Step, error) {
	v, err := p.prepareTrace(b, b.Graph, values, read)
	if err != nil {
		return nil, err
	}
	again := map[string][]int64{}
	for _, r := range faces {
		again[r.ID] = r.Faces
	}
	if err := vm.Evaluate(v.Frame, v.Code, b.Graph, dice.ByID(again)); err != nil {
		return nil, err
	}
	if outputs != nil {
		v.Asked = func(name string) bool { return slices.Contains(outputs, name) }
	}
	return v.Trees(), nil
}

// prepareTrace makes an evaluation that is about to run so that it can be traced, with the records that read puts into
// its frame. It carries out the graph of a body, or one with the same nodes and fewer effects; the terms are read off the
// body's.
func (p *Program) prepareTrace(b plan.Body, g *plan.Graph, values []int, read func(*evaluation, *schedule.Code) error) (
	*trace.Evaluation, error) {
	code, err := schedule.Make(p.plan, g,
		schedule.Options{Values: values, Full: true, Roots: b.Slots(), Shapes: b.Shapes})
	if err != nil {
		return nil, err
	}
	p.image.PrepareTables(code)
	e := newEvaluation(p.image, code)
	e.frame.Reset(code)
	if err := read(e, code); err != nil {
		return nil, err
	}
	v := &trace.Evaluation{Plan: p.plan, Graph: b.Graph, Code: code, Frame: e.frame, Values: values}
	return v, v.Watch()
}
