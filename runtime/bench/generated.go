package main

import (
	"github.com/tabletop-rules/rules/runtime/bench/blow"
	"github.com/tabletop-rules/rules/runtime/bench/record"
)

// A blowRecord is a record as the generated package has it.
type blowRecord struct {
	character blow.Character
	input     blow.BlowInput
}

// generated is the rule that "rules generate go" writes (record.TestGeneratedGo), with names that are numbers, and with
// names that are made numbers before. Each field is checked in each evaluation.
func generated(inputs []record.Input) []*engine {
	records := make([]blowRecord, len(inputs))
	for i, x := range inputs {
		armor, _ := blow.ParseArmor(x.Armor)
		records[i] = blowRecord{
			blow.Character{Strength: x.Strength, Agility: x.Agility, Endurance: x.Endurance, Height: x.Height, Rank: x.Rank,
				Sb: x.SB, Df: x.DF, Wounded: x.Wounded, Load: x.Load, Armor: armor},
			blow.BlowInput{Roll: x.Roll, LocRoll: x.LocRoll},
		}
	}
	check := func(i int, o *record.Output) error {
		out, err := blow.Blow(&records[i].character, &records[i].input, nil)
		*o = record.Output{Base: out.Base, Mods: out.Mods, Wound: out.Wound, Chance: out.Chance, Margin: out.Margin,
			Success: out.Success, Degree: out.Degree, Multiplier: out.Multiplier, Effect: out.Effect,
			Location: out.Location, Initiative: out.Initiative, Energy: out.Energy}
		return err
	}
	return []*engine{
		timed("generated_go_numbers", "generated Go, names as numbers, each field checked", len(inputs), check,
			func(n int) {
				for i := range n {
					blow.Blow(&records[i].character, &records[i].input, nil)
				}
			}),
		timed("generated_go", "generated Go, names as strings, each field checked", len(inputs), check, func(n int) {
			for i := range n {
				r := &records[i]
				r.character.Armor, _ = blow.ParseArmor(inputs[i].Armor)
				blow.Blow(&r.character, &r.input, nil)
			}
		}),
	}
}
