package golden

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// priced is a plan with a keyed table of points, bands of harm and steps of cost.
func priced() *plan.Plan {
	points := &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "points", Type: plan.IntType}}}
	two := &plan.Type{Kind: plan.Record, Fields: []plan.Field{
		{Name: "harm", Type: plan.IntType}, {Name: "name", Type: &plan.Type{Kind: plan.String}}}}
	return &plan.Plan{
		Symbols: []string{"", "hard", "very hard", "cut"},
		Tables: []plan.Table{
			{ID: "difficulty", Kind: plan.KeyedTable, Row: points, Keys: []int64{1, 2}, Cells: []int64{30, 40}},
			{ID: "wound", Kind: plan.BandsTable, Row: two, Lo: []float64{1, 5}, Hi: []float64{4, 9}, Above: []bool{false, false},
				Cells: []int64{2, 3, 7, 3}},
			{ID: "cost", Kind: plan.StepsTable, Row: points, Lo: []float64{0, 10}, Hi: []float64{0, 0}, Above: []bool{false, true},
				Cells: []int64{1, 5}},
		},
	}
}

// TestArithmetic carries out formulas of cases; the results were found by hand.
func TestArithmetic(t *testing.T) {
	c := &Case{Character: []byte(`{"skills": {"navigation": 90, "x y": -3}, "list": [1, 2.5]}`),
		Input: []byte(`{"name": "sea"}`)}
	for text, want := range map[string]string{
		"90 - tables.difficulty.hard.points":                   "60",
		"character.skills.navigation - tables.difficulty.hard": "60",
		`tables.difficulty["very hard"].points * 2 + 1`:        "81",
		`character.skills["x y"] + 1`:                          "-2",
		"character.list[1] * 2":                                "5",
		"tables.wound[4].harm":                                 "2",
		"tables.wound[5].harm":                                 "7",
		"tables.wound[5].name":                                 `"cut"`,
		"tables.cost[10]":                                      "1",
		"tables.cost[11]":                                      "5",
		"div_floor(-7, 2)":                                     "-4",
		"div_ceil(-7, 2)":                                      "-3",
		"div_floor(7, 2)":                                      "3",
		"div_ceil(7, 2)":                                       "4",
		"div_ceil(7, -2)":                                      "-3",
		"7.0 / 2":                                              "3.5",
		"min(3, 1, 2) + max(1, 2.5)":                           "3.5",
		"43 <= 90 - tables.difficulty.hard.points":             "true",
		`input.name == "sea" && !(1 > 2)`:                      "true",
		"9223372036854775807 + 1 - 1":                          "9223372036854775807",
		"1 / 0":                                                "error: / does not say how it rounds",
		"1.0 / 0":                                              "error: 1 / 0 has no value",
		"9223372036854775807 + 1":                              "error: is no number that a sheet can have",
		"tables.difficulty.easy.points":                        "error: there is no row easy in tables.difficulty",
		"tables.difficulty.hard.cost":                          "error: there is no cost in tables.difficulty.hard",
		"tables.ease.hard":                                     "error: there is no table ease",
		"tables.wound[10].harm":                                "error: there is no row 10 in tables.wound",
		"character.skills":                                     "error: neither a number, a string nor a bool",
		"character.skill":                                      "error: there is no skill in character",
		"roll + 1":                                             "error: there is no roll here: tables, character, input",
		"sqrt(2)":                                              "error: there is no function sqrt here",
		`"a" + "b"`:                                            `error: "a" + "b" has no value`,
		"1 +":                                                  "error: this is no arithmetic",
		"func() {}":                                            "error: arithmetic has numbers",
		"min(1)":                                               "error: min takes two numbers or more",
		"div_floor(1, 0)":                                      "error: div_floor takes two whole numbers, the second not 0",
	} {
		data := []byte(`{"output": {"n": {"cel": ` + (&jsontree.Tree{Kind: jsontree.Text, Text: text}).String() + `}}}`)
		tree, err := jsontree.ReadTree(data)
		if err != nil {
			t.Fatal(err)
		}
		got, err := expectOf(priced(), c, tree)
		wrong, isError := strings.CutPrefix(want, "error: ")
		switch {
		case isError:
			if err == nil || !strings.Contains(err.Error(), wrong) {
				t.Errorf("%s: %v", text, err)
			}
		case err != nil:
			t.Errorf("%s: %v", text, err)
		case got.tree.String() != `{"output": {"n": `+want+`}}`:
			t.Errorf("%s: %v", text, got.tree)
		}
	}
}

// TestArithmeticOfCases compares sheets with a case whose value follows from a cell: another cell moves the case, another
// formula of the rule fails it.
func TestArithmeticOfCases(t *testing.T) {
	text := "rule: test\ncite: p. 1\n\n90 less 30.\n-- want.json --\n" +
		`{"output": {"n": {"cel": "90 - tables.difficulty.hard.points"}}}` + "\n"
	for _, x := range []struct {
		points int64
		sheet  string
		want   string
	}{
		{30, `{"output": {"n": 60}}`, ""},
		{35, `{"output": {"n": 55}}`, ""},
		{30, `{"output": {"n": 61}}`, "6: output.n: want 90 - tables.difficulty.hard.points = 60, got 61"},
	} {
		c, err := Parse("a.txtar", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		sheet, err := jsontree.ReadTree([]byte(x.sheet))
		if err != nil {
			t.Fatal(err)
		}
		p := priced()
		p.Tables[0].Cells[0] = x.points
		r := &Result{Case: c}
		r.compareExpected(p, "want.json", "", c.want, sheet)
		got := ""
		for _, problem := range r.Problems {
			got += problem.String()
		}
		if got != x.want {
			t.Errorf("%d, %s: %s", x.points, x.sheet, got)
		}
		if line := c.WantedLine("output.n"); line != 0 {
			t.Errorf("the case states the value in line %d", line)
		}
	}
	c, err := Parse("a.txtar", []byte(strings.Replace(text, "hard.points", "easy.points", 1)))
	if err != nil {
		t.Fatal(err)
	}
	r := &Result{Case: c}
	r.compareExpected(priced(), "want.json", "", c.want, c.want)
	if want := `6: "90 - tables.difficulty.easy.points": there is no row easy in tables.difficulty`; len(r.Problems) != 1 ||
		r.Problems[0].String() != want {
		t.Errorf("%v", r.Problems)
	}
}
