// Package record is the reference record of the benchmark: twelve inputs, thirteen chained formulas, twelve outputs; as
// a ruleset, as hand-written Go, and as characters to try them on. The numbers of the tables stand twice, in the
// ruleset and here: that all engines agree on every character is checked before anything is timed.
package record

import (
	"embed"
	"fmt"
	"math"
	"math/rand/v2"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// An Input is what a record is computed from.
type Input struct {
	Strength  int64   `json:"strength"`
	Agility   int64   `json:"agility"`
	Endurance int64   `json:"endurance"`
	Height    int64   `json:"height"`
	Rank      int64   `json:"rank"`
	SB        int64   `json:"sb"`
	DF        int64   `json:"df"`
	Wounded   int64   `json:"wounded"`
	Load      float64 `json:"load"`
	Armor     string  `json:"armor"`
	Roll      int64   `json:"roll"`
	LocRoll   int64   `json:"loc_roll"`
}

// An Output is what follows from it.
type Output struct {
	Base       int64   `json:"base"`
	Mods       int64   `json:"mods"`
	Wound      int64   `json:"wound"`
	Chance     int64   `json:"chance"`
	Margin     int64   `json:"margin"`
	Success    bool    `json:"success"`
	Degree     string  `json:"degree"`
	Multiplier float64 `json:"multiplier"`
	Effect     int64   `json:"effect"`
	Location   string  `json:"location"`
	Initiative int64   `json:"initiative"`
	Energy     int64   `json:"energy"`
}

//go:embed ruleset
var files embed.FS

// Plan compiles the ruleset.
func Plan() (*plan.Plan, error) {
	return altered(func(text string) string { return text })
}

// altered compiles the ruleset with another text.
func altered(change func(text string) string) (*plan.Plan, error) {
	text, err := files.ReadFile("ruleset/reference.cue")
	if err != nil {
		return nil, err
	}
	module, err := files.ReadFile("ruleset/cue.mod/module.cue")
	if err != nil {
		return nil, err
	}
	dir := fstest.MapFS{"cue.mod/module.cue": {Data: module}, "reference.cue": {Data: []byte(change(string(text)))}}
	p, diags := compiler.Directory(load.Source{FS: dir}, ".", compiler.Options{})
	if p == nil {
		return nil, fmt.Errorf("the ruleset of the benchmark does not compile: %v", diags)
	}
	return p, nil
}

// Generate makes n inputs, the same ones for the same seed.
func Generate(n int, seed uint64) []Input {
	r := rand.New(rand.NewPCG(seed, 42))
	out := make([]Input, n)
	for i := range out {
		out[i] = Input{
			Strength: 20 + r.Int64N(80), Agility: 20 + r.Int64N(80), Endurance: 20 + r.Int64N(80),
			Height: 130 + r.Int64N(110), Rank: r.Int64N(12), SB: 5 + r.Int64N(20), DF: -6 + r.Int64N(12),
			Wounded: r.Int64N(100), Roll: 1 + r.Int64N(100), LocRoll: 1 + r.Int64N(100),
			Load: math.Round(r.Float64()*900) / 10, Armor: Armors[r.IntN(len(Armors))],
		}
	}
	return out
}

// Int is the int of a name, nil when it has none.
func (o *Output) Int(name string) *int64 {
	switch name {
	case "base":
		return &o.Base
	case "mods":
		return &o.Mods
	case "wound":
		return &o.Wound
	case "chance":
		return &o.Chance
	case "margin":
		return &o.Margin
	case "effect":
		return &o.Effect
	case "initiative":
		return &o.Initiative
	case "energy":
		return &o.Energy
	}
	return nil
}

// Text is the string of a name.
func (o *Output) Text(name string) *string {
	if name == "degree" {
		return &o.Degree
	}
	return &o.Location
}
