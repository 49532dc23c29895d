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
	dense, isDense := w.denseRows(n, t, key)
	switch {
	case !t.Kind.HasNumbers():
		return w.keyedRow(t) + "(" + key + ")"
	case isDense:
		return dense
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

// maxDense is the most keys for each of which a table of rows has one, and maxDenseRow the last row that it may have.
const (
	maxDense    = 1024
	maxDenseRow = math.MaxInt8
)

// denseRows returns the row of an int that lies between known bounds, as an element of a table of rows; not ok if it does
// not, or if there are too many keys. It takes no comparison, whose outcome no processor can foresee.
func (w *writer) denseRows(n *plan.Node, t *plan.Table, key string) (text string, ok bool) {
	b := w.f.Bounds(n.Args[0])
	if n.Op != plan.OpRow || b.Min < -maxDense || b.Max > 1<<30 || b.Max-b.Min >= maxDense || t.Rows() > maxDenseRow {
		return "", false
	}
	lines := []string{"[...]int8{"}
	for first := b.Min; first <= b.Max; first += denseLine {
		line := ""
		for k := first; k < first+denseLine && k <= b.Max; k++ {
			line += fmt.Sprint(t.FindInt(k), ", ")
		}
		lines = append(lines, strings.TrimSuffix(line, " "))
	}
	comment := w.tableComment(t, fmt.Sprintf("has the row of each key from %d of", b.Min))
	name := w.declare(tablesFile, "rowsOf"+camel(t.ID), comment, strings.Join(append(lines, "}"), "\n"))
	if b.Min != 0 {
		key = fmt.Sprintf("%s - (%d)", key, b.Min)
	}
	return "int64(" + name + "[" + key + "])", true
}

// denseLine is how many rows stand in a line.
const denseLine = 30

// comparedRow returns the name of the function that finds a row by few limits: it counts those that a key has reached, by
// comparisons of which none waits for another one.
func (w *writer) comparedRow(t *plan.Table, isInt bool) string {
	of, terms := "float64", []string{}
	for row := range t.Rows() {
		if row == 0 { // every key that comes has a row
			continue
		}
		limit, comparison := t.Lo[row], " >= "
		if t.Above[row] {
			comparison = " > "
		}
		text := doubleLiteral(limit)
		if isInt {
			of, text = "int64", strconv.FormatInt(int64(math.Floor(limit)), 10)
			if limit != math.Floor(limit) {
				comparison = " > "
			}
		}
		terms = append(terms, "kernel.One(key"+comparison+text+")")
	}
	if isInt {
		of = "int64"
	}
	if len(terms) == 0 {
		terms = []string{"0"}
	}
	return w.declareNamed("rowOf"+camel(t.ID), w.tableComment(t, "returns the row of a key of"),
		[]string{"func(key " + of + ") int64 {", "return " + strings.Join(terms, " +\n"), "}"})
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
		"[...]"+kind+"{"+strings.Join(cells, ", ")+"}") // of an array the length is no load
	if b := w.f.Bounds(n.Args[0]); b.Min < 0 || b.Max >= int64(t.Rows()) {
		return "kernel.At(" + name + "[:], " + row + ")"
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
