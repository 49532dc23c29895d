package golden_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A sampler draws JSON that mostly fits a shape, and now and then does not.
type sampler struct{ *rand.Rand }

func (s sampler) value(of *plan.Shape) string {
	switch of.Kind {
	case plan.Int:
		return strconv.Itoa(s.number(of))
	case plan.Double:
		return fmt.Sprintf("%d.%d", s.number(of), 5*s.IntN(2))
	case plan.Bool:
		return strconv.FormatBool(s.IntN(2) == 1)
	case plan.String:
		return strconv.Quote(s.text(of))
	case plan.List:
		return s.list(of)
	}
	return s.object(of)
}

func (s sampler) number(of *plan.Shape) int {
	low, high := -40, 120
	if of.Min != nil {
		low = int(of.Min.Value)
		high = low + 100
	}
	if of.Max != nil {
		high = int(of.Max.Value)
		low = max(low, high-1000)
	}
	if s.IntN(200) == 0 {
		return low - 1
	}
	return low + s.IntN(high-low+1)
}

func (s sampler) text(of *plan.Shape) string {
	if len(of.Enum) > 0 {
		return of.Enum[s.IntN(len(of.Enum))]
	}
	return []string{"", "navigation", "é"}[s.IntN(3)]
}

func (s sampler) list(of *plan.Shape) string {
	n := min(of.MinItems+s.IntN(4), of.MaxItems)
	var out []string
	for range n {
		out = append(out, s.value(of.Elem))
	}
	return "[" + strings.Join(out, ",") + "]"
}

func (s sampler) object(of *plan.Shape) string {
	var out []string
	member := func(name string, shape *plan.Shape) {
		out = append(out, strconv.Quote(name)+":"+s.value(shape))
	}
	var named []string
	for _, m := range of.Fields {
		named = append(named, m.Name)
		if m.Default == "" && !m.Optional || s.IntN(3) > 0 {
			member(m.Name, m.Shape)
		}
	}
	for _, k := range of.Keys {
		if !slices.Contains(named, k) && s.IntN(3) > 0 {
			member(k, of.Elem)
		}
	}
	if of.Kind == plan.Map && of.Keys == nil {
		for _, k := range []string{"navigation", "stealth", "climbing"}[:s.IntN(4)] {
			member(k, of.Elem)
		}
	}
	return "{" + strings.Join(out, ",") + "}"
}

// evaluated is what Eval says of each character.
func evaluated(rule *runtime.Rule, characters [][]byte, input []byte, seed uint64) (out []string) {
	for i, c := range characters {
		sheet, err := rule.Eval(runtime.Request{Character: c, Input: input, Throw: dice.DrawnFrom(seed), Record: uint64(i)})
		if err != nil {
			out = append(out, err.Error())
			continue
		}
		out = append(out, string(sheet.AppendJSON(nil)))
	}
	return out
}

// batched is what a batch says of each character.
func batched(t *testing.T, rule *runtime.Rule, characters [][]byte, o runtime.BatchOptions) (out []string) {
	b, err := rule.Batch(o)
	if err != nil {
		t.Fatal(err)
	}
	for sheet, err := range b.All(slices.Values(characters)) {
		if err != nil {
			out = append(out, err.Error())
		} else {
			out = append(out, string(sheet))
		}
	}
	return out
}

// TestBatchAgreesWithEval evaluates every rule that ships for characters that are drawn at random, together and one by one.
func TestBatchAgreesWithEval(t *testing.T) {
	plans := gametest.ShippedPlans(t)
	answered, columnar := 0, 0
	for _, p := range plans {
		program := runtime.New(p)
		for i := range p.Rules {
			rule, err := program.Rule(p.Rules[i].ID, runtime.Choice{})
			if err != nil {
				t.Fatal(err)
			}
			sheets, byColumns := agree(t, p, rule, p.Rules[i].Input)
			answered += sheets
			if byColumns {
				columnar++
			}
		}
	}
	t.Logf("%d sheets, %d rules by columns", answered, columnar)
	if answered < 10_000 || columnar < 20 {
		t.Errorf("%d sheets and %d rules by columns: the samples show little", answered, columnar)
	}
}

// agree compares a rule for a number of inputs, and counts the sheets.
func agree(t *testing.T, p *plan.Plan, rule *runtime.Rule, shape *plan.Shape) (sheets int, byColumns bool) {
	s := sampler{rand.New(rand.NewPCG(1, uint64(len(p.Rules))))}
	var characters [][]byte
	for range 60 {
		characters = append(characters, []byte(s.value(p.Character)))
	}
	for n := range uint64(12) {
		input := []byte(s.value(shape))
		b, err := rule.Batch(runtime.BatchOptions{Input: input})
		if err != nil {
			continue
		}
		byColumns = b.ByColumns()
		want := evaluated(rule, characters, input, n)
		for workers := 1; workers <= 3; workers += 2 {
			got := batched(t, rule, characters, runtime.BatchOptions{Input: input, Seed: n, Workers: workers})
			if len(got) != len(want) {
				t.Fatalf("%s: %d answers of %d", p.Ruleset, len(got), len(want))
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%s: record %d: %s with %s\n got %s\nwant %s", p.Ruleset, i, characters[i], input, got[i], want[i])
				}
				if workers == 1 && bytes.HasPrefix([]byte(want[i]), []byte("{")) {
					sheets++
				}
			}
		}
	}
	return sheets, byColumns
}
