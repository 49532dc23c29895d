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

// hasFewKeys reports whether the keys between the ends of a look-up are so few that each can be tried.
//
// Doubles are never few: between two limits lie as many as one likes, and only the limits can be
// compared.
func (l *look) hasFewKeys(t *plan.Table) bool {
	if !t.Kind.HasNumbers() {
		return l.keys.Words != nil
	}
	return !l.double && l.keys.Min > -mostKeys && l.keys.Max < mostKeys
}

// forEachKey calls a function with every key that is a number, or a symbol, and the row that it finds.
func (l *look) forEachKey(t *plan.Table, do func(key, row int64)) {
	for _, k := range l.keys.Words {
		do(k, t.FindInt(k))
	}
	if !t.Kind.HasNumbers() {
		return
	}
	for k := l.keys.Min; k <= l.keys.Max; k++ {
		do(k, t.FindInt(k))
	}
}

// rowOfKey returns the number of the row that a key finds, -1 when there is none.
func (r *report) rowOfKey(t *plan.Table, k *key) int64 {
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

// reportUnreached reports rows that no look-up reaches.
func (r *report) reportUnreached(t *plan.Table, b *book.Table, u use) {
	if len(u.looks) == 0 {
		return
	}
	reached := make([]bool, len(b.Rows))
	for _, l := range u.looks {
		r.markReached(l, t, reached)
	}
	for i := range reached {
		if !reached[i] {
			r.diags.Addf("table-unreached", b.Rows[i].Place, subjectOf(b),
				"nothing that is rolled or given reaches the %s %s: the keys are %s", b.RowNoun(),
				b.Rows[i].String(), r.describeKeys(t, u)).
				Repair = "leave the row out, or look up a key that reaches it"
		}
	}
}

// markReached marks the rows that a look-up may find.
//
// Three grades of knowledge lead to the same marks: exact keys, every key of an interval, or an
// interval that is only compared with the rows' limits. A row counts as reached when in doubt.
func (r *report) markReached(l *look, t *plan.Table, reached []bool) {
	mark := func(_, row int64) {
		if row >= 0 {
			reached[row] = true
		}
	}
	switch {
	case l.exact != nil:
		for i := range l.exact {
			mark(0, r.rowOfKey(t, &l.exact[i]))
		}
	case l.hasFewKeys(t):
		l.forEachKey(t, mark)
	default:
		low, high := l.keyRange()
		for i := range reached {
			reached[i] = reached[i] || t.Touches(i, low, high)
		}
	}
}

// keyRange returns the least and the greatest key that a look-up may have, as doubles whichever of the two kinds they are.
func (l *look) keyRange() (low, high float64) {
	if l.double {
		return l.keys.Low, l.keys.High
	}
	return float64(l.keys.Min), float64(l.keys.Max)
}

// describeKeys names the keys that a table is asked for.
func (r *report) describeKeys(t *plan.Table, u use) string {
	if all, ok := exactKeys(u.looks); ok {
		return all.String()
	}
	if !t.Kind.HasNumbers() {
		return r.symbolKeys(u)
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range u.looks {
		a, b := l.keyRange()
		low, high = math.Min(low, a), math.Max(high, b)
	}
	return formatRange(low, high)
}

// exactKeys gathers the keys of look-ups; not ok when of one of them the keys are known as an interval only.
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

// symbolKeys lists keys that are strings, each once.
func (r *report) symbolKeys(u use) string {
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

// A gap is keys that a look-up can have and no row has.
type gap struct {
	keys    string  // what the look-up can have, in words
	missing string  // what no row has, in words; "" where there is no gap
	least   float64 // of the missing keys; NaN of words
}

// reportGap reports keys that a look-up can have and no row has.
func (r *report) reportGap(t *plan.Table, b *book.Table, l *look) {
	g := r.findGap(t, l)
	if g.missing == "" {
		return
	}
	d := r.diags.Addf("table-hole", l.site.Place, l.site.Name,
		"%s reaches the keys %s, the %ss of %s cover %s: there is none for %s",
		strings.Join(strings.Fields(l.site.Text), " "), g.keys, b.RowNoun(), b.ID, r.describeCovered(t), g.missing)
	d.Repair = "add " + b.RowNoun() + "s, or keep the key within those that there are with min and max"
	if i := rowBefore(b, g.least); t.Kind.HasNumbers() && i >= 0 && i < len(b.Rows)-1 {
		d.Repair = fmt.Sprintf("let the %s before the gap reach further, or add %[1]ss", b.RowNoun())
	}
	if l.double {
		d.Repair = "round the key, floor(x), or take an int, where rows are for whole numbers"
	}
	d.Related = append(d.Related, diag.Related{Place: b.Place, Message: "the table"})
	if i := rowBefore(b, g.least); i >= 0 {
		d.Related = append(d.Related, diag.Related{Place: b.Rows[i].Place, Message: "the row before the gap"})
	}
}

// rowBefore returns the last row that ends below a number; -1 where none does, as in a table of words.
func rowBefore(b *book.Table, least float64) int {
	at := -1
	for i := range b.Rows {
		if hi := b.Rows[i].Hi; b.Kind.HasNumbers() && hi <= least && (at < 0 || hi > b.Rows[at].Hi) {
			at = i
		}
	}
	return at
}

// findGap returns the keys that a look-up has where its fault counts, and those among them that have no row.
//
// Without exact keys a gap is told only where the fault of the look-up reaches an answer with no
// condition of its own (free). Otherwise a condition that intervals do not see may rule the key
// out, and a warning that is wrong is worse than none. So it is with keys that are computed and that
// nothing bounds: only a field that is given may be any number. Charts of fractions end somewhere in
// every book; what no row has between two rows is meant by none.
func (r *report) findGap(t *plan.Table, l *look) gap {
	switch {
	case l.site == nil:
		return gap{}
	case l.counted != nil:
		return r.findExactGap(t, l)
	case !t.Kind.HasNumbers(), !l.free, !l.double && !l.given && !l.hasFewKeys(t):
		return gap{}
	}
	low, high := l.keyRange()
	out := gap{keys: formatRange(low, high)}
	if l.double {
		least, greatest := t.Covered()
		low, high = max(low, least), min(high, greatest)
	}
	var missing []string
	for _, h := range t.Holes(low, high) {
		if name := l.nameHole(h, t); name != "" {
			if missing == nil {
				out.least = h.Low
			}
			missing = append(missing, name)
		}
	}
	out.missing = listFew(missing)
	return out
}

// nameHole names the keys in a hole of a table; "" where whole numbers have none in it.
func (l *look) nameHole(h plan.Hole, t *plan.Table) string {
	if !l.double {
		from, to := math.Ceil(h.Low), math.Floor(h.High)
		if from == h.Low && t.Find(from) >= 0 {
			from++
		}
		if to == h.High && t.Find(to) >= 0 {
			to--
		}
		if from > to {
			return ""
		}
		return formatRange(from, to)
	}
	if h.Low == h.High {
		return formatNumber(h.Low)
	}
	return "what lies between " + formatNumber(h.Low) + " and " + formatNumber(h.High)
}

// listFew lists the first few of some words.
func listFew(words []string) string {
	if len(words) > mostListed {
		return strings.Join(words[:mostListed], ", ") + " and others"
	}
	return strings.Join(words, ", ")
}

// findExactGap returns the keys that can be looked up, of which the exact distribution of the key is known, and those of
// them for which no row stands. Keys that every path excludes are not asked for.
func (r *report) findExactGap(t *plan.Table, l *look) gap {
	var all, missing keySet
	for i := range l.counted {
		k := &l.counted[i]
		if !slices.ContainsFunc(l.paths, k.satisfies) {
			continue
		}
		all = append(all, k.value)
		if r.rowOfKey(t, k) < 0 {
			missing = append(missing, k.value)
		}
	}
	out := gap{all.String(), missing.String(), math.NaN()}
	if len(missing) > 0 {
		if least := slices.MinFunc(missing, odds.Compare); least.Kind() == plan.Int {
			out.least = float64(least.Int())
		}
	}
	return out
}

// satisfies reports whether all conditions of a path hold beside a key.
//
// The truths were asked for together with the key, so both happened in one and the same roll.
func (k *key) satisfies(p path) bool {
	return !slices.ContainsFunc(p, func(c condition) bool { return k.truth[c.node] != c.is })
}

// describeCovered names the keys between the least and the greatest limit, or all that are words.
func (r *report) describeCovered(t *plan.Table) string {
	if !t.Kind.HasNumbers() {
		var out []string
		for _, k := range t.Keys {
			out = append(out, r.plan.Symbols[k])
		}
		return strings.Join(out, ", ")
	}
	low, high := t.Covered()
	var runs []string
	for _, h := range t.Holes(low, high) { // a row stands at both ends
		if h.High-h.Low > 1 {
			runs, low = append(runs, formatRange(low, h.Low)), h.High
		}
	}
	return listFew(append(runs, formatRange(low, high)))
}

// mostListed is how many keys, or runs of keys, are told of.
const mostListed = 4

// A keySet is keys of one kind, in any order.
type keySet []runtime.Value

// String lists the first few, whole numbers that follow each other as one.
func (s keySet) String() string {
	s = slices.CompactFunc(slices.SortedFunc(slices.Values(s), odds.Compare),
		func(a, b runtime.Value) bool { return odds.Compare(a, b) == 0 })
	var out []string
	for i := 0; i < len(s); {
		n := runLength(s[i:])
		out = append(out, keyName(s[i], s[i+n-1]))
		i += n
	}
	return listFew(out)
}

// runLength returns how many keys follow each other without a gap, at least one.
func runLength(s keySet) int {
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
		return formatNumber(first.Double())
	}
	return formatRange(float64(first.Int()), float64(last.Int()))
}

// formatRange prints an interval for an author: the ends of int64 stand for no end.
func formatRange(low, high float64) string {
	switch {
	case low == high:
		return formatNumber(low)
	case low <= math.MinInt64 && high >= math.MaxInt64:
		return "any number"
	case high >= math.MaxInt64:
		return formatNumber(low) + " and more"
	case low <= math.MinInt64:
		return formatNumber(high) + " and less"
	}
	return fmt.Sprintf("%s to %s", formatNumber(low), formatNumber(high))
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
