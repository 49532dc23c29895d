package golden

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/jsontree"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// tables has a table of every kind, with cells of every kind.
func tables() *plan.Plan {
	bits := func(x float64) int64 { return int64(math.Float64bits(x)) }
	whole := &plan.Type{Kind: plan.Record, Fields: []plan.Field{
		{Name: "n", Type: plan.IntType}, {Name: "x", Type: plan.DoubleType}, {Name: "ok", Type: plan.BoolType},
		{Name: "to", Type: plan.ListOf(plan.StringType)},
		{Name: "r", Type: &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "a", Type: plan.IntType}}}},
	}}
	name := &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "name", Type: plan.StringType}}}
	return &plan.Plan{
		Symbols: []string{"", "sword", "axe", "head", "arm"},
		Consts:  []int64{3, 4},
		Tables: []plan.Table{
			{ID: "weapon", Kind: plan.KeyedTable, Row: whole, Keys: []int64{1, 2}, Cells: []int64{
				1, bits(0.5), 1, 0<<32 | 2, 7,
				2, bits(1), 0, 2 << 32, 8,
			}},
			{ID: "place", Kind: plan.BandsTable, Row: name, Lo: []float64{1, 7}, Hi: []float64{6, 7}, Above: []bool{false, false},
				Cells: []int64{3, 4}},
			{ID: "degree", Kind: plan.StepsTable, Row: name, Lo: []float64{0, 0.5}, Hi: []float64{0, 0}, Above: []bool{false, true},
				Cells: []int64{3, 4}},
		},
	}
}

func TestTableCases(t *testing.T) {
	const weapons = `{"sword": {"n": 1, "x": 0.5, "ok": true, "to": ["head", "arm"], "r": {"a": 7}},
		"axe": {"n": 2, "x": 1.0, "ok": false, "to": [], "r": {"a": 8}}}`
	const places = `[{"on": [1, 6], "name": "head"}, {"on": 7, "name": "arm"}]`
	const degrees = `[{"from": 0, "name": "head"}, {"above": 0.5, "name": "arm"}]`
	for _, x := range []struct{ table, text, old, new, want string }{
		{"weapon", weapons, "", "", ""},
		{"weapon", weapons, `"n": 1`, `"n": 3`, `6: key "sword": n: want 3, got 1`},
		{"weapon", weapons, `"n": 1, `, ``, `6: key "sword": table.json does not have column n`},
		{"weapon", weapons, `"n": 1`, `"n": 1, "m": 1`, `6: key "sword": m: want 1, but there is no such member`},
		{"weapon", weapons, `"head", "arm"`, `"arm", "head"`, `6: key "sword": to[0]: want "arm", got "head"` + "\n" +
			`6: key "sword": to[1]: want "head", got "arm"`},
		{"weapon", weapons, `"sword"`, `"knife"`, `6: row 1: want key "knife", got key "sword"`},
		{"weapon", places, "", "",
			`6: table.json: rows with names are {"row": {"column": cell}}`},
		{"place", places, "", "", ""},
		{"place", places, `[1, 6]`, `[1, 5]`, "6: row 1: want on 1 to 5, got on 1 to 6"},
		{"place", places, `, {"on": 7, "name": "arm"}`, ``, "6: got on 7 to 7, which table.json does not have"},
		{"place", places, `}]`, `}, {"on": 8, "name": "arm"}]`, "6: want on 8 to 8, but there is no such row"},
		{"place", places, `"on": 7`, `"from": 7`, "6: row 2: want from 7, got on 7 to 7"},
		{"place", places, `"on": 7, `, ``, "6: table.json: row 2: it has none of on, from and above"},
		{"place", places, `7`, `"x"`, `6: table.json: row 2: on is "x": it is a number, or of a band the first and the last`},
		{"degree", degrees, "", "", ""},
		{"degree", degrees, `above`, `from`, "6: row 2: want from 0.5, got above 0.5"},
		{"degree", degrees, `"head"`, `"arm"`, `6: from 0: name: want "arm", got "head"`},
		{"degree", weapons, "", "",
			`6: table.json: bands are [{"on": [1, 6], ...}], and steps [{"from": 0, ...}, {"above": 2, ...}]`},
		{"nonesuch", weapons, "", "", `1: there is no table "nonesuch"; there is weapon, place, degree`},
	} {
		text := strings.Replace(x.text, x.old, x.new, 1)
		c, err := Parse("t.txtar", []byte("table: "+x.table+"\ncite: c\n\nTyped.\n-- table.json --\n"+text+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		r := &Result{Case: c}
		r.compareTable(tables())
		if got := Said(r.Problems); got != x.want {
			t.Errorf("table %s, %q for %q: %q, want %q", x.table, x.new, x.old, got, x.want)
		}
	}
}

// TestOneColumn takes a bare cell for a record of the only column.
func TestOneColumn(t *testing.T) {
	p := tables()
	p.Tables[1].Kind, p.Tables[1].Keys = plan.KeyedTable, []int64{1, 2}
	for _, text := range []string{`{"sword": "head", "axe": "arm"}`, `{"sword": {"name": "head"}, "axe": "arm"}`} {
		j, err := jsontree.ReadTree([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r := &Result{Case: &Case{Subject: "place", table: j}}
		if r.compareTable(p); !r.Passed() {
			t.Errorf("%s: %v", text, r.Problems)
		}
	}
}

func TestReached(t *testing.T) {
	entry := func(kind plan.EntryKind, id string, lines ...plan.Line) plan.Entry {
		return plan.Entry{Kind: kind, ID: id, Lines: lines}
	}
	text := func(s string) plan.Line { return plan.Line{Part: "let", Text: s} }
	d := NewDefinitions(&plan.Plan{
		Character: &plan.Shape{Kind: plan.Record},
		Entries: []plan.Entry{
			entry(plan.OptionEntry, "band"), entry(plan.OptionEntry, "tie"),
			entry(plan.TableEntry, "reach"), entry(plan.TableEntry, "weight"), entry(plan.TableEntry, "town"),
			entry(plan.TraitEntry, "speed", text("weight(character.load)")),
			entry(plan.FunctionEntry, "half", text("by option.band\nup: 1")),
			entry(plan.RuleEntry, "strike", text("half ( character . speed )")),
			entry(plan.RuleEntry, "volley", plan.Line{Part: "use", Name: "hits", Text: "strike"}, text("'reach(' + \"option.tie\"")),
			entry(plan.ProcedureEntry, "fight"),
			entry(plan.EventEntry, "fight.roll", plan.Line{Part: "use", Name: "hit", Text: "strike"}),
			entry(plan.EventEntry, "fight.rest", text("option.tie")),
		},
		Rules: []plan.Rule{{ID: "strike", Input: &plan.Shape{Kind: plan.Record, Fields: []plan.Member{
			{Name: "towns", Shape: &plan.Shape{Kind: plan.List, Elem: &plan.Shape{Kind: plan.String, KeyOf: "town"}}},
		}}}},
	})
	strike := []string{"band", "half", "speed", "strike", "town", "weight"}
	for _, x := range []struct {
		c    Case
		want []string
	}{
		{Case{Kind: TableCase, Subject: "reach"}, []string{"reach"}},
		{Case{Kind: RuleCase, Subject: "strike"}, strike},
		{Case{Kind: RuleCase, Subject: "volley"}, append(slices.Clone(strike), "volley")},
		{Case{Kind: ProcedureCase, Subject: "fight"}, []string{"fight"}},
		{Case{Kind: ProcedureCase, Subject: "fight", Events: []runtime.Step{{Event: "rest"}}}, []string{"fight", "fight.rest", "tie"}},
		{Case{Kind: ProcedureCase, Subject: "fight", Events: []runtime.Step{{Event: "roll"}}},
			append(slices.Clone(strike), "fight", "fight.roll")},
		{Case{Kind: RuleCase, Subject: "nonesuch"}, nil},
	} {
		var got []string
		for _, e := range d.ReachedBy(&x.c) {
			got = append(got, e.ID)
		}
		slices.Sort(got)
		slices.Sort(x.want)
		if !slices.Equal(got, x.want) {
			t.Errorf("%s %s reaches %v, want %v", x.c.Kind, x.c.Subject, got, x.want)
		}
	}
}
