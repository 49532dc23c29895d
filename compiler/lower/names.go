package lower

import (
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// addName records a named value for the trace.
func (s *scope) addName(kind plan.NameKind, name string, v plan.Value, f *check.Formula) {
	if !s.named {
		return
	}
	n := plan.Named{Name: s.path + name, Kind: kind, Value: v, Cite: s.cite, Option: -1}
	if f != nil {
		n.Formula, n.Place = formulaText(f.Book), f.Book.Place
		n.Option = s.chosenBy(f)
		n.Overlays = s.plan.overlaysOf(f)
	}
	s.g.Names = append(s.g.Names, n)
}

// chosenBy returns the option that chooses among a formula's arms, -1 when none does.
func (s *scope) chosenBy(f *check.Formula) int32 {
	if f.Expr == nil || f.Expr.Op != check.OpChoose {
		return -1
	}
	option, ok := f.Expr.Args[0].Object.(*check.Option)
	if !ok {
		return -1
	}
	return int32(s.plan.options[option])
}
