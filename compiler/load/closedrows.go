package load

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/fieldset"
	"github.com/tabletop-rules/rules/compiler/load/site"
)

// Rows that a definition closes
//
//	keyed: [string]: #Weapon
//	keyed: axe: {damage: "1d6", hnads: 2}
//	#Weapon: {damage: string, hands: int}
//
// CUE refuses hnads, and says at the definition that hands has no value. To the author it is one slip, in the row, or in
// the definition where every row writes the other name.

// A closedRow is a row, with the cells that its definition has not and those of the definition that the row does not give.
type closedRow struct {
	*tableRow
	refused, absent []*node
}

// reportClosedRows reports the cells that definitions refuse, and those that they ask for and a row does not give. Both
// leave the rows: nothing more is said of them.
func reportClosedRows(rows []tableRow) {
	closed := make([]closedRow, len(rows))
	for i := range rows {
		rows[i].reportOwnUnmet()
		absent := append(takeCells(&rows[i], rows[i].lacks), takeUnmet(&rows[i])...)
		closed[i] = closedRow{&rows[i], takeCells(&rows[i], (*node).isRefused), absent}
	}
	if reportMisspeltDefinition(closed) {
		return
	}
	for _, row := range closed {
		row.reportCells()
	}
}

// takeCells removes cells from a row, and returns them.
func takeCells(row *tableRow, is func(*node) bool) (out []*node) {
	row.cells = slices.DeleteFunc(row.cells, func(k *node) bool {
		if !is(k) {
			return false
		}
		out = append(out, k)
		row.settled = true
		return true
	})
	return out
}

// takeUnmet returns the cells that a definition or a pattern asks for, with "!", and the row does not give. CUE gives a row
// no field for them.
func takeUnmet(row *tableRow) []*node {
	out := slices.DeleteFunc(slices.Clone(row.unmet), row.isKey)
	row.unmet, row.settled = nil, row.settled || len(out) > 0
	return out
}

// reportOwnUnmet reports the cells that a row asks for, with "!", in its own braces.
func (row *tableRow) reportOwnUnmet() {
	var own, others []*node
	for _, k := range row.unmet {
		if slices.ContainsFunc(k.sites, func(s site.Site) bool { return row.isWrittenAt(s.Expr.Pos()) }) {
			own = append(own, k)
		} else {
			others = append(others, k)
		}
	}
	row.unmet = own
	row.settled = row.settled || len(own) > 0
	row.reportUnmet(fieldset.Set{})
	row.unmet = others
}

// isRefused reports whether a closed definition does not have the field.
func (n *node) isRefused() bool {
	return n.isError() && strings.HasSuffix(n.value.Err().Error(), "field not allowed")
}

// lacks reports whether a cell has no value, and is written for the row by a definition or a pattern alone.
func (row *tableRow) lacks(k *node) bool {
	v, _ := k.value.Default()
	return len(k.sites) > 0 && !k.isError() && v.IncompleteKind() != cue.StructKind && !v.IsConcrete() &&
		!slices.ContainsFunc(k.sites, func(s site.Site) bool { return row.isWrittenAt(s.Expr.Pos()) })
}

// isWrittenAt reports whether a position is inside of the row's own expressions.
func (row *tableRow) isWrittenAt(p token.Pos) bool {
	return slices.ContainsFunc(row.sites, func(s site.Site) bool {
		from, to := s.Expr.Pos(), s.Expr.End()
		return !s.Shared && from.Filename() == p.Filename() && from.Offset() <= p.Offset() && p.Offset() < to.Offset()
	})
}

// reportMisspeltDefinition reports a cell that no row gives where every row gives another one, of nearly the same name,
// that is refused; and whether there is one.
func reportMisspeltDefinition(rows []closedRow) bool {
	if len(rows) < 2 || len(rows[0].absent) != 1 || len(rows[0].refused) != 1 {
		return false
	}
	absent, refused := rows[0].absent[0], rows[0].refused[0]
	for _, row := range rows {
		if len(row.absent) != 1 || len(row.refused) != 1 || row.refused[0].name != refused.name {
			return false
		}
	}
	if diag.Nearest(absent.name, []string{refused.name}) == "" {
		return false
	}
	for _, row := range rows {
		row.r.Contradictions.Add(row.refused[0].place)
	}
	d := absent.r.addf("table-column", absent.r.PlaceOf(absent.sites[0].Expr.Pos()), absent.subject,
		"%s asks for %s, and every row has %s", rows[0].definitionName(), absent.name, refused.name)
	d.Repair = "did you mean " + refused.name + "?"
	d.Breaks = []string{refused.name}
	return true
}

// reportCells reports the cells of one row: a refused one together with the absent one that it probably is.
func (row *closedRow) reportCells() {
	var missing []string
	for _, k := range row.absent {
		missing = append(missing, k.name)
	}
	for _, k := range row.refused {
		row.r.Contradictions.Add(k.place)
		d := row.r.addf("table-column", k.place, row.subject, "row %s has %s, which %s has not", row.rowLabel(), k.name,
			row.definitionName())
		d.Breaks = []string{k.name}
		if meant := diag.Nearest(k.name, missing); meant != "" {
			d.Repair = "did you mean " + meant + "?"
			missing = slices.DeleteFunc(missing, func(name string) bool { return name == meant })
		} else {
			d.Repair = "columns are " + strings.Join(row.columnNames(missing), ", ")
		}
	}
	if len(missing) > 0 {
		row.r.addf("table-column", row.place, row.subject, "row %s has no %s, which %s asks for", row.rowLabel(),
			strings.Join(missing, ", "), row.demandName()).
			Repair = fmt.Sprintf("write %s: ... into the row", missing[0])
	}
}

// demandName returns the name of what asks for the absent cells: a struct that the row refers to itself, a definition, or the
// pattern of the rows.
func (row *closedRow) demandName() string {
	name := row.definitionName()
	isShared := func(k *node) bool { return slices.ContainsFunc(k.sites, func(s site.Site) bool { return s.Shared }) }
	if name == patternName && !slices.ContainsFunc(row.absent, isShared) {
		return "a struct in it"
	}
	return name
}

// columnNames returns the names of the cells of the row, and of others.
func (row *closedRow) columnNames(others []string) []string {
	out := slices.Clone(others)
	for _, k := range row.cells {
		out = append(out, k.name)
	}
	return out
}

// patternName stands for the name of a definition where a pattern says of the rows what one would.
const patternName = "the pattern of the rows"

// definitionName returns the name of the definition that closes the row, as the author writes it.
func (row *closedRow) definitionName() string {
	for _, s := range site.SplitConjuncts(row.sites) {
		if len(s.Closed) > 0 {
			switch x := s.Closed[len(s.Closed)-1].(type) {
			case *ast.Ident:
				return x.Name
			case *ast.SelectorExpr:
				if name, _, err := ast.LabelName(x.Sel); err == nil {
					return name
				}
			}
		}
	}
	return patternName
}
