package generated

import (
	"fmt"
	"slices"
	"strings"
)

// editNext offers a homebrew to replace what is written next.
func (g *Generator) editNext(path, old, new string) {
	g.edits = append(g.edits, fmt.Sprintf("replace: %s: {expect: %s, with: %s}", path, old, new))
}

// printFormula writes a formula that a homebrew may replace by one of the same kind.
func (g *Generator) printFormula(path, kind string, depth int) {
	old := g.makeFormula(kind, depth)
	if g.isOneIn(3) {
		g.editNext(path, old, g.makeFormula(kind, depth))
	}
	g.writef("%s", old)
}

// Homebrews writes one or two homebrews, of which some do not go with the ruleset or with each other. Questions are about
// what they leave from now on.
func (g *Generator) Homebrews() []string {
	out := []string{g.writeHomebrew("house")}
	if g.isOneIn(3) {
		out = append(out, g.writeHomebrew("hall"))
	}
	return out
}

func (g *Generator) writeHomebrew(id string) string {
	chosen := slices.Clone(g.edits)
	g.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	chosen = chosen[:min(len(chosen), g.IntN(5))]
	if len(chosen) > 0 && g.isOneIn(15) {
		if path, _, isReplaced := strings.Cut(chosen[0], "{expect: "); isReplaced {
			chosen[0] = path + `{expect: "nothing", with: "0"}` // which it does not find
		}
	}
	return fmt.Sprintf("package house\n\nimport \"github.com/tabletop-rules/rules/schema\"\n\nschema.#Homebrew\n"+
		"id: %q\ntitle: \"House rules\"\nruleset: \"game\"\n%s\n", id,
		strings.Join(append(chosen, g.writeChanges(id)...), "\n"))
}

// writeChanges writes changes of definitions as a whole.
func (g *Generator) writeChanges(id string) (out []string) {
	add := func(oneIn int, format string, args ...any) bool {
		if !g.isOneIn(oneIn) {
			return false
		}
		out = append(out, fmt.Sprintf(format, args...))
		return true
	}
	rule := pickOne(g, g.Rules...).ID
	if add(3, "#Character: blessing: *%d | int & >=0 & <=9", g.IntN(9)) {
		add(1, "extend: rules: %s: output: blessed: \"character.blessing + %d\"", rule, g.IntN(3))
	}
	add(3, "extend: rules: %s: {#Input: gift: *1 | int & <=4, let: given: \"input.gift * 2\", output: gifted: "+
		"\"given + 1\"}", rule)
	add(6, "extend: rules: %s: {dice: late: \"d4\", require: \"%s is early\": \"late < 4\", output: later: \"late\"}",
		rule, id)
	add(15, "extend: rules: %s: output: out0: \"1\"", rule)    // which is there
	add(20, "extend: rules: rule9: output: out0: \"1\"")       // which is not
	add(20, "disable: tables: arms: rows: %s: \"x\"", arms[0]) // which is there, and may be needed
	add(8, "extend: tables: zone: bands: [{on: %d, cost: 3, mood: \"calm\"}]", 13+g.IntN(2))
	if add(6, "add: rules: bonus: {cite: \"x\", dice: roll: \"d6\", output: total: \"roll + character.might\"}") {
		g.Rules = append(g.Rules, Rule{ID: "bonus", Outputs: []Output{{"total", "int"}}})
	}
	if last := len(g.Rules) - 1; last > 0 && add(8, "disable: rules: %s: \"x\"", g.Rules[last].ID) {
		g.Rules = g.Rules[:last]
	}
	if len(g.Events) == 0 {
		return out
	}
	add(5, "extend: procedures: play: {let: nearer: \"far - 1\", output: near: \"nearer\", ends: fled: \"state.pool "+
		"< -%d\"}", g.IntN(100))
	add(5, "extend: procedures: play: events: %s: {let: own: \"state.pool\", output: owned: \"own\"}", g.Events[0])
	if add(5, "extend: procedures: play: events: rest: {next: pool: \"state.pool - %d\", output: rested: \"input.n\"}",
		g.IntN(9)) {
		g.Events = append(slices.Clip(g.Events), "rest")
	}
	if last := len(g.Events) - 1; last > 0 && add(8, "disable: procedures: play: events: %s: \"x\"", g.Events[last]) {
		g.Events = g.Events[:last]
	} else if add(20, "disable: procedures: play: \"x\"") {
		g.Events = nil
	}
	return out
}
