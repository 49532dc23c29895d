// Package trust remembers which directories hold modules that the user trusts: those that he wrote himself, or has read.
// A trusted module is compiled in the program's own process and without bounds. The list is a file of the user's, one
// directory a line.
package trust

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/userlist"
)

// trusted is the user's list.
const trusted userlist.List = "trusted"

// List gives the trusted directories, sorted.
func List() ([]string, error) { return trusted.Read() }

// Trusts reports whether the module in a directory is trusted: that directory itself, and not one above it. A list that
// cannot be read trusts none.
func Trusts(dir string) bool {
	list, err := List()
	if err != nil || len(list) == 0 {
		return false
	}
	name, err := canonicalName(dir)
	return err == nil && slices.Contains(list, name)
}

// Add trusts a directory, and gives the name that it is listed under.
func Add(dir string) (string, error) {
	return changeList(dir, func(list []string, name string) []string { return append(list, name) })
}

// Remove trusts a directory no more.
func Remove(dir string) (string, error) {
	return changeList(dir, func(list []string, name string) []string {
		return slices.DeleteFunc(list, func(x string) bool { return x == name })
	})
}

func changeList(dir string, edit func(list []string, name string) []string) (string, error) {
	name, err := canonicalName(dir)
	if err != nil {
		return "", err
	}
	list, err := List()
	if err != nil {
		return "", err
	}
	list = edit(list, name)
	slices.Sort(list)
	return name, trusted.Write(slices.Compact(list))
}

// canonicalName is the one name of a directory that is there, whatever links lead to it: a link to a trusted directory is
// trusted, and one that is turned to another directory later no longer is.
func canonicalName(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	name, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", err
	case !info.IsDir():
		return "", fmt.Errorf("%s is no directory", dir)
	}
	return name, nil
}
