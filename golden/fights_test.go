package golden_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	goruntime "runtime"
	"slices"
	"sync"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// fights is how many small fights are both followed and drawn; .ci/long takes 500.
var fights = flag.Int("fights", 10, "follow and draw so many small fights")

// duels returns the procedure of fights that the tests follow.
var duels = sync.OnceValue(func() *runtime.Procedure {
	plans, diags := compiler.Release(load.Source{FS: os.DirFS("games/srd52")}, compiler.Options{})
	if plans == nil {
		panic(diags)
	}
	d, err := runtime.New(plans[0]).Procedure("fight", runtime.Choice{})
	if err != nil {
		panic(err)
	}
	return d
})

// turns is the policy of a fight in which everybody attacks.
func turns() (runtime.Policy, error) { return runtime.Policy{{Event: "turn"}}, nil }

// nobody is a character that no fight reads, with so many hit points.
func nobody(strength, hitPoints int) string {
	return fmt.Sprintf(`{"abilities": {"str": %d, "dex": 10, "con": 10, "int": 10, "wis": 10, "cha": 10}, "hit_points": %d}`,
		strength, hitPoints)
}

// fightOf returns the request of a fight of so many against so many.
func fightOf(ours, theirs int, fighter func() string) runtime.Request {
	side := func(n int) string {
		out := fighter()
		for range n - 1 {
			out += "," + fighter()
		}
		return "[" + out + "]"
	}
	return runtime.Request{Character: []byte(nobody(10, 10)),
		Input: fmt.Appendf(nil, `{"ours": %s, "theirs": %s}`, side(ours), side(theirs))}
}

// draw draws plays of a fight.
func draw(t *testing.T, q runtime.Request, plays int, seed uint64, policy func() (runtime.Policy, error),
	outputs ...string) *runtime.Course {
	t.Helper()
	c, err := duels().PrepareOdds(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	course, err := c.Sample(context.Background(), q, runtime.Sampling{Seed: seed, Plays: plays, Policy: policy},
		&runtime.CourseOptions{Outputs: outputs})
	if err != nil {
		t.Fatal(err)
	}
	return course
}

// Drawn fights end as followed ones do: by the square of their distance in standard deviations, which has the mean 1 over
// many fights, and no distance is one of which a run of all fights has none in ten thousand.
func TestDrawnFightsAgreeWithExactOdds(t *testing.T) {
	const plays = 2_000
	random := rand.New(rand.NewPCG(39, 0))
	weapons := []string{"club", "dagger", "javelin", "longsword"}
	squares, counted := 0.0, 0
	for n := range *fights {
		q := fightOf(1+n%2, 1, func() string {
			return fmt.Sprintf(`{"who": %s, "weapon": "%s", "armor_class": %d}`, nobody(8+random.IntN(8), 1+random.IntN(5)),
				weapons[random.IntN(len(weapons))], 8+random.IntN(10))
		})
		policy, _ := turns()
		exact, err := duels().Odds(context.Background(), q, policy, nil)
		if err != nil {
			t.Fatal(err)
		}
		drawn := draw(t, q, plays, uint64(n), turns)
		if len(exact.Ends) != 2 || !exact.Solved {
			t.Fatalf("%s: it ends in %d ways", q.Input, len(exact.Ends))
		}
		at := slices.IndexFunc(exact.Ends, func(e runtime.CourseEnd) bool { return e.Status == "won" })
		p, share := exact.Ends[at].P, 0.0
		for _, e := range drawn.Ends {
			if e.Status == "won" {
				share = e.P
			}
		}
		if p*plays < 10 || (1-p)*plays < 10 {
			continue // too few for a normal distribution
		}
		z := (share - p) / math.Sqrt(p*(1-p)/plays)
		if math.Abs(z) > 5 {
			t.Errorf("%s: %v of the drawn fights are won, and the chance is %v, %.1f deviations from it", q.Input, share, p, z)
		}
		squares += z * z
		counted++
	}
	if counted < *fights/2 {
		t.Fatalf("only %d of %d fights have a chance that is neither near 0 nor near 1", counted, *fights)
	}
	if mean, most := squares/float64(counted), 1+5*math.Sqrt(2/float64(counted)); mean > most {
		t.Errorf("the squares of %d distances have the mean %.2f, at most %.2f is likely", counted, mean, most)
	}
	t.Logf("%d fights, the squares of their distances have the mean %.3f", counted, squares/float64(counted))
}

// Each drawn fight is the play that the same dice give, and its outputs are those of that play: also where the moves of the
// policy have guards and inputs that read the state.
func TestDrawnFightsArePlays(t *testing.T) {
	const plays, seed = 40, 7
	q := fightOf(2, 3, func() string {
		return fmt.Sprintf(`{"who": %s, "weapon": "longsword", "armor_class": 12}`, nobody(12, 6))
	})
	policy := func() (runtime.Policy, error) {
		return runtime.Policy{
			{Event: "turn", Guard: func(_, _, state []byte) (bool, error) { return len(state)%2 == 0, nil }},
			{Event: "turn", Inputs: func(_, _, state []byte) ([][]byte, error) { return [][]byte{[]byte("{}")}, nil }},
		}, nil
	}
	won, events := map[string]int{}, 0
	left := map[string]int{}
	for n := range uint64(plays) {
		q.Source = dice.FromSeed(seed, n, 0)
		play, err := duels().Start(q)
		for k := uint64(1); err == nil && play.IsOpen(); k++ {
			err = play.Do(runtime.Step{Event: "turn", Source: dice.FromSeed(seed, n, k)}, false)
		}
		if err != nil {
			t.Fatal(err)
		}
		won[play.Status]++
		events += len(play.Events)
		v, _ := play.Output.Get("left")
		left[v.String()]++
	}
	q.Source = nil
	drawn := draw(t, q, plays, seed, policy, "left")
	for _, e := range drawn.Ends {
		if e.Count != won[e.Status] {
			t.Errorf("%d drawn fights are %s, and %d plays", e.Count, e.Status, won[e.Status])
		}
	}
	if want := float64(events) / plays; math.Abs(drawn.Mean-want) > 1e-9 {
		t.Errorf("drawn fights have %v events, plays %v", drawn.Mean, want)
	}
	m := drawn.Outputs.Marginal("left")
	for i, v := range m.Values {
		if got := m.P[i] * plays; math.Abs(got-float64(left[v.String()])) > 1e-9 {
			t.Errorf("%v drawn fights leave %s hit points, and %d plays", got, v, left[v.String()])
		}
	}
}

// Who shares the work makes no difference: every chance, every event and every output is the same to the bit.
func TestDrawnFightsAreTheSameOnAnyProcessors(t *testing.T) {
	q := fightOf(2, 2, func() string {
		return fmt.Sprintf(`{"who": %s, "weapon": "maul", "armor_class": 13}`, nobody(14, 20))
	})
	write := func(processors int) string {
		defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(processors))
		c := draw(t, q, 700, 3, turns, "left", "rounds", "status")
		return fmt.Sprintf("%v %v %v", c.Ends, c.Mean, c.Outputs.Outcomes())
	}
	one := write(1)
	for _, processors := range []int{2, 5} {
		if got := write(processors); got != one {
			t.Errorf("%d processors: %s\none: %s", processors, got, one)
		}
	}
}

// An error of a play ends the run, and names the first play that has it; so does a context that ends.
func TestDrawingStops(t *testing.T) {
	q := fightOf(1, 1, func() string {
		return fmt.Sprintf(`{"who": %s, "weapon": "club", "armor_class": 10}`, nobody(10, 4))
	})
	c, err := duels().PrepareOdds(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no value")
	policy := func() (runtime.Policy, error) {
		return runtime.Policy{{Event: "turn", Guard: func(_, _, _ []byte) (bool, error) { return false, broken }}}, nil
	}
	_, err = c.Sample(context.Background(), q, runtime.Sampling{Seed: 2, Plays: 500, Policy: policy}, &runtime.CourseOptions{})
	if !errors.Is(err, broken) || err.Error() != "play 0 of seed 2: no value" {
		t.Errorf("a broken guard gives %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err = c.Sample(ctx, q, runtime.Sampling{Plays: 1_000_000, Policy: turns, Progress: func(int) { cancel() }},
		&runtime.CourseOptions{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a run that is canceled gives %v", err)
	}
}
