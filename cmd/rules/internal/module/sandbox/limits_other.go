//go:build !unix

package sandbox

import (
	"os/exec"
	"time"
)

// limitProcess does nothing where the system has no limits of a process: the watchdog keeps the bounds.
func limitProcess() {}

// closeOnExec does nothing where descriptors are inherited by their names alone.
func closeOnExec(int) {}

var started = time.Now()

// processorTime returns the time since the start, where the system does not tell the time of the processor.
func processorTime() time.Duration { return time.Since(started) / 2 }

// isTimeSignal reports whether the system ended a process because of its processor time, which this one does not.
func isTimeSignal(*exec.ExitError) bool { return false }

// isKill reports whether the system killed a process, which this one does not tell.
func isKill(*exec.ExitError) bool { return false }

// processorTimeOf returns the processor time of an ended process.
func processorTimeOf(e *exec.ExitError) time.Duration { return e.UserTime() + e.SystemTime() }

// peakMemory returns the most bytes that an ended process has held at once, which this system does not tell.
func peakMemory(*exec.ExitError) int64 { return 0 }
