//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

// typeAtTerminal is a command of scripts that are played on Linux alone, where a pseudo-terminal is opened in one way.
func typeAtTerminal(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("there is no pseudo-terminal here")
}
