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
	// The path of the table, the key of the row and the column, as JoinPath writes it: "weapon.axe.damage",
	// "range.1 to 6.modifier", `luck["0.3 to 0.7"].pull`. A table with two keys has the second one in place of a column.
	Name  string
	Type  *Type
	path  []string // the steps of Name
	table int
	slot  int // of the value, in the table's cells
}

// CellsOf returns the cells of a table, row by row; a record in a column has one for each of its fields. Lists and maps
// have none, and neither have absent values.
func (p *Plan) CellsOf(table string) []Cell {
	at := p.tableIndex(table)
	if at < 0 || p.Tables[at].IsDerived() {
		return nil
	}
	t := &p.Tables[at]
	var out []Cell
	for row := range t.Rows() {
		path := []string{t.ID, p.RowKey(t, row).String()}
		out = p.appendCells(out, Cell{Type: t.Row, path: path, table: at, slot: row * t.Row.Slots()})
	}
	if copied := p.Table(CellsID(t.ID)); copied != nil {
		for i := range out { // a formula may read any column: the words of all columns are known there
			out[i].Type = copied.Row.Fields[0].Type
		}
	}
	return out
}

// appendCells appends the scalars of a value.
func (p *Plan) appendCells(out []Cell, c Cell) []Cell {
	if c.Type.Scalar() {
		c.Name = JoinPath(c.path...)
		return append(out, c)
	}
	slot := c.slot
	for i := range c.Type.Fields { // only a record has fields
		f := &c.Type.Fields[i]
		if !f.Optional || p.Tables[c.table].Cells[slot] != 0 {
			out = p.appendCells(out, Cell{Type: f.Type, path: append(slices.Clip(c.path), f.Name),
				table: c.table, slot: slot + f.Slots() - f.Type.Slots()})
		}
		slot += f.Slots()
	}
	return out
}

// CellsRead returns the cells that some graphs may read: of each table the columns that they name, in all rows; of a table
// with two keys all cells, as the second key is known only when a graph is executed.
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
		read, width := i, p.Tables[i].Row.Slots()
		if copied := p.tableIndex(CellsID(p.Tables[i].ID)); copied >= 0 {
			read, width = copied, p.Tables[copied].Row.Slots()
		}
		for _, c := range p.CellsOf(p.Tables[i].ID) {
			if isRead[column{read, c.slot % width}] {
				out = append(out, c)
			}
		}
	}
	return out
}

// tableIndex returns the number of a table; -1 where there is none of that id.
func (p *Plan) tableIndex(id string) int {
	return slices.IndexFunc(p.Tables, func(t Table) bool { return t.ID == id })
}

// FindCell returns the cell of a name. A key with a dot may stand without brackets and quotes, and a key of numbers may be
// any number that it holds: "range.4.modifier".
func (p *Plan) FindCell(name string) (Cell, error) {
	steps := SplitPath(name)
	t := p.Table(steps[0])
	if t == nil {
		return Cell{}, &UnknownError{What: "table", Name: steps[0], Known: p.tablesLike(steps[0])}
	}
	cells := p.CellsOf(t.ID)
	if len(cells) == 0 {
		return Cell{}, fmt.Errorf("table %s has no cell that is a number, a truth or a string", t.ID)
	}
	whole, bare := JoinPath(steps...), strings.Join(steps, ".")
	for _, isMeant := range []func(c *Cell) bool{
		func(c *Cell) bool { return c.Name == whole },
		func(c *Cell) bool { return strings.Join(c.path, ".") == bare },
		func(c *Cell) bool { return p.holdsNumbers(c, steps[1:]) },
	} {
		var meant []Cell
		for i := range cells {
			if isMeant(&cells[i]) {
				meant = append(meant, cells[i])
			}
		}
		switch len(meant) {
		case 0:
			continue
		case 1:
			return meant[0], nil
		}
		return Cell{}, fmt.Errorf("%s names several cells: write %s or %s", name, meant[0].Name, meant[1].Name)
	}
	var names []string
	for i := range cells {
		names = append(names, strings.Join(cells[i].path[1:], "."))
	}
	rest := strings.Join(steps[1:], ".")
	if near := spell.Nearest(rest, names); near != "" {
		return Cell{}, fmt.Errorf("table %s has no cell %q; did you mean %s", t.ID, rest,
			cells[slices.Index(names, near)].Name)
	}
	return Cell{}, fmt.Errorf("table %s has no cell %q: a cell is named by its row and its column, such as %s", t.ID,
		rest, cells[0].Name)
}

// holdsNumbers reports whether some steps name the row and the column of a cell, where numbers stand for keys that hold
// them. A number with a point is two steps.
func (p *Plan) holdsNumbers(c *Cell, steps []string) bool {
	t := &p.Tables[c.table]
	own := c.path[1:]
	row, slot := c.slot/t.Row.Slots(), c.slot%t.Row.Slots()
	across := p.Across(t)
	for cut := 1; cut < len(steps); cut++ {
		key, column := strings.Join(steps[:cut], "."), strings.Join(steps[cut:], ".")
		if key != own[0] && !t.holdsNumber(row, key) {
			continue
		}
		if column == strings.Join(own[1:], ".") || across != nil && across.holdsNumber(slot, column) {
			return true
		}
	}
	return false
}

// holdsNumber reports whether the key of a row holds a number.
func (t *Table) holdsNumber(row int, text string) bool {
	number, err := strconv.ParseFloat(text, 64)
	return err == nil && t.Kind.HasNumbers() && t.Find(number) == int64(row)
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

// WithCell returns a plan whose cell has another value, given as CellText returns it. Nothing else is copied. The
// cells of a table with two keys are two tables of the plan, and both have the value.
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
	if copied := p.tableIndex(CellsID(t.ID)); copied >= 0 {
		out.Tables[copied].Cells = t.Cells
	}
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
