package main

// The schema is made from the plan and from nothing else. So the columns that eval accepts, the
// empty file that --out writes and the text that people read cannot differ.

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/sink"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
)

const schemaHelp = `Schema prints the columns that eval reads for a rule, and those that it writes: names, types, whether
they may be null, and the bounds of their values.

The fields of the character are columns. What one use of the rule adds stands in the struct column "input", unless
--input or --set gives one to all records. A field of a record may be a column of its own, named by its path: in CSV,
home.floor and input.difficulty. In CSV an empty cell is null, and lists and maps are written as JSON.

With -o an empty file of the input's columns is written, which other programs can fill.`

const schemaExamples = `  population schema tempestas.plan test
  population schema tempestas.plan test --format json
  population schema tempestas.plan test -o crew.parquet`

func newSchema() *cobra.Command {
	var format, out string
	c := &cobra.Command{
		Use: "schema PLAN RULE", Short: "Print the columns that a rule reads and writes",
		Long: schemaHelp, Example: schemaExamples, Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			program, err := loadPlan(args[0], args[1])
			if err != nil {
				return err
			}
			// Strings are told as plain strings, though Parquet gets them as a dictionary: a reader
			// sees strings in both.
			q, err := evaluate.NewQuestion(program, evaluate.Options{Rule: args[1]})
			if err != nil {
				return err
			}
			in := columns.InputSchema(program.Plan(), q.Shape)
			switch {
			case out != "":
				return writeEmpty(out, in)
			case format == "json":
				return printSchemas(c.OutOrStdout(), in, columns.OutputSchema(q.Outputs, arrow.BinaryTypes.String))
			case format != "text":
				return fmt.Errorf("there is no format %q; there is text, json", format)
			}
			fmt.Fprintf(c.OutOrStdout(), "reads\n%s\nwrites\n%s", indent(columns.Describe(in)),
				indent(columns.Describe(columns.OutputSchema(q.Outputs, arrow.BinaryTypes.String))))
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "text", "print `text` or json")
	c.Flags().StringVarP(&out, "out", "o", "", "write an empty `FILE` with the columns that the rule reads")
	return c
}

// indent moves every line two columns to the right; the text has one line end at its end, and so
// has the result.
func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

// writeEmpty writes a file without rows.
func writeEmpty(name string, s *arrow.Schema) error {
	format, err := source.FormatOf(name, "")
	if err != nil {
		return err
	}
	return writeFile(name, nil, func(w io.Writer) error { return sink.WriteEmpty(w, format, s) })
}

// A jsonColumn is a column of a schema as JSON.
type jsonColumn struct {
	Name    string            `json:"name"`
	Type    string            `json:"type"`
	Null    bool              `json:"null,omitempty"`
	Limits  map[string]string `json:"limits,omitempty"`
	Columns []jsonColumn      `json:"columns,omitempty"`
}

// printSchemas prints both schemas as one document, for programs that make the columns.
func printSchemas(w io.Writer, in, out *arrow.Schema) error {
	text, err := json.MarshalIndent(map[string][]jsonColumn{"reads": jsonColumns(in.Fields()),
		"writes": jsonColumns(out.Fields())}, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// jsonColumns tells columns with those in them. The limits are the metadata that the schema carries
// to a file as well.
func jsonColumns(fields []arrow.Field) []jsonColumn {
	var out []jsonColumn
	for _, f := range fields {
		c := jsonColumn{Name: f.Name, Type: columns.TypeName(f.Type), Null: f.Nullable}
		if f.Metadata.Len() > 0 {
			c.Limits = f.Metadata.ToMap()
		}
		if inner, ok := f.Type.(*arrow.StructType); ok {
			c.Type, c.Columns = "struct", jsonColumns(inner.Fields())
		}
		out = append(out, c)
	}
	return out
}
