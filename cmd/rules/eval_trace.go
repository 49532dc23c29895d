package main

import (
	"fmt"
	"math"
	"strconv"
)

// traceDepth is the value of --trace: how many levels of a trace are shown, 0 for no trace.
//
// It is a pflag.Value because no flag of pflag's own is both: --trace alone, and --trace=2. "all"
// is stored as a depth that no trace reaches, so that printing needs no case for it.
type traceDepth int

// traceAll is --trace without a number.
const traceAll = "all"

// isAsked reports whether a trace is asked for.
func (d *traceDepth) isAsked() bool { return *d > 0 }

// Set implements pflag.Value.
func (d *traceDepth) Set(text string) error {
	if text == traceAll {
		*d = math.MaxInt32
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return fmt.Errorf("it is a number of levels, at least 1, or nothing for all")
	}
	*d = traceDepth(n)
	return nil
}

// String implements pflag.Value.
func (d *traceDepth) String() string {
	if !d.isAsked() {
		return ""
	}
	return strconv.Itoa(int(*d))
}

// Type implements pflag.Value.
func (d *traceDepth) Type() string { return "levels" }
