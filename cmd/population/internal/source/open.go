package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/tabletop-rules/rules/cmd/population/internal/columns"
)

// Open opens a file, "-" for standard input. first is the number of its first record; kinds tells CSV, which has no types,
// what stands in a column.
func Open(name string, format Format, first uint64, kinds columns.Kinds, stdin io.Reader) (Reader, error) {
	if name == "-" {
		switch format {
		case Parquet, Arrow:
			return nil, fmt.Errorf("standard input cannot be read as %s, whose end tells where everything is; pipe arrows",
				format)
		}
		return open(format, first, kinds, stdin)
	}
	f, err := openFile(name, format)
	if err != nil {
		return nil, err
	}
	r, err := open(format, first, kinds, f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// openFile opens a regular file, or for formats that are read from their beginning a pipe. A pipe that nobody writes to is
// at its end.
func openFile(name string, format Format) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, PlainError(err)
	}
	switch isPipe := info.Mode()&os.ModeNamedPipe != 0; {
	case isPipe && (format == Parquet || format == Arrow):
		return nil, fmt.Errorf("%s is a pipe, and cannot be read as %s, whose end tells where everything is; pipe arrows",
			name, format)
	case !isPipe && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", name)
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	return f, PlainError(err)
}

// refuseDamage makes an error of a panic. The library of Arrow and Parquet believes some lengths and types that stand in a
// file: it is deferred where the library is called, and nowhere else, so that a fault of ours is seen as one.
func refuseDamage(err *error) {
	if what := recover(); what != nil {
		*err = fmt.Errorf("the file is damaged: %v", what)
	}
}

// PlainError returns an error of a file without the system call that failed: "open x: no such file" tells a reader nothing
// that "x: no such file" does not. Other errors stay as they are.
func PlainError(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}

// open opens a format that has been settled. The casts hold: standard input was refused for formats
// that must be read from their end.
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
