// Package columns says how records of a plan lie in Arrow columns: the schema of characters, inputs and outputs; which
// column of a file holds which field; and how a row is written as the JSON that the runtime reads.
//
// A character's fields are the columns of a file. What one use of the rule adds stands in a column "input", a struct. A
// field of a record may also be a column of its own, named by its path with dots, as CSV has it: "home.floor". A null is
// a member that JSON does not have.
package columns

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// InputColumn is the column, a struct, of what one use of a rule adds.
const InputColumn = "input"

// RecordColumn is the column of an answer that tells of which record it is, counted from 0 in the input.
const RecordColumn = "record"

// InputSchema is the schema of the records that a rule takes.
func InputSchema(p *plan.Plan, rule *plan.Rule) *arrow.Schema {
	fields := fieldsOf(p.Character)
	if len(rule.Input.Fields) > 0 {
		fields = append(fields, arrow.Field{Name: InputColumn, Type: arrow.StructOf(fieldsOf(rule.Input)...),
			Nullable: true})
	}
	return arrow.NewSchema(fields, nil)
}

// fieldsOf are the members of a record.
func fieldsOf(s *plan.Shape) []arrow.Field {
	out := make([]arrow.Field, 0, len(s.Fields))
	for i := range s.Fields {
		m := &s.Fields[i]
		out = append(out, arrow.Field{
			Name: m.Name, Type: typeOfShape(m.Shape), Nullable: m.Optional || m.Default != "", Metadata: limitsOf(m),
		})
	}
	return out
}

// typeOfShape returns the type that a column of a shape is written with. Reading accepts more
// (holds): any width of ints, any layout of strings.
func typeOfShape(s *plan.Shape) arrow.DataType {
	switch s.Kind {
	case plan.List:
		return arrow.ListOfNonNullable(typeOfShape(s.Elem))
	case plan.Map:
		return mapTo(typeOfShape(s.Elem))
	case plan.Record:
		return arrow.StructOf(fieldsOf(s)...)
	}
	return scalarType(s.Kind)
}

// mapTo is a map from strings, none of whose values is null.
func mapTo(elem arrow.DataType) arrow.DataType {
	m := arrow.MapOf(arrow.BinaryTypes.String, elem)
	m.SetItemNullable(false)
	return m
}

// scalarType returns the one type of each scalar kind: 64 bits, as the plan's slots have.
func scalarType(kind plan.Kind) arrow.DataType {
	switch kind {
	case plan.Int:
		return arrow.PrimitiveTypes.Int64
	case plan.Double:
		return arrow.PrimitiveTypes.Float64
	case plan.Bool:
		return arrow.FixedWidthTypes.Boolean
	}
	return arrow.BinaryTypes.String
}

// limitsOf is what a schema tells of a member beyond its type.
//
// It becomes the metadata of an Arrow field, which files carry along: for people and tools, and
// judged by nobody. The judge is the plan.
func limitsOf(m *plan.Member) arrow.Metadata {
	var names, values []string
	add := func(name, value string) { names, values = append(names, name), append(values, value) }
	if m.Doc != "" {
		add("doc", m.Doc)
	}
	if m.Default != "" {
		add("default", m.Default)
	}
	s := m.Shape
	if s.Min != nil {
		add(choose(s.Min.Open, "more than", "at least"), formatNumber(s.Min.Value))
	}
	if s.Max != nil {
		add(choose(s.Max.Open, "less than", "at most"), formatNumber(s.Max.Value))
	}
	for _, b := range s.Not {
		add("not", formatNumber(b.Value))
	}
	if s.Enum != nil {
		add("one of", strings.Join(s.Enum, ", "))
	}
	if s.Keys != nil {
		add("keys", strings.Join(s.Keys, ", "))
	}
	if s.MinItems > 0 {
		add("at least", strconv.Itoa(s.MinItems)+" elements")
	}
	if s.MaxItems > 0 {
		add("at most", strconv.Itoa(s.MaxItems)+" elements")
	}
	return arrow.NewMetadata(names, values)
}

func choose(c bool, yes, no string) string {
	if c {
		return yes
	}
	return no
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// OutputFields are the outputs that are asked for; all when no names are given.
func OutputFields(rule *plan.Rule, asked []string) []plan.Field {
	all := rule.Graph.Outputs.Type.Fields
	if asked == nil {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(f plan.Field) bool { return !slices.Contains(asked, f.Name) })
}

// OutputSchema is the schema of answers: the number of the record, then the outputs. texts is the type of strings: plain,
// or a dictionary.
func OutputSchema(outputs []plan.Field, texts arrow.DataType) *arrow.Schema {
	fields := []arrow.Field{{Name: RecordColumnOf(outputs), Type: arrow.PrimitiveTypes.Int64}}
	return arrow.NewSchema(append(fields, outputFields(outputs, texts)...), nil)
}

// RecordColumnOf is the name of the column of record numbers, beside outputs of which none has that name.
func RecordColumnOf(outputs []plan.Field) string {
	name := RecordColumn
	for slices.ContainsFunc(outputs, func(f plan.Field) bool { return f.Name == name }) {
		name = "$" + name
	}
	return name
}

// outputFields returns the columns of outputs, or of the fields of a record; only one that may be
// absent may be null.
func outputFields(list []plan.Field, texts arrow.DataType) []arrow.Field {
	out := make([]arrow.Field, 0, len(list))
	for _, f := range list {
		out = append(out, arrow.Field{Name: f.Name, Type: outputType(f.Type, texts), Nullable: f.Optional})
	}
	return out
}

// outputType returns the type of an output. Strings within lists, maps and records are always
// plain: a dictionary belongs to a column.
func outputType(t *plan.Type, texts arrow.DataType) arrow.DataType {
	switch t.Kind {
	case plan.List:
		return arrow.ListOfNonNullable(outputType(t.Elem, arrow.BinaryTypes.String))
	case plan.Map:
		return mapTo(outputType(t.Elem, arrow.BinaryTypes.String))
	case plan.Record:
		return arrow.StructOf(outputFields(t.Fields, arrow.BinaryTypes.String)...)
	case plan.String:
		return texts
	}
	return scalarType(t.Kind)
}

// AreScalars reports whether all outputs are numbers, truths and strings that are always there.
func AreScalars(outputs []plan.Field) bool {
	return !slices.ContainsFunc(outputs, func(f plan.Field) bool { return f.Optional || !f.Type.Scalar() })
}

// Describe is a schema as text, a line for each column.
func Describe(s *arrow.Schema) string {
	var b strings.Builder
	describeFields(&b, "", s.Fields())
	return b.String()
}

func describeFields(b *strings.Builder, prefix string, fields []arrow.Field) {
	for _, f := range fields {
		path := prefix + f.Name
		if inner, ok := f.Type.(*arrow.StructType); ok {
			describeFields(b, path+".", inner.Fields())
			continue
		}
		fmt.Fprintf(b, "%-28s %s%s", path, TypeName(f.Type), choose(f.Nullable, ", may be null", ""))
		for i, key := range f.Metadata.Keys() {
			fmt.Fprintf(b, "; %s %s", key, f.Metadata.Values()[i])
		}
		b.WriteByte('\n')
	}
}

// TypeName names a type as people who play would read it in a table of columns.
func TypeName(t arrow.DataType) string {
	switch t := t.(type) {
	case *arrow.MapType:
		return "map of " + TypeName(t.ItemType())
	case arrow.ListLikeType:
		return "list of " + TypeName(t.Elem())
	case *arrow.StructType:
		names := make([]string, 0, t.NumFields())
		for _, f := range t.Fields() {
			names = append(names, f.Name+" "+TypeName(f.Type))
		}
		return "struct of " + strings.Join(names, ", ")
	}
	return t.String()
}
