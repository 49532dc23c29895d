package plan_test

import (
	"math"
	"testing"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// TestCells reads and edits cells of a table of words, whose last column is a record, and of one of numbers.
func TestCells(t *testing.T) {
	p := &plan.Plan{Symbols: []string{"", "axe", "light", "heavy"}, Tables: []plan.Table{
		{ID: "weapon", Kind: plan.KeyedTable, Keys: []int64{1}, Cells: []int64{5, 0, 0, 2, 1}, Row: &plan.Type{Kind: plan.Record,
			Fields: []plan.Field{
				{Name: "damage", Type: plan.IntType}, {Name: "range", Type: plan.IntType, Optional: true},
				{Name: "is", Type: &plan.Type{Kind: plan.Record, Fields: []plan.Field{
					{Name: "weight", Type: &plan.Type{Kind: plan.String, Enum: []string{"light", "heavy"}}},
					{Name: "sharp", Type: plan.BoolType},
				}}},
			}}},
		{ID: "near", Kind: plan.BandsTable, Lo: []float64{1, 4}, Hi: []float64{3, 4}, Above: []bool{false, false},
			Order: []int32{0, 1}, Cells: []int64{int64(math.Float64bits(0.5)), 0},
			Row: &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: "factor", Type: plan.DoubleType}}}},
	}}
	var names []string
	for _, c := range append(p.CellsOf("weapon"), p.CellsOf("near")...) {
		names = append(names, c.Name+"="+p.CellText(&c))
	}
	want := []string{"weapon.axe.damage=5", `weapon.axe.is.weight="light"`, "weapon.axe.is.sharp=true",
		"near.1 to 3.factor=0.5", "near.4.factor=0"}
	if len(names) != len(want) {
		t.Fatalf("the cells are %q", names)
	}
	for i := range want {
		if names[i] != want[i] {
			t.Errorf("cell %d is %s, not %s", i, names[i], want[i])
		}
	}
	for _, edit := range []struct{ name, to, want string }{
		{"weapon.axe.damage", "-7", "-7"}, {"weapon.axe.is.weight", "heavy", `"heavy"`}, {"weapon.axe.is.sharp", "false", "false"},
		{"near.2.factor", "1.25", "1.25"}, {"near.4.factor", "3", "3"},
	} {
		c, err := p.FindCell(edit.name)
		if err != nil {
			t.Error(err)
			continue
		}
		before := p.CellText(&c)
		q, err := p.WithCell(&c, edit.to)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := q.CellText(&c); got != edit.want {
			t.Errorf("%s is %s, not %s", edit.name, got, edit.want)
		}
		if p.CellText(&c) != before {
			t.Errorf("%s has changed in the plan itself", edit.name)
		}
	}
	for _, name := range []string{"nothing.axe.damage", "weapon", "weapon.axe", "weapon.sword.damage", "weapon.axe.range", "near.5.factor"} {
		if c, err := p.FindCell(name); err == nil {
			t.Errorf("%s is %+v", name, c)
		}
	}
	for name, to := range map[string]string{
		"weapon.axe.damage": "1.5", "weapon.axe.is.weight": "huge", "weapon.axe.is.sharp": "2", "near.4.factor": "NaN",
	} {
		c, err := p.FindCell(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.WithCell(&c, to); err == nil {
			t.Errorf("%s takes %s", name, to)
		}
	}
}
