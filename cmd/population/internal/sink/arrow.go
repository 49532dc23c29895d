package sink

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
	"github.com/tabletop-rules/rules/cmd/population/internal/evaluate"
	"github.com/tabletop-rules/rules/cmd/population/internal/source"
)

// An arrowSink writes batches.
type arrowSink struct {
	q      *evaluate.Question
	schema *arrow.Schema
	kept   []arrow.Field
	out    batchWriter
}

// newArrow makes a sink of Arrow, as a file or a stream. Strings are plain in it: a dictionary
// would have to be the same in all batches of a file.
func newArrow(w io.Writer, format source.Format, q *evaluate.Question, kept []arrow.Field) (Sink, error) {
	schema, err := schemaOf(q, arrow.BinaryTypes.String, kept)
	if err != nil {
		return nil, err
	}
	out, err := newBatchWriter(w, format, schema)
	return &arrowSink{q, schema, kept, out}, err
}

func (s *arrowSink) NeedsSheets() bool { return !columns.AreScalars(s.q.Outputs) }

func (s *arrowSink) NewCollector() (Collector, error) {
	c := newBatches(s.q, s.schema, s.kept)
	c.finish = func(batch arrow.RecordBatch) (*Piece, error) { return &Piece{batch: batch}, nil }
	return c, nil
}

// Write writes a batch and releases it: the collector that made it has begun another.
func (s *arrowSink) Write(p *Piece) error {
	defer p.batch.Release()
	return s.out.Write(p.batch)
}

func (s *arrowSink) Close() error { return s.out.Close() }
