//go:build unix

package safefile

import (
	"syscall"
)

// nonBlocking lets a pipe be opened that nobody writes to.
const nonBlocking = syscall.O_NONBLOCK
