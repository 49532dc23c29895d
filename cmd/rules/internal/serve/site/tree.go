package site

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime/trace"
)

// A treeView is a value of a trace with what it rests on.
type treeView struct {
	Name, Kind, Value string
	Equation, Formula string
	Links             []linkView // the definition that it comes from, and the rulings and rows that decided
	From              []*treeView
	Repeated          bool
}

type linkView struct{ Text, Link string }

// HasMore reports whether there is more to the value than a line tells.
func (t *treeView) HasMore() bool {
	return t.Formula != "" || len(t.From) > 0 || len(t.Links) > 0
}

// treesOf shows the steps that answers rest on.
func (b *bookView) treesOf(steps []*trace.Step) []*treeView {
	var out []*treeView
	for _, x := range steps {
		out = append(out, b.newTree(x))
	}
	return out
}

// newTree shows a step with all below it. A step that is repeated has nothing below: the tree above
// it does.
func (b *bookView) newTree(x *trace.Step) *treeView {
	v := &treeView{Name: x.Name, Kind: string(x.Kind), Value: view.Text(x.Value), Equation: x.Equation,
		Formula: x.Formula, Links: b.linksOf(x), Repeated: x.Repeated}
	if x.Failure != "" {
		v.Value = x.Failure
	}
	if v.Equation == v.Value {
		v.Equation = "" // it would say the same twice
	}
	if x.Kind == trace.Named {
		v.Kind = "" // the ordinary case needs no word
	}
	if x.Row != nil && x.Row.Row != "" {
		v.Kind += ", row " + x.Row.Row
	}
	v.From = b.treesOf(x.From)
	return v
}

// linksOf returns the ways from a step into the book, which lies one directory above a form.
//
// A step leads to where a reader would look it up: a look-up to the row that it found, a decision
// to its option, and any other to the definition that has the formula.
func (b *bookView) linksOf(x *trace.Step) []linkView {
	var out []linkView
	add := func(text string, d *definitionView) {
		if d != nil {
			out = append(out, linkView{text, "../" + d.Link})
		}
	}
	of := func(option string) string { name, _, _ := strings.Cut(option, "="); return strings.TrimSpace(name) }
	switch x.Kind {
	case trace.Table:
		if d := b.find("table", x.Name); d != nil {
			out = append(out, linkView{"table " + x.Name, "../" + d.rowLink(x.Row)})
		}
	case trace.Function, trace.Trait, trace.Option:
		add(string(x.Kind)+" "+x.Name, b.find(string(x.Kind), strings.TrimPrefix(x.Name, "option.")))
	default:
		kind, id, _ := strings.Cut(x.Of, " ")
		text := x.Cite
		if text == "" {
			text = x.Of
		}
		add(text, b.find(kind, id))
	}
	if x.Option != "" {
		add("decided by "+x.Option, b.find("option", of(x.Option)))
	}
	if x.Erratum != "" {
		add("erratum "+x.Erratum, b.find("erratum", x.Erratum))
	}
	return out
}

// rowLink leads to a row of a table or, where that is not known, to the table.
func (d *definitionView) rowLink(row *trace.Row) string {
	if row == nil || d.Table == nil {
		return d.Link
	}
	i := slices.IndexFunc(d.Table.Rows, func(r rowView) bool { return r.Cells[0] == row.Row })
	if i < 0 {
		return d.Link
	}
	page, _, _ := strings.Cut(d.Link, "#")
	return page + "#" + d.Table.Rows[i].ID
}
