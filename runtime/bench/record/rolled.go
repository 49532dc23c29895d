package record

import (
	"encoding/json"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Rolled compiles the ruleset with dice in the place of the two rolls that the record is otherwise given.
func Rolled() (*plan.Plan, error) {
	return altered(func(text string) string {
		before, rest, _ := strings.Cut(text, "\t#Input: {\n")
		_, after, _ := strings.Cut(rest, "\t}\n")
		after = strings.NewReplacer("input.roll", "roll", "input.loc_roll", "loc_roll").Replace(after)
		return before + "\tdice: {roll: die: 100, loc_roll: die: 100}\n" + after
	})
}

// Character is what the rule with dice is asked for.
func (in *Input) Character() ([]byte, error) {
	return json.Marshal(map[string]any{
		"strength": in.Strength, "agility": in.Agility, "endurance": in.Endurance, "height": in.Height, "rank": in.Rank,
		"sb": in.SB,
		"df": in.DF, "wounded": in.Wounded, "load": in.Load, "armor": in.Armor,
	})
}
