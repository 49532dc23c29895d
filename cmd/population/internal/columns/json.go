package columns

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// ColumnAt returns the array at a path: a column first, and then fields of structs.
func ColumnAt(batch arrow.RecordBatch, path []int) arrow.Array {
	a := batch.Column(path[0])
	for _, i := range path[1:] {
		a = a.(*array.Struct).Field(i)
	}
	return a
}

// AppendCharacter appends the character in a row as JSON. Nulls are left out.
func (b *Binding) AppendCharacter(buf []byte, batch arrow.RecordBatch, row int) ([]byte, error) {
	return b.roots[0].appendObject(buf, batch, row)
}

// AppendInput appends the input in a row as JSON.
func (b *Binding) AppendInput(buf []byte, batch arrow.RecordBatch, row int) ([]byte, error) {
	return b.roots[1].appendObject(buf, batch, row)
}

// appendObject appends the members that have values.
//
// A member whose column is null is left out, which is how JSON says that it is not there. Within
// lists null stands as null, for an element cannot be left out.
func (n *node) appendObject(buf []byte, batch arrow.RecordBatch, row int) ([]byte, error) {
	buf = append(buf, '{')
	comma := false
	for _, m := range n.members {
		var column arrow.Array
		if m.path != nil {
			if column = ColumnAt(batch, m.path); column.IsNull(row) {
				continue
			}
		}
		if comma {
			buf = append(buf, ',')
		}
		comma = true
		buf = append(appendText(buf, m.name), ':')
		var err error
		if m.members != nil {
			buf, err = m.appendObject(buf, batch, row)
		} else {
			buf, err = appendJSON(buf, column, row, m.kind)
		}
		if err != nil {
			return buf, err
		}
	}
	return append(buf, '}'), nil
}

// appendJSON appends a value as JSON. A double that is a whole number has a fraction, so that it is one.
func appendJSON(buf []byte, column arrow.Array, row int, kind plan.Kind) ([]byte, error) {
	if column.IsNull(row) {
		return append(buf, "null"...), nil
	}
	switch a := column.(type) {
	case *array.Boolean:
		return strconv.AppendBool(buf, a.Value(row)), nil
	case *array.Float32:
		return appendDouble(buf, float64(a.Value(row)))
	case *array.Float64:
		return appendDouble(buf, a.Value(row))
	// Appended in full: a number beyond int64 is then refused by the runtime's reader, with its own
	// words.
	case *array.Uint64:
		return strconv.AppendUint(buf, a.Value(row), 10), nil
	case *array.Dictionary:
		return appendJSON(buf, a.Dictionary(), a.GetValueIndex(row), kind)
	case *array.Map:
		return appendMap(buf, a, row)
	case array.ListLike:
		start, end := a.ValueOffsets(row)
		return appendItems(buf, a.ListValues(), int(start), int(end))
	case *array.Struct:
		return appendStruct(buf, a, row)
	}
	if v, ok := IntAt(column, row); ok {
		return strconv.AppendInt(buf, v, 10), nil
	}
	if text, ok := TextAt(column, row); ok {
		return appendText(buf, text), nil
	}
	return buf, fmt.Errorf("a column of %s cannot be read", TypeName(column.DataType()))
}

// appendItems appends the elements of a list. Kinds are not known below the first level and not
// needed: the runtime judges by its own schema.
func appendItems(buf []byte, items arrow.Array, start, end int) ([]byte, error) {
	buf = append(buf, '[')
	for i := start; i < end; i++ {
		if i > start {
			buf = append(buf, ',')
		}
		var err error
		if buf, err = appendJSON(buf, items, i, plan.Invalid); err != nil {
			return buf, err
		}
	}
	return append(buf, ']'), nil
}

// appendMap appends a map as an object. A key that stands twice stands twice in the JSON, where the
// reader refuses it.
func appendMap(buf []byte, a *array.Map, row int) ([]byte, error) {
	buf = append(buf, '{')
	start, end := a.ValueOffsets(row)
	for i := start; i < end; i++ {
		if i > start {
			buf = append(buf, ',')
		}
		key, _ := TextAt(a.Keys(), int(i))
		var err error
		if buf, err = appendJSON(append(appendText(buf, key), ':'), a.Items(), int(i), plan.Invalid); err != nil {
			return buf, err
		}
	}
	return append(buf, '}'), nil
}

// appendStruct appends a struct within a list or a map; the structs above have nodes of their own.
func appendStruct(buf []byte, a *array.Struct, row int) ([]byte, error) {
	buf = append(buf, '{')
	comma := false
	for i, f := range a.DataType().(*arrow.StructType).Fields() {
		if a.Field(i).IsNull(row) {
			continue
		}
		if comma {
			buf = append(buf, ',')
		}
		comma = true
		var err error
		if buf, err = appendJSON(append(appendText(buf, f.Name), ':'), a.Field(i), row, plan.Invalid); err != nil {
			return buf, err
		}
	}
	return append(buf, '}'), nil
}

// appendDouble appends a double with as many digits as give the same bits again. What is no number
// has no JSON, and stands as a string, which the field refuses with its own words.
func appendDouble(buf []byte, v float64) ([]byte, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return appendText(buf, strconv.FormatFloat(v, 'g', -1, 64)), nil // which is judged to be no number
	}
	return strconv.AppendFloat(buf, v, 'g', -1, 64), nil
}

// appendText appends a string. One that is no UTF-8 stands as it is, so that it is refused where it is read.
func appendText(buf []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil || !utf8.ValidString(s) {
		return append(append(append(buf, '"'), s...), '"')
	}
	return append(buf, text...)
}

// IntAt is a whole number of any width; ok is false when the column holds none, or more than 63 bits.
func IntAt(column arrow.Array, row int) (v int64, ok bool) {
	switch a := column.(type) {
	case *array.Int64:
		return a.Value(row), true
	case *array.Int32:
		return int64(a.Value(row)), true
	case *array.Int16:
		return int64(a.Value(row)), true
	case *array.Int8:
		return int64(a.Value(row)), true
	case *array.Uint32:
		return int64(a.Value(row)), true
	case *array.Uint16:
		return int64(a.Value(row)), true
	case *array.Uint8:
		return int64(a.Value(row)), true
	case *array.Uint64:
		return int64(a.Value(row)), a.Value(row) <= math.MaxInt64
	}
	return 0, false
}

// TextAt returns a string; ok is false when the column holds none. The text shares the memory of
// the batch.
func TextAt(column arrow.Array, row int) (text string, ok bool) {
	switch a := column.(type) {
	case *array.String:
		return a.Value(row), true
	case *array.LargeString:
		return a.Value(row), true
	case *array.StringView:
		return a.Value(row), true
	case *array.Dictionary:
		return TextAt(a.Dictionary(), a.GetValueIndex(row))
	}
	return "", false
}
