package lower

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// complete gives a record every field of a shape: what it lacks, or has not this time, takes its default.
func (s *scope) complete(v plan.Value, shape *plan.Shape) plan.Value {
	if shape.Kind != plan.Record {
		return s.fit(v, shape.Type())
	}
	t := shape.Type()
	fields := make([]plan.Value, len(shape.Fields))
	for k := range shape.Fields {
		m := &shape.Fields[k]
		i, _ := v.Type.Field(m.Name)
		if i < 0 {
			fields[k] = s.missing(m)
			continue
		}
		fields[k] = s.completeField(v.Fields[i], m)
	}
	out := record(t, fields)
	out.Fault = v.Fault
	return out
}

func (s *scope) completeField(v plan.Value, m *plan.Member) plan.Value {
	present := v.Present
	out := s.complete(v, m.Shape)
	out.Present = present
	if m.Optional || present == plan.None {
		return out
	}
	if m.Default != "" {
		out = s.choose(present, out, s.missing(m))
	}
	out.Present = plan.None
	return out
}

// missing is the value of a member that is not given.
func (s *scope) missing(m *plan.Member) plan.Value {
	if m.Default == "" {
		return s.absent(m.Shape.Type())
	}
	return s.constantJSON(m.Default, m.Shape)
}

// assemble makes a record of a shape from values by path.
func (s *scope) assemble(shape *plan.Shape, prefix string, given map[string]plan.Value) plan.Value {
	fields := make([]plan.Value, len(shape.Fields))
	for i := range shape.Fields {
		m := &shape.Fields[i]
		path := prefix + m.Name
		v, ok := given[path]
		switch {
		case ok:
			fields[i] = s.givenField(v, m)
		case deeper(given, path+"."):
			fields[i] = s.assemblePart(m, path, given)
		default:
			fields[i] = s.missing(m)
		}
	}
	return record(shape.Type(), fields)
}

func (s *scope) givenField(v plan.Value, m *plan.Member) plan.Value {
	v.Present = plan.None
	v = s.complete(v, m.Shape)
	if m.Optional {
		v.Present = s.bool(true)
	}
	return v
}

// assemblePart makes a member of which only parts are given.
func (s *scope) assemblePart(m *plan.Member, path string, given map[string]plan.Value) plan.Value {
	if m.Shape.Kind == plan.Record {
		v := s.assemble(m.Shape, path+".", given)
		if m.Optional {
			v.Present = s.bool(true)
		}
		return v
	}
	v := s.missing(m)
	v.Present = plan.None
	for _, p := range sortedPaths(given, path+".") {
		v = s.replace(v, splitPath(strings.TrimPrefix(p, path+".")), given[p])
	}
	return s.fit(v, m.Shape.Type())
}

func deeper(given map[string]plan.Value, prefix string) bool {
	return len(sortedPaths(given, prefix)) > 0
}

func sortedPaths(given map[string]plan.Value, prefix string) []string {
	var out []string
	for p := range given {
		if strings.HasPrefix(p, prefix) {
			out = append(out, p)
		}
	}
	sort.Strings(out)
	return out
}

// outside is the fault of a value that its shape does not admit, at the place of the expression that made it.
func (s *scope) outside(v plan.Value, shape *plan.Shape, at plan.Place) plan.ID {
	switch shape.Kind {
	case plan.Int, plan.Double:
		return s.outsideBounds(v, shape, at)
	case plan.String:
		return s.outsideEnum(v, shape, at)
	case plan.List:
		return s.outsideList(v, shape, at)
	case plan.Record:
		return s.outsideRecord(v, shape, at)
	}
	return plan.None
}

// unless fails with a message when a condition does not hold.
func (s *scope) unless(ok plan.ID, at plan.Place, message string) plan.ID {
	return s.fault(plan.OpFail, s.site(at), s.plan.symbol(message), ok)
}

func (s *scope) outsideBounds(v plan.Value, shape *plan.Shape, at plan.Place) plan.ID {
	out := plan.None
	compare := func(x, y plan.ID, open bool) plan.ID {
		ops := [2][2]plan.Op{{plan.OpLeInt, plan.OpLtInt}, {plan.OpLeDouble, plan.OpLtDouble}}
		kind, strict := 0, 0
		if shape.Kind == plan.Double {
			kind = 1
		}
		if open {
			strict = 1
		}
		return s.op(ops[kind][strict], plan.Bool, x, y)
	}
	if b := shape.Min; b != nil {
		ok := compare(s.number(shape.Kind, b.Value), v.ID, b.Open)
		out = s.first(out, s.unless(ok, at, "the input must be "+pick(b.Open, "more than ", "at least ")+decimal(b.Value)))
	}
	if b := shape.Max; b != nil {
		ok := compare(v.ID, s.number(shape.Kind, b.Value), b.Open)
		out = s.first(out, s.unless(ok, at, "the input must be "+pick(b.Open, "less than ", "at most ")+decimal(b.Value)))
	}
	for _, b := range shape.Not {
		no := s.number(shape.Kind, b.Value)
		eq := s.op(pickOp(shape.Kind == plan.Double, plan.OpEqDouble, plan.OpEqInt), plan.Bool, v.ID, no)
		out = s.first(out, s.unless(s.not(eq), at, "the input must not be "+decimal(b.Value)))
	}
	return out
}

func pick(c bool, yes, no string) string {
	if c {
		return yes
	}
	return no
}

func pickOp(c bool, yes, no plan.Op) plan.Op {
	if c {
		return yes
	}
	return no
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// number is a bound as a constant of a kind.
func (s *scope) number(kind plan.Kind, v float64) plan.ID {
	if kind == plan.Int {
		return s.int(int64(v))
	}
	return s.double(v)
}

func (s *scope) outsideEnum(v plan.Value, shape *plan.Shape, at plan.Place) plan.ID {
	if shape.Enum == nil || covers(shape.Enum, v.Type.Enum) {
		return plan.None
	}
	ok := s.bool(false)
	for _, e := range shape.Enum {
		ok = s.or(ok, s.op(plan.OpEqInt, plan.Bool, v.ID, s.symbol(e)))
	}
	return s.unless(ok, at, "the input must be one of "+strings.Join(shape.Enum, ", "))
}

// covers reports whether every value that one enum may have is in another.
func covers(all, some []string) bool {
	if some == nil {
		return false
	}
	return !slices.ContainsFunc(some, func(e string) bool { return !slices.Contains(all, e) })
}

func (s *scope) outsideList(v plan.Value, shape *plan.Shape, at plan.Place) plan.ID {
	n := s.size(v.ID)
	most := s.op(plan.OpLeInt, plan.Bool, n, s.int(int64(shape.MaxItems)))
	out := s.unless(most, at, fmt.Sprintf("the input must have at most %d elements", shape.MaxItems))
	if shape.MinItems > 0 {
		least := s.op(plan.OpLeInt, plan.Bool, s.int(int64(shape.MinItems)), n)
		out = s.first(out, s.unless(least, at, fmt.Sprintf("the input must have at least %d elements", shape.MinItems)))
	}
	if !bounded(shape.Elem) {
		return out
	}
	res := s.loop(n, []plan.ID{s.ok()}, func(i plan.ID, acc []plan.ID) []plan.ID {
		return s.carry(acc[0], s.outside(s.element(v, i), shape.Elem, at))
	})
	if len(res) == 0 {
		return out
	}
	return s.first(out, res[0])
}

func (s *scope) outsideRecord(v plan.Value, shape *plan.Shape, at plan.Place) plan.ID {
	if shape.Character {
		return plan.None // a character is checked where it comes from
	}
	out := plan.None
	for i := range shape.Fields {
		f := s.outside(v.Fields[i], shape.Fields[i].Shape, at)
		if f != plan.None && v.Fields[i].Present != plan.None {
			f = s.sel(v.Fields[i].Present, f, s.ok())
		}
		out = s.first(out, f)
	}
	return out
}

// bounded reports whether a shape refuses any value of its type.
func bounded(shape *plan.Shape) bool {
	switch shape.Kind {
	case plan.List:
		return true
	case plan.Record:
		return !shape.Character && slices.ContainsFunc(shape.Fields, func(m plan.Member) bool { return bounded(m.Shape) })
	}
	return shape.Min != nil || shape.Max != nil || shape.Not != nil || shape.Enum != nil
}

// constantJSON is a default as a value. Load has made sure that it is of the shape.
func (s *scope) constantJSON(text string, shape *plan.Shape) plan.Value {
	slots := s.plan.jsonSlots(decode(text), shape)
	return read(shape.Type(), 0, func(offset int, kind plan.Kind) plan.ID { return s.bits(kind, slots[offset]) })
}

// decode reads JSON of a default or a table's cell, numbers as they are written.
func decode(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic("lower: a default is no JSON: " + text)
	}
	return v
}

// jsonSlots lays a JSON value out in the slots of a shape's type; lists and maps go to the plan's constants.
func (p *planner) jsonSlots(v any, shape *plan.Shape) []int64 {
	switch shape.Kind {
	case plan.Int:
		n, err := v.(json.Number).Int64()
		if err != nil {
			f, _ := v.(json.Number).Float64()
			n = int64(f)
		}
		return []int64{n}
	case plan.Double:
		f, _ := v.(json.Number).Float64()
		return []int64{int64(math.Float64bits(f))}
	case plan.Bool:
		if v.(bool) {
			return []int64{1}
		}
		return []int64{0}
	case plan.String:
		return []int64{p.symbol(v.(string))}
	case plan.List:
		return []int64{p.listSlots(v.([]any), shape)}
	case plan.Map:
		return []int64{p.mapSlots(v.(map[string]any), shape)}
	}
	return p.recordSlots(v.(map[string]any), shape)
}

func (p *planner) listSlots(list []any, shape *plan.Shape) int64 {
	var slots []int64
	for _, x := range list {
		slots = append(slots, p.jsonSlots(x, shape.Elem)...)
	}
	return p.span(slots, len(list))
}

func (p *planner) mapSlots(m map[string]any, shape *plan.Shape) int64 {
	all := map[string]*plan.Shape{}
	values := map[string]any{}
	for _, f := range shape.Fields {
		all[f.Name] = f.Shape
		if f.Default != "" {
			values[f.Name] = decode(f.Default)
		}
	}
	for k, v := range m {
		values[k] = v
	}
	keys := make([]string, 0, len(values))
	for k := range values {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var slots []int64
	for _, k := range keys {
		of := shape.Elem
		if f, ok := all[k]; ok {
			of = f
		}
		slots = append(append(slots, p.symbol(k)), p.jsonSlots(values[k], of)...)
	}
	return p.span(slots, len(keys))
}

func (p *planner) recordSlots(m map[string]any, shape *plan.Shape) []int64 {
	var slots []int64
	for i := range shape.Fields {
		f := &shape.Fields[i]
		v, ok := m[f.Name]
		if !ok && f.Default != "" {
			v, ok = decode(f.Default), true
		}
		if f.Optional {
			slots = append(slots, map[bool]int64{true: 1}[ok])
		}
		if !ok {
			slots = append(slots, make([]int64, f.Shape.Type().Slots())...)
			continue
		}
		slots = append(slots, p.jsonSlots(v, f.Shape)...)
	}
	return slots
}

// span puts slots among the plan's constants.
func (p *planner) span(slots []int64, n int) int64 {
	offset := int64(len(p.out.Consts))
	p.out.Consts = append(p.out.Consts, slots...)
	return offset<<32 | int64(n)
}
