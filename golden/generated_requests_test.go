package golden_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime/emit/js"
	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestRequestsInJavaScript asks generated modules with members that a request does not have, as programs do whose types
// nobody checks: nothing would read them, and another question would be answered.
func TestRequestsInJavaScript(t *testing.T) {
	node := jstest.Node(t)
	dir := t.TempDir()
	p := gametest.ShippedPlan(t, "tempestas")
	values, err := p.OptionValues(plan.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	jstest.Write(t, dir, js.Generate(p, values, []*plan.Rule{p.Rule("test")}, []*plan.Procedure{p.Procedure("task")}))
	const script = `
import { test } from "./test.js";
import { task } from "./task.js";
const character = { skills: { navigation: 90 } }, input = { name: "navigation", target_value: 8 };
const play = task.start({ character, input });
const skilled = skills => test.evaluate({ character: { skills }, input: { name: "navigation" }, dice: [43] }).active_value;
class Hero { get skills() { return character.skills; } }
for (const ask of [
  () => test.evaluate({ character, input: { name: "navigation" }, dice: [43] }).active_value,
  () => test.evaluate({ character, input: { name: "navigation" }, difficulty: "hard", dice: [43] }),
  () => test.sheet({ character, inputs: { name: "navigation" }, dice: [43] }),
  () => test.evaluate({ character, input: { name: "navigation" }, seed: "7" }),
  () => test.evaluate({ character, input: { name: "navigation" }, seed: 0.5 }),
  () => test.evaluate({ character, input: { name: "navigation" }, seed: 7n }).active_value,
  () => test.evaluate({ character, input: { name: "navigation" }, seed: -1 }),
  () => test.evaluate({ character, input: { name: "navigation" }, seed: 2n ** 64n }),
  () => test.evaluate({ character, input: { name: "navigation" }, seed: 7, record: -1 }),
  () => test.evaluate({ character, input: { name: "navigation" }, dice: "43" }),
  () => test.evaluate({ character, input: { name: "navigation" }, dice: ["43"] }),
  () => test.evaluate({ character, input: { name: "navigation" }, dice: { roll: 43 } }),
  () => test.evaluate({ character, input: { name: "navigation" }, dice: new Map([["roll", [43]]]) }),
  () => skilled(new Map([["navigation", 90]])),
  () => skilled({ navigation: NaN }),
  () => skilled({ navigation: 90n }),
  () => skilled({ navigation: 2n ** 60n }),
  () => test.evaluate({ character: new Hero(), input: { name: "navigation" }, dice: [43] }),
  () => JSON.stringify(task.start({ character: Object.create(character), input }).character),
  () => task.start({ character: { skills: { navigation: "90" } }, input }),
  () => task.start({ character: '{"skills":{"navigation":"90"}}', input }),
  () => task.start({ character, input, option: "up" }),
  () => play.do("roll", { difficulty: "hard" }),
  () => play.do("roll", { character, dice: [43] }),
  () => play.do("rol", { dice: [43] }),
  () => play.do("__proto__"),
  () => play.do("roll", { input: { difficulty: "hrd" } }),
  () => play.status = "stopped",
  () => play.events.length,
]) {
  try {
    console.log(String(ask()));
  } catch (e) {
    console.log(e.name + ": " + e.message);
  }
}
`
	if err := os.WriteFile(filepath.Join(dir, "ask.mjs"), []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(node, "ask.mjs")
	c.Dir = dir
	got, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	const word = "a whole number from 0 to 2^64 - 1, beyond 2^53 as a BigInt"
	const faces = "a list of numbers, or an object with such a list by the id of each die"
	const has = "there is character, input, dice, seed, record"
	want := []string{
		"90",
		`TypeError: there is no member "difficulty"; ` + has,
		`TypeError: there is no member "inputs"; did you mean "input"`,
		"TypeError: seed must be " + word,
		"TypeError: seed must be " + word,
		"90",
		"TypeError: seed must be " + word,
		"TypeError: seed must be " + word,
		"TypeError: record must be " + word,
		"TypeError: dice must be " + faces,
		"TypeError: dice must be " + faces,
		"TypeError: dice must be " + faces,
		"TypeError: dice must be " + faces,
		"TypeError: a Map is no object of JSON: write Object.fromEntries(map)",
		"InputError: character.skills.navigation: must be a whole number, not NaN",
		"90",
		"Beyond: a whole number is beyond 2^53, where JavaScript is not exact",
		"Refused: the character has nothing of that name",
		`{"statistics":{},"skills":{},"fatigue":0,"handicaps":{}}`,
		"InputError: character.skills.navigation: must be a whole number, not a string",
		"InputError: character.skills.navigation: must be a whole number, not a string (line 1, column 25)",
		`TypeError: there is no member "option"; ` + has,
		`TypeError: there is no member "difficulty"; there is input, dice, seed`,
		`TypeError: there is no member "character"; there is input, dice, seed`,
		`RangeError: there is no event "rol"; did you mean "roll"`,
		`RangeError: there is no event "__proto__"; there is roll, pay, decline, stop`,
		`InputError: event.difficulty: must be one of "standard", "moderate", "hard", "extreme", "monstrous", ` +
			`not "hrd"; did you mean "hard"`,
		"TypeError: Cannot set property status of #<Play> which has only a getter",
		"0",
	}
	if lines := strings.TrimSpace(string(got)); lines != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", lines, strings.Join(want, "\n"))
	}
}
