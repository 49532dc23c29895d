// Package ownership judges whether anybody but the user and the administrator can change what lies under a name: the file
// or the directory itself, every directory above it, which can be renamed away with all that is in it, and every link on
// the way. It imports nothing of ours.
//
// What is believed because of its place alone, lists of whom the user trusts and what was compiled before, is judged so. A
// directory above may be open to all when it is sticky, as /tmp is: there nobody renames what is another's. Where a system
// keeps a user's files from others by other means than owner and mode, nothing is refused.
package ownership

import (
	"fmt"
	"os"
	"path/filepath"
)

// CheckFile refuses a file that somebody else can change, or that is a link. Its error says how to mend that.
func CheckFile(name string) error {
	dir, err := CheckedDir(filepath.Dir(name))
	if err != nil {
		return err
	}
	return checkEntry(filepath.Join(dir, filepath.Base(name)), false)
}

// CheckedDir returns the one name of a directory, without links. It refuses one that somebody else can change.
func CheckedDir(name string) (string, error) {
	full, err := NameOf(name)
	if err != nil {
		return "", err
	}
	if err := checkAbove(full, maxLinks); err != nil {
		return "", err
	}
	if named, err := filepath.Abs(name); err == nil && named != full { // a link on the way may be turned elsewhere
		if err := checkAbove(named, maxLinks); err != nil {
			return "", err
		}
	}
	return full, checkEntry(full, false)
}

// NameOf returns the one name of a directory that is there, without links.
func NameOf(name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if full, err = filepath.EvalSymlinks(full); err != nil {
		return "", err
	}
	info, err := os.Stat(full)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no directory", name)
	}
	return full, err
}

// maxLinks is how many links may lie behind each other.
const maxLinks = 40

// checkAbove refuses a name that leads through a directory or a link which somebody else can change.
func checkAbove(name string, links int) error {
	dir := filepath.Dir(name)
	if dir == name {
		return nil
	}
	if links == 0 {
		return fmt.Errorf("%s lies behind too many links", name)
	}
	if err := checkAbove(dir, links); err != nil {
		return err
	}
	if target, is := linkTarget(dir); is {
		if err := checkAbove(target, links-1); err != nil {
			return err
		}
		dir = target
	}
	return checkEntry(dir, true)
}
