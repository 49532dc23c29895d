package golang

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/emit"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// operandText returns the text of an operand within an expression.
func (w *writer) operandText(o emit.Operand) string {
	text := w.valueText(o)
	if emit.IsAtomic(text) {
		return text
	}
	return "(" + text + ")"
}

// valueText returns the text of an operand that stands alone.
func (w *writer) valueText(o emit.Operand) string {
	return w.valueTextAs(o, w.f.ListType(o.ID))
}

// valueTextAs returns the text of an operand where a list of a type is expected: an empty list of the plan has any.
func (w *writer) valueTextAs(o emit.Operand, t *plan.Type) string {
	switch n := w.f.Node(o.ID); {
	case o.Name != "":
		w.read[o.Name] = true
		return o.Name
	case n.Op == plan.OpConst && t != nil && (n.Kind == plan.List || n.Kind == plan.Map):
		return w.listText(t, n.Imm)
	case n.Op == plan.OpConst:
		return w.slotLiteral(t, n.Kind, n.Imm)
	}
	return w.expressionText(o.ID, o.Operands)
}

// typedText returns the text of an operand with which a variable is declared: of a constant, with its type.
func (w *writer) typedText(o emit.Operand) string {
	text := w.valueText(o)
	if n := w.f.Node(o.ID); o.Name == "" && n.Op == plan.OpConst {
		switch n.Kind {
		case plan.Int:
			return "int64(" + text + ")"
		case plan.Fault:
			return "(*kernel.Failure)(nil)"
		}
	}
	return text
}

// typeOf returns the type of a node.
func (w *writer) typeOf(id plan.ID) string {
	if kind := w.f.Node(id).Kind; kind != plan.List && kind != plan.Map {
		return scalarTypes[kind]
	}
	return w.innerType(w.f.ListType(id))
}

// slotLiteral returns a slot as a literal. t is the type of a list or a map.
func (w *writer) slotLiteral(t *plan.Type, kind plan.Kind, bits int64) string {
	switch kind {
	case plan.Double:
		return doubleLiteral(math.Float64frombits(uint64(bits)))
	case plan.Bool:
		return strconv.FormatBool(bits != 0)
	case plan.String:
		return strconv.Quote(w.f.Plan.Symbols[bits])
	case plan.Fault:
		return "nil"
	case plan.List, plan.Map:
		return w.listText(t, bits)
	}
	return strconv.FormatInt(bits, 10)
}

// listText returns a list or a map of the plan's constants. One with elements stands once, outside of the function.
func (w *writer) listText(t *plan.Type, span int64) string {
	of := w.innerType(t)
	n := int(uint32(span))
	if n == 0 {
		return of + "(nil)"
	}
	if t == nil { // nothing reads its elements, only how many they are
		t = plan.ListOf(plan.IntType)
	}
	var out []string
	stride := t.Stride()
	if stride == 0 {
		return fmt.Sprintf("make(%s, %d)", of, n)
	}
	for slots := range slices.Chunk(w.f.Plan.Consts[span>>32:][:n*stride], stride) {
		out = append(out, w.elementLiteral(t, slots))
	}
	return w.declare(tablesFile, fmt.Sprint("list", len(w.names)), "", of+"{"+strings.Join(out, ", ")+"}")
}

// elementLiteral returns an element of a list or an entry of a map.
func (w *writer) elementLiteral(t *plan.Type, slots []int64) string {
	key := ""
	if t.Kind == plan.Map {
		key, slots = w.slotLiteral(nil, t.Key, slots[0]), slots[1:]
	}
	text := w.rowText(t.Elem, emit.AppendSlots(nil, t.Elem, slots, "nil", w.slotLiteral))
	if t.Kind == plan.Map {
		return "{Key: " + key + ", Value: " + text + "}"
	}
	return text
}

// expressionText returns the text of an operation.
func (w *writer) expressionText(id plan.ID, operands []emit.Operand) string {
	n := w.f.Node(id)
	if n.Op == plan.OpEqInt {
		if text, ok := w.wordText(n, operands); ok {
			return text
		}
	}
	if isBothOrEither := n.Op == plan.OpAnd || n.Op == plan.OpOr; isBothOrEither && w.areCheap(operands) {
		return map[plan.Op]string{plan.OpAnd: "kernel.And(", plan.OpOr: "kernel.Or("}[n.Op] + w.valueText(operands[0]) +
			", " + w.valueText(operands[1]) + ")"
	}
	if n.Op == plan.OpRow {
		if text, ok := w.wordRows(n, &w.f.Plan.Tables[n.Imm]); ok {
			return text
		}
	}
	a := w.operandTexts(id, operands)
	if spelling := emit.SpellingOf(n.Op).Go; spelling != emit.Written {
		return emit.Expand(spelling, a, w.siteName(n))
	}
	switch n.Op {
	case plan.OpLeaf:
		return w.leafText(n)
	case plan.OpLtInt, plan.OpLeInt:
		return w.orderText(n, a)
	case plan.OpFloor, plan.OpCeil, plan.OpRound, plan.OpTrunc:
		text := roundings[n.Op] + "(" + w.valueText(operands[0]) + ")"
		if b := w.f.Bounds(n.Args[0]); w.isFinite(n.Args[0]) && b.Low >= -1<<62 && b.High <= 1<<62 {
			return "int64(" + text + ")"
		}
		return "builtin.ToInt(" + text + ")"
	case plan.OpDivTrunc, plan.OpDivFloor, plan.OpModInt:
		return w.quotientText(n, a)
	case plan.OpFail:
		return "kernel.FailUnless(" + a[0] + ", " + strconv.Quote(w.f.Plan.Symbols[n.Imm]) + ", " + w.siteName(n) + ")"
	case plan.OpNewSpan:
		return w.typeOf(id) + "(nil)"
	case plan.OpElem:
		return w.elementText(n, a)
	case plan.OpEqual:
		return w.equalText(w.listTypeOf(n), a[0], a[1])
	case plan.OpWith:
		return "kernel.With(e, " + a[0] + ", " + a[1] + ", " + w.rowText(w.listTypeOf(n).Elem, a[2:]) + ")"
	case plan.OpRow, plan.OpRowDouble:
		return w.rowNumberText(id, n, a[0])
	case plan.OpCell:
		return w.cellText(n, a[0])
	}
	panic("golang: nothing writes " + n.Op.String())
}

// listTypeOf returns the type of the first operand of an operation, which is a list or a map. A constant may stand for several
// values, such as the empty map of every type: the operation says which it is.
func (w *writer) listTypeOf(n *plan.Node) *plan.Type {
	if t := w.f.ListType(n.Args[0]); t != nil && w.f.Node(n.Args[0]).Op != plan.OpConst {
		return t
	}
	return w.f.Plan.Types[n.Imm]
}

// operandTexts returns the operands of a node.
func (w *writer) operandTexts(id plan.ID, list []emit.Operand) []string {
	n := w.f.Node(id)
	named := n.Op.Operation().Immediate == plan.TypeImmediate
	out := make([]string, len(list))
	for k, o := range list {
		t := w.f.ListType(o.ID)
		if named && w.f.Node(o.ID).Kind == w.f.Plan.Types[n.Imm].Kind && (t == nil || w.f.Node(o.ID).Op == plan.OpConst) {
			t = w.f.Plan.Types[n.Imm]
		}
		if w.f.Node(o.ID).Op == plan.OpConst && handsOn(n.Op, k) {
			t = w.f.ListType(id)
		}
		if out[k] = w.valueTextAs(o, t); !emit.IsAtomic(out[k]) {
			out[k] = "(" + out[k] + ")"
		}
	}
	return out
}

// handsOn reports whether the list that an operation makes has the elements of an operand, among others.
func handsOn(op plan.Op, operand int) bool {
	switch op {
	case plan.OpSlice, plan.OpSort, plan.OpSortBy, plan.OpPush, plan.OpWith:
		return operand == 0
	}
	return op == plan.OpConcat
}

// siteName returns the site of a fault.
func (w *writer) siteName(n *plan.Node) string {
	if n.Site < 0 || n.Kind != plan.Fault {
		return "nil"
	}
	return w.declareSite(w.f.Body.Graph.Sites[n.Site])
}

// declareSite returns the name of a site.
func (w *packageWriter) declareSite(s plan.Site) string {
	return w.declare(sitesFile, fmt.Sprint("site", len(w.names)), "", siteLiteral(s))
}

// roundings are the functions that round doubles.
var roundings = map[plan.Op]string{
	plan.OpFloor: "math.Floor", plan.OpCeil: "math.Ceil", plan.OpRound: "math.Round", plan.OpTrunc: "math.Trunc",
}

// orderText returns a comparison of two ints, rows or truths.
func (w *writer) orderText(n *plan.Node, a []string) string {
	switch isLess := n.Op == plan.OpLtInt; {
	case w.f.Node(n.Args[0]).Kind == plan.Bool && isLess:
		return "!" + a[0] + " && " + a[1]
	case w.f.Node(n.Args[0]).Kind == plan.Bool:
		return "!" + a[0] + " || " + a[1]
	case isLess:
		return a[0] + " < " + a[1]
	}
	return a[0] + " <= " + a[1]
}

// quotientText returns a quotient or its rest.
func (w *writer) quotientText(n *plan.Node, a []string) string {
	isPositive := w.f.IsFrom(n.Args[1], 1)
	switch {
	case n.Op == plan.OpModInt && isPositive:
		return a[0] + " % " + a[1]
	case n.Op == plan.OpModInt:
		return "builtin.ModInt(" + a[0] + ", " + a[1] + ")"
	case isPositive && (n.Op == plan.OpDivTrunc || w.f.IsFrom(n.Args[0], 0)):
		return a[0] + " / " + a[1]
	case n.Op == plan.OpDivTrunc:
		return "builtin.DivTrunc(" + a[0] + ", " + a[1] + ")"
	}
	return "builtin.DivFloor(" + a[0] + ", " + a[1] + ")"
}

// elementText returns a slot of an element.
func (w *writer) elementText(n *plan.Node, a []string) string {
	t := w.f.ListType(n.Args[0])
	if t == nil || t.Kind == plan.List && len(w.slotsOf(t.Elem)) == 1 {
		return "kernel.At(" + a[0] + ", " + a[1] + ")"
	}
	text, slot := "kernel.Element("+a[0]+", "+a[1]+")", int(uint32(n.Imm))
	if t.Kind == plan.Map {
		if slot == 0 {
			return text + ".Key"
		}
		text, slot = text+".Value", slot-1
	}
	return w.slotTexts(t.Elem, text)[slot]
}

// rootNames are the parameters of a function, and rootTypes begin the names of their structs.
var rootNames = [plan.NumRoots]string{"c", "in", "state", "event"}

// rootType returns the name of the struct of a root.
func (w *writer) rootType(root plan.Root) string {
	return [plan.NumRoots]string{"Character", w.owner + ".Input", w.owner + ".State",
		w.owner + w.event + ".Input"}[root]
}

// leafText returns a field of a record that is given; of one that may be absent, its zero value, or whether it is there.
func (w *writer) leafText(n *plan.Node) string {
	text, t, name := w.leafPath(n)
	if t == nil {
		return text + " != nil"
	}
	return w.enterText(t, name, text)
}

// leafPath returns the field that a node reads, its type, which is nil of whether there is a field, and the name of what
// stands there.
func (w *writer) leafPath(n *plan.Node) (text string, t *plan.Type, name string) {
	l := w.f.Body.Graph.Leaves[n.Imm]
	text, t, name = rootNames[l.Root], w.f.Body.Shapes[l.Root].Type(), w.rootType(l.Root)
	slot := int(l.Offset)
	for t.Kind == plan.Record {
		names := fieldNames(t)
		for i := range t.Fields {
			f := &t.Fields[i]
			field := text + "." + names[i]
			if n := f.Slots(); slot >= n {
				slot -= n
				continue
			}
			if f.Optional && slot == 0 {
				return field, nil, ""
			}
			if f.Optional {
				field, slot = "kernel.ValueOf("+field+")", slot-1
			}
			text, name, t = field, name+"."+f.Name, f.Type
			break
		}
	}
	return text, t, name
}

// isFinite reports whether a double is known to be a number.
func (w *writer) isFinite(id plan.ID) bool {
	if n := w.f.Node(id); n.Op == plan.OpConst {
		v := math.Float64frombits(uint64(n.Imm))
		return v-v == 0
	}
	b := w.f.Bounds(id)
	return !b.NaN && b.Low-b.Low == 0 && b.High-b.High == 0
}
