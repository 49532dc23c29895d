package judge_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// An example is a question about a small ruleset that a sentence of the reference answers. What is wanted follows from the
// sentence: the program and the judge must both say so.
type example struct {
	chapter, sentence string // its first words at least
	ruleset           string // behind the head, with the rule "a" or the procedure "p"
	character, input  string
	options           map[string]string
	faces             []int64
	events            []judge.Happening
	want              string // the output, of a play with its status before; or why there is none
}

// exampleHead begins the ruleset of each example.
const exampleHead = `package game

import (
	"list"

	"github.com/tabletop-rules/rules/schema"
)

schema.#Ruleset
id: "game"
title: "A game"
source: book: "A book"
_keep: list.MaxItems(1)
`

// ruleOf is a rule of a few fields and outputs.
func ruleOf(parts string) string { return "rules: a: {cite: \"x\"\n" + parts + "\n}\n" }

// examples are in the order of the chapters.
var examples = []example{
	{chapter: "values", sentence: "The words of a choice, \"poor\" | \"fair\" | \"good\"",
		ruleset: ruleOf(`#Input: w!: "poor" | "fair" | "good"
output: {least: "input.w >= 'fair'", all: "sort(['good', input.w])"}`), input: `{"w": "poor"}`,
		want: `{"least": false, "all": ["poor", "good"]}`},
	{chapter: "values", sentence: "xs.sort_by(x, x.word), and odds; other strings go by letters",
		ruleset: ruleOf(`#Input: w: *"m" | string
output: all: "sort(['z', input.w])"`), want: `{"all": ["m", "z"]}`},
	{chapter: "values", sentence: "Where nothing is said of a field it has its default",
		ruleset: ruleOf(`#Input: {n: *3 | int, m?: int}
output: {n: "input.n", m: "has(input.m)"}`), want: `{"n": 3, "m": false}`},
	{chapter: "values", sentence: "A whole number is no double in JSON, but may stand where a double is wanted",
		ruleset: ruleOf(`#Input: d!: number
output: half: "input.d / 2"`), input: `{"d": 3}`, want: `{"half": 1.5}`},
	{chapter: "values", sentence: "a number that may have a fraction is the double that is nearest to it",
		ruleset: ruleOf(`#Input: d!: number & >0
output: d: "input.d"`), input: `{"d": 1e-400}`, want: "misfit input.d"},

	{chapter: "formulas", sentence: "+ - * and comparisons mix int and double",
		ruleset: ruleOf(`#Input: n!: int
output: {sum: "input.n + 0.5", less: "input.n < 2.5"}`), input: `{"n": 2}`, want: `{"sum": 2.5, "less": true}`},
	{chapter: "formulas", sentence: "/ of two ints must say how it rounds: div_floor, div_ceil, div_half_up, div_trunc",
		ruleset: ruleOf(`#Input: n!: int
output: {floor: "div_floor(input.n, 2)", ceil: "div_ceil(input.n, 2)"}
output: {half: "div_half_up(input.n, 2)", trunc: "div_trunc(input.n, 2)"}`),
		input: `{"n": -3}`, want: `{"floor": -2, "ceil": -1, "half": -1, "trunc": -1}`},
	{chapter: "formulas", sentence: "Instead of one formula there may be one for each value of an option",
		ruleset: `options: tie: {cite: "x", default: "made", values: {made: "a", missed: "b"}}
` + ruleOf(`output: n: option: tie: {made: "1", missed: "2"}`),
		options: map[string]string{"tie": "missed"}, want: `{"n": 2}`},
	{chapter: "formulas", sentence: "or of a let, kind: {sword:",
		ruleset: ruleOf(`#Input: k!: "sword" | "spear"
let: kind: "input.k"
output: n: kind: {sword: "1", spear: "2"}`), input: `{"k": "spear"}`, want: `{"n": 2}`},
	{chapter: "formulas", sentence: "A number or a truth value that never changes may stand without quotes",
		ruleset: ruleOf(`#Input: n: *1 | int
output: {mass: 20, heavy: true, n: "input.n"}`), want: `{"mass": 20, "heavy": true, "n": 1}`},
	{chapter: "formulas", sentence: "hits: \"hits\" shows the let or the die of that name",
		ruleset: ruleOf(`#Input: n!: int
let: hits: "input.n + 1"
output: hits: "hits"`), input: `{"n": 2}`, want: `{"hits": 3}`},
	{chapter: "formulas", sentence: "A list under the name of a use hands its outputs on",
		ruleset: `rules: b: {cite: "x", output: {harm: 3, made: true}}
` + ruleOf(`use: strike: rule: "b"
output: strike: ["harm", "made"]`), want: `{"harm": 3, "made": true}`},
	{chapter: "formulas", sentence: "{'harm': 1, 'luck': input.luck} makes a map",
		ruleset: ruleOf(`#Input: luck!: int
output: n: "{'harm': 1, 'luck': input.luck}['luck']"`), input: `{"luck": 4}`, want: `{"n": 4}`},
	{chapter: "formulas", sentence: "A let is a name for a formula: what is wrong in it counts only where its value is needed",
		ruleset: ruleOf(`#Input: n!: int
let: bad: "div_floor(1, input.n)"
output: n: "input.n == 0 ? 7 : bad"`), input: `{"n": 0}`, want: `{"n": 7}`},
	{chapter: "formulas", sentence: "Of && and || a side that decides makes the other one count for nothing",
		ruleset: ruleOf(`#Input: n!: int
output: {no: "div_floor(1, input.n) > 0 && input.n > 0", yes: "input.n == 0 || div_floor(1, input.n) > 0"}`),
		input: `{"n": 0}`, want: `{"no": false, "yes": true}`},
	{chapter: "formulas", sentence: "also where that has no value", // the other side does not decide here
		ruleset: ruleOf(`#Input: {n!: int, m!: int}
output: no: "div_floor(1, input.n) > 0 && input.m > 0"`), input: `{"n": 0, "m": 1}`, want: "failure a division"},

	{chapter: "tables", sentence: "A table is a function of a key: keyed by strings, bands by the interval",
		ruleset: `tables: {
	arm: {cite: "x", gives: "harm", keyed: {axe: harm: 3, bow: harm: 2}}
	zone: {cite: "x", gives: "cost", bands: [{on: [1, 3], cost: 5}, {on: 4, cost: 6}]}
}
` + ruleOf(`#Input: {k!: string @key(arm), n!: int & >=1 & <=4}
output: {arm: "arm(input.k)", zone: "zone(input.n)"}`), input: `{"k": "bow", "n": 3}`, want: `{"arm": 2, "zone": 5}`},
	{chapter: "tables", sentence: "A key without a row has no value",
		ruleset: `tables: zone: {cite: "x", gives: "cost", bands: [{on: [1, 3], cost: 5}]}
` + ruleOf(`#Input: n!: int
output: n: "zone(input.n)"`), input: `{"n": 4}`, want: "failure a key"},
	{chapter: "tables", sentence: "A column has one type; one fractional number makes it double",
		ruleset: `tables: arm: {cite: "x", gives: "mass", keyed: {axe: mass: 3, bow: mass: 0.5}}
` + ruleOf(`#Input: k!: string @key(arm)
output: mass: "arm(input.k) / 2"`), input: `{"k": "axe"}`, want: `{"mass": 1.5}`},
	{chapter: "tables", sentence: "Of steps it is the row with the greatest number that the key has reached (from)",
		ruleset: `tables: step: {cite: "x", gives: "n", steps: [{from: 0, n: 0}, {above: 3, n: 2}, {from: 3, n: 1}]}
` + ruleOf(`#Input: n!: int & >=0
output: {three: "step(input.n)", four: "step(input.n + 1)"}`), input: `{"n": 3}`, want: `{"three": 1, "four": 2}`},
	{chapter: "tables", sentence: "with carry: true a row says only what is other than in the row before",
		ruleset: `tables: step: {cite: "x", carry: true, steps: [{from: 0, a: 1, b: 5}, {from: 3, a: 2}]}
` + ruleOf(`#Input: n!: int & >=0
output: {a: "step(input.n).a", b: "step(input.n).b"}`), input: `{"n": 3}`, want: `{"a": 2, "b": 5}`},
	{chapter: "tables", sentence: "A chart of the book has a key for the row and one for the column",
		ruleset: `tables: harm: {cite: "x", columns: ["cut", "thrust"], rows: {mail: [1, 3], plate: [0, 2]}}
` + ruleOf(`#Input: {armor!: string @key(harm), attack!: string @key(harm.columns)}
output: hurt: "harm(input.armor, input.attack)"`), input: `{"armor": "mail", "attack": "thrust"}`, want: `{"hurt": 3}`},

	{chapter: "dice", sentence: "A die is an int, or a list of ints if it has a count",
		ruleset: ruleOf(`dice: {one: "d10", three: "3d6"}
output: {one: "one", three: "three"}`), faces: []int64{9, 4, 1, 6}, want: `{"one": 9, "three": [4, 1, 6]}`},
	{chapter: "dice", sentence: "Anything more is an int again, what the dice come to",
		ruleset: ruleOf(`dice: a: "4d6kh3 + 2"
output: a: "a"`), faces: []int64{4, 1, 6, 3}, want: `{"a": 15}`},
	{chapter: "dice", sentence: "What falls when a die explodes is added to it, or with into",
		ruleset: ruleOf(`dice: {sum: {die: 6, explode: on: "max"}, all: {die: 6, count: 2, explode: {on: 6, into: "dice"}}}
output: {sum: "sum", all: "all"}`), faces: []int64{6, 2, 3, 6, 5}, want: `{"sum": 8, "all": [3, 6, 5]}`},
	{chapter: "dice", sentence: "Such dice are given throw by throw: 10, 3, 8, 1, 10 explode into 10, 4, and that ten into 9",
		ruleset: ruleOf(`dice: tens: {die: 10, count: 5, explode: {on: 10, into: "dice"}}
output: hits: "tens.count(f, f >= 8)"`), faces: []int64{10, 3, 8, 1, 10, 10, 4, 9}, want: `{"hits": 5}`},
	{chapter: "dice", sentence: "a roll that is thrown on more than 30 times has no value", // 30 times is not more
		ruleset: ruleOf(`dice: a: {die: 2, count: 1, explode: {on: 2, into: "dice"}}
output: sum: "sum(a)"`), faces: append(slices.Repeat([]int64{2}, 30), 1), want: `{"sum": 61}`},
	{chapter: "dice", sentence: "a roll that is thrown on more than 30 times has no value",
		ruleset: ruleOf(`dice: a: {die: 2, count: 1, explode: {on: 2, into: "dice"}}
output: sum: "sum(a)"`), faces: slices.Repeat([]int64{2}, 31), want: "failure an endless chain"},
	{chapter: "dice", sentence: "a roll that is thrown on more than 30 times has no value, unless times says where it ends",
		ruleset: ruleOf(`dice: a: {die: 2, explode: {on: 2, times: 1}}
output: a: "a"`), faces: []int64{2, 2}, want: `{"a": 4}`},
	{chapter: "dice", sentence: "Dice of a series come to a list",
		ruleset: ruleOf(`dice: a: "2x 2d4kh1"
output: a: "a"`), faces: []int64{1, 3, 2, 2}, want: `{"a": [3, 2]}`},
	{chapter: "dice", sentence: "With more dice than \"most\" a die has no value",
		ruleset: ruleOf(`#Input: n!: int & >=0
dice: a: {die: 6, count: "input.n", most: 2}
output: all: "sum(a)"`), input: `{"n": 3}`, want: "failure too many dice"},
	{chapter: "dice", sentence: "Dice fall in the order in which the rule is written, top to bottom",
		ruleset: ruleOf(`dice: late: "d6"
dice: early: "d8"
output: {early: "early", late: "late"}`), faces: []int64{6, 8}, want: `{"early": 8, "late": 6}`},

	{chapter: "rules", sentence: "Each requirement that reads neither die nor use, in any form of its lets, is judged before",
		ruleset: ruleOf(`#Input: n!: int
dice: a: "d6"
require: {"not by dice": "a > 9", "not by input": "input.n > 0"}
output: a: "a"`), input: `{"n": 0}`, want: "refused: not by input"},
	{chapter: "rules", sentence: "the first that does not hold refuses",
		ruleset: ruleOf(`#Input: n!: int
require: {"second": "input.n > 1", "first": "input.n > 2"}
output: n: "input.n"`), input: `{"n": 0}`, want: "refused: second"},
	{chapter: "rules", sentence: "What outputs of a use are when its condition is false stands in its otherwise",
		ruleset: `rules: b: {cite: "x", output: harm: 3}
` + ruleOf(`#Input: w!: bool
use: strike: {rule: "b", when: "input.w", otherwise: harm: 0}
output: harm: "strike.harm"`), input: `{"w": false}`, want: `{"harm": 0}`},
	{chapter: "rules", sentence: "A record that is the whole input of a use may have more than its rule asks for",
		ruleset: `rules: b: {cite: "x", #Input: n!: int & <=5, output: n: "input.n"}
` + ruleOf(`#Input: r!: {n!: int, m: *1 | int}
use: b: {rule: "b", input: "input.r"}
output: {n: "b.n", m: "input.r.m"}`), input: `{"r": {"n": 6}}`, want: "failure an input"},
	{chapter: "rules", sentence: "The first value of an option is its default, unless default",
		ruleset: `options: tie: {cite: "x", values: {made: "a", missed: "b"}}
` + ruleOf(`output: n: option: tie: {made: "1", missed: "2"}`), want: `{"n": 1}`},

	{chapter: "procedures", sentence: "A procedure begins with its start, which gives the state its values: what next says",
		ruleset: `procedures: p: {cite: "x", #State: {a: *1 | int, b: *2 | int}, start: next: a: "5", ends: over: "state.a > 99"
	output: {a: "state.a", b: "state.b"}
	events: e: {doc: "x", next: b: "state.b"}}
`, want: `open {"a": 5, "b": 2}`},
	{chapter: "procedures", sentence: "and all of them read the state before the step",
		ruleset: `procedures: p: {cite: "x", #State: {a: *1 | int, b: *2 | int}, ends: over: "state.a > 99"
	output: {a: "state.a", b: "state.b"}
	events: e: {doc: "x", next: {a: "state.b", b: "state.a"}}}
`, events: []judge.Happening{{Event: "e"}}, want: `open {"a": 2, "b": 1}`},
	{chapter: "procedures", sentence: "What next does not name stays",
		ruleset: `procedures: p: {cite: "x", #State: {a: *1 | int, b: *2 | int}, ends: over: "state.a > 99"
	output: {a: "state.a", b: "state.b"}
	events: e: {doc: "x", next: a: "state.a + 1"}}
`, events: []judge.Happening{{Event: "e"}}, want: `open {"a": 2, "b": 2}`},
	{chapter: "procedures", sentence: "and the first that holds is the status",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, ends: {won: "state.a > 1", lost: "state.a > 0"}
	output: a: "state.a"
	events: e: {doc: "x", next: a: "state.a + 1"}}
`, want: `lost {"a": 1}`},
	{chapter: "procedures", sentence: "After an end no event is offered",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, ends: over: "state.a > 0", output: a: "state.a"
	events: e: {doc: "x", next: a: "state.a + 1"}}
`, events: []judge.Happening{{Event: "e"}}, want: "not offered: e"},
	{chapter: "procedures", sentence: "then its \"when\", then what comes with it",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int, ends: over: "state.a > 9", output: a: "state.a"
	events: e: {doc: "x", when: "state.a > 1", #Event: n!: int, next: a: "event.n"}}
`, events: []judge.Happening{{Event: "e", Input: []byte(`{"n":"x"}`)}}, want: "not offered: e"},
	{chapter: "procedures", sentence: "a next value out of the bounds of its field, or that is no number, is an error",
		ruleset: `procedures: p: {cite: "x", #State: a: *1 | int & <=3, output: a: "state.a", ends: over: "state.a > 99"
	events: e: {doc: "x", next: a: "state.a + 5"}}
`, events: []judge.Happening{{Event: "e"}}, want: "misfit state.a"},
	{chapter: "procedures", sentence: "A next value that fails is told of before the outputs of the event",
		ruleset: `procedures: p: {cite: "x", #State: a: *0 | int, output: a: "state.a", ends: over: "state.a > 99"
	events: e: {doc: "x", next: a: "div_floor(1, state.a)", output: n: "size([1].slice(state.a, state.a - 1))"}}
`, events: []judge.Happening{{Event: "e"}}, want: "failure a division"},

	{chapter: "decisions", sentence: "a value outside of its bounds, or one that differs from the default",
		ruleset: ruleOf(`#Input: spend: *0 | int & >=0 & <=9
dice: roll: "d6"
decide: spend: {after: ["roll"], when: "roll > 1", least: 0, most: "roll"}
output: n: "roll + input.spend"`), input: `{"spend": 3}`, faces: []int64{4}, want: `{"n": 7}`},
	{chapter: "decisions", sentence: "a value outside of its bounds, or one that differs from the default",
		ruleset: ruleOf(`#Input: spend: *0 | int & >=0 & <=9
dice: roll: "d6"
decide: spend: {after: ["roll"], when: "roll > 1", least: 0, most: "roll"}
output: n: "roll + input.spend"`), input: `{"spend": 5}`, faces: []int64{4}, want: "refused: spend must be at most roll"},
	{chapter: "decisions", sentence: "a value outside of its bounds, or one that differs from the default",
		ruleset: ruleOf(`#Input: spend: *0 | int & >=0 & <=9
dice: roll: "d6"
decide: spend: {after: ["roll"], when: "roll > 1", least: 0, most: "roll"}
output: n: "roll + input.spend"`), input: `{"spend": 1}`, faces: []int64{1},
		want: "refused: spend is decided only when roll > 1"},

	{chapter: "sheets", sentence: "An int is written without a fraction, a double with a fraction or an exponent: 1.0",
		ruleset: ruleOf(`#Input: n!: int
output: {n: "input.n", d: "double(input.n)"}`), input: `{"n": 1}`, want: `{"n": 1, "d": 1.0}`},
	{chapter: "sheets", sentence: "A number that is none, or infinite, cannot stand there: the output fails",
		ruleset: ruleOf(`#Input: d!: number
output: d: "input.d * 1e300"`), input: `{"d": 1e300}`, want: "failure"},
	{chapter: "sheets", sentence: "A sheet with a failed output is an error",
		ruleset: ruleOf(`#Input: n!: int
output: {n: "input.n", bad: "div_floor(1, input.n)"}`), input: `{"n": 0}`, want: "failure a division"},

	{chapter: "refusals", sentence: "The first of these is told: a character or an input that is not JSON or does not fit",
		ruleset: ruleOf(`#Input: {n!: int, m!: int & <=3}
require: never: "input.n > 5"
output: n: "input.m"`), input: `{"n": 1, "m": 4}`, want: "misfit input.m"},
	{chapter: "refusals", sentence: "Of requirements the first that does not hold refuses, with its message",
		ruleset: ruleOf(`#Input: n!: int
require: {one: "input.n > 5", two: "input.n > 6"}
output: n: "input.n"`), input: `{"n": 6}`, want: "refused: two"},
	{chapter: "refusals", sentence: "Of several formulas without a value the first in the order of the rule is told of",
		ruleset: ruleOf(`#Input: n!: int
output: {a: "size([1].slice(input.n, input.n - 1))", b: "div_floor(1, input.n)"}`),
		input: `{"n": 0}`, want: "failure an index"},
}

// TestSentences plays the examples by the program and by the judge.
func TestSentences(t *testing.T) {
	said := map[string]string{}
	for _, x := range examples {
		if said[x.chapter] == "" {
			said[x.chapter] = readChapter(t, x.chapter)
		}
		if !strings.Contains(wordsOf(said[x.chapter]), wordsOf(x.sentence)) {
			t.Errorf("chapter %s does not say: %s", x.chapter, x.sentence)
		}
		program, diags := compileText(exampleHead + x.ruleset)
		if program == nil {
			t.Errorf("%s: %v", x.sentence, diags)
			continue
		}
		r, err := readText(t, exampleHead+x.ruleset)
		if err != nil {
			t.Fatal(err)
		}
		for who, answer := range map[string]func() (string, error){
			"the program": func() (string, error) { return x.askProgram(program) },
			"the judge":   func() (string, error) { return x.askJudge(r) },
		} {
			got, err := answer()
			if err != nil {
				got = strings.TrimSpace(kindOf(err))
			}
			if diff := x.differ(got); diff != "" {
				t.Errorf("%s: %s: %s", x.sentence, who, diff)
			}
		}
	}
	count := countSentences(t)
	t.Logf("%d examples of %d sentences", len(examples), count)
	if len(examples)*100 < 55*count {
		t.Errorf("only %d of %d sentences of the reference have an example", len(examples), count)
	}
}

// differ returns how an answer differs from what is wanted.
func (x *example) differ(got string) string {
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

func (x *example) isPlay() bool { return strings.HasPrefix(x.ruleset, "procedures:") }

func (x *example) askProgram(p *runtime.Program) (string, error) {
	request := runtime.Request{Character: []byte(x.character), Input: []byte(x.input), Throw: dice.Fallen(x.faces...)}
	if !x.isPlay() {
		rule, err := p.Rule("a", runtime.Choice{Options: x.options})
		if err != nil {
			return "", err
		}
		sheet, err := rule.Eval(request)
		if err != nil {
			return "", err
		}
		return string(sheet.Output.AppendJSON(nil)), nil
	}
	procedure, err := p.Procedure("p", runtime.Choice{Options: x.options})
	if err != nil {
		return "", err
	}
	var steps []runtime.Step
	for _, e := range x.events {
		steps = append(steps, runtime.Step{Event: e.Event, Input: e.Input})
	}
	play, err := procedure.Play(request, steps...)
	if err != nil {
		return "", err
	}
	return play.Status + " " + string(play.Output.AppendJSON(nil)), nil
}

func (x *example) askJudge(r *judge.Ruleset) (string, error) {
	q := judge.Question{Character: []byte(x.character), Input: []byte(x.input), Options: x.options,
		Thrower: &judge.InOrder{Faces: x.faces}}
	if !x.isPlay() {
		sheet, err := r.Evaluate("a", q)
		if err != nil {
			return "", err
		}
		text, err := json.Marshal(sheet.Output)
		return string(text), err
	}
	for i := range x.events {
		x.events[i].Thrower = &judge.InOrder{}
	}
	play, _, err := r.Play("p", q, x.events)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(play.Output)
	return play.Status + " " + string(text), err
}

// chapters is the directory of the texts of the reference.
const chapters = "cmd/rules/internal/term/manual/language"

// readChapter returns a chapter of the reference.
func readChapter(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join(moduleRoot(t), chapters, name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sentenceEnd finds the end of a sentence.
var sentenceEnd = regexp.MustCompile(`[.]\s`)

// countSentences counts the sentences of the chapters, without their examples, which are indented.
func countSentences(t *testing.T) (n int) {
	files, err := filepath.Glob(filepath.Join(moduleRoot(t), chapters, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for paragraph := range strings.SplitSeq(string(text), "\n\n") {
			if !strings.HasPrefix(paragraph, "    ") {
				n += len(sentenceEnd.FindAllString(paragraph+"\n", -1))
			}
		}
	}
	return n
}
