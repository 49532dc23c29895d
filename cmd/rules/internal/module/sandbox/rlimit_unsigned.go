//go:build unix && !freebsd && !dragonfly

package sandbox

import (
	"syscall"
)

// setLimit sets a limit of this process, where it is lower than the one that there is. A limit that cannot be set is left
// to the watchdog.
func setLimit(resource int, limit uint64) {
	l := syscall.Rlimit{Cur: limit, Max: limit}
	_ = syscall.Setrlimit(resource, &l)
}
