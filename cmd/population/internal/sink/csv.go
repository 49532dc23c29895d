package sink

import (
	"bytes"
	"encoding/csv"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
)

// A csvSink writes rows, of which the first names the columns. The fields of a record are columns named by their path;
// lists and maps are JSON.
type csvSink struct {
	textSink
	q      *evaluate.Question
	schema *arrow.Schema
	kept   []arrow.Field
	begun  bool
}

func newCSV(w io.Writer, q *evaluate.Question, kept []arrow.Field) (Sink, error) {
	schema, err := schemaOf(q, arrow.BinaryTypes.String, kept)
	return &csvSink{textSink: textSink{w}, q: q, schema: schema, kept: kept}, err
}

func (s *csvSink) NeedsSheets() bool { return !columns.AreScalars(s.q.Outputs) }

// NewCollector makes a collector that writes its rows as text when the part ends. Making text takes
// longest, so that it is done here, by the worker, and not where pieces are joined.
func (s *csvSink) NewCollector() (Collector, error) {
	c := newBatches(s.q, s.schema, s.kept)
	c.finish = func(batch arrow.RecordBatch) (*Piece, error) {
		defer batch.Release()
		var text bytes.Buffer
		w := csv.NewWriter(&text)
		var flat []arrow.Array
		for _, column := range batch.Columns() {
			flat = flatten(flat, column)
		}
		row := make([]string, len(flat))
		for i := range int(batch.NumRows()) {
			for k, column := range flat {
				if row[k] = ""; column.IsValid(i) {
					row[k] = column.ValueStr(i)
				}
			}
			if err := w.Write(row); err != nil {
				return nil, err
			}
		}
		w.Flush()
		return &Piece{bytes: text.Bytes()}, w.Error()
	}
	return c, nil
}

// flatten adds a column, or those of a struct.
func flatten(to []arrow.Array, column arrow.Array) []arrow.Array {
	s, ok := column.(*array.Struct)
	if !ok {
		return append(to, column)
	}
	for i := range s.NumField() {
		to = flatten(to, s.Field(i))
	}
	return to
}

// flattenNames adds the name of a column, or those of a struct's.
func flattenNames(to []string, prefix string, f arrow.Field) []string {
	s, ok := f.Type.(*arrow.StructType)
	if !ok {
		return append(to, prefix+f.Name)
	}
	for _, inner := range s.Fields() {
		to = flattenNames(to, prefix+f.Name+".", inner)
	}
	return to
}

// writeHeader writes the names of the columns before the first piece, or in the end when there is
// none: a file without rows still says what it would hold.
func (s *csvSink) writeHeader() error {
	if s.begun {
		return nil
	}
	s.begun = true
	var names []string
	for _, f := range s.schema.Fields() {
		names = flattenNames(names, "", f)
	}
	w := csv.NewWriter(s.w)
	if err := w.Write(names); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

func (s *csvSink) Write(p *Piece) error {
	if err := s.writeHeader(); err != nil {
		return err
	}
	return s.textSink.Write(p)
}

func (s *csvSink) Close() error { return s.writeHeader() }
