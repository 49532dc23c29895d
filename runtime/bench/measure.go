package main

import (
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/tabletop-rules/rules/runtime/bench/record"
)

// An engine is a way to compute records.
type engine struct {
	name  string // stable: what -json prints
	title string
	size  int // records of a round; slow engines take fewer
	cores int // how many it may use; 0: all
	// check computes the i-th record, to be compared.
	check func(i int, out *record.Output) error
	// time computes the first so many records.
	time func(n int) (time.Duration, error)

	rounds []float64 // nanoseconds per record
	allocs float64   // per record; -1 when it is not known
}

// timed is an engine whose time is that of a loop in this process.
func timed(name, title string, size int, check func(int, *record.Output) error, loop func(n int)) *engine {
	return &engine{name: name, title: title, size: size, check: check, time: func(n int) (time.Duration, error) {
		start := time.Now()
		loop(n)
		return time.Since(start), nil
	}}
}

// onOneCore lets an engine use one core, and takes the time of that core for its own: what other programs take does not
// count. Where nothing else runs that is the time on the clock.
func onOneCore(e *engine) *engine {
	loop := e.time
	e.cores = 1
	e.time = func(n int) (time.Duration, error) {
		start, err := used()
		if err != nil {
			return 0, err
		}
		if _, err := loop(n); err != nil {
			return 0, err
		}
		end, err := used()
		return end - start, err
	}
	return e
}

// used is how long this process has used cores.
func used() (time.Duration, error) {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err
}

// agree wants an engine to give every record as the hand-written Go does.
func (e *engine) agree(want []record.Output) error {
	if e.check == nil {
		return nil
	}
	for i := range want {
		var got record.Output
		if err := e.check(i, &got); err != nil {
			return fmt.Errorf("%s, record %d: %w", e.name, i, err)
		}
		if got != want[i] {
			return fmt.Errorf("%s, record %d: got %+v, want %+v", e.name, i, got, want[i])
		}
	}
	return nil
}

// round times the engine once.
func (e *engine) round() error {
	if e.cores > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(e.cores))
	}
	took, err := e.time(e.size)
	if err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	e.rounds = append(e.rounds, float64(took.Nanoseconds())/float64(e.size))
	return nil
}

// least is the time of a record in the best round, in nanoseconds.
func (e *engine) least() float64 { return slices.Min(e.rounds) }

// median is the time of a record in the middle round, in nanoseconds.
func (e *engine) median() float64 {
	sorted := slices.Sorted(slices.Values(e.rounds))
	return sorted[len(sorted)/2]
}

// count measures the allocations of a record.
func (e *engine) count() error {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	_, err := e.time(e.size)
	runtime.ReadMemStats(&after)
	e.allocs = float64(after.Mallocs-before.Mallocs) / float64(e.size)
	return err
}

// compare times engines by turns, so that whatever slows the machine down slows all of them, until the time is up and each
// has had at least five rounds.
func compare(engines []*engine, limit time.Duration) error {
	for _, e := range engines {
		if err := e.count(); err != nil { // the first round also warms up
			return err
		}
	}
	for start, n := time.Now(), 0; n < 5 || time.Since(start) < limit; n++ {
		for _, e := range engines {
			if err := e.round(); err != nil {
				return err
			}
		}
	}
	return nil
}
