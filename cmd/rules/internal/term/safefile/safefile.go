// Package safefile reads files that strangers may have made: regular files and pipes within a bound, and never what
// blocks for ever, has no end, or lies outside of the directory that is read. It imports nothing of ours.
//
// A file's kind and size are asked before it is opened, so that the message comes at once; it is opened without blocking
// and asked again, because it may have been replaced in between; and the bound is kept while reading, because it may
// grow.
package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
)

// Max is the size in bytes of the largest file that is read whole.
const Max = 256 << 20

// Read reads the whole of a regular file, or of a pipe, which a command line names.
func Read(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := checkKind(info, name, Max); err != nil {
		return nil, err
	}
	return readBounded(f, info.Size(), name)
}

// ReadBounded reads a stream to its end, which must come within Max bytes. Messages call the stream by its name.
func ReadBounded(r io.Reader, name string) ([]byte, error) { return readBounded(r, 0, name) }

// readBounded reads a stream of about so many bytes: with room for all of them nothing is copied as the data grow.
func readBounded(r io.Reader, size int64, name string) ([]byte, error) {
	var data bytes.Buffer
	data.Grow(int(size) + bytes.MinRead) // the end of the stream is found by reading once more
	if _, err := data.ReadFrom(io.LimitReader(r, Max+1)); err != nil {
		return nil, err
	}
	if data.Len() > Max {
		return nil, tooLarge(name, Max)
	}
	return data.Bytes(), nil
}

// Open opens a regular file or a pipe of any size for reading as a stream. A pipe that nobody writes to is at its end.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		if e, ok := errors.AsType[*fs.PathError](err); ok { // which names what was called to find out
			err = fmt.Errorf("%s: %w", e.Path, e.Err)
		}
		return nil, err
	}
	if err := checkKind(info, name, math.MaxInt64); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = checkKind(info, name, math.MaxInt64)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// checkKind refuses a file that is neither a regular one within a size nor a pipe.
func checkKind(info fs.FileInfo, name string, most int64) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return fmt.Errorf("%s is a directory", name)
	case mode&fs.ModeNamedPipe != 0:
		return nil
	case !mode.IsRegular():
		return fmt.Errorf("%s is no regular file", name)
	case info.Size() > most:
		return tooLarge(name, most)
	}
	return nil
}

func tooLarge(name string, most int64) error {
	return fmt.Errorf("%s is larger than %d MiB", name, most>>20)
}
