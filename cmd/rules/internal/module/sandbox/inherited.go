package sandbox

import (
	"os"
	"strconv"
)

// closeInherited marks the descriptors that this process has from its own parent, so that no worker inherits them.
// Everything that Go opens is closed in a worker anyway. On a system that lists no descriptors they are passed on.
func closeInherited() {
	list, _ := os.ReadDir("/dev/fd")
	for _, d := range list {
		if n, err := strconv.Atoi(d.Name()); err == nil && n > 2 {
			closeOnExec(n)
		}
	}
}
