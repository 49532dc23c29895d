package main

import (
	"os"
	"syscall"
)

// peakMemory is how many KiB of memory a process that has ended took at most.
func peakMemory(p *os.ProcessState) int64 { return int64(p.SysUsage().(*syscall.Rusage).Maxrss) }
