package golang

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/runtime/emit"
	"github.com/tabletop-rules/rules/runtime/emit/emittest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// GenerateCases returns the files of a package of the rules of cases, with a function that answers them.
func GenerateCases(name string, cases []emittest.Case) ([]File, error) {
	w := newPackage(Package{Name: name})
	w.addRuleset(cases[0].Builder.Plan, cases[0].Values())
	lines := []string{
		"func answer[I, O any](run func(*Character, *I, *kernel.Evaluation, *O) error, r *kernel.Rule, in I,",
		"faces ...int64) string {", "out, e := new(O), kernel.NewWriter()",
		"if err := run(&Character{}, &in, kernel.NewEvaluation(kernel.Faces(faces...)), out); err != nil {",
		"return err.Error()", "}", "r.Write(e, out)", "return string(e.Bytes())", "}", "",
		"// Answers returns the answers of all cases.", "func Answers() []string {", "return []string{"}
	for i := range cases {
		c := &cases[i]
		p := c.Builder.Plan
		of := w.takeDefinition(p.Rules[0].ID)
		w.addRule(p, c.Values(), &p.Rules[0], of)
		f := &writer{packageWriter: w, f: &emit.Function{Plan: p}}
		var members []string
		for k, t := range c.Input {
			members = append(members, fmt.Sprintf("X%d: %s", k,
				f.outsideLiteral(t, fmt.Sprintf("%s.Input.x%d", p.Rules[0].ID, k), c.Builder.Input[k:k+1])))
		}
		faces := ""
		for _, face := range c.Faces {
			faces += fmt.Sprint(", ", face)
		}
		lines = append(lines, fmt.Sprintf("answer(run%s, %sRule, %sInput{%s}%s),", of, of, of,
			strings.Join(members, ", "), faces))
	}
	w.addFile("answers.go", append(lines, "}", "}"))
	return w.finish()
}

// outsideLiteral returns a value that is given to a function.
func (w *writer) outsideLiteral(t *plan.Type, name string, slots []int64) string {
	switch t.Kind {
	case plan.List, plan.Map:
		n, stride := int(uint32(slots[0])), t.Stride()
		all := w.f.Plan.Consts[slots[0]>>32:][:n*stride]
		var out []string
		for i := range n {
			element, key, of := all[i*stride:(i+1)*stride], "", name+".Item"
			if t.Kind == plan.Map {
				key, element, of = w.slotLiteral(nil, t.Key, element[0])+": ", element[1:], name+".Value"
			}
			out = append(out, key+w.outsideLiteral(t.Elem, of, element))
		}
		return w.publicType(t, name) + "{" + strings.Join(out, ", ") + "}"
	case plan.Record:
		var out []string
		names := fieldNames(t)
		for i := range t.Fields {
			f := &t.Fields[i]
			there := true
			if f.Optional {
				there, slots = slots[0] != 0, slots[1:]
			}
			n := f.Type.Slots()
			text := w.outsideLiteral(f.Type, name+"."+f.Name, slots[:n])
			if slots = slots[n:]; f.Optional {
				text = fmt.Sprintf("kernel.Present[%s](%t, %s)", w.publicType(f.Type, name+"."+f.Name), there, text)
			}
			out = append(out, names[i]+": "+text)
		}
		return w.publicType(t, name) + "{" + strings.Join(out, ", ") + "}"
	}
	return w.slotLiteral(t, t.Kind, slots[0])
}
