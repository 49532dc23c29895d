package eliminate_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// decidedRules are rules with decisions. Each rolls first what is known, and has the output "worth".
var decidedRules = map[string]string{
	// Optional stopping: the best of up to two and of up to three dice has mean 17/4 and 14/3.
	"again": `#Input: again: *false | bool
		dice: {roll: "d6", more: {die: 6, count: "input.again ? 1 : 0", most: 1}}
		decide: again: after: ["roll"]
		output: worth: "input.again ? sum(more) : roll"`,
	"twice": `#Input: {first: *false | bool, second: *false | bool}
		dice: {
			a: "d6"
			b: {die: 6, count: "input.first ? 1 : 0", most: 1}
			c: {die: 6, count: "input.second ? 1 : 0", most: 1}
		}
		decide: {first: after: ["a"], second: {after: ["b"], when: "input.first"}}
		output: worth: "input.second ? sum(c) : input.first ? sum(b) : a"`,
	// The margin may be spent on a bonus or kept; who spends more than there is is refused.
	"spend": `#Input: spend: {bonus: *0 | (int & >=0 & <=6), luck: *0 | (int & >=0 & <=6)}
		dice: {roll: "2d6", more: "d8"}
		let: margin: "roll[0] + roll[1] - 6"
		decide: spend: {after: ["roll"], when: "margin > 0"}
		require: "more than the margin": "input.spend.bonus + input.spend.luck <= max(margin, 0)"
		output: {
			worth: "more + input.spend.bonus >= 8 ? 10 - input.spend.bonus : input.spend.luck * roll[0]"
			left:  "margin - input.spend.bonus - input.spend.luck"
		}`,
	// The number of dice is decided within bounds that the first die gives; a choice of 0 has no value.
	"dice": `#Input: extra: *1 | (int & >=0 & <=4)
		dice: {roll: "d4", more: {die: 6, count: "input.extra", most: 4}}
		decide: extra: {after: ["roll"], least: "0", most: "roll"}
		output: {worth: "div_floor(60, input.extra) - sum(more) * roll", most: "max(more)"}`,
	"kind": `#Input: side: *"left" | "right" | "none"
		dice: {a: "2d4", b: "d6"}
		decide: side: after: ["a"]
		output: {
			worth: "input.side == 'left' ? a[0] * 2 : input.side == 'right' ? b + a[1] : 5"
			side:  "input.side"
		}`,
}

func decidedGame(t *testing.T) *runtime.Program {
	t.Helper()
	files := map[string]string{}
	for id, body := range decidedRules {
		files[id] = "rules: " + id + ": {cite: \"x\", " + body + "}"
	}
	return gametest.Small(t, files)
}

// worthOf is the output of that name.
func worthOf(names []string) func(*odds.Outcome) (float64, error) {
	return func(o *odds.Outcome) (float64, error) {
		return float64(o.Values[slices.Index(names, "worth")].Int()), nil
	}
}

func oddsUnder(t *testing.T, p *runtime.Program, id string, s odds.Strategy) *odds.Joint {
	t.Helper()
	rule, err := eliminate.NewDecidedRule(vm.NewImage(p.Plan()), id, runtime.Choice{}, s)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	q := odds.Question{Exact: true}
	q.Records[plan.CharacterRoot] = []byte(`{"strength":2}`)
	j, err := rule.Odds(q)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	sum := new(big.Int)
	for _, o := range j.Outcomes() {
		sum.Add(sum, o.N)
	}
	for _, e := range j.Endings() {
		sum.Add(sum, e.N)
	}
	if sum.Cmp(j.Den) != 0 {
		t.Errorf("%s: all have probability %v/%v", id, sum, j.Den)
	}
	return j
}

// The best choices of known problems have their known means.
func TestBestChoiceOfKnownProblems(t *testing.T) {
	p := decidedGame(t)
	for _, c := range []struct {
		id, mean string
		paths    []string
	}{
		{"again", "17/4", []string{"again"}},
		{"twice", "14/3", []string{"first", "second"}},
	} {
		s := odds.Strategy{Worth: worthOf([]string{"worth"})}
		for _, path := range c.paths {
			s.Choices = append(s.Choices, odds.Choice{Path: path})
		}
		if mean := oddsUnder(t, p, c.id, s).Marginal("worth").ExactMean(); mean.RatString() != c.mean {
			t.Errorf("%s: the mean is %v, want %s", c.id, mean, c.mean)
		}
	}
}

// A listed is a rule with all that may be decided in it, for a listing of all choices.
type listed struct {
	id      string
	paths   []string
	inputs  []string // all that may be decided
	early   int      // faces that have fallen
	outputs []string
}

var decidedListings = []listed{
	{"spend", []string{"spend.bonus", "spend.luck"}, spendInputs(), 2, []string{"worth", "left"}},
	{"dice", []string{"extra"}, []string{`{"extra":0}`, `{"extra":1}`, `{"extra":2}`, `{"extra":3}`, `{"extra":4}`}, 1,
		[]string{"worth", "most"}},
	{"kind", []string{"side"}, []string{`{"side":"left"}`, `{"side":"right"}`, `{"side":"none"}`}, 2,
		[]string{"worth", "side"}},
}

func spendInputs() (out []string) {
	for bonus := range 7 {
		for luck := range 7 {
			out = append(out, strings.NewReplacer("B", string(rune('0'+bonus)), "L", string(rune('0'+luck))).Replace(
				`{"spend":{"bonus":B,"luck":L}}`))
		}
	}
	return out
}

// The best choice is worth as much as the best one that a listing of all choices and all ways finds.
func TestBestChoiceAgainstEveryWay(t *testing.T) {
	p := decidedGame(t)
	for _, c := range decidedListings {
		s := odds.Strategy{Worth: worthOf(c.outputs)}
		for _, path := range c.paths {
			s.Choices = append(s.Choices, odds.Choice{Path: path})
		}
		j := oddsUnder(t, p, c.id, s)
		got := 0.0
		for _, o := range j.Outcomes() {
			got += o.P * float64(o.Values[0].Int())
		}
		if want := bestByListing(t, p, c); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: the best choice is worth %v, by all ways %v", c.id, got, want)
		}
	}
}

// bestByListing is what the best choice for each way in which the early dice fall is worth.
func bestByListing(t *testing.T, p *runtime.Program, c listed) (worth float64) {
	t.Helper()
	rule, err := p.Rule(c.id, runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	type result struct{ mass, worth float64 }
	byEarly := map[string][]result{}
	for k, input := range c.inputs {
		w := &gametest.Walker{}
		for more := true; more; more = w.Advance() {
			sheet, err := rule.Eval(runtime.Request{Character: []byte(`{"strength":2}`), Input: []byte(input), Source: w})
			early := ""
			for _, f := range w.Faces()[:c.early] {
				early += string(rune('0' + f))
			}
			if byEarly[early] == nil {
				byEarly[early] = make([]result, len(c.inputs))
			}
			if err == nil {
				v, _ := sheet.Output.Get("worth")
				byEarly[early][k].mass += w.P()
				byEarly[early][k].worth += w.P() * float64(v.Int())
			}
		}
	}
	for _, results := range byEarly {
		best := slices.MaxFunc(results, func(a, b result) int {
			switch {
			case math.Abs(a.mass-b.mass) > 1e-12:
				return int(math.Copysign(1, a.mass-b.mass))
			case a.worth > b.worth:
				return 1
			case a.worth < b.worth:
				return -1
			}
			return 0
		})
		worth += best.worth
	}
	return worth
}

// A prefixed source shows some faces first and then those of a walk.
type prefixed struct {
	first []int64
	next  int
	rest  *gametest.Walker
}

func (s *prefixed) Face(d *dice.Draw) (int64, error) {
	if s.next < len(s.first) {
		s.next++
		return s.first[s.next-1], nil
	}
	return s.rest.Face(d)
}

func (s *prefixed) Rest() error { return nil }

// A formula over what is known decides as a listing does in which the choice follows from the early dice.
func TestStrategyAgainstEveryWay(t *testing.T) {
	p := decidedGame(t)
	for _, c := range []struct {
		id, path, read string
		early          []int64 // faces of the early dice
		decide         func(known int64) int64
		input          func(early []int64) string
	}{
		{
			id: "spend", path: "spend.bonus", read: "margin", early: []int64{6, 6},
			decide: func(margin int64) int64 { return max(0, margin-1) },
			input: func(early []int64) string {
				return fmt.Sprintf(`{"spend":{"bonus":%d}}`, max(0, early[0]+early[1]-7))
			},
		},
		{
			id: "dice", path: "extra", read: "roll", early: []int64{4},
			decide: func(roll int64) int64 { return roll / 2 },
			input:  func(early []int64) string { return fmt.Sprintf(`{"extra":%d}`, early[0]/2) },
		},
	} {
		choice := odds.Choice{Path: c.path, Reads: []string{c.read}}
		choice.Options = func(_ odds.Records, known []runtime.Value) ([]runtime.Value, error) {
			return []runtime.Value{jsonio.IntValue(c.decide(known[0].Int()))}, nil
		}
		j := oddsUnder(t, p, c.id, odds.Strategy{Choices: []odds.Choice{choice}})
		got, _ := distribution(j)
		rule, err := p.Rule(c.id, runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]float64{}
		early := &gametest.Walker{}
		for more := true; more; more = early.Advance() {
			for _, n := range c.early {
				if _, err := early.Face(&dice.Draw{Die: &plan.Die{}, Faces: n}); err != nil {
					t.Fatal(err)
				}
			}
			input := c.input(early.Faces())
			w := &gametest.Walker{}
			for again := true; again; again = w.Advance() {
				sheet, err := rule.Eval(runtime.Request{
					Character: []byte(`{"strength":2}`), Input: []byte(input),
					Source: &prefixed{first: early.Faces(), rest: w},
				})
				key := ""
				if err != nil {
					key = said(t, err)
				} else {
					decided := strings.TrimRight(input[strings.IndexAny(input, "0123456789"):], "}")
					key = strings.TrimSuffix(sheet.Output.String(), "}") + `,"` + c.path + `":` + decided + "}"
				}
				want[key] += early.P() * w.P()
			}
		}
		for key, p := range want {
			if math.Abs(got[key]-p) > 1e-12 {
				t.Errorf("%s: %s has probability %v, of all ways %v", c.id, key, got[key], p)
			}
			delete(got, key)
		}
		if len(got) > 0 {
			t.Errorf("%s: %v of all ways have no probability", c.id, got)
		}
	}
}
