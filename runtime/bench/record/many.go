package record

import (
	"fmt"

	"github.com/tabletop-rules/rules/runtime"
)

// A Many evaluates the rule of Large, which computes several records at once.
type Many struct {
	frame   *runtime.Frame
	records []*Direct
}

// NewMany finds the fields of n records, and the results of those that are asked for.
func NewMany(r *runtime.Rule, n int) (*Many, error) {
	m := &Many{frame: r.Frame()}
	for i := range n {
		d, err := newDirect(r, m.frame, fmt.Sprintf("_%d", i), r.Result)
		if err != nil {
			return nil, err
		}
		m.records = append(m.records, d)
	}
	return m, nil
}

// Fill sets the fields of the records that are not asked for.
func (m *Many) Fill(r *runtime.Rule, n int, inputs []Input) error {
	none := func(string) (*runtime.Result, error) { return nil, nil }
	for i := len(m.records); i < n; i++ {
		d, err := newDirect(r, m.frame, fmt.Sprintf("_%d", i), none)
		if err != nil {
			return err
		}
		d.frame.SetText(d.armor, inputs[i].Armor)
		d.set(&inputs[i])
	}
	return nil
}

// Set sets the fields of the records.
func (m *Many) Set(inputs []Input) {
	for i, d := range m.records {
		d.frame.SetText(d.armor, inputs[i].Armor)
		d.set(&inputs[i])
	}
}

// Run sets the fields and computes the records.
func (m *Many) Run(inputs []Input) error {
	m.Set(inputs)
	if !m.frame.Run(nil) {
		return m.frame.Err()
	}
	return nil
}

// Read is what a record has come to.
func (m *Many) Read(i int, o *Output) { m.records[i].read(o) }
