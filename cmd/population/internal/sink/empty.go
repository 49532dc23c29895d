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

// WriteEmpty writes a file that has columns and no rows.
func WriteEmpty(w io.Writer, format source.Format, s *arrow.Schema) error {
	switch format {
	case source.Parquet:
		p, err := pqarrow.NewFileWriter(s, w, parquet.NewWriterProperties(), pqarrow.NewArrowWriterProperties())
		if err != nil {
			return err
		}
		return p.Close()
	case source.Arrow:
		a, err := ipc.NewFileWriter(w, ipc.WithSchema(s))
		if err != nil {
			return err
		}
		return a.Close()
	case source.Stream:
		return ipc.NewWriter(w, ipc.WithSchema(s)).Close()
	case source.CSV:
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
	return fmt.Errorf("a file of %s has no schema", format)
}
