package eliminate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/eliminate"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestAnswersOutliveQuestions asks a rule many questions before the first answer is read, and wants each answer to be the one
// that a rule gives which is asked nothing else: of numbers, and of texts and lists that no plan knows.
func TestAnswersOutliveQuestions(t *testing.T) {
	p := gametest.Small(t, map[string]string{"r": `rules: r: {cite: "x"
		#Input: {n: int & >=1 & <=9, label: string}
		dice: {a: "d4", b: {die: "input.n"}, pool: {die: 3, count: 2}}
		let: named: "input.label + (a > b ? 'x' : 'y')"
		output: {number: "a * 100 + b", text: "named + string(b)", list: "[a, input.n, b]", known: "input.label",
			sorted: "sort(pool)", made: "string(a * 100 + b)", rolled: "[a, b, a]"}}`})
	newRule := func(outputs []string) *eliminate.Rule {
		r, err := eliminate.NewRule(vm.NewImage(p.Plan()), "r", runtime.Choice{Outputs: outputs})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	ask := func(r *eliminate.Rule, n int, label string, isExact bool) *odds.Joint {
		q := odds.Question{Exact: isExact}
		q.Records[plan.CharacterRoot] = []byte("{}")
		q.Records[plan.InputRoot] = fmt.Appendf(nil, `{"n":%d,"label":%q}`, n, label)
		j, err := r.Odds(q)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	read := func(j *odds.Joint) string {
		var b strings.Builder
		for _, o := range j.Outcomes() {
			for _, v := range o.Values {
				b.Write(v.AppendJSON(nil))
			}
			fmt.Fprintln(&b, o.P)
		}
		return b.String()
	}
	labels := []string{"é", "bow", "", "é", "a long label that no plan knows", "bow"}
	for _, outputs := range [][]string{{"number"}, {"text"}, {"list"}, {"known"}, {"sorted"}, {"made"}, {"rolled"},
		{"number", "text"}, nil} {
		for _, isExact := range []bool{true, false} {
			many := newRule(outputs)
			var answers []*odds.Joint
			for i, label := range labels {
				answers = append(answers, ask(many, 2+i%3, label, isExact))
			}
			for i, label := range labels {
				alone := read(ask(newRule(outputs), 2+i%3, label, isExact))
				if got := read(answers[i]); got != alone {
					t.Fatalf("%q, exact %t, question %d: the answer is\n%swhere it is asked alone\n%s",
						outputs, isExact, i, got, alone)
				}
			}
		}
	}
}
