package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/tabletop-rules/rules/cmd/population/internal/source"
)

// writeFile writes a file, or standard output for "-". A file gets its name when it is complete: one that is there stays
// as it is until then, and when writing fails or is interrupted. What a run that was killed has left is overwritten by the
// next run that writes the same file.
func writeFile(name string, stdout io.Writer, write func(io.Writer) error) (err error) {
	if name == "-" {
		w := bufio.NewWriterSize(stdout, 1<<16)
		if err := write(w); err != nil {
			return err
		}
		return w.Flush()
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file, and would be replaced: write to -", name)
	}
	// In the same directory, because a rename is atomic only within a file system. The dot hides it
	// from those who list files to read.
	f, err := openPartial(filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".partial"))
	if err != nil {
		return fmt.Errorf("%s: %w", name, source.PlainError(err))
	}
	defer removeWhenInterrupted(f.Name())()
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	return giveName(f, name)
}

// removeWhenInterrupted removes a file when the process is told to end, until stop is called.
func removeWhenInterrupted(name string) (stop func()) {
	told, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(told, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-told:
			os.Remove(name)
			os.Exit(interrupted)
		case <-done:
		}
	}()
	return func() {
		signal.Stop(told)
		close(done)
	}
}

// checkDistinct refuses files that are written over each other, or over the one that is read.
func checkDistinct(in string, out ...string) error {
	named := []string{in}
	for _, name := range out {
		if name == "" || name == "-" {
			continue
		}
		for _, other := range named {
			if isSameFile(name, other) {
				return fmt.Errorf("%s would be written over %s: name another file", name, other)
			}
		}
		named = append(named, name)
	}
	return nil
}

// isSameFile reports whether two names lead to one file, or will when both are there.
func isSameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX == nil && errY == nil {
		return os.SameFile(x, y)
	}
	fullA, errX := filepath.Abs(a)
	fullB, errY := filepath.Abs(b)
	return errX == nil && errY == nil && fullA == fullB
}
