package revisions

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// mapParallel returns f of every index below n, in their order, computed on as many goroutines as there are processors. f
// must not change data that others read. Indices are handed out one by one and not in stretches, because one question may
// take a thousand times as long as another.
func mapParallel[T any](n int, f func(int) T) []T {
	out := make([]T, n)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				out[i] = f(i)
			}
		})
	}
	workers.Wait()
	return out
}
