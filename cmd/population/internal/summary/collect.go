package summary

import (
	"fmt"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Collector sums up the answers of a part. It serves one goroutine.
type Collector struct {
	q       *evaluate.Question
	by      []string
	of      *Summary
	letters []evaluate.Letter
	records *source.Records // that are answered
	results []*runtime.Result
	groups  []*Group // of each row of a block
	values  []string // of the group of a row
	columns []int    // of by: the column of the file, -1 for an output
}

// NewCollector sums up by the values of outputs, or of columns of a schema, which is nil for texts.
//
// A name that is both a column and an output means the column, as it is known without answering.
func NewCollector(q *evaluate.Question, by []string, s *arrow.Schema) (*Collector, error) {
	c := &Collector{q: q, by: by, of: New(q.Outputs, by)}
	for _, name := range by {
		at := -1
		if s != nil {
			if indices := s.FieldIndices(name); len(indices) > 0 {
				at = indices[0]
			}
		}
		if at < 0 && !slices.ContainsFunc(c.of.Outputs, func(f plan.Field) bool { return f.Name == name }) {
			return nil, fmt.Errorf("--by %s: neither an output that is a number, a truth or a string, nor a column of "+
				"the file", name)
		}
		c.columns = append(c.columns, at)
	}
	return c, nil
}

// Begin says which records are answered next.
func (c *Collector) Begin(r *source.Records) { c.records = r }

// Finish gives the summary since the last Finish, and the records without an answer.
func (c *Collector) Finish() (*Summary, []evaluate.Letter) {
	out, letters := c.of, c.letters
	c.of, c.letters = New(c.q.Outputs, c.by), nil
	return out, letters
}

// AddLetter implements evaluate.Answers.
func (c *Collector) AddLetter(l evaluate.Letter) {
	c.of.Dead++
	c.letters = append(c.letters, l)
}

// AddBlock implements evaluate.Answers.
//
// Groups are found row by row first, and outputs are added column by column then: the kind of an
// output is asked once for a block.
func (c *Collector) AddBlock(b *runtime.Block, numbers []uint64, sound []int) error {
	if c.results == nil {
		for _, f := range c.of.Outputs {
			r, err := b.Result(f.Name)
			if err != nil {
				return err
			}
			c.results = append(c.results, r)
		}
	}
	rows := sound
	if rows == nil {
		for row := range numbers {
			rows = append(rows, row)
		}
	}
	c.groups = c.groups[:0]
	for _, row := range rows {
		c.groups = append(c.groups, c.groupOf(numbers[row], func(output int) string {
			return c.textOf(b, output, row)
		}))
	}
	for i, r := range c.results {
		column, kind := b.Column(r), c.of.Outputs[i].Type.Kind
		for k, row := range rows {
			out := c.groups[k].Outputs[i]
			switch kind {
			case plan.Int:
				out.Spread.Add(float64(column[row]), 1)
			case plan.Double:
				out.Spread.Add(math.Float64frombits(uint64(column[row])), 1)
			case plan.Bool:
				out.Tally.Add(truthText(column[row] != 0), 1)
			default:
				out.Tally.Add(b.SymbolText(column[row]), 1)
			}
		}
	}
	return nil
}

// textOf is an output of a row of a block, as text.
func (c *Collector) textOf(b *runtime.Block, output, row int) string {
	bits := b.Column(c.results[output])[row]
	switch c.of.Outputs[output].Type.Kind {
	case plan.Int:
		return fmt.Sprint(bits)
	case plan.Double:
		return jsonio.DoubleValue(math.Float64frombits(uint64(bits))).String() // as AddSheet writes it
	case plan.Bool:
		return truthText(bits != 0)
	}
	return b.SymbolText(bits)
}

// groupOf counts a record in its group. text gives an output of it.
//
// A value of a column is grouped by its text, so that numbers and words share one kind of key.
func (c *Collector) groupOf(number uint64, text func(output int) string) *Group {
	c.values = c.values[:0]
	for i, at := range c.columns {
		if at >= 0 {
			c.values = append(c.values, c.records.Batch.Column(at).ValueStr(int(number-c.records.First)))
			continue
		}
		output := slices.IndexFunc(c.of.Outputs, func(f plan.Field) bool { return f.Name == c.by[i] })
		c.values = append(c.values, text(output))
	}
	g := c.of.Group(KeyOf(c.values))
	g.Records++
	return g
}

// AddSheet implements evaluate.Answers.
func (c *Collector) AddSheet(number uint64, s *runtime.Sheet) error {
	g := c.groupOf(number, func(output int) string {
		v, _ := s.Output.Get(c.of.Outputs[output].Name)
		if v.Kind() == plan.String {
			return v.Text()
		}
		return v.String()
	})
	for i, f := range c.of.Outputs {
		v, _ := s.Output.Get(f.Name)
		g.Outputs[i].AddValue(v, 1)
	}
	return nil
}

// AddOdds adds the exact odds of a record: every value with its probability.
func (c *Collector) AddOdds(number uint64, o *evaluate.Odds) error {
	g := c.groupOf(number, func(int) string { return "" })
	for i, f := range c.of.Outputs {
		m := o.Joint.Marginal(f.Name)
		for k, v := range m.Values {
			if m.P[k] > 0 {
				g.Outputs[i].AddValue(v, m.P[k])
			}
		}
	}
	return nil
}
