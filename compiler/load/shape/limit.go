package shape

import (
	"math/big"
	"slices"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// readLimit reads a comparison with other fields of the struct in which it stands, or with their sum. It is not ok for
// one with a number that is written out, and outside of #Character, where a requirement says as much.
func (w *Reader) readLimit(s site.Site, op token.Token) (*plan.Limit, bool) {
	l := &plan.Limit{Upper: op == token.LEQ || op == token.LSS, Open: op == token.LSS || op == token.GTR}
	if w.character != nil || op != token.GEQ && op != token.GTR && !l.Upper {
		return nil, false
	}
	plus, ok := new(big.Rat), true
	for _, term := range splitSum(s) {
		constant, _, clear := ReadQuietly(w.Module, []site.Site{term})
		switch path, isField := term.SiblingPath(); {
		case clear && constant != "":
			n, isNumber := new(big.Rat).SetString(constant)
			if ok = ok && isNumber; ok {
				plus.Add(plus, n)
			}
		case isField:
			l.Sum = append(l.Sum, path)
		default:
			ok = false
		}
	}
	l.Plus, _ = plus.Float64()
	return l, ok && l.Sum != nil
}

// splitSum lists the terms of a sum.
func splitSum(s site.Site) []site.Site {
	switch x := s.Expr.(type) {
	case *ast.ParenExpr:
		return splitSum(s.WithOperand(x.X))
	case *ast.BinaryExpr:
		if x.Op == token.ADD {
			return append(splitSum(s.WithOperand(x.X)), splitSum(s.WithOperand(x.Y))...)
		}
	}
	return []site.Site{s}
}

// checkLimits reports bounds by fields that are no numbers of the record, and bounds outside of a record: no record could
// then be judged.
func (w *Reader) checkLimits(s *plan.Shape) {
	if s.Elem != nil && s.Elem.Limits != nil {
		w.reportUnsayable(s.Elem.Place, "a bound that another field sets stands at a field of a struct")
	}
	for i := range s.Fields {
		m := &s.Fields[i]
		for k := range m.Shape.Limits {
			l := &m.Shape.Limits[k]
			if s.Kind == plan.Map {
				w.reportUnsayable(m.Place,
					"a bound that another field sets stands at a field of a struct, not at a key of a map")
			}
			if at := slices.IndexFunc(l.Sum, func(path []string) bool { return !s.Path(path).IsNumber() }); at >= 0 {
				w.reportUnsayable(m.Place, "the bound "+strings.Join(l.Sum[at], ".")+" is no number")
			}
		}
	}
}
