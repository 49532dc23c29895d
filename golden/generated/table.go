package generated

import (
	"fmt"
	"strings"
)

// writeTables writes one table of each kind.
func (g *Generator) writeTables() {
	g.writef("tables: {")
	g.writef("\tarms: {cite: \"x\", dice: [\"harm\", \"jab\", \"nick\"], keyed: {")
	harms := []string{"d4", "2d3 + 1", "1", "d6 - 1", "d4r1", "2d4mi2", "3d4kh2", "2d4kl1", "d4!",
		"3d3>1", "2d4ro1", "3d4kh2>=3", "4d4kh2", "2d4kh1", "3d4kl1", "d4 - d6", "4d4kh2>=3"}
	if g.isOneIn(3) { // which differ in how many dice they leave out
		harms = []string{"2d4kh1", "3d4kh1", "3d4kh2", "4d4kh2", "2d4kl1", "2d4"}
	}
	if g.alike = g.isOneIn(3); g.alike { // or which are rolled alike but for one thing
		harms = pickOne(g, []string{"3d4kh1", "3d4kl1"}, []string{"3d4kh1", "3d4kh2"}, []string{"2d4mi2", "2d4", "2d4mi3"}, []string{"d4r1", "d4ro1", "d4r2"},
			[]string{"3d3>1", "3d3>2", "3d3"}, []string{"d4 + d6", "d4 - d6", "2d4 + 1"}, []string{"d4!", "d4", "d4!>2"},
			[]string{"3d4kh2>=3", "3d4kh2", "3d4kl2>=3"}, []string{"2d4", "3d6 - 1", "d8 + 2d4"})
	}
	for i, key := range arms {
		// the words of a column go by the order of the rows: here it is that of #Grade, as formulas mix both
		fmt.Fprintf(&g.b, "\t\t%s: {heft: ", key)
		heft := fmt.Sprint(g.IntN(9) - 2)
		g.editNext("tables: arms: rows: "+key+": heft", heft, fmt.Sprint(g.IntN(20)))
		g.writef("%s, class: %q, fine: %v, price: %s, harm: %q, jab: %q, nick: %q}", heft, grades[i], g.isOneIn(2),
			pickOne(g, "1", "2.5", "0.75"),
			pickOne(g, harms...),
			pickOne(g, "d3", "2d2", "d4 + 2", "2", "2d3>=2"),
			pickOne(g, "1", "2", "3")) // numbers alone
	}
	pike := `pike: {heft: 7, class: "best", fine: true, price: 4.5, harm: "d6", jab: "1", nick: "2"}`
	g.edits = append(g.edits, "extend: tables: arms: keyed: "+pike)
	g.writef("\t}}")
	// bands over 0 to 12
	g.writef("\tzone: {cite: \"x\", %s bands: [", pickOne(g, "", "gives: \"cost\","))
	g.tables[1] = ".cost"
	if strings.Contains(g.b.String(), "gives: \"cost\"") {
		g.tables[1] = ""
	}
	for from := 0; from <= 12; {
		to := min(12, from+g.IntN(5))
		on := fmt.Sprintf("[%d, %d]", from, to)
		if from == to {
			on = fmt.Sprint(from)
		}
		fmt.Fprintf(&g.b, "\t\t{on: %s, cost: ", on)
		label := fmt.Sprintf("%d to %d", from, to)
		if from == to {
			label = fmt.Sprint(from)
		}
		cost := fmt.Sprint(g.IntN(7) - 1)
		g.editNext(fmt.Sprintf("tables: zone: rows: %q: cost", label), cost, fmt.Sprint(g.IntN(30)-9))
		g.writef("%s, mood: %q},", cost, pickOne(g, "calm", "wild"))
		from = to + 1
	}
	g.writef("\t]}")
	g.writef("\tladder: {cite: \"x\", %s %s steps: [", pickOne(g, "", "carry: true,"),
		pickOne(g, "", "", `over: "2d6",`, fmt.Sprintf("over: [%d, %d],", g.IntN(4)-9, 3+g.IntN(9))))
	rows := []string{fmt.Sprintf("{from: -100, gain: %d, odd: %v}", g.IntN(4), g.isOneIn(2))}
	at := -3
	for range 2 + g.IntN(3) {
		at += 1 + g.IntN(4)
		kinds := pickOne(g, []string{"from"}, []string{"above"}, []string{"from", "above"})
		for _, kind := range kinds {
			rows = append(rows, fmt.Sprintf("{%s: %d, gain: %d, odd: %v}", kind, at, g.IntN(9)-3, g.isOneIn(2)))
		}
	}
	if g.isOneIn(2) { // which finds the same rows
		g.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	}
	g.writef("\t\t%s", strings.Join(rows, ", "))
	g.writef("\t]}")
	g.writef("\tchart: {cite: \"x\", columns: [%s], rows: {hard: [%d, %d, %d], soft: [%d, %d, %d]}}",
		pickOne(g, "[0, 3], [4, 6], [7, 12]", "{from: 0}, {from: 3}, {above: 3}", "{from: 0}, {above: 4}, {above: 9}"),
		g.IntN(9), g.IntN(9), g.IntN(9), g.IntN(9), g.IntN(9), g.IntN(9))
	g.writef("\tboard: {cite: \"x\", columns: [[0, 2], 3, [4, 12]], rows: [{on: [0, 3], cells: [%d, %d, %d]}, "+
		"{on: [4, 12], cells: [%d, %d, %d]}]}", g.IntN(9), g.IntN(9), g.IntN(9), g.IntN(9), g.IntN(9), g.IntN(9))
	deep := []string{"{from: -1000, depth: 0}"}
	for from := g.IntN(9) - 20; len(deep) < 40; from += 1 + g.IntN(3)*g.IntN(20) {
		deep = append(deep, fmt.Sprintf("{from: %d, depth: %d}", from, len(deep)))
	}
	g.writef("\tdeep: {cite: \"x\", gives: \"depth\", %s steps: [%s]}", pickOne(g, "", "", "over: [-5, 9.5],"),
		strings.Join(deep, ", "))
	// bands with gaps, at both ends too
	g.writef("\trift: {cite: \"x\", gives: \"width\", bands: [{on: [-4, %d], width: %d}, {on: 1, width: %d}, {on: "+
		"[3, 5], width: %d}, {on: [%d, 30], width: 9}]}", pickOne(g, -4, -2, 0), g.IntN(9)-3, g.IntN(9)-3,
		g.IntN(9)-3, pickOne(g, 6, 7, 20))
	g.writef("\tranks: {cite: \"x\", keyed: {")
	for i, key := range arms {
		g.writef("\t\t%s: {tier: %q, base: %d}", key, grades[i], g.IntN(9)-2)
	}
	g.writef("\t}}")
	g.writef("\tnotches: {cite: \"x\", keyed: {few: {a: %d, b: 4, c: 9}, many: {a: %d, b: %d, c: 30}}}", g.IntN(3), 5+g.IntN(3),
		g.IntN(20))
	g.writef("\tpips: {cite: \"x\", bands: [{on: [1, 2], good: 0, bad: 4}, {on: %s, good: 1, bad: 2}, {on: [5, 6], good: %d, bad: 7}]}",
		"[3, 4]", 1+g.IntN(3))
	g.writef("}")
}
