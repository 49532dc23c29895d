package eliminate

import (
	"math"
	"slices"

	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/odds/internal/rewrite"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Forms of a rule, by turns.
//
// Pools that are compared may be met face by face, which suits two large ones, or one by one, which suits many small ones
// (poolCluster in build.go). Dice that are compared may be met one after the other, or all together (compared.go). Which of
// these takes least cannot be judged beforehand, because it is not known which states merge. So where there is a choice
// each form has a turn with a share of the budget, and then each again with all of it. The rule under what the question
// gives (given.go) has a later turn, since it serves that question alone, and the rule with wide limits the last one, since
// it carries counts over hundreds of faces. Without the form that meets pools one by one the
// comparison of six pools of five dice is refused (TestManyPoolsAreComparedOneByOne). Work is counted, so that equal
// questions are answered in the same way, and what a wrong form costs is no more than its share.

// The work that a turn may take, of the first form and of the others. The rule with wide limits has a part of a large
// budget, so that what is refused with it too is refused soon.
const (
	firstTurn = 1 << 18
	nextTurn  = 1 << 22
	wideShare = 4
)

// maxOfPool is how many ways one pool may show its faces where pools are met one by one.
const maxOfPool = 1 << 13

// otherForms returns the forms in which the rule might take less.
func (r *Rule) otherForms() (out []form) {
	b := r.normal
	if len(r.decidedFields) > 0 {
		return nil
	}
	small := func(p *rewrite.Pool) bool { return p.CountWays() <= maxOfPool }
	if len(b.chains) > 1 && !slices.ContainsFunc(b.chains, func(id plan.ID) bool { return !small(b.Draws[id].Pool) }) {
		out = append(out, form{byPool: true})
	}
	if values := b.comparedValues(); values != nil {
		out = append(out, form{joined: values})
	}
	return out
}

// joinedTurn returns the work that a first turn may take when dice could be met together, which takes about as many
// states as they have weak orders.
func joinedTurn(values []comparedValue) int64 {
	dice := 0
	for _, v := range values {
		dice += v.count
	}
	return int64(max(1<<10, 4*countWeakOrders(dice)))
}

// prepareOthers prepares the rule in its other forms.
func (r *Rule) prepareOthers(forms []form) error {
	for len(r.others) < len(forms) {
		w, err := r.prepareNetwork(r.normal.Network, forms[len(r.others)])
		if err != nil {
			return err
		}
		r.others = append(r.others, w)
	}
	return nil
}

// ruleWithWideLimits returns the rule with counts in place of larger lists.
func (r *Rule) ruleWithWideLimits() (*Rule, error) {
	if r.wide == nil {
		made := r.cloneUnprepared()
		made.limits = rewrite.WideLimits()
		var err error
		if made.normal, err = made.prepareGraph(false); err != nil {
			return nil, err
		}
		r.wide = made
	}
	return r.wide, nil
}

// A turn is a prepared form of a rule, and how much work it may take.
type turn struct {
	graph  *preparedGraph
	budget int64
}

// answerByTurns answers with each form of the rule in turn, until one does not take too much. The steps of a course, which
// are alike, begin with the turn that answered the step before.
func answerByTurns[W pmf.Weight[W]](
	r *Rule, q odds.Question, engineOf func(*preparedGraph, *vm.Image) *engine[W], fill Filler,
	made []map[string]int64,
) (w *preparedGraph, e *engine[W], t *Table[W], done bool, err error) {
	take := func(x turn) (isAnswer bool) {
		share := q
		share.Budget = min(q.Budget, x.budget)
		w, e = x.graph, engineOf(x.graph, r.image)
		if t, done, err = e.answerGraph(r, w, share, fill, made); IsTooMuch(err) {
			return false
		}
		r.last = x
		return true
	}
	forms := r.otherForms()
	givens, err := r.findGivens()
	if err != nil {
		return nil, nil, nil, false, err
	}
	if len(forms) == 0 && (fill != nil || givens.isEmpty() && !r.normal.IsNarrow) {
		take(turn{r.normal, q.Budget})
		return w, e, t, done, err
	}
	if fill != nil && r.last.graph != nil && take(r.last) {
		return w, e, t, done, err
	}
	first := int64(firstTurn)
	if len(forms) > 0 && forms[len(forms)-1].joined != nil {
		first = min(first, joinedTurn(forms[len(forms)-1].joined))
	}
	for _, share := range [...][2]int64{{first, nextTurn}, {math.MaxInt64, math.MaxInt64}} {
		if take(turn{r.normal, share[0]}) {
			return w, e, t, done, err
		}
		tooMuch := err
		if err := r.prepareOthers(forms); err != nil {
			return nil, nil, nil, false, err
		}
		for _, other := range r.others {
			if take(turn{other, share[1]}) {
				return w, e, t, done, err
			}
		}
		if fill == nil && !givens.isEmpty() {
			limited := q
			limited.Budget = min(q.Budget, share[1])
			under, err := r.ruleUnder(q.Records)
			if under != nil {
				w, e, t, done, err = answerByTurns(under, limited, engineOf, fill, made)
			}
			if !IsTooMuch(err) && (under != nil || err != nil) {
				return w, e, t, done, err
			}
		}
		err = tooMuch
	}
	if fill == nil && r.normal.IsNarrow && !r.showsChoices() {
		limited := q
		limited.Budget = max(q.Budget/wideShare, min(q.Budget, nextTurn))
		wide, failed := r.ruleWithWideLimits()
		if failed != nil {
			return nil, nil, nil, false, failed
		}
		w1, e1, t1, done1, err1 := answerByTurns(wide, limited, engineOf, fill, made)
		if !IsTooMuch(err1) {
			return w1, e1, t1, done1, err1
		}
	}
	return w, e, t, done, err
}
