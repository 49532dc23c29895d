package summary

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// Sums are those of fractions, in any order and cut in any way.
func TestExactSum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var values []float64
	for len(values) < 2000 {
		v := math.Float64frombits(r.Uint64())
		if r.IntN(3) == 0 {
			v = float64(r.IntN(1000)-500) / 8
		}
		if v-v == 0 {
			values = append(values, v)
		}
	}
	values = append(values, math.SmallestNonzeroFloat64, -math.MaxFloat64, math.MaxFloat64, 0, -3*math.SmallestNonzeroFloat64)
	want := new(big.Rat)
	for _, v := range values {
		want.Add(want, new(big.Rat).SetFloat64(v))
	}
	for range 5 {
		r.Shuffle(len(values), func(i, k int) { values[i], values[k] = values[k], values[i] })
		var parts [3]ExactSum
		for _, v := range values {
			parts[r.IntN(3)].Add(v)
		}
		parts[0].Merge(&parts[1])
		parts[0].Merge(&parts[2])
		if got, _ := parts[0].Value().Rat(nil); got.Cmp(want) != 0 {
			t.Fatalf("the sum is %v, want %v", got, want)
		}
	}
}

// spreadOf spreads values in parts, which travel as JSON, and merges them.
func spreadOf(t *testing.T, values []float64, parts int) *Spread {
	t.Helper()
	out := NewSpread()
	for part := range slices.Chunk(values, (len(values)+parts-1)/parts) {
		s := NewSpread()
		for _, v := range part {
			s.Add(v, 1)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		read := NewSpread()
		if err := json.Unmarshal(text, read); err != nil {
			t.Fatal(err)
		}
		out.Merge(read)
	}
	return out
}

func near(got, want, share float64) bool { return math.Abs(got-want) <= share*math.Abs(want) }

// Few values are counted, many are sketched; either way mean and deviation are right, quantiles are exact or off by half a
// percent, and neither the order nor the parts can be seen.
func TestSpread(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		name     string
		draw     func() float64
		accuracy float64
	}{
		{"dice", func() float64 { return float64(3 + r.IntN(6) + r.IntN(6) + r.IntN(6)) }, 0},
		{"fractions", func() float64 { return float64(r.IntN(100)) / 7 }, 0},
		{"large", func() float64 { return float64(r.IntN(500)) * 1e9 }, 0},
		{"continuous", func() float64 { return r.NormFloat64()*20 - 5 }, accuracy},
	} {
		var values []float64
		for range 5000 {
			values = append(values, c.draw())
		}
		sum, squares := 0.0, 0.0
		for _, v := range values {
			sum += v
			squares += v * v
		}
		mean := sum / 5000
		deviation := math.Sqrt(squares/5000 - mean*mean)
		whole := spreadOf(t, values, 1)
		if whole.Weight() != 5000 || !near(whole.Mean(), mean, 1e-12) || !near(whole.Deviation(), deviation, 1e-9) {
			t.Errorf("%s: weight %v, mean %v, deviation %v, want 5000, %v, %v", c.name, whole.Weight(), whole.Mean(),
				whole.Deviation(), mean, deviation)
		}
		sorted := slices.Sorted(slices.Values(values))
		for _, q := range []float64{0.05, 0.25, 0.5, 0.75, 0.95, 1} {
			want := sorted[int(math.Ceil(q*5000))-1]
			// A sketch may also be one value off, and around 0 a value is no measure.
			if got := whole.Quantile(q); !near(got, want, c.accuracy) && !(c.accuracy > 0 && math.Abs(got-want) < 0.1) {
				t.Errorf("%s: quantile %v is %v, want %v", c.name, q, got, want)
			}
		}
		weight := 0.0
		for _, bin := range whole.Histogram(Bins) {
			weight += bin.Weight
		}
		if weight != 5000 {
			t.Errorf("%s: the histogram has %v values", c.name, weight)
		}
		first, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		for _, parts := range []int{2, 7, 100} {
			r.Shuffle(len(values), func(i, k int) { values[i], values[k] = values[k], values[i] })
			s := spreadOf(t, values, parts)
			s.weight.carry()
			if s.Mean() != whole.Mean() || s.Deviation() != whole.Deviation() || s.Quantile(0.3) != whole.Quantile(0.3) ||
				!slices.Equal(s.Histogram(Bins), whole.Histogram(Bins)) {
				text, _ := json.Marshal(s)
				t.Errorf("%s: %d parts give another spread:\n%s\n%s", c.name, parts, text, first)
			}
		}
	}
}

// What has no values has a form to travel in, and changes nothing.
func TestEmptySpread(t *testing.T) {
	text, err := json.Marshal(NewSpread())
	if err != nil {
		t.Fatal(err)
	}
	read := &Spread{}
	if err := json.Unmarshal(text, read); err != nil {
		t.Fatal(err)
	}
	read.Add(3, 0.5)
	if read.Mean() != 3 || read.Weight() != 0.5 || read.Deviation() != 0 {
		t.Errorf("mean %v, weight %v, deviation %v", read.Mean(), read.Weight(), read.Deviation())
	}
}
