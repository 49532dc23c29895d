package check

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// The operator of a repeat that happens on the most that a die shows.
const onMost = "max"

// bandText splits what stands before a number or a formula from it.
// Its groups for ">=9" are ">=", ">=" and "9"; for ">= lucky" they are ">= ", ">=" and "", and what
// is behind the first is the formula.
var bandText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\s*(<=|>=|<|>|=)?\s*)(-?[0-9]+\s*$)?`)
})

// readRepeat reads on which faces a die is rolled again or on; nil when it never is, or when the text is wrong. A face that
// is a row of a table may be named by its key.
func (k *dieChecker) readRepeat(on, when *book.Text) *Repeat {
	if !on.Written() {
		return nil
	}
	if row := rowOfFace(k.die.Rows, strings.TrimSpace(on.S)); row > 0 {
		return &Repeat{operator: "=", when: when, fixed: dice.BandOf("=", int64(row))}
	}
	if strings.TrimSpace(on.S) == onMost {
		return &Repeat{operator: onMost, when: when}
	}
	parts := bandText().FindStringSubmatch(on.S)
	out := &Repeat{operator: parts[2], when: when}
	if out.operator == "" {
		out.operator = "="
	}
	if parts[3] == "" && strings.TrimSpace(on.S) != parts[2] {
		out.text = on.From(len([]rune(parts[1])))
		return out
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(parts[3]), 10, 64); err == nil && n < 0 {
		out.fixed = dice.BandOf(out.operator, n) // faces that are listed may show it
		return out
	}
	band, err := dice.ParseBand(on.S)
	if err != nil {
		k.reportNotation(on, err)
		return nil
	}
	out.fixed = band
	return out
}

// rowOfFace returns the number of the face that is the row of a key; 0 for none.
func rowOfFace(t *Table, key string) int {
	if t == nil {
		return 0
	}
	return 1 + slices.IndexFunc(t.Book.Rows,
		func(r book.Row) bool { return t.Book.Kind == plan.KeyedTable && r.Key == key })
}

// typeRepeat checks the formulas of a repeat; it is not ok, and reported, when they cannot be typed.
// "max" on a die whose faces are a formula becomes that formula with the operator "=", so that such
// a die has a variant for each number of faces.
func (k *dieChecker) typeRepeat(r *Repeat) (ok bool) {
	if r == nil {
		return true
	}
	d := k.die
	r.When = k.checker.typeTextAs(r.when, plan.BoolType, "when")
	ok = !r.when.Written() || r.When != nil
	if r.text.Written() {
		r.On = k.checker.typeTextAs(&r.text, plan.IntType, "on")
		n, known := constantOf(r.On)
		switch {
		case r.On == nil:
			return false
		case known:
			r.fixed, r.On = dice.BandOf(r.operator, n), nil
		}
	}
	if r.operator == onMost {
		faces, known := constantOf(d.Faces)
		switch {
		case d.Rolls.Shows != nil:
			r.fixed = dice.BandOf("=", slices.Max(d.Rolls.Shows))
		case known:
			r.fixed = dice.BandOf("=", faces)
		default:
			r.On = d.Faces
		}
	}
	if r.shows = d.Rolls.Shows; r.shows != nil && r.On == nil {
		r.fixed = facesWithin(r.shows, r.fixed)
	}
	return ok
}

// facesWithin returns the faces of a die that show a number of a band. The die lists them in ascending order, so that they
// lie side by side.
func facesWithin(shows []int64, numbers plan.Band) plan.Band {
	out := plan.NoFace
	for i, shown := range shows {
		if numbers.Holds(shown) {
			if out.Hi = int64(i) + 1; out.Lo < 1 {
				out.Lo = out.Hi
			}
		}
	}
	return out
}

// bandFor returns the band of the faces for which a comparison with n holds: listed faces are compared by the numbers on
// them.
func (r *Repeat) bandFor(operator string, n int64) plan.Band {
	band := dice.BandOf(operator, n)
	if r.shows != nil {
		return facesWithin(r.shows, band)
	}
	return band
}

// isFixed reports whether the faces are known and the repeat always happens on them.
func (r *Repeat) isFixed() bool { return r != nil && r.On == nil && r.When == nil }

// fixedBand returns the band of a repeat that is fixed; the zero Band of any other.
func (r *Repeat) fixedBand() plan.Band {
	if !r.isFixed() {
		return plan.Band{}
	}
	return r.fixed
}

// never returns the band of a repeat whose condition does not hold. A die that lists its faces adds the numbers on them up
// whether or not it explodes, and needs a band that no face reaches; for any other the zero Band says so.
func (r *Repeat) never() plan.Band {
	if r.shows != nil { // it adds up what it shows all the same
		return plan.NoFace
	}
	return plan.Band{}
}

// Comparison returns the operator and the number of a repeat whose number is a formula. A face is compared by its number
// or, where faces are listed, by the number on it. Without a formula n is nil, and the band is that of the numbers of the
// faces.
func (r *Repeat) Comparison() (operator string, n *Expr, band plan.Band) {
	return strings.Replace(r.operator, onMost, "=", 1), r.On, r.fixed
}
