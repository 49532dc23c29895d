package notation

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
)

func parseNotation(t testing.TB, text string) *dice.Notation {
	t.Helper()
	n, err := dice.ParseNotation(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

// A tooFewFaces source gives listed faces, and tells how many faces the die has that found none.
type tooFewFaces struct {
	given []int64
	next  int
	faces int64
}

var errNoFace = errors.New("another face is needed")

func (f *tooFewFaces) Face(d *dice.Draw) (int64, error) {
	if f.next == len(f.given) {
		f.faces = d.Faces
		return 0, errNoFace
	}
	f.next++
	return f.given[f.next-1], nil
}

func (f *tooFewFaces) Rest() error { return nil }

// everyWay lists all ways in which the dice of a notation can fall, each result as text, with its probability. Ways of
// more than so many faces are left out; short is their probability.
func everyWay(t testing.TB, n *dice.Notation, most int) (out []map[string]float64, short float64) {
	t.Helper()
	var walk func(given []int64, p float64)
	walk = func(given []int64, p float64) {
		from := &tooFewFaces{given: given}
		results, err := n.Roll(from)
		switch {
		case err == nil:
			addWay(&out, n, results, p)
			return
		case !errors.Is(err, errNoFace):
			t.Fatalf("%v: %v", given, err)
		case len(given) == most:
			short += p
			return
		}
		for f := range from.faces {
			walk(append(given[:len(given):len(given)], f+1), p/float64(from.faces))
		}
	}
	walk(nil, 1)
	return out, short
}

// addWay adds one way; of a repeated notation to the distributions of all ranks, and to that of the total.
func addWay(out *[]map[string]float64, n *dice.Notation, results []dice.Outcome, p float64) {
	var list []*big.Rat
	total := new(big.Rat)
	for _, r := range results {
		list = append(list, r.Value)
		total.Add(total, r.Value)
	}
	if n.Repeat > 1 && n.IsTruth() {
		list = []*big.Rat{total}
	} else if n.Repeat > 1 {
		for i := range list { // the highest first
			for k := i + 1; k < len(list); k++ {
				if list[k].Cmp(list[i]) > 0 {
					list[i], list[k] = list[k], list[i]
				}
			}
		}
		list = append(list, total)
	}
	for i, v := range list {
		if len(*out) == i {
			*out = append(*out, map[string]float64{})
		}
		(*out)[i][textOfWay(v, n.IsTruth() && n.Repeat < 2)] += p
	}
}

func textOfWay(v *big.Rat, truth bool) string {
	f, _ := v.Float64()
	switch {
	case truth:
		return jsonio.BoolValue(v.Sign() != 0).String()
	case v.IsInt():
		return jsonio.IntValue(v.Num().Int64()).String()
	}
	return jsonio.DoubleValue(f).String()
}

// checkNotation compares the distribution of a notation with all ways in which its dice can fall.
func checkNotation(t testing.TB, text string, most int) {
	t.Helper()
	n := parseNotation(t, text)
	want, short := everyWay(t, n, most)
	if len(want) == 0 {
		return // no way is so short
	}
	for name, answer := range map[string]func(*dice.Notation) (*Distribution, error){
		"floats": func(n *dice.Notation) (*Distribution, error) { return evaluateNotation(floatCalculus(), n) },
		"fractions": func(n *dice.Notation) (*Distribution, error) {
			return evaluateNotation(exactCalculus(mostWholeSteps), n)
		},
		"either": Compute,
	} {
		got, err := answer(n)
		if _, large := errors.AsType[*odds.BudgetError](err); large && name == "fractions" {
			continue // what is too long in fractions is answered in floats
		}
		if err != nil {
			t.Errorf("%s in %s: %v", text, name, err)
			continue
		}
		if len(got.Results) != len(want) {
			t.Errorf("%s in %s: %d results, want %d", text, name, len(got.Results), len(want))
			continue
		}
		for i, m := range got.Results {
			checkMarginal(t, text+" in "+name+", "+m.Name, m, want[i], short, got.Rest)
		}
	}
}

// roundingOfWays is how far a sum of floats over some 100,000 ways may be off.
const roundingOfWays = 1e-11

func checkMarginal(t testing.TB, what string, m *odds.Marginal, want map[string]float64, short, rest float64) {
	t.Helper()
	all, seen := rest, 0
	for i, v := range m.Values {
		key := v.String()
		if v.Kind() == jsonio.DoubleValue(0).Kind() && v.Double() == math.Trunc(v.Double()) {
			key = jsonio.IntValue(int64(v.Double())).String()
		}
		p, ok := want[key]
		if m.P[i] < p-roundingOfWays || m.P[i] > p+short+roundingOfWays {
			t.Errorf("%s: P(%s) = %v, want %v and at most %v more", what, key, m.P[i], p, short)
		}
		if ok {
			seen++
		}
		all += m.P[i]
	}
	if seen < len(want) {
		t.Errorf("%s: %d of %d values are missing: %v of %v", what, len(want)-seen, len(want), m.Values, want)
	}
	if math.Abs(all-1) > 1e-9 {
		t.Errorf("%s: everything has probability %v", what, all)
	}
}

func TestNotationsAgainstEveryWay(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
	}{
		{"3d4*2 - 1", 9}, {"2d4/2", 9}, {"2d4//3", 9}, {"d4/d3", 9}, {"2d4*d3", 9}, {"-(d4+2)", 9}, {"d6%4", 9}, {"d4^2", 9},
		{"floor(3d4/2)", 9}, {"ceil(d4/3)", 9}, {"round(d6/4)", 9}, {"abs(2d4-5)", 9}, {"max(2d4, d6)", 9},
		{"min(2d4, d6, 4)", 9}, {"floor(2.56 * d7)", 9}, {"max(d4/2, d3)", 9}, {"(d4/2) * (d3/3)", 9},
		{"4dF", 9}, {"3dF.1", 9}, {"2d{1,1,2,3}", 9}, {"d66", 9}, {"3dC", 9}, {"d{-2..2}", 9}, {"d66r<=12", 4},
		{"3d4dl1dh1", 9}, {"4d4km2", 9}, {"5d3dh2kl2", 9}, {"3d6ma4", 9}, {"3d4mi2ma3kh2", 9}, {"4d4k>2", 9}, {"3d4p1", 9},
		{"3d4>=3f1", 9}, {"3d4>=3t4", 9}, {"3d6>=4t6f<=2", 9}, {"3d4kh2>=3f1", 9}, {"3d4<>2", 9}, {"3d4u", 9}, {"4d5ukh2", 9},
		{"2d4!kh1", 6}, {"3d3!kh2", 6}, {"2d4!kl1", 6}, {"2d4!dl1", 6}, {"2d4!>=3>=3", 6}, {"2d4>=2!", 6}, {"2d4!!kh1", 6},
		{"2d4!p", 6}, {"2d4!pkh1", 6}, {"2d4!!p", 6}, {"2d4!o", 6}, {"2d4!okh2", 6}, {"2d4!{2}kl2", 6}, {"2d4!!{1}kh1", 6},
		{"2d4!<>2kh1", 6}, {"2d6ra6kl2", 6}, {"3d4ra4", 9}, {"2d4ra>=3kh1", 9}, {"3d3ra3>=2", 9}, {"2d4ra4mi2", 9}, {"2d3r1ra3", 6},
		{"d{1:3, 2}", 9}, {"2d{-1:2, 0..1, 4}kh1", 9}, {"3d{0..1:2, 3}>=1", 9}, {"d{d4, d6}", 9}, {"2d{d2:3, d3 + 1, 7}", 9},
		{"2d{d4:1, 2d3kh1:2}kh1", 9}, {"d{d3!, d4!}", 6}, {"2d{d3!, 5}>=4", 6}, {"3d{d2, 3}mi2", 9}, {"d{d{1:2, 2}, d4}", 9},
		{"d(d4)", 9}, {"2d(d3)", 9}, {"3d(d2+1)kh2", 9}, {"(d2)d(d3)", 9}, {"2d(d3)>=2", 9}, {"d(d(d3))", 9}, {"d(d{2, 4})", 9},
		{"d{d4!, d6!} >= 5", 6}, {"d{d3!!:2, d4} + d3 >= 6", 7}, {"2d4!p{1}", 6}, {"d4r1!kh1", 6}, {"2d3ro1!kh2", 6}, {"2d4r1ro2", 7},
		{"2d4!>=3mi2>=3f1", 6}, {"2d4!mi2kh2", 6}, {"3d4!2km1", 6},
		{"{2d4, d6}kh1", 9}, {"{d4!, d3!}kh1", 6}, {"{d4, d6, d8}kh2", 9}, {"{d4, d4, d6}dl1", 9}, {"{2d4+d6}k2", 9},
		{"{2d4, d6, 4}>4", 9}, {"{d4, d6/2}>2", 9}, {"{d4!!+2d4}kh2", 6}, {"{2d4}kh1", 9}, {"{d4/2, d3}kh1", 9},
		{"(1d4 + 1, 3, 2d6kl1)kh1", 9}, {"(d3)d4", 9}, {"(d3-1)d4kh1", 9}, {"(d2)d4!>=4kh1", 6}, {"0d6 + d4", 9},
		{"2d4 >= 5", 9}, {"d6 > d4", 9}, {"2d4 = d6", 9}, {"d4+1 != d6", 6}, {"d4/2 < d3", 9}, {"(d4 >= 3) * d6", 9},
		{"2x d4", 9}, {"3x 2d3kh1", 9}, {"3x d4>=3", 9}, {"3x d4 >= 3", 9}, {"2x d4/2", 9}, {"2x d3!", 6},
		{"d6 adv", 9}, {"d6 dis + 1", 9}, {"d4+2 adv", 9},
	} {
		checkNotation(t, c.text, c.most)
	}
}

// Notations that are too large are refused before anything large is made, and one that only looks so is answered: the ten
// highest of a thousand dice are walked value by value, with binomial coefficients that are computed once.
func TestTooLargeNotations(t *testing.T) {
	for _, text := range []string{
		"100x 1000d1000000", "100d100!pkh50", "200d200!{20}kh100", "100d1000!>=2kh50", "100d1000!p>=2kh50", "1000d1000km500",
		"(1d1000000)*(1d1000000)", "d66 * d1000000", "100x {100d6,100d6,100d6,100d6,100d6}kh3", "60d100u",
	} {
		var budget *odds.BudgetError
		if _, err := Compute(parseNotation(t, text)); !errors.As(err, &budget) {
			t.Errorf("%s: got %v, want a budget error", text, err)
		}
	}
	out, err := Compute(parseNotation(t, "1000d100!!kh10"))
	if err != nil {
		t.Fatal(err)
	}
	all := out.Rest
	for _, p := range out.Results[0].P {
		all += p
	}
	if math.Abs(all-1) > 1e-9 {
		t.Errorf("the ten highest of a thousand dice: everything has probability %v", all)
	}
}

// Skewness and entropy, by hand. Of d{0:3, 1} the mean is 1/4, the variance 3/16 and the third central moment
// 3/4·(-1/4)³ + 1/4·(3/4)³ = 3/32, so that the skewness is (3/32)/(3/16)^1.5 = 2/√3; its entropy is 2 - 3/4·log2(3) bits.
func TestShapeOfDistributions(t *testing.T) {
	for _, c := range []struct {
		text              string
		skewness, entropy float64
	}{
		{"d8", 0, 3}, {"2d2", 0, 1.5}, {"dC", 0, 1}, {"d{0:3, 1}", 2 / math.Sqrt(3), 2 - 0.75*math.Log2(3)},
		{"d{0:3, 1}/2", 2 / math.Sqrt(3), 2 - 0.75*math.Log2(3)}, // in doubles
		{"-d{0:3, 1}", -2 / math.Sqrt(3), 2 - 0.75*math.Log2(3)},
	} {
		d, err := Compute(parseNotation(t, c.text))
		if err != nil {
			t.Fatal(err)
		}
		m := d.Results[0]
		if skewness, ok := m.Skewness(); !ok || math.Abs(skewness-c.skewness) > 1e-12 {
			t.Errorf("%s: skewness %v, want %v", c.text, skewness, c.skewness)
		}
		if got := m.Entropy(); math.Abs(got-c.entropy) > 1e-12 {
			t.Errorf("%s: entropy %v, want %v", c.text, got, c.entropy)
		}
	}
	d, err := Compute(parseNotation(t, "7 + 0d6"))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := d.Results[0].Skewness(); ok || d.Results[0].Entropy() != 0 {
		t.Error("what is always 7 has a skewness, or takes bits to tell")
	}
}
