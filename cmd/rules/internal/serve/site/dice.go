package site

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/oddspage"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
)

type dicePage struct {
	page
	Error    string
	Compared bool // all in one plot
	Sums     []sumView
}

type sumView struct {
	Title string
	Odds  *oddsView
}

// maxExpressions bounds the expressions of one page. Each is counted exactly, and an address can be
// typed by anybody.
const maxExpressions = 8

// showDice shows the odds of dice in notation: below each other, or those of one roll each in one plot.
func (s *server) showDice(w http.ResponseWriter, r *http.Request) {
	v := dicePage{page: s.newPage("Odds of dice", 0), Compared: r.URL.Query().Get("compare") != ""}
	v.Query = r.URL.Query().Get("e")
	var settings []setting
	for text := range strings.SplitSeq(v.Query, ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if r.Context().Err() != nil {
			return
		}
		if len(settings) == maxExpressions {
			v.Error = "more than eight expressions are not shown"
			break
		}
		sum, err := oddsOfDice(text)
		if err != nil {
			// The first mistake is told, and what could be read is shown beside it: most of a list
			// is usually right.
			v.Error = cmp.Or(v.Error, text+": "+err.Error())
			continue
		}
		settings = append(settings, setting{text, sum, nil})
	}
	v.fill(settings)
	s.write(w, http.StatusOK, "dice", v)
}

// fill shows the odds of the expressions. An expression with several results, such as repeated dice, is not compared.
func (v *dicePage) fill(settings []setting) {
	several := func(x setting) bool { return len(x.odds.Marginals) != 1 }
	if v.Compared && len(settings) > 1 && !slices.ContainsFunc(settings, several) {
		v.Sums = []sumView{{"Compared", newOddsView(settings)}}
		return
	}
	for _, x := range settings {
		v.Sums = append(v.Sums, sumView{x.label, newOddsView([]setting{{"", x.odds, nil}})})
	}
}

// oddsOfDice gives the odds of one notation in floats, which are as exact as a page can show.
func oddsOfDice(text string) (*oddspage.Distributions, error) {
	n, err := dice.ParseNotation(text)
	if err != nil {
		return nil, err
	}
	roll, err := notation.Compute(n)
	if err != nil {
		return nil, err
	}
	return oddspage.OfRoll(text, n, roll, false), nil
}
