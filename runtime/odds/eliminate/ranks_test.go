package eliminate_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// handRules read hands of three of six cards; beside each stands the same in Go.
var handRules = map[string]struct {
	output string
	run    func(c []int64) int64
}{
	"place": {"range(3).sort_by(i, hand[i])[0]", func(c []int64) int64 { return int64(slices.Index(c, slices.Min(c))) }},
	"last":  {"range(3).sort_by(i, -hand[i])[0]", func(c []int64) int64 { return int64(slices.Index(c, slices.Max(c))) }},
	"first": {"sort(hand.slice(0, 2))[0] < hand[2] ? 1 : 0",
		func(c []int64) int64 { return truth(min(c[0], c[1]) < c[2]) }},
	"most": {"max(hand.map(c, -c)) == -hand[1] ? 1 : 0", func(c []int64) int64 { return truth(slices.Min(c) == c[1]) }},
	// These tell cards apart.
	"least": {"min(hand)", slices.Min[[]int64]},
	"small": {"hand.count(c, c < 3)", func(c []int64) (n int64) {
		for _, x := range c {
			n += truth(x < 3)
		}
		return n
	}},
	"sign":   {"hand.map(c, -c)[0] < hand[1] - 5 ? 1 : 0", func(c []int64) int64 { return truth(-c[0] < c[1]-5) }},
	"mixed":  {"sort(hand + [3])[0] == 3 ? 1 : 0", func(c []int64) int64 { return truth(slices.Min(c) >= 3) }},
	"summed": {"sum(hand.slice(0, 2)) > hand[2] ? 1 : 0", func(c []int64) int64 { return truth(c[0]+c[1] > c[2]) }},
	"within": {"2 in hand ? 1 : 0", func(c []int64) int64 { return truth(slices.Contains(c, 2)) }},
	"choice": {"range(3).sort_by(i, hand[i] > 3 ? 0 : i)[0]", func(c []int64) int64 {
		at := []int64{0, 1, 2}
		slices.SortStableFunc(at, func(i, k int64) int { return int(i*truth(c[i] <= 3) - k*truth(c[k] <= 3)) })
		return at[0]
	}},
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// dealtRules read the first card of a hand of four of seven by itself, and how the others are ordered or not.
var dealtRules = map[string]struct {
	output string
	run    func(c []int64) int64
}{
	"lower": {"sort(hand.slice(own, 2 * own + 2).map(c, -c))[0] < -hand[0] ? 1 : 0", func(c []int64) int64 {
		return truth(max(c[1], c[2], c[3]) > c[0])
	}},
	"total": {"hand[0] * 100 + sum(hand.slice(own, 2 * own + 2).map(c, c * c))", func(c []int64) int64 {
		return c[0]*100 + c[1]*c[1] + c[2]*c[2] + c[3]*c[3]
	}},
	// These tell the order of the others.
	"second": {"hand[0] * 10 + hand.slice(own, 2 * own + 2)[0]", func(c []int64) int64 { return c[0]*10 + c[1] }},
	"placed": {"sum(range(own + 2).map(i, hand.slice(own, 2 * own + 2)[i] * i))", func(c []int64) int64 {
		return c[2] + 2*c[3]
	}},
	"beyond": {"hand[1] * 10 + max(hand.slice(own, 2 * own + 2))", func(c []int64) int64 {
		return c[1]*10 + max(c[1], c[2], c[3])
	}},
	"mapped": {"hand.slice(own, 2 * own + 2).map(c, c)[1]", func(c []int64) int64 { return c[2] }},
	"chosen": {"sum(hand.slice(own, 2 * own + 2).filter(c, c != hand[own]))", func(c []int64) int64 { return c[2] + c[3] }},
}

// A hand that is dealt to two, the order of one of whose parts is not read, comes out as in all ways one by one.
func TestHandsThatAreDealt(t *testing.T) {
	files := map[string]string{}
	for id, r := range dealtRules {
		files[id] = "rules: " + id + `: {cite: "x", #Input: n: *1 | (int & >=0 & <=3)
			dice: hand: {die: 7, count: "2 * input.n + 2", distinct: true}, let: own: "input.n", output: n: "` + r.output + `"}`
	}
	p := gametest.Small(t, files)
	for id, r := range dealtRules {
		want := map[int64]*big.Rat{}
		var deal func(hand []int64)
		deal = func(hand []int64) {
			if len(hand) < 4 {
				for c := range int64(7) {
					if !slices.Contains(hand, c+1) {
						deal(append(slices.Clone(hand), c+1))
					}
				}
				return
			}
			v := r.run(hand)
			if want[v] == nil {
				want[v] = new(big.Rat)
			}
			want[v].Add(want[v], big.NewRat(1, 7*6*5*4))
		}
		deal(nil)
		compareExact(t, id, exactOf(t, p, id, "n"), want)
	}
}

// A hand of which only the ranks are read, and one whose cards are told apart, come out as in all ways one by one.
func TestHandsByRank(t *testing.T) {
	files := map[string]string{}
	for id, r := range handRules {
		files[id] = "rules: " + id + `: {cite: "x", dice: hand: {die: 6, count: 3, distinct: true}, output: n: "` +
			r.output + `"}`
	}
	p := gametest.Small(t, files)
	for id, r := range handRules {
		want := map[int64]*big.Rat{}
		for a := range int64(6) {
			for b := range int64(6) {
				for c := range int64(6) {
					if a == b || a == c || b == c {
						continue
					}
					v := r.run([]int64{a + 1, b + 1, c + 1})
					if want[v] == nil {
						want[v] = new(big.Rat)
					}
					want[v].Add(want[v], big.NewRat(1, 6*5*4))
				}
			}
		}
		compareExact(t, id, exactOf(t, p, id, "n"), want)
	}
}

// A track of eight cards of a hundred comes out as by symmetry: every order of the players, begun by either side.
func TestTrackOfManyCards(t *testing.T) {
	r, q := trackOf(t, 100)
	j, err := r.Odds(q)
	if err != nil {
		t.Fatal(err)
	}
	want := big.NewRat(1, 2*4*3*2)
	if len(j.Outcomes()) != 48 {
		t.Errorf("%d tracks come out, not 48", len(j.Outcomes()))
	}
	for _, o := range j.Outcomes() {
		if p := new(big.Rat).SetFrac(o.N, j.Den); p.Cmp(want) != 0 {
			t.Errorf("%v has probability %v, not %v", o.Values, p, want)
		}
	}
}

// BenchmarkTrack asks for the track of four players, with ten cards in the deck.
func BenchmarkTrack(b *testing.B) {
	r, q := trackOf(b, 10)
	for b.Loop() {
		j, err := r.Odds(q)
		if err != nil {
			b.Fatal(err)
		}
		j.Outcomes()
	}
}

// trackOf asks for the track of four players, with as many cards in the deck.
func trackOf(t testing.TB, deck int64) (*eliminate.Rule, odds.Question) {
	t.Helper()
	r, err := eliminate.NewRule(vm.NewImage(gametest.Shipped(t, "zones").Plan()), "turn_track", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Question{Exact: true}
	q.Records[plan.CharacterRoot] = []byte(`{"attributes": {"body": 4, "agility": 3, "mind": 3, "awareness": 4, "soul": 3},
		"skills": {}, "class": {"stamina": 12}, "stamina": 16}`)
	q.Records[plan.InputRoot] = []byte(`{"deck": ` + big.NewInt(deck).String() +
		`, "players": ["Ann", "Bo", "Cy", "Dee"], "enemies": []}`)
	return r, q
}
