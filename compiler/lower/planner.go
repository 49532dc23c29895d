package lower

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// A planner makes one plan.
type planner struct {
	out     *plan.Plan
	symbols map[string]int64
	tables  map[*check.Table]int64
	options map[*check.Option]int64
	// derived are the tables that lowering makes itself, by their ids, which have a blank as no author's have.
	derived map[string]int64
	cover   bool
	// idleTerms is the memory of the terms of an earlier graph, which are thrown away once they are encoded. A graph has
	// thousands, so that each recorder takes it over instead of growing its own.
	idleTerms []plan.Term
	terms     *planfile.TermEncoder
}

// internSymbol returns the number of a string, a new one if it has none. Numbers are given in the order in which strings
// are met, which decides a plan's bytes.
func (p *planner) internSymbol(s string) int64 {
	id, ok := p.symbols[s]
	if !ok {
		id = int64(len(p.out.Symbols))
		p.symbols[s] = id
		p.out.Symbols = append(p.out.Symbols, s)
	}
	return id
}

// internType returns the number of a layout in the plan. A plan has some dozens of layouts, so they are searched from the
// start.
func (p *planner) internType(t *plan.Type) int64 {
	i := slices.IndexFunc(p.out.Types, func(u *plan.Type) bool { return sameLayout(t, u) })
	if i < 0 {
		i = len(p.out.Types)
		p.out.Types = append(p.out.Types, t)
	}
	return int64(i)
}

// internEnums gives a symbol to every string that a shape admits, so that reading compares numbers.
func (p *planner) internEnums(s *plan.Shape) {
	for _, e := range s.Enum {
		p.internSymbol(e)
	}
	if s.Elem != nil {
		p.internEnums(s.Elem)
	}
	for _, m := range s.Fields {
		p.internEnums(m.Shape)
	}
}
