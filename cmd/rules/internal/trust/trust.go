// Package trust remembers which directories hold modules that the user trusts: those that he wrote himself, or has read.
// A trusted module is compiled in the program's own process and without bounds. The list is a file of the user's, one
// directory a line.
package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/safefile"
)

// listFile is the user's list.
func listFile() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "tabletop-rules", "trusted"), err
}

// List gives the trusted directories, sorted.
func List() ([]string, error) {
	name, err := listFile()
	if err != nil {
		return nil, err
	}
	data, err := safefile.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return strings.FieldsFunc(string(data), func(c rune) bool { return c == '\n' }), err
}

// Trusts reports whether the module in a directory is trusted: that directory itself, and not one above it. A list that
// cannot be read trusts none.
func Trusts(dir string) bool {
	list, err := List()
	if err != nil || len(list) == 0 {
		return false
	}
	name, err := canonical(dir)
	return err == nil && slices.Contains(list, name)
}

// Add trusts a directory, and gives the name that it is listed under.
func Add(dir string) (string, error) {
	return change(dir, func(list []string, name string) []string { return append(list, name) })
}

// Remove trusts a directory no more.
func Remove(dir string) (string, error) {
	return change(dir, func(list []string, name string) []string {
		return slices.DeleteFunc(list, func(x string) bool { return x == name })
	})
}

func change(dir string, edit func(list []string, name string) []string) (string, error) {
	name, err := canonical(dir)
	if err != nil {
		return "", err
	}
	list, err := List()
	if err != nil {
		return "", err
	}
	list = edit(list, name)
	slices.Sort(list)
	file, err := listFile()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", err
	}
	text := strings.Join(slices.Compact(list), "\n")
	return name, atomicfile.TheDisk().WriteWhole(file, []byte(text+"\n"))
}

// canonical is the one name of a directory that is there, whatever links lead to it.
func canonical(dir string) (string, error) {
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
	case strings.ContainsRune(name, '\n'):
		return "", fmt.Errorf("%q cannot be trusted: its name has an end of line", dir)
	}
	return name, nil
}
