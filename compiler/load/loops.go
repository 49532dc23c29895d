package load

import (
	"strings"

	"cuelang.org/go/cue/ast"
)

// reportLoopLabels reports fields of comprehensions that have the name of the loop's variable and not its value:
// for id, row in _rows {id: row} makes one field "id". CUE refuses it only when two turns of the loop disagree, so that one
// row, or rows that are alike, pass.
func (r *reader) reportLoopLabels() {
	for _, inst := range r.Packages {
		if strings.HasPrefix(r.FSPath(inst.Dir), "cue.mod") {
			continue
		}
		for _, f := range inst.Files {
			ast.Walk(f, func(x ast.Node) bool {
				if s, ok := x.(*ast.StructLit); ok { // in a list each turn is an element of its own
					for _, d := range s.Elts {
						if c, ok := d.(*ast.Comprehension); ok {
							r.reportLoopLabel(c)
						}
					}
				}
				return true
			}, nil)
		}
	}
}

func (r *reader) reportLoopLabel(c *ast.Comprehension) {
	body, ok := c.Value.(*ast.StructLit)
	if !ok {
		return
	}
	variables := map[string]bool{}
	for _, clause := range c.Clauses {
		if loop, ok := clause.(*ast.ForClause); ok {
			for _, id := range []*ast.Ident{loop.Key, loop.Value} {
				if id != nil {
					variables[id.Name] = true
				}
			}
		}
	}
	for _, d := range body.Elts {
		field, ok := d.(*ast.Field)
		if !ok {
			continue
		}
		if id, ok := field.Label.(*ast.Ident); ok && variables[id.Name] {
			r.addf("loop-label", r.PlaceOf(id.Pos()), "", "this names a field %s, and not by the value of %[1]s", id.Name).
				Repair = "write (" + id.Name + "):"
		}
	}
}
