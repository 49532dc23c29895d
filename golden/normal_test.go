package golden_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// normal is a plan with the normal forms of its graphs.
func normal(p *plan.Plan) *plan.Plan {
	out := *p
	out.Rules, out.Procedures = slices.Clone(p.Rules), slices.Clone(p.Procedures)
	for i := range out.Rules {
		r := &out.Rules[i]
		b := p.RuleBody(r)
		r.Graph = *schedule.Normal(p, &r.Graph, b.Shapes)
	}
	for i := range out.Procedures {
		d := &out.Procedures[i]
		steps := p.Steps(d)
		of := func(k int) plan.Graph { return *schedule.Normal(p, steps[k].Graph, steps[k].Shapes) }
		d.Start, d.Close = of(0), of(len(steps)-1)
		d.Events = slices.Clone(d.Events)
		for k := range d.Events {
			d.Events[k].Graph = of(k + 1)
		}
	}
	return &out
}

// TestNormalAnswersAlike plays the normal forms, which comparisons of revisions rely on: the cases that ship, and every
// rule for characters and inputs that are drawn at random, answer as the graphs that they were made of.
func TestNormalAnswersAlike(t *testing.T) {
	plans := gametest.ShippedPlans(t)
	if len(plans) != len(books) {
		t.Fatalf("%d rulesets compile, not %d", len(plans), len(books))
	}
	for _, p := range plans {
		was, is := runtime.New(p), runtime.New(normal(p))
		cases, err := golden.Load(os.DirFS("."), p.Ruleset, p.Ruleset)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			if c.Kind != golden.RuleCase && c.Kind != golden.ProcedureCase {
				continue
			}
			if want, got := answer(was, c, schedule.PassNames()), answer(is, c, schedule.PassNames()); got != want {
				t.Errorf("%s/%s:\n got %s\nwant %s", p.Ruleset, c.Name, got, want)
			}
		}
		for i := range p.Rules {
			normalRule(t, p, &p.Rules[i], was, is)
		}
	}
}

func normalRule(t *testing.T, p *plan.Plan, r *plan.Rule, was, is *runtime.Program) {
	s := sampler{rand.New(rand.NewPCG(7, uint64(len(p.Rules))))}
	var characters [][]byte
	for range 12 {
		characters = append(characters, []byte(s.value(p.Character)))
	}
	for n := range uint64(3) {
		input := []byte(s.value(r.Input))
		want := under(t, was, r.ID, schedule.PassNames(), characters, input, n)
		got := under(t, is, r.ID, schedule.PassNames(), characters, input, n)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("%s %s: %s with %s\n got %s\nwant %s", p.Ruleset, r.ID, characters[i], input, got[i], want[i])
			}
		}
	}
}
