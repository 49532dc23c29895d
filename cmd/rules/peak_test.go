//go:build !linux

package main

import "os"

// peakMemory is not known: only Linux runs the tests that ask for it.
func peakMemory(*os.ProcessState) int64 { return 0 }
