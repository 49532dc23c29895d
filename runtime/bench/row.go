package main

import (
	"slices"
	"time"
)

// A row is something else that was measured.
type row struct {
	name, title, unit string
	value             float64
}

// best is the least time of a number of tries.
func best(tries int, f func() error) (time.Duration, error) {
	var took []time.Duration
	for range tries {
		start := time.Now()
		if err := f(); err != nil {
			return 0, err
		}
		took = append(took, time.Since(start))
	}
	return slices.Min(took), nil
}

// bestWithin is the least time of up to so many tries, of which the last begins within a limit.
func bestWithin(tries int, limit time.Duration, f func() error) (least time.Duration, err error) {
	begin := time.Now()
	for n := 0; n < tries && (n == 0 || time.Since(begin) < limit); n++ {
		took, err := best(1, f)
		if err != nil {
			return 0, err
		}
		if n == 0 || took < least {
			least = took
		}
	}
	return least, nil
}
