package js

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/emit"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// rowText returns the number of the row of a key, -1 where there is none.
func (w *writer) rowText(id plan.ID, n *plan.Node, key string) string {
	t := &w.f.Plan.Tables[n.Imm]
	partial := w.f.Bounds(id).Min < 0
	if !t.Kind.HasNumbers() {
		text := w.keyedRows(t) + "[" + key + "]"
		if partial {
			return "(" + text + " ?? -1)"
		}
		return text
	}
	domain := w.f.Bounds(n.Args[0])
	// Of what stands in a loop that is never repeated nothing is known.
	isDense := n.Op == plan.OpRow && w.f.IsWithin(n.Args[0], maxSafe) && domain.Max-domain.Min < maxDense
	if w.f.IsCompared(id) && emit.IsAtomic(key) && !isDense {
		return w.comparisons(t, key, 0, t.Rows()-1)
	}
	limits, last, order := limitsOf(t)
	if !partial {
		last = nil // every key that comes has a row
	}
	if last == nil && order == nil && !(partial && t.Bounded) && !isDense {
		return w.useKernel("rowOf(") + w.addConstant("limits", limits) + ", " + key + ")"
	}
	members := []string{"limits: " + limits}
	if last != nil {
		members = append(members, "last: "+numberList(last))
	}
	if order != nil {
		members = append(members, "order: "+numberList(order))
	}
	if partial && t.Bounded {
		members = append(members, "over: "+numberList([]float64{t.OverMin, t.OverMax}))
	}
	text := "{ " + strings.Join(members, ", ") + " }"
	if isDense {
		rows := fmt.Sprintf("%s%s, %d, %d)", w.useKernel("denseRows("), text, domain.Min, domain.Max)
		return w.addConstant("rows", rows) + "[" + offsetText(key, domain.Min) + "]"
	}
	return w.useKernel("findRow(") + w.addConstant("table", text) + ", " + key + ")"
}

// maxDense is the most ints of which each has its row in a list: a look-up without branches, which processors foresee
// badly.
const maxDense = 512

// offsetText returns how far an int is from the least one.
func offsetText(text string, least int64) string {
	switch {
	case least == 0:
		return text
	case least < 0:
		return fmt.Sprint(text, " + ", -least)
	}
	return fmt.Sprint(text, " - ", least)
}

// comparisons returns the row of a key from the first to the last of some rows, by comparisons with their limits.
func (w *writer) comparisons(t *plan.Table, key string, first, last int) string {
	if first == last {
		return strconv.Itoa(first)
	}
	middle := (first + last + 1) / 2
	comparison := " < "
	if t.Above[middle] {
		comparison = " <= "
	}
	return "(" + key + comparison + doubleLiteral(t.Lo[middle]) + " ? " + w.comparisons(t, key, first, middle-1) + " : " +
		w.comparisons(t, key, middle, last) + ")"
}

// keyedRows returns the rows of a table of strings, by key.
func (w *writer) keyedRows(t *plan.Table) string {
	keys := make([]string, len(t.Keys))
	for row, k := range t.Keys {
		keys[row] = w.f.Plan.Symbols[k]
	}
	return w.addConstant("rows", w.useKernel("rowsOf(")+quoteList(keys)+")")
}

// limitsOf returns, in ascending order of limits, the numbers from which on each row counts, the last numbers of a table of
// bands, and the rows themselves; nil if they stand in that order.
func limitsOf(t *plan.Table) (limits string, last []float64, order []float64) {
	var first []float64
	for _, row := range t.Order {
		from := t.Lo[row]
		if t.Above[row] {
			from = math.Nextafter(from, math.Inf(1))
		}
		first, order = append(first, from), append(order, float64(row))
		if t.Kind == plan.BandsTable {
			last = append(last, t.Hi[row])
		}
	}
	if slices.IsSorted(order) {
		order = nil
	}
	return numberList(first), last, order
}

func numberList(numbers []float64) string {
	var out []string
	for _, v := range numbers {
		out = append(out, doubleLiteral(v))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// cellText returns a slot of a row of a table; 0 outside.
func (w *writer) cellText(n *plan.Node, row string) string {
	t, slot := &w.f.Plan.Tables[n.Imm>>32], int(uint32(n.Imm))
	var cells []string
	of := t.Row.SlotType(slot)
	for i := range t.Rows() {
		cells = append(cells, w.slotLiteral(of, n.Kind, t.Cell(int64(i), int64(slot))))
	}
	text := w.addConstant("column", "["+strings.Join(cells, ", ")+"]") + "[" + row + "]"
	if b := w.f.Bounds(n.Args[0]); b.Min < 0 || b.Max >= int64(t.Rows()) {
		return "(" + text + " ?? " + zeros[n.Kind] + ")"
	}
	return text
}
