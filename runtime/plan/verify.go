package plan

import "fmt"

// Verify returns an error unless a plan is well formed: every index is in range, every node uses only values that stand
// before it, operations have the operands that they take. The error names the first fault.
func Verify(p *Plan) error {
	v := verifier{p: p}
	v.verifyPlan()
	return v.err
}

// A verifier stops at the first problem.
type verifier struct {
	p   *Plan
	at  string // the rule, or the step of a procedure
	g   *Graph
	err error
	// level of each node's block, and for open blocks whether they are still being walked
	seen []bool
}

func (v *verifier) failf(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf(v.at+format, args...)
	}
}

// checkIndex checks that i is one of n.
func (v *verifier) checkIndex(what string, i, n int64) {
	if i < 0 || i >= n {
		v.failf("%s %d is not one of %d", what, i, n)
	}
}

func (v *verifier) verifyPlan() {
	p := v.p
	if len(p.Symbols) == 0 || p.Symbols[0] != "" {
		v.failf("symbol 0 is not the empty string")
	}
	if p.Character == nil || p.Character.Kind != Record {
		v.failf("the character is not a record")
	}
	if n := len(p.OverlayDigests); n > 0 && n != len(p.Overlays) {
		v.failf("there are digests of %d homebrews, not of %d", n, len(p.Overlays))
	}
	for i, t := range p.Types {
		v.verifyType(t, fmt.Sprintf("type %d", i), 0)
	}
	v.verifySchema(p.Character, "character", 0)
	for i := range p.Options {
		v.verifyOption(&p.Options[i])
	}
	for i := range p.Tables {
		v.verifyTable(&p.Tables[i])
	}
	v.verifyRules("rule ", p.Rules)
	v.verifyRules("function ", p.Functions)
	for i := range p.Procedures {
		v.verifyProcedure(&p.Procedures[i])
	}
}

func (v *verifier) verifyRules(kind string, list []Rule) {
	for i := range list {
		r := &list[i]
		v.verifySchema(r.Input, "input of "+kind+r.ID, 0)
		v.verifyGraph(kind+r.ID, &r.Graph, [NumRoots]*Shape{v.p.Character, r.Input})
	}
}

func (v *verifier) verifyProcedure(d *Procedure) {
	v.verifySchema(d.Input, "input of "+d.ID, 0)
	v.verifySchema(d.State, "state of "+d.ID, 0)
	roots := [NumRoots]*Shape{v.p.Character, d.Input, d.State, nil}
	v.verifyStep(d.ID+" start", &d.Start, roots)
	for i := range d.Events {
		e := &d.Events[i]
		v.verifySchema(e.Input, "event "+e.ID, 0)
		roots[EventRoot] = e.Input
		v.verifyStep(d.ID+"."+e.ID, &e.Graph, roots)
	}
	roots[EventRoot] = nil
	v.verifyGraph(d.ID+" close", &d.Close, roots)
	if v.err == nil && len(d.Close.Ends) != len(d.Ends) {
		v.failf("procedure %s has %d ends and %d conditions", d.ID, len(d.Ends), len(d.Close.Ends))
	}
}

func (v *verifier) verifyStep(name string, g *Graph, roots [NumRoots]*Shape) {
	v.verifyGraph(name, g, roots)
	if v.err == nil && len(g.Next) != 2 {
		v.failf("step %s does not say what comes next", name)
	}
}

// MaxDepth bounds the nesting of types and shapes.
const MaxDepth = 32

func (v *verifier) verifyType(t *Type, what string, depth int) {
	switch {
	case v.err != nil:
	case t == nil || depth > MaxDepth:
		v.failf("%s is missing or nested too deeply", what)
	case t.Kind < Int || t.Kind > Record:
		v.failf("%s has kind %d", what, t.Kind)
	case t.Kind == List || t.Kind == Map:
		if t.Kind == Map && (t.Key < Int || t.Key > String) {
			v.failf("%s has keys of kind %d", what, t.Key)
		}
		v.verifyType(t.Elem, what, depth+1)
	case t.Kind == Record:
		for i := range t.Fields {
			v.verifyType(t.Fields[i].Type, what, depth+1)
		}
	}
}

func (v *verifier) verifySchema(s *Shape, what string, depth int) {
	switch {
	case v.err != nil:
	case s == nil || depth > MaxDepth:
		v.failf("the shape of %s is missing or nested too deeply", what)
	case s.Kind < Int || s.Kind > Record:
		v.failf("the shape of %s has kind %d", what, s.Kind)
	case (s.Kind == List || s.Kind == Map) && s.Elem == nil:
		v.failf("the shape of %s has no elements", what)
	default:
		if s.Elem != nil {
			v.verifySchema(s.Elem, what, depth+1)
		}
		for i := range s.Fields {
			v.verifySchema(s.Fields[i].Shape, what+"."+s.Fields[i].Name, depth+1)
		}
	}
}

func (v *verifier) verifyOption(o *Option) {
	n := int64(len(o.Values))
	v.checkIndex("default of option "+o.ID, int64(o.Default), n)
	v.checkIndex("recommended value of option "+o.ID, int64(o.Book), n)
	if len(o.Symbols) != len(o.Values) {
		v.failf("option %s has %d values and %d symbols", o.ID, n, len(o.Symbols))
	}
	for _, s := range o.Symbols {
		v.checkIndex("symbol", s, int64(len(v.p.Symbols)))
	}
}

func (v *verifier) verifyTable(t *Table) {
	v.verifyType(t.Row, "a row of table "+t.ID, 0)
	if v.err != nil {
		return
	}
	if t.Row.Kind != Record || t.Kind >= NumTableKinds {
		v.failf("table %s is of no known kind", t.ID)
		return
	}
	rows := t.Rows()
	switch {
	case len(t.Cells) != rows*t.Row.Slots():
		v.failf("table %s has %d rows and %d cells", t.ID, rows, len(t.Cells))
	case t.Kind.HasNumbers() && (len(t.Hi) != rows || len(t.Above) != rows || len(t.Order) != rows):
		v.failf("table %s has limits of different lengths", t.ID)
	}
	for _, k := range t.Keys {
		v.checkIndex("symbol", k, int64(len(v.p.Symbols)))
	}
	for _, r := range t.Order {
		v.checkIndex("row of table "+t.ID, int64(r), int64(rows))
	}
	if v.err == nil {
		v.verifyCells(t.Row, t.Cells, t.ID)
	}
}

// verifyCells checks the symbols and spans of a row's slots, row by row.
func (v *verifier) verifyCells(t *Type, slots []int64, what string) {
	if n := t.Slots(); n > 0 {
		for ; len(slots) >= n; slots = slots[n:] {
			v.verifyConstant(t, slots[:n], what, 0)
		}
	}
}

// verifyConstant checks the references of a constant of a type.
func (v *verifier) verifyConstant(t *Type, slots []int64, what string, depth int) {
	if v.err != nil || depth > MaxDepth {
		return
	}
	switch t.Kind {
	case String:
		v.checkIndex("symbol of "+what, slots[0], int64(len(v.p.Symbols)))
	case List, Map:
		v.verifyConstantList(t, slots[0], what, depth)
	case Record:
		at := 0
		for i := range t.Fields {
			f := &t.Fields[i]
			n := f.Slots()
			v.verifyConstant(f.Type, slots[at+n-f.Type.Slots():at+n], what, depth+1)
			at += n
		}
	}
}

func (v *verifier) verifyConstantList(t *Type, span int64, what string, depth int) {
	offset, n, stride := span>>32, int64(uint32(span)), int64(t.Stride())
	if offset < 0 || offset+n*stride > int64(len(v.p.Consts)) || n > int64(len(v.p.Consts)) && stride > 0 {
		v.failf("a span of %s is outside the constants", what)
		return
	}
	for i := range n {
		slots := v.p.Consts[offset+i*stride : offset+(i+1)*stride]
		if t.Kind == Map {
			if t.Key == String {
				v.checkIndex("symbol of "+what, slots[0], int64(len(v.p.Symbols)))
			}
			slots = slots[1:]
		}
		v.verifyConstant(t.Elem, slots, what, depth+1)
	}
}
