package sandbox

import (
	"bytes"
	"context"
	"encoding/gob"
	"io"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// IsWorker reports whether a command line is that of a worker: then the program calls Serve and nothing else.
func IsWorker(args []string) bool { return len(args) == 2 && args[1] == workerArgument }

// Serve answers the requests on in until there is no more, and gives the exit status. It bounds the process that it runs in
// for good.
//
// Each request is answered at the desk of the process: the second request of an editor finds the
// session of its first. begun is set before the request is decoded, because decoding half a
// gigabyte takes time too, and it is the stranger's.
func Serve(in io.Reader, out io.Writer) int {
	limitProcess()
	_ = confine() // a system that lacks it, as in some containers, leaves the bounds of time and memory
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(eagerPercent)
	var begun atomic.Int64
	begun.Store(math.MaxInt64)
	go watch(&begun)
	d := &desk{}
	for canGoOn() {
		asked, err := readFrame(in, maxRequest)
		if err == io.EOF {
			break
		}
		start := processorTime()
		begun.Store(int64(start))
		var q request
		if err != nil || gob.NewDecoder(bytes.NewReader(asked)).Decode(&q) != nil {
			return exitBroken
		}
		begun.Store(int64(start - q.Spent))
		r := q.carryOut(context.Background(), d)
		d.pack(r)
		r.Took = processorTime() - start
		if writeFrame(out, r.encode()) != nil {
			return exitBroken
		}
		begun.Store(math.MaxInt64)
	}
	return 0
}

// canGoOn reports whether this process may take another request: it has time left to live, and at least half of its memory
// for the request. A worker that waits for one in vain ends when its parent does.
func canGoOn() bool {
	if heldMemory() > maxMemory/2 {
		debug.FreeOSMemory()
	}
	return processorTime() < maxLifetime && heldMemory() < maxMemory/2
}

// A worker lives for a moment, and most compile something small: the collector comes seldom at first, which saves a third
// of the time, and as often as in any Go program once there is something to collect.
const (
	eagerPercent = 400
	eagerMemory  = 96 << 20
)

// watch ends the process when its memory, or a request's processor time, is used up. begun is the process's processor
// time when the request came; while there is none, it is greater than any time the process can use.
//
// It looks often, because a Go program can allocate a hundred megabytes in a tenth of a second; a single allocation
// that is too large is left to the system's limit.
func watch(begun *atomic.Int64) {
	const interval = 4 * time.Millisecond
	eager := true
	for {
		held := heldMemory()
		if held > maxMemory {
			os.Exit(exitMemory)
		}
		if eager && held > eagerMemory {
			eager = false
			debug.SetGCPercent(100)
		}
		if int64(processorTime())-begun.Load() > int64(maxProcessorTime) {
			os.Exit(exitTime)
		}
		time.Sleep(interval)
	}
}

// heldMemory is how many bytes the process has from the system.
func heldMemory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
