// Package lockfile reads and writes rules.lock, which says what was pulled from registries by its digests, so that
// everybody who has the file gets the same bytes, whatever a registry says later.
//
// The text is made for version control: one line of each thing that was pulled, in the order of their lines, so that the
// same things give the same text and two people who add something change different lines.
//
//	rules.lock 1
//	release small-0.1.0.rules harbor.example/games/small:0.1.0@sha256:... sha256:...
//
// A line has the kind, the name of the file or directory beside the lock file, the reference with the digest of what the
// registry has there, and the digest of the file. The path of a layout is one from the directory of the lock file on,
// unless it was named by an absolute one. The digest of a homebrew is that of its directory as package archive writes
// it.
package lockfile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/archive"
)

// Name is the name of the file, in the directory of what it names.
const Name = "rules.lock"

// firstLine names the format and its version.
const firstLine = Name + " 1\n"

// IsLock reports whether a name is that of a lock file.
func IsLock(name string) bool { return filepath.Ext(name) == filepath.Ext(Name) }

// The kinds of what can be pulled.
const (
	Release  = "release"
	Homebrew = "homebrew"
)

// An Entry is one thing that was pulled.
type Entry struct {
	Kind      string
	Name      string // of the file or directory beside the lock file
	Reference string // in its registry, without the digest; of a layout a path from the lock file on, or an absolute one
	Digest    string // "sha256:...", of the manifest in the registry
	Content   string // "sha256:...", of the file
}

func (e *Entry) line() string {
	return fmt.Sprintf("%s %s %s@%s %s\n", e.Kind, e.Name, e.Reference, e.Digest, e.Content)
}

// excludes reports whether two entries cannot stand in one lock file: they have one name, or one tag. Of a repository
// without a tag there may be several digests.
func (e *Entry) excludes(other *Entry) bool {
	if e.Reference != other.Reference {
		return e.Name == other.Name
	}
	hasTag := strings.Contains(path.Base(e.Reference), ":")
	return e.Name == other.Name || hasTag || e.Digest == other.Digest
}

// A Lock is the contents of a lock file.
type Lock struct{ Entries []Entry }

// Parse reads a lock file; no text at all is one that names nothing.
func Parse(text []byte) (*Lock, error) {
	l := &Lock{}
	if len(text) == 0 {
		return l, nil
	}
	rest, ok := strings.CutPrefix(string(text), firstLine)
	if !ok {
		return nil, fmt.Errorf("line 1: this is no lock file that is known here: it does not begin with %q",
			strings.TrimSpace(firstLine))
	}
	number := 1
	for line := range strings.Lines(rest) {
		number++
		e, err := parseEntry(line)
		if err == nil {
			err = l.checkNew(e)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		l.Entries = append(l.Entries, *e)
	}
	return l, nil
}

func parseEntry(line string) (*Entry, error) {
	words := strings.Split(strings.TrimSuffix(line, "\n"), " ")
	if len(words) < 4 {
		return nil, fmt.Errorf("it has %d words, not a kind, a name, a reference and a digest", len(words))
	}
	last := len(words) - 1
	reference := strings.Join(words[2:last], " ") // the path of a layout may have blanks
	at := strings.LastIndexByte(reference, '@')
	if at < 0 {
		return nil, fmt.Errorf("the reference %s has no digest", reference)
	}
	e := &Entry{Kind: words[0], Name: words[1], Reference: reference[:at], Digest: reference[at+1:], Content: words[last]}
	if e.Kind != Release && e.Kind != Homebrew {
		return nil, fmt.Errorf("%q is neither a %s nor a %s", e.Kind, Release, Homebrew)
	}
	for _, digest := range []string{e.Digest, e.Content} {
		if !isDigest(digest) {
			return nil, fmt.Errorf("%q is no digest: sha256: and 64 digits", digest)
		}
	}
	return e, archive.CheckName(e.Name)
}

// DigestOf returns the digest of some contents as it stands in a lock file.
func DigestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func isDigest(text string) bool {
	digits, ok := strings.CutPrefix(text, "sha256:")
	sum, err := hex.DecodeString(digits)
	return ok && err == nil && len(sum) == sha256.Size && strings.ToLower(digits) == digits
}

// checkNew refuses an entry whose name or reference another one has.
func (l *Lock) checkNew(e *Entry) error {
	for i := range l.Entries {
		if other := &l.Entries[i]; e.excludes(other) {
			return fmt.Errorf("it stands there twice: %s of %s and of %s", e.Name, other.Reference, e.Reference)
		}
	}
	return nil
}

// Find returns the entry of a reference without its digest, nil when there is none.
func (l *Lock) Find(reference string) *Entry {
	for i := range l.Entries {
		if l.Entries[i].Reference == reference {
			return &l.Entries[i]
		}
	}
	return nil
}

// Put adds an entry in place of those of its reference and of its name.
func (l *Lock) Put(e Entry) {
	l.Entries = slices.DeleteFunc(l.Entries, func(x Entry) bool { return e.excludes(&x) })
	l.Entries = append(l.Entries, e)
}

// Text returns the file: the same entries give the same text, in whatever order they were put.
func (l *Lock) Text() []byte {
	var lines []string
	for i := range l.Entries {
		lines = append(lines, l.Entries[i].line())
	}
	slices.Sort(lines)
	return []byte(firstLine + strings.Join(lines, ""))
}
