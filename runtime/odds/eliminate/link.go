package eliminate

import (
	"maps"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Liveness. A column is alive behind a step if a later step, or the answer, reads it. Only such columns are kept: two
// states that differ in nothing that is read later have the same future, and are one state. That is all of variable
// elimination; everything else decides in which order, and how classes are made.
//
// The pass goes from the last step to the first, as in a compiler (Aho, Lam, Sethi, Ullman: Compilers, section 9.2.5),
// with two sets. later is what is read behind the point where the pass stands, made is what the steps before that point
// have given. For the dice a and b with the output total = a + b:
//
//	                         later              made               keep
//	behind step 2            total              a, b, total        total
//	before its fragment      a, b               a, b, total
//	before its source        a                  a
//	behind step 1            a                  a                  a
//	before its source        none               none
//
// A node in later that is not in made comes from outside of the program: it is read from the environment. So the sets
// have to be changed in this order: first keep, then the fragment (it gives, then reads), then the source.
//
// The second pass goes forwards and turns nodes into refs, now that the columns of every step are known. It recurs into
// the bodies of regions and loops, which have columns of their own.

// linkProgram finds the values of each step that are read after it, and the place of every value.
func (b *builder) linkProgram(p *program, outs []plan.ID) error {
	p.outs = outs
	if len(p.steps) == 0 {
		p.steps = append(p.steps, step{})
	}
	b.findLive(p)
	row := p.first
	for i := range p.steps {
		if err := b.linkStep(&p.steps[i], row, p); err != nil {
			return err
		}
		row = p.steps[i].keep
	}
	for _, id := range outs {
		p.last = append(p.last, b.placeOf(id, row, nil, nil))
	}
	return nil
}

// findLive finds the values that each step keeps, from the last step to the first.
//
// It costs O(steps · nodes that are alive).
func (b *builder) findLive(p *program) {
	made := b.valuesMade(p)
	later := map[plan.ID]bool{}
	for _, id := range p.outs {
		later[id] = true
	}
	for i := len(p.steps) - 1; i >= 0; i-- {
		s := &p.steps[i]
		s.keep = nil
		for id := range later {
			if made[id] {
				s.keep = append(s.keep, id)
			}
		}
		slices.Sort(s.keep)
		if s.fragment != nil {
			b.liveFragment(s.fragment, later)
		}
		if s.source != nil {
			b.liveSource(s.source, later)
		}
		for _, id := range b.valuesGiven(s) { // what this step gives is not there before it
			delete(made, id)
		}
	}
}

// valuesMade returns the nodes that some step computes, and the columns that the program begins with.
func (b *builder) valuesMade(p *program) map[plan.ID]bool {
	out := map[plan.ID]bool{}
	for _, id := range p.first {
		out[id] = true
	}
	for i := range p.steps {
		for _, id := range b.valuesGiven(&p.steps[i]) {
			out[id] = true
		}
	}
	return out
}

// valuesGiven returns the nodes that a step computes.
func (b *builder) valuesGiven(s *step) (out []plan.ID) {
	if s.source != nil {
		out = append(out, s.source.gives...)
		if s.source.kind == regionSource {
			for id := range b.valuesMade(s.source.body) {
				out = append(out, id)
			}
		}
	}
	if s.fragment != nil {
		out = append(out, s.fragment.nodes...)
	}
	return out
}

// liveFragment sets the outputs of a fragment to its values that are read later, and adds its own reads to these.
//
// The nodes within a fragment need no pass of their own: its compiler sees from its outputs which are used.
func (b *builder) liveFragment(x *fragment, later map[plan.ID]bool) {
	x.outs = nil
	for _, id := range x.nodes {
		if later[id] {
			x.outs = append(x.outs, id)
			delete(later, id)
		}
	}
	x.ins = b.Externals(x.nodes)
	for _, id := range x.ins {
		later[id] = true
	}
}

// liveSource adds the reads of a source. A region's outputs are its values that are read later.
//
// This keeps a region small. A body that rolls 3d6 and is read for its total has 16 classes; were the lists read too,
// it would have 56 or more.
func (b *builder) liveSource(s *source, later map[plan.ID]bool) {
	switch s.kind {
	case regionSource:
		s.gives = nil
		for id := range b.valuesMade(s.body) {
			if later[id] {
				s.gives = append(s.gives, id)
			}
		}
		slices.Sort(s.gives)
	case loopSource:
		s.ins = b.Externals([]plan.ID{s.id})
		for _, a := range b.Nodes[s.id].Args {
			if !slices.Contains(s.ins, a) {
				s.ins = append(s.ins, a)
			}
		}
	case streamSource:
		s.ins = slices.Clone(b.Nodes[s.id].Args)
		for _, id := range append(slices.Clone(s.fold.frees), s.fold.first...) {
			if id != plan.None && !slices.Contains(s.ins, id) {
				s.ins = append(s.ins, id)
			}
		}
	}
	for _, id := range s.gives {
		delete(later, id)
	}
	for _, id := range s.ins {
		later[id] = true
	}
}

// linkStep links a step that begins with the given columns.
func (b *builder) linkStep(s *step, row []plan.ID, p *program) (err error) {
	var class []plan.ID
	if s.source != nil {
		if s.source.kind != drawSource { // whose classes follow from what it reads, whatever is around
			p.reset = append(p.reset, s.source)
		}
		if err := b.linkSource(s.source, row); err != nil {
			return err
		}
		class = s.source.gives
	}
	var outs []plan.ID
	if s.fragment != nil {
		for _, id := range s.fragment.ins {
			s.fragment.from = append(s.fragment.from, b.placeOf(id, row, class, nil))
		}
		if err := b.scheduleFragment(s.fragment); err != nil {
			return err
		}
		outs = s.fragment.outs
	}
	for _, id := range s.keep {
		s.from = append(s.from, b.placeOf(id, row, class, outs))
	}
	s.apart = b.staysApart(s, slices.Concat(row, class))
	return nil
}

// staysApart reports whether the values that a step keeps determine all values that it has met: then no two of its rows
// are equal, and they need not be compared. A chain of draws whose counts are all outputs is such a case: the number of
// dice left before a draw is the number left behind it plus the count.
//
// In numbers: 5 dice are left, 2 of them show the class, and 3 are left behind the draw. Where both 2 and 3 are kept,
// the 5 is determined, because 3 is 5 less 2. Where only the 3 is kept, 4 dice of which 1 shows the class lead to the
// same row.
func (b *builder) staysApart(s *step, met []plan.ID) bool {
	told := map[plan.ID]bool{}
	for _, id := range s.keep {
		told[id] = true
	}
	if s.fragment != nil {
		b.traceBack(s.fragment, met, told)
	}
	return !slices.ContainsFunc(met, func(id plan.ID) bool { return !told[id] })
}

// traceBack adds to the determined values those of a fragment, and of its inputs, that follow from them: the result of an
// operation whose operands are determined, and an operand of a sum or of a difference when the result and the other
// operand are.
//
// It repeats until nothing new follows, at most once for each node. It may find too little, never too much: a step that
// is not proved apart is slower and as right.
func (b *builder) traceBack(x *fragment, met []plan.ID, told map[plan.ID]bool) {
	open := map[plan.ID]bool{} // what states and classes decide
	for _, id := range slices.Concat(met, x.nodes) {
		open[id] = true
	}
	known := func(id plan.ID) bool { return told[id] || !open[id] }
	for again := true; again; {
		again = false
		tell := func(id plan.ID) {
			if !known(id) {
				told[id], again = true, true
			}
		}
		for _, id := range x.nodes {
			n := &b.Nodes[id]
			unknown := slices.DeleteFunc(slices.Clone(n.Args), known)
			switch n.Op {
			case plan.OpLoop, plan.OpResult: // what a body reads of the block around it is not among the operands
				continue
			case plan.OpAddInt, plan.OpSubInt:
				if known(id) && len(unknown) == 1 {
					tell(unknown[0])
				}
			}
			if len(unknown) == 0 {
				tell(id)
			}
		}
	}
}

func (b *builder) linkSource(s *source, row []plan.ID) (err error) {
	for _, id := range s.ins {
		s.from = append(s.from, b.placeOf(id, row, nil, nil))
	}
	switch s.kind {
	case regionSource:
		return b.linkProgram(s.body, s.gives)
	case streamSource:
		return b.scheduleFold(s.fold)
	case loopSource:
		return b.linkLoop(s)
	case headSource:
		if s.results != nil {
			return b.linkResults(s)
		}
	}
	return nil
}

// linkResults makes the program of the body of a loop whose results are dice.
func (b *builder) linkResults(s *source) (err error) {
	n := &b.Nodes[s.id]
	inner := newBuilder(b.Network, b.image, b.choice, int32(n.Imm))
	inner.roots = b.roots
	r := s.results
	if r.body, err = inner.buildProgram(nil, b.Results(s.id)); err != nil || r.body.prefix == nil {
		return err
	}
	return inner.scheduleLoopPrefix(r.body.prefix)
}

// linkLoop makes the program of a loop's body. Its columns are the carried values that are read.
//
// A carried value is a column if its body reads it or something reads its result; others are left out. The columns are
// in the order of the loop's values, and those behind an iteration (outs) are those before the next (first), so a table
// goes round without being rearranged by the loop itself.
func (b *builder) linkLoop(s *source) (err error) {
	n := &b.Nodes[s.id]
	inner := newBuilder(b.Network, b.image, b.choice, int32(n.Imm))
	inner.roots = b.roots
	column := map[int64]plan.ID{}
	for _, id := range s.gives {
		column[b.Nodes[id].Imm] = id
	}
	s.iteration = plan.None
	for _, id := range inner.own {
		switch x := &b.Nodes[id]; {
		case x.Op == plan.OpParam && x.Imm == 0:
			s.iteration = id
		case x.Op == plan.OpParam:
			column[x.Imm-1] = id
		}
	}
	var first, outs []plan.ID
	at := map[int64]int{}
	for _, k := range slices.Sorted(maps.Keys(column)) {
		at[k] = len(first)
		first, outs = append(first, column[k]), append(outs, b.Results(s.id)[k])
		s.initial = append(s.initial, n.Args[k+1])
	}
	for _, id := range s.gives {
		s.which = append(s.which, at[b.Nodes[id].Imm])
	}
	if s.body, err = inner.buildProgram(first, outs); err != nil || s.body.prefix == nil {
		return err
	}
	return inner.scheduleLoopPrefix(s.body.prefix)
}

// placeOf returns where a value stands; one that is in no column is in the environment, to which the prefix of its block
// then gives it.
func (b *builder) placeOf(id plan.ID, row, class, outs []plan.ID) ref {
	if k := slices.Index(outs, id); k >= 0 {
		return ref{inFragment, int32(k)}
	}
	if k := slices.Index(class, id); k >= 0 {
		return ref{inClass, int32(k)}
	}
	if k := slices.Index(row, id); k >= 0 {
		return ref{inRow, int32(k)}
	}
	b.wanted[id] = true
	return ref{inEnv, int32(id)}
}

// scheduleFragment compiles the nodes of a fragment.
func (b *builder) scheduleFragment(x *fragment) (err error) {
	c := newCutter(b.Network)
	c.addLeaves(x.ins)
	c.copyConstants(x.nodes)
	c.copyNodes(x.nodes)
	if c.err != nil {
		return c.err
	}
	var roots [plan.NumRoots]int
	roots[plan.InputRoot] = c.leaves
	x.code, err = c.schedulePart(b.image, b.choice, roots, c.outsOf(x.outs))
	return err
}

// schedulePrefix makes the part of the outermost prefix, which reads the records.
func (b *builder) schedulePrefix(x *fragment, roots [plan.NumRoots]int) (err error) {
	c := newCutter(b.Network)
	c.copyConstants(x.nodes)
	c.copyNodes(x.nodes)
	x.code, err = c.schedulePart(b.image, b.choice, roots, c.outsOf(x.outs))
	return err
}

// scheduleLoopPrefix makes the part of a loop's prefix, which reads the environment.
func (b *builder) scheduleLoopPrefix(x *fragment) error {
	x.ins = b.Externals(x.nodes)
	for _, id := range x.ins {
		x.from = append(x.from, ref{inEnv, int32(id)})
	}
	return b.scheduleFragment(x)
}
