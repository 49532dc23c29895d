package markov_test

import (
	"errors"
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
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// retries is a procedure with a quick event, which wins with 7/10, and a slow one, which is refused on a high die and is
// won by whoever takes it then.
func retries(limit int) string {
	return fmt.Sprintf(`procedures: retry: {
		cite: "x"
		#State: v: int | *0
		events: {
			quick: {
				dice: d: "d10"
				next: v: "d <= 7 ? 1 : 2"
			}
			slow: {
				#Event: take: *false | bool
				dice: e: "d6"
				decide: take: after: ["e"]
				require: "no luck": "e < %d"
				next: v: "event.take ? 1 : 2"
			}
		}
		ends: {won: "state.v == 1", lost: "state.v == 2"}
		output: v: "state.v"
	}`, limit)
}

// bestCourse is the best course of a procedure of one small game, of which events decide fields late.
func bestCourse(
	t *testing.T, text, id string, choices map[string][]odds.Choice, policy markov.Policy, aim *markov.Aim, q odds.Question,
) (*markov.Course, error) {
	t.Helper()
	process, err := markov.NewDecidedProcess(vm.NewImage(gametest.Small(t, map[string]string{id: text}).Plan()), id, runtime.Choice{}, choices,
		true)
	if err != nil {
		t.Fatal(err)
	}
	q.Records[plan.CharacterRoot] = []byte("{}")
	return process.BestCourse(q, policy, aim, 0, 1000)
}

func aimAt(status string) *markov.Aim {
	return &markov.Aim{Outputs: []string{markov.StatusName}, Worth: isStatus(status), IsCondition: true}
}

// probabilityOfEnd is the probability of an end; 0 of one that never comes.
func probabilityOfEnd(c *markov.Course, status string) float64 {
	for _, e := range c.Ends {
		if e.Status == status {
			return e.P
		}
	}
	return 0
}

// An event that is refused on some faces, whatever is chosen, ends the course there: it is worth what it is worth when it
// is not refused. With five faces of six it is better than the quick one, which wins with 7/10; with four it is not.
func TestBestOfRefusedEvent(t *testing.T) {
	for limit := 2; limit <= 6; limit++ {
		legal := float64(limit-1) / 6
		for _, policy := range []markov.Policy{{{Event: "slow"}}, {{Event: "quick"}, {Event: "slow"}}} {
			c, err := bestCourse(t, retries(limit), "retry", map[string][]odds.Choice{"slow": {{Path: "take"}}}, policy,
				aimAt("won"), odds.Question{})
			if err != nil {
				t.Fatal(err)
			}
			isSlow := len(policy) == 1 || legal > 0.7
			want, refused := 0.7, 0.0
			if isSlow {
				want, refused = legal, 1-legal
			}
			if won := probabilityOfEnd(c, "won"); math.Abs(won-want) > 1e-9 {
				t.Errorf("refused from %d on, of %d events: won with probability %v, want %v", limit, len(policy), won, want)
			}
			if got := probabilityOfEnd(c, markov.Refused); math.Abs(got-refused) > 1e-9 {
				t.Errorf("refused from %d on, of %d events: refused with probability %v, want %v", limit, len(policy), got,
					refused)
			}
			if c.Mean != 1 {
				t.Errorf("refused from %d on: %v events, want 1", limit, c.Mean)
			}
		}
	}
}

// Three dice of 3 or more end it, and a lower one is refused: 8/27 are done, and the first, second and third event are
// refused with 1/3, 2/9 and 4/27.
func TestRefusedEventEndsTheCourse(t *testing.T) {
	process, err := markov.NewProcess(vm.NewImage(gametest.Small(t, map[string]string{"go": `procedures: go: {
		cite: "x"
		#State: n: *0 | int
		start: {
			dice: first: "d4"
			require: "no four": "first < 4"
			next: n: "0"
		}
		events: go: {
			dice: roll: "d6"
			require: "a 3 or more": "roll >= 3"
			next: n: "state.n + 1"
		}
		ends: done: "state.n == 3"
		output: n: "state.n"
	}`}).Plan()), "go", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Question{Outputs: []string{"n"}}
	q.Records[plan.CharacterRoot] = []byte("{}")
	c, err := process.Course(q, markov.Policy{{Event: "go"}}, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]*big.Rat{ // a quarter is refused by the start
		"done": big.NewRat(8*3, 27*4), "refused start: no four": big.NewRat(1, 4),
		"refused go: a 3 or more": big.NewRat(19*3, 27*4),
	}
	for _, e := range c.Ends {
		name := e.Status
		for _, h := range e.Because {
			name += " " + h.String()
		}
		if want[name] == nil || e.N == nil || e.N.Cmp(want[name]) != 0 {
			t.Errorf("%s has probability %v, want %v", name, e.N, want[name])
		}
		if name == "refused go: a 3 or more" {
			for n, of := range []float64{0, 1. / 3, 2. / 9, 4. / 27} {
				if math.Abs(e.By[n]-of*3/4) > 1e-12 {
					t.Errorf("event %d is refused with probability %v, want %v", n, e.By[n], of*3/4)
				}
			}
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("there are no ends %v", want)
	}
	// Mean: 0 events with 1/4, else 1/3·1 + 2/9·2 + (4/27 + 8/27)·3 = 19/9.
	if c.MeanN == nil || c.MeanN.Cmp(big.NewRat(19, 12)) != 0 {
		t.Errorf("the mean number of events is %v, want 19/12", c.MeanN)
	}
	var refused float64
	for _, e := range c.Outputs.Endings() {
		if e.Kind == odds.Refused {
			refused += e.P
		}
	}
	if got := c.Outputs.Marginal("n"); len(got.P) != 1 || math.Abs(got.P[0]-2./9) > 1e-12 || math.Abs(refused-7./9) > 1e-12 {
		t.Errorf("n is %v with %v, refused with %v", got.Values, got.P, refused)
	}
}

// A requirement that reads no dice ends a course as one that does. Under an aim it makes the event no move, and where no
// move is left the state is stuck for that requirement.
func TestRefusedBeforeTheDice(t *testing.T) {
	const text = `procedures: pay: {
		cite: "x"
		#State: {purse: *2 | int, won: *false | bool}
		events: pay: {
			require: "there is no money left": "state.purse > 0"
			dice: d: "d6"
			next: {purse: "state.purse - 1", won: "d == 6"}
		}
		ends: won: "state.won"
		output: purse: "state.purse"
	}`
	process, err := markov.NewProcess(vm.NewImage(gametest.Small(t, map[string]string{"pay": text}).Plan()), "pay", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var q odds.Question
	q.Records[plan.CharacterRoot] = []byte("{}")
	c, err := process.Course(q, markov.Policy{{Event: "pay"}}, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := probabilityOfEnd(c, markov.Refused), 25./36; math.Abs(got-want) > 1e-12 {
		t.Errorf("refused with probability %v, want %v", got, want)
	}
	c, err = bestCourse(t, text, "pay", nil, markov.Policy{{Event: "pay"}}, aimAt("won"), odds.Question{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range c.Ends {
		if e.Status == markov.Stuck {
			if math.Abs(e.P-25./36) > 1e-12 || len(e.Because) != 1 || e.Because[0].String() != "pay: there is no money left" {
				t.Errorf("it is stuck with probability %v because of %v", e.P, e.Because)
			}
			return
		}
	}
	t.Errorf("it is never stuck: %+v", c.Ends)
}

// What hinders a policy is told: its guards, the conditions of the events, and requirements under an aim.
func TestStuckForItsConditions(t *testing.T) {
	process, err := markov.NewProcess(vm.NewImage(gametest.Small(t, map[string]string{"walk": `procedures: walk: {
		cite: "x"
		#State: at: *0 | int
		events: {
			on: {
				when: "state.at < 2"
				dice: d: "d2"
				next: at: "d == 1 ? state.at + 1 : 9"
			}
			back: next: at: "state.at - 1"
		}
		ends: away: "state.at == 9"
		output: at: "state.at"
	}`}).Plan()), "walk", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var q odds.Question
	q.Records[plan.CharacterRoot] = []byte("{}")
	never := func(_, _, _ []byte) (bool, error) { return false, nil }
	policy := markov.Policy{{Event: "on"}, {Event: "back", Condition: "state.at == 7", Guard: never}}
	c, err := process.Course(q, policy, 2, 1000)
	if err != nil {
		t.Fatal(err)
	}
	const want = "[on needs state.at < 2 back: its guard state.at == 7 does not hold]"
	if k := len(c.Ends) - 1; c.Ends[k].Status != markov.Stuck || c.Ends[k].P != 0.25 || fmt.Sprint(c.Ends[k].Because) != want {
		t.Errorf("got %+v, want it stuck with 1/4 because of %s", c.Ends, want)
	}
}

// Of random events of three faces each of which is refused, leads back, or leads to an end by what is chosen, the best is
// as good as the best of all plans: which event, and what is chosen at each face. A plan that leads back is tried again,
// and one that is refused has ended.
func TestBestOfAllPlansWithRefusals(t *testing.T) {
	const events, faces, refused, back = 2, 3, 5, 0 // 1 and 2 win, 3 and 4 lose
	r := rand.New(rand.NewPCG(14, 3))
	for seed := range 15 {
		var table [events][2][faces]int // of each event, choice and face
		text := "procedures: gamble: {cite: \"x\"\n#State: at: *0 | (int & >=0 & <=9)\nevents: {\n"
		most := 0.0
		for e := range table {
			for face := range faces {
				table[e][0][face], table[e][1][face] = r.IntN(6), r.IntN(6)
				if r.IntN(3) == 0 { // refused whatever is chosen
					table[e][0][face], table[e][1][face] = refused, refused
				}
			}
			list := strings.NewReplacer(" ", ",").Replace(fmt.Sprint(table[e]))
			text += fmt.Sprintf("e%d: {#Event: take: *false | bool\ndice: d: die: 3\ndecide: take: after: [\"d\"]\n"+
				"require: \"no luck\": \"%[2]s[event.take ? 1 : 0][d - 1] != 5\"\n"+
				"next: at: \"%[2]s[event.take ? 1 : 0][d - 1]\"}\n", e, list)
			for choices := range 1 << faces {
				won, ended := 0, 0
				for face := range faces {
					to := table[e][choices>>face&1][face]
					if to != back {
						ended++
					}
					if to == 1 || to == 2 {
						won++
					}
				}
				if ended > 0 {
					most = max(most, float64(won)/float64(ended))
				}
			}
		}
		text += "}\nends: {won: \"state.at == 1 || state.at == 2\", lost: \"state.at > 2\"}\noutput: at: \"state.at\"\n}"
		either := []odds.Choice{{Path: "take"}}
		c, err := bestCourse(t, text, "gamble", map[string][]odds.Choice{"e0": either, "e1": either},
			markov.Policy{{Event: "e0"}, {Event: "e1"}}, aimAt("won"), odds.Question{})
		if err != nil {
			t.Fatal(err)
		}
		if won := probabilityOfEnd(c, "won"); math.Abs(won-most) > 1e-9 {
			t.Errorf("seed %d: won with probability %v, want %v: %v", seed, won, most, table)
		}
	}
}

// The tail of a die that explodes without end is not followed, beside choices that are refused and not taken.
func TestBestBesideTail(t *testing.T) {
	c, err := bestCourse(t, `procedures: boom: {
		cite: "x"
		#State: v: int | *0
		events: slow: {
			#Event: take: *false | bool
			dice: e: {die: 6, explode: on: 6}
			decide: take: after: ["e"]
			require: "too greedy": "!event.take || e < 5"
			next: v: "event.take ? e : 1"
		}
		ends: won: "state.v > 0"
		output: v: "state.v"
	}`, "boom", map[string][]odds.Choice{"slow": {{Path: "take"}}}, markov.Policy{{Event: "slow"}},
		&markov.Aim{Outputs: []string{"v"}, Worth: valueOf}, odds.Question{Outputs: []string{"v"}})
	if err != nil {
		t.Fatal(err)
	}
	v := c.Outputs.Marginal("v") // 1 to 4 when it falls so, else 1
	for i, want := range []float64{3.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6} {
		if math.Abs(v.P[i]-want) > 1e-12 {
			t.Errorf("%v has probability %v, want %v", v.Values[i], v.P[i], want)
		}
	}
}

// A failure beside a refusal is told with its own chance.
func TestBestWithTwoReasons(t *testing.T) {
	_, err := bestCourse(t, `procedures: two: {
		cite: "x"
		#State: v: *0 | (int & <=3)
		events: slow: {
			#Event: take: *false | bool
			dice: e: "d6"
			decide: take: after: ["e"]
			require: "no luck": "e < 5"
			next: v: "e == 1 ? div_floor(1, e - 1) : event.take ? 1 : 2"
		}
		ends: won: "state.v > 0"
		output: v: "state.v"
	}`, "two", map[string][]odds.Choice{"slow": {{Path: "take"}}}, markov.Policy{{Event: "slow"}}, aimAt("won"),
		odds.Question{})
	if err == nil || !strings.Contains(err.Error(), "with probability 0.1666") || !strings.Contains(err.Error(), "by zero") {
		t.Errorf("the error is %v", err)
	}
}

// Being stuck is no end: of a number a move counts for more that makes an end likelier.
func TestBestIsNotStuck(t *testing.T) {
	c, err := bestCourse(t, `procedures: trap: {
		cite: "x"
		#State: {v: int | *0, t: int | *0}
		events: {
			fall: {when: "state.v == 0", next: {v: "-1", t: "state.t + 1"}}
			walk: {when: "state.v >= 0", next: {v: "state.v + 1", t: "state.t + 1"}}
		}
		ends: won: "state.v == 3"
		output: t: "-state.t"
	}`, "trap", nil, markov.Policy{{Event: "fall"}, {Event: "walk"}}, &markov.Aim{Outputs: []string{"t"}, Worth: valueOf},
		odds.Question{})
	if err != nil {
		t.Fatal(err)
	}
	if won := probabilityOfEnd(c, "won"); won != 1 {
		t.Errorf("won with probability %v, want 1", won)
	}
}

// A process that compares no choices would take the first of them for the best.
func TestAimNeedsComparison(t *testing.T) {
	process, err := markov.NewProcess(vm.NewImage(gametest.Small(t, map[string]string{"retry": retries(4)}).Plan()), "retry", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var q odds.Question
	q.Records[plan.CharacterRoot] = []byte("{}")
	if _, err = process.BestCourse(q, markov.Policy{{Event: "quick"}}, aimAt("won"), 0, 10); err == nil {
		t.Error("it aims at something without comparing")
	}
}

// A field is decided once.
func TestDecidedTwice(t *testing.T) {
	twice := []odds.Choice{{Path: "take"}, {Path: "take"}}
	p := gametest.Small(t, map[string]string{"retry": retries(4), "pick": `rules: pick: {
		cite: "x"
		#Input: take: *false | bool
		dice: e: "d6"
		decide: take: after: ["e"]
		output: v: "input.take ? e : 3"
	}`})
	const want = "take is decided twice"
	_, err := markov.NewDecidedProcess(vm.NewImage(p.Plan()), "retry", runtime.Choice{}, map[string][]odds.Choice{"slow": twice}, true)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error of a procedure is %v, want %q", err, want)
	}
	_, err = eliminate.NewDecidedRule(vm.NewImage(p.Plan()), "pick", runtime.Choice{}, odds.Strategy{Choices: twice, Worth: valueOf})
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error of a rule is %v, want %q", err, want)
	}
}

// Inputs that are compared count against the budget one by one, and none is looked at when nobody waits any more.
func TestBudgetOfInputs(t *testing.T) {
	const wide = `procedures: wide: {
		cite: "x"
		#State: {v: int | *0, t: int | *0}
		events: give: {
			#Event: n: *0 | (int & >=0 & <=100000)
			next: {v: "state.v * 7 + event.n", t: "state.t + 1"}
		}
		ends: won: "state.t > 3"
		output: v: "state.v"
	}`
	asked := 0
	inputs := func(_, _, _ []byte) (out [][]byte, err error) {
		asked++
		for n := range 300 {
			out = append(out, fmt.Appendf(nil, `{"n":%d}`, n))
		}
		return out, nil
	}
	policy, aim := markov.Policy{{Event: "give", Inputs: inputs}}, &markov.Aim{Outputs: []string{"v"}, Worth: valueOf}
	_, err := bestCourse(t, wide, "wide", nil, policy, aim, odds.Question{Budget: 1000})
	b, is := errors.AsType[*odds.BudgetError](err)
	if !is || b.Budget != 1000 || asked > 4 {
		t.Errorf("after %d states the error is %v", asked, err)
	}
	asked = 0
	stop := make(chan struct{})
	close(stop)
	if _, err := bestCourse(t, wide, "wide", nil, policy, aim, odds.Question{Stop: stop}); !errors.Is(err,
		odds.ErrStopped) ||
		asked > 1 {
		t.Errorf("stopped after %d states: %v", asked, err)
	}
}
