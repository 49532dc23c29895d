package odds

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Joint is the joint distribution of the outputs that were asked for. It may be used by one goroutine at a time, until its
// Outcomes or Endings have been asked for.
type Joint struct {
	Names    []string
	Orders   [][]string // of each name: the strings that it may be, in their order; nil when they have none
	Den      *big.Int   // of the fractions; nil when they were not asked for
	Spent    int64      // how many times a state met a class
	States   int        // the most states at once
	outcomes []Outcome
	endings  []Ended
	read     func() ([]Outcome, []Ended) // makes both of what was computed; nil when that is done
}

// FillLater gives a joint distribution the function that makes its outcomes, no two of the same values, and its endings,
// each in any order. It is called once, when somebody asks for either: an answer may have a million rows, and who wants to
// know whether there is one reads none.
func (j *Joint) FillLater(read func() ([]Outcome, []Ended)) { j.read = read }

// Outcomes are the values that come out, in their order. They are read when they are asked for.
func (j *Joint) Outcomes() []Outcome {
	j.readValues()
	return j.outcomes
}

// Endings are the ways in which the dice fall that lead to no outcome.
func (j *Joint) Endings() []Ended {
	j.readValues()
	return j.endings
}

func (j *Joint) readValues() {
	if j.read != nil {
		j.outcomes, j.endings = j.read()
		j.read = nil
		j.sort()
	}
}

// An Outcome is values of the outputs.
type Outcome struct {
	Values []jsonio.Value // in the order of Names
	P      float64
	N      *big.Int // the numerator of the exact probability
}

// A Collector gathers outcomes and endings, each once. The zero Collector has none.
type Collector struct {
	Outcomes []Outcome
	Endings  []Ended
	at       map[string]int // of the outcomes, by their values as text
}

// IndexOf returns the index of the outcome with values equal to the given ones: a new one, without probability, where there
// is none. It keeps the values, with 0.0 for -0.0.
func (c *Collector) IndexOf(values []jsonio.Value) int {
	for i, v := range values {
		values[i] = v.Unsigned()
	}
	key := keyOfValues(values)
	k, ok := c.at[key]
	if !ok {
		if c.at == nil {
			c.at = map[string]int{}
		}
		k = len(c.Outcomes)
		c.at[key] = k
		c.Outcomes = append(c.Outcomes, Outcome{Values: values})
	}
	return k
}

// AddOutcome adds probability to the outcome that has some values: p or, unless n is nil, n/den.
func (c *Collector) AddOutcome(values []jsonio.Value, p float64, n, den *big.Int) {
	o := &c.Outcomes[c.IndexOf(values)]
	addProbability(&o.P, &o.N, p, n, den)
}

// AddEnding likewise adds probability to an ending.
func (c *Collector) AddEnding(why Ending, p float64, n, den *big.Int) {
	k := slices.IndexFunc(c.Endings, func(e Ended) bool { return e.Ending == why })
	if k < 0 {
		k = len(c.Endings)
		c.Endings = append(c.Endings, Ended{Ending: why})
	}
	addProbability(&c.Endings[k].P, &c.Endings[k].N, p, n, den)
}

// addProbability adds to a probability. Where there are fractions, the float is their exact sum, rounded once.
func addProbability(toP *float64, toN **big.Int, p float64, n, den *big.Int) {
	if *toP += p; n != nil {
		*toN = pmf.NumeratorOf(*toN).Plus(pmf.NumeratorOf(n)).Int()
		*toP = pmf.NumeratorOf(*toN).Over(den)
	}
}

// keyOfValues identifies values.
func keyOfValues(values []jsonio.Value) string {
	var b []byte
	for _, v := range values {
		b = append(v.AppendJSON(b), '\n')
	}
	return string(b)
}

// sort puts the outcomes in the order of their values.
func (j *Joint) sort() {
	slices.SortFunc(j.outcomes, func(a, b Outcome) int {
		for i := range a.Values {
			if c := compareIn(j.orderOf(i), a.Values[i], b.Values[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	slices.SortFunc(j.endings, CompareEndings)
}

// orderOf is the order of a value's strings; nil when they have none.
func (j *Joint) orderOf(i int) []string {
	if i >= len(j.Orders) {
		return nil
	}
	return j.Orders[i]
}

// compareIn orders values as Compare does, but strings as they stand in a list, before those that do not.
func compareIn(order []string, a, b jsonio.Value) int {
	if len(order) == 0 || a.Kind() != plan.String || b.Kind() != plan.String {
		return Compare(a, b)
	}
	x, y := slices.Index(order, a.Text()), slices.Index(order, b.Text())
	switch {
	case x < 0 && y < 0:
		return Compare(a, b)
	case x < 0 || y < 0:
		return cmp.Compare(y, x)
	}
	return cmp.Compare(x, y)
}

// Compare orders values: numbers as such, false before true, strings by their bytes, lists and records member by member.
func Compare(a, b jsonio.Value) int {
	switch a.Kind() {
	case plan.Int, plan.Bool:
		return cmp.Compare(a.Int(), b.Int())
	case plan.Double:
		return cmp.Compare(a.Double(), b.Double())
	case plan.String:
		return strings.Compare(a.Text(), b.Text())
	}
	for i := range min(a.Len(), b.Len()) {
		if c := Compare(a.At(i), b.At(i)); c != 0 {
			return c
		}
	}
	return cmp.Compare(a.Len(), b.Len())
}
