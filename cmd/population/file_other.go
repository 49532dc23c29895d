//go:build !unix

package main

import "os"

// openPartial opens a file that is going to be complete, empty.
func openPartial(name string) (*os.File, error) { return os.Create(name) }

// giveName closes a complete file under its name.
func giveName(f *os.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
