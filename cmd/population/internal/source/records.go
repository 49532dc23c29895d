// Package source reads records from Parquet, Arrow IPC, CSV and NDJSON, in parts that several workers answer at once.
//
// Invariant: how records are cut into parts depends on the file alone, never on workers or on time, and every part knows
// the number of its first record. So the answers, their order and their bytes are the same however many workers there
// are. No more than one part for each worker, and what is being read, is in memory.
package source

import (
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
)

// Records are consecutive records: a batch of columns, or JSON texts.
type Records struct {
	First      uint64            // number of the first record
	Batch      arrow.RecordBatch // nil for texts
	Characters [][]byte          // JSON, one for each record
	Inputs     [][]byte          // likewise what this use adds; nil when all records have the common one
}

// Len is the number of records.
func (r *Records) Len() int {
	if r.Batch != nil {
		return int(r.Batch.NumRows())
	}
	return len(r.Characters)
}

// A Part is records that one worker answers. Each hands them over piece by piece, in order; what it hands over is good
// until it returns.
//
// A part is read by one goroutine, once. It may hold memory until Each has been called.
type Part interface {
	Each(func(*Records) error) error
}

// A Reader gives the parts of a file, in order, then io.EOF. Next is called by one goroutine at a time, the parts' Each
// by any.
type Reader interface {
	Schema() *arrow.Schema // nil when the records are JSON texts
	HasInputs() bool       // whether each text has an input of its own; a schema tells that of columns
	Next() (Part, error)
	Close() error
}

// A Format is a kind of file.
type Format string

// The formats. An Arrow file has its batches listed at its end, an Arrow stream can be piped.
const (
	Parquet Format = "parquet"
	Arrow   Format = "arrow"
	Stream  Format = "arrows"
	CSV     Format = "csv"
	NDJSON  Format = "ndjson"
)

// Formats are all formats, as flags name them.
var Formats = []Format{Parquet, Arrow, Stream, CSV, NDJSON}

// closeInput closes what was opened; standard input is left to the process.
func closeInput(in io.Reader) error {
	if f, ok := in.(*os.File); ok && f != os.Stdin {
		return f.Close()
	}
	return nil
}
