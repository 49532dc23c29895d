// Package argdata reads what the flags of a command line give: files or standard input, the faces of --dice and the values
// of --set. What a file holds is judged by whoever reads it; here only its form is.
//
// # Values
//
// A command line is text, and JSON is typed. "--set difficulty=hard" must become a string without
// quotes in the shell, "--set complications=3" a number, and "--set name=7" the string "7" where
// the input wants one. So values are read with the shape of the input in hand (jsonFor): a string
// where a string is wanted, JSON otherwise, and a string again when it is no JSON, which the
// decoder then refuses with the field's name.
//
// Standard input can be read by one flag only; which one has it is remembered, for the message when
// a second one asks.
package argdata

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/jsontext"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/runtime/jsonio"
)

// Stdin names standard input where a file is asked for, and standard output where one is written.
const Stdin = "-"

// A Files reads what a command line names. Standard input can be read once.
type Files struct {
	In io.Reader
	// DropPins leaves out of all that is read the pins of characters, for what asks several revisions the same.
	DropPins bool
	taken    string // by which flag
	text     []byte // of standard input, once it is read
}

// Read reads the file that a flag names; nothing when it names none. The same flag may read its standard input again.
func (f *Files) Read(flag, name string) ([]byte, error) {
	text, err := f.readWhole(flag, name)
	if f.DropPins && text != nil {
		text = jsontext.WithoutMembers(text, jsonio.PinNames()...)
	}
	return text, err
}

func (f *Files) readWhole(flag, name string) ([]byte, error) {
	switch {
	case name == "":
		return nil, nil
	case name != Stdin:
		text, err := safefile.Read(name)
		if field, value, isSetting := strings.Cut(name, "="); errors.Is(err, fs.ErrNotExist) && isSetting &&
			flag == "input" {
			return nil, fmt.Errorf("--input %s: it is a file; one value is --set %s=%s", name, field, value)
		}
		if strings.HasPrefix(name, "{") && err != nil {
			return nil, fmt.Errorf("--%s %s: it is a file; JSON itself comes by standard input: --%[1]s - <<< '%[2]s'",
				flag, name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil, adviseName(err, flag, name)
		}
		if err == nil && (flag == "character" || flag == "input") && len(bytes.TrimSpace(text)) == 0 {
			err = fmt.Errorf("%s is empty: it is JSON, {\"name\": value, ...}", name)
		}
		return text, cmp.Or(err, checkEncoding(name, text))
	}
	if f.text != nil && f.taken == flag {
		return f.text, nil
	}
	if err := f.takeStdin(flag); err != nil {
		return nil, err
	}
	text, err := safefile.ReadBounded(f.In, FileName(name))
	// Never nil, which would mean that nothing was read: standard input may be empty.
	f.text = append([]byte{}, text...)
	return text, cmp.Or(err, checkEncoding(name, text))
}

// adviseName adds to the error of a file that is not there what is meant: several files that commas part, or a file whose
// name differs in its ending or in capitals.
func adviseName(err error, flag, name string) error {
	if parts := strings.Split(name, ","); len(parts) > 1 && flag == "character" {
		return fmt.Errorf("%w: each file has a --character of its own: --character %s", err,
			strings.Join(parts, " --character "))
	}
	entries, _ := os.ReadDir(filepath.Dir(name))
	for _, entry := range entries {
		if file := filepath.Join(filepath.Dir(name), entry.Name()); strings.EqualFold(file, filepath.Clean(name)+".json") ||
			strings.EqualFold(file, filepath.Clean(name)) {
			return fmt.Errorf("%w; did you mean %s", err, filepath.ToSlash(file))
		}
	}
	return err
}

// checkEncoding refuses a text in UTF-16, as some shells write what goes to a file.
func checkEncoding(name string, text []byte) error {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return fmt.Errorf("%s is text in UTF-16: save it as UTF-8", FileName(name))
	}
	return nil
}

// Open opens the file that a flag names.
func (f *Files) Open(flag, name string) (io.ReadCloser, error) {
	if name != Stdin {
		return safefile.Open(name)
	}
	return io.NopCloser(f.In), f.takeStdin(flag)
}

// takeStdin takes standard input for a flag, once: a second flag would find nothing left to read.
func (f *Files) takeStdin(flag string) error {
	if f.taken != "" {
		return fmt.Errorf("--%s and --%s both read standard input", f.taken, flag)
	}
	f.taken = flag
	return nil
}

// FileName returns the name of a file in messages.
func FileName(name string) string {
	if name == Stdin {
		return "standard input"
	}
	return name
}
