package sink

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
)

// New returns a sink of a format. Only Parquet is compressed: Arrow is for pipes, and text is
// compressed by whoever wants it.
func New(w io.Writer, format source.Format, compression string, q *evaluate.Question, kept []arrow.Field) (Sink, error) {
	switch format {
	case source.NDJSON:
		return &textSink{w}, nil
	case source.CSV:
		return newCSV(w, q, kept)
	case source.Parquet:
		return NewParquet(w, compression, q, kept)
	}
	return newArrow(w, format, q, kept)
}
