package golden_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
)

// TestOddsOrderWordsAsFormulasDo wants odds to list the words of a choice in its order and other strings by letters, as
// comparisons do, of rules and of procedures.
func TestOddsOrderWordsAsFormulasDo(t *testing.T) {
	p := gametest.CompileParts(t, `tables: cloth: {cite: "x", steps: [{from: 1, grade: "poor"}, {from: 2, grade: "fair"}]}
#Grade: "poor" | "fair" | "best"
_outputs: {
	any:     "roll == 1 ? 'z' : roll == 2 ? 'm' : 'a'"
	sorted:  "sort(['z', any])[0]"
	grade:   "input.grade"
	beside:  "roll == 1 ? 'best' : roll == 2 ? input.grade : 'poor'"
}
rules: wear: {cite: "x", #Input: grade: *"fair" | #Grade, dice: roll: "d3", output: _outputs & {cloth: "cloth(roll).grade"}}
procedures: year: {
	cite: "x"
	#Input: grade: *"fair" | #Grade
	#State: roll: *0 | int & >=0 & <=3
	events: day: {doc: "x", dice: face: "d3", next: roll: "face"}
	ends: over: "state.roll > 0"
	let: roll: "state.roll"
	output: _outputs
}
`)
	program := runtime.New(p)
	rule, err := program.Rule("wear", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := rule.Odds(context.Background(), runtime.Request{}, &odds.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"any": "a m z", "sorted": "a m z", "grade": "fair", "beside": "poor fair best", "cloth": "poor fair"}
	for _, m := range answer.Outputs {
		wantWords(t, "rule wear, "+m.Name, m, want[m.Name])
	}
	procedure, err := program.Procedure("year", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	courses, err := procedure.PrepareOdds(nil, false)
	if err != nil {
		t.Fatal(err)
	}
	policy := runtime.Policy{{Event: "day"}}
	for _, name := range []string{"any", "sorted", "grade", "beside"} {
		o := &runtime.CourseOptions{Outputs: []string{name}}
		course, err := courses.Odds(context.Background(), runtime.Request{}, policy, o)
		if err != nil {
			t.Fatal(err)
		}
		wantWords(t, "procedure year, "+name, course.Outputs.Marginal(name), want[name])
		drawn, err := courses.Sample(context.Background(), runtime.Request{},
			runtime.Sampling{Plays: 200, Policy: func() (runtime.Policy, error) { return policy, nil }}, o)
		if err != nil {
			t.Fatal(err)
		}
		wantWords(t, "plays of year that are drawn, "+name, drawn.Outputs.Marginal(name), want[name])
	}
}

// TestWordsOfFoldsInFolds compiles thirty folds, each in the body of another one: the words of a state are found by building
// the body, so that each fold around it would double the work if they were found again.
func TestWordsOfFoldsInFolds(t *testing.T) {
	formula := "input.grade"
	for n := range 30 {
		formula = fmt.Sprintf("[1].fold(i%d, s%[1]d, input.grade, %s == s%[1]d ? s%[1]d : 'fair')", n, formula)
	}
	p := gametest.CompileParts(t, `rules: wear: {
	cite: "x"
	#Input: grade!: "poor" | "fair" | "best"
	output: fine: "`+formula+` >= 'fair'"
}
`)
	rule, err := runtime.New(p).Rule("wear", runtime.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for grade, want := range map[string]string{"poor": "false", "best": "true"} { // by letters best is before fair
		sheet, err := rule.Eval(runtime.Request{Input: []byte(`{"grade": "` + grade + `"}`)})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(sheet.AppendJSON(nil)); !strings.HasSuffix(got, `"output":{"fine":`+want+"}}") {
			t.Errorf("%s: got %s, want %s", grade, got, want)
		}
	}
}

// wantWords wants a distribution to be over some words in their order.
func wantWords(t *testing.T, about string, m *odds.Marginal, want string) {
	t.Helper()
	var words []string
	for _, v := range m.Values {
		words = append(words, v.Text())
	}
	if got := strings.Join(words, " "); got != want {
		t.Errorf("%s: it may be %s, in the order %s", about, got, want)
	}
}
