package record

import "github.com/tabletop-rules/rules/runtime"

// Columns are up to runtime.BlockSize records, computed at once.
type Columns struct {
	block   *runtime.Block
	results *Direct // only its results are used
}

// NewColumns fills a block.
func NewColumns(r *runtime.Rule, inputs []Input) (*Columns, error) {
	block, err := r.Block(0)
	if err != nil {
		return nil, err
	}
	d, err := newDirect(r, block.Frame(), "", block.Result)
	if err != nil {
		return nil, err
	}
	for i := range inputs {
		d.frame.SetText(d.armor, inputs[i].Armor)
		d.set(&inputs[i])
		if err := block.Add(); err != nil {
			return nil, err
		}
	}
	return &Columns{block, d}, nil
}

// Run computes all records.
func (c *Columns) Run() { c.block.Run() }

// Read is what a record came to.
func (c *Columns) Read(row int, o *Output) error {
	b, d := c.block, c.results
	*o = Output{
		Base: b.Int(d.base, row), Mods: b.Int(d.mods, row), Wound: b.Int(d.wound, row), Chance: b.Int(d.chance, row),
		Margin: b.Int(d.margin, row), Success: b.Bool(d.success, row), Degree: b.Text(d.degree, row),
		Multiplier: b.Double(d.multiplier, row), Effect: b.Int(d.effect, row), Location: b.Text(d.location, row),
		Initiative: b.Int(d.initiative, row), Energy: b.Int(d.energy, row),
	}
	return b.Err(row)
}
