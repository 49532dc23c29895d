// Package trust remembers which directories hold modules that the user trusts: those that he wrote himself, or has read.
// A trusted module is compiled in the program's own process, with wider bounds. The list is a file of the user's, one
// directory a line, after what it was when it was trusted: its device, its number there, and its owner. Another directory
// that has come in its place is not trusted.
package trust

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/userlist"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/ownership"
)

// trusted is the user's list.
const trusted userlist.List = "trusted"

// List gives the names of the trusted directories, sorted. One that is another directory now, or can be changed by others,
// is among them: Trusts judges that.
func List() ([]string, error) {
	entries, err := trusted.Read()
	var out []string
	for _, e := range entries {
		out = append(out, nameOf(e))
	}
	slices.Sort(out)
	return out, err
}

// nameOf is the directory of an entry, "IDENTITY NAME". One that has no identity was listed before there were any.
func nameOf(entry string) string {
	if _, name, ok := strings.Cut(entry, " "); ok && !strings.HasPrefix(entry, "/") {
		return name
	}
	return entry
}

// Trusts reports whether the module in a directory is trusted: that directory itself, and not one above it, as it was when
// it was listed, and that nobody else can change. A list that cannot be read trusts none.
func Trusts(dir string) bool {
	list, err := trusted.Read()
	if err != nil || len(list) == 0 {
		return false
	}
	entry, _, err := entryOf(dir)
	return err == nil && slices.Contains(list, entry)
}

// Add trusts a directory, and gives the name that it is listed under. It refuses one that somebody else can change.
func Add(dir string) (string, error) {
	entry, name, err := entryOf(dir)
	if err != nil {
		return "", err
	}
	return name, change(name, entry)
}

// Remove trusts a directory no more.
func Remove(dir string) (string, error) {
	name, err := ownership.NameOf(dir)
	if err != nil {
		return "", err
	}
	return name, change(name)
}

// change replaces the entries of a directory in the list.
func change(name string, entries ...string) error {
	list, err := trusted.Read()
	if err != nil {
		return err
	}
	changed := slices.DeleteFunc(slices.Clone(list), func(e string) bool { return nameOf(e) == name })
	changed = append(changed, entries...)
	if slices.Equal(changed, list) {
		return nil
	}
	return trusted.Write(changed)
}

// entryOf returns the list's entry of an existing directory, and its one name, whatever links lead to it: a link to a
// trusted directory is trusted, and ceases to be so when it is turned to another directory.
func entryOf(dir string) (entry, name string, err error) {
	if name, err = ownership.CheckedDir(dir); err != nil {
		return "", "", err
	}
	identity, err := ownership.Identity(name)
	return identity + " " + name, name, err
}
