//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
)

// openPartial opens a file that is going to be complete, empty. Another run that is writing it is an error; the lock of one
// that was killed is gone with it.
func openPartial(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, errors.New("another run is writing it")
	}
	if err := f.Truncate(0); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// giveName closes a complete file under its name. It is renamed first: its lock ends when it is closed.
func giveName(f *os.File, name string) error {
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	return f.Close()
}
