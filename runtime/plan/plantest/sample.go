// Package plantest holds a small plan for the tests of the packages that read plans.
package plantest

import "github.com/tabletop-rules/rules/runtime/plan"

// Sample returns a plan with a part of every kind: 2 * character.strength, refused when it is negative.
func Sample() *plan.Plan {
	strength := &plan.Shape{Kind: plan.Int, Min: &plan.Bound{Value: 0}}
	out := plan.Value{Type: recordOf("twice"), ID: plan.None, Fault: plan.None, Present: plan.None,
		Fields: []plan.Value{{Type: plan.IntType, ID: 2, Fault: 3, Present: plan.None}}}
	g := plan.Graph{
		Nodes: []plan.Node{
			{Op: plan.OpLeaf, Kind: plan.Int, Site: -1},
			{Op: plan.OpConst, Kind: plan.Int, Imm: 2, Site: -1},
			{Op: plan.OpMulInt, Kind: plan.Int, Args: []plan.ID{0, 1}, Site: -1},
			{Op: plan.OpMulIntFault, Kind: plan.Fault, Args: []plan.ID{0, 1}, Site: 0},
			{Op: plan.OpLeInt, Kind: plan.Bool, Args: []plan.ID{1, 2}, Site: -1},
			{Op: plan.OpConst, Kind: plan.Bool, Imm: 1, Site: -1},
			{Op: plan.OpRequire, Kind: plan.Bool, Args: []plan.ID{5, 4, 3}, Site: -1},
		},
		Blocks: []plan.Block{{Nodes: []plan.ID{0, 1, 2, 3, 4, 5, 6}}},
		Leaves: []plan.Leaf{{Root: plan.CharacterRoot}},
		Sites: []plan.Site{{Place: plan.Place{File: "a.cue", Line: 3, Col: 7},
			Name: "rule twice", Cite: "chapter 1", Text: "2 * character.strength"}},
		Dice: []plan.Die{{
			ID: "roll", List: true, Distinct: true, Once: true, Times: 2, Most: 9,
			Place: plan.Place{File: "a.cue", Line: 4, Col: 1}, Again: plan.Band{Lo: 1, Hi: 2},
			Explode: plan.Band{Lo: 5, Hi: 6},
		}},
		Requires: []plan.Require{{Message: "too weak", Name: "rule twice"}},
		Names:    []plan.Named{{Name: "twice", Kind: plan.OutputName, Value: out.Fields[0], Option: -1}},
		Outputs:  out,
		When:     plan.Value{ID: plan.None, Fault: plan.None, Present: plan.None},
	}
	return &plan.Plan{
		Ruleset: "sample", Title: "Sample", Revision: "0.1.0", Symbols: []string{"", "up"}, Consts: []int64{1, 2},
		Types:   []*plan.Type{plan.ListOf(plan.IntType)},
		Options: []plan.Option{{ID: "band", Values: []string{"up"}, Symbols: []int64{1}}},
		Tables: []plan.Table{{ID: "t", Kind: plan.BandsTable, Row: recordOf("x"),
			Lo: []float64{1}, Hi: []float64{6}, Above: []bool{false}, Order: []int32{0}, Cells: []int64{5}}},
		Character: &plan.Shape{Kind: plan.Record, Fields: []plan.Member{{Name: "strength", Shape: strength}}},
		Rules:     []plan.Rule{{ID: "twice", Cite: "chapter 1", Input: &plan.Shape{Kind: plan.Record}, Graph: g}},
		Entries: []plan.Entry{{Kind: plan.RuleEntry, ID: "twice",
			Covers: []string{"sample.twice"}, Lines: []plan.Line{{Part: "output", Name: "twice", Text: "2 * x"}}}},
		Readings: []plan.Reading{{ID: "r", Question: "?"}},
		Errata:   []plan.Erratum{{ID: "e", Option: "band"}},
	}
}

// recordOf returns a record of one int.
func recordOf(name string) *plan.Type {
	return &plan.Type{Kind: plan.Record, Fields: []plan.Field{{Name: name, Type: plan.IntType}}}
}
