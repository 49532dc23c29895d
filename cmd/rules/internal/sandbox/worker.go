package sandbox

import (
	"bytes"
	"encoding/gob"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// IsWorker reports whether a command line is that of a worker: then the program calls Serve and nothing else.
func IsWorker(args []string) bool { return len(args) == 2 && args[1] == workerArgument }

// Serve answers the requests on in until there is no more, and gives the exit status. It bounds the process that it runs in
// for good.
func Serve(in io.Reader, out io.Writer) int {
	limitProcess()
	debug.SetMaxStack(maxStack)
	debug.SetGCPercent(eagerPercent)
	go watch()
	for isFresh() {
		asked, err := readFrame(in, maxRequest)
		if err == io.EOF {
			break
		}
		var q request
		if err != nil || gob.NewDecoder(bytes.NewReader(asked)).Decode(&q) != nil {
			return exitBroken
		}
		r := q.carryOut()
		r.pack()
		if writeFrame(out, r.encode()) != nil {
			return exitBroken
		}
	}
	return 0
}

// isFresh reports whether this process has nearly all of its bounds left for another request. A worker that waits for one
// in vain ends when its parent does.
func isFresh() bool {
	return processorTime() < maxProcessorTime/10 && heldMemory() < maxMemory/4
}

// A worker lives for a moment, and most compile something small: the collector comes seldom at first, which saves a third
// of the time, and as often as in any Go program once there is something to collect.
const (
	eagerPercent = 400
	eagerMemory  = 96 << 20
)

// watch ends the process when it has used up its memory or its processor time. It looks often, because a Go program can
// allocate a hundred megabytes in a tenth of a second; a single allocation that is too large is left to the system's limit.
func watch() {
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
		if processorTime() > maxProcessorTime {
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
