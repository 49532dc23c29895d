package sandbox

import "time"

// The bounds of a request, and of a worker that has answered some. The largest ruleset that ships takes a tenth of the time
// and a third of the memory.
const (
	// It is ten times what the largest shipped ruleset takes on a slow machine, and somewhat more than the module of
	// all five takes there, which is one request. A worker is replaced after the time of ten requests at this bound: Go
	// gives memory back late, and the system's limit of processor time counts the whole life of a process.
	maxProcessorTime = 3750 * time.Millisecond * detectorSlowdown // of one request
	maxLifetime      = 10 * maxProcessorTime                      // processor time after which a worker ends
	maxMemory        = 384 << 20                                  // bytes that the heap, the stacks and the runtime hold
	maxStack         = 64 << 20                                   // bytes of the stack of one goroutine
	maxRequest       = 512 << 20                                  // bytes; the texts of an editor are in it
	maxReply         = 64 << 20                                   // bytes
	maxSilence       = 30 * time.Second
	maxAfterCancel   = 200 * time.Millisecond // that a request may still take which nobody waits for
)

// The statuses with which a worker ends that has come to a bound. A Go program that overflows its stack or cannot allocate
// ends with status 2, and says why on its standard error.
const (
	exitMemory = 86
	exitTime   = 87
	exitBroken = 88
)

// workerArgument is the only argument of a worker. No command has such a name.
const workerArgument = "sandbox-worker"
