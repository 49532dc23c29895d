package record

import "math"

// A Numbered record has every name replaced by its number: what the branch-free code computes on.
type Numbered struct {
	Strength, Agility, Endurance, Height, Rank, SB, DF, Wounded, Roll, LocRoll int64
	Load                                                                       float64
	Armor                                                                      int64
}

// A Result of numbers: Degree and Location are rows, Success is 0 or 1.
type Result struct {
	Base, Mods, Wound, Chance, Margin, Success, Degree int64
	Multiplier                                         float64
	Effect, Location, Initiative, Energy               int64
}

// Number replaces the names of an input.
func (in *Input) Number() Numbered {
	armor := int64(-1)
	for i, name := range Armors {
		if name == in.Armor {
			armor = int64(i)
		}
	}
	return Numbered{
		in.Strength, in.Agility, in.Endurance, in.Height, in.Rank, in.SB, in.DF, in.Wounded, in.Roll, in.LocRoll,
		in.Load, armor,
	}
}

// Name gives a result its names.
func (r *Result) Name() Output {
	return Output{
		r.Base, r.Mods, r.Wound, r.Chance, r.Margin, r.Success == 1, DegreeNames[r.Degree], r.Multiplier, r.Effect,
		Locations[r.Location].V, r.Initiative, r.Energy,
	}
}

// Dense is the tables as arrays that the branch-free code indexes.
type Dense struct {
	heights     [401]int8
	locations   [101]int8
	load, ratio [9]float64
}

// NewDense fills the arrays.
func NewDense() *Dense {
	d := &Dense{}
	for _, r := range Heights {
		for x := r.Lo; x <= r.Hi; x++ {
			d.heights[x] = int8(r.V)
		}
	}
	for i, r := range Locations {
		for x := r.Lo; x <= r.Hi; x++ {
			d.locations[x] = int8(i)
		}
	}
	for i := range d.load {
		d.load[i], d.ratio[i] = Loads[i].To, Degrees[i].To
	}
	return d
}

// passed counts the limits that a number has reached.
func passed(limits *[9]float64, x float64) int64 {
	var n int64
	for i := range limits {
		var one int64
		if x >= limits[i] {
			one = 1
		}
		n += one
	}
	return n
}

// BranchFree computes a record as fast as Go can: no branch that the processor could guess wrong.
func (d *Dense) BranchFree(in *Numbered, o *Result) {
	base := 3*in.SB + 4*in.Rank
	mods := int64(d.heights[uint64(in.Height)%401]) + ArmorMods[in.Armor] + Loads[passed(&d.load, in.Load)].V
	var wound int64
	if in.Wounded >= 25 {
		wound = -10
	}
	if in.Wounded >= 50 {
		wound = -20
	}
	if in.Wounded >= 75 {
		wound = -40
	}
	chance := max(1, min(150, base+5*in.DF+mods+wound))
	o.Base, o.Mods, o.Wound, o.Chance, o.Margin = base, mods, wound, chance, chance-in.Roll
	var success int64
	if in.Roll <= chance && in.Roll < 97 || in.Roll <= 3 {
		success = 1
	}
	o.Success = success
	o.Degree = passed(&d.ratio, float64(in.Roll)/float64(chance))
	o.Multiplier = Multipliers[o.Degree]
	if success == 0 {
		o.Multiplier *= 0.5
	}
	o.Effect = max(0, int64(math.Floor(o.Multiplier*float64(in.Strength)*0.25))+in.Rank)
	o.Location = int64(d.locations[uint64(in.LocRoll)%101])
	o.Initiative = in.Agility/2 + in.Rank - ArmorInitiatives[in.Armor]
	if in.Wounded > 50 {
		o.Initiative -= 5
	}
	o.Energy = max(1, int64(math.Ceil(in.Load*0.25*(1.0+float64(in.Wounded)/100.0)))-in.Endurance/10)
}
