package record

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Rolled compiles the ruleset with dice in the place of the two rolls that the record is otherwise given.
func Rolled() (*plan.Plan, error) {
	text, err := fs.ReadFile(files, "ruleset/reference.cue")
	if err != nil {
		return nil, err
	}
	module, err := fs.ReadFile(files, "ruleset/cue.mod/module.cue")
	if err != nil {
		return nil, err
	}
	before, rest, _ := strings.Cut(string(text), "\t#Input: {\n")
	_, after, _ := strings.Cut(rest, "\t}\n")
	after = strings.NewReplacer("input.roll", "roll", "input.loc_roll", "loc_roll").Replace(after)
	dir := fstest.MapFS{
		"cue.mod/module.cue": {Data: module},
		"reference.cue":      {Data: []byte(before + "\tdice: {roll: die: 100, loc_roll: die: 100}\n" + after)},
	}
	p, diags := compiler.Directory(load.Source{FS: dir}, ".", compiler.Options{})
	if p == nil {
		return nil, fmt.Errorf("the record with dice does not compile: %v", diags)
	}
	return p, nil
}

// Character is what the rule with dice is asked for.
func (in *Input) Character() ([]byte, error) {
	return json.Marshal(map[string]any{
		"strength": in.Strength, "agility": in.Agility, "endurance": in.Endurance, "height": in.Height, "rank": in.Rank, "sb": in.SB,
		"df": in.DF, "wounded": in.Wounded, "load": in.Load, "armor": in.Armor,
	})
}
