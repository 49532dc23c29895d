package source

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
)

// A Slice names a part of a file, for workers that open the file themselves, on this machine or on others: a row group of
// Parquet, or a range of bytes of NDJSON. It says which number its first record has, so that slices may be answered in any
// order, anywhere, and more than once.
type Slice struct {
	File   string
	Format string
	Group  int64 // of Parquet
	Offset int64 // of NDJSON, in bytes
	Size   int64
	First  int64 // number of the first record
	Rows   int64
}

// Slices cuts a file, whose first record has a number.
func Slices(name string, first int64) ([]Slice, error) {
	format, err := FormatOf(name, "")
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, PlainError(err)
	}
	defer f.Close()
	switch format {
	case Parquet:
		r, err := openParquet(f, uint64(first))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return r.(*parquetReader).slices(name, first), nil
	case NDJSON:
		return sliceLines(f, name, first)
	}
	return nil, fmt.Errorf("%s: files that are shared out among machines are .parquet or .ndjson", name)
}

// slices are the row groups.
func (r *parquetReader) slices(name string, first int64) []Slice {
	var out []Slice
	for g := range r.file.NumRowGroups() {
		rows := r.file.MetaData().RowGroup(g).NumRows()
		out = append(out, Slice{File: name, Format: string(Parquet), Group: int64(g), First: first, Rows: rows})
		first += rows
	}
	return out
}

// sliceLines finds where parts of lines begin: whoever numbers records must have counted those before.
//
// By lines its cuts are those of ndjsonReader; by bytes it counts the ends of lines too. Neither
// can be seen in the answers, which know records by their numbers.
func sliceLines(f io.Reader, name string, first int64) ([]Slice, error) {
	var out []Slice
	lines := bufio.NewReaderSize(f, 1<<20)
	next := Slice{File: name, Format: string(NDJSON), First: first}
	for {
		// A line longer than the buffer comes in pieces, of which only the last ends it:
		// ErrBufferFull neither counts a line nor ends a slice.
		piece, err := lines.ReadSlice('\n')
		next.Size += int64(len(piece))
		if err == nil || err == io.EOF && len(piece) > 0 {
			next.Rows++
		}
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if next.Rows > 0 && (next.Rows == partLines || next.Size >= partBytes || err == io.EOF) &&
			err != bufio.ErrBufferFull {
			out = append(out, next)
			next = Slice{File: name, Format: string(NDJSON), Offset: next.Offset + next.Size, First: next.First + next.Rows}
		}
		if err == io.EOF {
			return out, nil
		}
	}
}

// Read opens a slice and hands over its records. begin is told the schema first, nil for texts.
func (s Slice) Read(begin func(*arrow.Schema) error, yield func(*Records) error) error {
	f, err := os.Open(s.File)
	if err != nil {
		return PlainError(err)
	}
	defer f.Close()
	r, parts, err := s.open(f)
	if err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	if err := begin(r.Schema()); err != nil {
		return fmt.Errorf("%s: %w", s.File, err)
	}
	for range parts {
		p, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = p.Each(yield)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.File, err)
		}
	}
	return nil
}

// open gives a reader that stands at the slice, and how many of its parts the slice has at most.
func (s Slice) open(f *os.File) (Reader, int, error) {
	if s.Format == string(NDJSON) {
		return openNDJSON(io.NewSectionReader(f, s.Offset, s.Size), uint64(s.First)), int(s.Rows), nil
	}
	r, err := openParquet(f, uint64(s.First))
	if err != nil {
		return nil, 0, err
	}
	r.(*parquetReader).group = int(s.Group)
	return r, 1, nil
}
