package plan

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/spell"
)

// A Cell is one number, truth or string in a row of a table.
type Cell struct {
	Name  string // the table, the key of the row and the column: "weapon.axe.damage", "range.1 to 6.modifier"
	Type  *Type
	table int
	slot  int // of the value, in the table's cells
}

// CellsOf returns the cells of a table, row by row; a record in a column has one for each of its fields. Lists and maps
// have none, and neither have absent values.
func (p *Plan) CellsOf(table string) []Cell {
	at := slices.IndexFunc(p.Tables, func(t Table) bool { return t.ID == table })
	if at < 0 || p.Tables[at].IsDerived() {
		return nil
	}
	t := &p.Tables[at]
	var out []Cell
	for row := range t.Rows() {
		out = p.appendCells(out, Cell{t.ID + "." + p.RowKey(t, row).String(), t.Row, at, row * t.Row.Slots()})
	}
	return out
}

// appendCells appends the scalars of a value.
func (p *Plan) appendCells(out []Cell, c Cell) []Cell {
	if c.Type.Scalar() {
		return append(out, c)
	}
	slot := c.slot
	for i := range c.Type.Fields { // only a record has fields
		f := &c.Type.Fields[i]
		if !f.Optional || p.Tables[c.table].Cells[slot] != 0 {
			out = p.appendCells(out, Cell{c.Name + "." + f.Name, f.Type, c.table, slot + f.Slots() - f.Type.Slots()})
		}
		slot += f.Slots()
	}
	return out
}

// CellsRead returns the cells that some graphs may read: of each table the columns that they name, in all rows.
func (p *Plan) CellsRead(graphs ...*Graph) []Cell {
	type column struct{ table, slot int }
	isRead := map[column]bool{}
	for _, g := range graphs {
		for i := range g.Nodes {
			if n := &g.Nodes[i]; n.Op.Operation().Immediate == CellImmediate {
				isRead[column{int(n.Imm >> 32), int(uint32(n.Imm))}] = true
			}
		}
	}
	var out []Cell
	for i := range p.Tables {
		width := p.Tables[i].Row.Slots()
		for _, c := range p.CellsOf(p.Tables[i].ID) {
			if isRead[column{i, c.slot % width}] {
				out = append(out, c)
			}
		}
	}
	return out
}

// FindCell returns the cell of a name. A row of numbers may also be named by any number in it: "range.4.modifier".
func (p *Plan) FindCell(name string) (Cell, error) {
	name = strings.Join(SplitPath(name), ".") // a cell's own name has no brackets
	table, rest, _ := strings.Cut(name, ".")
	t := p.Table(table)
	if t == nil {
		return Cell{}, &UnknownError{What: "table", Name: table, Known: p.tablesLike(table)}
	}
	if key, column, _ := strings.Cut(rest, "."); t.Kind.HasNumbers() {
		if number, err := strconv.ParseFloat(key, 64); err == nil {
			if row := t.Find(number); row >= 0 {
				name = table + "." + p.RowKey(t, int(row)).String() + "." + column
			}
		}
	}
	cells := p.CellsOf(table)
	at := slices.IndexFunc(cells, func(c Cell) bool { return c.Name == name })
	switch {
	case at >= 0:
		return cells[at], nil
	case len(cells) == 0:
		return Cell{}, fmt.Errorf("table %s has no cell that is a number, a truth or a string", table)
	}
	var names []string
	for _, c := range cells {
		names = append(names, strings.TrimPrefix(c.Name, table+"."))
	}
	if near := spell.Nearest(rest, names); near != "" {
		return Cell{}, fmt.Errorf("table %s has no cell %q; did you mean %q", table, rest, near)
	}
	return Cell{}, fmt.Errorf("table %s has no cell %q: a cell is named by its row and its column, such as %s", table,
		rest, names[0])
}

// tablesLike returns the names of the tables that have a name as a part, as melee_weapon has weapon, or those of all
// tables.
func (p *Plan) tablesLike(part string) []string {
	var all, like []string
	for i := range p.Tables {
		name := p.Tables[i].ID
		if all = append(all, name); strings.Contains(name, part) {
			like = append(like, name)
		}
	}
	if len(like) > 0 {
		return like
	}
	return all
}

// CellText returns the value of a cell as JSON.
func (p *Plan) CellText(c *Cell) string { return p.Constant(c.Type, p.Tables[c.table].Cells[c.slot:]) }

// WithCell returns a plan whose cell has another value, given as CellText returns it. Nothing else is copied.
//
// The compiler has proven properties of the table, such as a bound of a column or that an index is within a list. They
// are not proven of the new value: an evaluation may fail where it could not before.
func (p *Plan) WithCell(c *Cell, text string) (*Plan, error) {
	out := *p
	bits, err := out.parseCell(c.Type, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	out.Tables = slices.Clone(p.Tables)
	t := &out.Tables[c.table]
	t.Cells = slices.Clone(t.Cells)
	t.Cells[c.slot] = bits
	return &out, nil
}

// parseCell returns the slot of a value; a string that the plan does not have yet becomes its last symbol.
func (p *Plan) parseCell(t *Type, text string) (bits int64, err error) {
	switch t.Kind {
	case Int:
		if bits, err = strconv.ParseInt(text, 10, 64); err != nil {
			return 0, fmt.Errorf("%s is no whole number", text)
		}
		return bits, nil
	case Double:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return 0, fmt.Errorf("%s is no number", text)
		}
		return int64(math.Float64bits(f)), nil
	case Bool:
		holds, err := strconv.ParseBool(text)
		if err != nil {
			return 0, fmt.Errorf("%s is neither true nor false", text)
		}
		if holds {
			bits = 1
		}
		return bits, nil
	}
	word, err := strconv.Unquote(text)
	if err != nil {
		word = text
	}
	if len(t.Enum) > 0 && !slices.Contains(t.Enum, word) {
		return 0, fmt.Errorf("%q is none of %s", word, strings.Join(t.Enum, ", "))
	}
	at := slices.Index(p.Symbols, word)
	if at < 0 {
		at = len(p.Symbols)
		p.Symbols = append(slices.Clone(p.Symbols), word)
	}
	return int64(at), nil
}
