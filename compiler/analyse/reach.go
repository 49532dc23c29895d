package analyse

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// mostKeys is how many keys are tried one by one. A table that is asked for more is asked for anything.
const mostKeys = 100_000

// known reports whether the keys between the ends of a look-up are so few that each can be tried.
func (l *look) known(t *plan.Table) bool {
	if t.Kind == plan.KeyedTable {
		return l.keys.Words != nil
	}
	return !l.double && l.keys.Min > -mostKeys && l.keys.Max < mostKeys
}

// each calls a function with every key that is a number, or a symbol, and the row that it finds.
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

// row is the number of the row that a key finds, -1 when there is none.
func (r *report) row(t *plan.Table, k *key) int64 {
	switch k.value.Kind() {
	case plan.Double:
		return t.Find(k.value.Double())
	case plan.String:
		symbol, ok := r.symbols[k.value.Text()]
		if !ok {
			return -1
		}
		return t.FindInt(symbol)
	}
	return t.FindInt(k.value.Int())
}

// unreached reports rows that no look-up reaches.
func (r *report) unreached(t *plan.Table, b *book.Table, u use) {
	if len(u.looks) == 0 {
		return
	}
	reached := make([]bool, len(b.Rows))
	for _, l := range u.looks {
		r.reach(l, t, reached)
	}
	for i := range reached {
		if !reached[i] {
			r.diags.Addf("table-unreached", b.Rows[i].Place, subject(b), "nothing that is rolled or given reaches the row %s: the keys are %s",
				rowName(b, i), r.keys(t, u))
		}
	}
}

// reach marks the rows that a look-up may find.
func (r *report) reach(l *look, t *plan.Table, reached []bool) {
	mark := func(_, row int64) {
		if row >= 0 {
			reached[row] = true
		}
	}
	switch {
	case l.exact != nil:
		for i := range l.exact {
			mark(0, r.row(t, &l.exact[i]))
		}
	case l.known(t):
		l.each(t, mark)
	default:
		low, high := l.ends()
		for i := range reached {
			reached[i] = reached[i] || t.Kind == plan.KeyedTable || touches(t, i, low, high)
		}
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
	if all, ok := exactKeys(u.looks); ok {
		return all.String()
	}
	if t.Kind == plan.KeyedTable {
		return r.words(u)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range u.looks {
		a, b := l.ends()
		low, high = math.Min(low, a), math.Max(high, b)
	}
	return span(low, high)
}

// exactKeys are those of look-ups of which all are exact.
func exactKeys(looks []*look) (all keySet, ok bool) {
	for _, l := range looks {
		if l.exact == nil {
			return nil, false
		}
		for i := range l.exact {
			all = append(all, l.exact[i].value)
		}
	}
	return all, true
}

// words lists keys that are strings, each once.
func (r *report) words(u use) string {
	var out []string
	for _, l := range u.looks {
		for _, k := range l.keys.Words {
			if s := r.plan.Symbols[k]; s != "" && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return strings.Join(out, ", ")
}

// gap reports keys that a look-up can have and no row has.
func (r *report) gap(t *plan.Table, b *book.Table, l *look) {
	keys, missing := r.missing(t, l)
	if len(missing) == 0 {
		return
	}
	d := r.diags.Addf("table-hole", l.site.Place, l.site.Name, "%s reaches the keys %s, the rows of %s cover %s: there is none for %s",
		strings.Join(strings.Fields(l.site.Text), " "), keys, b.ID, r.covered(t), missing)
	d.Repair = "add rows, or keep the key within those that there are with min and max"
	d.Related = append(d.Related, diag.Related{Place: b.Place, Message: "the table"})
}

// missing are the keys that a look-up has where its fault counts, in words, and those among them that have no row.
func (r *report) missing(t *plan.Table, l *look) (keys string, missing keySet) {
	switch {
	case l.site == nil:
		return "", nil
	case l.counted != nil:
		return r.missingExact(t, l)
	case t.Kind == plan.KeyedTable, !l.known(t), !l.free:
		return "", nil
	}
	l.each(t, func(key, row int64) {
		if row < 0 {
			missing = append(missing, runtime.IntValue(key))
		}
	})
	return span(l.ends()), missing
}

func (r *report) missingExact(t *plan.Table, l *look) (keys string, missing keySet) {
	var all keySet
	for i := range l.counted {
		k := &l.counted[i]
		if !slices.ContainsFunc(l.paths, k.takes) {
			continue
		}
		all = append(all, k.value)
		if r.row(t, k) < 0 {
			missing = append(missing, k.value)
		}
	}
	return all.String(), missing
}

// takes reports whether all conditions of a path are so beside a key.
func (k *key) takes(p path) bool {
	return !slices.ContainsFunc(p, func(c condition) bool { return k.truth[c.node] != c.is })
}

// covered names the keys between the least and the greatest limit, or all that are words.
func (r *report) covered(t *plan.Table) string {
	if t.Kind == plan.KeyedTable {
		var out []string
		for _, k := range t.Keys {
			out = append(out, r.plan.Symbols[k])
		}
		return strings.Join(out, ", ")
	}
	low, high := slices.Min(t.Lo), math.Inf(1)
	if t.Kind == plan.BandsTable {
		high = slices.Max(t.Hi)
	}
	if t.Bounded {
		low, high = math.Max(low, t.OverMin), math.Min(high, t.OverMax)
	}
	return span(low, high)
}

// A keySet is keys of one kind, in any order.
type keySet []runtime.Value

// String lists the first few, whole numbers that follow each other as one.
func (s keySet) String() string {
	const most = 4
	s = slices.CompactFunc(slices.SortedFunc(slices.Values(s), odds.Compare), func(a, b runtime.Value) bool { return odds.Compare(a, b) == 0 })
	var out []string
	for i := 0; i < len(s); {
		if len(out) == most {
			return strings.Join(out, ", ") + " and others"
		}
		n := run(s[i:])
		out = append(out, keyName(s[i], s[i+n-1]))
		i += n
	}
	return strings.Join(out, ", ")
}

// run is how many keys follow each other without a gap, at least one.
func run(s keySet) int {
	n := 1
	for n < len(s) && s[n].Kind() == plan.Int && s[n].Int() == s[n-1].Int()+1 {
		n++
	}
	return n
}

func keyName(first, last runtime.Value) string {
	switch first.Kind() {
	case plan.String:
		return first.Text()
	case plan.Double:
		return number(first.Double())
	}
	return span(float64(first.Int()), float64(last.Int()))
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
