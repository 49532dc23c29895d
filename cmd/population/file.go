package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tabletop-rules/rules/cmd/population/internal/source"
)

// writeFile writes a file, or standard output for "-". A file gets its name when it is complete: one that is there stays
// as it is until then, and when writing fails.
func writeFile(name string, stdout io.Writer, write func(io.Writer) error) (err error) {
	if name == "-" {
		w := bufio.NewWriterSize(stdout, 1<<16)
		if err := write(w); err != nil {
			return err
		}
		return w.Flush()
	}
	// In the same directory, because a rename is atomic only within a file system. The dot hides it
	// from those who list files to read.
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("%s: %w", name, source.PlainError(err))
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	// CreateTemp makes files that only their owner may read; answers are read by other programs.
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
