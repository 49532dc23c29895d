package markov_test

import (
	"math"
	"math/big"
	"reflect"
	"strconv"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Seeded plays of a task come to its ends as often as the chain says.
func TestTaskAgainstPlay(t *testing.T) {
	p := gametest.Shipped(t, "tempestas")
	process, err := markov.NewProcess(vm.NewImage(p.Plan()), "task", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	character, input := []byte(`{"statistics":{"int":25},"skills":{"navigation":90},"fatigue":4}`),
		[]byte(`{"name":"navigation","target_value":5}`)
	var q odds.Question
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = character, input
	hard := []byte(`{"difficulty":"hard"}`)
	course, err := process.Course(q, markov.Policy{{Event: "decline"}, {Event: "roll", Input: hard}}, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	want := played(t, p, character, input, hard, 20_000)
	sum := 0.0
	for _, e := range course.Ends {
		sum += e.P
		off := 4.5 * math.Sqrt(e.P*(1-e.P)/20_000)
		if math.Abs(e.P-want[e.Status]) > off+1e-9 {
			t.Errorf("%s: %v, but when it is played %v", e.Status, e.P, want[e.Status])
		}
	}
	if math.Abs(sum+course.Open-1) > 1e-12 || len(course.Ends) < 2 {
		t.Errorf("all ends have probability %v, open %v: %v", sum, course.Open, course.Ends)
	}
}

// played is how often seeded plays come to each end under the same policy.
func played(t *testing.T, p *runtime.Program, character, input, hard []byte, times int) map[string]float64 {
	t.Helper()
	d, err := p.Procedure("task", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for record := range uint64(times) {
		play, err := d.Start(runtime.Request{Character: character, Input: input})
		if err != nil {
			t.Fatal(err)
		}
		for play.IsOpen() {
			source := dice.FromSeed(11, record, play.Number())
			if play.Do(runtime.Step{Event: "decline"}, false) == nil {
				continue
			}
			if err := play.Do(runtime.Step{Event: "roll", Input: hard, Source: source}, false); err != nil {
				t.Fatal(err)
			}
		}
		out[play.Status] += 1 / float64(times)
	}
	return out
}

// TestOutputsOfCourse compares the outputs after two events with all ways in which the dice of two events fall, played one
// by one, and those at the ends with the events that lead there: each takes ten units of time.
func TestOutputsOfCourse(t *testing.T) {
	p := gametest.Shipped(t, "tempestas")
	process, err := markov.NewProcess(vm.NewImage(p.Plan()), "task", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	hard := []byte(`{"difficulty":"hard"}`)
	q := odds.Question{Exact: true, Outputs: []string{"elapsed", markov.StatusName, "remaining"}}
	q.Records[plan.CharacterRoot] = []byte(`{"statistics":{"int":25},"skills":{"navigation":90},"fatigue":4}`)
	q.Records[plan.InputRoot] = []byte(`{"name":"navigation","target_value":5}`)
	policy := markov.Policy{{Event: "decline"}, {Event: "roll", Input: hard}}
	course, err := process.Course(q, policy, 2, 1000)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]*big.Rat{}
	playEveryWay(t, p, q, hard, 2, want)
	for _, o := range course.Outputs.Outcomes() {
		key := o.Values[0].String() + o.Values[1].String() + o.Values[2].String()
		n := new(big.Rat).SetFrac(o.N, course.Outputs.Den)
		if want[key] == nil || want[key].Cmp(n) != 0 {
			t.Errorf("%s has probability %v, of all ways %v", key, n, want[key])
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("%v of all ways have no probability", want)
	}
	if course, err = process.Course(q, policy, 0, 1000); err != nil {
		t.Fatal(err)
	}
	elapsed := course.Outputs.Marginal("elapsed")
	for i, v := range elapsed.Values {
		by := 0.0
		for _, e := range course.Ends {
			if n := int(v.Int() / 10); n < len(e.By) {
				by += e.By[n]
			}
		}
		if math.Abs(elapsed.P[i]-by) > 1e-12 {
			t.Errorf("%v has elapsed with probability %v, so many events happen with %v", v, elapsed.P[i], by)
		}
	}
}

// playEveryWay plays some events with every way in which their dice fall, and adds up the outputs.
func playEveryWay(t *testing.T, p *runtime.Program, q odds.Question, hard []byte, events int, into map[string]*big.Rat) {
	t.Helper()
	d, err := p.Procedure("task", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	begun, err := d.Start(runtime.Request{Character: q.Records[plan.CharacterRoot], Input: q.Records[plan.InputRoot]})
	if err != nil {
		t.Fatal(err)
	}
	var follow func(play runtime.Play, left int, chance *big.Rat)
	follow = func(play runtime.Play, left int, chance *big.Rat) {
		if next := play; left > 0 && next.Do(runtime.Step{Event: "decline"}, false) == nil {
			follow(next, left-1, chance)
			return
		}
		if left == 0 || !play.IsOpen() {
			elapsed, _ := play.Output.Get("elapsed")
			remaining, _ := play.Output.Get("remaining")
			key := elapsed.String() + strconv.Quote(play.Status) + remaining.String()
			if into[key] == nil {
				into[key] = new(big.Rat)
			}
			into[key].Add(into[key], chance)
			return
		}
		w := &gametest.Walker{}
		for more := true; more; more = w.Advance() {
			next := play
			if err := next.Do(runtime.Step{Event: "roll", Input: hard, Source: w}, false); err != nil {
				t.Fatal(err)
			}
			once := new(big.Rat).SetFrac(big.NewInt(1), w.Ways())
			follow(next, left-1, once.Mul(once, chance))
		}
	}
	follow(*begun, events, big.NewRat(1, 1))
}

// TestCourseIsTheSameToTheBit follows a task with many open states again and again.
func TestCourseIsTheSameToTheBit(t *testing.T) {
	var q odds.Question
	q.Records[plan.CharacterRoot] = []byte(`{"statistics":{"int":25},"skills":{"navigation":90}}`)
	q.Records[plan.InputRoot] = []byte(`{"name":"navigation","target_value":15}`)
	first := math.NaN()
	for range 20 {
		process, err := markov.NewProcess(vm.NewImage(gametest.Shipped(t, "tempestas").Plan()), "task", runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		course, err := process.Course(q, markov.Policy{{Event: "roll", Input: []byte(`{"difficulty":"hard"}`)}}, 0, 4)
		if err != nil {
			t.Fatal(err)
		}
		last := course.Ends[0].By[len(course.Ends[0].By)-1]
		if math.IsNaN(first) {
			first = last
		}
		if last != first || first == 0 {
			t.Fatalf("the last event ends it with %v, then %v", first, last)
		}
	}
}

func TestPolicyWithoutSense(t *testing.T) {
	p := gametest.Shipped(t, "tempestas")
	process, err := markov.NewProcess(vm.NewImage(p.Plan()), "task", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var q odds.Question
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte(`{"skills":{"navigation":90}}`),
		[]byte(`{"name":"navigation","target_value":5}`)
	if _, err := process.Course(q, markov.Policy{{Event: "dance"}}, 0, 10); err == nil {
		t.Error("an event that there is not happens")
	}
	course, err := process.Course(q, markov.Policy{{Event: "decline"}}, 0, 10)
	if err != nil || len(course.Ends) != 1 || course.Ends[0].Status != markov.Stuck || course.Ends[0].P != 1 {
		t.Errorf("got %+v, %v, want it stuck", course, err)
	}
}

// After any number of events the fractions of all situations add up to 1, and each is the probability beside it.
func TestSituationsAddUp(t *testing.T) {
	process, err := markov.NewProcess(vm.NewImage(gametest.Shipped(t, "tempestas").Plan()), "task", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var q odds.Question
	q.Exact = true
	q.Records[plan.CharacterRoot] = []byte(`{"statistics":{"int":25},"skills":{"navigation":90},"fatigue":4}`)
	q.Records[plan.InputRoot] = []byte(`{"name":"navigation","target_value":5}`)
	policy := markov.Policy{{Event: "decline"}, {Event: "roll", Input: []byte(`{"difficulty":"hard"}`)}}
	for after := 1; after < 6; after++ {
		course, err := process.Course(q, policy, after, 1000)
		if err != nil {
			t.Fatal(err)
		}
		sum := new(big.Rat)
		for _, s := range course.After {
			sum.Add(sum, s.N)
			if p, _ := s.N.Float64(); math.Abs(p-s.P) > 1e-12 {
				t.Errorf("after %d events %s %s has probability %v, as a fraction %v", after, s.Status, s.State, s.P, s.N)
			}
		}
		if len(course.After) < 2 || sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("after %d events %d situations have probability %v together", after, len(course.After), sum)
		}
	}
}

// Outputs after some events need no later event, however many may be followed.
func TestOutputsAfterEventsNeedNoMore(t *testing.T) {
	process, err := markov.NewProcess(vm.NewImage(gametest.Shipped(t, "tempestas").Plan()), "task", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Question{Exact: true, Outputs: []string{"elapsed"}}
	q.Records[plan.CharacterRoot] = []byte(`{"statistics":{"int":25},"skills":{"navigation":90},"fatigue":4}`)
	q.Records[plan.InputRoot] = []byte(`{"name":"navigation","target_value":5}`)
	policy := markov.Policy{{Event: "decline"}, {Event: "roll", Input: []byte(`{"difficulty":"hard"}`)}}
	short, err := process.Course(q, policy, 2, 2)
	if err != nil {
		t.Fatal(err)
	}
	long, err := process.Course(q, policy, 2, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if long.Events != 2 || long.Outputs == nil || !reflect.DeepEqual(long.Outputs.Outcomes(), short.Outputs.Outcomes()) {
		t.Errorf("%d events are followed, and the outputs are %+v, not %+v", long.Events, long.Outputs, short.Outputs)
	}
}

// A state whose list grows with every event ends as outgrown where the list is longer than its declaration allows.
func TestGrowingStateEnds(t *testing.T) {
	p := gametest.Small(t, map[string]string{"walk": `import "list"

procedures: walk: {
	cite: "x"
	#State: {steps: *[] | [...int] & list.MaxItems(3), over: *false | bool}
	events: step: {
		dice: roll: "d6"
		next: {steps: "state.steps + [roll]", over: "roll == 6"}
	}
	ends: over: "state.over"
}`})
	process, err := markov.NewProcess(vm.NewImage(p.Plan()), "walk", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	var q odds.Question
	q.Records[plan.CharacterRoot] = []byte("{}")
	course, err := process.Course(q, markov.Policy{{Event: "step"}}, 1, 200)
	if err != nil {
		t.Fatal(err)
	}
	sum, outgrown := course.Open, 0.0
	for _, e := range course.Ends {
		sum += e.P
		if e.Status == markov.Outgrown {
			outgrown += e.P
		}
	}
	// The fourth step outgrows a list of three, when none before it was a 6.
	if want := math.Pow(5.0/6, 3); math.Abs(sum-1) > 1e-12 || math.Abs(outgrown-want) > 1e-12 {
		t.Errorf("all ends and what is open have probability %v, and the list is outgrown with %v, want 1 and %v", sum, outgrown, want)
	}
}

// What comes of dice that explode further than was followed is a situation of its own, which has no state.
func TestSituationOfUnfollowedDice(t *testing.T) {
	process, q, policy := caseCourse(t, "haze", "sequence", "ambush")
	for after := range 4 {
		course, err := process.Course(q, policy, after+1, after+2)
		if err != nil {
			t.Fatal(err)
		}
		sum := new(big.Rat)
		for _, s := range course.After {
			if sum.Add(sum, s.N); (s.State == "") != (s.Status == "unfollowed") {
				t.Errorf("after %d events: status %s, state %s", after+1, s.Status, s.State)
			}
		}
		if sum.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("after %d events all situations have probability %v", after+1, sum)
		}
	}
}

// A course is the same one again, to the last bit, after another was followed, whatever its process recalls of both and
// has found out that it can put off.
func TestCourseAgain(t *testing.T) {
	for _, c := range []struct {
		ruleset, procedure, name, other string
		events                          int
	}{
		{"tempestas", "contest", "chess_round1", "chess_both_exhausted", 100},
		{"supermen", "arm_wrestling", "arm_wrestling_cheap", "arm_wrestling_two", 100},
		{"hybrid", "injuries", "injuries_shock", "injuries_down", 100},
		{"hybrid", "injuries", "injuries_down", "60_rate", 400}, // beyond fractions, where work is put off
	} {
		process, q, policy := caseCourse(t, c.ruleset, c.procedure, c.name)
		_, other, otherPolicy := caseCourse(t, c.ruleset, c.procedure, c.other)
		first, err := process.Course(q, policy, 0, c.events)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := process.Course(other, otherPolicy, 0, c.events); err != nil {
			t.Fatal(err)
		}
		again, err := process.Course(q, policy, 0, c.events)
		if err != nil {
			t.Fatal(err)
		}
		fresh, q, policy := caseCourse(t, c.ruleset, c.procedure, c.other)
		alone, err := fresh.Course(q, policy, 0, c.events)
		if err != nil {
			t.Fatal(err)
		}
		behind, err := process.Course(q, policy, 0, c.events)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(first, again) || !reflect.DeepEqual(alone, behind) {
			t.Errorf("%s of %s is another course when it is followed again", c.procedure, c.ruleset)
		}
	}
}

// TestWorkThatIsPutOffIsCharged follows a course of many states, none of which is like another, through a long formula. The
// formula is charged in the first states, in which it is not put off, and in all others.
func TestWorkThatIsPutOffIsCharged(t *testing.T) {
	p := gametest.Small(t, map[string]string{"far": `procedures: far: {
		cite: "x"
		#State: n: *0 | int & >=0
		events: go: {
			#Event: {}
			dice: roll: "d6"
			next: n: "state.n + roll + range(100).sum(x, x * (state.n + roll) % 7) % 2"
		}
		ends: done: "state.n >= 1000"
		output: n: "state.n"
	}`})
	process, err := markov.NewProcess(vm.NewImage(p.Plan()), "far", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Question{Outputs: []string{"n"}}
	q.Records[plan.CharacterRoot], q.Records[plan.InputRoot] = []byte("{}"), []byte("{}")
	course, err := process.Course(q, markov.Policy{{Event: "go"}}, 0, 2000)
	if err != nil {
		t.Fatal(err)
	}
	const each = 80 // units of long formulas, for one of the six faces
	if least := int64(course.States) * 6 * (each - 10); course.Outputs.Spent < least {
		t.Errorf("%d states were charged %d, less than %d", course.States, course.Outputs.Spent, least)
	}
}
