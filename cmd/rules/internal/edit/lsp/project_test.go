package lsp

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
)

// noDirectory trusts none.
func noDirectory(string) bool { return false }

// house is a homebrew of the game of testdata/game.txtar.
const house = `// Package house is how we play.
package house

id:      "house"
title:   "House"
ruleset: "game"

replace: options: cap: {expect: "none", with: "hundred"}
replace: rules: test: output: near: {expect: "beyond <= 0", with: "beyond <= 1"}
extend: tables: burden: keyed: crushing: points: 60
add: rules: carry: {
	cite: "House"
	#Input: load!: string @key(burden)
	dice: roll: die: 20
	output: {
		points: "burden(input.load)"
		drops:  "roll == 20"
	}
}
`

const carryCase = `rule: carry
cite: House

A crushing load costs 60.
-- character.json --
{"level": 5, "skills": {}}
-- input.json --
{"load": "crushing"}
-- dice --
roll=5
-- want.json --
{"output": {"points": 60, "drops": false}}
`

const houseFile, carryFile = "house.cue", "golden/carry.txtar"

// startHouse begins a session on a homebrew of a ruleset in another directory.
func startHouse(t *testing.T, trusts func(string) bool) *client {
	files := fstest.MapFS{
		houseFile: {Data: []byte(house)},
		carryFile: {Data: []byte(carryCase)},
		"cue.mod/module.cue": {
			Data: []byte("module: \"example.com/house@v0\"\nlanguage: version: \"v0.16.0\"\n")},
	}
	o := Options{Root: writeTree(t, files), Homebrew: true, Base: sandbox.Module{Dir: writeTree(t, module(t))}, Trusts: trusts}
	return startOn(t, o, files)
}

func TestHomebrewWithItsRuleset(t *testing.T) {
	for name, trusts := range map[string]func(string) bool{"trusted": everyDirectory, "a stranger's": noDirectory} {
		t.Run(name, func(t *testing.T) {
			c := startHouse(t, trusts)
			text := c.open(houseFile, `"burden(input.load)"`, `"burden(input.lode)"`)
			list := c.until(houseFile, func(l []diagnostic) bool { return len(l) > 0 })
			if list[0].Code != "unknown-member" || !strings.Contains(list[0].Message, "it has load") {
				t.Errorf("got %+v", list)
			}
			if got := c.complete(houseFile, text, `"burden(input.|lode)"`); !slices.Contains(got, "load") {
				t.Errorf("the fields of the homebrew's rule are missing in %q", got)
			}

			text = c.open(houseFile, "", "")
			c.until(houseFile, func(l []diagnostic) bool { return len(l) == 0 })
			if got := c.complete(houseFile, text, `with: "|beyond <= 1"`); !slices.Contains(got, "beyond") ||
				!slices.Contains(got, "hindrance") {
				t.Errorf("the names of the replaced rule are missing in %q", got)
			}
			var to []location
			c.call("textDocument/definition", c.at(houseFile, text, `with: "be|yond <= 1"`), &to)
			if len(to) != 1 || !strings.HasSuffix(to[0].URI, "/"+play) || to[0].Range.Start.Line != 13 {
				t.Errorf("the definition is at %+v", to)
			}
		})
	}
}

func TestExpectSaysWhatIsFoundNow(t *testing.T) {
	c := startHouse(t, everyDirectory)
	c.open(houseFile, `expect: "beyond <= 0"`, `expect: "beyond < 0"`)
	list := c.until(houseFile, func(l []diagnostic) bool { return len(l) > 0 })
	if list[0].Code != "overlay-moved" {
		t.Errorf("got %+v", list)
	}
	var hints []inlayHint
	c.call("textDocument/inlayHint",
		inlayHintParams{textDocument{c.uri(houseFile)}, span{position{}, position{Line: 99}}}, &hints)
	// Line 8 is `replace: options: cap: {expect: "none", with: ...`, line 9 is of the rule; the values end at 38 and 57.
	if len(hints) != 2 || hints[0].Label != "found" || hints[0].Position != (position{7, 38}) ||
		hints[1].Label != "found now: beyond <= 0" || hints[1].Position != (position{8, 57}) {
		t.Errorf("got %+v", hints)
	}
}

func TestCasesOfAHomebrew(t *testing.T) {
	c := startHouse(t, everyDirectory)
	c.open(houseFile, "points: 60", "points: 61")
	list := c.until(carryFile, func(l []diagnostic) bool { return len(l) > 0 })
	if !strings.Contains(list[0].Message, "output.points: want 60, got 61") {
		t.Errorf("got %+v", list)
	}
	if got := c.complete(carryFile, c.open(carryFile, "rule: carry", "rule: "), "rule: |\n"); !slices.Contains(got, "carry") ||
		!slices.Contains(got, "test") {
		t.Errorf("the rules are %q", got)
	}
}

// TestProblemsInTheRulesetOfAHomebrew makes a number a string that an output of the ruleset subtracts: the problem stands
// in a file of the ruleset, and the homebrew is what is to be mended.
func TestProblemsInTheRulesetOfAHomebrew(t *testing.T) {
	c := startHouse(t, everyDirectory)
	c.open(houseFile, "add: rules: carry",
		"replace: rules: test: let: hard: {expect: \"hindrance(input.load, input.kind == 'rough' ? 10 : 0)\", with: \"'no'\"}\n"+
			"add: rules: carry")
	list := c.until(houseFile, func(l []diagnostic) bool { return len(l) > 0 })
	if list[0].Range.Start.Line != 5 || !strings.HasPrefix(list[0].Message, play+":17:") {
		t.Errorf("got %+v", list)
	}
	if r := list[0].RelatedInformation; len(r) == 0 || !strings.HasSuffix(r[0].Location.URI, "/"+play) {
		t.Errorf("it leads to %+v", r)
	}
}

// TestHostileBuffer opens a text that takes all memory: what is not trusted is never evaluated in this process, and the
// session goes on when the text is mended.
func TestHostileBuffer(t *testing.T) {
	hostile, err := os.ReadFile("../../../../../compiler/load/testdata/hostile/list_range.cue")
	if err != nil {
		t.Fatal(err)
	}
	files := module(t)
	o := Options{Root: writeTree(t, files), Trusts: noDirectory}
	c := startOn(t, o, files)
	text := c.open(play, "", "")
	c.waitForCases()
	if got := c.complete(play, text, `"|roll - peak"`); !slices.Contains(got, "hindrance") {
		t.Errorf("the functions are missing in %q", got)
	}
	body := strings.Replace(string(hostile), "import \"list\"\n", "", 1)
	text = strings.Replace(text, "package game\n", "package game\n\nimport \"list\"\n", 1) + body
	c.send(play, text)
	found := c.until(play, func(l []diagnostic) bool { return len(l) > 0 })
	if found[0].Code != "evaluation-limit" || found[0].Range.Start.Line != 0 {
		t.Errorf("got %+v", found)
	}
	if got := c.complete(play, text, `"|roll - peak"`); !slices.Contains(got, "hindrance") {
		t.Errorf("the names of before are missing in %q", got)
	}
	c.open(play, "", "")
	c.until(play, func(l []diagnostic) bool { return len(l) == 0 })
}
