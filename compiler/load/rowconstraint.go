package load

import (
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/format"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// What the ruleset says of one row
//
//	keyed: [=~"^bow"]: range: >=20
//	keyed: longbow: {range: int & <=90, harm: 3}
//	keyed: longbow: range: 60
//
// A homebrew that sets the range of the longbow to 99 is to be refused, and so is one that adds a bow_of_ash of range 10.
//
// CUE evaluates a pattern for a row that is not there when it is asked for the row as an optional field. A row that is
// there is the unification of all that is written for it, the pattern, the bound and the number 60. CUE gives these
// conjuncts one by one, each evaluated alone. What the homebrew may change is data: a conjunct that is one value. The rest
// still holds, so the conjuncts are kept but for the data:
//
//   - a pattern, and a struct without data, as #Weapon in "longbow: #Weapon & {...}", as they are: their fields may refer to
//     each other;
//   - of other structs and lists, what is said of each cell beside its value;
//   - a bound in the row itself that reads another cell, {least: 1, most: >=least}, has been evaluated with the ruleset's own
//     cell, and so is a cell that is computed of another, {least: 1, most: least + 4}. What is written for such a cell is
//     compiled anew beside cells of which nothing is known.
//
// The limit: what reads both another cell of its row and something outside of the row is not kept.

// A rowConstraint is what a ruleset says of the cells of a row, which may read each other.
type rowConstraint struct {
	value cue.Value
	place plan.Place
	every bool // said of every row
}

func (c *rowConstraint) related() diag.Related {
	if c.every {
		return diag.Related{Place: c.place, Message: "what every row is"}
	}
	return diag.Related{Place: c.place, Message: "what is said of the row"}
}

// A cellConstraint is what a row says of one of its cells beside the value.
type cellConstraint struct {
	cell  string         // its path in the row
	part  []cue.Selector // of the cell, if it is about an element of a list or a field of a struct
	value cue.Value
	place plan.Place
}

// constraintsOf returns what the ruleset says of a row, and of single cells of it.
func (f *rowForm) constraintsOf(row *book.Row) (out []rowConstraint, cells []cellConstraint) {
	if f.value.Exists() {
		out = append(out, rowConstraint{f.value, f.place, true})
	}
	if origin := f.origins[row.String()]; origin != nil {
		return f.appendOwn(out, origin)
	}
	var said cue.Value
	switch {
	case f.rows.isList():
		said = f.restForm()
	case f.hasSelectivePattern():
		said = f.rows.value.LookupPath(cue.MakePath(cue.Str(row.Key).Optional()))
	}
	if said.Exists() {
		for _, c := range writtenConjuncts(said) {
			out = f.appendConstraint(out, c)
		}
	}
	return out, nil
}

// appendOwn appends what is said of a row of the ruleset's, and returns what the row says of single cells.
func (f *rowForm) appendOwn(to []rowConstraint, origin *node) (out []rowConstraint, cells []cellConstraint) {
	out = to
	frozen := map[string]bool{}
	frozenFinder{frozen}.addColumns(origin.sites)
	for _, c := range writtenConjuncts(origin.value) {
		if origin.isOfPattern(c) {
			if f.hasSelectivePattern() {
				out = f.appendConstraint(out, c)
			}
			continue
		}
		for _, part := range conjunctsOf(c) {
			switch {
			case holdsData(part):
				cells = append(cells, f.cellConstraints(origin, part, frozen)...)
			case len(frozen) == 0:
				out = f.appendConstraint(out, part)
			}
		}
	}
	if !f.isChart {
		out = append(out, f.siblingBounds(origin)...)
	}
	return out, cells
}

// siblingBounds returns what a row of the ruleset's says of its cells by other cells.
func (f *rowForm) siblingBounds(origin *node) (out []rowConstraint) {
	for _, s := range origin.flatSites() {
		if _, isStruct := s.Expr.(*ast.StructLit); !isStruct || s.Shared {
			continue
		}
		for _, b := range origin.r.boundsIn(s) {
			if v := f.ctx.CompileString(b.text, cue.InferBuiltins(true)); v.Err() == nil {
				out = append(out, rowConstraint{value: v, place: b.place})
			}
		}
	}
	return out
}

// A siblingBound is a struct in CUE in which one field is bound by others, of which nothing is said.
type siblingBound struct {
	text  string
	place plan.Place
}

// boundsIn returns the bounds that fields of a struct, and of structs in it, have by others.
func (r *reader) boundsIn(s site.Site) (out []siblingBound) {
	lit := s.Expr.(*ast.StructLit)
	in := s.Enter(lit)
	var fields []site.Field
	free := "" // the fields of the struct
	for _, d := range lit.Elts {
		if x, ok := d.(*ast.Field); ok {
			if f := site.DeclaredField(x, in); f.Kind == site.Regular && x.Constraint == token.ILLEGAL {
				fields = append(fields, f)
				free += fieldName(f.Name) + ": _, "
			}
		}
	}
	for _, f := range fields {
		for _, c := range conjunctsAt(f.Site) {
			if _, isStruct := c.Expr.(*ast.StructLit); isStruct {
				for _, b := range r.boundsIn(c) {
					out = append(out, siblingBound{"{" + fieldName(f.Name) + ": " + b.text + "}", b.place})
				}
			} else if readsSibling(c) {
				out = append(out, siblingBound{"{" + free + fieldName(f.Name) + ": " + r.TextOf(c.Expr) + "}", r.PlaceOf(c.Expr.Pos())})
			}
		}
	}
	return out
}

// conjunctsAt returns the parts of a conjunction as they are written.
func conjunctsAt(s site.Site) []site.Site {
	switch x := s.Expr.(type) {
	case *ast.ParenExpr:
		return conjunctsAt(s.WithExpr(x.X))
	case *ast.BinaryExpr:
		if x.Op == token.AND {
			return append(conjunctsAt(s.WithExpr(x.X)), conjunctsAt(s.WithExpr(x.Y))...)
		}
	}
	return []site.Site{s}
}

// appendConstraint appends what is said of a row, unless it cannot be evaluated alone.
func (f *rowForm) appendConstraint(to []rowConstraint, c cue.Value) []rowConstraint {
	at := f.rows.r.PlaceOf(c.Pos())
	if c.Err() != nil || saysNothing(c) {
		return to
	}
	return append(to, rowConstraint{value: c, place: at, every: f.value.Exists() && at == f.place})
}

// hasSelectivePattern reports whether a pattern of the rows is not about every row, or reads the name of the row.
func (f *rowForm) hasSelectivePattern() bool {
	return slices.ContainsFunc(site.MembersOf(f.rows.flatSites()), func(m site.Field) bool {
		id, isName := m.Pattern.(*ast.Ident)
		return m.Kind == site.Pattern && (!isName || id.Name != "string" && id.Name != "_")
	})
}

// restForm returns what a list says of the elements behind those that it has, [{on: 1}, ...#Row]; a value that does not
// exist where it says nothing. A pattern of all elements, [...#Row], is no such one.
func (f *rowForm) restForm() (out cue.Value) {
	if !slices.ContainsFunc(f.rows.flatSites(), func(s site.Site) bool {
		list, ok := s.Expr.(*ast.ListLit)
		return ok && len(list.Elts) > 1 && len(restSites(list, s)) > 0
	}) {
		return out
	}
	for _, list := range conjunctsOf(f.rows.value) {
		n, err := list.Len().Int64()
		if err != nil || n == 0 {
			continue
		}
		next := cue.MakePath(cue.Index(int(n)))
		said := list.FillPath(next, f.ctx.CompileString("_")).LookupPath(next)
		switch {
		case !said.Exists() || said.Err() != nil:
		case out.Exists():
			out = out.Unify(said)
		default:
			out = said
		}
	}
	return out
}

// isOfPattern reports whether a conjunct of a row is written for all rows that a pattern matches.
func (n *node) isOfPattern(conjunct cue.Value) bool {
	at := conjunct.Pos() // of the field, or of its value
	return slices.ContainsFunc(n.sites, func(s site.Site) bool {
		from, to := s.OwnPosition(), s.Expr.End()
		return s.Shared && from.Filename() == at.Filename() && from.Offset() <= at.Offset() && at.Offset() < to.Offset()
	})
}

// writtenConjuncts returns what is written for a value, each evaluated alone: one for each declaration.
func writtenConjuncts(v cue.Value) []cue.Value {
	if op, parts := v.Expr(); op == cue.AndOp {
		return parts
	}
	return []cue.Value{v}
}

// conjunctsOf returns the conjuncts of a value, each evaluated alone.
func conjunctsOf(v cue.Value) (out []cue.Value) {
	parts := writtenConjuncts(v)
	if len(parts) == 1 {
		return parts
	}
	for _, part := range parts {
		out = append(out, conjunctsOf(part)...)
	}
	return out
}

// holdsData reports whether a value, or a part of it, is written out. A choice with a default is not.
func holdsData(v cue.Value) bool {
	var parts *cue.Iterator
	var err error
	switch v.IncompleteKind() {
	case cue.StructKind:
		parts, err = v.Fields()
	case cue.ListKind:
		var elements cue.Iterator
		elements, err = v.List()
		parts = &elements
	default:
		op, _ := v.Expr()
		return op != cue.OrOp && v.IsConcrete()
	}
	for err == nil && parts.Next() {
		if holdsData(parts.Value()) {
			return true
		}
	}
	return false
}

// cellConstraints returns what a part of a row says of its cells beside their values, but for those of frozen columns.
func (f *rowForm) cellConstraints(origin *node, part cue.Value, frozen map[string]bool) (out []cellConstraint) {
	if frozen[""] || f.isChart && frozen["cells"] {
		return nil
	}
	row := tableRow{node: origin, kind: f.kind}
	cells := slices.DeleteFunc(origin.dataFields(), row.isKey)
	if f.isChart {
		list := origin
		if f.rows.isList() {
			list, _ = origin.fieldNamed("cells")
		}
		if list == nil || !list.isList() {
			return nil
		}
		cells = list.listElements()
	}
	for i, k := range cells {
		if path := f.pathOf(i, k.name); !frozen[k.name] {
			whole := cellConstraint{cell: cue.MakePath(path...).String()}
			out = append(out, k.constraintsIn(lookUpCell(part, path), whole)...)
		}
	}
	return out
}

// constraintsIn returns what a value says of a cell, or of a part of one, beside the data in it. The node is that of the
// part.
func (n *node) constraintsIn(v cue.Value, in cellConstraint) (out []cellConstraint) {
	if !v.Exists() || slices.ContainsFunc(n.sites, readsSibling) {
		return nil
	}
	for _, c := range conjunctsOf(v) {
		within := func(k *node, label cue.Selector) {
			at := cellConstraint{cell: in.cell, part: append(slices.Clip(in.part), label)}
			out = append(out, k.constraintsIn(lookUpCell(c, []cue.Selector{label}), at)...)
		}
		switch {
		case c.Err() != nil:
		case !holdsData(c):
			in.value, in.place = c, n.r.PlaceOf(c.Pos())
			out = append(out, in)
		case n.isList():
			for i, k := range n.listElements() {
				within(k, cue.Index(i))
			}
		case n.isStruct():
			for _, k := range n.dataFields() {
				within(k, cue.Str(k.name))
			}
		}
	}
	return out
}

// readsSibling reports whether the expression of a site refers to a field of the struct in which it stands.
func readsSibling(s site.Site) (reads bool) {
	ast.Walk(s.Expr, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			_, isSibling := s.WithExpr(id).SiblingPath()
			reads = reads || isSibling
		}
		return !reads
	}, nil)
	return reads
}

// refusesCell reports a cell of a homebrew's that its row in the ruleset refuses, and returns whether it does.
func (f *rowForm) refusesCell(t *book.Table, row *book.Row, p *rowPart, cells []cellConstraint, diags *diag.List) bool {
	for _, c := range cells {
		given := f.ctx.CompileString(p.texts[0]).LookupPath(cue.MakePath(c.part...))
		if c.cell != cue.MakePath(p.path...).String() || !given.Exists() || c.value.Unify(given).Validate() == nil {
			continue
		}
		name, text := p.name, p.texts[0]
		if len(c.part) > 0 {
			name, text = cue.MakePath(append([]cue.Selector{cue.Str(p.name)}, c.part...)...).String(), describeValue(given)
		}
		d := diags.Addf("overlay-rows", p.place, "homebrew "+p.brew, "%s of row %s is %s, and table %s allows %s in this row",
			name, row.String(), text, t.ID, describeValue(c.value))
		d.Related = append(d.Related, diag.Related{Place: c.place, Message: "what is said of the row"})
		return true
	}
	return false
}

// checkNumber reports rows that together are not what the ruleset says of them, struct.MaxFields(20) as an example. That is
// said of a table of which a homebrew has added rows or taken some out.
func (f *rowForm) checkNumber(b *book.Ruleset, t *book.Table, diags *diag.List) {
	var at plan.Place
	var brew string
	i := slices.IndexFunc(t.Rows, func(r book.Row) bool { return r.Overlay != "" })
	k := slices.IndexFunc(b.Disabled, func(d book.Disabling) bool { return len(d.Path) == 4 && d.Path[1] == t.ID })
	switch {
	case i >= 0:
		at, brew = t.Rows[i].Place, t.Rows[i].Overlay
	case k >= 0:
		at, brew = b.Disabled[k].Place, b.Disabled[k].Overlay
	default:
		return
	}
	var rows cue.Value
	for _, c := range f.validators() {
		if !rows.Exists() {
			rows = f.ctx.CompileString(f.writeRows(t))
		}
		if c.Unify(rows).Validate(cue.Concrete(true), cue.Final()) == nil {
			continue
		}
		source := c.Source()
		if field, ok := source.(*ast.Field); ok {
			source = field.Value
		}
		text, err := format.Node(source)
		if err != nil {
			continue
		}
		d := diags.Addf("overlay-rows", at, "homebrew "+brew, "table %s has %s with the homebrew, which %s refuses", t.ID,
			plural.Of(len(t.Rows), "row"), text)
		d.Related = append(d.Related, diag.Related{Place: f.rows.r.PlaceOf(c.Pos()), Message: "what is said of the rows"})
	}
}

// validators returns the calls among the conjuncts of the rows, unless they read the ruleset's own tables or options.
func (f *rowForm) validators() []cue.Value {
	calls := slices.DeleteFunc(slices.Clone(f.rows.flatSites()), func(s site.Site) bool {
		_, isCall := s.Expr.(*ast.CallExpr)
		return !isCall
	})
	if len(calls) == 0 || slices.ContainsFunc(calls, func(s site.Site) bool {
		return readsTables(s, s.Expr, map[ast.Node]bool{})
	}) {
		return nil
	}
	return slices.DeleteFunc(conjunctsOf(f.rows.value), func(c cue.Value) bool {
		op, _ := c.Expr()
		return op != cue.CallOp || c.Err() != nil || holdsData(c)
	})
}

// writeRows returns the rows of a table in CUE.
func (f *rowForm) writeRows(t *book.Table) string {
	var rows []string
	for i := range t.Rows {
		row := &t.Rows[i]
		var members []string
		for _, p := range keyParts(row) {
			members = append(members, p.name+": "+p.texts[0])
		}
		var cells []string
		for k, c := range t.Columns {
			if cells = append(cells, row.Cells[k].JSON); !f.isChart {
				members = append(members, fmt.Sprintf("%q: %s", c.Name, row.Cells[k].JSON))
			}
		}
		text := "[" + strings.Join(cells, ", ") + "]"
		if !f.isChart || f.rows.isList() {
			if f.isChart {
				members = append(members, "cells: "+text)
			}
			text = "{" + strings.Join(members, ", ") + "}"
		}
		if !f.rows.isList() {
			text = fmt.Sprintf("%q: %s", row.Key, text)
		}
		rows = append(rows, text)
	}
	text := strings.Join(rows, ", ")
	if f.rows.isList() {
		return "[" + text + "]"
	}
	return "{" + text + "}"
}
