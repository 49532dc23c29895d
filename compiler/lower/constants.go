package lower

import (
	"encoding/json"
	"math"
	"sort"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// decodeJSON reads JSON of a default or a table's cell, numbers as they are written. Most cells are one number, for which
// no decoder has to be made.
func decodeJSON(text string) any {
	if isJSONNumber := strings.Trim(text, "-0123456789.eE+") == "" && json.Valid([]byte(text)); isJSONNumber {
		return json.Number(text)
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic("lower: a default is no JSON: " + text)
	}
	return v
}

// jsonSlots returns the slots of a JSON value in the layout of a shape's type; lists and maps go to the plan's constants.
// The order of slots is that of readSlots in value.go, without faults: a written value cannot fail.
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
		return []int64{p.internSymbol(v.(string))}
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
	return p.internSpan(slots, len(list))
}

// mapSlots lays a map out as find expects it: entries in ascending order of their keys as strings,
// each a symbol and its value. Fields that the shape names have their defaults where the map does
// not give them.
func (p *planner) mapSlots(m map[string]any, shape *plan.Shape) int64 {
	all := map[string]*plan.Shape{}
	values := map[string]any{}
	for _, f := range shape.Fields {
		all[f.Name] = f.Shape
		if f.Default != "" {
			values[f.Name] = decodeJSON(f.Default)
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
		slots = append(append(slots, p.internSymbol(k)), p.jsonSlots(values[k], of)...)
	}
	return p.internSpan(slots, len(keys))
}

// recordSlots returns the slots of a record: of each field its presence, if it may be absent, and its slots, 0 for those of
// an absent field.
func (p *planner) recordSlots(m map[string]any, shape *plan.Shape) []int64 {
	var slots []int64
	for i := range shape.Fields {
		f := &shape.Fields[i]
		v, ok := m[f.Name]
		if !ok && f.Default != "" {
			v, ok = decodeJSON(f.Default), true
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

// internSpan puts slots among the plan's constants.
// A span is one word: the offset of its first slot in the upper 32 bits, how many elements it has
// in the lower. Offsets of constants count from the start of Plan.Consts.
func (p *planner) internSpan(slots []int64, n int) int64 {
	offset := int64(len(p.out.Consts))
	p.out.Consts = append(p.out.Consts, slots...)
	return offset<<32 | int64(n)
}
