// Package closing judges the states of a procedure: which end holds in one, which outputs it has there, and which
// events are offered. A play judges the state after each step, and a chain of states all that it meets.
package closing

import (
	"errors"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Closing is the graph that closes the steps of a procedure, ready for execution. It may be used by several goroutines
// at once.
type Closing struct {
	Code    *schedule.Code
	image   *vm.Image
	graph   *plan.Graph
	ids     []string // of the ends
	schemas []rootSchema
	ends    []vm.Location // the truths that say which end holds
	outputs []vm.Location // that are asked for
}

// A rootSchema is the schema of a record that the graph reads.
type rootSchema struct {
	root    plan.Root
	schema  *jsonio.Schema
	limited bool // whether fields of it set bounds for each other
}

// New returns the closing of a procedure whose closing graph is scheduled as code.
func New(image *vm.Image, d *plan.Procedure, code *schedule.Code) *Closing {
	c := &Closing{Code: code, image: image, graph: &d.Close, ids: d.Ends}
	add := func(root plan.Root, shape *plan.Shape) {
		schema := jsonio.NewRootSchema(image, root, shape)
		c.schemas = append(c.schemas, rootSchema{root, schema, schema.HasLimits()})
	}
	add(plan.CharacterRoot, image.Plan().Character)
	add(plan.InputRoot, d.Input)
	add(plan.StateRoot, d.State)
	for i := range d.Close.Ends {
		c.ends = append(c.ends, vm.LocateIn(code, &d.Close.Ends[i]))
	}
	for i := range d.Close.Outputs.Fields {
		if code.Asked(d.Close.Outputs.Type.Fields[i].Name) {
			c.outputs = append(c.outputs, vm.LocateIn(code, &d.Close.Outputs.Fields[i]))
		}
	}
	return c
}

// A Judge judges many states, one after the other, in the memory of one evaluation. It may be used by one goroutine at a
// time.
type Judge struct {
	*Closing
	frame   *vm.Frame
	decoder *jsonio.Decoder
	mark    vm.Mark // behind the records that Fix has written
}

// NewJudge returns a judge of states.
func (c *Closing) NewJudge() *Judge {
	f := vm.NewFrame(c.image, c.Code)
	return &Judge{Closing: c, frame: f, decoder: jsonio.NewDecoder(f)}
}

// Judge returns the status in a state, which is plan.Open or the end that holds, and the outputs there. Its errors are
// those of an evaluation.
func (j *Judge) Judge(character, input, state []byte) (status string, output jsonio.Value, err error) {
	j.frame.Reset(j.Code)
	records := [...][]byte{character, input, state}
	for i, s := range j.schemas {
		if err := j.decoder.DecodeTo(s.schema, records[i], int(j.Code.Base[s.root])); err != nil {
			return "", output, err
		}
	}
	if status, err = j.findEnd(); err != nil {
		return "", output, err
	}
	output, err = jsonio.ReadOutputs(j.frame, j.Code, j.graph)
	return status, output, err
}

// JudgeFrame returns the status in a state, as Judge does, but reads no outputs: it only looks whether they can be had.
// write puts the records into the slots of a frame, each root from the slot on that base tells.
func (j *Judge) JudgeFrame(write func(f *vm.Frame, base func(plan.Root) int)) (string, error) {
	j.frame.Reset(j.Code)
	write(j.frame, j.base)
	return j.judgeFrame()
}

// base returns the slot from which on a root lies.
func (j *Judge) base(r plan.Root) int { return int(j.Code.Base[r]) }

// Fix writes records that are the same in all states that JudgeFixed is asked about.
func (j *Judge) Fix(write func(f *vm.Frame, base func(plan.Root) int)) {
	j.frame.Reset(j.Code)
	write(j.frame, j.base)
	j.mark = j.frame.Mark()
}

// JudgeFixed is JudgeFrame for a write that leaves out the records of Fix.
func (j *Judge) JudgeFixed(write func(f *vm.Frame, base func(plan.Root) int)) (string, error) {
	j.frame.ResetTo(j.mark)
	write(j.frame, j.base)
	return j.judgeFrame()
}

// judgeFrame judges the state whose records are written. Each of their fields is within bounds of its own, which those that
// wrote them have judged.
func (j *Judge) judgeFrame() (string, error) {
	f := j.frame
	for i := range j.schemas {
		s := &j.schemas[i]
		if !s.limited {
			continue
		}
		if err := s.schema.JudgeLimits(f, f.Slots()[j.base(s.root):]); err != nil {
			err.Root = s.schema.Root
			return "", err
		}
	}
	status, err := j.findEnd()
	if err != nil {
		return "", err
	}
	for i := range j.outputs {
		if !jsonio.IsReadable(f, &j.outputs[i], f.View()) {
			_, err := jsonio.ReadOutputs(f, j.Code, j.graph)
			return status, err
		}
	}
	return status, nil
}

// ReadOutputs returns the outputs in the state that was judged last.
func (j *Judge) ReadOutputs() (jsonio.Value, error) {
	return jsonio.ReadOutputs(j.frame, j.Code, j.graph)
}

// findEnd evaluates the ends and the outputs in the frame, whose roots are written. It returns the first end that holds, or
// plan.Open.
func (j *Judge) findEnd() (status string, err error) {
	if err := vm.Evaluate(j.frame, j.Code, j.graph, nil); err != nil {
		return "", err
	}
	for i := range j.ends {
		holds, fault := j.frame.View().Bool(&j.ends[i])
		if fault != 0 {
			return "", vm.FailureOf(j.frame, j.graph, fault)
		}
		if holds {
			return j.ids[i], nil
		}
	}
	return plan.Open, nil
}

// IsOutgrown reports whether an error says that a state, or a character that changes with it, exceeds its declaration:
// a list that grows with every event has in the end more elements than are allowed. The procedure can write it but not
// read it.
func (c *Closing) IsOutgrown(err error) bool {
	e, ok := errors.AsType[*jsonio.InputError](err)
	return ok && slices.ContainsFunc(c.schemas, func(s rootSchema) bool {
		return s.root != plan.InputRoot && s.schema.Root == e.Root
	})
}

// Schedule returns the closing of a procedure when options have these values, by index.
func Schedule(image *vm.Image, d *plan.Procedure, options []int) (*Closing, error) {
	steps := image.Plan().Steps(d)
	last := steps[len(steps)-1]
	code, err := schedule.Make(image.Plan(), last.Graph,
		schedule.Options{Values: options, Roots: last.Slots(), Shapes: last.Shapes})
	if err != nil {
		return nil, err
	}
	image.PrepareTables(code)
	return New(image, d, code), nil
}
