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
		program, diags := compileText(exampleHead + x.ruleset)
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
		r, err := readText(t, exampleHead+x.ruleset)
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

// TestSumOfNothing holds the comparison to the sign of a zero in a list: -0.0 is a sum of no doubles with a minus before it,
// and the judge, to whom it is an int, must not contradict.
func TestSumOfNothing(t *testing.T) {
	x := &example{ruleset: ruleOf("#Input: xs: [...number] & list.MaxItems(2)\n" +
		"output: {made: \"[1.5, -(sum(input.xs))]\", joined: \"[1.5] + [-(sum(input.xs))]\"}"), input: `{"xs": []}`}
	program, diags := compileText(exampleHead + x.ruleset)
	if program == nil {
		t.Fatal(diags)
	}
	theirs, err := x.askProgram(program)
	if want := `{"made":[1.5,-0.0],"joined":[1.5,-0.0]}`; err != nil || theirs != want {
		t.Fatalf("the program: %s, %v; want %s", theirs, err, want)
	}
	r, err := readText(t, exampleHead+x.ruleset)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := r.Evaluate("a", judge.Question{Input: []byte(x.input)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := differ("output", []byte(theirs), ours.Output); diff != "" {
		t.Error(diff)
	}
}

// TestMisfitOfDefaultedList lets the program name the element that does not fit, of which CUE, where the list has a default,
// says nothing.
func TestMisfitOfDefaultedList(t *testing.T) {
	x := &example{ruleset: ruleOf("#Input: xs: (*[3] | [...int]) & list.MaxItems(4)\noutput: n: \"sum(input.xs)\""),
		input: `{"xs": [1, 0.5]}`}
	program, diags := compileText(exampleHead + x.ruleset)
	if program == nil {
		t.Fatal(diags)
	}
	r, err := readText(t, exampleHead+x.ruleset)
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
