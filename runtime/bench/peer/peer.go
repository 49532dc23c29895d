// Package peer is the reference record in other engines, each written as its documentation would have it. The engines
// with formulas look tables up in the same hand-written Go functions.
package peer

import (
	_ "embed"

	"github.com/tabletop-rules/rules/runtime/bench/record"
)

// An Evaluator computes a record.
type Evaluator interface {
	Eval(in *record.Input, out *record.Output) error
}

//go:embed blow.js
var javaScript string

//go:embed generated.mjs
var generatedScript string

//go:embed serve.js
var serveScript string

//go:embed blow.rego
var regoModule string

// A formula is an expression in the syntax that CEL and expr share.
type formula struct{ name, text string }

// formulas are those of the ruleset, in order; each sees the ones before it.
func formulas() []formula {
	return []formula{
		{"base", `3 * sb + 4 * rank`},
		{"mods", `height_mod(height) + armor_mod(armor) + load_mod(load)`},
		{"wound", `wounded >= 75 ? -40 : (wounded >= 50 ? -20 : (wounded >= 25 ? -10 : 0))`},
		{"chance", `max(1, min(150, base + 5 * df + mods + wound))`},
		{"margin", `chance - roll`},
		{"success", `(roll <= chance && roll < 97) || roll <= 3`},
		{"row", `degree_row(double(roll) / double(chance))`},
		{"degree", `degree_name(row)`},
		{"multiplier", `degree_multiplier(row) * (success ? 1.0 : 0.5)`},
		{"effect", `max(0, floor(multiplier * double(strength) / 4.0) + rank)`},
		{"location", `location_part(loc_roll)`},
		{"initiative", `half(agility) + rank - armor_initiative(armor) + (wounded > 50 ? -5 : 0)`},
		{"energy", `max(1, ceil(load / 4.0 * (1.0 + double(wounded) / 100.0)) - tenth(endurance))`},
	}
}

// variables gives the inputs by name.
func variables(in *record.Input) map[string]any {
	return map[string]any{
		"strength": in.Strength, "agility": in.Agility, "endurance": in.Endurance, "height": in.Height, "rank": in.Rank,
		"sb": in.SB, "df": in.DF, "wounded": in.Wounded, "load": in.Load, "armor": in.Armor, "roll": in.Roll,
		"loc_roll": in.LocRoll,
	}
}
