package load

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue/ast"
)

// reportComprehensions reports what comprehensions do otherwise than their authors mean: defaults of options that are read
// before anybody chooses, and fields that have the name of the loop's variable and not its value:
// for id, row in _rows {id: row} makes one field "id". CUE refuses it only when two turns of the loop disagree, so that one
// row, or rows that are alike, pass.
func (r *reader) reportComprehensions() {
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
				return !r.reportFrozenOption(x)
			}, nil)
		}
	}
}

// reportFrozenOption reports whether a node is the default of an option, options.tie.default, and warns of it: whoever
// writes this asks which ruling is played, and CUE is done before anybody chooses one.
func (r *reader) reportFrozenOption(x ast.Node) bool {
	property, ok := x.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	option, ok := property.X.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	all, ok := option.X.(*ast.Ident)
	name, _, err := ast.LabelName(property.Sel)
	if !ok || all.Name != "options" || err != nil || name != "default" {
		return false
	}
	id, _, err := ast.LabelName(option.Sel)
	if err != nil {
		return false
	}
	r.addf("option-frozen", r.PlaceOf(x.Pos()), "", "this is the default of the option %s, whatever is chosen", id).Repair =
		fmt.Sprintf("only formulas know what is chosen: output: harm: option: %s: {...: \"1\", ...: \"2\"}", id)
	return true
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
