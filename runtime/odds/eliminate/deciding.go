package eliminate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// maxOptions is how many values of one field are compared.
const maxOptions = 1_000

// decideField gives the choices of a decision, each with the same weight.
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
		out.add([]int64{v}, e.unit)
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
	lo, hi, err := d.findLimits(read)
	if err != nil {
		return nil, err
	}
	if d.Options == nil {
		return e.listAll(d, lo, hi)
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
		bits, ok := e.slotOf(d.shape, v, lo, hi)
		if ok && !slices.Contains(out, bits) {
			out = append(out, bits)
		}
	}
	switch {
	case len(out) == 0 && len(values) == 0:
		return nil, errors.New("there is nothing to choose from")
	case len(out) == 0:
		return nil, fmt.Errorf("it may not be %s: it is %s", values[0], describeShape(d.shape, lo, hi))
	case len(out) > 1 && !e.play.compares:
		return nil, fmt.Errorf("there are %d values to choose from, and nothing says which is best, as --best does",
			len(out))
	}
	return out, nil
}

// describeShape describes the possible values of a decided field; a number lies between lo and hi.
func describeShape(s *plan.Shape, lo, hi int64) string {
	switch {
	case s.Kind == plan.Bool:
		return "true or false"
	case s.Kind == plan.String && s.Enum == nil:
		return "a string"
	case s.Kind == plan.String:
		return "one of " + strings.Join(s.Enum, ", ")
	case lo > math.MinInt64 && hi < math.MaxInt64:
		return fmt.Sprintf("a whole number from %d to %d", lo, hi)
	case lo > math.MinInt64:
		return fmt.Sprintf("a whole number of at least %d", lo)
	case hi < math.MaxInt64:
		return fmt.Sprintf("a whole number of at most %d", hi)
	}
	return "a whole number"
}

// findLimits are the bounds of a number that is decided.
func (d *decidedField) findLimits(read func(*vm.Location) (jsonio.Value, error)) (lo, hi int64, err error) {
	lo, hi = math.MinInt64, math.MaxInt64
	if b := d.shape.Min; b != nil {
		if lo = int64(math.Ceil(b.Value)); b.Open && float64(lo) == b.Value {
			lo++
		}
	}
	if b := d.shape.Max; b != nil {
		if hi = int64(math.Floor(b.Value)); b.Open && float64(hi) == b.Value {
			hi--
		}
	}
	if d.least != nil {
		v, err := read(d.least)
		if err != nil {
			return 0, 0, err
		}
		lo = max(lo, int64(math.Ceil(odds.Number(v))))
	}
	if d.most != nil {
		v, err := read(d.most)
		if err != nil {
			return 0, 0, err
		}
		hi = min(hi, int64(math.Floor(odds.Number(v))))
	}
	return lo, hi, nil
}

// listAll lists all that a field may be.
func (e *engine[W]) listAll(d *decidedField, lo, hi int64) (out []int64, err error) {
	switch d.shape.Kind {
	case plan.Bool:
		return []int64{0, 1}, nil
	case plan.String:
		for _, text := range d.shape.Enum {
			out = append(out, e.symbolOf(text))
		}
	case plan.Int:
		if lo > hi {
			return nil, fmt.Errorf("it may be nothing: at least %d and at most %d", lo, hi)
		}
		if lo == math.MinInt64 || hi == math.MaxInt64 || hi-lo >= maxOptions {
			return nil, errors.New("it has no bounds, or too many values to compare: name those that it may be, as a list")
		}
		for v := lo; v <= hi; v++ {
			if !isExcluded(d.shape, v) {
				out = append(out, v)
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("name the values that it may be, as a list")
	}
	return out, nil
}

func isExcluded(s *plan.Shape, v int64) bool {
	return slices.ContainsFunc(s.Not, func(b plan.Bound) bool { return b.Value == float64(v) })
}

// slotOf is a value as a slot; not ok when the field may not be that.
func (e *engine[W]) slotOf(s *plan.Shape, v jsonio.Value, lo, hi int64) (bits int64, ok bool) {
	if v.Kind() != s.Kind {
		return 0, false
	}
	switch s.Kind {
	case plan.Bool:
		return v.Int(), true
	case plan.String:
		return e.symbolOf(v.Text()), s.Enum == nil || slices.Contains(s.Enum, v.Text())
	}
	return v.Int(), lo <= v.Int() && v.Int() <= hi && !isExcluded(s, v.Int())
}
