package compiler_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/interval"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/notation"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A writtenDice is dice as people write them, in a rule and on their own.
type writtenDice struct {
	text string
	rule string // whose output is what the dice come to
	own  *dice.Expression
}

// notated compiles a ruleset with a rule for each text. What a plain group comes to is the sum of its faces.
func notated(t testing.TB, texts []string) (*runtime.Program, []writtenDice) {
	t.Helper()
	var rules strings.Builder
	var all []writtenDice
	for i, text := range texts {
		e, err := dice.ParseExpression(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		value := "roll"
		if g := e.Plain(); g != nil && g.Listed {
			value = "sum(roll)"
		}
		n := writtenDice{text, fmt.Sprint("r", i), e}
		fmt.Fprintf(&rules, "rules: %s: {cite: \"x\", dice: roll: %q, output: total: %q}\n", n.rule, text, value)
		all = append(all, n)
	}
	files := gameTree(t, nil)
	files["game/game.cue"] = &fstest.MapFile{Data: []byte(
		strings.Replace(gameHead, "#Character: strength!: int", "#Character: {}", 1) + rules.String())}
	p, diags := compiler.Directory(load.Source{FS: files}, "game", compiler.Options{})
	for _, d := range diags {
		if d.Code != "dice-meaning" && d.Code != "dice-dialect" { // it plays all the same
			t.Error(d.String())
		}
	}
	if p == nil {
		t.FailNow()
	}
	if err := plan.Verify(p); err != nil {
		t.Fatal(err)
	}
	return runtime.New(p), all
}

// random writes a sum of up to three terms with modifiers, which the notation admits.
func random(r *rand.Rand) string {
	for {
		text := randomTerm(r)
		for range r.IntN(3) {
			text += []string{" + ", "-", "+", " - "}[r.IntN(4)] + randomTerm(r)
		}
		if e, err := dice.ParseExpression(text); err == nil && e.Dice() {
			return text
		}
	}
}

func randomTerm(r *rand.Rand) string {
	if r.IntN(5) == 0 {
		return fmt.Sprint(r.IntN(20))
	}
	count, faces := r.IntN(5), 2+r.IntN(7)
	text := ""
	if count > 0 {
		text = fmt.Sprint(count)
	}
	text += fmt.Sprint("d", faces)
	some := func(format string, args ...any) {
		if r.IntN(3) == 0 {
			text += fmt.Sprintf(format, args...)
		}
	}
	comparison := func() string {
		return []string{"", "=", "<", "<=", ">", ">="}[r.IntN(6)] + fmt.Sprint(1+r.IntN(faces))
	}
	some("r%s%s", []string{"", "o"}[r.IntN(2)], comparison())
	some("!%s", []string{"", comparison()}[r.IntN(2)])
	some("%s%d", []string{"k", "kh", "kl", "dh", "dl"}[r.IntN(5)], r.IntN(max(1, count)+1))
	some("%s%d", []string{"=", "<", "<=", ">", ">="}[r.IntN(5)], 1+r.IntN(2*faces))
	return text
}

// Dice in a rule fall and come to the same as the same notation does alone: with the faces of a seed and, when these are
// given back by id, again; with every pass and with none.
func TestNotationInRules(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	var texts []string
	for range 150 {
		texts = append(texts, random(r))
	}
	program, all := notated(t, texts)
	for _, n := range all {
		for _, without := range [][]string{nil, schedule.PassNames()} {
			rule, err := program.Rule(n.rule, runtime.Choice{Without: without})
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(20) {
				n.play(t, rule, seed)
			}
		}
	}
}

func (n *writtenDice) play(t *testing.T, rule *runtime.Rule, seed uint64) {
	t.Helper()
	total, results, err := n.own.Roll(dice.FromSeed(seed, 0, 0))
	if err != nil {
		t.Fatalf("%s: %v", n.text, err)
	}
	var faces []int64
	for _, r := range results {
		faces = append(faces, r.Faces...)
	}
	want := dice.Rolls{{ID: "roll", Faces: faces}}
	for _, from := range []dice.Source{dice.FromSeed(seed, 0, 0), dice.FromList(faces),
		dice.ByID(map[string][]int64{"roll": faces})} {
		sheet, err := rule.Eval(runtime.Request{Character: []byte(`{}`), Source: from})
		if err != nil {
			t.Fatalf("%s with %v: %v", n.text, faces, err)
		}
		if got := sheet.Output.String(); got != fmt.Sprintf(`{"total":%d}`, total) || !reflect.DeepEqual(sheet.Dice, want) {
			t.Errorf("%s with %v: got %s and %v, want %d", n.text, faces, got, sheet.Dice, total)
		}
	}
}

// The interval of a sum is what the notation says of its bounds, which TestBounds holds.
func TestNotationIsBounded(t *testing.T) {
	program, all := notated(t, []string{
		"4d6kh3", "4d6mi2", "4d6mi3kh3", "4d6mi2kl1", "3d6!mi2", "5d6mi3>=3", "d8mi2 + 1", "2d20kh1 + 2", "2d20kl1", "8d6>=6",
		"100d6>=5", "d6!", "3d10r<=2", "3d10ro<=2", "10 - 2d6", "4d6dh4 + 1", "6d6kh3=6", "d6>=4 - d8!>=3",
	})
	for i, n := range all {
		g := &program.Plan().Rules[i].Graph
		least, most := n.own.Bounds()
		got := interval.Analyse(program.Plan(), g, [plan.NumRoots]*plan.Shape{})[g.Outputs.Fields[0].ID]
		if got.Min != least || got.Max != most {
			t.Errorf("%s: the plan says %d to %d, the notation %d to %d", n.text, got.Min, got.Max, least, most)
		}
	}
}

// weights are what dice come to, with the probabilities; and what is not followed of dice that explode without end.
func (n *writtenDice) weights(t *testing.T, program *runtime.Program, exact bool) (p map[int64]float64, mean *big.Rat,
	rest float64) {
	t.Helper()
	rule, err := program.Rule(n.rule, runtime.Choice{})
	if err != nil {
		t.Fatalf("%s: %v", n.text, err)
	}
	answer, err := rule.Odds(t.Context(), runtime.Request{}, &odds.Options{Exact: exact, Quick: true, Joint: true})
	if err != nil {
		t.Fatalf("%s: %v", n.text, err)
	}
	j := answer.Joint
	p, mean = map[int64]float64{}, new(big.Rat)
	for _, o := range j.Outcomes() {
		v := o.Values[0].Int()
		p[v] += o.P
		if exact {
			mean.Add(mean, new(big.Rat).Mul(new(big.Rat).SetInt64(v), new(big.Rat).SetFrac(o.N, j.Den)))
		}
	}
	for _, e := range j.Endings() {
		if e.Kind != odds.Unfollowed {
			t.Fatalf("%s: %s", n.text, e.Message)
		}
		rest += e.P
	}
	return p, mean, rest
}

// TestNotationOdds compares the odds of dice in rules with those of the same notation alone, for which there is another
// method, and where there are few ways with all of them, played one by one.
func TestNotationOdds(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine after the other: nothing for the detector of races")
	}
	r := rand.New(rand.NewPCG(6, 2))
	texts := []string{"10d10kh3", "20d20kl4 + 1", "12d10kh5>=8", "30d6>=5", "3d100", "4d6!kh2", "6d4!>=3", "5d6ro1kh3>=4"}
	for range 120 {
		texts = append(texts, random(r))
	}
	program, all := notated(t, texts)
	counted := 0
	for i, n := range all {
		got, _, rest := n.weights(t, program, i%2 == 0)
		n.compare(t, maps.Clone(got), rest)
		if want, ok := n.everyWay(4_000); ok {
			counted++
			for v, p := range want {
				if math.Abs(got[v]-p) > 1e-12 {
					t.Errorf("%s: P(%d) = %v, of all ways %v", n.text, v, got[v], p)
				}
			}
		}
	}
	if counted < 30 {
		t.Errorf("all ways were counted of only %d expressions", counted)
	}
}

func (n *writtenDice) compare(t *testing.T, got map[int64]float64, rest float64) {
	t.Helper()
	sum, err := notation.ComputeTotal(n.own)
	if err != nil {
		t.Fatalf("%s: %v", n.text, err)
	}
	if rest > sum.Rest+1e-9 {
		t.Errorf("%s: %v is not followed, alone %v", n.text, rest, sum.Rest)
	}
	all := rest
	for _, p := range got {
		all += p
	}
	if math.Abs(all-1) > 1e-12 {
		t.Errorf("%s: everything has probability %v", n.text, all)
	}
	for i, p := range sum.P {
		v := sum.Lo + int64(i)
		if math.Abs(got[v]-p) > rest+sum.Rest+1e-12 {
			t.Errorf("%s: P(%d) = %v, alone %v", n.text, v, got[v], p)
		}
		delete(got, v)
	}
	for v, p := range got {
		if p > sum.Rest+1e-12 {
			t.Errorf("%s: P(%d) = %v, alone 0", n.text, v, p)
		}
	}
}

// everyWay rolls all faces that can fall, one after the other. It is not ok when a die explodes or is rolled again without
// a limit, or when there are too many ways.
func (n *writtenDice) everyWay(limit int) (out map[int64]float64, ok bool) {
	out = map[int64]float64{}
	faces, of := []int64{}, []int64{}
	for range limit {
		w := &counter{faces: faces, of: of}
		total, _, err := n.own.Roll(w)
		if err != nil || len(w.faces) > 12 {
			return nil, false
		}
		p := 1.0
		for _, n := range w.of {
			p /= float64(n)
		}
		out[total] += p
		if faces, of = w.faces, w.of; !next(&faces, &of) {
			return out, true
		}
	}
	return nil, false
}

// A counter is a source that shows the faces that it has, and then ones.
type counter struct {
	faces, of []int64
	at        int
}

func (w *counter) Face(d *dice.Draw) (int64, error) {
	if w.at == len(w.faces) {
		w.faces, w.of = append(w.faces, 1), append(w.of, d.Faces)
	}
	w.at++
	return w.faces[w.at-1], nil
}

func (w *counter) Rest() error { return nil }

// next counts on: the last face that can be higher is.
func next(faces, of *[]int64) bool {
	for k := len(*faces) - 1; k >= 0; k-- {
		if (*faces)[k] < (*of)[k] {
			*faces, *of = slices.Clone((*faces)[:k+1]), (*of)[:k+1]
			(*faces)[k]++
			return true
		}
	}
	return false
}

// Means that books and papers on dice state. Of dice that explode without end the mean of what is followed is as near as
// 2^-64 of a die.
func TestPublishedMeansInRules(t *testing.T) {
	want := map[string]string{
		"4d6kh3": "15869/1296", "2d20kh1": "553/40", "2d20kl1": "287/40", "3d6": "21/2", "d%": "101/2", "8d6>=6": "4/3",
		"2d10r1": "12",
		"d6!":    "21/5", "d10!": "55/9", "d10!>=9": "55/8",
	}
	program, all := notated(t, slices.Sorted(maps.Keys(want)))
	for _, n := range all {
		_, mean, rest := n.weights(t, program, true)
		exact, _ := new(big.Rat).SetString(want[n.text])
		off, _ := new(big.Rat).Sub(mean, exact).Float64()
		if rest == 0 && mean.Cmp(exact) != 0 || math.Abs(off) > rest*1000 {
			t.Errorf("%s: mean %s, want %s", n.text, mean.RatString(), want[n.text])
		}
	}
}

// What the help says of notation stands in the schema too, which authors read beside their rules, and its examples are
// notation.
func TestNotationIsExplained(t *testing.T) {
	schema, err := os.ReadFile("../schema/schema.cue")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(dice.Help) {
		if said := "//\t" + strings.TrimPrefix(line, "    "); !strings.Contains(string(schema), said) {
			t.Errorf("the schema does not say: %s", said)
		}
		examples, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
		for _, text := range strings.Split(strings.ReplaceAll(strings.ReplaceAll(examples, " - 2", "-2"), "6x ", "6x_"), " ") {
			if text == "+" {
				continue
			}
			if _, _, err := dice.ParseRepeated(strings.ReplaceAll(text, "_", " ")); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// What changes of dice do to whoever plays by them: other dice change the odds, another use of the same faces the answers.
func TestChangedNotation(t *testing.T) {
	for _, c := range []struct {
		old, new string
		want     compare.Class
	}{
		{"4d6kh3", "4d6kh2", compare.NumbersClass},
		{"4d6kh3", "4d8kh3", compare.OddsClass},
		{"4d6kh3", "4d6dl1", compare.Same}, // the same in other words
		{"2d6r1", "2d6r2", compare.OddsClass},
		{"2d6r1", "2d6ro1", compare.OddsClass},
		{"2d6!", "2d6!>=5", compare.OddsClass},
		{"2d6!", "2d6!6 + 0", compare.Same},
		{"2d6!", "2d6!6 + 1", compare.NumbersClass},
		{"8d6>=5", "8d6>=6", compare.NumbersClass},
		{"2d6 + d4", "2d6 + d6", compare.OddsClass},
		{"2d6 + d4", "2d6 - d4", compare.NumbersClass},
	} {
		old, _ := notated(t, []string{c.old})
		new, _ := notated(t, []string{c.new})
		got := compare.Same
		for _, a := range compare.Compare(old.Plan(), new.Plan(), schedule.Normal).Answers {
			got = max(got, a.Class())
		}
		if got != c.want {
			t.Errorf("%s for %s changes %v, want %v", c.new, c.old, got, c.want)
		}
	}
}

// What would take too long is told before much is done, with the dice that make it so.
func TestTooMuchNotation(t *testing.T) {
	program, all := notated(t, []string{"1000d10000kh1", "200d100kh50", "100d10!>=2kh50>=9", "6d100000kh3"})
	for _, n := range all {
		rule, err := program.Rule(n.rule, runtime.Choice{})
		if err == nil {
			_, err = rule.Odds(t.Context(), runtime.Request{}, nil)
		}
		if e, ok := errors.AsType[*odds.BudgetError](err); !ok || !strings.HasPrefix(e.Error(), "die roll (game/game.cue:") ||
			strings.Contains(e.Error(), "Inf") {
			t.Errorf("%s: got %v, want a budget error that names the die", n.text, err)
		}
	}
}

// FuzzNotationInRules compiles dice in any notation: they play like the notation alone, or the problem is told within the
// text.
func FuzzNotationInRules(f *testing.F) {
	for _, seed := range []string{"4d6kh3 + 2", "2d6ro1!>=5 - d%", "8d6!=6>=5", "3d6", "4d6kh9", "d6r<=6", "é", "2d\n6",
		`\(x)`, "99d2dl99-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		written, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		const before = "rules: r: {cite: \"x\", dice: roll: "
		files := gameTree(t, nil)
		head := strings.Replace(gameHead, "#Character: strength!: int", "#Character: {}", 1)
		files["game/game.cue"] = &fstest.MapFile{Data: []byte(head + before + string(written) + ", output: total: \"roll\"}\n")}
		p, diags := compiler.Directory(load.Source{FS: files}, "game", compiler.Options{})
		e, wrong := dice.ParseExpression(text)
		if wrong != nil || !e.Dice() {
			line := 1 + strings.Count(head, "\n")
			if len(diags) != 1 || diags[0].Code != "dice-notation" || diags[0].Place.Line != line ||
				diags[0].Place.Col <= len(before) || diags[0].Place.Col > len(before)+len(written) {
				t.Fatalf("%q: reported %v, want one problem of the notation within it", text, texts(diags))
			}
			return
		}
		if p == nil {
			t.Fatalf("%q: %v", text, texts(diags))
		}
		rule, err := runtime.New(p).Rule("r", runtime.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		if total, _, err := e.Roll(dice.FromSeed(1, 0, 0)); err == nil && e.Plain() == nil {
			sheet, err := rule.Eval(runtime.Request{Character: []byte(`{}`), Throw: dice.DrawnFrom(1)})
			if err != nil || sheet.Output.String() != fmt.Sprintf(`{"total":%d}`, total) {
				t.Errorf("%q: got %v, %v, want %d", text, sheet, err, total)
			}
		}
	})
}

func BenchmarkNotationOdds(b *testing.B) {
	texts := []string{"3d6", "4d6kh3", "2d20kh1", "20d20kh5", "30d6>=5", "12d10kh5>=8", "8d10!"}
	program, all := notated(b, texts)
	for _, n := range all {
		rule, err := program.Rule(n.rule, runtime.Choice{})
		if err != nil {
			b.Fatal(err)
		}
		chances, err := rule.PrepareOdds(&odds.Options{Joint: true, Quick: true})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(n.text, func(b *testing.B) {
			for b.Loop() {
				if _, err := chances.Odds(b.Context(), runtime.Request{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
