package sink

import (
	"encoding/csv"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/source"
)

// WriteBatch writes a file of one batch.
//
// It is for small tables, such as a summary: one row group, one goroutine.
func WriteBatch(w io.Writer, format source.Format, batch arrow.RecordBatch) error {
	out, err := newBatchWriter(w, format, batch.Schema())
	if err != nil {
		return err
	}
	if err := out.Write(batch); err != nil {
		return err
	}
	return out.Close()
}

// A batchWriter writes batches into a file.
type batchWriter interface {
	Write(arrow.RecordBatch) error
	Close() error
}

func newBatchWriter(w io.Writer, format source.Format, s *arrow.Schema) (batchWriter, error) {
	switch format {
	case source.Parquet:
		// Without the struct the writer would close a file that is not its own.
		return pqarrow.NewFileWriter(s, struct{ io.Writer }{w}, parquet.NewWriterProperties(),
			pqarrow.NewArrowWriterProperties())
	case source.Arrow:
		return ipc.NewFileWriter(w, ipc.WithSchema(s))
	case source.Stream:
		return ipc.NewWriter(w, ipc.WithSchema(s)), nil
	}
	return nil, fmt.Errorf("%s has no columns", format)
}

// WriteEmpty writes a file that has columns and no rows.
func WriteEmpty(w io.Writer, format source.Format, s *arrow.Schema) error {
	// CSV has names only, and those of a struct one by one.
	if format == source.CSV {
		var names []string
		for _, f := range s.Fields() {
			names = flattenNames(names, "", f)
		}
		c := csv.NewWriter(w)
		if err := c.Write(names); err != nil {
			return err
		}
		c.Flush()
		return c.Error()
	}
	out, err := newBatchWriter(w, format, s)
	if err != nil {
		return err
	}
	return out.Close()
}
