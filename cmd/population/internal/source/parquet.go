package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// batchRows is how many rows of a row group are decoded at once: 32 blocks of the runtime, so that
// what a batch costs by itself is shared by many rows.
const batchRows = 1 << 15

// A parquetReader gives one part for each row group. The worker that answers a part decodes it, so that decoding is
// shared out like everything else.
type parquetReader struct {
	in     *os.File
	file   *file.Reader
	rows   *pqarrow.FileReader
	schema *arrow.Schema
	group  int
	first  uint64 // number of the first record of the group
}

func openParquet(in *os.File, first uint64) (_ Reader, err error) {
	defer refuseDamage(&err)
	allocator := newAllocator()
	f, err := file.NewParquetReader(in, file.WithReadProps(parquet.NewReaderProperties(allocator)))
	if err != nil {
		return nil, err
	}
	props := pqarrow.ArrowReadProperties{BatchSize: batchRows}
	for i := range f.MetaData().Schema.NumColumns() {
		leaf := f.MetaData().Schema.Column(i)
		// Only strings outside of lists: a row with a list is written as JSON value by value, and
		// looks up nothing.
		if leaf.PhysicalType() == parquet.Types.ByteArray && leaf.MaxRepetitionLevel() == 0 {
			props.SetReadDict(i, true) // strings repeat: a dictionary is looked up once, not for every row
		}
	}
	rows, err := pqarrow.NewFileReader(f, props, allocator)
	if err != nil {
		return nil, err
	}
	schema, err := rows.Schema()
	if err != nil {
		return nil, err
	}
	return &parquetReader{in: in, file: f, rows: rows, schema: schema, first: first}, nil
}

func (r *parquetReader) Schema() *arrow.Schema { return r.schema }

func (r *parquetReader) HasInputs() bool { return false }

func (r *parquetReader) Close() error { return r.in.Close() }

// Next reads nothing: it names the next row group, whose number of rows stands in the footer.
func (r *parquetReader) Next() (_ Part, err error) {
	defer refuseDamage(&err)
	if r.group == r.file.NumRowGroups() {
		return nil, io.EOF
	}
	p := &rowGroup{r, r.group, r.first}
	r.first += uint64(r.file.MetaData().RowGroup(r.group).NumRows())
	r.group++
	return p, nil
}

// A rowGroup is a part of a Parquet file.
type rowGroup struct {
	of    *parquetReader
	index int
	first uint64
}

// Each decodes the row group batch by batch. Several workers do so at once with one reader of the
// file, each with a record reader of its own.
func (g *rowGroup) Each(yield func(*Records) error) error {
	batches, err := g.open()
	if err != nil {
		return fmt.Errorf("row group %d: %w", g.index, err)
	}
	defer batches.Release()
	first := g.first
	for {
		batch, err := readBatch(batches)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("row group %d, after record %d: %w", g.index, first, err)
		}
		if err := yield(&Records{First: first, Batch: batch}); err != nil {
			return err
		}
		first += uint64(batch.NumRows())
	}
}

// open begins to decode the row group.
func (g *rowGroup) open() (_ pqarrow.RecordReader, err error) {
	defer refuseDamage(&err)
	return g.of.rows.GetRecordReader(context.Background(), nil, []int{g.index})
}

// readBatch decodes the next batch.
func readBatch(r pqarrow.RecordReader) (_ arrow.RecordBatch, err error) {
	defer refuseDamage(&err)
	return r.Read()
}
