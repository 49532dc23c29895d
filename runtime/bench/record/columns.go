package record

import "github.com/tabletop-rules/rules/runtime"

// Columns are up to runtime.BlockSize records, computed at once.
type Columns struct {
	block   *runtime.Block
	results *Direct // its fields are those of the block's frame, its results columns of the block
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
	c := &Columns{block, d}
	return c, c.add(inputs)
}

// add sets the fields of records, one after the other.
func (c *Columns) add(inputs []Input) error {
	f := c.block.Frame()
	for i := range inputs {
		f.SetText(c.results.armor, inputs[i].Armor)
		c.results.set(&inputs[i])
		if err := c.block.Add(); err != nil {
			return err
		}
	}
	return nil
}

// Through computes records in place of those that the block has, and reads what they come to.
func (c *Columns) Through(inputs []Input, out []Output) error {
	c.block.Clear()
	if err := c.add(inputs); err != nil {
		return err
	}
	c.block.Run()
	for row := range out {
		if err := c.Read(row, &out[row]); err != nil {
			return err
		}
	}
	return nil
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
