package eliminate_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

var (
	randomRules = flag.Int("rules", 40, "how many random rules TestRandomRules compares with all ways")
	randomSeed  = flag.Uint64("rules-seed", 14, "the seed of their first game")
)

// rulesOfGame is how many rules are compiled together.
const rulesOfGame = 100

// Random small rules have the distribution that all ways in which their dice can fall give, as probabilities and as
// fractions, however their lists are met. Games of three kinds take turns: rules with dice of all kinds (chains that
// explode, kept dice, repeated rolls, uses of each other), rules whose lists are met by the counts of their faces, and
// pairs of sorted lists.
func TestRandomRules(t *testing.T) {
	compared, made, special := 0, 0, 0
	for game := 0; made < *randomRules; game++ {
		seed := *randomSeed + uint64(game)
		kind := game % 3
		var p *runtime.Program
		texts := map[string]string{}
		if kind == 2 {
			random := rand.New(rand.NewPCG(seed, 0))
			files := map[string]string{}
			for i := range rulesOfGame {
				id := fmt.Sprintf("pairs%d", i)
				files[id] = "rules: " + id + ": {cite: \"x\", " + pairRule(random) + "}"
				texts[id] = files[id]
			}
			p = gametest.Small(t, files)
		} else {
			var rules []*madeRule
			p, rules = generatedGame(t, seed, rulesOfGame, kind == 1)
			for _, r := range rules {
				texts[r.id] = r.text
			}
		}
		for id, text := range texts {
			made++
			if isSpecialRule(text) {
				special++
			}
			compared += compareRandomRule(t, p, id, text, kind)
			if t.Failed() {
				t.Fatalf("seed %d: %s differs", seed, text)
			}
		}
	}
	t.Logf("%d questions of %d rules were compared, of which %d keep, explode or have several sources", compared, made,
		special)
	if 2*special < made {
		t.Errorf("only %d of %d rules keep dice, explode or have several sources", special, made)
	}
	if compared < made {
		t.Errorf("only %d questions of %d rules have few enough ways to be compared", compared, made)
	}
}

// isSpecialRule reports whether a rule keeps some of its dice, has dice that explode, or has several sources of faces.
func isSpecialRule(text string) bool {
	return strings.Count(text, "dice: ")+strings.Count(text, "use: ") > 1 ||
		strings.Contains(text, "explode: ") || strings.Contains(text, "sort(")
}

// compareRandomRule compares a rule under the inputs that its game has, and gives how many have few enough ways.
func compareRandomRule(t *testing.T, p *runtime.Program, id, text string, kind int) (compared int) {
	t.Helper()
	prepare, inputs := eliminate.NewExpandedRule, []string{`{}`, `{"n":3,"b":false,"s":"c"}`, `{"n":0,"s":"b"}`}
	switch kind {
	case 0:
		prepare = eliminate.NewRule
	case 2:
		inputs = inputs[:1]
	}
	rule, err := prepare(vm.NewImage(p.Plan()), id, runtime.Choice{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, input := range inputs {
		c := &golden.Case{Name: text + input, Subject: id, Character: []byte(`{"strength":2}`), Input: []byte(input)}
		if kind == 2 {
			c.Character = []byte("{}")
		}
		if want, short, ok := everyWay(t, p, c, 40_000); ok {
			compareRule(t, rule, c, want, short)
			compared++
			under, err := rule.RuleUnder(odds.Records{plan.CharacterRoot: c.Character, plan.InputRoot: c.Input})
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if under != nil {
				c.Name += ", given"
				compared++
				compareRule(t, under, c, want, short)
			}
		}
	}
	return compared
}
