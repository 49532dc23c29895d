package sink

// Numbers, truths and strings take a short way: a column of a block is appended as bits, and
// becomes an Arrow array by casting the slice. Only what has no slot of its own, lists, maps and
// optional outputs, goes value by value through Arrow's builders. Null never occurs in the short
// way, so that its arrays have no validity bitmap.

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Batches collects answers as Arrow columns: the number of the record, the columns that are kept, and the
// outputs. Results of a block are copied as columns, as they lie.
type Batches struct {
	letters
	schema  *arrow.Schema
	kept    []keptColumn
	records []int64
	given   int // of records, those whose kept columns have been taken
	columns []resultColumn
	finish  func(arrow.RecordBatch) (*Piece, error)
}

// A keptColumn is a column of the input that stands in the answers.
type keptColumn struct {
	name  string
	parts []arrow.Array // slices of the input's
}

// A resultColumn collects an output: numbers and truths as slots of a block, strings as indices of a dictionary, anything
// else by a builder.
type resultColumn struct {
	output plan.Field
	typ    arrow.DataType
	result *runtime.Result
	bits   []int64
	words  dictionary
	rest   array.Builder // nil for scalars
}

// A dictionary numbers texts in the order in which they come.
type dictionary struct {
	bySymbol []int32 // of the plan's symbols, 1 + the index; 0 for those that have not come
	byText   map[string]int32
	texts    []string
	indices  []int32
}

func newBatches(q *evaluate.Question, schema *arrow.Schema, kept []arrow.Field) *Batches {
	c := &Batches{schema: schema}
	for _, f := range kept {
		c.kept = append(c.kept, keptColumn{name: f.Name})
	}
	for i, output := range q.Outputs {
		// Field 0 is the number of the record, and the kept columns come next.
		x := resultColumn{output: output, typ: schema.Field(1 + len(kept) + i).Type}
		if output.Optional || !output.Type.Scalar() {
			x.rest = array.NewBuilder(memory.DefaultAllocator, x.typ)
		}
		x.words = dictionary{bySymbol: make([]int32, len(q.Program.Plan().Symbols)), byText: map[string]int32{}}
		c.columns = append(c.columns, x)
	}
	return c
}

// schemaOf is the schema of the columns that a collector collects.
func schemaOf(q *evaluate.Question, texts arrow.DataType, kept []arrow.Field) (*arrow.Schema, error) {
	of := columns.OutputSchema(q.Outputs, texts)
	fields := append([]arrow.Field{of.Field(0)}, kept...)
	for _, f := range of.Fields()[1:] {
		for _, k := range fields {
			if k.Name == f.Name {
				return nil, fmt.Errorf("column %s cannot be kept: an output has that name", f.Name)
			}
		}
		fields = append(fields, f)
	}
	return arrow.NewSchema(fields, nil), nil
}

// AddBlock copies the results of a block, whose memory is used again for the next. The results are
// looked up by name for the first block only.
func (c *Batches) AddBlock(b *runtime.Block, numbers []uint64, sound []int) error {
	if sound == nil {
		for _, n := range numbers {
			c.records = append(c.records, int64(n))
		}
	}
	for _, row := range sound {
		c.records = append(c.records, int64(numbers[row]))
	}
	for i := range c.columns {
		x := &c.columns[i]
		if x.result == nil {
			var err error
			if x.result, err = b.Result(x.output.Name); err != nil {
				return err
			}
		}
		x.addColumn(b, sound)
	}
	return nil
}

// addColumn adds a result of a block: of all rows, or of those that are sound.
func (x *resultColumn) addColumn(b *runtime.Block, sound []int) {
	all := b.Column(x.result)
	switch {
	case x.output.Type.Kind == plan.String && sound == nil:
		for _, symbol := range all {
			x.words.addSymbol(b, symbol)
		}
	case x.output.Type.Kind == plan.String:
		for _, row := range sound {
			x.words.addSymbol(b, all[row])
		}
	case sound == nil:
		x.bits = append(x.bits, all...)
	default:
		for _, row := range sound {
			x.bits = append(x.bits, all[row])
		}
	}
}

// addSymbol adds the text of a symbol. A symbol of the plan is found by its number, without
// hashing; one that a block made for itself is found by its text, because the next block gives the
// same number to another.
func (d *dictionary) addSymbol(b *runtime.Block, symbol int64) {
	if symbol >= int64(len(d.bySymbol)) {
		d.addText(b.SymbolText(symbol))
		return
	}
	if d.bySymbol[symbol] == 0 {
		d.addText(b.SymbolText(symbol))
		d.bySymbol[symbol] = 1 + d.indices[len(d.indices)-1]
		return
	}
	d.indices = append(d.indices, d.bySymbol[symbol]-1)
}

func (d *dictionary) addText(text string) {
	i, known := d.byText[text]
	if !known {
		i = int32(len(d.texts))
		d.byText[text], d.texts = i, append(d.texts, text)
	}
	d.indices = append(d.indices, i)
}

// AddSheet adds the outputs of a sheet. It and AddBlock never serve the same collector by turns,
// but would give the same columns.
func (c *Batches) AddSheet(number uint64, s *runtime.Sheet) error {
	c.records = append(c.records, int64(number))
	for i := range c.columns {
		x := &c.columns[i]
		v, ok := s.Output.Get(x.output.Name)
		switch {
		case x.rest != nil && !ok:
			x.rest.AppendNull()
		case x.rest != nil:
			appendValue(x.rest, v)
		default:
			x.addValue(v)
		}
	}
	return nil
}

// addValue adds a scalar as the bits that a block would have for it.
func (x *resultColumn) addValue(v runtime.Value) {
	switch v.Kind() {
	case plan.Double:
		x.bits = append(x.bits, bitsOf(v.Double()))
	case plan.String:
		x.words.addText(v.Text())
	case plan.Bool:
		x.bits = append(x.bits, bitOf(v.Bool()))
	default:
		x.bits = append(x.bits, v.Int())
	}
}

// appendValue appends a value of any kind. The builder's type was made from the output's, so that
// the two agree all the way down; a member that a record lacks is null.
func appendValue(b array.Builder, v runtime.Value) {
	switch b := b.(type) {
	case *array.Int64Builder:
		b.Append(v.Int())
	case *array.Float64Builder:
		b.Append(v.Double())
	case *array.BooleanBuilder:
		b.Append(v.Bool())
	case *array.StringBuilder:
		b.Append(v.Text())
	case *array.MapBuilder:
		b.Append(true)
		for i, name := range v.Names() {
			b.KeyBuilder().(*array.StringBuilder).Append(name)
			appendValue(b.ItemBuilder(), v.At(i))
		}
	case *array.ListBuilder:
		b.Append(true)
		for i := range v.Len() {
			appendValue(b.ValueBuilder(), v.At(i))
		}
	case *array.StructBuilder:
		b.Append(true)
		for i, f := range b.Type().(*arrow.StructType).Fields() {
			if member, ok := v.Get(f.Name); ok {
				appendValue(b.FieldBuilder(i), member)
			} else {
				b.FieldBuilder(i).AppendNull()
			}
		}
	}
}

// Keep takes slices of the kept columns, one for each run of records that have answers.
//
// Slices share the memory of the input's arrays, and cost nothing but their joining in the end.
func (c *Batches) Keep(r *source.Records) error {
	fresh := c.records[c.given:]
	c.given = len(c.records)
	for i := range c.kept {
		k := &c.kept[i]
		indices := r.Batch.Schema().FieldIndices(k.name)
		column := r.Batch.Column(indices[0])
		for start := 0; start < len(fresh); {
			end := start + 1
			for end < len(fresh) && fresh[end] == fresh[end-1]+1 {
				end++
			}
			k.parts = append(k.parts, array.NewSlice(column, fresh[start]-int64(r.First), fresh[end-1]-int64(r.First)+1))
			start = end
		}
	}
	return nil
}

func (c *Batches) Finish() (*Piece, error) {
	batch, err := c.Batch()
	if err != nil {
		return nil, err
	}
	p, err := c.finish(batch)
	if err != nil {
		return nil, err
	}
	p.Rows, p.Letters = int(batch.NumRows()), c.take()
	return p, nil
}

// Batch gives the answers since the last one, as columns.
func (c *Batches) Batch() (arrow.RecordBatch, error) {
	n := len(c.records)
	all := []arrow.Array{newNumbers(arrow.PrimitiveTypes.Int64, c.records)}
	for i := range c.kept {
		a, err := c.kept[i].join(c.schema.Field(1 + i).Type)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	for i := range c.columns {
		all = append(all, c.columns[i].array())
	}
	c.records, c.given = make([]int64, 0, n), 0
	batch := array.NewRecordBatch(c.schema, all, int64(n))
	for _, a := range all {
		a.Release()
	}
	return batch, nil
}

// join returns all of a kept column as one array, and gives up its slices.
func (k *keptColumn) join(t arrow.DataType) (arrow.Array, error) {
	if len(k.parts) == 0 {
		return array.MakeArrayOfNull(memory.DefaultAllocator, t, 0), nil
	}
	out, err := array.Concatenate(k.parts, memory.DefaultAllocator)
	for _, part := range k.parts {
		part.Release()
	}
	k.parts = nil
	if err != nil {
		return nil, fmt.Errorf("column %s cannot be kept: %w", k.name, err)
	}
	return out, nil
}

// array is the column, which begins anew.
func (x *resultColumn) array() arrow.Array {
	if x.rest != nil {
		return x.rest.NewArray()
	}
	n := len(x.bits)
	// The array takes the slice over without a copy, so the column begins anew with another.
	bits := x.bits
	x.bits = make([]int64, 0, n)
	switch x.output.Type.Kind {
	case plan.String:
		return x.words.array(x.typ)
	case plan.Bool:
		b := array.NewBooleanBuilder(memory.DefaultAllocator)
		defer b.Release()
		b.Reserve(n)
		for _, bit := range bits {
			b.UnsafeAppend(bit != 0)
		}
		return b.NewArray()
	}
	return newNumbers(x.typ, bits) // the bits of doubles are those of Arrow's
}

// newNumbers is a column of 64-bit numbers without nulls, given by their bits.
func newNumbers(t arrow.DataType, bits []int64) arrow.Array {
	values := memory.NewBufferBytes(arrow.Int64Traits.CastToBytes(bits))
	data := array.NewData(t, len(bits), []*memory.Buffer{nil, values}, nil, 0, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// array is the column of the texts, as a dictionary or plain, and begins anew.
func (d *dictionary) array(t arrow.DataType) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	defer d.clear()
	if typ, ok := t.(*arrow.DictionaryType); ok {
		b.AppendValues(d.texts, nil)
		texts := b.NewArray()
		defer texts.Release()
		values := memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(d.indices))
		data := array.NewData(typ.IndexType, len(d.indices), []*memory.Buffer{nil, values}, nil, 0, 0)
		defer data.Release()
		indices := array.MakeFromData(data)
		defer indices.Release()
		return array.NewDictionaryArray(typ, indices, texts)
	}
	b.Reserve(len(d.indices))
	for _, i := range d.indices {
		b.Append(d.texts[i])
	}
	return b.NewArray()
}

func (d *dictionary) clear() {
	clear(d.bySymbol)
	clear(d.byText)
	d.texts, d.indices = nil, make([]int32, 0, len(d.indices))
}
