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
// All requests are answered from one session cache: the second request of an editor finds the
// session of its first. The watch begins before the request is decoded, because decoding half a
// gigabyte takes time too, and it is the stranger's.
func Serve(in io.Reader, out io.Writer) int {
	limitProcess()
	_ = confineProcess() // a system that lacks it, as in some containers, leaves the bounds of time and memory
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(eagerPercent)
	w := newWatch()
	go w.run(endOverdue())
	sessions := &sessionCache{}
	for canTakeRequest() {
		asked, err := readFrame(in, maxRequest)
		if err == io.EOF {
			break
		}
		start := processorTime()
		w.beginRequest(start)
		var q request
		if err != nil || gob.NewDecoder(bytes.NewReader(asked)).Decode(&q) != nil {
			return exitBroken
		}
		w.beginRequest(start - q.Spent)
		r := q.carryOut(context.Background(), sessions)
		sessions.packPlans(r)
		r.Took = processorTime() - start
		if writeFrame(out, r.encode()) != nil {
			return exitBroken
		}
		w.endRequest()
	}
	return 0
}

// canTakeRequest reports whether this process may take another request: it has time left to live, and at least half of
// its memory for the request. A worker that waits for one in vain ends when its parent does.
func canTakeRequest() bool {
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

// A watch looks after the process for as long as a request is carried out.
//
// It looks often, because a Go program can allocate a hundred megabytes in a tenth of a second; a single allocation
// that is too large is left to the system's limit. While there is no request it does not look at all: a worker waits most
// of its life, in an editor for the next letter, and would keep a core from rest.
type watch struct {
	requestStart atomic.Int64  // the process's processor time when the request came; idle while there is none
	wakens       chan struct{} // holds a token when a request may have come since the last look
}

// idle is greater than any processor time that the process can use.
const idle = math.MaxInt64

func newWatch() *watch {
	w := &watch{wakens: make(chan struct{}, 1)}
	w.requestStart.Store(idle)
	return w
}

// beginRequest sets the start of the request, in processor time.
func (w *watch) beginRequest(since time.Duration) {
	w.requestStart.Store(int64(since))
	select {
	case w.wakens <- struct{}{}:
	default: // there is a token
	}
}

// endRequest notes that the request has been answered.
func (w *watch) endRequest() { w.requestStart.Store(idle) }

// lookInterval is how long a watch waits between two looks.
const lookInterval = 4 * time.Millisecond

// run looks for good. It passes to look the start of the request, in processor time.
func (w *watch) run(look func(since time.Duration)) {
	for {
		if w.requestStart.Load() == idle {
			<-w.wakens
		}
		look(time.Duration(w.requestStart.Load()))
		time.Sleep(lookInterval)
	}
}

// endOverdue returns a look that ends the process when its memory, or a request's processor time, is used up.
func endOverdue() func(since time.Duration) {
	eager := true
	return func(since time.Duration) {
		held := heldMemory()
		if held > maxMemory {
			os.Exit(exitMemory)
		}
		if eager && held > eagerMemory {
			eager = false
			debug.SetGCPercent(100)
		}
		if processorTime()-since > maxProcessorTime {
			os.Exit(exitTime)
		}
	}
}

// heldMemory returns the number of bytes that the process has from the system.
func heldMemory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
