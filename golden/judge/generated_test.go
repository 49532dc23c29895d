package judge_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/load"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	compilerload "github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden/generated"
	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

var (
	count   = flag.Int("rulesets", 5, "generate so many rulesets")
	seed    = flag.Uint64("seed", 1, "of the first generated ruleset; the others follow")
	each    = flag.Int("questions", 12, "ask so many questions about each rule")
	ofGames = flag.Int("game-questions", 1, "ask so many questions about each rule of a game")
	long    = flag.Duration("for", 0, "generate for so long instead")
	write   = flag.String("write", "", "write the last ruleset to `FILE`, and as its homebrew changes it to FILE.brewed")
	most    = flag.Int("differences", 5, "stop after so many differences")
	more    = flag.Int("throws", 0, "let the dice of each question that fits fall up to so many more times")

	record = flag.String("record", "", "write the judge's answers into `DIR`, a file for each ruleset")
	replay = flag.String("replay", "", "compare with the answers that stand in `DIR`, and ask no judge")
	only   = flag.String("only", "", "of the rulesets of these `SEEDS`, 3,17,20")

	goOn = flag.Bool("go-on", false, "compare all rulesets of -only, also behind the first difference")

	show = flag.Bool("show", false, "log rulesets that the program does not compile")
)

// randomFaces lets dice fall at random and remembers what fell.
type randomFaces struct {
	*rand.Rand
	fell []int64
}

func newRandomFaces(g asker) *randomFaces {
	return &randomFaces{Rand: rand.New(rand.NewPCG(g.Uint64(), 0))}
}

func (t *randomFaces) Throw(_ string, faces []int64) int64 {
	f := faces[t.IntN(len(faces))]
	t.fell = append(t.fell, f)
	return f
}

// TestGenerated compares rulesets that are made at random: sheets, refusals, the order in which dice fall, and odds.
func TestGenerated(t *testing.T) {
	x := &comparison{t: t, c: &tally{}}
	switch {
	case *record != "":
		x.archive = &archive{*record, true}
	case *replay != "":
		x.archive = &archive{*replay, false}
		x.replay(strings.Split(*only, ","))
		x.c.report(t)
		return
	}
	begin := time.Now()
	for n := uint64(0); *long == 0 && n < uint64(*count) || time.Since(begin) < *long; n++ {
		x.ruleset(*seed + n)
		if x.c.different >= *most {
			break
		}
		if *more > 0 && n%20 == 19 {
			t.Logf("%d rulesets: %d throws, %d other comparisons, %d different", n+1, x.triples, x.c.judged, x.c.different)
		}
	}
	t.Logf("%d of %d rulesets compile, and %d homebrews; %d questions about rules, %d plays, %d odds, of which %d have an "+
		"answer; %d throws besides", x.compiled, x.made, x.homebrews, x.questions, x.plays, x.odds, x.answered, x.triples)
	x.c.report(t)
	if x.compiled*2 < x.made {
		t.Errorf("only %d of %d rulesets compile", x.compiled, x.made)
	}
}

// afterRuleset is called behind each ruleset that is replayed; a program with faults sets it.
var afterRuleset = func(uint64) {}

// replay compares rulesets of which the judge's answers are written down, up to the first difference if not -go-on.
func (x *comparison) replay(seeds []string) {
	for _, text := range seeds {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			x.t.Fatal(err)
		}
		x.ruleset(seed)
		afterRuleset(seed)
		if x.c.different > 0 && !*goOn {
			return
		}
		if x.c.different == 0 {
			x.t.Logf("heard %d %x", seed, x.heard)
			x.t.Logf("worked %d %d", seed, x.worked)
		}
		x.c.different = 0
	}
}

// A comparison is the comparison of rulesets that are made.
type comparison struct {
	t                                                           *testing.T
	c                                                           *tally
	archive                                                     *archive // nil for the judge itself
	made, compiled, homebrews, questions, plays, odds, answered int
	heard                                                       uint64  // a digest of what the program said of the last one
	worked                                                      []int64 // how much work its answers took
	triples                                                     int     // of ruleset, input and dice, thrown once more

	program *runtime.Program            // that was prepared last
	rules   map[string]*runtime.Rule    // of it, by what is chosen
	courses map[string]*runtime.Courses // of its procedures, likewise
	forms   map[string]*runtime.Program // of it, by the form in which it is written and what is chosen
}

// prepare returns a rule for a choice, the same for all questions about a program: what it keeps of one of them must not be
// seen in the next.
func (x *comparison) prepare(program *runtime.Program, id string, c runtime.Choice) *runtime.Rule {
	x.forgetOthers(program)
	key := fmt.Sprintf("%s %v %q", id, c.Options, c.Outputs)
	if x.rules[key] == nil {
		rule, err := program.Rule(id, c)
		if err != nil {
			x.t.Fatal(err)
		}
		x.rules[key] = rule
	}
	return x.rules[key]
}

// prepareCourses returns a procedure prepared for the courses of all questions with the same options.
func (x *comparison) prepareCourses(program *runtime.Program, procedure *runtime.Procedure, id string,
	options map[string]string) *runtime.Courses {
	x.forgetOthers(program)
	key := fmt.Sprint(id, options)
	if x.courses[key] == nil {
		courses, err := procedure.PrepareOdds(nil, false)
		if err != nil {
			x.t.Fatal(err)
		}
		x.courses[key] = courses
	}
	return x.courses[key]
}

// writeInForm returns a program in one of the forms for some options.
func (x *comparison) writeInForm(program *runtime.Program, form string, options map[string]string) *runtime.Program {
	x.forgetOthers(program)
	key := fmt.Sprint(form, options)
	if x.forms[key] == nil {
		written, err := forms[form](program.Plan(), options)
		if err != nil {
			x.t.Fatal(err)
		}
		x.forms[key] = written
	}
	return x.forms[key]
}

// forgetOthers forgets what is prepared of other programs.
func (x *comparison) forgetOthers(program *runtime.Program) {
	if x.program != program {
		x.program, x.rules, x.courses = program, map[string]*runtime.Rule{}, map[string]*runtime.Courses{}
		x.forms = map[string]*runtime.Program{}
	}
}

func (x *comparison) ruleset(seed uint64) {
	if isGame(seed) {
		x.game(seed)
		return
	}
	x.made++
	g := generated.New(seed)
	text := g.Ruleset()
	x.writeText("", text)
	o, end := x.archive.openOracle(x.t, seed)
	defer func() {
		end()
		x.heard, x.worked = o.heard.Sum64(), *o.worked
	}()
	program, diags := compileText(text)
	if !x.isRuleset(seed, o.withText(text), program) {
		if *show {
			x.t.Logf("seed %d: %v", seed, diags)
		}
		return
	}
	x.compiled++
	x.askAll(seed, g, o.withText(text), program)
	if g.IntN(2) == 0 && (*replay == "" || x.c.different == 0) {
		x.brewed(seed, g, o, text)
	}
}

// isRuleset reports whether a text was compiled, which must be as it was before. Of one that was not, nothing is written
// down: CUE itself may refuse it, and then there is no judge to ask.
func (x *comparison) isRuleset(seed uint64, o *oracle, program *runtime.Program) bool {
	if *replay == "" && (*record == "" || program == nil) {
		return program != nil
	}
	_, err := consult(o, "a ruleset", func(*judge.Ruleset) (bool, error) { return true, nil })
	if was := err == nil; was != (program != nil) {
		x.note(seed, "the source", "is a ruleset no longer, or has become one", nil)
		return false
	}
	return program != nil
}

func (x *comparison) writeText(suffix, text string) {
	if *write == "" {
		return
	}
	if err := os.WriteFile(*write+suffix, []byte(text), 0o666); err != nil {
		x.t.Fatal(err)
	}
}

// brewed compares the ruleset as homebrews change it, and whether they can.
func (x *comparison) brewed(seed uint64, g *generated.Generator, o *oracle, text string) {
	homebrews := g.Homebrews()
	x.writeText(".brewed", strings.Join(homebrews, "\n"))
	changed, err := o.withText(text).overlay(homebrews)
	program, diags := compileBrewed(text, homebrews)
	diff, isRefused := compareRefusals(diags, err)
	if _, conflicts := errors.AsType[*judge.Conflict](err); conflicts {
		err = nil
	}
	if x.note(seed, fmt.Sprintf("homebrews %s", homebrews), diff, err); diff != "" || err != nil || isRefused {
		return
	}
	if !x.isRuleset(seed, o.withText(changed), program) {
		if *show {
			x.t.Logf("seed %d, its homebrews: %v\n%s", seed, diags, homebrews)
		}
		return
	}
	x.homebrews++
	x.askAll(seed, g, o.withText(changed), program)
}

// askAll asks everything about a ruleset that was compiled, and of which the judge reads the text.
func (x *comparison) askAll(seed uint64, g *generated.Generator, o *oracle, program *runtime.Program) {
	if x.archive != nil {
		o.noteCode(program)
	}
	for _, rule := range g.Rules {
		for range *each {
			x.question(seed, g, o, program, rule)
		}
		for range *each / 3 {
			q := judge.Question{Character: g.Character(), Input: g.Input(rule), Options: g.Options(), Outputs: g.Outputs(rule)}
			asked := x.prepare(program, rule.ID, runtime.Choice{Options: q.Options, Outputs: q.Outputs})
			x.chances(seed, o, asked, rule, runtime.Request{Character: q.Character, Input: q.Input}, q)
			if rule.HasDecision() {
				whole := x.prepare(program, rule.ID, runtime.Choice{Options: q.Options})
				i := &inquiry{g, o, whole, whole, rule, q.Character, q.Input, q.Options, nil}
				diff, err := i.askBest()
				x.note(seed, fmt.Sprintf("decided as is best, %v", i), diff, err)
			}
		}
	}
	if g.Events != nil {
		for range *each {
			x.play(seed, g, o, program, "play", g.Events)
		}
	}
}

func compileText(text string) (*runtime.Program, []diag.Diagnostic) {
	p, diags := compiler.Directory(compilerload.Source{FS: moduleOf(text)}, "tables/game", compiler.Options{})
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

// question compares one use of a rule. The judge's dice fall at random; the program gets what fell, in its order.
func (x *comparison) question(seed uint64, g asker, o *oracle, program *runtime.Program, rule generated.Rule) {
	x.questions++
	character, input, options, outputs := g.Character(), g.Input(rule), g.Options(), g.Outputs(rule)
	faces := newRandomFaces(g)
	q := judge.Question{Character: character, Input: input, Options: options, Outputs: outputs,
		Thrower: judge.ThrowerFunc(faces.Throw)}
	ours, err := o.evaluate(rule.ID, q, faces)
	fell := faces.fell
	short := false
	if g.IntN(20) == 0 { // other faces than those that fall
		fell = append([]int64{}, fell...)
		switch {
		case g.IntN(2) == 0 || len(fell) == 0:
			fell = append(fell, 1)
		case g.IntN(2) == 0:
			fell, short = fell[:len(fell)-1], true
		default:
			fell[g.IntN(len(fell))] = 99
		}
		if !short {
			q.Thrower = &judge.InOrder{Faces: fell}
			ours, err = o.evaluate(rule.ID, q)
		}
	}
	var diff string
	asked := x.prepare(program, rule.ID, runtime.Choice{Options: options, Outputs: outputs})
	request := runtime.Request{Character: character, Input: input, Throw: dice.Fallen(fell...)}
	whole := x.prepare(program, rule.ID, runtime.Choice{Options: options})
	i := &inquiry{g, o, asked, whole, rule, character, input, options, outputs}
	sheet, failed := i.eval(request)
	if e, isMisthrow := errors.AsType[*dice.Error](failed); short && isMisthrow && e.Missing {
		return // a face is needed that was left out, and one that is not may be
	}
	if _, isFailure := errors.AsType[*runtime.Failure](failed); short && isFailure {
		return // dice that nothing reads are not rolled, and no count of them fails
	}
	var left struct {
		Dice []string `json:"not_rolled"`
	}
	if short && failed == nil {
		if failed = json.Unmarshal(sheet.AppendJSON(nil), &left); left.Dice != nil {
			q.Thrower = &judge.Without{Thrower: &judge.InOrder{Faces: fell}, IDs: left.Dice}
			ours, err = o.evaluate(rule.ID, q)
			if _, isUnrolled := errors.AsType[*judge.Misthrow](err); isUnrolled || isFailure(err) {
				return // what fails in a die that is not rolled is not met, nor what reads one in vain
			}
		}
	}
	if err != nil || failed != nil {
		diff, err = compareErrors(failed, err)
	} else {
		x.answered++
		if short && left.Dice == nil {
			ours.Falls = nil
		}
		diff, err = compareSheet(sheet.AppendJSON(nil), ours)
	}
	about := i.String()
	x.note(seed, fmt.Sprintf("%s faces %v", about, fell), diff, err)
	if g.IntN(8) == 0 {
		request.Throw = dice.Throw{}
		x.chances(seed, o, asked, rule, request, q)
	}
	if *more > 0 {
		throws, diff, err := i.throwMore(*more)
		x.triples += throws
		x.note(seed, fmt.Sprintf("thrown again, %v", i), diff, err)
	}
	for _, form := range slices.Sorted(maps.Keys(forms)) {
		if g.IntN(4) == 0 {
			asked := *i
			if form == reduced {
				asked.outputs = nil // where two outputs fail alike, it checks the first alone
			}
			diff, err := asked.askInForm(x.writeInForm(program, form, options), faces.fell)
			x.note(seed, fmt.Sprintf("%s, %v faces %v", form, &asked, faces.fell), diff, err)
		}
	}
	if rule.HasDecision() && outputs != nil {
		diff, err := i.askStepwise(faces.fell)
		x.note(seed, fmt.Sprintf("stepwise, %v faces %v", i, faces.fell), diff, err)
	}
	if g.IntN(2) == 0 {
		door, diff, err := i.askThroughAnotherDoor(faces.fell)
		x.note(seed, fmt.Sprintf("%s, %v faces %v", door, i, faces.fell), diff, err)
	}
}

// chances compares the odds of one use of a rule.
func (x *comparison) chances(seed uint64, o *oracle, asked *runtime.Rule, rule generated.Rule, request runtime.Request,
	q judge.Question) {
	x.odds++
	diff, err := compareChances(o, asked, request, q, rule.Outputs, 1_000)
	x.note(seed, "odds of "+aboutQuestion(rule.ID, q), diff, err)
}

// note counts a comparison and reports a difference.
func (x *comparison) note(seed uint64, about, diff string, err error) {
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

// play compares a few events of a procedure, with faces that are given or drawn, played at once or in two parts.
func (x *comparison) play(seed uint64, g asker, o *oracle, program *runtime.Program, id string, events []string) {
	x.plays++
	character, options := g.Character(), g.Options()
	input := g.Start()
	drawn, from := g.IntN(3) == 0, g.Uint64()
	begun := newCast(g, drawn, from, 0)
	var casts []*cast
	var ours []judge.Happening
	var moves []judge.Move
	for i := range 1 + g.IntN(4) {
		event := events[g.IntN(len(events))]
		move := judge.Move{Event: event, Input: g.Event(event)}
		moves = append(moves, move)
		casts = append(casts, newCast(g, drawn, from, uint64(i)+1))
		ours = append(ours, judge.Happening{Event: move.Event, Input: move.Input, Thrower: casts[i].thrower()})
	}
	all := []*randomFaces{begun.random}
	for _, c := range casts {
		all = append(all, c.random)
	}
	play, at, err := o.play(id, judge.Question{Character: character, Input: input, Options: options,
		Thrower: begun.thrower()}, ours, all...)
	request := runtime.Request{Character: character, Input: input, Throw: begun.throw()}
	var steps []runtime.Step
	for i := range ours {
		steps = append(steps, runtime.Step{Event: ours[i].Event, Input: ours[i].Input, Throw: casts[i].throw()})
	}
	procedure, failed := program.Procedure(id, runtime.Choice{Options: options})
	if failed != nil {
		x.t.Fatal(failed)
	}
	theirs, failed := playInParts(procedure, request, steps, g.IntN(len(steps)+1))
	if failed == nil {
		o.hear(theirs.AppendJSON(nil), nil)
	}
	o.hear(nil, failed)
	about := fmt.Sprintf("%s: character %s input %s options %v events %s", id, character, input, options, moves)
	_, isNotOffered := errors.AsType[*judge.NotOffered](err)
	ended := err
	var diff string
	if err != nil || failed != nil {
		diff, err = comparePlayErrors(failed, err, at)
	} else {
		x.answered++
		diff, err = comparePlay(o, theirs.AppendJSON(nil), play, options)
	}
	x.note(seed, about, diff, err)
	if isNotOffered && at > 0 {
		diff, err := askUnoffered(o, procedure, request, steps[:at])
		x.note(seed, "asked for the last event, "+about, diff, err)
	}
	for _, form := range slices.Sorted(maps.Keys(forms)) {
		if g.IntN(4) == 0 {
			diff, err := playInForm(o, x.writeInForm(program, form, options), id, request, steps, options, play, ended, at)
			x.note(seed, fmt.Sprintf("%s, %s", form, about), diff, err)
		}
	}
	if err == nil && failed == nil && g.IntN(3) == 0 {
		fieldwise := g.IntN(2) == 0
		diff, err := playStepwise(o, procedure, id, request, steps, play, options, fieldwise)
		x.note(seed, fmt.Sprintf("step by step, fieldwise %t, %s", fieldwise, about), diff, err)
	}
	if err == nil && failed == nil && g.IntN(4) == 0 {
		diff, err := tracePlay(o, procedure, request, steps, play, options)
		x.note(seed, "traced, "+about, diff, err)
	}
	if g.IntN(4) == 0 {
		most, draws := 1+g.IntN(4), g.Uint64()
		diff, err := compareDraws(o, x.prepareCourses(program, procedure, id, options), id,
			runtime.Request{Character: character, Input: input}, options, moves, most, draws)
		x.note(seed, fmt.Sprintf("%d events drawn of %s", most, about), diff, err)
	}
	if g.IntN(4) == 0 {
		x.odds++
		most := 1 + g.IntN(3)
		diff, err := compareCourse(o, procedure, x.prepareCourses(program, procedure, id, options), id,
			runtime.Request{Character: character, Input: input}, options, moves, most)
		x.note(seed, fmt.Sprintf("the course of %d events of %s", most, about), diff, err)
	}
}

// A cast says how the dice of one event fall: at random, or drawn from a seed.
type cast struct {
	random *randomFaces
	drawn  judge.Thrower // nil when they fall at random
	seed   uint64
}

func newCast(g asker, drawn bool, seed, event uint64) *cast {
	c := &cast{random: newRandomFaces(g), seed: seed}
	if drawn {
		c.drawn = judge.DrawFrom(seed, 0, event)
	}
	return c
}

// thrower returns the dice of the judge, who plays first.
func (c *cast) thrower() judge.Thrower {
	if c.drawn != nil {
		return c.drawn
	}
	return judge.ThrowerFunc(c.random.Throw)
}

// throwOnce returns those of the program.
func (c *cast) throw() dice.Throw {
	if c.drawn != nil {
		return dice.DrawnFrom(c.seed)
	}
	return dice.Fallen(c.random.fell...)
}

// playInParts plays some steps, writes and reads what has happened, and plays the others.
func playInParts(p *runtime.Procedure, q runtime.Request, steps []runtime.Step, first int) (*runtime.Play, error) {
	play, err := p.Play(q, steps[:first]...)
	if err != nil || first == len(steps) {
		return play, err
	}
	saved, err := runtime.ReadPlay(play.AppendJSON(nil))
	if err != nil {
		return nil, err
	}
	play, err = p.Resume(saved)
	if err != nil {
		return nil, err
	}
	err = play.Go(false, steps[first:]...)
	if e, isOfEvent := errors.AsType[*runtime.EventError](err); isOfEvent {
		e.Number += first
	}
	return play, err
}

// compileBrewed compiles a ruleset that homebrews change.
func compileBrewed(text string, homebrews []string) (*runtime.Program, []diag.Diagnostic) {
	module := moduleOf(text)
	module["rules.cue"] = &fstest.MapFile{Data: []byte("package rules\n\nimport \"example.com/games/tables/game\"\n\n" +
		"rulesets: \"game\": {rules: game, revision: \"0.1.0\"}\n")}
	var houses []compilerload.Source
	for i, homebrew := range homebrews {
		houses = append(houses, compilerload.Source{Name: fmt.Sprintf("house%d", i), FS: fstest.MapFS{
			"cue.mod/module.cue": {Data: []byte("module: \"example.com/house@v0\"\nlanguage: version: \"v0.16.0\"\n")},
			"house.cue":          {Data: []byte(homebrew)},
		}})
	}
	p, diags := compiler.Homebrew(compilerload.Source{FS: module}, "game", houses, compiler.Options{})
	if p == nil {
		return nil, diags
	}
	return runtime.New(p), diags
}

func moduleOf(text string) fstest.MapFS {
	return fstest.MapFS{
		"cue.mod/module.cue":   {Data: []byte("module: \"example.com/games@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"tables/game/game.cue": {Data: []byte(text)},
	}
}
