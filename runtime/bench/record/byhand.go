package record

import "math"

// ByHand computes a record as a person writes it in Go: tables searched, armors by name in a map.
func ByHand(in *Input, o *Output) {
	o.Base = 3*in.SB + 4*in.Rank
	o.Mods = InBand(Heights, in.Height) + ArmorMod[in.Armor] + AtStep(Loads, in.Load)
	o.Wound = wound(in.Wounded)
	o.Chance = max(1, min(150, o.Base+5*in.DF+o.Mods+o.Wound))
	o.Margin = o.Chance - in.Roll
	o.Success = (in.Roll <= o.Chance && in.Roll < 97) || in.Roll <= 3
	degree := AtStep(Degrees, float64(in.Roll)/float64(o.Chance))
	o.Degree = DegreeNames[degree]
	o.Multiplier = Multipliers[degree]
	if !o.Success {
		o.Multiplier *= 0.5
	}
	o.Effect = max(0, int64(math.Floor(o.Multiplier*float64(in.Strength)/4.0))+in.Rank)
	o.Location = InBand(Locations, in.LocRoll)
	o.Initiative = in.Agility/2 + in.Rank - ArmorInitiative[in.Armor]
	if in.Wounded > 50 {
		o.Initiative -= 5
	}
	o.Energy = max(1, int64(math.Ceil(in.Load/4*(1.0+float64(in.Wounded)/100.0)))-in.Endurance/10)
}

func wound(wounded int64) int64 {
	switch {
	case wounded >= 75:
		return -40
	case wounded >= 50:
		return -20
	case wounded >= 25:
		return -10
	}
	return 0
}
