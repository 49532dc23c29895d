package golden_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// everyPass is for long runs: a case is played without each pass, and not only without every sixth.
var everyPass = flag.Bool("every-pass", false,
	"leave out each pass for every case; by default a case leaves out one pass in six")

// withouts are the ways to leave passes out that are compared with leaving out all of them: none, and each alone.
func withouts() [][]string {
	out := [][]string{nil}
	for _, name := range schedule.PassNames() {
		out = append(out, []string{name})
	}
	return out
}

// pairs are the ways to leave out two passes.
func pairs() (out [][]string) {
	names := schedule.PassNames()
	for i, a := range names {
		for _, b := range names[i+1:] {
			out = append(out, []string{a, b})
		}
	}
	return out
}

// TestPassesKeepCases plays every case that ships, and without -whole one in two, with and without the passes: a case
// without every sixth, so that six cases that follow each other have left out all.
func TestPassesKeepCases(t *testing.T) {
	for _, p := range gametest.ShippedPlans(t) {
		cases, err := golden.Load(os.DirFS("."), p.Ruleset, p.Ruleset)
		if err != nil {
			t.Fatal(err)
		}
		program := runtime.New(p)
		played := 0
		for _, c := range cases {
			if c.Kind != golden.RuleCase && c.Kind != golden.ProcedureCase {
				continue
			}
			played++
			if !portion.Takes(played, 2) && !*everyPass {
				continue
			}
			want := answer(program, c, schedule.PassNames())
			for i, without := range withouts() {
				if i%6 != played/portion.Of(2, 1)%6 && !*everyPass {
					continue
				}
				if got := answer(program, c, without); got != want {
					t.Errorf("%s/%s without %v:\n got %s\nwant %s", p.Ruleset, c.Name, without, got, want)
				}
			}
		}
		if played < 10 {
			t.Errorf("%s: %d cases show little", p.Ruleset, played)
		}
	}
}

func answer(program *runtime.Program, c *golden.Case, without []string) string {
	sheet, err := golden.Evaluate(program, c, runtime.Choice{Options: c.Options, Without: without})
	if err != nil {
		return err.Error()
	}
	return string(sheet)
}

// TestPassesKeepRules evaluates every rule that ships for characters and inputs that are drawn at random; without -whole one
// in three.
func TestPassesKeepRules(t *testing.T) {
	for _, p := range gametest.ShippedPlans(t) {
		program := runtime.New(p)
		for i := range p.Rules {
			if portion.Takes(i, 3) {
				keepRule(t, p, program, &p.Rules[i], sample{2, 20, 4}, withouts())
			}
		}
	}
}

// TestPairsOfPassesKeepRules does so without any two of them.
func TestPairsOfPassesKeepRules(t *testing.T) {
	if testing.Short() {
		t.Skip("each rule is scheduled for each pair of passes")
	}
	for _, p := range gametest.ShippedPlans(t) {
		program := runtime.New(p)
		for i := range p.Rules {
			if portion.Takes(i, 6) {
				keepRule(t, p, program, &p.Rules[i], sample{3, 6, 1}, pairs())
			}
		}
	}
}

// A sample says how many characters and inputs are drawn, and from which seed.
type sample struct{ seed, characters, inputs uint64 }

func keepRule(t *testing.T, p *plan.Plan, program *runtime.Program, r *plan.Rule, of sample, ways [][]string) {
	s := sampler{rand.New(rand.NewPCG(of.seed, uint64(len(p.Rules))))}
	var characters [][]byte
	for range of.characters {
		characters = append(characters, []byte(s.value(p.Character)))
	}
	for n := range of.inputs {
		input := []byte(s.value(r.Input))
		want := under(t, program, r.ID, schedule.PassNames(), characters, input, n)
		for _, without := range ways {
			got := under(t, program, r.ID, without, characters, input, n)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%s %s without %v: %s with %s\n got %s\nwant %s", p.Ruleset, r.ID, without, characters[i], input, got[i],
						want[i])
				}
			}
		}
	}
}

// under evaluates a rule without passes.
func under(t *testing.T, program *runtime.Program, id string, without []string, characters [][]byte, input []byte,
	seed uint64) []string {
	rule, err := program.Rule(id, runtime.Choice{Without: without})
	if err != nil {
		t.Fatal(err)
	}
	return evaluated(rule, characters, input, seed)
}
