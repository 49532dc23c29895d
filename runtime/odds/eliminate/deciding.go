package eliminate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// maxOptions is how many values of one field are compared.
const maxOptions = 1_000

// decideField returns the choices of a decision, each with the same weight.
func (e *engine[W]) decideField(s *source, ins []int64) (*Table[W], error) {
	k := slices.IndexFunc(e.decidedFields, func(d *decidedField) bool { return d.leaf == e.Leaves[e.Nodes[s.id].Imm] })
	d, p := e.decidedFields[k], e.play
	key := stateKey(ins)
	options, ok := p.options[k][key]
	if !ok {
		var err error
		if options, err = e.listOptions(d, ins); err != nil {
			return nil, fmt.Errorf("deciding %s: %w", d.Path, err)
		}
		p.options[k][key] = options
	}
	if k > p.open {
		chosen, known := p.best[k][key]
		if !known { // nothing came of any choice in this state, or there is but one
			chosen = options[0]
		}
		return e.unitTable(chosen), nil
	}
	out := e.emptyTable(1)
	for _, v := range options {
		out.addRow([]int64{v}, e.unit)
	}
	return out, nil
}

func stateKey(values []int64) string {
	var key []byte
	for _, v := range values {
		key = binary.AppendVarint(key, v)
	}
	return string(key)
}

// listOptions returns the possible values of a field in a state, as slots.
func (e *engine[W]) listOptions(d *decidedField, ins []int64) ([]int64, error) {
	kept, view := e.executor.Snapshot(), vm.NewView(ins, 1)
	read := func(at *vm.Location) (jsonio.Value, error) {
		v, fault := jsonio.ReadValue(kept, at, view)
		if fault != 0 {
			return v, vm.FailureOf(kept, e.Network.Graph, fault)
		}
		return v, nil
	}
	if d.when != nil {
		if when, err := read(d.when); err != nil || !when.Bool() {
			return []int64{ins[d.given]}, nil // nothing is decided; where when fails the rule says so
		}
	}
	scope, err := d.findScope(read)
	if err != nil {
		return nil, err
	}
	if d.Options == nil {
		return e.listAll(d, &scope)
	}
	var known []jsonio.Value
	for i := range d.reads {
		v, err := read(&d.reads[i])
		if err != nil {
			return nil, err
		}
		known = append(known, v)
	}
	values, err := d.Options(e.play.records, known)
	if err != nil {
		return nil, err
	}
	var out []int64
	for _, v := range values {
		if !scope.Has(v) {
			continue
		}
		if bits := e.slotOf(v); !slices.Contains(out, bits) {
			out = append(out, bits)
		}
	}
	switch {
	case len(out) == 0 && len(values) == 0:
		return nil, errors.New("there is nothing to choose from")
	case len(out) == 0:
		return nil, scope.Refuse(values[0])
	case len(out) > 1 && !e.play.compares:
		return nil, fmt.Errorf("there are %d values to choose from, and nothing says which is best, as --best does",
			len(out))
	}
	return out, nil
}

// findScope returns the values that are open to a field that is decided.
func (d *decidedField) findScope(read func(*vm.Location) (jsonio.Value, error)) (odds.Scope, error) {
	scope := odds.NewScope(d.shape)
	for _, bound := range []struct {
		at     *vm.Location
		narrow func(jsonio.Value)
	}{{d.least, scope.RaiseLeast}, {d.most, scope.LowerMost}} {
		if bound.at == nil {
			continue
		}
		v, err := read(bound.at)
		if err != nil {
			return scope, err
		}
		bound.narrow(v)
	}
	return scope, nil
}

// listAll lists all that a field may be.
func (e *engine[W]) listAll(d *decidedField, scope *odds.Scope) (out []int64, err error) {
	switch d.shape.Kind {
	case plan.Bool:
		return []int64{0, 1}, nil
	case plan.String:
		for _, text := range d.shape.Enum {
			out = append(out, e.symbolOf(text))
		}
	case plan.Int:
		lo, hi := scope.Least, scope.Most
		if lo > hi {
			return nil, fmt.Errorf("it may be nothing: at least %d and at most %d", lo, hi)
		}
		if lo == math.MinInt64 || hi == math.MaxInt64 || hi-lo >= maxOptions {
			return nil, errors.New("it has no bounds, or too many values to compare: name those that it may be, as a list")
		}
		for v := lo; v <= hi; v++ {
			if scope.Has(jsonio.IntValue(v)) {
				out = append(out, v)
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("name the values that it may be, as a list")
	}
	return out, nil
}

// slotOf returns a value as a slot.
func (e *engine[W]) slotOf(v jsonio.Value) int64 {
	if v.Kind() == plan.String {
		return e.symbolOf(v.Text())
	}
	return v.Int()
}
