//go:build unix

package ownership

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// checkEntry refuses a name that another user owns or may write. The directory that is above another name may be sticky.
func checkEntry(name string, isAbove bool) error {
	info, err := os.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 && !isAbove {
		return fmt.Errorf("%s is a link: put the file itself there", name)
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(owner.Uid) != os.Getuid() && owner.Uid != 0 {
		return fmt.Errorf("%s belongs to another user, with the number %d: \"chown\" makes it yours", name, owner.Uid)
	}
	const othersMayWrite = 0o022
	if info.Mode()&fs.ModeSymlink == 0 && info.Mode().Perm()&othersMayWrite != 0 &&
		(!isAbove || info.Mode()&fs.ModeSticky == 0) {
		return fmt.Errorf("others may write %s: \"chmod go-w %s\" ends that", name, name)
	}
	return nil
}

// linkTarget returns the name that a link leads to.
func linkTarget(name string) (target string, is bool) {
	target, err := os.Readlink(name)
	if err != nil {
		return "", false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(name), target)
	}
	return target, true
}

// Identity returns the device, the number and the owner of a directory: another one that is given its name later has
// another.
func Identity(dir string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	of, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "-", nil
	}
	return fmt.Sprintf("%d:%d:%d", of.Dev, of.Ino, of.Uid), nil
}
