package odds

import (
	"errors"
	"math"
	"math/big"
	"slices"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds/internal/pmf"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Marginal is the distribution of one value, in the order of its values.
type Marginal struct {
	Name   string
	Values []jsonio.Value
	P      []float64
	N      []*big.Int // numerators of Den; nil when Den is
	Den    *big.Int
	order  []string // of strings, when they have one
}

// ErrNever is a condition that never holds.
var ErrNever = errors.New("the condition has probability zero")

// Marginal is the distribution of one of the joint's values; nil when there is none of that name.
func (j *Joint) Marginal(name string) *Marginal {
	i := slices.Index(j.Names, name)
	if i < 0 {
		return nil
	}
	m, _ := j.distributionOf(name, j.orderOf(i), // which gives no error
		func(o *Outcome) (jsonio.Value, error) { return o.Values[i], nil })
	return m
}

// Of returns the distribution of a function of the outcomes. An error of the function ends it.
func (j *Joint) Of(name string, value func(*Outcome) (jsonio.Value, error)) (*Marginal, error) {
	return j.distributionOf(name, nil, value)
}

func (j *Joint) distributionOf(name string, order []string, value func(*Outcome) (jsonio.Value, error)) (*Marginal, error) {
	m := &Marginal{Name: name, Den: j.Den, order: order}
	at := map[string]int{}
	outcomes := j.Outcomes()
	for i := range outcomes {
		o := &outcomes[i]
		v, err := value(o)
		if err != nil {
			return nil, err
		}
		v = v.Unsigned()
		key := v.String()
		k, ok := at[key]
		if !ok {
			k = len(m.Values)
			at[key] = k
			m.Values, m.P, m.N = append(m.Values, v), append(m.P, 0), append(m.N, nil)
		}
		m.P[k] += o.P
		if o.N != nil {
			m.N[k] = pmf.NumeratorOf(m.N[k]).Plus(pmf.NumeratorOf(o.N)).Int()
		}
	}
	m.sort()
	for i, n := range m.N {
		if m.Den != nil { // rounded once, not once for each outcome
			m.P[i] = pmf.NumeratorOf(n).Over(m.Den)
		}
	}
	return m, nil
}

func (m *Marginal) sort() {
	order := make([]int, len(m.Values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return compareIn(m.order, m.Values[a], m.Values[b]) })
	sorted := Marginal{}
	for _, i := range order {
		sorted.Values = append(sorted.Values, m.Values[i])
		sorted.P = append(sorted.P, m.P[i])
		sorted.N = append(sorted.N, m.N[i])
	}
	m.Values, m.P, m.N = sorted.Values, sorted.P, sorted.N
}

// Given returns the joint distribution conditional on an event: only the outcomes for which holds is true remain.
func (j *Joint) Given(holds func(*Outcome) (bool, error)) (*Joint, error) {
	out := &Joint{Names: j.Names, Orders: j.Orders, Spent: j.Spent, States: j.States}
	all, sum := 0.0, new(big.Int)
	for _, o := range j.Outcomes() {
		ok, err := holds(&o)
		if err != nil {
			return nil, err
		}
		if ok {
			out.outcomes = append(out.outcomes, o)
			all += o.P
			sum.Add(sum, pmf.NumeratorOf(o.N).Int())
		}
	}
	if len(out.outcomes) == 0 || all == 0 {
		return nil, ErrNever
	}
	for i := range out.outcomes {
		out.outcomes[i].P /= all
	}
	if j.Den != nil {
		out.Den = sum
	}
	return out, nil
}

// Numeric reports whether the values are numbers.
func (m *Marginal) Numeric() bool {
	return len(m.Values) > 0 && (m.Values[0].Kind() == plan.Int || m.Values[0].Kind() == plan.Double)
}

// mass returns the sum of all probabilities, which is less than 1 when some evaluations end without a value.
func (m *Marginal) mass() (p float64) {
	for _, x := range m.P {
		p += x
	}
	return p
}

// Mean returns the mean of a number, given that there is a value. It returns 0 where the sum is no more than rounding
// error: the terms that cancel each other are as large as the spread, and each is off by a few parts in 10^16.
func (m *Marginal) Mean() float64 {
	const noise = 1e-11
	mean := m.sumMean()
	if m.ExactMean() == nil && math.Abs(mean) < noise*m.Deviation() {
		return 0
	}
	return mean
}

// sumMean returns the mean without the correction of rounding errors around 0.
func (m *Marginal) sumMean() float64 {
	if exact := m.ExactMean(); exact != nil {
		mean, _ := exact.Float64()
		return mean
	}
	mean := 0.0
	for i, v := range m.Values {
		mean += m.P[i] * Number(v)
	}
	return mean / m.mass()
}

// Deviation is the standard deviation of a number.
func (m *Marginal) Deviation() float64 {
	if exact := m.ExactMean(); exact != nil {
		square := m.moment(2)
		variance, _ := square.Sub(square, exact.Mul(exact, exact)).Float64()
		return math.Sqrt(variance)
	}
	mean, sum := m.sumMean(), 0.0
	for i, v := range m.Values {
		d := Number(v) - mean
		sum += m.P[i] * d * d
	}
	return math.Sqrt(sum / m.mass())
}

// Skewness is the third standardised moment of a number: below 0 where the longer tail lies to the left. Not ok of a value
// that is always the same.
func (m *Marginal) Skewness() (skewness float64, ok bool) {
	deviation := m.Deviation()
	if len(m.Values) < 2 || deviation == 0 {
		return 0, false
	}
	if mean := m.ExactMean(); mean != nil { // E[X³] - 3·E[X]·E[X²] + 2·E[X]³ loses all digits in floats
		square, cube := m.moment(2), m.moment(3)
		square.Mul(square, mean)
		third := cube.Sub(cube, square.Mul(square, big.NewRat(3, 1)))
		power := new(big.Rat).Mul(mean, mean)
		third.Add(third, power.Mul(power, mean.Mul(mean, big.NewRat(2, 1))))
		central, _ := third.Float64()
		return central / (deviation * deviation * deviation), true
	}
	mean, sum, terms := m.Mean(), 0.0, 0.0
	for i, v := range m.Values {
		d := (Number(v) - mean) / deviation
		sum += m.P[i] * d * d * d
		terms += math.Abs(m.P[i] * d * d * d)
	}
	if math.Abs(sum) <= skewnessRounding*terms { // nothing is left of it but the rounding of its terms
		return 0, true
	}
	return sum / m.mass(), true
}

// skewnessRounding is what a sum of third powers may be off, beside the sum of their amounts.
const skewnessRounding = 1e-13

// Entropy returns the mean number of bits that identify a value, given that there is one: 1 for a fair coin, 0 for a
// certain value.
func (m *Marginal) Entropy() (bits float64) {
	all := m.mass()
	for _, p := range m.P {
		if p > 0 {
			bits -= p / all * math.Log2(p/all)
		}
	}
	return max(0, bits)
}

// ExactMean is the mean of an int as a fraction; nil when there are no fractions.
func (m *Marginal) ExactMean() *big.Rat {
	if m.Den == nil || len(m.Values) == 0 || m.Values[0].Kind() != plan.Int {
		return nil
	}
	return m.moment(1)
}

// moment is the mean of a power of an int, given that there is a value.
func (m *Marginal) moment(power int64) *big.Rat {
	sum, all := new(big.Int), new(big.Int)
	for i, v := range m.Values {
		all.Add(all, m.N[i])
		x := new(big.Int).Exp(big.NewInt(v.Int()), big.NewInt(power), nil)
		sum.Add(sum, x.Mul(x, m.N[i]))
	}
	return new(big.Rat).SetFrac(sum, all)
}

// Quantile is the least value that is not exceeded with a probability, given that there is a value.
func (m *Marginal) Quantile(q float64) jsonio.Value {
	sum, all := 0.0, m.mass()
	for i, p := range m.P {
		if sum += p; sum >= q*all*(1-1e-12) {
			return m.Values[i]
		}
	}
	return m.Values[len(m.Values)-1]
}

// AtLeast are the probabilities that a value, or one after it, comes out.
func (m *Marginal) AtLeast() []float64 {
	out := make([]float64, len(m.P))
	if m.Den != nil {
		sum := new(big.Int)
		for i := len(m.N) - 1; i >= 0; i-- {
			out[i] = pmf.NumeratorOf(sum.Add(sum, pmf.NumeratorOf(m.N[i]).Int())).Over(m.Den)
		}
		return out
	}
	sum := 0.0
	for i := len(m.P) - 1; i >= 0; i-- {
		sum += m.P[i]
		out[i] = min(sum, 1)
	}
	return out
}

// AtMost are the probabilities that a value, or one before it, comes out.
func (m *Marginal) AtMost() []float64 {
	out := make([]float64, len(m.P))
	sum, n := 0.0, new(big.Int)
	for i := range m.P {
		if m.Den != nil {
			out[i] = pmf.NumeratorOf(n.Add(n, pmf.NumeratorOf(m.N[i]).Int())).Over(m.Den)
			continue
		}
		sum += m.P[i]
		out[i] = min(sum, 1)
	}
	return out
}

// Modes are the likeliest values. Probabilities in floats that differ by rounding are equal.
func (m *Marginal) Modes() (out []jsonio.Value) {
	if len(m.P) == 0 {
		return nil
	}
	best := slices.Max(m.P)
	for i, v := range m.Values {
		if m.P[i] >= best*(1-1e-12) {
			out = append(out, v)
		}
	}
	return out
}

// Exact is a probability as a fraction in lowest terms; "" when there are no fractions.
func (m *Marginal) Exact(i int) string { return fraction(m.N[i], m.Den) }

func fraction(n, den *big.Int) string {
	if den == nil {
		return ""
	}
	return new(big.Rat).SetFrac(pmf.NumeratorOf(n).Int(), den).RatString()
}

// Fraction is an ending's probability in lowest terms; "" when there are no fractions.
func (j *Joint) Fraction(n *big.Int) string { return fraction(n, j.Den) }

// Number is a value as a number, a truth as 0 or 1.
func Number(v jsonio.Value) float64 {
	if v.Kind() == plan.Double {
		return v.Double()
	}
	return float64(v.Int())
}
