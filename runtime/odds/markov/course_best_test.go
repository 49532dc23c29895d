package markov_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// games are procedures with something to choose.
var games = map[string]string{
	// A turn of Pig: roll a d6 and add it, as often as you like; a 1 loses all of the turn.
	"pig": `procedures: pig: {
		cite: "x"
		#State: {total: *0 | (int & >=0 & <=60), over: *false | bool}
		events: {
			roll: {
				when: "state.total < 50"
				dice: d: die: 6
				next: {total: "d == 1 ? 0 : state.total + d", over: "d == 1"}
			}
			hold: next: over: "true"
		}
		ends: over: "state.over"
		output: points: "state.total"
	}`,
	// At most three dice, one after the other: each is taken or not when it has fallen.
	"offers": `procedures: offers: {
		cite: "x"
		#State: {left: *3 | (int & >=0), value: *0 | int, taken: *false | bool}
		events: roll: {
			#Event: {take: *false | bool, bonus: *0 | (int & >=0 & <=2)}
			dice: d: die: 6
			decide: take: after: ["d"]
			require: "too greedy": "!event.take || d + event.bonus < 8"
			next: {left: "state.left - 1", taken: "event.take", value: "event.take ? d + event.bonus : 0"}
		}
		ends: over: "state.taken || state.left == 0"
		output: value: "state.value"
	}`,
}

// valueOf is the worth of the only output that is read, as a number.
func valueOf(o *odds.Outcome) (float64, error) {
	return float64(o.Values[0].Int()), nil
}

func isStatus(status string) func(*odds.Outcome) (float64, error) {
	return func(o *odds.Outcome) (float64, error) {
		if o.Values[0].Text() == status {
			return 1, nil
		}
		return 0, nil
	}
}

// meanOf is the exact mean of the only output that was asked for.
func meanOf(t *testing.T, c *markov.Course) *big.Rat {
	t.Helper()
	sum := new(big.Rat)
	for _, o := range c.Outputs.Outcomes() {
		sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetInt64(o.Values[0].Int()), new(big.Rat).SetFrac(o.N, c.Outputs.Den)))
	}
	return sum
}

// Whoever plays a turn of Pig for the greatest mean rolls below 20 (Neller and Presser 2004), for 8.14 points. The means
// are found beside the program, from the highest total down.
func TestBestTurnOfPig(t *testing.T) {
	p := gametest.Small(t, map[string]string{"pig": games["pig"]})
	process, err := markov.NewDecidedProcess(vm.NewImage(p.Plan()), "pig", runtime.Choice{}, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Question{Outputs: []string{"points"}}
	q.Records[plan.CharacterRoot] = []byte("{}")
	course, err := process.BestCourse(q, markov.Policy{{Event: "hold"}, {Event: "roll"}},
		&markov.Aim{Outputs: []string{"points"}, Worth: valueOf}, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]*big.Rat, 60)
	for total := 59; total >= 0; total-- {
		want[total] = big.NewRat(int64(total), 1)
		if total >= 50 {
			continue
		}
		rolled := new(big.Rat)
		for face := 2; face <= 6; face++ {
			rolled.Add(rolled, new(big.Rat).Mul(big.NewRat(1, 6), want[total+face]))
		}
		if rolled.Cmp(want[total]) > 0 {
			want[total] = rolled
		}
	}
	if got := meanOf(t, course); got.Cmp(want[0]) != 0 {
		t.Errorf("the mean is %v, want %v", got.FloatString(6), want[0].FloatString(6))
	}
	for _, x := range course.Taken {
		var state struct{ Total int }
		if err := json.Unmarshal([]byte(x.State), &state); err != nil {
			t.Fatal(err)
		}
		if isRoll := x.Event == "roll"; isRoll != (state.Total < 20) {
			t.Errorf("%s at %d", x.Event, state.Total)
		}
	}
	if len(course.Taken) < 20 {
		t.Errorf("only %d states are told", len(course.Taken))
	}
}

// Of three dice that are offered one after the other the best is worth 14/3: the first is taken from 5 on, the second
// from 4 on. With a bonus of 2, which is chosen beforehand, a 6 may not be taken, and is left for the next die, or rolled
// again.
func TestBestOfferedDie(t *testing.T) {
	p := gametest.Small(t, map[string]string{"offers": games["offers"]})
	q := odds.Question{Outputs: []string{"value"}}
	q.Records[plan.CharacterRoot] = []byte("{}")
	aim := &markov.Aim{Outputs: []string{"value"}, Worth: valueOf}
	either := odds.Choice{Path: "take"}
	best, err := markov.NewDecidedProcess(vm.NewImage(p.Plan()), "offers", runtime.Choice{}, map[string][]odds.Choice{"roll": {either}}, true)
	if err != nil {
		t.Fatal(err)
	}
	course, err := best.BestCourse(q, markov.Policy{{Event: "roll"}}, aim, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if got := meanOf(t, course); got.Cmp(big.NewRat(14, 3)) != 0 {
		t.Errorf("the best is worth %v, want 14/3", got)
	}
	// With a bonus of 2 a die is worth 3, 4, 5, 6, 7 or, as a 6 is left, what comes later: nothing for the last.
	last := big.NewRat(3+4+5+6+7, 6)
	before := func(later *big.Rat) *big.Rat {
		sum := new(big.Rat).Set(later) // of the 6
		for _, v := range []int64{3, 4, 5, 6, 7} {
			if x := big.NewRat(v, 1); x.Cmp(later) > 0 {
				sum.Add(sum, x)
			} else {
				sum.Add(sum, later)
			}
		}
		return sum.Mul(sum, big.NewRat(1, 6))
	}
	inputs := func(_, _, _ []byte) ([][]byte, error) {
		return [][]byte{[]byte(`{"bonus":0}`), []byte(`{"bonus":2}`)}, nil
	}
	course, err = best.BestCourse(q, markov.Policy{{Event: "roll", Inputs: inputs}}, aim, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := meanOf(t, course), before(before(last)); got.Cmp(want) != 0 {
		t.Errorf("with a bonus the best is worth %v, want %v", got, want)
	}
	for _, x := range course.Taken {
		if x.Input != `{"bonus":2}` {
			t.Errorf("%s is given %s", x.State, x.Input)
		}
	}
}

// A formula over the dice and the state decides: the first die is taken from 5 on, the second too, the last always.
func TestDecidedOfferedDie(t *testing.T) {
	p := gametest.Small(t, map[string]string{"offers": games["offers"]})
	rule := odds.Choice{Path: "take", Reads: []string{"d"},
		Options: func(r odds.Records, known []jsonio.Value) ([]jsonio.Value, error) {
			isLast := strings.Contains(string(r[plan.StateRoot]), `"left":1,`)
			return []jsonio.Value{jsonio.BoolValue(known[0].Int() >= 5 || isLast)}, nil
		}}
	process, err := markov.NewDecidedProcess(vm.NewImage(p.Plan()), "offers", runtime.Choice{}, map[string][]odds.Choice{"roll": {rule}}, false)
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Question{Outputs: []string{"value"}}
	q.Records[plan.CharacterRoot] = []byte("{}")
	course, err := process.Course(q, markov.Policy{{Event: "roll"}}, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	// 11/2 with probability 1/3; else the same again, and at last 7/2.
	third, rest := big.NewRat(11, 6), big.NewRat(2, 3)
	want := new(big.Rat).Add(third,
		new(big.Rat).Mul(rest, new(big.Rat).Add(third, new(big.Rat).Mul(rest, big.NewRat(7, 2)))))
	if got := meanOf(t, course); got.Cmp(want) != 0 {
		t.Errorf("the mean is %v, want %v", got, want)
	}
}

// The best moves through random states, which may come again, are as good as the best of all policies that take one event
// in each state.
func TestBestOfAllPolicies(t *testing.T) {
	const states, seeds = 4, 12
	r := rand.New(rand.NewPCG(14, 2))
	for seed := range seeds {
		var table [2][states][3]int // of each event and state, where each face of a d3 leads; states and more are the ends
		for e := range table {
			for s := range table[e] {
				for f := range table[e][s] {
					table[e][s][f] = r.IntN(states + 3)
				}
			}
		}
		text := "procedures: walk: {cite: \"x\"\n#State: at: *0 | (int & >=0 & <=10)\nevents: {\n"
		for e, name := range []string{"left", "right"} {
			rows := strings.NewReplacer(" ", ",").Replace(fmt.Sprint(table[e]))
			text += fmt.Sprintf("%s: {dice: d: die: 3, next: at: \"%s[state.at][d - 1]\"}\n", name, rows)
		}
		text += fmt.Sprintf("}\nends: {won: \"state.at == %d\", lost: \"state.at > %d\"}\noutput: at: \"state.at\"\n}",
			states, states)
		p := gametest.Small(t, map[string]string{"walk": text})
		process, err := markov.NewDecidedProcess(vm.NewImage(p.Plan()), "walk", runtime.Choice{}, nil, true)
		if err != nil {
			t.Fatal(err)
		}
		var q odds.Question
		q.Records[plan.CharacterRoot] = []byte("{}")
		won := func(c *markov.Course) float64 {
			for _, e := range c.Ends {
				if e.Status == "won" {
					return e.P
				}
			}
			return 0
		}
		most := 0.0
		for choices := range 1 << states {
			guard := func(_, _, state []byte) (bool, error) {
				var s struct{ At int }
				err := json.Unmarshal(state, &s)
				return choices>>s.At&1 == 1, err
			}
			c, err := process.Course(q, markov.Policy{{Event: "left", Guard: guard}, {Event: "right"}}, 0, 3000)
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, won(c))
		}
		best, err := process.BestCourse(q, markov.Policy{{Event: "left"}, {Event: "right"}},
			&markov.Aim{Outputs: []string{markov.StatusName}, Worth: isStatus("won"), IsCondition: true}, 0, 3000)
		if err != nil {
			t.Fatal(err)
		}
		if got := won(best); math.Abs(got-most) > 1e-9 {
			t.Errorf("seed %d: the best wins with probability %v, want %v: %v", seed, got, most, table)
		}
	}
}
