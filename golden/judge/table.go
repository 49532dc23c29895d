package judge

import (
	"fmt"
	"slices"

	"cuelang.org/go/cue"
)

// A table "maps a key to a row. It has exactly one of keyed, bands, steps; or it has rows and columns, and maps two keys
// to the cell where they meet".
type table struct {
	id      string
	gives   string
	rows    []row
	over    []place           // where keys begin and end; none for anywhere
	columns []place           // of a chart
	keys    map[string]*field // the @key of a column; of a chart, that of "" is about all cells
	kind    string            // "keyed", "bands", "steps" or "rows"
}

// A place is what a key must be for a row or a column: a string; closed bounds; or a number that is reached or passed.
type place struct {
	key      string
	isString bool
	from, to float64 // "closed intervals"
	isStep   bool
	above    bool
}

type row struct {
	place
	cells   *object
	crossed []any // the cells of a chart's row
}

func (r *Ruleset) readTable(id string, v cue.Value) *table {
	t := &table{id: id, gives: optionalString(v, "gives"), keys: map[string]*field{}}
	carry, _ := v.LookupPath(cue.ParsePath("carry")).Bool()
	for _, kind := range []string{"keyed", "bands", "steps", "rows"} {
		x := v.LookupPath(cue.ParsePath(kind))
		if !x.Exists() {
			continue
		}
		t.kind = kind
		if x.IncompleteKind() == cue.StructKind {
			for key, y := range membersOf(v, kind) {
				t.addRow(place{key: key, isString: true}, y, carry)
			}
			continue
		}
		for _, row := range elementsOf(x) {
			t.addRow(placeOf(row), row, carry)
		}
	}
	if c := v.LookupPath(cue.ParsePath("columns")); c.Exists() {
		for _, column := range elementsOf(c) {
			t.columns = append(t.columns, columnPlace(column))
		}
	}
	if over := v.LookupPath(cue.ParsePath("over")); over.Exists() {
		t.over = append(t.over, r.endsOf(over))
	}
	return t
}

// endsOf reads the least and the greatest key: "nor has one beyond the ends of over".
func (r *Ruleset) endsOf(over cue.Value) place {
	text, err := over.String()
	if err != nil {
		return columnPlace(over)
	}
	n, err := r.notationOf(text)
	mustSucceed(err)
	if len(n.terms) != 1 || n.terms[0].group == nil || !n.terms[0].group.isPlain() {
		panic(&Unjudged{"the keys " + text})
	}
	g := n.terms[0].group
	return place{from: float64(g.count * slices.Min(g.sides.faces)), to: float64(g.count * slices.Max(g.sides.faces))}
}

// placeOf reads "on", "from" or "above" of a row.
func placeOf(v cue.Value) place {
	if on := v.LookupPath(cue.ParsePath("on")); on.Exists() {
		return columnPlace(on)
	}
	return columnPlace(v)
}

// columnPlace reads a string, a number, [first, last], {from} or {above}.
func columnPlace(v cue.Value) place {
	switch v.IncompleteKind() {
	case cue.StringKind:
		s, _ := v.String()
		return place{key: s, isString: true}
	case cue.ListKind:
		var ends []float64
		mustSucceed(v.Decode(&ends))
		return place{from: ends[0], to: ends[1]}
	case cue.StructKind:
		for _, name := range []string{"from", "above"} {
			if x := v.LookupPath(cue.ParsePath(name)); x.Exists() {
				n, err := x.Float64()
				mustSucceed(err)
				return place{from: n, isStep: true, above: name == "above"}
			}
		}
		panic(&Unjudged{fmt.Sprintf("the place %v", v)})
	}
	n, err := v.Float64()
	mustSucceed(err)
	return place{from: n, to: n}
}

func (t *table) addRow(p place, v cue.Value, carry bool) {
	x := row{place: p, cells: newObject()}
	if t.kind == "rows" {
		cells := v
		if v.IncompleteKind() == cue.StructKind {
			cells = v.LookupPath(cue.ParsePath("cells"))
		}
		t.noteKey("", cells)
		for _, cell := range elementsOf(cells) {
			t.noteKey("", cell)
			x.crossed = append(x.crossed, cellOf(cell))
		}
		t.rows = append(t.rows, x)
		return
	}
	// "A row that says nothing of a column has what the row before it has."
	if carry && len(t.rows) > 0 {
		x.cells = t.rows[len(t.rows)-1].cells.cloneObject()
	}
	it, err := v.Fields()
	mustSucceed(err)
	for it.Next() {
		name := it.Selector().Unquoted()
		if !p.isString && slices.Contains([]string{"on", "from", "above"}, name) {
			continue
		}
		t.noteKey(name, it.Value())
		x.cells.setField(name, cellOf(it.Value()))
	}
	t.rows = append(t.rows, x)
}

// noteKey notes that the cells of a column are keys: "A column may be a key of another table".
func (t *table) noteKey(column string, cell cue.Value) {
	f := &field{}
	if f.readKey(cell); f.key != "" {
		t.keys[column] = f
	}
}

// cellOf returns the value of a cell. A string for which a choice is said is a word of it.
func cellOf(v cue.Value) any {
	said := wordsOf(v, 0)
	if d, has := v.Default(); has {
		v = d
	}
	switch v.IncompleteKind() {
	case cue.ListKind:
		out := []any{}
		for _, x := range elementsOf(v) {
			out = append(out, cellOf(x))
		}
		return out
	case cue.StructKind:
		o := newObject()
		it, err := v.Fields()
		mustSucceed(err)
		for it.Next() {
			o.setField(it.Selector().Unquoted(), cellOf(it.Value()))
		}
		return o
	}
	if s, err := v.String(); err == nil && len(said) > 1 {
		return word{text: s, order: said}
	}
	return constantOf(v)
}

// unifyColumns gives each column one type: "one fractional number makes it double"; its words go by the choice that is said
// for it, and else by "the order in which they are written".
func (t *table) unifyColumns(r *Ruleset) {
	if t.kind == "rows" {
		var all []*any
		for i := range t.rows {
			for j := range t.rows[i].crossed {
				all = append(all, &t.rows[i].crossed[j])
			}
		}
		unifyCells(all, t.keys[""].wordsIn(r))
		return
	}
	if len(t.rows) == 0 {
		return
	}
	for _, name := range t.rows[0].cells.names {
		var all []*any
		var rows []*object
		for i := range t.rows {
			if v, has := t.rows[i].cells.fields[name]; has {
				all, rows = append(all, &v), append(rows, t.rows[i].cells)
			}
		}
		unifyCells(all, t.keys[name].wordsIn(r))
		for i := range all {
			rows[i].fields[name] = *all[i]
		}
	}
}

// unifyCells gives cells one type. The keys are those that their words are said to be, in their order; none where it is not
// said.
func unifyCells(cells []*any, keys []string) {
	doubles, order, said := false, []string{}, slices.Clone(keys)
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case float64:
			doubles = true
		case string:
			order = append(order, v)
		case word:
			order, said = append(order, v.text), append(said, v.order...)
		case []any:
			for _, e := range v {
				look(e)
			}
		}
	}
	for _, c := range cells {
		look(*c)
	}
	isWritten := func(w string) bool { return slices.Contains(order, w) }
	order = uniqueOf(slices.Concat(slices.DeleteFunc(said, func(w string) bool { return !isWritten(w) }), order))
	var change func(v any) any
	change = func(v any) any {
		switch v := v.(type) {
		case int64:
			if doubles {
				return float64(v)
			}
		case string:
			return word{text: v, order: order}
		case word:
			return word{text: v.text, order: order}
		case []any:
			out := make([]any, len(v))
			for i := range v {
				out[i] = change(v[i])
			}
			return out
		}
		return v
	}
	for _, c := range cells {
		*c = change(*c)
	}
}

// isAt reports whether a key is at a place.
func (p place) isAt(key any) bool {
	if p.isString {
		s, isText := textOf(key)
		return isText && s == p.key
	}
	c, err := compareValues(key, p.from)
	if err != nil {
		return false
	}
	if p.isStep {
		return c > 0 || c == 0 && !p.above
	}
	d, err := compareValues(key, p.to)
	return err == nil && c >= 0 && d <= 0
}

// findPlace returns the number of the place that a key has: of steps the one with the greatest number that the key has
// reached (from) or passed (above), in whatever order they are written; of any other the one place that holds it.
func findPlace(n int, at func(int) place, key any) (best int, found bool) {
	for i := range n {
		p := at(i)
		if p.isAt(key) && (!found || p.from > at(best).from || p.from == at(best).from && p.above) {
			best, found = i, true
		}
	}
	return best, found
}

func (t *table) findRow(key any) (*row, error) {
	i, found := findPlace(len(t.rows), func(i int) place { return t.rows[i].place }, key)
	if !found || slices.ContainsFunc(t.over, func(ends place) bool { return !ends.isAt(key) }) {
		return nil, newFailure("table %s has no row for %v", t.id, key)
	}
	return &t.rows[i], nil
}

// lookUp returns the row of one key, or its cell "with gives: the cell of that column"; of two keys, "the cell where the
// two keys meet".
func (t *table) lookUp(keys []any) (any, error) {
	x, err := t.findRow(keys[0])
	if err != nil {
		return nil, err
	}
	switch {
	case len(keys) == 2:
		i, found := findPlace(len(t.columns), func(i int) place { return t.columns[i] }, keys[1])
		if !found {
			return nil, newFailure("table %s has no column for %v", t.id, keys[1])
		}
		return x.crossed[i], nil
	case t.gives != "":
		return x.cells.fields[t.gives], nil
	}
	return x.cells, nil
}

func (t *table) hasKey(s string, columns bool) bool {
	if columns {
		return slices.ContainsFunc(t.columns, func(p place) bool { return p.isString && p.key == s })
	}
	return slices.ContainsFunc(t.rows, func(x row) bool { return x.isString && x.key == s })
}

// Table returns the rows of a table as a case transcribes them: {"key": {...}}, or {"key": cell} when there is but one
// column; of bands [{"on": [1, 6], ...}], of steps [{"from": 0, ...}, {"above": 2, ...}].
func (r *Ruleset) Table(id string) (any, error) {
	t := r.tables[id]
	if t == nil {
		return nil, &Unjudged{"no table " + id}
	}
	keyed, list := map[string]any{}, []any{}
	for _, x := range t.rows {
		cells := x.cells
		for i, c := range t.columns {
			if !c.isString {
				return nil, &Unjudged{"columns of numbers"}
			}
			cells.setField(c.key, x.crossed[i])
		}
		tree, err := plainValue(cells)
		if err != nil {
			return nil, err
		}
		if x.isString {
			keyed[x.key] = tree
			continue
		}
		y := tree.(map[string]any)
		switch {
		case x.isStep:
			y[map[bool]string{true: "above", false: "from"}[x.above]], _ = doubleNumber(x.from)
		case x.from == x.to:
			y["on"], _ = doubleNumber(x.from)
		default:
			from, _ := doubleNumber(x.from)
			to, _ := doubleNumber(x.to)
			y["on"] = []any{from, to}
		}
		list = append(list, y)
	}
	if len(keyed) > 0 {
		return keyed, nil
	}
	return list, nil
}
