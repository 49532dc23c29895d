package golden_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/emit/golang/gotest"
)

// oddGame has shapes that no ruleset that ships has: maps of two types beside the empty one, which is one constant for both,
// other characters in lists and in maps, and an output of which one part is no number and a later one has no value.
const oddGame = `
#Character: might!: int & >=1 & <=20
rules: carry: {
	cite: "x"
	#Input: {
		loads: [string]: int & >=0 & <=9
		names: [string]: string
	}
	output: {
		bare:     "{} == input.loads"
		nameless: "{} == input.names"
	}
}
rules: meet: {
	cite: "x"
	#Input: {
		them?: #Character
		giants: *[] | [...#Character] & list.MaxItems(3)
		band: [string]: #Character
	}
	output: out: "sum(input.giants.map(g, g.might)) + (has(input.them) ? input.them.might : 0)"
}
rules: part: {cite: "x", #Input: {n!: int, d!: number}, output: {d: "input.d * 1e300", n: "div_floor(1, input.n)"}}
rules: whole: {
	cite: "x"
	#Input: {n!: int, d!: number}
	use: parts: {rule: "part", each: i: "[1]", input: {n: "input.n", d: "input.d"}}
	output: all: "parts"
}
`

// TestOddGame wants of Go and, where Node is, of JavaScript what the interpreter answers. Other characters name what they are
// played by as the one that is played does.
func TestOddGame(t *testing.T) {
	p := gametest.CompileParts(t, oddGame)
	packages := goPackages{gotest.NewProgram(t), map[string]*goPackage{}}
	targets := []target{packages}
	if _, err := exec.LookPath("node"); err == nil {
		targets = append(targets, javaScript{t.TempDir()})
	}
	var corpora []*generatedCorpus
	for _, to := range targets {
		corpora = append(corpora, newCorpus(to, p))
	}
	for _, x := range []struct{ id, input, want string }{
		{"carry", `{}`, `"output":{"bare":true,"nameless":true}}`},
		{"carry", `{"loads": {"a": 1}}`, `"output":{"bare":false,"nameless":true}}`},
		{"carry", `{"names": {"a": "b"}}`, `"output":{"bare":true,"nameless":false}}`},
		{"meet", `{"them": {"$homebrews": {}, "might": 3}, "giants": [{"might": 12, "$revision": "game"}]}`,
			`"output":{"out":15}}`},
		{"meet", `{"band": {"first": {"$revision": "game", "might": 1}}}`, `"output":{"out":0}}`},
		{"meet", `{"them": {"$revision": "other 1.0.0", "might": 3}}`,
			`InputError: input.them["$revision"]: the character is pinned to "other 1.0.0", and this is "game": ` +
				`use the release that it is pinned to, or pin it anew (line 1, column 24)`},
		{"meet", `{"giants": [{"might": 12}, {"$homebrews": {"a": "b"}}]}`,
			`InputError: input.giants[1]["$homebrews"].a: the character is played with the homebrew a, ` +
				`which is not used here: use it, or pin the character anew (line 1, column 49)`},
		{"part", `{"n": 0, "d": 1e300}`, `output d: the value is +Inf, not a number`},
		{"whole", `{"n": 0, "d": 1e300}`, `rule part, output n: division by zero (x)`},
		{"meet", `{"giants": [{"might": 0}]}`, `InputError: input.giants[0].might: must be at least 1, not 0 (line 1, column 23)`},
		{"meet", `{"band": {"$revision": "game"}}`,
			`InputError: input.band["$revision"]: must be an object, not a string (line 1, column 24)`},
	} {
		for _, c := range corpora {
			rule, err := c.program.Rule(x.id, runtime.Choice{})
			if err != nil {
				t.Fatal(err)
			}
			module, export := c.moduleOf(t, runtime.Choice{}, x.id)
			c.add(x.id, module, export, rule, runtime.Request{Character: []byte(`{"might": 5}`), Input: []byte(x.input)})
			if got := c.want[len(c.want)-1]; !strings.HasSuffix(got, x.want) {
				t.Errorf("%s %s: the interpreter answers %s, want %s", x.id, x.input, got, x.want)
			}
		}
	}
	packages.build(t)
	for _, c := range corpora {
		c.compare(t)
	}
}
