package site

import (
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/runtime"
)

func newSheetView(s *runtime.Sheet) *sheetView {
	trace := s.Trace
	s.Trace = nil
	v := &sheetView{Outputs: present.OutputRows(s.Output), Dice: s.Dice, JSON: indented(s.AppendJSON(nil))}
	if s.Seed != nil {
		v.Seed = strconv.FormatUint(*s.Seed, 10)
	}
	v.Trace = traceOf(trace)
	return v
}

func traceOf(steps []runtime.Step) []stepView {
	var out []stepView
	for i := range steps {
		x := &steps[i]
		value := present.ReadableValue(x.Value)
		if x.Failure != "" {
			value = x.Failure
		}
		out = append(out, stepView{x.Name, value, x.Formula, x.Cite, strings.TrimSpace(x.Option)})
	}
	return out
}
