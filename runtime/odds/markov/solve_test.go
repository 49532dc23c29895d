package markov_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// loops are procedures that come back to states in which they were.
var loops = map[string]string{
	"ruin": `procedures: ruin: {
		cite: "x"
		#Input: {n: *100 | (int & >=2), gold: *50 | (int & >=1)}
		#State: {gold: *-1 | int, tosses: *0 | (int & >=0)}
		start: next: gold: "input.gold"
		events: toss: {
			dice: coin: die: 2
			next: {gold: "coin == 2 ? state.gold + 1 : state.gold - 1", tosses: "state.tosses + 1"}
		}
		ends: {rich: "state.gold >= input.n", broken: "state.gold == 0"}
		output: tosses: "state.tosses"
	}`,
	"coupons": `procedures: coupons: {
		cite: "x"
		#State: have: *0 | int
		events: open: {
			dice: d: die: 80
			next: have: "d > state.have ? state.have + 1 : state.have"
		}
		ends: all: "state.have == 80"
	}`,
	// Left, with 1/2, there is no way back and none to an end.
	"maze": `procedures: maze: {
		cite: "x"
		#State: at: *"door" | "left" | "deep" | "out"
		events: walk: {
			dice: d: die: 6
			next: at: "state.at == 'door' ? (d <= 3 ? 'left' : d <= 5 ? 'out' : 'door') : state.at == 'left' ? 'deep' : 'left'"
		}
		ends: out: "state.at == 'out'"
		output: at: "state.at"
	}`,
	// Nothing bounds how far the walk goes.
	"open_walk": `procedures: open_walk: {
		cite: "x"
		#State: at: *1 | int
		events: step: {
			dice: d: die: 2
			next: at: "d == 2 ? state.at + 1 : state.at - 1"
		}
		ends: home: "state.at == 0"
	}`,
}

// courseOf follows a procedure of a small game under the policy of one event.
func courseOf(t *testing.T, p *runtime.Program, id, event, input string, q odds.Question, most int) *markov.Course {
	t.Helper()
	process, err := markov.NewProcess(vm.NewImage(p.Plan()), id, runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte(input)
	course, err := process.Course(q, markov.Policy{{Event: event}}, 0, most)
	if err != nil {
		t.Fatal(err)
	}
	return course
}

func endOf(t *testing.T, c *markov.Course, status string) markov.End {
	t.Helper()
	for _, e := range c.Ends {
		if e.Status == status {
			return e
		}
	}
	t.Fatalf("%s is no end of %v", status, c.Ends)
	return markov.End{}
}

// A gambler with k of n is ruined with 1 - k/n, after k(n-k) tosses (Feller, An Introduction to Probability Theory, chapter
// XIV), however many events that takes; the tosses that the state counts are no hindrance.
func TestGamblersRuin(t *testing.T) {
	p := gametest.Small(t, loops)
	for _, x := range []struct{ n, k int64 }{{100, 50}, {10, 3}, {3_000, 1_000}, {12_000, 6_000}} {
		c := courseOf(t, p, "ruin", "toss", fmt.Sprintf(`{"n": %d, "gold": %d}`, x.n, x.k), odds.Question{Exact: true}, 0)
		broken := endOf(t, c, "broken")
		if !c.Solved || c.MeanN == nil || c.MeanN.Cmp(big.NewRat(x.k*(x.n-x.k), 1)) != 0 ||
			broken.N.Cmp(big.NewRat(x.n-x.k, x.n)) != 0 || c.Open != 0 {
			t.Errorf("%v: broken %v after %v, open %v", x, broken.N, c.MeanN, c.Open)
		}
	}
}

// Without fractions the chain is solved too, to the last digits.
func TestManyStatesInFloats(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	p := gametest.Small(t, loops)
	c := courseOf(t, p, "ruin", "toss", `{"n": 190000, "gold": 60000}`, odds.Question{}, 0)
	if want := 60_000.0 * 130_000; !c.Solved || c.Exact || math.Abs(c.Mean-want) > 1e-9*want ||
		math.Abs(endOf(t, c, "rich").P-6.0/19) > 1e-9 {
		t.Errorf("mean %v, %v", c.Mean, c.Ends)
	}
}

// Who collects 80 coupons opens 80·(1 + 1/2 + … + 1/80) packets.
func TestCouponCollector(t *testing.T) {
	want := new(big.Rat)
	for k := int64(1); k <= 80; k++ {
		want.Add(want, big.NewRat(80, k))
	}
	c := courseOf(t, gametest.Small(t, loops), "coupons", "open", "{}", odds.Question{Exact: true}, 0)
	if c.MeanN.Cmp(want) != 0 {
		t.Errorf("mean %v, want %v", c.MeanN.FloatString(3), want.FloatString(3))
	}
}

// The door leads out with 2/5 and into the maze for ever with 3/5.
func TestEndless(t *testing.T) {
	p := gametest.Small(t, loops)
	c := courseOf(t, p, "maze", "walk", "{}", odds.Question{Exact: true, Outputs: []string{"at"}}, 0)
	endless := endOf(t, c, markov.Endless)
	if !c.Solved || endless.N.Cmp(big.NewRat(3, 5)) != 0 || !math.IsInf(c.Mean, 1) || c.MeanN != nil {
		t.Errorf("solved %v, endless %v, mean %v", c.Solved, endless.N, c.Mean)
	}
	if out := c.Outputs.Outcomes(); len(out) != 1 || c.Outputs.Fraction(out[0].N) != "2/5" {
		t.Errorf("%v", out)
	}
	e := c.Outputs.Endings()
	if len(e) != 1 || e[0].Kind != odds.Unended || c.Outputs.Fraction(e[0].N) != "3/5" {
		t.Errorf("%v", e)
	}
}

// Followed for ten events, a gambler with 5 of 100 is broken with 7/64: after five tosses with 1/32, after seven with
// 5/128, after nine with 20/512 (the paths that touch 0 first then: 5/n·C(n,(n-5)/2)/2^n). That is the least, and no mean.
func TestBoundsOfTenEvents(t *testing.T) {
	p := gametest.Small(t, loops)
	c := courseOf(t, p, "ruin", "toss", `{"gold": 5}`, odds.Question{Exact: true}, 10)
	broken := endOf(t, c, "broken")
	if c.Solved || !c.Exact || broken.N.Cmp(big.NewRat(7, 64)) != 0 || c.OpenN.Cmp(big.NewRat(57, 64)) != 0 || c.MeanN != nil {
		t.Errorf("solved %v, exact %v, broken %v, open %v, mean %v", c.Solved, c.Exact, broken.N, c.OpenN, c.MeanN)
	}
	// 5·4/128 + 7·5/128 + 9·5/128 + 11·57/64
	if want := (20 + 35 + 45 + 11*114) / 128.0; math.Abs(c.Mean-want) > 1e-12 {
		t.Errorf("the mean is at least %v, want %v", c.Mean, want)
	}
}

// A walk on all numbers comes home with certainty, though not within any number of states, and has no mean: what is said
// are bounds.
func TestWalkWithoutBounds(t *testing.T) {
	c := courseOf(t, gametest.Small(t, loops), "open_walk", "step", "{}", odds.Question{}, 0)
	home := endOf(t, c, "home")
	// After 2m-1 steps it is not home with C(2m, m)/2^2m (Feller, chapter III), with m = 500 about 1/√(500π) = 0.0252.
	if c.Solved || math.Abs(c.Open-0.02522) > 1e-5 || math.Abs(home.P+c.Open-1) > 1e-12 {
		t.Errorf("solved %v, home %v, open %v", c.Solved, home.P, c.Open)
	}
}

// An output that tells how many events there were is known of every number of them, though then no loop is solved.
func TestCounterThatIsAskedFor(t *testing.T) {
	p := gametest.Small(t, loops)
	c := courseOf(t, p, "ruin", "toss", `{"n": 4, "gold": 2}`, odds.Question{Exact: true, Outputs: []string{"tosses"}}, 0)
	if c.Solved {
		t.Error("the states are without end, and solved")
	}
	// With two of four the game ends with every second toss with 1/2.
	for _, o := range c.Outputs.Outcomes()[:20] {
		want := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(o.Values[0].Int()/2)))
		if o.Values[0].Int()%2 != 0 || want.Cmp(new(big.Rat).SetFrac(o.N, c.Outputs.Den)) != 0 {
			t.Errorf("%v tosses with %v, want %v", o.Values[0], c.Outputs.Fraction(o.N), want)
		}
	}
}

// A field that looks like a counter and decides something is none: three events, then it is over; or the third fails.
func TestFieldsThatAreNoCounters(t *testing.T) {
	for name, x := range map[string]struct{ next, ends, event, want string }{
		"an end":         {`n: "state.n + 1"`, `over: "state.n == 3"`, ``, "over"},
		"a guard":        {`n: "state.n + 1"`, `over: "state.six"`, `when: "state.n < 1"`, "stuck"},
		"a requirement":  {`n: "state.n + 1"`, `over: "state.six"`, `require: "too late": "state.n < 1"`, "refused"},
		"another field":  {`{n: "state.n + 1", six: "d == 6 || state.n == 2"}`, `over: "state.six"`, ``, "over"},
		"a die":          {`n: "state.n + 1"`, `over: "state.six"`, `dice: e: {die: 6, count: "state.n", most: 3}`, "failed"},
		"its own choice": {`n: "[1, 2, 3][state.n]"`, `over: "state.six"`, ``, "failed"},
		"its bounds":     {`n: "state.n - 1"`, `over: "state.six"`, ``, "outgrown"},
		"doubling":       {`n: "state.n + state.n"`, `over: "state.six"`, ``, "outgrown"},
	} {
		next := x.next
		if !strings.HasPrefix(next, "{") {
			next = `{` + next + `, six: "d == 6"}`
		}
		bounds := "int"
		switch name {
		case "its bounds":
			bounds = "(int & >=0)"
		case "doubling":
			bounds = "(int & >=0 & <=100)"
		}
		start := "0"
		if name == "doubling" {
			start = "1"
		}
		p := gametest.Small(t, map[string]string{"p": `procedures: p: {
			cite: "x"
			#State: {n: *` + start + ` | ` + bounds + `, six: *false | bool}
			events: roll: {` + x.event + `
				dice: d: die: 6
				next: ` + next + `
			}
			ends: ` + x.ends + `
		}`})
		process, err := markov.NewProcess(vm.NewImage(p.Plan()), "p", runtime.Choice{})
		if err != nil {
			t.Fatal(name, err)
		}
		var q odds.Question
		q.Records[plan.CharacterRoot] = []byte("{}")
		c, err := process.Course(q, markov.Policy{{Event: "roll"}}, 0, 0)
		if x.want == "failed" {
			if err == nil {
				t.Errorf("%s: nothing fails: %v", name, c.Ends)
			}
			continue
		}
		if err != nil {
			t.Error(name, err)
			continue
		}
		if e := endOf(t, c, x.want); e.P == 0 {
			t.Errorf("%s: %v", name, c.Ends)
		}
	}
}

// Random walks over ten places, of which the first and the last are ends, against Gauss and Jordan's elimination of dense
// fractions.
func TestRandomWalks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 40 {
		const places, faces = 10, 12
		var rows []string
		p := [places][places]int64{}
		for at := range places {
			var to []string
			for range faces {
				next := r.IntN(places)
				if r.IntN(2) == 0 {
					next = min(max(0, at+r.IntN(3)-1), places-1)
				}
				p[at][next]++
				to = append(to, fmt.Sprint(next))
			}
			rows = append(rows, "["+strings.Join(to, ", ")+"]")
		}
		program := gametest.Small(t, map[string]string{"walk": `procedures: walk: {
			cite: "x"
			#State: {at: *4 | (int & >=0 & <=9), steps: *0 | int}
			events: step: {
				dice: d: die: 12
				next: {at: "[` + strings.Join(rows, ", ") + `][state.at][d - 1]", steps: "state.steps + 1"}
			}
			ends: {first: "state.at == 0", last: "state.at == 9"}
		}`})
		c := courseOf(t, program, "walk", "step", "{}", odds.Question{Exact: true}, 0)
		first, mean := solveWalk(&p, 4)
		if first == nil {
			continue // it may go on without end
		}
		if !c.Solved || c.MeanN == nil || c.MeanN.Cmp(mean) != 0 {
			t.Fatalf("walk %d: mean %v, want %v", n, c.MeanN, mean)
		}
		if got := endOf(t, c, "first").N; got.Cmp(first) != 0 {
			t.Errorf("walk %d: first %v, want %v", n, got, first)
		}
	}
}

// solveWalk finds the chance to come from a place to the first one before the last one, and the mean number of steps to
// either, from the equations h(i) = Σ p(i→j)·h(j) and m(i) = 1 + Σ p(i→j)·m(j); nil where these have no single solution.
func solveWalk(p *[10][10]int64, from int) (first, mean *big.Rat) {
	const n = 8 // the places between, numbered from 1
	var rows [n][n + 2]*big.Rat
	for i := range rows {
		for j := range n {
			rows[i][j] = big.NewRat(-p[i+1][j+1], 12)
		}
		rows[i][i].Add(rows[i][i], big.NewRat(1, 1))
		rows[i][n], rows[i][n+1] = big.NewRat(p[i+1][0], 12), big.NewRat(1, 1)
	}
	for k := range n {
		pivot := k
		for pivot < n && rows[pivot][k].Sign() == 0 {
			pivot++
		}
		if pivot == n {
			return nil, nil
		}
		rows[k], rows[pivot] = rows[pivot], rows[k]
		for i := range n {
			if i == k {
				continue
			}
			factor := new(big.Rat).Quo(rows[i][k], rows[k][k])
			for j := k; j < n+2; j++ {
				rows[i][j] = new(big.Rat).Sub(rows[i][j], new(big.Rat).Mul(factor, rows[k][j]))
			}
		}
	}
	k := from - 1
	return new(big.Rat).Quo(rows[k][n], rows[k][k]), new(big.Rat).Quo(rows[k][n+1], rows[k][k])
}
