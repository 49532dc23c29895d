// Package source reads records from Parquet, Arrow IPC, CSV and NDJSON, in parts that several workers answer at once.
//
// Invariant: how records are cut into parts depends on the file alone, never on workers or on time, and every part knows
// the number of its first record. So the answers, their order and their bytes are the same however many workers there
// are. No more than one part for each worker, and what is being read, is in memory.
package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
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

// FormatOf is the format of a file: the asked one, or that of its extension.
func FormatOf(name, asked string) (Format, error) {
	if asked == "" {
		switch strings.ToLower(filepath.Ext(name)) {
		case ".parquet", ".pq":
			return Parquet, nil
		case ".arrow", ".feather", ".ipc":
			return Arrow, nil
		case ".arrows":
			return Stream, nil
		case ".csv":
			return CSV, nil
		case ".ndjson", ".jsonl":
			return NDJSON, nil
		}
		if name == "-" {
			return Stream, nil
		}
		return "", fmt.Errorf("%s: the extension tells no format; name one of parquet, arrow, arrows, csv, ndjson", name)
	}
	for _, f := range Formats {
		if string(f) == asked {
			return f, nil
		}
	}
	return "", fmt.Errorf("there is no format %q; there is parquet, arrow, arrows, csv, ndjson", asked)
}

// Open opens a file, "-" for standard input. first is the number of its first record; kinds tells CSV, which has no types,
// what stands in a column.
func Open(name string, format Format, first uint64, kinds columns.Kinds, stdin io.Reader) (Reader, error) {
	if name == "-" {
		switch format {
		case Parquet, Arrow:
			return nil, fmt.Errorf("standard input cannot be read as %s, whose end tells where everything is; pipe arrows", format)
		}
		return open(format, first, kinds, stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, plainError(err)
	}
	r, err := open(format, first, kinds, f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// plainError leaves out the system call.
func plainError(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}

func open(format Format, first uint64, kinds columns.Kinds, in io.Reader) (Reader, error) {
	switch format {
	case Parquet:
		return openParquet(in.(*os.File), first)
	case Arrow:
		return openArrowFile(in.(*os.File), first)
	case Stream:
		return openArrowStream(in, first)
	case CSV:
		return openCSV(in, first, kinds)
	}
	return openNDJSON(in, first), nil
}

// closeInput closes what was opened; standard input is left to the process.
func closeInput(in io.Reader) error {
	if f, ok := in.(*os.File); ok && f != os.Stdin {
		return f.Close()
	}
	return nil
}
