// Package ordered shares parts of a file out to workers and gives back what they make of them in the order of the parts.
//
// Each worker has one part at a time, and one more result may wait for its turn: that, and no more, is in memory, however
// large the file is.
package ordered

import (
	"errors"
	"io"
	"sync"
)

// A job is a part and where its result is expected.
type job[P, R any] struct {
	part   P
	result chan outcome[R]
}

type outcome[R any] struct {
	value R
	err   error
}

// Run reads parts with next until io.EOF, lets workers make results of them, and hands these to emit, in order. A worker
// is a function of its own, so that it may have memory of its own. next and emit are called by one goroutine each. The
// first error, in the order of the parts, ends everything.
func Run[P, R any](next func() (P, error), workers []func(P) (R, error), emit func(R) error) error {
	jobs := make(chan job[P, R])
	// The channel of turns is what keeps the order: a turn is taken before a part is handed out,
	// and turns are served in the order in which they were taken, whichever worker is done first.
	// Its capacity is what bounds memory.
	turns := make(chan chan outcome[R], len(workers)) // results in the order of their parts
	stop := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() { share(next, jobs, turns, stop) })
	for _, work := range workers {
		running.Go(func() {
			for j := range jobs {
				value, err := work(j.part)
				j.result <- outcome[R]{value, err}
			}
		})
	}
	defer running.Wait()
	// The order of the deferred calls matters: stop is closed first, and then Run waits for the
	// goroutines to notice.
	defer close(stop)
	for result := range turns {
		o := <-result
		if o.err != nil {
			return o.err
		}
		if err := emit(o.value); err != nil {
			return err
		}
	}
	return nil
}

// share reads parts and hands them to workers that are idle, until there are no more or stop is closed.
func share[P, R any](next func() (P, error), jobs chan<- job[P, R], turns chan<- chan outcome[R], stop <-chan struct{}) {
	defer close(jobs)
	defer close(turns)
	for {
		part, err := next()
		result := make(chan outcome[R], 1) // the worker never waits for who emits
		if err != nil {
			if !errors.Is(err, io.EOF) {
				result <- outcome[R]{err: err}
				select {
				case turns <- result:
				case <-stop:
				}
			}
			return
		}
		select {
		case turns <- result:
		case <-stop:
			return
		}
		select {
		case jobs <- job[P, R]{part, result}:
		case <-stop:
			return
		}
	}
}
