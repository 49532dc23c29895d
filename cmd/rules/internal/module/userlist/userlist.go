// Package userlist keeps lists of the user's in files of his configuration, one entry a line. What he trusts is written
// there: keys that sign releases, directories whose modules are compiled within wider bounds.
//
// A list is read with the bounds and refusals of package safefile, because it decides what is believed: a device or an
// endless file in its place stops the program with an error and is not waited for. For the same reason one that somebody
// else can change is refused, by package ownership.
package userlist

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/ownership"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
)

// A List names a list by its file in the user's configuration.
type List string

func (l List) file() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "tabletop-rules", string(l)), err
}

// Read returns the entries in the order of the file; none when there is no file yet.
func (l List) Read() ([]string, error) {
	name, err := l.file()
	if err != nil {
		return nil, err
	}
	err = ownership.CheckFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the list of what you trust is not believed: %w", err)
	}
	text, err := safefile.Read(name)
	return strings.FieldsFunc(string(text), func(c rune) bool { return c == '\n' }), err
}

// Write replaces all entries at once, so that an interruption leaves the old list or the new one. Nobody else may read the
// directory when it is made here. An entry with an end of line would be two, and is refused.
func (l List) Write(entries []string) error {
	name, err := l.file()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.ContainsRune(e, '\n') {
			return fmt.Errorf("%q cannot be listed: it has an end of line", e)
		}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	if _, err := ownership.CheckedDir(filepath.Dir(name)); err != nil {
		return fmt.Errorf("a list of what you trust would not be believed there: %w", err)
	}
	return atomicfile.TheDisk().WriteWhole(name, []byte(strings.Join(entries, "\n")+"\n"))
}
