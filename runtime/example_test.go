package runtime_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// planFile is what "rules build tempestas" writes.
func planFile() []byte {
	plans, diags := compiler.Release(load.Source{FS: rules.Files}, compiler.Options{}, "tempestas")
	if plans == nil {
		fmt.Fprintln(os.Stderr, diags)
		os.Exit(1)
	}
	return planfile.Write(plans[0], nil)
}

// writePlanFile writes what "rules build tempestas" writes to a file.
func writePlanFile(name string) {
	if err := os.WriteFile(name, planFile(), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A plan file is all that a program needs to answer from a ruleset.
func Example() {
	dir, _ := os.MkdirTemp("", "plans")
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "tempestas.plan")
	writePlanFile(file)

	program, err := runtime.Open(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	rule, err := program.Rule("test", runtime.Choice{})
	if err != nil {
		fmt.Println(err)
		return
	}
	sheet, err := rule.Eval(runtime.Request{
		Character: []byte(`{"skills": {"navigation": 90}}`),
		Input:     []byte(`{"name": "navigation", "difficulty": "hard"}`),
		Throw:     dice.Fallen(43),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var outputs struct {
		Success     bool
		ActiveValue int `json:"active_value"`
	}
	if err := sheet.Decode(&outputs); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outputs.Success, outputs.ActiveValue)
	// Output: true 60
}

// A rule says which fields it takes and which outputs it gives. Which of them matter depends on the others.
func ExampleRule_Reads() {
	program, _ := runtime.Load(planFile())
	rule, _ := program.Rule("test", runtime.Choice{Outputs: []string{"success"}})
	for _, n := range rule.Inputs()[:3] {
		fmt.Println(n.Path, n.Type, string(n.Default))
	}
	fmt.Println(rule.Outputs().FieldNames())
	reads, err := rule.Reads(runtime.Request{Input: []byte(`{"name": "navigation"}`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range reads.Character {
		fmt.Println("reads", n.Path)
	}
	// Output:
	// input.difficulty string "standard"
	// input.complications int 0
	// input.areas list []
	// [success]
	// reads character.skills.navigation
}

// A choice fixes the rulings that a table of players prefers, and what is asked.
func ExampleProgram_Rule() {
	program, _ := runtime.Load(planFile())
	rule, _ := program.Rule("test", runtime.Choice{
		Options: map[string]string{"heroic_band": "none"},
		Outputs: []string{"success", "heroic"},
	})
	sheet, _ := rule.Eval(runtime.Request{
		Character: []byte(`{"skills": {"navigation": 90}}`),
		Input:     []byte(`{"name": "navigation", "difficulty": "hard"}`),
		Throw:     dice.Fallen(61),
	})
	fmt.Println(sheet.Options, sheet.Output)

	_, err := program.Rule("tset", runtime.Choice{})
	fmt.Println(err)
	// Output:
	// [{heroic_band none}] {"heroic":false,"success":false}
	// there is no rule "tset"; did you mean "test"
}

// The same seed gives the same faces, on every machine.
func ExampleRule_Eval_seed() {
	program, _ := runtime.Load(planFile())
	rule, _ := program.Rule("test", runtime.Choice{})
	var sheets [2]string
	for i := range sheets {
		sheet, _ := rule.Eval(runtime.Request{
			Character: []byte(`{"skills": {"navigation": 90}}`),
			Input:     []byte(`{"name": "navigation"}`),
			Throw:     dice.DrawnFrom(7),
		})
		text, _ := json.Marshal(sheet)
		sheets[i] = string(text)
	}
	fmt.Println(sheets[0] == sheets[1])
	// Output: true
}

// The plan says what a rule asks for: a form for it can be made without knowing the ruleset.
func ExampleProgram_Plan() {
	program, _ := runtime.Load(planFile())
	for _, m := range program.Plan().Rule("test").Input.Fields {
		fmt.Println(m.Name, m.Shape.Kind, m.Shape.Enum, m.Default)
	}
	// Output:
	// difficulty string [standard moderate hard extreme monstrous] "standard"
	// complications int [] 0
	// areas list [] []
	// kind string [skill statistic] "skill"
	// name string []
}

// A trace says of every named value what it is, how it came about, and where the book says so.
func ExampleSheet_trace() {
	program, _ := runtime.Load(planFile())
	rule, _ := program.Rule("test", runtime.Choice{})
	sheet, _ := rule.Eval(runtime.Request{
		Character: []byte(`{"skills": {"navigation": 90}}`),
		Input:     []byte(`{"name": "navigation", "difficulty": "hard"}`),
		Throw:     dice.Fallen(43),
		Trace:     true,
	})
	for _, s := range sheet.Trace {
		if s.Name == "active_value" {
			fmt.Printf("%s = %s = %s (%s)\n", s.Name, s.Formula, s.Value, s.Cite)
		}
	}
	// Output: active_value = base - penalty - hard = 60 (Character Values; Testing by Chance)
}

// What goes wrong has a type: a requirement that refuses, a field that does not fit, a face that the die does not have.
func ExampleRule_Eval_errors() {
	program, _ := runtime.Load(planFile())
	rule, _ := program.Rule("test", runtime.Choice{})
	ask := func(input string, faces ...int64) error {
		_, err := rule.Eval(runtime.Request{
			Character: []byte(`{"skills": {"navigation": 90}}`), Input: []byte(input), Throw: dice.Fallen(faces...),
		})
		return err
	}
	if e, ok := errors.AsType[*runtime.Refused](ask(`{"name": "cooking"}`, 43)); ok {
		fmt.Println("refused:", e)
	}
	if e, ok := errors.AsType[*runtime.InputError](ask(`{"name": "navigation", "difficulty": "hrad"}`, 43)); ok {
		fmt.Println("input:", e.Path)
	}
	if e, ok := errors.AsType[*dice.Error](ask(`{"name": "navigation"}`, 101)); ok {
		fmt.Println("dice:", e)
	}
	// Output:
	// refused: the character has nothing of that name
	// input: .difficulty
	// dice: roll: face 1 given is 101, but the die shows 1 to 100
}

// A procedure remembers. Its sheet can be saved and gone on with.
func ExampleProcedure() {
	program, _ := runtime.Load(planFile())
	task, _ := program.Procedure("task", runtime.Choice{})
	play, err := task.Play(runtime.Request{
		Character: []byte(`{"skills": {"navigation": 90}, "fatigue": 20}`),
		Input:     []byte(`{"name": "navigation", "target_value": 8}`),
	}, runtime.Step{Event: "roll", Input: []byte(`{"difficulty": "hard"}`), Throw: dice.Fallen(43)})
	if err != nil {
		fmt.Println(err)
		return
	}
	saved, _ := runtime.ReadPlay(play.AppendJSON(nil))
	again, _ := task.Resume(saved)
	fmt.Println(again.Status, len(again.Events), again.Output)
	// Output: open 1 {"remaining":4,"elapsed":10}
}

// A batch answers many characters, in their order and on all cores.
func ExampleBatch_All() {
	program, _ := runtime.Load(planFile())
	rule, _ := program.Rule("test", runtime.Choice{Outputs: []string{"active_value"}})
	batch, err := rule.Batch(runtime.BatchOptions{Input: []byte(`{"name": "navigation"}`), Seed: 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	crew := slices.Values([][]byte{
		[]byte(`{"skills": {"navigation": 90}}`),
		[]byte(`{"skills": {"navigation": -1}}`),
	})
	for sheet, err := range batch.All(crew) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(string(sheet))
	}
	// Output:
	// {"ruleset":"tempestas","revision":"0.2.0","rule":"test","options":{},"seed":7,"dice":{"roll":[99]},"output":{"active_value":90}}
	// character.skills.navigation: must be at least 0, not -1 (line 1, column 27)
}

// Ask tells what is needed next, until there is a sheet. What is known is JSON: a server keeps nothing else.
func ExampleRule_Ask() {
	program, _ := runtime.Load(planFile())
	rule, _ := program.Rule("test", runtime.Choice{Outputs: []string{"success"}})
	answers := map[string]string{"input.name": `"navigation"`, "character.skills.navigation": "90", "roll": "43"}
	known := []byte(`{"accepted": ["input.difficulty", "input.complications", "input.areas", "input.kind"]}`)
	for {
		var q runtime.Request
		if err := json.Unmarshal(known, &q); err != nil {
			fmt.Println(err)
			return
		}
		reply, err := rule.Ask(q)
		if err != nil {
			fmt.Println(err)
			return
		}
		if reply.Sheet != nil {
			fmt.Println(reply.Sheet.Output)
			return
		}
		need := &reply.Needs[0]
		fmt.Println(need.Kind, need.Path+need.Die, need.Type, need.Faces)
		if err := q.Answer(need, json.RawMessage(answers[need.Path+need.Die])); err != nil {
			fmt.Println(err)
			return
		}
		known, _ = json.Marshal(q)
	}
	// Output:
	// field input.name string 0
	// field character.skills.navigation int 0
	// die roll int 100
	// {"success":true}
}

// A play says which events can happen, which cannot and by which condition.
func ExamplePlay_Offers() {
	program, _ := runtime.Load(planFile())
	task, _ := program.Procedure("task", runtime.Choice{})
	reply, err := task.Ask(runtime.Request{
		Input:     []byte(`{"name": "scale", "target_value": 4}`),
		Character: []byte(`{"skills": {"scale": 60}}`),
		Accepted:  []string{"input", "character"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	offers, _ := reply.Play.Offers()
	for _, o := range []runtime.Offer{offers[0], offers[2]} {
		if o.Offered {
			fmt.Println(o.Event, "needs", o.Needs[0].Path)
		} else {
			fmt.Println(o.Event, "is not offered:", o.WhyNot())
		}
	}
	// Output:
	// roll needs event.difficulty
	// decline is not offered: it needs state.outcome == 'failure', and state.outcome is "none"
}
