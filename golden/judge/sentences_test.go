package judge_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// TestSentences plays the examples by the program and by the judge, and wants one for every sentence.
func TestSentences(t *testing.T) {
	for _, x := range examples {
		if !strings.Contains(wordsOf(readChapter(t, x.chapter)), wordsOf(x.sentence)) {
			t.Errorf("chapter %s does not say: %s", x.chapter, x.sentence)
		}
		program, diags := compileText(gametest.Head + x.ruleset)
		if x.of == verdict {
			if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return string(d.Code) == x.want }) {
				t.Errorf("%s: not %s: %v", x.sentence, x.want, diags)
			}
			continue
		}
		if program == nil {
			t.Errorf("%s: %v", x.sentence, diags)
			continue
		}
		r, err := readText(t, gametest.Head+x.ruleset)
		if err != nil {
			t.Fatal(err)
		}
		answers := map[string]func() (string, error){"the program": func() (string, error) { return x.askProgram(program) }}
		if x.of != sheet { // the judge writes none
			answers["the judge"] = func() (string, error) { return x.askJudge(r) }
		}
		for who, answer := range answers {
			got, err := answer()
			if err != nil {
				got = strings.TrimSpace(kindOf(err))
			}
			if diff := x.differ(got); diff != "" {
				t.Errorf("%s: %s: %s", x.sentence, who, diff)
			}
		}
	}
	for _, x := range heldElsewhere {
		text, err := os.ReadFile(filepath.Join(moduleRoot(t), x.file))
		if err != nil || !strings.Contains(string(text), x.words) {
			t.Errorf("%s is not held by %s of %s: %v", x.sentence, x.words, x.file, err)
		}
	}
	for chapter, sentence := range sentences(t) {
		if !hasExample(chapter, sentence) {
			t.Errorf("chapter %s: no example shows: %s", chapter, sentence)
		}
	}
}

// TestSumOfNothing wants the sum of no elements to be of their type, so that -0.0 is one of no doubles with a minus before it:
// whatever says the type, a field, another element, a branch that is not taken, a parameter, a rule that is not used, or what
// has no value.
func TestSumOfNothing(t *testing.T) {
	const text = gametest.Head + `
functions: none: {cite: "x", params: {of: "list(double)"}, expr: "-of.sum(x, x)"}
rules: strike: {cite: "x"
	#Input: n!: int
	output: {harm: "input.n * 0.5", all: "[1.5].filter(x, x > 9.0)"}
}
rules: a: {cite: "x"
	#Input: xs: [...number] & list.MaxItems(2)
	#Input: ns: [...int] & list.MaxItems(2)
	#Input: of?: number
	use: strikes: {rule: "strike", each: n: "input.ns", input: n: "n"}
	use: late: {rule: "strike", when: "size(input.ns) > 0", input: n: "1", otherwise: {harm: "0.5", all: "input.xs"}}
	dice: two: {die: 2, count: 2}
	let: share: "1.0 / double(div_floor(1, size(input.ns)))"
	output: {
		made:     "[1.5, -(sum(input.xs))]"
		joined:   "[1.5] + [-(sum(input.xs))]"
		each:     "-(input.xs.sum(x, 1))"
		doubled:  "-(input.ns.sum(n, n * 0.5))"
		chosen:   "-(sum(size(input.ns) > 0 ? [0.5] : []))"
		mapped:   "-(sum(input.ns.map(n, n > 1, n / 2.0)))"
		dropped:  "-(sum(two.filter(x, x > 9).map(x, 3 - x * 0.25)))"
		inner:    "[[0.5].slice(0, 0), [0.5]].map(l, -(sum(l)))"
		failing:  "-(sum(input.ns.map(n, share * n)))"
		folded:   "-(sum(input.ns.map(n, input.xs.fold(x, s, 0.5, s + x))))"
		looked:   "-(sum(input.ns.map(n, {'p': 0.5 / double(n - 1)}).map(r, r.p)))"
		absent:   "-(sum(input.ns.map(n, has(input.of) ? input.of : 0.5)))"
		param:    "none(input.xs)"
		used:     "-(sum(strikes.map(z, z.harm)))"
		unused:   "-(sum(late.all)) - late.all.sum(x, x)"
		over:     "1.0 / -(sum(input.xs)) > 0.0"
		counted:  "-(sum(two.filter(x, x > 9)))"
		ints:     "-(sum(input.ns))"
	}
}
`
	const want = `{"absent":-0.0,"chosen":-0.0,"counted":0,"doubled":-0.0,"dropped":-0.0,"each":0,"failing":-0.0,"folded":-0.0,` +
		`"inner":[-0.0,-0.5],"ints":0,"joined":[1.5,-0.0],"looked":-0.0,"made":[1.5,-0.0],"mapped":-0.0,"over":false,` +
		`"param":-0.0,"unused":-0.0,"used":-0.0}`
	x := &example{ruleset: text, input: `{"xs": [], "ns": []}`, faces: []int64{1, 2}}
	program, diags := compileText(text)
	if program == nil {
		t.Fatal(diags)
	}
	theirs, err := x.askProgram(program)
	if err != nil {
		t.Fatal(err)
	}
	r, err := readText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := r.Evaluate("a", judge.Question{Input: []byte(x.input), Thrower: &judge.InOrder{Faces: x.faces}})
	if err != nil {
		t.Fatal(err)
	}
	for who, diff := range map[string]string{"the program": differ("output", []byte(theirs), mustDecode(t, want)),
		"the judge": differ("output", []byte(want), ours.Output)} {
		if diff != "" {
			t.Errorf("%s: %s", who, diff)
		}
	}
}

func mustDecode(t *testing.T, text string) any {
	v, err := treeOf([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestMisfitOfDefaultedList lets the program name the element that does not fit, of which CUE, where the list has a default,
// says nothing.
func TestMisfitOfDefaultedList(t *testing.T) {
	x := &example{ruleset: ruleOf("#Input: xs: (*[3] | [...int]) & list.MaxItems(4)\noutput: n: \"sum(input.xs)\""),
		input: `{"xs": [1, 0.5]}`}
	program, diags := compileText(gametest.Head + x.ruleset)
	if program == nil {
		t.Fatal(diags)
	}
	r, err := readText(t, gametest.Head+x.ruleset)
	if err != nil {
		t.Fatal(err)
	}
	_, theirs := x.askProgram(program)
	_, ours := x.askJudge(r)
	if kind := kindOf(theirs); kind != "misfit input.xs[1]" {
		t.Errorf("the program: %s", kind)
	}
	if diff, err := compareErrors(theirs, ours); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// hasExample reports whether an example is about a sentence, or about a part of it.
func hasExample(chapter, sentence string) bool {
	whole := wordsOf(sentence)
	isAbout := func(of, part string) bool {
		part = wordsOf(part)
		return of == chapter && (strings.Contains(whole, part) || strings.Contains(part, whole))
	}
	for _, x := range heldElsewhere {
		if isAbout(x.chapter, x.sentence) {
			return true
		}
	}
	return slices.ContainsFunc(examples, func(x example) bool { return isAbout(x.chapter, x.sentence) })
}

// differ returns how an answer differs from what is wanted.
func (x *example) differ(got string) string {
	if x.of == chances || x.of == course {
		if got == x.want {
			return ""
		}
		return fmt.Sprintf("%s, and not %s", got, x.want)
	}
	status, output, isOutput := strings.Cut(x.want, "{")
	if theirs, found := strings.CutPrefix(got, status); isOutput && found {
		tree, err := treeOf([]byte("{" + output))
		if err != nil {
			return err.Error()
		}
		return differ("output", []byte(theirs), tree)
	}
	if strings.HasPrefix(x.want, "failure") && strings.HasPrefix(got, x.want) || got == x.want {
		return ""
	}
	return fmt.Sprintf("%s, and not %s", got, x.want)
}

func (x *example) isPlay() bool { return strings.Contains(x.ruleset, "procedures: p:") }

func (x *example) askProgram(p *runtime.Program) (string, error) {
	request := runtime.Request{Character: []byte(x.character), Input: []byte(x.input), Throw: dice.Fallen(x.faces...)}
	if x.isPlay() {
		return x.playProgram(p, request)
	}
	rule, err := p.Rule("a", runtime.Choice{Options: x.options, Outputs: x.outputs})
	if err != nil {
		return "", err
	}
	switch x.of {
	case drawn:
		request.Throw = dice.DrawnFrom(exampleSeed)
	case chances:
		request.Throw = dice.Throw{}
		answer, err := rule.Odds(context.Background(), request, &odds.Options{Exact: true, Joint: true})
		if err != nil {
			return "", err
		}
		all := map[string]*big.Rat{}
		if err := addOutcomes(all, answer.Joint); err != nil {
			return "", err
		}
		addEndings(all, answer.Joint.Endings(), answer.Joint.Den)
		return chancesText(all), nil
	}
	answer, err := rule.Eval(request)
	if err != nil {
		return "", err
	}
	if x.of == sheet {
		return string(answer.AppendJSON(nil)), nil
	}
	return string(answer.Output.AppendJSON(nil)), nil
}

func (x *example) playProgram(p *runtime.Program, request runtime.Request) (string, error) {
	procedure, err := p.Procedure("p", runtime.Choice{Options: x.options})
	if err != nil {
		return "", err
	}
	request.Throw = dice.Throw{}
	if x.of == course {
		var policy runtime.Policy
		for _, e := range x.events {
			policy = append(policy, runtime.Move{Event: e.Event, Input: e.Input})
		}
		c, err := procedure.Odds(context.Background(), request, policy, &runtime.CourseOptions{Most: exampleEvents, Exact: true})
		if err != nil {
			return "", err
		}
		return chancesText(chancesOfCourse(c)), nil
	}
	var steps []runtime.Step
	for _, e := range x.events {
		steps = append(steps, runtime.Step{Event: e.Event, Input: e.Input, Throw: dice.Fallen(x.faces...)})
	}
	play, err := procedure.Play(request, steps...)
	if err != nil {
		return "", err
	}
	if x.of == sheet {
		return string(play.AppendJSON(nil)), nil
	}
	return play.Status + " " + string(play.Output.AppendJSON(nil)), nil
}

func (x *example) askJudge(r *judge.Ruleset) (string, error) {
	q := judge.Question{Character: []byte(x.character), Input: []byte(x.input), Options: x.options,
		Thrower: &judge.InOrder{Faces: x.faces}}
	if x.isPlay() {
		return x.playJudge(r, q)
	}
	switch x.of {
	case drawn:
		q.Thrower = judge.DrawFrom(exampleSeed, 0, 0)
	case chances:
		list, err := r.Odds("a", q, 1_000)
		if err != nil {
			return "", err
		}
		return chancesText(chancesOf(list)), nil
	}
	answer, err := r.Evaluate("a", q)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(answer.Output)
	return string(text), err
}

func (x *example) playJudge(r *judge.Ruleset, q judge.Question) (string, error) {
	if x.of == course {
		var moves []judge.Move
		for _, e := range x.events {
			moves = append(moves, judge.Move{Event: e.Event, Input: e.Input})
		}
		list, err := r.Course("p", q, moves, exampleEvents, 1_000)
		return chancesText(chancesOfSituations(list)), err
	}
	q.Thrower = &judge.InOrder{}
	for i := range x.events {
		x.events[i].Thrower = &judge.InOrder{Faces: x.faces}
	}
	play, _, err := r.Play("p", q, x.events)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(play.Output)
	return play.Status + " " + string(text), err
}

const (
	exampleSeed   = 7
	exampleEvents = 2
)

// chancesText writes chances as an example wants them.
func chancesText(chances map[string]*big.Rat) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(chances)) {
		parts = append(parts, chances[key].String()+" "+key)
	}
	return strings.Join(parts, "; ")
}

// chapters is the directory of the texts of the reference.
const chapters = "cmd/rules/internal/term/manual/language"

// readChapter returns a chapter of the reference; of the functions, which stand in the code, all of it.
func readChapter(t *testing.T, name string) string {
	if name == "functions" {
		return readReference(t)
	}
	text, err := os.ReadFile(filepath.Join(moduleRoot(t), chapters, name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sentenceEnd finds the end of a sentence, which may be the colon before an example.
var sentenceEnd = regexp.MustCompile(`[.]\s|:\s*$`)

// sentences yields the sentences of the chapters, without their examples, which are indented.
func sentences(t *testing.T) iter.Seq2[string, string] {
	files, err := filepath.Glob(filepath.Join(moduleRoot(t), chapters, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	return func(yield func(chapter, sentence string) bool) {
		for _, file := range files {
			chapter := strings.TrimSuffix(filepath.Base(file), ".txt")
			for paragraph := range strings.SplitSeq(readChapter(t, chapter), "\n\n") {
				if strings.HasPrefix(paragraph, "    ") {
					continue
				}
				begin := 0
				for _, end := range sentenceEnd.FindAllStringIndex(paragraph+"\n", -1) {
					if !yield(chapter, strings.Join(strings.Fields(paragraph[begin:end[0]]), " ")) {
						return
					}
					begin = min(end[1], len(paragraph))
				}
			}
		}
	}
}
