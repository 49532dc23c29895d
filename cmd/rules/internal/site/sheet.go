package site

import (
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/present"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/trace"
)

func newSheetView(s *runtime.Sheet) *sheetView {
	steps := s.Trace
	s.Trace = nil
	v := &sheetView{Outputs: present.OutputRows(s.Output), Dice: s.Dice, JSON: indented(s.AppendJSON(nil))}
	if s.Seed != nil {
		v.Seed = strconv.FormatUint(*s.Seed, 10)
	}
	v.Trace = traceOf(steps)
	return v
}

// traceOf shows the named values and the dice of a trace in the order in which they were computed.
func traceOf(steps []*runtime.Step) []stepView {
	var out []stepView
	for _, x := range trace.InOrder(steps) {
		value := present.ReadableValue(x.Value)
		if x.Failure != "" {
			value = x.Failure
		}
		out = append(out, stepView{x.Name, value, x.Formula, x.Cite, strings.TrimSpace(x.Option)})
	}
	return out
}
