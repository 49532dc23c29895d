package judge_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/judge"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
)

// manyWrongs is a ruleset in which much can be wrong: what says on3 is wrong when input.p or input.q is 3. The numbers are
// the order in which the reference tells of it, which is not the order in which all is written.
const manyWrongs = `
#Character: might: *1 | int & <=9
rules: b: {cite: "x"
	#Input: {n!: int & <=5, m!: int & <=5, w: *1 | int & >=0 & <=5}
	require: "w is not 0": "input.w > 0"
	output: {made: 1}
}
rules: a: {cite: "x"
	#Input: {p!: int, q!: int}
	let: {LETS}
	output: {o1: "on19 ? 1e300 * 1e300 : 1.0", o2: "round(on20 ? 1e300 : 1.0)", o3: "[1.0, on21 ? -1e300 * 1e300 : 1.0]"}
	output: o4: "9223372036854775807 + (on22 ? 1 : 0)"
	require: {
		"by dice":            "two > 1 || !on17"
		"is the first":       "!on1"
		"has no value":       "div_floor(1, on2 ? 0 : 1) > 0"
		"is the third":       "!on3"
		"by dice, no value":  "two + {'a': 1}[on18 ? 'b' : 'a'] > 0"
	}
	dice: one: {die: 6, count: "on4 ? 9 : 1", most: 3}
	use: strike: {rule: "b", when: "[1][on5 ? 1 : 0] > 0"
		input: {
			w: "on12 ? max([1].slice(1, 1)) : on13 ? 7 : on14 ? 0 : 1"
			m: "on10 ? pow(2, -1) : on11 ? 8 : 1"
			n: "on8 ? 1 % 0 : on9 ? 9 : 1"
		}
	}
	use: each: {rule: "b", each: {x: "[1]", y: "on15 ? [1, 2] : [1]"}, input: {n: "x", m: "y"}}
	dice: two: {die: "on16 ? 0 : 6"}
}
procedures: p: {cite: "x"
	#Input: {p!: int, q!: int}
	#State: {s: *0 | int & <=50, d: *1.0 | number, t: *0 | int & <=60}
	let: {LETS}
	ends: {over: "state.t == 13 && round(1e300) > 0", never: "state.s > 90"}
	output: {left: "state.t == 14 ? 1e300 * 1e300 : 1.0", last: "state.t == 15 ? 5 % 0 : 1"}
	events: e: {doc: "x"
		output: {fall: "on6 ? 1e300 * 1e300 : 1.0", rest: "[1][on7 ? 1 : 0]"}
		next: {
			t:                 "on4 ? pow(2, -1) : on11 ? 70 : on13 ? 13 : on14 ? 14 : on15 ? 15 : 1"
			"character.might": "on5 ? {'a': 1}[on5 ? 'b' : 'a'] : on8 ? 10 : 1"
			s:                 "on9 ? 51 : 1"
			d:                 "on10 ? 1e300 * 1e300 : 2.0"
		}
		when: "div_floor(1, on1 ? 0 : 1) > 0"
		dice: {one: {die: 6, count: "on3 ? 9 : 1", most: 3}}
		require: "is the first": "!on2"
	}
}
`

func readManyWrongs(t *testing.T) (*runtime.Program, *judge.Ruleset) {
	var lets []string
	for n := 1; n <= 22; n++ {
		lets = append(lets, fmt.Sprintf("on%d: \"input.p == %d || input.q == %d\"", n, n, n))
	}
	text := gametest.Head + strings.ReplaceAll(manyWrongs, "LETS", strings.Join(lets, ", "))
	program, diags := compileText(text)
	if program == nil {
		t.Fatalf("%+v", diags)
	}
	r, err := readText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return program, r
}

// TestOddsOfFailures lets dice be impossible and something else be wrong: the odds tell of what an evaluation tells of.
func TestOddsOfFailures(t *testing.T) {
	program, r := readManyWrongs(t)
	rule, err := program.Rule("a", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	o := &oracle{t: t, r: r, heard: fnv.New64a(), worked: new([]int64)}
	for _, p := range []int{0, 4, 16} {
		for _, q := range numbersUpTo(22, 6, 7) {
			input := fmt.Appendf(nil, `{"p": %d, "q": %d}`, p, q)
			diff, err := compareChances(o, rule, runtime.Request{Input: input}, judge.Question{Input: input}, nil, 100)
			if diff != "" || err != nil {
				t.Errorf("of %d and %d: %s, %v", p, q, diff, err)
			}
		}
	}
}

// TestOrderOfFailures lets two things be wrong at once, each pair of those there are: the program and the judge tell of the
// one that the reference tells of first.
func TestOrderOfFailures(t *testing.T) {
	program, r := readManyWrongs(t)
	rule, err := program.Rule("a", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	procedure, err := program.Procedure("p", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	faces := []int64{1, 1}
	request := func(input string) runtime.Request {
		return runtime.Request{Input: []byte(input), Throw: dice.Fallen(faces...)}
	}
	question := func(input string) judge.Question {
		return judge.Question{Input: []byte(input), Thrower: &judge.InOrder{Faces: faces}}
	}
	one := []int64{1}
	for _, c := range []struct {
		who, of string
		numbers []int
		ask     func(input string) error
	}{
		{"the program", "a rule", numbersUpTo(22, 6, 7), func(input string) error {
			_, err := rule.Eval(request(input))
			return err
		}},
		{"the judge", "a rule", numbersUpTo(22, 6, 7), func(input string) error {
			_, err := r.Evaluate("a", question(input))
			return err
		}},
		{"the program", "an event", numbersUpTo(15, 12), func(input string) error {
			_, err := procedure.Play(runtime.Request{Input: []byte(input)}, runtime.Step{Event: "e", Throw: dice.Fallen(one...)})
			return err
		}},
		{"the judge", "an event", numbersUpTo(15, 12), func(input string) error {
			_, _, err := r.Play("p", judge.Question{Input: []byte(input)},
				[]judge.Happening{{Event: "e", Thrower: &judge.InOrder{Faces: one}}})
			return err
		}},
	} {
		told := func(p, q int) string {
			err := c.ask(fmt.Sprintf(`{"p": %d, "q": %d}`, p, q))
			if m, isMisfit := errors.AsType[*judge.Misfit](err); isMisfit { // the judge finds all
				return "misfit " + m.Paths[0]
			}
			return fmt.Sprint(err)
		}
		alone, numberOf := map[int]string{}, map[string]int{}
		for _, n := range c.numbers {
			alone[n] = told(n, 0)
			if numberOf[alone[n]] != 0 || alone[n] == "<nil>" {
				t.Errorf("%s, %s: %d is not told, or as another is: %s", c.who, c.of, n, alone[n])
			}
			numberOf[alone[n]] = n
		}
		for i, p := range c.numbers {
			for _, q := range c.numbers[i+1:] {
				if got := told(p, q); got != alone[p] {
					t.Errorf("%s, %s: of %d and %d it tells of %d: %s", c.who, c.of, p, q, numberOf[got], got)
				}
			}
		}
	}
}

// numbersUpTo returns the numbers from 1 up to n but those that are left out.
func numbersUpTo(n int, without ...int) (out []int) {
	for i := 1; i <= n; i++ {
		if !slices.Contains(without, i) {
			out = append(out, i)
		}
	}
	return out
}
