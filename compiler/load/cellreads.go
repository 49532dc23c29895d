package load

import (
	"cmp"
	"path"
	"slices"
	"strconv"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/literal"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Cells that CUE reads
//
//	#Character: hp: int & <=tables.cap.keyed.top.points
//	require: "at most \(tables.cap.keyed.top.points)": "input.hp <= cap('top').points"
//	tables: {for id, row in tables.cap.keyed {(id + "_twice"): ...row.points * 2}}
//
// CUE is evaluated before a homebrew is applied, which is data by then. A homebrew that replaces the cell changes what
// formulas look up, and neither the bound nor the message. So each place at which CUE reads a replaced cell is told.
//
// The limit: a cell is found by its path from tables, and by the variable of a loop over the rows; not behind a let or a
// hidden field, and not where table and rows are made from the same data.

// A cellRead is an expression of CUE's that reads a cell, or one of a column of all rows.
type cellRead struct {
	row, column string // as they are written in a path: a name or an index; a row of "" is all
	place       plan.Place
}

// cellReadsOf returns the expressions in the files of a directory which read cells of a table: other rulesets of a module may
// have a table of that name too.
func (r *reader) cellReadsOf(table, dir string) (out []cellRead) {
	for _, inst := range r.Packages {
		for _, f := range inst.Files {
			if path.Dir(r.PlaceOf(f.Pos()).File) != dir {
				continue
			}
			ast.Walk(f, func(n ast.Node) bool {
				switch x := n.(type) {
				case *ast.Comprehension:
					out = append(out, r.loopReads(x, table)...)
				case *ast.SelectorExpr, *ast.IndexExpr:
					// tables.NAME.keyed.ROW.COLUMN
					if labels := tablePath(x.(ast.Expr)); len(labels) >= 4 && labels[0] == table {
						out = append(out, cellRead{labels[2], labels[3], r.PlaceOf(x.Pos())})
						return false
					}
				}
				return true
			}, nil)
		}
	}
	return out
}

// loopReads returns the cells that the body of a loop over the rows of a table reads.
func (r *reader) loopReads(x *ast.Comprehension, table string) (out []cellRead) {
	for _, clause := range x.Clauses {
		loop, isLoop := clause.(*ast.ForClause)
		if !isLoop || loop.Value == nil {
			continue
		}
		if labels := tablePath(loop.Source); len(labels) != 2 || labels[0] != table {
			continue
		}
		ast.Walk(x, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if row, isName := s.X.(*ast.Ident); isName && row.Name == loop.Value.Name {
					out = append(out, cellRead{column: site.LabelName(s.Sel), place: r.PlaceOf(s.Pos())})
				}
			}
			return true
		}, nil)
	}
	return out
}

// tablePath returns the path behind tables of an expression such as tables.weapon.keyed["long bow"]; nil of any other.
func tablePath(x ast.Expr) []string {
	switch x := x.(type) {
	case *ast.SelectorExpr:
		if root, isName := x.X.(*ast.Ident); isName && root.Name == "tables" {
			return []string{site.LabelName(x.Sel)}
		}
		if labels := tablePath(x.X); labels != nil {
			return append(labels, site.LabelName(x.Sel))
		}
	case *ast.IndexExpr:
		lit, isLiteral := x.Index.(*ast.BasicLit)
		labels := tablePath(x.X)
		if !isLiteral || labels == nil {
			return nil
		}
		if text, err := literal.Unquote(lit.Value); err == nil {
			return append(labels, text)
		}
		return append(labels, lit.Value)
	}
	return nil
}

// reportCellReads warns of cells of a table that a homebrew has replaced and that CUE has read.
func (f *rowForm) reportCellReads(t *book.Table, diags *diag.List) {
	var reads []cellRead
	isSearched := false
	for i := range t.Rows {
		row := &t.Rows[i]
		at := slices.Index(f.keys, row.String())
		if at < 0 {
			continue
		}
		for k, c := range t.Columns {
			cell := row.Cells[k]
			if cell.Overlay == "" && row.Overlay == "" {
				continue
			}
			if !isSearched {
				reads, isSearched = f.rows.r.cellReadsOf(t.ID, path.Dir(f.rows.place.File)), true
			}
			isOf := func(x cellRead) bool {
				return (x.row == "" || x.row == row.Key || x.row == strconv.Itoa(at)) &&
					(x.column == c.Name || f.isChart && x.column == strconv.Itoa(k))
			}
			var related []diag.Related
			for _, x := range reads {
				if said := (diag.Related{Place: x.place, Message: "read here"}); isOf(x) && !slices.Contains(related, said) {
					related = append(related, said)
				}
			}
			if related != nil {
				d := diags.Addf("overlay-frozen", cell.Place, "homebrew "+cmp.Or(cell.Overlay, row.Overlay),
					"%s of row %s is replaced, and what CUE reads of it stays as it was", c.Name, row.String())
				d.Related = related
				d.Repair = "replace what reads it too, or disable that and add it anew; only formulas look up the new cell"
			}
		}
	}
}
