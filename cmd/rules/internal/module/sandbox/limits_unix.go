//go:build unix

package sandbox

import (
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// limitProcess asks the system to keep the bounds too. A limit that the system does not know is left to the watchdog.
func limitProcess() {
	const slack = 128 << 20 // what the watchdog lets pass between two looks
	for resource, limit := range map[int]uint64{
		// Writable memory, and not the address space, of which Go reserves much.
		syscall.RLIMIT_DATA:  maxMemory + slack + detectorMemory,
		syscall.RLIMIT_CPU:   uint64((maxLifetime+maxProcessorTime)/time.Second) + 1,
		syscall.RLIMIT_FSIZE: 0, // no file is written
		syscall.RLIMIT_CORE:  0,
	} {
		setLimit(resource, limit)
	}
}

// closeOnExec lets no program inherit a descriptor that this process executes.
func closeOnExec(fd int) { syscall.CloseOnExec(fd) }

// processorTime returns the processor time of this process so far.
//
// Threads count together: two processors for a second are two seconds, so GOMAXPROCS=2 halves the longest wait and not
// the bound.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// isTimeSignal reports whether the system ended a process because of its processor time.
func isTimeSignal(e *exec.ExitError) bool { return isSignal(e, syscall.SIGXCPU) }

// isKill reports whether a process was killed: by a limit of the system, or by whoever is short of memory.
func isKill(e *exec.ExitError) bool { return isSignal(e, syscall.SIGKILL) }

func isSignal(e *exec.ExitError, s syscall.Signal) bool {
	status, ok := e.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == s
}

// processorTimeOf returns the processor time of an ended process.
func processorTimeOf(e *exec.ExitError) time.Duration { return e.UserTime() + e.SystemTime() }

// peakMemory returns the most bytes that an ended process has held at once, 0 where that is not known: a process begins
// with the peak of the one that started it, and tells its own only when that is greater.
func peakMemory(e *exec.ExitError) int64 {
	usage, ok := e.SysUsage().(*syscall.Rusage)
	var own syscall.Rusage
	if !ok || syscall.Getrusage(syscall.RUSAGE_SELF, &own) != nil || usage.Maxrss <= own.Maxrss {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10 // KiB elsewhere
}
