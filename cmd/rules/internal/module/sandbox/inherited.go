package sandbox

import (
	"os"
	"strconv"
)

// closeInherited lets no worker inherit what this process has from its own parent. Everything that Go opens is closed in a
// worker anyway. Systems that list no descriptors pass on what they pass on.
func closeInherited() {
	list, _ := os.ReadDir("/dev/fd")
	for _, d := range list {
		if n, err := strconv.Atoi(d.Name()); err == nil && n > 2 {
			closeOnExec(n)
		}
	}
}
