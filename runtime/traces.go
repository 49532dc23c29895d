package runtime

import (
	"errors"
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

// A Refusal is what led to a requirement that does not hold.
type Refusal struct {
	// Step is the requirement with the values that it read; nil when a plan that was cut down to some rules cannot tell.
	Step *Step
	Dice []Rolled // the faces that had fallen
}

// WhyRefused carries out again what was refused, and says which values the requirement read. The dice must fall as they
// did. It is nil when nothing is refused.
func (r *Rule) WhyRefused(q Request) (*Refusal, error) {
	body := r.program.plan.RuleBody(r.rule)
	code, err := r.program.fullCode(body, r.values)
	if err != nil {
		return nil, err
	}
	e := newEvaluation(r.program.image, code)
	e.frame.Reset(code)
	q.Character = orEmpty(q.Character)
	if err := r.writeRoots(e, code, r.characterFor(q.Character), q); err != nil {
		return nil, err
	}
	v := trace.Evaluation{Plan: r.program.plan, Graph: body.Graph, Code: code, Frame: e.frame, Values: r.values}
	if err := v.Watch(); err != nil {
		return nil, err
	}
	var refused *Refused
	if err := vm.Evaluate(e.frame, code, body.Graph, q.Dice); !errors.As(err, &refused) {
		return nil, err
	}
	return &Refusal{Step: v.Requirement(refused.Require.Message, refused.Require.Place),
		Dice: vm.ListFaces(e.frame, body.Graph)}, nil
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
