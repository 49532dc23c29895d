package analyse

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// mostKeys is how many keys are tried one by one. A table that is asked for more is asked for anything.
const mostKeys = 100_000

// known reports whether the keys of a look-up are so few that each can be tried.
func (l *look) known(t *plan.Table) bool {
	if t.Kind == plan.KeyedTable {
		return l.keys.Words != nil
	}
	return !l.double && l.keys.Min > -mostKeys && l.keys.Max < mostKeys
}

// each calls a function with every key, and the row that it finds.
func (l *look) each(t *plan.Table, do func(key, row int64)) {
	for _, k := range l.keys.Words {
		do(k, t.FindInt(k))
	}
	if t.Kind == plan.KeyedTable {
		return
	}
	for k := l.keys.Min; k <= l.keys.Max; k++ {
		do(k, t.FindInt(k))
	}
}

// unreached reports rows that no look-up reaches.
func (r *report) unreached(t *plan.Table, b *book.Table, u use) {
	if len(u.looks) == 0 {
		return
	}
	reached := make([]bool, len(b.Rows))
	for i := range u.looks {
		u.looks[i].reach(t, reached)
	}
	for i := range reached {
		if !reached[i] {
			r.diags.Addf("table-unreached", b.Rows[i].Place, subject(b), "nothing that is rolled or given reaches the row %s: the keys are %s",
				rowName(b, i), r.keys(t, u))
		}
	}
}

// reach marks the rows that a look-up may find.
func (l *look) reach(t *plan.Table, reached []bool) {
	if l.known(t) {
		l.each(t, func(_, row int64) {
			if row >= 0 {
				reached[row] = true
			}
		})
		return
	}
	low, high := l.ends()
	for i := range reached {
		reached[i] = reached[i] || t.Kind == plan.KeyedTable || touches(t, i, low, high)
	}
}

// ends are the least and the greatest key as numbers.
func (l *look) ends() (low, high float64) {
	if l.double {
		return l.keys.Low, l.keys.High
	}
	return float64(l.keys.Min), float64(l.keys.Max)
}

// touches reports whether a row has a key between two numbers.
func touches(t *plan.Table, i int, low, high float64) bool {
	if t.Bounded {
		low, high = math.Max(low, t.OverMin), math.Min(high, t.OverMax)
	}
	if t.Kind == plan.BandsTable {
		return t.Lo[i] <= high && t.Hi[i] >= low
	}
	return t.Lo[i] <= high && low <= after(t, i)
}

// after is the limit of the row of steps that follows a row.
func after(t *plan.Table, i int) float64 {
	k := slices.Index(t.Order, int32(i))
	if k+1 == len(t.Order) {
		return math.Inf(1)
	}
	return t.Lo[t.Order[k+1]]
}

// keys names the keys that a table is asked for.
func (r *report) keys(t *plan.Table, u use) string {
	if t.Kind == plan.KeyedTable {
		return r.words(u)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range u.looks {
		a, b := u.looks[i].ends()
		low, high = math.Min(low, a), math.Max(high, b)
	}
	return span(low, high)
}

// words lists keys that are strings, each once.
func (r *report) words(u use) string {
	var out []string
	for i := range u.looks {
		for _, k := range u.looks[i].keys.Words {
			if s := r.plan.Symbols[k]; s != "" && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return strings.Join(out, ", ")
}

// gap reports keys that a look-up can have and no row has.
func (r *report) gap(t *plan.Table, b *book.Table, l *look) {
	if l.guarded || l.site == nil || t.Kind == plan.KeyedTable || !l.known(t) {
		return
	}
	var missing gaps
	l.each(t, func(key, row int64) {
		if row < 0 {
			missing.add(key)
		}
	})
	if len(missing) == 0 {
		return
	}
	d := r.diags.Addf("table-hole", l.site.Place, l.site.Name, "%s reaches the keys %s, the rows of %s cover %s: there is none for %s",
		strings.Join(strings.Fields(l.site.Text), " "), span(l.ends()), b.ID, covered(t), missing.String())
	d.Repair = "add rows, or keep the key within those that there are with min and max"
	d.Related = append(d.Related, diag.Related{Place: b.Place, Message: "the table"})
}

// covered names the keys between the least and the greatest limit.
func covered(t *plan.Table) string {
	low, high := slices.Min(t.Lo), math.Inf(1)
	if t.Kind == plan.BandsTable {
		high = slices.Max(t.Hi)
	}
	if t.Bounded {
		low, high = math.Max(low, t.OverMin), math.Min(high, t.OverMax)
	}
	return span(low, high)
}

// gaps are ranges of keys, ascending.
type gaps [][2]int64

func (g *gaps) add(key int64) {
	if n := len(*g); n > 0 && (*g)[n-1][1] == key-1 {
		(*g)[n-1][1] = key
		return
	}
	*g = append(*g, [2]int64{key, key})
}

// String lists the first few.
func (g gaps) String() string {
	const most = 4
	var out []string
	for i, x := range g {
		if i == most {
			return strings.Join(out, ", ") + " and others"
		}
		out = append(out, span(float64(x[0]), float64(x[1])))
	}
	return strings.Join(out, ", ")
}

func span(low, high float64) string {
	switch {
	case low == high:
		return number(low)
	case low <= math.MinInt64 && high >= math.MaxInt64:
		return "any number"
	case high >= math.MaxInt64:
		return number(low) + " and more"
	case low <= math.MinInt64:
		return number(high) + " and less"
	}
	return fmt.Sprintf("%s to %s", number(low), number(high))
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// rowName names a row as its author would.
func rowName(b *book.Table, i int) string {
	row := &b.Rows[i]
	switch {
	case b.Kind == book.Keyed:
		return row.Key
	case b.Kind == book.Bands:
		return span(row.Lo, row.Hi)
	case row.Above:
		return "above " + number(row.Lo)
	}
	return "from " + number(row.Lo)
}
