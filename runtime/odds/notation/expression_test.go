package notation

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
)

func parse(t testing.TB, text string) *dice.Expression {
	t.Helper()
	e, err := dice.ParseExpression(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func sum(t testing.TB, text string) *Total {
	t.Helper()
	s, err := ComputeTotal(parse(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// mean is the mean of what was followed, as a fraction.
func (s *Total) mean() *big.Rat {
	out := new(big.Rat)
	for i, n := range s.N {
		x := new(big.Rat).SetFrac(n, s.Den)
		out.Add(out, x.Mul(x, new(big.Rat).SetInt64(s.Lo+int64(i))))
	}
	return out
}

// Means that books and papers on dice state.
func TestPublishedMeans(t *testing.T) {
	for text, want := range map[string]string{
		"4d6kh3": "15869/1296", "2d20kh1": "553/40", "2d20kl1": "287/40", "3d6": "21/2", "d%": "101/2", "8d6>=6": "4/3",
	} {
		if got := sum(t, text).mean(); got.RatString() != want {
			t.Errorf("%s: mean %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{"d6!": "21/5", "d10!": "55/9", "8d10!": "440/9", "2d10r1": "12",
		"d10!>=9": "55/8"} {
		s := sum(t, text)
		if s.Mean == nil || s.Mean.RatString() != want {
			t.Errorf("%s: mean %v, want %s", text, s.Mean, want)
		}
		if f, _ := s.Mean.Float64(); math.Abs(s.average()-f) > 1e-12 {
			t.Errorf("%s: the distribution has mean %v, want %v", text, s.average(), f)
		}
	}
}

func (s *Total) average() (m float64) {
	for i, p := range s.P {
		m += p * float64(s.Lo+int64(i))
	}
	return m
}

// every lists all ways in which a few dice can fall, chains cut off after a number of faces, with their probability.
func every(t testing.TB, e *dice.Expression, faces int) (out map[int64]float64, short float64) {
	t.Helper()
	out = map[int64]float64{}
	var walk func(given []int64, p float64)
	walk = func(given []int64, p float64) {
		total, _, err := e.Roll(dice.FromList(given))
		if err == nil {
			out[total] += p
			return
		}
		if len(given) == 9 {
			short += p
			return
		}
		for f := 1; f <= faces; f++ {
			walk(append(given[:len(given):len(given)], int64(f)), p/float64(faces))
		}
	}
	walk(nil, 1)
	return out, short
}

func TestExpressionsAgainstEveryWay(t *testing.T) {
	for _, c := range []struct {
		text  string
		faces int
	}{
		{"3d4", 4}, {"4d4kh3", 4}, {"4d4kl2 - 2", 4}, {"4d4dh1", 4}, {"2d6>=5", 6}, {"2d4! + 1", 4}, {"d4!>=3", 4}, {"2d3r1", 3},
		{"2d4ro<=2", 4},
		{"3d4mi2", 4}, {"3d4mi3kh2", 4}, {"3d4mi2kl1", 4}, {"3d4mi3>=3", 4}, {"2d4!mi2", 4}, {"2d4mi4", 4},
		{"5 - 2d4", 4}, {"2d3!=3>=3", 3}, {"d3ro1! - d3", 3}, {"3d3>2", 3}, {"2d4dh2", 4},
		{"3d4kh2<3", 4}, {"3d4kl1=2", 4}, {"3d4kl2>=3", 4}, {"2d3!kh1=4", 3},
	} {
		e := parse(t, c.text)
		want, short := every(t, e, c.faces)
		got := sum(t, c.text)
		all := got.Rest
		for i, p := range got.P {
			v := got.Lo + int64(i)
			if p < want[v]-1e-12 || p > want[v]+short+1e-12 {
				t.Errorf("%s: P(%d) = %v, want %v and at most %v more", c.text, v, p, want[v], short)
			}
			delete(want, v)
			all += p
		}
		for v, p := range want {
			t.Errorf("%s: P(%d) = 0, want %v", c.text, v, p)
		}
		if math.Abs(all-1) > 1e-12 {
			t.Errorf("%s: everything has probability %v", c.text, all)
		}
	}
}

// Both ways to compute agree: with numerators chains are followed face by face, with floats value by value, and therefore
// not equally far.
func TestFloatsAgreeWithWholes(t *testing.T) {
	for _, text := range []string{"10d6", "8d10!", "6d8kh3 + 2", "5d6kl2 - d4", "2d10ro1", "3d6r2!>=5", "4d8ro1!<=2>=9",
		"2d6!>=2kh1"} {
		e := parse(t, text)
		var a, b Total
		if err := a.computeExactly(e); err != nil {
			t.Fatal(err)
		}
		if err := b.computeInFloats(e); err != nil {
			t.Fatal(err)
		}
		if a.Rest > 1e-17 || b.Rest > 1e-17 {
			t.Errorf("%s: %v and %v are not followed", text, a.Rest, b.Rest)
		}
		lo, hi := min(a.Lo, b.Lo), max(a.Lo+int64(len(a.P)), b.Lo+int64(len(b.P)))
		for v := lo; v < hi; v++ {
			if p, q := a.at(v), b.at(v); math.Abs(p-q) > 1e-14 {
				t.Errorf("%s: P(%d) = %v and %v", text, v, p, q)
			}
		}
	}
}

// A tail that cannot matter leaves the fraction exact: of two dice one is left out, and only when both go on for ever is
// the lowest not known. 1 - (5/6)^2 = 11/36; the higher of two d7 is at most 1 in one of 49 ways.
func TestTailThatCannotMatter(t *testing.T) {
	for _, c := range []struct {
		text  string
		value int64
		want  string
	}{
		{"2d6!kl1", 1, "11/36"}, {"2d6!kl1", 5, "1/12"}, {"2d7!kh1<=1", 1, "1/49"}, {"2d7!kh1<=1", 0, "48/49"},
		{"3d6!kl2", 2, "2/27"}, {"3d6!dh1>=7", 0, "25/27"},
	} {
		s, err := ComputeTotalExactly(parse(t, c.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := new(big.Rat).SetFrac(s.N[c.value-s.Lo], s.Den).RatString(); got != c.want {
			t.Errorf("%s: P(%d) = %s, want %s", c.text, c.value, got, c.want)
		}
	}
}

// at is the probability of a value.
func (s *Total) at(v int64) float64 {
	if i := v - s.Lo; 0 <= i && i < int64(len(s.P)) {
		return s.P[i]
	}
	return 0
}

// Dice that nearly always explode are answered, or told to be too much, before much is done. A die that goes on with
// probability p shows on average its mean face / (1-p): 50.5 * 100, 4.5 * 8, three times 5.5 * 10.
func TestLongChains(t *testing.T) {
	for text, want := range map[string]string{"d100!>=2": "5050/1", "8d100!>=2>=50": "", "d8!>=2": "36/1",
		"3d10!>=2": "165/1"} {
		s := sum(t, text)
		if want != "" && s.Mean.String() != want {
			t.Errorf("%s: mean %v, want %s", text, s.Mean, want)
		}
		if s.Mean != nil {
			if m, _ := s.Mean.Float64(); math.Abs(s.average()-m) > 1e-9*m {
				t.Errorf("%s: the distribution has mean %v, want %v", text, s.average(), m)
			}
		}
	}
	for _, text := range []string{"10d100!>=2", "d1000000!>=2", "d10000!>=4000"} {
		var budget *odds.BudgetError
		if _, err := ComputeTotal(parse(t, text)); !errors.As(err, &budget) {
			t.Errorf("%s: got %v, want a budget error", text, err)
		}
	}
}

func TestTooLargeExpressions(t *testing.T) {
	for _, text := range []string{"1000d1000000", "1000d1000kh500", "d1000000 + 1000d1000"} {
		var budget *odds.BudgetError
		if _, err := ComputeTotal(parse(t, text)); !errors.As(err, &budget) {
			t.Errorf("%s: got %v, want a budget error", text, err)
		}
	}
}

func BenchmarkExpression(b *testing.B) {
	for _, text := range []string{"3d6", "10d6", "4d6kh3", "8d10!", "100d6", "1000d6", "d1000000", "100d100"} {
		e := parse(b, text)
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				if _, err := ComputeTotal(e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkExpressions times dice that are kept, that explode, and many of them, as probabilities and as fractions.
func BenchmarkExpressions(b *testing.B) {
	answers := map[string]func(*dice.Expression) (*Total, error){"floats": ComputeTotal, "fractions": ComputeTotalExactly}
	for _, text := range []string{"6d10!k3", "10d10!k5", "5d10!k3", "1000d6", "100d100", "20d20kh10", "100d20kh50", "4d6kh3",
		"100d6"} {
		e := parse(b, text)
		for name, answer := range answers {
			b.Run(text+"/"+name, func(b *testing.B) {
				for b.Loop() {
					if _, err := answer(e); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
