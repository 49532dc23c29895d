package lower

import (
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Everything in a graph is computed, whether it is needed or not, so a branch counts as taken only where its formula is
// needed too: in an arm that is chosen, behind an operand that does not decide, in a body that is used. A let is needed
// where any of its readers is, which is known once the whole body is lowered; until then its branches wait.

// reached is what coverage knows of the lets of a body.
type reached struct {
	current *check.Let // the let being lowered, nil outside of lets
	around  plan.ID    // within a loop: what is needed of the loop
	readers map[*check.Let][]reader
	waiting []waiting
	known   map[*check.Let]plan.ID
}

// A reader reads a let when it is itself needed.
type reader struct {
	let    *check.Let // nil: the body itself
	needed plan.ID    // within the reader
}

// A waiting branch belongs to a let.
type waiting struct {
	let    *check.Let
	branch int64
	taken  plan.ID // when the let is needed
}

func newReached() *reached {
	return &reached{around: plan.None, readers: map[*check.Let][]reader{}, known: map[*check.Let]plan.ID{}}
}

// reachedWhen reports whether a part is needed that is needed only when a condition holds.
func (s *scope) reachedWhen(outer, cond plan.ID) plan.ID {
	if outer == plan.None || !s.cover {
		return plan.None
	}
	return s.and(outer, cond)
}

func (s *scope) reachedUnless(outer, cond plan.ID) plan.ID {
	if outer == plan.None || !s.cover {
		return plan.None
	}
	return s.and(outer, s.not(cond))
}

// enterLoop remembers the needs of a loop that is about to be lowered, and returns the function that ends it.
func (s *scope) enterLoop() (leave func()) {
	reach, around := s.reach, s.around
	if s.builder.currentLevel() == s.level {
		s.around = reach
	}
	return func() { s.reach, s.around = reach, around }
}

// underLet lowers a let's formula, whose needs are those of the let.
func (s *scope) underLet(v *check.Let, lower func()) {
	let, around := s.current, s.around
	s.current, s.reach, s.around = v, s.bool(true), plan.None
	lower()
	s.current, s.around = let, around
}

// noteReader notes that the formula being lowered reads a let.
//
// Within a loop, whether an element's formula needs the let differs from one iteration to the next, and its node stands
// inside: the need of the loop as a whole (around) is used instead, which may count a branch of the let too often.
func (s *scope) noteReader(v *check.Let) {
	if !s.cover {
		return
	}
	needed := s.reach
	switch {
	case needed == plan.None:
		needed = s.guard
	case s.depth[needed] > s.level:
		if needed = s.around; needed == plan.None { // a use that walks lists: its inputs are needed whenever the body is
			needed = s.guard
		}
	}
	s.readers[v] = append(s.readers[v], reader{s.current, needed})
}

// markBranch marks a way that the formula can go.
func (s *scope) markBranch(at plan.Place, what string, taken plan.ID) {
	if !s.cover || taken == plan.None {
		return
	}
	name := s.subj
	if s.part != "" {
		name += ", " + s.part
	}
	s.g.Branches = append(s.g.Branches, plan.Branch{Place: at, Name: name, What: what})
	branch := int64(len(s.g.Branches) - 1)
	if s.current != nil && s.depth[taken] <= s.level {
		s.waiting = append(s.waiting, waiting{s.current, branch, taken})
		return
	}
	s.countBranch(branch, taken)
}

func (s *scope) countBranch(branch int64, taken plan.ID) {
	s.placeHere(plan.Node{Op: plan.OpCover, Kind: plan.Bool, Args: []plan.ID{taken}, Imm: branch, Site: -1})
}

// countLets counts the branches of lets, when the whole body is lowered.
func (s *scope) countLets() {
	for _, w := range s.waiting {
		s.countBranch(w.branch, s.and(s.neededWhen(w.let), w.taken))
	}
	s.waiting = nil
}

// countRefused counts the branches of the lets that were needed up to a condition, for when it does not hold: then the
// evaluation ends here.
func (s *scope) countRefused(cond plan.ID) {
	for _, w := range s.waiting {
		s.countBranch(w.branch, s.and(s.reachedUnless(s.guard, cond), s.and(s.neededWhen(w.let), w.taken)))
	}
	clear(s.known) // more readers may come
}

// neededWhen reports whether a let is needed: by the body, or by a let that is. known is emptied at each requirement
// (countRefused), because later formulas add readers.
func (s *scope) neededWhen(v *check.Let) plan.ID {
	if id, ok := s.known[v]; ok {
		return id
	}
	out := s.bool(false)
	for _, r := range s.readers[v] {
		needed := r.needed
		if r.let != nil {
			needed = s.and(s.neededWhen(r.let), needed)
		}
		out = s.or(out, needed)
	}
	s.known[v] = out
	return out
}
