package record

import "github.com/tabletop-rules/rules/runtime"

// A Direct evaluates records in a frame of ours, field by field.
type Direct struct {
	frame *runtime.Frame

	strength, agility, endurance, height, rank, sb, df, wounded, roll, locRoll, load, armor *runtime.Field

	base, mods, wound, chance, margin, success, degree, multiplier, effect, location, initiative, energy *runtime.Result
}

// NewDirect finds the fields and the results of the rule.
func NewDirect(r *runtime.Rule) (*Direct, error) { return newDirect(r, r.Frame(), "", r.Result) }

// newDirect finds the fields and the results whose names end in a suffix.
func newDirect(r *runtime.Rule, frame *runtime.Frame, suffix string, result func(string) (*runtime.Result, error)) (*Direct,
	error) {
	d := &Direct{frame: frame}
	var err error
	for _, x := range []struct {
		to   **runtime.Field
		path string
	}{
		{&d.strength, "character.strength"}, {&d.agility, "character.agility"}, {&d.endurance, "character.endurance"},
		{&d.height, "character.height"}, {&d.rank, "character.rank"}, {&d.sb, "character.sb"}, {&d.df, "character.df"},
		{&d.wounded, "character.wounded"}, {&d.load, "character.load"}, {&d.armor, "character.armor"},
		{&d.roll, "input.roll"}, {&d.locRoll, "input.loc_roll"},
	} {
		if *x.to, err = r.Field(x.path + suffix); err != nil {
			return nil, err
		}
	}
	for _, x := range []struct {
		to   **runtime.Result
		path string
	}{
		{&d.base, "base"}, {&d.mods, "mods"}, {&d.wound, "wound"}, {&d.chance, "chance"}, {&d.margin, "margin"},
		{&d.success, "success"}, {&d.degree, "degree"}, {&d.multiplier, "multiplier"}, {&d.effect, "effect"},
		{&d.location, "location"}, {&d.initiative, "initiative"}, {&d.energy, "energy"},
	} {
		if *x.to, err = result(x.path + suffix); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Eval computes a record.
func (d *Direct) Eval(in *Input, o *Output) error {
	d.frame.SetText(d.armor, in.Armor)
	return d.numbers(in, o)
}

// Symbol computes a record whose armor was looked up before.
func (d *Direct) Symbol(in *Input, armor runtime.Symbol, o *Output) error {
	d.frame.SetSymbol(d.armor, armor)
	return d.numbers(in, o)
}

func (d *Direct) numbers(in *Input, o *Output) error {
	f := d.frame
	d.set(in)
	if !f.Run(nil) {
		return f.Err()
	}
	d.read(o)
	return nil
}

// read is what the frame has come to.
func (d *Direct) read(o *Output) {
	f := d.frame
	*o = Output{
		Base: f.Int(d.base), Mods: f.Int(d.mods), Wound: f.Int(d.wound), Chance: f.Int(d.chance), Margin: f.Int(d.margin),
		Success: f.Bool(d.success), Degree: f.Text(d.degree), Multiplier: f.Double(d.multiplier), Effect: f.Int(d.effect),
		Location: f.Text(d.location), Initiative: f.Int(d.initiative), Energy: f.Int(d.energy),
	}
}

// Keep is a record as the frame holds it.
func (d *Direct) Keep(in *Input) (*runtime.Record, error) {
	d.frame.SetText(d.armor, in.Armor)
	d.set(in)
	return d.frame.Keep()
}

// Kept computes a record that was kept.
func (d *Direct) Kept(in *runtime.Record, o *Output) error {
	d.frame.Set(in)
	if !d.frame.Run(nil) {
		return d.frame.Err()
	}
	d.read(o)
	return nil
}

// set sets the numbers of a record.
func (d *Direct) set(in *Input) {
	f := d.frame
	f.SetInt(d.strength, in.Strength)
	f.SetInt(d.agility, in.Agility)
	f.SetInt(d.endurance, in.Endurance)
	f.SetInt(d.height, in.Height)
	f.SetInt(d.rank, in.Rank)
	f.SetInt(d.sb, in.SB)
	f.SetInt(d.df, in.DF)
	f.SetInt(d.wounded, in.Wounded)
	f.SetInt(d.roll, in.Roll)
	f.SetInt(d.locRoll, in.LocRoll)
	f.SetDouble(d.load, in.Load)
}
