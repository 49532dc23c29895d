package lint

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A map takes any key: a character may have skills that no book lists. But where all formulas read a map by keys that are
// written out, any other key is read by nothing, and a misspelt one is swallowed without a word: conditions: {feer: 2} of a
// character who is afraid. Such a map has a closed list of keys in truth, and the author can say so; then a misspelt key is
// refused with the nearest one.
//
// A key that is computed, a macro over the map, or the map handed on as a whole, reads any key: then nothing is said.

// mapReads are how a map is read: the keys that are written out, each once, and whether it is read by other keys too.
type mapReads struct {
	keys []string
	any  bool
}

// A mapFinder gathers how the maps of what is given are read.
type mapFinder struct {
	book *book.Ruleset
	maps map[*plan.Shape]*mapReads
}

// checkMaps reports maps of characters and inputs that are read by keys that are written out alone. The values of a state
// the procedure itself has put there.
func checkMaps(r *check.Ruleset, diags *diag.List) {
	f := &mapFinder{book: r.Book, maps: map[*plan.Shape]*mapReads{}}
	for _, t := range r.Trees {
		f.noteReads(t.Root, true)
	}
	for x := range r.Book.Shapes() {
		if x.Root != plan.StateRoot {
			f.reportShape(x.Shape, x.Subject, diags)
		}
	}
}

// noteReads notes the maps that an expression reads; whole says that its value is used as a whole.
//
// In character.skills['climb'] the map character.skills is read by one key, and not as a whole; in
// size(character.skills), character.skills.all(s, ...) and {other: character.skills} it is. The
// operand of a field is therefore visited with whole = false, and any other operand with true.
func (f *mapFinder) noteReads(e *check.Expr, whole bool) {
	if whole {
		f.noteWhole(f.shapeAt(e))
	}
	switch {
	case e.Op == check.OpField || e.Op == check.OpHas:
		f.noteKey(e.Args[0], e.Name)
		f.noteReads(e.Args[0], false)
		return
	case e.Op == check.OpTrait:
		f.noteReads(e.Args[0], false)
		return
	case e.Op == check.OpCall && mapArgs[e.Name] != nil:
		of, key := e.Args[mapArgs[e.Name].of], e.Args[mapArgs[e.Name].key]
		if keys := keysOf(key, 0); keys != nil {
			for _, k := range keys {
				f.noteKey(of, k)
			}
			for _, a := range e.Args {
				f.noteReads(a, a != of)
			}
			return
		}
	}
	for _, a := range e.Args {
		f.noteReads(a, true)
	}
}

// A mapCall says which arguments of a call are a map and the key under which it is read or set.
type mapCall struct{ of, key int }

var mapArgs = map[string]*mapCall{"index_map": {0, 1}, "get_map": {0, 1}, "with_map": {0, 1}, "in_map": {1, 0}}

// maxSteps is how many lets and outputs of uses are followed to the values of a key.
// Nothing here forms a circle (check has seen to that), so it only bounds the work.
const maxSteps = 20

// keysOf returns the strings that an expression may be, where they are written in the ruleset: a constant, an option, a
// field with an enum, a column of a table; nil when it may be any string.
func keysOf(e *check.Expr, steps int) []string {
	switch {
	case e == nil || steps > maxSteps:
		return nil
	case e.Op == check.OpConst:
		return []string{e.Value.String}
	case e.Type != nil && e.Type.Enum != nil:
		return e.Type.Enum
	case e.Behind() != nil:
		return keysOf(e.Behind(), steps+1)
	case e.Op == check.OpLookUp:
		return cellsOf(e.Object.(*check.Table), e.Object.(*check.Table).Gives)
	case e.Op == check.OpField:
		return keysOfField(e, steps)
	}
	return nil
}

// keysOfField returns the strings that a column of a row, or an output of a use, may be.
func keysOfField(e *check.Expr, steps int) []string {
	of := e.Args[0]
	for of.Behind() != nil && steps < maxSteps {
		of, steps = of.Behind(), steps+1
	}
	if of.Op == check.OpLookUp {
		table := of.Object.(*check.Table)
		i, _ := table.Row.Field(e.Name)
		return cellsOf(table, i)
	}
	use, ok := of.Object.(*check.Use)
	if of.Op != check.OpRef || !ok || use.Rule == nil || len(use.Otherwise) > 0 {
		return nil
	}
	for _, o := range use.Rule.Body.Outputs {
		if o.Name() == e.Name {
			return keysOf(o.Formula.Expr, steps+1)
		}
	}
	return nil
}

// cellsOf returns the strings in a column; nil when it has none.
func cellsOf(t *check.Table, column int) []string {
	var out []string
	for _, row := range t.Book.Rows {
		var text string
		if column < 0 || json.Unmarshal([]byte(row.Cells[column].JSON), &text) != nil {
			return nil
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// shapeAt returns the shape of the part of a request that an expression reads, also of a character that a list holds; nil
// of anything else.
func (f *mapFinder) shapeAt(e *check.Expr) *plan.Shape {
	if s := check.ShapeOf(e, f.book); s != nil {
		return s
	}
	if e.Op != check.OpField {
		return nil
	}
	if t := e.Args[0].Type; t != nil && t.Character {
		return check.ShapeAt(f.book.Character, e.Name)
	}
	return check.ShapeAt(f.shapeAt(e.Args[0]), e.Name)
}

// noteKey notes a reading of a map by a key that is written out, for the message to list.
func (f *mapFinder) noteKey(of *check.Expr, key string) {
	s := f.shapeAt(of)
	if s == nil || s.Kind != plan.Map {
		return
	}
	reads := f.readsOf(s)
	if !slices.Contains(reads.keys, key) {
		reads.keys = append(reads.keys, key)
	}
}

func (f *mapFinder) readsOf(s *plan.Shape) *mapReads {
	if f.maps[s] == nil {
		f.maps[s] = &mapReads{}
	}
	return f.maps[s]
}

// noteWhole notes that a value is handed on: every map in it may be read by any key. Of a character this is not so, for
// whoever reads it reads its fields.
func (f *mapFinder) noteWhole(s *plan.Shape) {
	if s == nil || s.Character {
		return
	}
	if s.Kind == plan.Map {
		f.readsOf(s).any = true
	}
	f.noteWhole(s.Elem)
	for i := range s.Fields {
		f.noteWhole(s.Fields[i].Shape)
	}
}

// reportShape reports the maps in a shape.
func (f *mapFinder) reportShape(s *plan.Shape, subject string, diags *diag.List) {
	if s == nil {
		return
	}
	for i := range s.Fields {
		m := &s.Fields[i]
		if m.Shape.Character {
			continue
		}
		f.reportShape(m.Shape, subject, diags)
		reads := f.maps[m.Shape]
		if m.Shape.Kind != plan.Map || m.Shape.Keys != nil || reads == nil || reads.any {
			continue
		}
		keys := slices.Clone(reads.keys)
		for _, k := range m.Shape.Fields {
			if !slices.Contains(keys, k.Name) {
				keys = append(keys, k.Name)
			}
		}
		diags.Addf("open-map", m.Place, subject,
			"%s may have any key, and formulas read %s alone: a misspelt one is swallowed",
			m.Name, strings.Join(keys, ", ")).
			Repair = `write [("` + strings.Join(keys, `" | "`) + `")]: instead of [string]:`
	}
}
