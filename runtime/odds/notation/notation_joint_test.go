package notation

import (
	"testing"

	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// Two coins and a d3 fall in 2·2·3 ways: one head comes in two of the four ways of the coins.
func TestGroupsTogether(t *testing.T) {
	j, err := ComputeJoint(parseNotation(t, "2dC[heads] + d3[die]"), []string{"heads", "die"}, true)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"0 1 1": "1/12", "0 2 2": "1/12", "0 3 3": "1/12", "1 1 2": "1/6", "1 2 3": "1/6", "1 3 4": "1/6",
		"2 1 3": "1/12", "2 2 4": "1/12", "2 3 5": "1/12",
	}
	for _, o := range j.Outcomes() {
		key := o.Values[0].String() + " " + o.Values[1].String() + " " + o.Values[2].String()
		if got := j.Fraction(o.N); got != want[key] {
			t.Errorf("P(%s) = %s, want %s", key, got, want[key])
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	given, err := j.Given(func(o *odds.Outcome) (bool, error) { return o.Values[2].Int() == 3, nil })
	if err != nil {
		t.Fatal(err)
	}
	m := given.Marginal("heads") // 1, 2 and 1 of 4 ways
	for i, want := range []string{"1/4", "1/2", "1/4"} {
		if m.Values[i].String() != jsonio.IntValue(int64(i)).String() || m.Exact(i) != want {
			t.Errorf("given a total of 3, P(%s heads) = %s, want %s", m.Values[i], m.Exact(i), want)
		}
	}
}

func TestLabels(t *testing.T) {
	for text, want := range map[string]int{
		"d6[a] + d8[b]": 2, "d6[a] + d8[a]": 0, "d6[total]": 0, "{2d6[a]+d8[b]}k2": 0, "3d6": 0, "{d6[a], d8[b]}kh1": 2,
	} {
		if got := Labels(parseNotation(t, text)); len(got) != want {
			t.Errorf("%s has the labels %v", text, got)
		}
	}
}
