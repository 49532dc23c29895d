package golden_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/generated"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/emit/golang/gotest"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// For long runs: for how long triples are played, from which seed, and how many of each ruleset.
var (
	triplesFor  = flag.Duration("triples-for", 0, "play triples of generated rulesets for so long, and not of one ruleset alone")
	triplesSeed = flag.Uint64("triples-seed", 1, "of the first generated ruleset; the others follow")
	triplesEach = flag.Int("triples-each", 500, "play so many triples of each ruleset")
)

// compiledTogether is how many rulesets are compiled as one program.
const compiledTogether = 20

// TestTriples plays rulesets that are made at random, with inputs and dice that are, too, by the interpreter, in Go and in
// JavaScript, and wants the same sheet, or the same error, byte for byte.
func TestTriples(t *testing.T) {
	jstest.Node(t)
	if testing.Short() {
		t.Skip("it compiles a generated ruleset")
	}
	x := &tripleRun{t: t, begin: time.Now(), seed: *triplesSeed, kinds: map[string]int{}}
	games := 1
	if *triplesFor > 0 {
		games = compiledTogether
	}
	for x.batch(games); time.Since(x.begin) < *triplesFor; x.batch(games) {
		x.report()
	}
	x.report()
}

// A tripleRun plays triples.
type tripleRun struct {
	t                        *testing.T
	begin                    time.Time
	seed                     uint64
	games, played, different int
	kinds                    map[string]int // answers by how they begin
}

func (x *tripleRun) report() {
	x.t.Logf("%v: before seed %d %d rulesets, %d triples, %d differ; answers of JavaScript by how they begin: %v",
		time.Since(x.begin).Round(time.Second), x.seed, x.games, x.played, x.different, x.kinds)
	mostBeyond := x.played / 5
	if x.games < compiledTogether { // a few rulesets may be about great numbers
		mostBeyond = x.played - x.played/10
	}
	if x.kinds["Beyond"] > mostBeyond {
		x.t.Errorf("%d of %d answers in JavaScript are beyond 2^53, and so not compared", x.kinds["Beyond"], x.played)
	}
}

// A tripleGame is a generated ruleset under a choice of options.
type tripleGame struct {
	*generated.Generator
	name    string
	seed    uint64
	choice  runtime.Choice
	program *runtime.Program
	rules   []*runtime.Rule
	play    *runtime.Procedure
	fell    []dice.Rolls // that fell before, which are given again
}

// batch compiles some rulesets and plays each.
func (x *tripleRun) batch(games int) {
	modules := javaScript{x.t.TempDir()}
	packages := goPackages{gotest.NewProgram(x.t), map[string]*goPackage{}}
	var all []*tripleGame
	for ; len(all) < games; x.seed++ {
		g := x.newGame(x.seed, modules, packages)
		if g != nil {
			all = append(all, g)
		}
	}
	packages.build(x.t)
	for _, g := range all {
		x.games++
		x.playGame(g, modules, packages)
	}
}

// newGame writes the ruleset of a seed; nil if the compiler refuses it.
func (x *tripleRun) newGame(seed uint64, modules javaScript, packages goPackages) *tripleGame {
	g := &tripleGame{Generator: generated.New(seed), name: fmt.Sprint("game", seed), seed: seed}
	p := gametest.CompileSource(g.Ruleset())
	if p == nil {
		return nil
	}
	p.Ruleset = g.name
	g.program, g.choice.Options = runtime.New(p), g.Options()
	values, err := p.OptionValues(plan.Choice{Options: g.choice.Options})
	if err != nil {
		x.t.Fatal(err)
	}
	modules.write(x.t, g.name, p, values)
	packages.write(x.t, g.name, p, values)
	for _, r := range g.Rules {
		rule, err := g.program.Rule(r.ID, g.choice)
		if err != nil {
			x.t.Fatal(err)
		}
		g.rules = append(g.rules, rule)
		packages.moduleOf(g.name, r.ID)
	}
	if g.Events != nil {
		if g.play, err = g.program.Procedure("play", g.choice); err != nil {
			x.t.Fatal(err)
		}
		packages.moduleOf(g.name, "play")
	}
	return g
}

// playGame plays triples of a ruleset in all three ways.
func (x *tripleRun) playGame(g *tripleGame, modules javaScript, packages goPackages) {
	c := newCorpus(packages, g.program.Plan())
	s := &scribe{rng: g.Rand, symbols: c.plan.Symbols}
	for len(c.want) < *triplesEach {
		if at := g.IntN(len(g.rules) + 1); at < len(g.rules) {
			g.addUse(c, s, at)
		} else if g.play != nil {
			g.addEvents(c, s)
		}
	}
	inScript := slices.Clone(c.requests)
	for i := range inScript {
		inScript[i].Module, inScript[i].Export = modules.moduleOf(g.name, c.requests[i].Export)
	}
	var got [2][]string
	var answering sync.WaitGroup
	answering.Go(func() { got[0] = packages.answers(x.t, c.requests) })
	answering.Go(func() { got[1] = modules.answers(x.t, inScript) })
	answering.Wait()
	if got[0] == nil || got[1] == nil {
		x.t.FailNow() // the reason has been told
	}
	var different [2]int
	for i, want := range c.want {
		x.kinds[strings.SplitN(strings.TrimPrefix(got[1][i], "{"), ":", 2)[0]]++
		for k, language := range []string{"Go", "JavaScript"} {
			if got[k][i] == want || k == 1 && strings.HasPrefix(got[k][i], "Beyond: ") {
				continue
			}
			x.different++
			if different[k]++; different[k] <= 2 {
				x.t.Errorf("seed %d, options %v, in %s: %+v\n got %s\nwant %s", g.seed, g.choice.Options, language, c.requests[i],
					got[k][i], want)
			}
		}
	}
	x.played += len(c.want)
}

// addUse adds one use of a rule.
func (g *tripleGame) addUse(c *generatedCorpus, s *scribe, at int) {
	r, of, x := g.rules[at], c.plan.Rule(g.Rules[at].ID), &blunderer{g.Rand, s}
	q := runtime.Request{Character: g.Character(), Input: g.Input(g.Rules[at]), Throw: g.throw()}
	switch g.IntN(40) {
	case 0:
		q.Character = s.slip(q.Character)
	case 1:
		q.Input = s.slip(q.Input)
	case 2, 3:
		q.Character = x.spoil(q.Character, c.plan.Character)
	case 4, 5:
		q.Input = x.spoil(q.Input, of.Input)
	}
	sheet, err := r.Eval(q)
	if !g.isKept(err) || !utf8.Valid(q.Character) || !utf8.Valid(q.Input) { // strings of JavaScript have no stray bytes
		return
	}
	if err == nil && g.IntN(8) == 0 {
		g.fell = append(g.fell[max(0, len(g.fell)-7):], sheet.Dice)
	}
	asked := jstest.Request{Module: g.name, Export: g.Rules[at].ID, Character: string(q.Character), Input: string(q.Input),
		Throw: throwOf(q.Throw)}
	c.addAnswer("", asked, err, func() []byte { return sheet.AppendJSON(nil) })
}

// isKept reports whether a triple with an error is played: otherwise there would be little else.
func (g *tripleGame) isKept(err error) bool {
	switch {
	case is[*runtime.InputError](err):
		return g.IntN(16) == 0
	case is[*runtime.Refused](err), is[*dice.Error](err):
		return g.IntN(4) == 0
	}
	return true
}

// addEvents adds a play of some events.
func (g *tripleGame) addEvents(c *generatedCorpus, s *scribe) {
	q := runtime.Request{Character: g.Character(), Input: g.Start(), Throw: g.throw()}
	out := jstest.Request{Module: g.name, Export: "play", Character: string(q.Character), Input: string(q.Input),
		Throw: throwOf(q.Throw)}
	var steps []runtime.Step
	for range g.IntN(5) {
		e := g.Events[g.IntN(len(g.Events))]
		step := runtime.Step{Event: e, Input: g.Event(e)}
		if q.Throw.Seed == nil || g.IntN(4) == 0 {
			step.Throw = g.throw()
		}
		if g.IntN(40) == 0 {
			step.Input = s.slip(step.Input)
		}
		steps = append(steps, step)
		out.Events = append(out.Events, jstest.Event{Event: e, Input: string(step.Input), Throw: throwOf(step.Throw)})
	}
	play, err := g.play.Play(q, steps...)
	isStray := func(s runtime.Step) bool { return !utf8.Valid(s.Input) }
	if !g.isKept(err) || !utf8.Valid(q.Character) || !utf8.Valid(q.Input) || slices.ContainsFunc(steps, isStray) {
		return
	}
	c.addAnswer("", out, err, func() []byte { return play.AppendJSON(nil) })
}

// throw returns dice: mostly drawn, else given, as they fell before or too few or wrong ones.
func (g *tripleGame) throw() dice.Throw {
	switch {
	case g.IntN(4) > 0:
		return dice.DrawnFrom(g.Uint64() >> g.IntN(64))
	case len(g.fell) > 0 && g.IntN(3) > 0:
		out := dice.Throw{Dice: dice.Faces{ByID: g.fell[g.IntN(len(g.fell))]}}
		if g.IntN(4) == 0 {
			out.Seed = dice.DrawnFrom(g.Uint64()).Seed
		}
		return out
	}
	faces := make([]int64, g.IntN(7))
	for i := range faces {
		faces[i] = 1 + g.Int64N(6)
	}
	return dice.Fallen(faces...)
}
