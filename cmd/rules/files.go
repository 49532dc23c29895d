package main

import (
	"fmt"
	"io"
	"os"
)

// stdin names standard input where a file is asked for, and standard output where one is written.
const stdin = "-"

// A files reads what a command line names. Standard input can be read once.
type files struct {
	in    io.Reader
	taken string // by which flag
}

// read reads the file that a flag names; nothing when it names none.
func (f *files) read(flag, name string) ([]byte, error) {
	switch {
	case name == "":
		return nil, nil
	case name != stdin:
		return os.ReadFile(name)
	}
	if err := f.take(flag); err != nil {
		return nil, err
	}
	return io.ReadAll(f.in)
}

// open opens the file that a flag names.
func (f *files) open(flag, name string) (io.ReadCloser, error) {
	if name != stdin {
		return os.Open(name)
	}
	return io.NopCloser(f.in), f.take(flag)
}

// take takes standard input for a flag.
func (f *files) take(flag string) error {
	if f.taken != "" {
		return fmt.Errorf("--%s and --%s both read standard input", f.taken, flag)
	}
	f.taken = flag
	return nil
}

// called is what messages call a file.
func called(name string) string {
	if name == stdin {
		return "standard input"
	}
	return name
}
