package source

import (
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// An arrowReader gives one part for each batch of an Arrow file or stream.
type arrowReader struct {
	in     io.Reader
	schema *arrow.Schema
	read   func() (arrow.RecordBatch, error) // the next batch, which the caller releases
	first  uint64
}

func openArrowFile(in *os.File, first uint64) (_ Reader, err error) {
	defer refuseDamage(&err)
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if err := checkFooter(in, info.Size()); err != nil {
		return nil, err
	}
	f, err := ipc.NewFileReader(in, arrowBounds()...)
	if err != nil {
		return nil, err
	}
	next := 0
	// A batch of a file is found by the footer and belongs to the caller.
	return &arrowReader{in, f.Schema(), func() (arrow.RecordBatch, error) {
		if next == f.NumRecords() {
			return nil, io.EOF
		}
		next++
		return f.RecordBatchAt(next - 1)
	}, first}, nil
}

// arrowBounds are the bounds of what the library holds of one file or stream.
func arrowBounds() []ipc.Option {
	return []ipc.Option{
		ipc.WithAllocator(newAllocator()), ipc.WithMetadataSizeLimit(maxMetadata), ipc.WithBodySizeLimit(maxBatch),
	}
}

func openArrowStream(in io.Reader, first uint64) (_ Reader, err error) {
	defer refuseDamage(&err)
	whole, err := checkFirstMessage(in)
	if err != nil {
		return nil, err
	}
	s, err := ipc.NewReader(whole, arrowBounds()...)
	if err != nil {
		return nil, fmt.Errorf("this is no Arrow stream: %w", err)
	}
	return &arrowReader{in, s.Schema(), func() (arrow.RecordBatch, error) {
		if !s.Next() {
			if err := s.Err(); err != nil {
				return nil, err
			}
			return nil, io.EOF
		}
		batch := s.RecordBatch()
		// The stream's reader releases its batch with the next Next, while a worker may still read
		// it.
		batch.Retain()
		return batch, nil
	}, first}, nil
}

func (r *arrowReader) Schema() *arrow.Schema { return r.schema }

func (r *arrowReader) HasInputs() bool { return false }

func (r *arrowReader) Close() error { return closeInput(r.in) }

// Next gives the next batch as a part. Batches are the writer's choice; one that is large makes a
// large part.
func (r *arrowReader) Next() (_ Part, err error) {
	defer refuseDamage(&err)
	batch, err := r.read()
	if err != nil {
		return nil, err
	}
	for i, column := range batch.Columns() {
		if err := array.ValidateFull(column); err != nil {
			return nil, fmt.Errorf("after record %d: column %s is damaged: %w", r.first, batch.ColumnName(i), err)
		}
	}
	p := &batchPart{Records{First: r.first, Batch: batch}}
	r.first += uint64(batch.NumRows())
	return p, nil
}

// A batchPart is a part that is one batch.
type batchPart struct{ records Records }

// Each hands over the batch and releases it, also when the answers fail.
func (p *batchPart) Each(yield func(*Records) error) error {
	defer p.records.Batch.Release()
	return yield(&p.records)
}
