package summary

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/DataDog/sketches-go/ddsketch"
)

const (
	// maxCounted is how many different values are counted one by one, before they go into a sketch.
	maxCounted = 1024
	// accuracy is by what part of itself a quantile of a sketch may be off.
	accuracy = 0.005

	// The whole numbers that are counted in an array rather than in a map: those that games mostly give.
	denseFrom, denseTo = -256, 1792
)

// A Spread is how the values of a number are spread. Each value has a weight: 1, or a probability.
type Spread struct {
	weight  ExactSum
	sum     ExactSum
	squares ExactSum
	least   float64
	most    float64
	dense   []float64           // weights of whole numbers from denseFrom on
	counts  map[float64]float64 // of other values; nil when there are too many
	sketch  *ddsketch.DDSketch  // of all values; nil while they are counted
}

// NewSpread is a spread of no values.
func NewSpread() *Spread {
	return &Spread{least: math.Inf(1), most: math.Inf(-1), counts: map[float64]float64{}}
}

// Add adds a value with a weight.
//
// Three sums are exact however many values there are: of weights, of weighted values, of weighted
// squares; only each term is rounded. From these come mean and deviation; the counts are for
// quantiles alone.
func (s *Spread) Add(v, weight float64) {
	s.weight.Add(weight)
	s.sum.Add(v * weight)
	s.squares.Add(finite(v * v * weight))
	s.least, s.most = min(s.least, v), max(s.most, v)
	switch i := v - denseFrom; {
	case s.sketch != nil:
		s.sketchValue(v, weight)
	case i >= 0 && v < denseTo && v == math.Trunc(v):
		if s.dense == nil {
			s.dense = make([]float64, denseTo-denseFrom)
		}
		s.dense[int(i)] += weight
	default:
		if s.counts[v] += weight; len(s.counts) > maxCounted {
			s.sketchAll()
		}
	}
}

// finite is a square as large as a double can be, for one that is larger.
func finite(v float64) float64 { return min(v, math.MaxFloat64) }

// sketchValue adds a value to the sketch. What is beyond its last bucket, next to the largest double, goes into that: the
// quantiles never leave the least and the greatest value.
func (s *Spread) sketchValue(v, weight float64) {
	last := s.sketch.MaxIndexableValue()
	v = max(min(v, last), -last)
	if err := s.sketch.AddWithCount(v, weight); err != nil {
		panic(fmt.Sprintf("summary: %v with weight %v: %v", v, weight, err))
	}
}

// sketchAll puts all values that were counted into a sketch.
func (s *Spread) sketchAll() {
	counted := s.counted()
	sketch, err := ddsketch.NewDefaultDDSketch(accuracy)
	if err != nil {
		panic("summary: " + err.Error()) // the accuracy is a constant
	}
	s.sketch, s.dense, s.counts = sketch, nil, nil
	for _, c := range counted {
		s.sketchValue(c.Value, c.Weight)
	}
}

// A Count is a value and its weight.
type Count struct{ Value, Weight float64 }

// counted are the values that were counted, in order.
func (s *Spread) counted() []Count {
	var out []Count
	for i, weight := range s.dense {
		if weight > 0 {
			out = append(out, Count{float64(denseFrom + i), weight})
		}
	}
	for v, weight := range s.counts {
		out = append(out, Count{v, weight})
	}
	slices.SortFunc(out, func(a, b Count) int { return compare(a.Value, b.Value) })
	return out
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Merge adds the values of another spread.
//
// A sketch on either side makes a sketch of both. It holds the same buckets as if all values had
// gone into it one by one, which is why merging may happen anywhere.
func (s *Spread) Merge(o *Spread) {
	s.weight.Merge(&o.weight)
	s.sum.Merge(&o.sum)
	s.squares.Merge(&o.squares)
	s.least, s.most = min(s.least, o.least), max(s.most, o.most)
	if o.sketch != nil {
		if s.sketch == nil {
			s.sketchAll()
		}
		if err := s.sketch.MergeWith(o.sketch); err != nil {
			panic("summary: " + err.Error()) // all sketches have one accuracy
		}
		return
	}
	for _, c := range o.counted() {
		s.addCount(c)
	}
}

// addCount adds a value that another spread has counted.
func (s *Spread) addCount(c Count) {
	switch {
	case s.sketch != nil:
		s.sketchValue(c.Value, c.Weight)
	case c.Value >= denseFrom && c.Value < denseTo && c.Value == math.Trunc(c.Value):
		if s.dense == nil {
			s.dense = make([]float64, denseTo-denseFrom)
		}
		s.dense[int(c.Value-denseFrom)] += c.Weight
	default:
		if s.counts[c.Value] += c.Weight; len(s.counts) > maxCounted {
			s.sketchAll()
		}
	}
}

// Weight is the weight of all values.
func (s *Spread) Weight() float64 {
	v, _ := s.weight.Value().Float64()
	return v
}

// Mean is the mean.
func (s *Spread) Mean() float64 {
	v, _ := new(big.Float).Quo(s.sum.Value(), s.weight.Value()).Float64()
	return v
}

// Deviation is the standard deviation of the population.
func (s *Spread) Deviation() float64 {
	n, sum := s.weight.Value(), s.sum.Value()
	mean := new(big.Float).Quo(sum, n)
	variance := new(big.Float).Quo(s.squares.Value(), n)
	variance.Sub(variance, mean.Mul(mean, mean))
	v, _ := variance.Float64()
	return math.Sqrt(max(v, 0)) // squares are rounded, so that it may be a little less than 0
}

// Quantile is the least value that a part q of the weight does not exceed; of a sketch, nearly.
//
// Of a sketch it is clamped to the least and the greatest value: a bucket's middle may lie beyond
// them.
func (s *Spread) Quantile(q float64) float64 {
	if s.sketch != nil {
		v, err := s.sketch.GetValueAtQuantile(q)
		if err != nil {
			return math.NaN() // of no values
		}
		return min(max(v, s.least), s.most)
	}
	counted := s.counted()
	total := 0.0
	for _, c := range counted {
		total += c.Weight
	}
	below := 0.0
	for _, c := range counted {
		if below += c.Weight; below >= q*total {
			return c.Value
		}
	}
	return s.most
}

// A Bin is the weight of the values from one to another: both included where they are counted values or the last bin's.
type Bin struct {
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Weight float64 `json:"weight"`
}

// Histogram has a bin for each value when there are at most n, and otherwise n bins of equal width.
func (s *Spread) Histogram(n int) []Bin {
	var all []Count
	if s.sketch == nil {
		all = s.counted()
	} else {
		s.sketch.ForEach(func(v, weight float64) bool {
			all = append(all, Count{min(max(v, s.least), s.most), weight})
			return false
		})
		slices.SortStableFunc(all, func(a, b Count) int { return compare(a.Value, b.Value) })
	}
	var out []Bin
	if len(all) <= n {
		for _, c := range all {
			out = append(out, Bin{c.Value, c.Value, c.Weight})
		}
		return out
	}
	width := (s.most - s.least) / float64(n)
	for i := range n {
		out = append(out, Bin{From: s.least + float64(i)*width, To: s.least + float64(i+1)*width})
	}
	out[n-1].To = s.most
	for _, c := range all {
		out[min(int((c.Value-s.least)/width), n-1)].Weight += c.Weight
	}
	return out
}

// A storedSpread is a spread as it travels from one machine to another.
type storedSpread struct {
	Weight, Sum, Squares ExactSum
	Least, Most          float64
	Counts               []Count `json:",omitempty"`
	Sketch               []byte  `json:",omitempty"`
}

// isEmpty reports whether the spread has no values.
func (s *Spread) isEmpty() bool { return s.weight.Digits == nil }

// MarshalJSON implements json.Marshaler.
//
// Exact sums travel as their digits, and a sketch in its own encoding: another machine goes on with
// the very same numbers. JSON has no infinity, so an empty spread, whose least is one, is stored as
// nothing.
func (s *Spread) MarshalJSON() ([]byte, error) {
	if s.isEmpty() {
		return json.Marshal(storedSpread{})
	}
	out := storedSpread{Weight: s.weight, Sum: s.sum, Squares: s.squares, Least: s.least, Most: s.most}
	if s.sketch == nil {
		out.Counts = s.counted()
	} else {
		s.sketch.Encode(&out.Sketch, false)
	}
	return json.Marshal(out)
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Spread) UnmarshalJSON(text []byte) error {
	var in storedSpread
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*s = *NewSpread()
	if in.Weight.Digits == nil {
		return nil
	}
	s.weight, s.sum, s.squares, s.least, s.most = in.Weight, in.Sum, in.Squares, in.Least, in.Most
	if in.Sketch == nil {
		for _, c := range in.Counts {
			s.addCount(c)
		}
		return nil
	}
	s.sketchAll()
	return s.sketch.DecodeAndMergeWith(in.Sketch)
}

// A Tally counts texts.
type Tally struct {
	Counts map[string]float64 `json:"counts"`
	Others float64            `json:"others,omitempty"` // the weight of those beyond maxCounted different ones
}

// Add adds a text with a weight.
func (t *Tally) Add(text string, weight float64) {
	if t.Counts == nil {
		t.Counts = map[string]float64{}
	}
	if _, known := t.Counts[text]; !known && len(t.Counts) == maxCounted {
		t.Others += weight
		return
	}
	t.Counts[text] += weight
}

// Merge adds the texts of another tally, in their order.
func (t *Tally) Merge(o *Tally) {
	for _, text := range slices.Sorted(maps.Keys(o.Counts)) {
		t.Add(text, o.Counts[text])
	}
	t.Others += o.Others
}
