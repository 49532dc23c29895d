package vm

import (
	"sync"
	"sync/atomic"

	"github.com/tabletop-rules/rules/runtime/internal/lookup"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// An Image is a plan made ready for execution: what all frames of the plan share. It may be used by several goroutines at
// once.
type Image struct {
	plan    *plan.Plan
	symbols *SymbolTable
	strides []int          // of each type of lists or maps; 0 of others
	tables  []lookup.Table // those in which some code looks up
	ready   []sync.Once    // of each table: it has been prepared
	taken   sync.Map       // *plan.Graph -> []atomic.Int64: how often each of its branches was taken
}

// NewImage prepares a plan for which plan.Verify holds. Tables are prepared later, with the code that needs them.
func NewImage(p *plan.Plan) *Image {
	m := &Image{
		plan: p, symbols: NewSymbolTable(p.Symbols), strides: make([]int, len(p.Types)),
		tables: make([]lookup.Table, len(p.Tables)), ready: make([]sync.Once, len(p.Tables)),
	}
	for i, t := range p.Types {
		if t.Kind == plan.List || t.Kind == plan.Map {
			m.strides[i] = t.Stride()
		}
	}
	return m
}

// Plan returns the plan that is executed; it must not be changed.
func (m *Image) Plan() *plan.Plan { return m.plan }

// SymbolOf returns the symbol of a string, -1 of one that the plan has not.
func (m *Image) SymbolOf(text string) int64 { return m.symbols.Find([]byte(text)) }

// Table returns a table in which some code looks up, for which PrepareTables has been called.
func (m *Image) Table(i int) *lookup.Table { return &m.tables[i] }

// PrepareTables prepares the tables in which code looks up. It must be called before a frame runs the code.
func (m *Image) PrepareTables(code *schedule.Code) {
	for _, i := range code.Tables() {
		m.ready[i].Do(func() { m.tables[i] = lookup.NewTable(&m.plan.Tables[i]) })
	}
}

// Counters returns the counts of a graph's branches: how often evaluations took each, since the image was made.
func (m *Image) Counters(g *plan.Graph) []atomic.Int64 {
	found, ok := m.taken.Load(g)
	if !ok {
		found, _ = m.taken.LoadOrStore(g, make([]atomic.Int64, len(g.Branches)))
	}
	return found.([]atomic.Int64)
}
