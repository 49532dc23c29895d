package runtime

import (
	"slices"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
	"github.com/tabletop-rules/rules/runtime/trace"
	"github.com/tabletop-rules/rules/runtime/vm"
)

// A traced evaluation is a second one, with the faces that fell and with code that keeps every value. So a sheet is the
// same whether it is traced or not, and what is not traced runs as fast as it can.

// traceAgain evaluates a body again with the faces that fell, and gives the trees of what leaves it. The records are put
// into the frame by read.
func (p *Program) traceAgain(b plan.Body, values []int, outputs []string, faces []Rolled,
	read func(*evaluation, *schedule.Code) error) ([]*Step, error) {
	code, err := p.fullCode(b, values)
	if err != nil {
		return nil, err
	}
	e := newEvaluation(p.image, code)
	e.frame.Reset(code)
	if err := read(e, code); err != nil {
		return nil, err
	}
	again := map[string][]int64{}
	for _, r := range faces {
		again[r.ID] = r.Faces
	}
	v := trace.Evaluation{Plan: p.plan, Graph: b.Graph, Code: code, Frame: e.frame, Values: values}
	if err := v.Watch(); err != nil {
		return nil, err
	}
	if err := vm.Evaluate(e.frame, code, b.Graph, dice.ByID(again)); err != nil {
		return nil, err
	}
	if outputs != nil {
		v.Asked = func(name string) bool { return slices.Contains(outputs, name) }
	}
	return v.Trees(), nil
}

// fullCode is the code of a body that computes and keeps every node.
func (p *Program) fullCode(b plan.Body, values []int) (*schedule.Code, error) {
	full := schedule.Options{Values: values, Full: true, Roots: b.Slots(), Shapes: b.Shapes}
	code, err := schedule.Make(p.plan, b.Graph, full)
	if err != nil {
		return nil, err
	}
	p.image.PrepareTables(code)
	return code, nil
}
