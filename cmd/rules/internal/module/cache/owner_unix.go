//go:build unix

package cache

import (
	"os"
	"syscall"
)

// isOurs reports whether a file or a directory is the user's own, and nobody else may write it.
func isOurs(name string) bool {
	const othersMayWrite = 0o022
	info, err := os.Lstat(name)
	if err != nil || info.Mode().Perm()&othersMayWrite != 0 {
		return false
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Getuid()
}
