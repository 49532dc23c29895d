package golden

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// compareTable expects that a table of the plan has the rows, in their order, and the cells of table.json: all and no
// others.
//
// This is a second transcription, made from the book by another hand than the ruleset's: a slip
// would have to be made twice to stay. So nothing is left to defaults. After the first row whose
// key differs nothing is compared, as all that follow would differ.
func (r *Result) compareTable(p *plan.Plan) {
	t := p.Table(r.Case.Subject)
	if t == nil {
		r.addProblem("", &runtime.UnknownError{What: "table", Name: r.Case.Subject, Known: tableIDs(p)})
		return
	}
	want, err := transcribed(t, r.Case.table)
	if err != nil {
		r.failf("table.json", "table.json: %v", err)
		return
	}
	got := reader{p}.rows(t)
	for i := range min(len(want), len(got)) {
		if want[i].key != got[i].key {
			r.failAt("table.json", want[i].at, "row %d: want %s, got %s", i+1, want[i].key, got[i].key)
			return
		}
		r.compareRow(want[i], got[i])
	}
	switch {
	case len(want) > len(got):
		r.failAt("table.json", want[len(got)].at, "want %s, but there is no such row", want[len(got)].key)
	case len(want) < len(got):
		r.failf("table.json", "got %s, which table.json does not have", got[len(want)].key)
	}
}

// tableIDs returns the ids of the tables of a plan.
func tableIDs(p *plan.Plan) []string {
	var out []string
	for i := range p.Tables {
		if t := &p.Tables[i]; !t.IsDerived() {
			out = append(out, t.ID)
		}
	}
	return out
}

func (r *Result) compareRow(want, got row) {
	r.compareWith("table.json", want.key+": ", want.cells, got.cells)
	for _, column := range got.cells.Names {
		if want.cells.Get(column) == nil {
			r.failAt("table.json", want.at, "%s: table.json does not have column %s", want.key, column)
		}
	}
}

// transcribed returns the rows of table.json: {"key": {...}}, or {"key": cell} when there is but one column; of bands
// [{"on": [1, 6], ...}], of steps [{"from": 0, ...}, {"above": 2, ...}].
func transcribed(t *plan.Table, j *jsontree.Tree) ([]row, error) {
	want := jsontree.Array
	if !t.Kind.HasNumbers() {
		want = jsontree.Object
	}
	if j.Kind != want {
		if want == jsontree.Object {
			return nil, errors.New(`rows with names are {"row": {"column": cell}}`)
		}
		return nil, errors.New(`bands are [{"on": [1, 6], ...}], and steps [{"from": 0, ...}, {"above": 2, ...}]`)
	}
	var out []row
	for i, x := range j.Items {
		if want == jsontree.Object {
			out = append(out, row{describeWord(j.Names[i]), oneColumn(t, x), x.From})
			continue
		}
		r, err := limited(t, x)
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// oneColumn writes a bare cell as a record of the only column, and a list of cells as one of all columns in their order.
//
// A chart with one column is transcribed as {"ditch": 5}, as the book prints it, instead of naming
// the column in every row.
func oneColumn(t *plan.Table, cells *jsontree.Tree) *jsontree.Tree {
	if fields := t.Row.Fields; cells.Kind == jsontree.Array && len(fields) > 1 && len(cells.Items) == len(fields) {
		names := make([]string, len(fields))
		for i, f := range fields {
			names[i] = f.Name
		}
		return &jsontree.Tree{Kind: jsontree.Object, Names: names, Items: cells.Items}
	}
	if len(t.Row.Fields) != 1 || cells.Kind == jsontree.Object && cells.Get(t.Row.Fields[0].Name) != nil {
		return cells
	}
	return &jsontree.Tree{Kind: jsontree.Object, Names: []string{t.Row.Fields[0].Name}, Items: []*jsontree.Tree{cells}}
}

// limited returns a row of table.json that says its key in a member of its own, which is no cell.
func limited(t *plan.Table, x *jsontree.Tree) (row, error) {
	for i, name := range x.Names {
		if _, ok := plan.KeyOfLimits(name, 0, 0); !ok {
			continue
		}
		key, err := readLimits(name, x.Items[i])
		cells := &jsontree.Tree{Kind: jsontree.Object, Names: slices.Delete(slices.Clone(x.Names), i, i+1),
			Items: slices.Delete(slices.Clone(x.Items), i, i+1)}
		return row{key, cells, x.From}, err
	}
	return row{}, fmt.Errorf("it has none of on, from and above")
}

// readLimits reads the number, or the first and the last, that a member of a row says its key with.
func readLimits(name string, x *jsontree.Tree) (string, error) {
	ends := []*jsontree.Tree{x, x}
	if x.Kind == jsontree.Array && len(x.Items) == 2 {
		ends = x.Items
	}
	lo, err1 := strconv.ParseFloat(ends[0].Text, 64)
	hi, err2 := strconv.ParseFloat(ends[1].Text, 64)
	key, _ := plan.KeyOfLimits(name, lo, hi)
	if err1 != nil || err2 != nil || len(ends) > len(key.Limits()) && lo != hi {
		return "", fmt.Errorf("%s is %v: it is a number, or of a band the first and the last", name, x)
	}
	return describeKey(key), nil
}
