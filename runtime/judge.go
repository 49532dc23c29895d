package runtime

import (
	"errors"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Judge judges many states of a procedure, one after the other, in the memory of one evaluation. It may be used by one
// goroutine at a time.
type Judge struct {
	evaluation *evaluation
	procedure  *Procedure
	outputs    []vm.Location // that are asked for
}

// NewJudge prepares the judging of states.
func (d *Procedure) NewJudge() *Judge {
	j := &Judge{evaluation: newEvaluation(d.program.image, d.closing), procedure: d}
	g := &d.procedure.Close
	for i := range g.Outputs.Fields {
		if d.closing.Asked(g.Outputs.Type.Fields[i].Name) {
			j.outputs = append(j.outputs, vm.LocateIn(d.closing, &g.Outputs.Fields[i]))
		}
	}
	return j
}

// Judge finds the status of a procedure in a state, which is plan.Open or the end that holds, and its outputs there. Its
// errors are those of At.
func (j *Judge) Judge(character, input, state []byte) (status string, output jsonio.Value, err error) {
	p := Play{procedure: j.procedure, Character: character, Input: orEmpty(input), State: state}
	if err := p.writeRoots(j.evaluation, j.procedure.closing, true); err != nil {
		return "", output, err
	}
	status, err = p.judgeWith(j.evaluation)
	return status, p.Output, err
}

// JudgeStatus finds the status in a state, as Judge does, but reads no outputs: it only looks whether they can be had.
// write puts the records into the slots of a frame, each root from the slot on that base tells.
func (j *Judge) JudgeStatus(write func(f *vm.Frame, base func(plan.Root) int)) (string, error) {
	d, f := j.procedure, j.evaluation.frame
	f.Reset(d.closing)
	write(f, func(r plan.Root) int { return int(d.closing.Base[r]) })
	status, err := d.findEnd(f)
	if err != nil {
		return "", err
	}
	for i := range j.outputs {
		if !jsonio.IsReadable(f, &j.outputs[i], f.View()) {
			_, err := readOutputs(f, d.closing, &d.procedure.Close)
			return status, err
		}
	}
	return status, nil
}

// judgeWith judges the ends and reads the outputs in a frame whose roots are written.
func (p *Play) judgeWith(e *evaluation) (status string, err error) {
	d := p.procedure
	if status, err = d.findEnd(e.frame); err != nil {
		return "", err
	}
	p.Output, err = readOutputs(e.frame, d.closing, &d.procedure.Close)
	return status, err
}

// findEnd evaluates the ends and the outputs in a frame whose roots are written. It gives the first end that holds, or
// Open.
func (d *Procedure) findEnd(f *vm.Frame) (status string, err error) {
	g := &d.procedure.Close
	if err := vm.Evaluate(f, d.closing, g, nil); err != nil {
		return "", err
	}
	for i := range d.ends {
		holds, fault := f.View().Bool(&d.ends[i])
		if fault != 0 {
			return "", vm.FailureOf(f, g, fault)
		}
		if holds {
			return d.procedure.Ends[i], nil
		}
	}
	return plan.Open, nil
}

// IsOutgrown reports whether an error says that a state does not fit what the procedure declares of it: a list that grows
// with every event in the end has more elements than are allowed. The procedure can write such a state and not read it.
func (d *Procedure) IsOutgrown(err error) bool {
	e, ok := errors.AsType[*jsonio.InputError](err)
	return ok && e.Root == d.state.Root
}
