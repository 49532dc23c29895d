package site

import (
	"cmp"
	"errors"
	"net/http"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// unaskedBudget bounds, in states, the odds that a page shows without being asked for them: some 30 milliseconds.
const unaskedBudget = 40_000

// oddsFor returns all odds that a form shows: its own, those of the setting that it keeps beside them, and those over
// the values of the inputs that it varies.
//
// An error of the kept setting is told under its label, because the form's own odds may well be fine. Where nobody asked
// for odds, dear ones are offered.
func (s *server) oddsFor(r *http.Request, e *library.Edition, v *tryPage, q *formQuestion) *oddsView {
	isWished := v.HasWholeOdds || v.Kept != nil || v.IsVaried()
	budget := s.Budget
	if !isWished {
		budget = min(budget, unaskedBudget)
	}
	d, err := s.oddsOf(r.Context(), e, q, budget)
	if err != nil {
		_, isDear := errors.AsType[*odds.BudgetError](err)
		if isDear && budget < s.Budget {
			return &oddsView{IsDear: true}
		}
		return &oddsView{Error: wordError(err)}
	}
	words := v.Book.words.Of(v.Needs.ID)
	settings := []setting{{"", d, words}}
	if v.Kept != nil {
		kept, err := s.oddsOf(r.Context(), e, v.Kept.asked, s.Budget)
		if err != nil {
			return &oddsView{Error: v.Kept.Label + ": " + wordError(err)}
		}
		settings = []setting{{v.Kept.Label, kept, words}, {v.Kept.Now, d, words}}
	}
	if before := s.chosenBeside(e, v); before != nil {
		was, err := s.oddsOf(r.Context(), before.Edition, q, s.Budget)
		if err != nil {
			return &oddsView{Error: before.Called + ": " + wordError(err)}
		}
		settings[len(settings)-1].label = cmp.Or(settings[len(settings)-1].label, "now")
		settings = append(settings, setting{before.Called, was, words})
	}
	out := newOddsView(settings)
	out.Headline = newHeadlineOdds(words, d)
	out.addCompared(settings)
	out.IsBrief = out.Headline != nil && !isWished
	if v.Vary[0].chosen() != "" {
		names := []string{v.Vary[0].chosen()}
		if second := v.Vary[1].chosen(); second != "" && second != names[0] {
			names = append(names, second)
		}
		a, err := askerOfOdds(e, q, s.Budget)
		if err != nil {
			return &oddsView{Error: wordError(err)}
		}
		out.Grid = newGrid(r.Context(), a, words, v.variedFields(), names)
	}
	return out
}

// chosenBeside is the state of the ruleset whose odds stand beside those of an edition; nil for none.
//
// A state is chosen by its name in the form. After a reload it may not be there any more; then
// nothing is compared, rather than another state.
func (s *server) chosenBeside(e *library.Edition, v *tryPage) *library.Earlier {
	chosen := slices.IndexFunc(v.Beside, func(c choiceView) bool { return c.Selected })
	if chosen < 0 {
		return nil
	}
	list := s.library.Shelf().Comparable(e)
	i := slices.IndexFunc(list, func(x *library.Earlier) bool { return x.Called == v.Beside[chosen].Value })
	if i < 0 {
		return nil // the rules were loaded anew meanwhile
	}
	return list[i]
}
