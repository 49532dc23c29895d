package judge_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/load"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	compilerload "github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

var (
	count = flag.Int("rulesets", 12, "generate so many rulesets")
	seed  = flag.Uint64("seed", 1, "of the first generated ruleset; the others follow")
	each  = flag.Int("questions", 12, "ask so many questions about each rule")
	long  = flag.Duration("for", 0, "generate for so long instead")
	write = flag.String("write", "", "write the last ruleset to this file")
	show  = flag.Bool("show", false, "log rulesets that the program does not compile")
)

// randomFaces lets dice fall at random and remembers what fell.
type randomFaces struct {
	*rand.Rand
	fell []int64
}

func (t *randomFaces) Throw(_ string, faces []int64) int64 {
	f := faces[t.IntN(len(faces))]
	t.fell = append(t.fell, f)
	return f
}

// TestGenerated compares rulesets that are made at random: sheets, refusals, the order in which dice fall, and odds.
func TestGenerated(t *testing.T) {
	x := &generated{t: t, c: &tally{}}
	begin := time.Now()
	for n := uint64(0); *long == 0 && n < uint64(*count) || time.Since(begin) < *long; n++ {
		x.ruleset(*seed + n)
		if x.c.different > 5 {
			break
		}
	}
	t.Logf("%d of %d rulesets compile; %d questions about rules, %d plays, %d odds, of which %d have an answer",
		x.compiled, x.made, x.questions, x.plays, x.odds, x.answered)
	x.c.report(t)
	if x.compiled*2 < x.made {
		t.Errorf("only %d of %d rulesets compile", x.compiled, x.made)
	}
}

// generated is the comparison of rulesets that are made.
type generated struct {
	t                                                *testing.T
	c                                                *tally
	made, compiled, questions, plays, odds, answered int
}

func (x *generated) ruleset(seed uint64) {
	x.made++
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	text := g.ruleset()
	if *write != "" {
		if err := os.WriteFile(*write, []byte(text), 0o666); err != nil {
			x.t.Fatal(err)
		}
	}
	program, diags := compileText(text)
	if program == nil {
		if *show {
			x.t.Logf("seed %d: %v", seed, diags)
		}
		return
	}
	x.compiled++
	r, err := readText(x.t, text)
	if err != nil {
		x.t.Errorf("seed %d: %v", seed, err)
		x.c.different++
		return
	}
	for _, rule := range g.rules {
		for range *each {
			x.question(seed, g, r, program, rule)
		}
	}
	if g.events != nil {
		for range *each {
			x.play(seed, g, r, program)
		}
	}
}

func compileText(text string) (*runtime.Program, []diag.Diagnostic) {
	files := fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"example.com/games@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"game/game.cue":      {Data: []byte(text)},
	}
	p, diags := compiler.Directory(compilerload.Source{FS: files}, "game", compiler.Options{})
	if p == nil {
		return nil, diags
	}
	return runtime.New(p), diags
}

func readText(t testing.TB, text string) (*judge.Ruleset, error) {
	root := moduleRoot(t)
	overlay := map[string]load.Source{filepath.Join(root, "tables", "game", "game.cue"): load.FromString(text)}
	instances := load.Instances([]string{"./tables/game"}, &load.Config{Dir: root, Overlay: overlay})
	v := cuecontext.New().BuildInstance(instances[0])
	if v.Err() != nil {
		return nil, v.Err()
	}
	return judge.Read(v, nil)
}

func (g *generator) optionsMade() map[string]string {
	out := map[string]string{}
	if g.maybe(2) {
		out["edge"] = oneOf(g, "sharp", "dull")
	}
	if g.maybe(2) {
		out["band"] = oneOf(g, "low", "mid", "high")
	}
	return out
}

// question compares one use of a rule. The judge's dice fall at random; the program gets what fell, in its order.
func (x *generated) question(seed uint64, g *generator, r *judge.Ruleset, program *runtime.Program, rule generatedRule) {
	x.questions++
	character, input, options := g.characterJSON(), g.inputJSON(rule.asks), g.optionsMade()
	faces := &randomFaces{Rand: g.Rand}
	q := judge.Question{Character: character, Input: input, Options: options, Thrower: judge.ThrowerFunc(faces.Throw)}
	ours, err := r.Evaluate(rule.id, q)
	fell := faces.fell
	short := false
	if g.maybe(20) { // other faces than those that fall
		fell = append([]int64{}, fell...)
		switch {
		case g.maybe(2) || len(fell) == 0:
			fell = append(fell, 1)
		case g.maybe(2):
			fell, short = fell[:len(fell)-1], true
		default:
			fell[g.IntN(len(fell))] = 99
		}
		if !short {
			q.Thrower = &judge.InOrder{Faces: fell}
			ours, err = r.Evaluate(rule.id, q)
		}
	}
	diff, failed := "", error(nil)
	asked, failed := program.Rule(rule.id, runtime.Choice{Options: options})
	if failed != nil {
		x.t.Fatal(failed)
	}
	request := runtime.Request{Character: character, Input: input, Throw: dice.Fallen(fell...)}
	sheet, failed := asked.Eval(request)
	if e, isMisthrow := errors.AsType[*dice.Error](failed); short && isMisthrow && e.Missing {
		return // a face is needed that was left out, and one that is not may be
	}
	if err != nil || failed != nil {
		diff, err = compareErrors(failed, err)
	} else {
		x.answered++
		text := sheet.AppendJSON(nil)
		if short {
			if bytes.Contains(text, []byte(`"not_rolled"`)) {
				return // a die that nothing reads has left its face to the next one
			}
			ours.Falls = nil
		}
		diff, err = compareSheet(text, ours)
	}
	about := fmt.Sprintf("%s: character %s input %s options %v", rule.id, character, input, options)
	x.note(seed, fmt.Sprintf("%s faces %v", about, fell), diff, err)
	if g.maybe(12) {
		x.odds++
		request.Throw = dice.Throw{}
		diff, err = compareChances(r, program, rule.id, request, options, 300)
		x.note(seed, "odds of "+about, diff, err)
	}
}

// note counts a comparison and reports a difference.
func (x *generated) note(seed uint64, about, diff string, err error) {
	var unjudged *judge.Unjudged
	switch {
	case errors.As(err, &unjudged):
		x.c.leave(unjudged.Why)
	case err != nil:
		x.t.Errorf("seed %d: %s: %v", seed, about, err)
		x.c.different++
	default:
		x.c.judged++
		if diff != "" {
			x.c.different++
			x.t.Errorf("seed %d: %s: %s", seed, about, diff)
		}
	}
}

// play compares a few events of the procedure.
func (x *generated) play(seed uint64, g *generator, r *judge.Ruleset, program *runtime.Program) {
	x.plays++
	character, options := g.characterJSON(), g.optionsMade()
	asks := []asked{{"n", "n"}, {"bonus", "int"}, {"grade", "grade"}, {"xs", "xs"}}
	input := g.inputJSON(asks[:1])
	var ours []judge.Happening
	var fell []*randomFaces
	var inputs [][]byte
	names := []string{}
	for range 1 + g.IntN(4) {
		faces := &randomFaces{Rand: g.Rand}
		fell = append(fell, faces)
		inputs = append(inputs, g.inputJSON(asks[:1]))
		names = append(names, oneOf(g, g.events...))
		ours = append(ours, judge.Happening{Event: names[len(names)-1], Input: inputs[len(inputs)-1],
			Thrower: judge.ThrowerFunc(faces.Throw)})
	}
	begun := &randomFaces{Rand: g.Rand}
	play, at, err := r.Play("play", judge.Question{Character: character, Input: input, Options: options,
		Thrower: judge.ThrowerFunc(begun.Throw)}, ours)
	var steps []runtime.Step
	for i := range names {
		steps = append(steps, runtime.Step{Event: names[i], Input: inputs[i], Throw: dice.Fallen(fell[i].fell...)})
	}
	procedure, failed := program.Procedure("play", runtime.Choice{Options: options})
	if failed != nil {
		x.t.Fatal(failed)
	}
	request := runtime.Request{Character: character, Input: input, Throw: dice.Fallen(begun.fell...)}
	theirs, failed := procedure.Play(request, steps...)
	about := fmt.Sprintf("play: character %s input %s options %v events %v %s", character, input, options, names, inputs)
	var diff string
	if err != nil || failed != nil {
		diff, err = comparePlayErrors(failed, err, at)
	} else {
		x.answered++
		diff, err = comparePlay(r, theirs.AppendJSON(nil), play, options)
	}
	x.note(seed, about, diff, err)
}
