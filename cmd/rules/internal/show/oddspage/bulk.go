package oddspage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/view"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// A Bulk is a run of the values of some distributions, which is listed where there are too many of them.
type Bulk struct {
	From         int // index of the first of them
	Values       []runtime.Value
	Below, Above string // how many values are left out on each side, with their chance; "" for none
}

// LeftOut says in one sentence how many values are left out; "" for none.
func (b *Bulk) LeftOut() string {
	parts := slices.DeleteFunc([]string{b.Below, b.Above}, func(text string) bool { return text == "" })
	if len(parts) == 0 {
		return ""
	}
	return "Left out: " + strings.Join(parts, "; ")
}

// BulkOf returns the most values in a row that are likeliest together: those around the mode, and not the tail with which
// the values begin. values are those of the distributions, as MergeValues returns them; at most so many are listed.
func BulkOf(values []runtime.Value, most int, list ...*odds.Marginal) Bulk {
	if len(values) <= most {
		return Bulk{Values: values}
	}
	place := map[string]int{}
	for i, v := range values {
		place[v.String()] = i
	}
	chances, before := make([][]float64, len(list)), make([]float64, len(values)+1)
	for k, m := range list {
		chances[k] = make([]float64, len(values))
		for i, v := range m.Values {
			chances[k][place[v.String()]] += m.P[i]
		}
	}
	for i := range values {
		before[i+1] = before[i]
		for _, p := range chances {
			before[i+1] += p[i]
		}
	}
	// Sums that differ by rounding alone are equal, or the run of a flat distribution would begin anywhere.
	const noise = 1e-9
	from := 0
	for at := 1; at+most <= len(values); at++ {
		if before[at+most]-before[at] > (before[from+most]-before[from])*(1+noise) {
			from = at
		}
	}
	to := from + most
	leftOut := func(first, last int, where string) string {
		if first == last {
			return ""
		}
		var parts []string
		for k, p := range chances {
			sum := 0.0
			for _, x := range p[first:last] {
				sum += x
			}
			if len(list[k].Values) > 0 {
				parts = append(parts, layout.FormatPercent(sum))
			}
		}
		return fmt.Sprintf("%d %s, together %s", last-first, where, strings.Join(slices.Compact(parts), " and "))
	}
	below, above := "before these", "more"
	if !slices.ContainsFunc(list, func(m *odds.Marginal) bool { return len(m.Values) > 0 && !m.Numeric() }) {
		below, above = "below "+view.Text(values[from]), "above "+view.Text(values[to-1])
	}
	return Bulk{from, values[from:to], leftOut(0, from, below), leftOut(to, len(values), above)}
}
