package js

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/runtime/emit"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// maxSafe is the greatest int that a number of JavaScript holds exactly, with all before it.
const maxSafe = 1<<53 - 1

// beyondLiteral stands for an int that no number of JavaScript holds: it ends the evaluation that needs it.
const beyondLiteral = "raise(beyond)"

// zeros are the values of slots outside of a list or a table.
var zeros = map[plan.Kind]string{plan.Int: "0", plan.Double: "0", plan.Bool: "false", plan.String: `""`, plan.List: "[]",
	plan.Map: "[]", plan.Fault: "null"}

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
	switch {
	case o.Name != "":
		return o.Name
	case w.f.Node(o.ID).Op == plan.OpConst:
		return w.constantText(o.ID)
	}
	return w.expressionText(o.ID, o.Operands)
}

// constantText returns a constant of the plan. A long one stands once, outside of the function.
func (w *writer) constantText(id plan.ID) string {
	n := w.f.Node(id)
	if n.Kind == plan.Fault {
		return "null"
	}
	text := w.slotLiteral(w.f.ListType(id), n.Kind, n.Imm)
	if n.Kind == plan.List || n.Kind == plan.Map {
		return w.addConstant("list", text)
	}
	return text
}

// slotLiteral returns a slot as a literal. t is the type of a list or a map.
func (w *writer) slotLiteral(t *plan.Type, kind plan.Kind, bits int64) string {
	switch kind {
	case plan.Double:
		return doubleLiteral(math.Float64frombits(uint64(bits)))
	case plan.Bool:
		return strconv.FormatBool(bits != 0)
	case plan.String:
		return quoteLiteral(w.f.Plan.Symbols[bits])
	case plan.Fault:
		return "null"
	case plan.List, plan.Map:
		return w.listLiteral(t, bits)
	}
	if bits > maxSafe || bits < -maxSafe {
		w.imports["raise"], w.imports["beyond"] = true, true
		return beyondLiteral
	}
	return strconv.FormatInt(bits, 10)
}

// listLiteral returns a list or a map of the plan's constants.
func (w *writer) listLiteral(t *plan.Type, span int64) string {
	var out []string
	if t == nil { // nothing reads its elements, only how many they are
		t = plan.ListOf(plan.IntType)
	}
	if n := int(uint32(span)); n > 0 {
		stride := t.Stride()
		for slots := range slices.Chunk(w.f.Plan.Consts[span>>32:][:n*stride], stride) {
			out = append(out, w.elementLiteral(t, slots))
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// elementLiteral returns an element of a list or an entry of a map: one slot, or an array of slots.
func (w *writer) elementLiteral(t *plan.Type, slots []int64) string {
	var out []string
	if t.Kind == plan.Map {
		out, slots = append(out, w.slotLiteral(nil, t.Key, slots[0])), slots[1:]
	}
	out = emit.AppendSlots(out, t.Elem, slots, "null", w.slotLiteral)
	if len(out) == 1 && t.Kind == plan.List {
		return out[0]
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// doubleLiteral returns a double as a literal.
func doubleLiteral(v float64) string {
	switch {
	case v != v:
		return "NaN"
	case math.IsInf(v, 1):
		return "Infinity"
	case math.IsInf(v, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// quoteLiteral returns a string as a literal.
func quoteLiteral(s string) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("js: a string is no JSON: " + err.Error())
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// called matches the functions that a text calls, and the methods with a point before them.
var called = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\.?\b[a-z]\w*\(`)
})

// useKernel notes the functions of the kernel that a text calls.
func (w *writer) useKernel(text string) string {
	for _, name := range called().FindAllString(text, -1) {
		if name[0] != '.' {
			w.imports[name[:len(name)-1]] = true
		}
	}
	return text
}

// expressionText returns the text of an operation.
func (w *writer) expressionText(id plan.ID, operands []emit.Operand) string {
	n := w.f.Node(id)
	spelling := emit.SpellingOf(n.Op)
	var text string
	switch {
	case spelling.JS == emit.Written:
		text = w.specialText(id, n, operands)
	default:
		w.useKernel(spelling.JS)
		site := ""
		if strings.Contains(spelling.JS, "$s") {
			site = w.siteOfNode(n)
		}
		texts := w.operandTexts(operands)
		for k := range texts {
			if spelling.MayLeaveSafe && texts[k] == beyondLiteral { // the result is beyond, too
				texts[k] = "Infinity"
			}
		}
		text = emit.Expand(spelling.JS, texts, site)
	}
	if spelling.MayBeMinusZero && slices.ContainsFunc(n.Args, func(a plan.ID) bool { return !w.f.IsFrom(a, 0) }) {
		text += " + 0"
	}
	if spelling.MayLeaveSafe && n.Kind == plan.Int && !w.f.IsWithin(id, maxSafe-1) { // at 2^53 bounds end
		w.imports["safe"] = true
		return "safe(" + text + ")"
	}
	return text
}

func (w *writer) operandTexts(list []emit.Operand) []string {
	out := make([]string, len(list))
	for k, o := range list {
		out[k] = w.operandText(o)
	}
	return out
}

// siteOfNode returns the place of a fault.
func (w *writer) siteOfNode(n *plan.Node) string {
	if n.Site < 0 {
		return "undefined"
	}
	return w.siteOf(w.f.Body.Graph.Sites[n.Site])
}

func (w *writer) siteOf(s plan.Site) string {
	return w.addConstant("site", quoteList([]string{placeText(s.Place), s.Name, s.Cite}))
}

func placeText(p plan.Place) string {
	text, _ := p.MarshalText() // never fails
	return string(text)
}

// specialText returns the text of an operation that needs more than its operands.
func (w *writer) specialText(id plan.ID, n *plan.Node, operands []emit.Operand) string {
	a := w.operandTexts(operands)
	switch n.Op {
	case plan.OpLeaf:
		return w.fieldText(n)
	case plan.OpLtInt, plan.OpLeInt:
		return a[0] + map[plan.Op]string{plan.OpLtInt: " < ", plan.OpLeInt: " <= "}[n.Op] + a[1]
	case plan.OpFloor, plan.OpCeil, plan.OpRound, plan.OpTrunc:
		text := w.useKernel(roundings[n.Op]+"(") + w.valueText(operands[0]) + ")"
		if b := w.f.Bounds(n.Args[0]); w.isFinite(n.Args[0]) && b.Low >= -maxSafe && b.High <= maxSafe {
			return text + " + 0"
		}
		return w.useKernel("toInt(") + text + ")"
	case plan.OpDivTrunc, plan.OpDivFloor, plan.OpDivCeil:
		if w.f.IsFrom(n.Args[1], 1) { // within 2^53 a quotient is never rounded to the next int
			return quotients[n.Op].rounding + "(" + a[0] + " / " + a[1] + ") + 0"
		}
		return w.useKernel(quotients[n.Op].helper+"(") + a[0] + ", " + a[1] + ")"
	case plan.OpFail:
		return w.useKernel("fail(") + a[0] + ", " + w.siteOfNode(n) + ", " + quoteLiteral(w.f.Plan.Symbols[n.Imm]) + ")"
	case plan.OpElem:
		if n.Imm>>32 == 1 && w.f.Node(n.Args[0]).Kind == plan.List {
			return fmt.Sprintf("(%s[%s] ?? %s)", a[0], a[1], zeros[n.Kind])
		}
		return fmt.Sprintf("(%s[%s]?.[%d] ?? %s)", a[0], a[1], uint32(n.Imm), zeros[n.Kind])
	case plan.OpEqual:
		return w.useKernel("equal(") + w.typeText(w.f.Plan.Types[n.Imm]) + ", " + a[0] + ", " + a[1] + ")"
	case plan.OpWith:
		return w.useKernel("withEntry(") + a[0] + ", [" + strings.Join(a[1:], ", ") + "])"
	case plan.OpRow, plan.OpRowDouble:
		return w.rowText(id, n, a[0])
	case plan.OpRowFault:
		if w.f.Node(n.Args[1]).Kind == plan.Double {
			return w.useKernel("doubleRowFault(") + a[0] + ", " + a[1] + ", " + w.siteOfNode(n) + ")"
		}
		return w.useKernel("rowFault(") + a[0] + ", " + a[1] + ", " + w.siteOfNode(n) + ")"
	case plan.OpCell:
		return w.cellText(n, a[0])
	}
	panic("js: nothing writes " + n.Op.String())
}

// roundings are the functions that round doubles.
var roundings = map[plan.Op]string{
	plan.OpFloor: "Math.floor", plan.OpCeil: "Math.ceil", plan.OpRound: "round", plan.OpTrunc: "Math.trunc",
}

// quotients are how quotients of ints are rounded, and the functions for divisors that may be 0 or negative.
var quotients = map[plan.Op]struct{ rounding, helper string }{
	plan.OpDivTrunc: {"Math.trunc", "divTrunc"}, plan.OpDivFloor: {"Math.floor", "divFloor"},
	plan.OpDivCeil: {"Math.ceil", "divCeil"},
}

// fieldText returns a field of a record that is given; of one that may be absent, 0, or whether it is there.
func (w *writer) fieldText(n *plan.Node) string {
	l := w.f.Body.Graph.Leaves[n.Imm]
	text, shape, slot, optional := rootNames[l.Root], w.f.Body.Shapes[l.Root], int(l.Offset), false
	for shape.Kind == plan.Record {
		for i := range shape.Fields {
			m := &shape.Fields[i]
			if m.Optional && slot == 0 {
				return "(" + text + memberAccess(m.Name, optional) + " !== undefined)"
			}
			if m.Optional {
				slot--
			}
			if n := m.Shape.Slots(); slot >= n {
				slot -= n
				continue
			}
			text += memberAccess(m.Name, optional)
			optional = optional || m.Optional
			shape = m.Shape
			break
		}
	}
	if optional {
		return "(" + text + " ?? " + zeros[n.Kind] + ")"
	}
	return text
}

// rootNames are the parameters of a function.
var rootNames = [plan.NumRoots]string{"c", "i", "s", "e"}

var identifier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z_]\w*$`)
})

// memberAccess returns the access to a member, of something that may be absent.
func memberAccess(name string, optional bool) string {
	text := "." + name
	if !identifier().MatchString(name) {
		if text = "[" + quoteLiteral(name) + "]"; optional {
			return "?." + text
		}
	}
	if optional {
		return "?" + text
	}
	return text
}
