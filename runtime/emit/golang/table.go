package golang

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// rowNumberText returns the number of the row of a key, -1 where there is none.
func (w *writer) rowNumberText(id plan.ID, n *plan.Node, key string) string {
	t := &w.f.Plan.Tables[n.Imm]
	switch {
	case !t.Kind.HasNumbers():
		return w.keyedRow(t) + "(" + key + ")"
	case w.f.IsCompared(id):
		return w.comparedRow(t, n.Op == plan.OpRow) + "(" + key + ")"
	case n.Op == plan.OpRow:
		return w.tableName(t) + ".FindInt(" + key + ")"
	}
	return w.tableName(t) + ".Find(" + key + ")"
}

// tableComment returns what a comment says of a table behind its name.
func (w *writer) tableComment(t *plan.Table, does string) string {
	text := does + " table " + t.ID
	if e := w.f.Plan.Entry(t.ID, plan.TableEntry); e != nil && e.Cite != "" {
		text += " (" + commentText(e.Cite) + ")"
	}
	return text + "."
}

// keyedRow returns the name of the function that finds a row by a string.
func (w *writer) keyedRow(t *plan.Table) string {
	lines := []string{"func(key string) int64 {", "switch key {"}
	for row, k := range t.Keys {
		lines = append(lines, "case "+strconv.Quote(w.f.Plan.Symbols[k])+":", fmt.Sprint("return ", row))
	}
	return w.declareNamed("rowOf"+camel(t.ID), w.tableComment(t, "returns the row of a key of"),
		append(lines, "}", "return -1", "}"))
}

// declareNamed returns the name of a function of a table, whose lines begin with its parameters.
func (w *writer) declareNamed(name, comment string, lines []string) string {
	text := strings.Join(lines, "\n")
	key := name + text
	if known, ok := w.byText[key]; ok {
		return known
	}
	name = w.names.take(name)
	w.byText[key] = name
	w.shared[tablesFile] = append(w.shared[tablesFile], "// "+name+" "+comment,
		"func "+name+strings.TrimPrefix(text, "func"), "")
	return name
}

// comparedRow returns the name of the function that finds a row by comparisons with few limits, of an int or of a double.
func (w *writer) comparedRow(t *plan.Table, isInt bool) string {
	of := "float64"
	if isInt {
		of = "int64"
	}
	lines := append([]string{"func(key " + of + ") int64 {"}, comparisons(t, isInt, 0, t.Rows()-1)...)
	return w.declareNamed("rowOf"+camel(t.ID), w.tableComment(t, "returns the row of a key of"), append(lines, "}"))
}

// comparisons returns the statements that return the row of a key from the first to the last of some rows.
func comparisons(t *plan.Table, isInt bool, first, last int) []string {
	if first == last {
		return []string{fmt.Sprint("return ", first)}
	}
	middle := (first + last + 1) / 2
	limit, comparison := t.Lo[middle], " < "
	if t.Above[middle] {
		comparison = " <= "
	}
	text := doubleLiteral(limit)
	switch {
	case isInt && t.Above[middle]:
		text = strconv.FormatInt(int64(math.Floor(limit)), 10)
	case isInt:
		text = strconv.FormatInt(int64(math.Ceil(limit)), 10)
	}
	lines := append([]string{"if key" + comparison + text + " {"}, comparisons(t, isInt, first, middle-1)...)
	return append(append(lines, "}"), comparisons(t, isInt, middle, last)...)
}

// tableName returns the name of a table whose rows are searched.
func (w *writer) tableName(t *plan.Table) string {
	kind := "kernel.Bands"
	if t.Kind == plan.StepsTable {
		kind = "kernel.Steps"
	}
	members := []string{"Kind: " + kind, "Lo: " + numbersLiteral(t.Lo)}
	if t.Hi != nil {
		members = append(members, "Hi: "+numbersLiteral(t.Hi))
	}
	order := make([]int64, len(t.Order))
	for i, row := range t.Order {
		order[i] = int64(row)
	}
	members = append(members, "Above: []bool{"+strings.Trim(strings.ReplaceAll(fmt.Sprint(t.Above), " ", ", "), "[]")+"}",
		"Order: "+intsLiteral("int32", order))
	if t.Bounded {
		members = append(members, fmt.Sprintf("Bounded: true, OverMin: %s, OverMax: %s", doubleLiteral(t.OverMin),
			doubleLiteral(t.OverMax)))
	}
	return w.declare(tablesFile, lowerCamel(t.ID)+"Table", w.tableComment(t, "has the keys of"),
		"&kernel.Table{"+strings.Join(members, ",\n")+",\n}")
}

// cellText returns a slot of a row of a table; the zero value outside.
func (w *writer) cellText(n *plan.Node, row string) string {
	t, slot := &w.f.Plan.Tables[n.Imm>>32], int(uint32(n.Imm))
	of := t.Row.SlotType(slot)
	kind := scalarTypes[n.Kind]
	if n.Kind == plan.List || n.Kind == plan.Map {
		kind = w.innerType(of)
	}
	cells := make([]string, t.Rows())
	for i := range cells {
		cells[i] = w.slotLiteral(of, n.Kind, t.Cell(int64(i), int64(slot)))
	}
	name := w.declare(tablesFile, lowerCamel(t.ID+"_"+columnName(t.Row, slot)), w.tableComment(t, "is a column of"),
		"[]"+kind+"{"+strings.Join(cells, ", ")+"}")
	if b := w.f.Bounds(n.Args[0]); b.Min < 0 || b.Max >= int64(t.Rows()) {
		return "kernel.At(" + name + ", " + row + ")"
	}
	return name + "[" + row + "]"
}

// columnName returns the path of a slot of a row.
func columnName(t *plan.Type, slot int) string {
	if t.Kind != plan.Record {
		return "value"
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		n := f.Slots()
		if slot >= n {
			slot -= n
			continue
		}
		if mark := n - f.Type.Slots(); slot < mark {
			return "has_" + f.Name
		} else if f.Type.Kind == plan.Record {
			return f.Name + "_" + columnName(f.Type, slot-mark)
		}
		return f.Name
	}
	return "value"
}
