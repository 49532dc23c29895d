package eliminate

import (
	"encoding/binary"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A course asks the same event thousands of questions, and of a state a source of chance reads a few values: how many dice,
// and not whose. So what a source has shown is recalled, by all that it reads, from question to question. What lies in the
// memory of one question, lists and strings that the plan does not know, would name something else in the next. So the
// executor goes on with what it has kept; where it meets lists of which it does not know how they are made, the engine is
// loosened, and a source that reads or shows such values is met anew.

// Limits of what is recalled.
const (
	maxRecalled = 1 << 20 // numbers of all tables of an engine
	maxInVain   = 1 << 8  // a source that was met so often and never recalled is not tried any more
)

// A recall is what a program or a source has shown in earlier questions.
//
// Example: an event rolls as many dice as there are ships, and a course has 5,000 states with 1 to 12 ships. reads is
// the node of that number; shown has at most 12 tables, and hits counts nearly all of the 5,000 questions. A recall
// that reads something that differs in every state never hits: after maxInVain misses it is never tried again, and
// differs tells which nodes were at fault, so that what depends on them can be put off (deferred.go).
type recall[W pmf.Weight[W]] struct {
	reads []plan.ID // of the environment
	never bool
	// Of a recall that is not tried any more: what it read with several values.
	differs map[plan.ID]bool
	shown   map[string]*recalled[W]
	tried   int // how often nothing was found, before something was
	hits    int
	key     []byte
}

// recalled are rows, and what it took to compute them. Every course that recalls them is charged for that once, so that it
// is refused for its budget as if it had computed them, and from then on for reading the rows. What a course spends may
// still depend on those before it: the cost includes dice, for which again may charge it once more, and after maxInVain
// misses a program is not recalled any more, or is put off in part.
type recalled[W pmf.Weight[W]] struct {
	table  *Table[W]
	cost   int64
	course int // the last that was charged
}

// costIn returns the cost of recalling the rows in a course.
func (r *recalled[W]) costIn(course int) int64 {
	if r.course == course {
		return min(r.cost, int64(len(r.table.w)))
	}
	return r.cost
}

// findReads finds the nodes that a source reads or, when the source is nil, the steps of a program.
func (e *engine[W]) findReads(s *source, p *program) *recall[W] {
	x := &recall[W]{shown: map[string]*recalled[W]{}}
	seen := map[plan.ID]bool{}
	block := int32(0)
	add := func(id plan.ID) {
		if !seen[id] && e.Nodes[id].Op != plan.OpConst && e.IsAround(e.BlockOf[id], block) {
			seen[id] = true
			x.reads = append(x.reads, id)
		}
	}
	if s != nil {
		block = e.BlockOf[s.id]
		for _, id := range s.ins {
			add(id)
		}
	}
	x.never = !addReads(s, p, add)
	slices.Sort(x.reads)
	return x
}

// addReads adds the nodes that a source and a program read from the environment. A source within the program reads its
// states there as well; those are put into the environment for it and do not count. It reports false when the rows
// depend on more than these reads: on choices of a strategy.
func addReads(s *source, p *program, add func(plan.ID)) bool {
	refs := func(list []ref) {
		for _, r := range list {
			if r.where == inEnv {
				add(plan.ID(r.at))
			}
		}
	}
	if s != nil {
		if s.kind == choiceSource {
			return false
		}
		refs(s.from)
		for _, id := range s.initial {
			add(id)
		}
		if s.results != nil && !addReads(s.results, nil, add) {
			return false
		}
		p = s.body
	}
	if p == nil {
		return true
	}
	if s != nil {
		outer := add
		add = func(id plan.ID) {
			if !slices.Contains(s.ins, id) {
				outer(id)
			}
		}
	}
	if p.prefix != nil {
		refs(p.prefix.from)
	}
	for i := range p.steps {
		step := &p.steps[i]
		if step.source != nil && !addReads(step.source, nil, add) {
			return false
		}
		if step.fragment != nil {
			refs(step.fragment.from)
		}
		refs(step.from)
	}
	if s != nil {
		refs(p.last)
	}
	return true
}

// beginNextQuestion makes the engine ready for another question of a course.
func (e *engine[W]) beginNextQuestion() {
	e.recalls = true
	switch {
	case e.hasUnknownLayout:
		e.executor.Restart()
	case !e.executor.Proceed():
		e.forgetRecalled()
		e.epoch++
	}
}

// stopRecalling makes the engine drop all that outlives a question. It reports false when it has done so already.
func (e *engine[W]) stopRecalling() bool {
	if e.hasUnknownLayout {
		return false
	}
	e.hasUnknownLayout, e.epoch = true, 0
	e.forgetRecalled()
	return true
}

func (e *engine[W]) forgetRecalled() {
	clear(e.sources)
	e.top, e.deferred, e.undeferred, e.recalled = nil, nil, nil, 0
}

// recallKey names the values that are read; it is not ok when some of them lie in the memory of the question.
func (e *engine[W]) recallKey(x *recall[W]) (key []byte, ok bool) {
	x.key = x.key[:0]
	for _, id := range x.reads {
		v := e.env[id]
		if !e.outlivesQuestion(e.Nodes[id].Kind, v) {
			return nil, false
		}
		x.key = binary.AppendVarint(x.key, v)
	}
	return x.key, true
}

// outlivesQuestion reports whether a slot of a kind means the same in every question.
func (e *engine[W]) outlivesQuestion(kind plan.Kind, bits int64) bool {
	if e.recalls && !e.hasUnknownLayout {
		return true
	}
	switch kind {
	case plan.List, plan.Map:
		return bits == 0 || vm.SpanSize(bits) == 0
	case plan.String:
		return bits < int64(len(e.Plan.Symbols))
	case plan.Fault:
		return bits == 0
	}
	return true
}

// computeOrRecall returns the result of compute, or that of an earlier question for equal values; columns are the nodes
// of the returned table.
func (e *engine[W]) computeOrRecall(x *recall[W], columns []plan.ID, compute func() (*Table[W], error)) (*Table[W], error) {
	key, ok := e.recallKey(x)
	if x.never || !ok {
		t, err := compute()
		e.answered = nil
		return t, err
	}
	// else computing it tells what is too much
	if r := x.shown[string(key)]; r != nil && e.budget.spent+r.costIn(e.course) <= e.budget.all {
		x.hits++
		cost := r.costIn(e.course)
		r.course, e.answered = e.course, r
		return r.tableForQuestion(), e.chargeWork(plan.None, float64(cost))
	}
	if x.tried++; x.tried > maxInVain && x.hits == 0 {
		for _, r := range x.shown {
			e.recalled -= r.table.countNumbers()
		}
		x.never, x.differs, x.shown = true, x.differingReads(), nil
		t, err := compute()
		e.answered = nil
		return t, err
	}
	kept := string(key)
	before := e.budget.spent
	t, err := compute()
	e.answered = nil
	if err != nil || !e.mayRecall(t, columns) {
		return t, err
	}
	if e.recalled+t.countNumbers() > maxRecalled {
		e.emptyRecalls() // a course goes on to other states: the latest are those that come again
	}
	e.recalled += t.countNumbers()
	t.stays = true
	e.answered = &recalled[W]{t, e.budget.spent - before, e.course}
	x.shown[kept] = e.answered
	return e.answered.tableForQuestion(), nil
}

// emptyRecalls forgets all tables, to make room.
func (e *engine[W]) emptyRecalls() {
	for _, x := range e.sources {
		x.forgetTables()
	}
	e.top.forgetTables()
	e.undeferred.forgetTables()
	e.recalled = 0
}

func (x *recall[W]) forgetTables() {
	if x != nil && x.shown != nil {
		x.shown = map[string]*recalled[W]{}
	}
}

// mayRecall reports whether a table means the same in every question, and is not too large.
func (e *engine[W]) mayRecall(t *Table[W], columns []plan.ID) bool {
	if t.countNumbers() > maxRecalled/16 {
		return false
	}
	for k, id := range columns {
		kind := e.Nodes[id].Kind
		if kind == plan.Int || kind == plan.Bool || kind == plan.Double {
			continue
		}
		for i := range t.w {
			if !e.outlivesQuestion(kind, t.Row(i)[k]) {
				return false
			}
		}
	}
	return true
}

// tableForQuestion returns a copy of the table for another question, which may add endings.
func (r *recalled[W]) tableForQuestion() *Table[W] {
	t := *r.table
	t.ended = slices.Clone(t.ended)
	return &t
}

// differingReads returns the nodes that a recall has read with several values.
func (x *recall[W]) differingReads() map[plan.ID]bool {
	first, out := map[plan.ID]int64{}, map[plan.ID]bool{}
	for key := range x.shown {
		text := []byte(key)
		for _, id := range x.reads {
			v, n := binary.Varint(text)
			text = text[n:]
			if was, ok := first[id]; ok && was != v {
				out[id] = true
			}
			first[id] = v
		}
	}
	return out
}
