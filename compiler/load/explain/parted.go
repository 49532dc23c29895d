package explain

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue/ast"
)

// ReportParted reports fields without a value. To CUE the colon of "armor:" joins it with the field of the next line, as
// armor: height: int does, so that both are gone and neither is named.
func (r *Reporter) ReportParted() {
	for _, inst := range r.Packages {
		for _, f := range inst.Files {
			if strings.HasPrefix(r.FSPath(f.Filename), "cue.mod") {
				continue
			}
			var path []string
			ast.Walk(f, func(n ast.Node) bool {
				if x, ok := n.(*ast.Field); ok {
					name, _, _ := ast.LabelName(x.Label)
					path = append(path, name)
					r.reportParted(x, path)
				}
				return true
			}, func(n ast.Node) {
				if _, ok := n.(*ast.Field); ok {
					path = path[:len(path)-1]
				}
			})
		}
	}
}

// reportParted reports a field at a path if its value is a field that stands below it as the next of the same record would.
// One that is indented otherwise is meant as its value.
func (r *Reporter) reportParted(x *ast.Field, path []string) {
	value, ok := x.Value.(*ast.StructLit)
	if !ok || value.Lbrace.IsValid() || len(value.Elts) != 1 {
		return
	}
	inner, ok := value.Elts[0].(*ast.Field)
	if !ok || inner.Pos().Line() <= x.Label.End().Line() || inner.Pos().Column() != x.Pos().Column() {
		return
	}
	name := path[len(path)-1]
	meant, _, _ := ast.LabelName(inner.Label)
	d := r.addf("not-concrete", r.PlaceOf(x.Pos()), subjectOf(path),
		"%s has no value: %s on the next line is taken for a part of it", name, meant)
	d.Repair = fmt.Sprintf("write its value behind the colon, %s: *0 | int", name)
	d.Breaks = []string{name, meant}
}
