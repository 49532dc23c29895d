// Package artifact turns a release file or the directory of a homebrew into bytes that are signed and published, and such
// bytes of a stranger into the file or the directory.
//
// A thing has three forms: a file or directory here, bytes that are hashed and signed, and what
// somebody sent. Read goes from the first to the second, Parse from the third to the second with
// every check, Write from the second to the first. A homebrew's bytes are an archive with sorted
// names and no times, so that the same directory gives the same digest on every machine.
//
// Invariant: what Parse gives has a name that stays within a directory, and an archive no path that
// leaves it.
package artifact

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/workspace"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/archive"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/lockfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/signature"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// An Artifact is a release or a homebrew.
type Artifact struct {
	Kind      signature.Kind
	Name      string // of the file or directory that it becomes
	Ruleset   string // of a release, as its revision
	Revision  string
	Data      []byte
	Signature []byte // its signature file, nil when there is none

	subject string // what a signature calls it, "" for what the signer chose
	files   []archive.File
}

// Subject returns the subject of its signatures.
func (a *Artifact) Subject() signature.Subject {
	return signature.Subject{Kind: a.Kind, Name: a.subject}
}

// Read reads a release file or the directory of a homebrew, with the signature file beside it.
func Read(file string) (*Artifact, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	a, err := readContents(file, info.IsDir())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	a.Signature, err = ReadSignature(file)
	return a, err
}

func readContents(file string, isDir bool) (*Artifact, error) {
	if !isDir {
		data, err := safefile.Read(file)
		if err != nil {
			return nil, err
		}
		return parseRelease(data)
	}
	data, err := archive.PackTree(safefile.Tree(file))
	if err != nil {
		return nil, err
	}
	full, err := filepath.Abs(file) // "." has a name too
	if err != nil {
		return nil, err
	}
	return Parse(signature.Homebrew, filepath.Base(full), data)
}

// SignatureFile returns the name of the signature file of a file or directory. It stands beside a directory and not in it.
func SignatureFile(file string) string {
	if full, err := filepath.Abs(file); err == nil && filepath.Base(full) != filepath.Base(file) {
		file = full // "." and ".."
	}
	return filepath.Clean(file) + signature.Suffix
}

// ReadSignature reads the signature file of a file or directory, nil when there is none.
func ReadSignature(file string) ([]byte, error) {
	text, err := safefile.Read(SignatureFile(file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// Parse returns an artifact that a stranger may have made. A release has the name of its file inside; name is that of the
// directory of a homebrew.
func Parse(kind signature.Kind, name string, data []byte) (*Artifact, error) {
	if kind == signature.Release {
		return parseRelease(data)
	}
	files, err := archive.Unpack(data)
	if err != nil {
		return nil, err
	}
	return &Artifact{Kind: kind, Name: name, Data: data, files: files}, archive.CheckName(name)
}

func parseRelease(data []byte) (*Artifact, error) {
	if !planfile.IsRelease(data) {
		return nil, errors.New("this is no release file, as \"rules release\" writes it")
	}
	r, err := planfile.ReadRelease(data)
	if err != nil {
		return nil, err
	}
	name := r.Plan.Ruleset + "-" + r.Plan.Revision + workspace.ReleaseSuffix
	return &Artifact{
		Kind: signature.Release, Name: name, Ruleset: r.Plan.Ruleset, Revision: r.Plan.Revision, Data: data,
		subject: workspace.RevisionName(r.Plan),
	}, archive.CheckName(name)
}

// Title returns how messages call it.
func (a *Artifact) Title() string {
	if a.Kind == signature.Release {
		return a.subject
	}
	return "the homebrew " + a.Name
}

// Check returns the statement of its signatures. An artifact that nobody signed is an exit.Denial.
func (a *Artifact) Check(file string) (*signature.Check, error) {
	if a.Signature == nil {
		return nil, &exit.Denial{Why: fmt.Sprintf("%s is not signed: there is no %s", file, SignatureFile(file))}
	}
	trusted, err := signature.TrustedKeys()
	if err != nil {
		return nil, err
	}
	return signature.CheckFile(file, a.Subject(), a.Data, a.Signature, trusted)
}

// CheckPlace refuses an artifact that does not belong under a reference, without its digest, where it was found or is going
// to be published. Signed is the subject of its signature; nil if nobody signed it whose word counts. A tag that is a
// number is that of a release's revision; other tags may move.
func (a *Artifact) CheckPlace(repository, tag string, signed *signature.Subject) error {
	reference := repository
	if tag != "" {
		reference += ":" + tag
	}
	if _, err := compare.ParseNumber(tag); err == nil && a.Kind == signature.Release && tag != a.Revision {
		return &exit.Denial{Why: fmt.Sprintf("%s is %s: the tag names another revision", reference, a.subject)}
	}
	if signed == nil {
		return nil
	}
	if a.Kind == signature.Homebrew && signed.Name != a.Name {
		return &exit.Denial{Why: fmt.Sprintf("%s is the homebrew %s, which was signed as %s", reference, a.Name,
			signed.Name)}
	}
	if !signed.Belongs(reference) {
		name, _, _ := strings.Cut(signed.Name, " ")
		return &exit.Denial{Why: fmt.Sprintf("%s is %s, which was signed to be published as %s", reference, a.Title(),
			cmp.Or(signed.Place, "something/"+name))}
	}
	return nil
}

// Digest returns the digest of the file, or of the directory as package archive writes it.
func (a *Artifact) Digest() string { return lockfile.DigestOf(a.Data) }

// Write writes the file or directory, and the signature file beside it, into a directory, which must be locked, and reports
// whether the file or directory is another now. Something else that is there already may be replaced when its digest is
// replaces; otherwise it is an exit.Denial.
//
// The file that stands there may be somebody's work: it goes only if it is exactly the one that was pulled before, and has
// nothing that its digest passes over. Its old signature must go too, or it would accuse the new file.
func (a *Artifact) Write(dir, replaces string) (changed bool, err error) {
	file := filepath.Join(dir, a.Name)
	there, err := a.findAt(file)
	switch {
	case err != nil:
		return false, err
	case there == a.Digest():
	case there != "" && (there != replaces || hasHidden(file)):
		return false, &exit.Denial{
			Why: file + " is there already, and it is not what was pulled before: move it away first",
		}
	default:
		if err := a.replace(file); err != nil {
			return false, err
		}
		changed = true
	}
	if a.Signature != nil {
		return changed, atomicfile.TheDisk().WriteWhole(SignatureFile(file), a.Signature)
	}
	if changed { // what stands beside it signs what was there before
		if err := os.Remove(SignatureFile(file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true, err
		}
	}
	return changed, nil
}

// hasHidden reports whether a directory has files that its digest leaves out, and that would be lost with it.
func hasHidden(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") })
}

// findAt returns the digest of the file of the artifact's name: "" if there is none, "?" if it is nothing of the kind.
func (a *Artifact) findAt(file string) (string, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if info.IsDir() != (a.Kind == signature.Homebrew) {
		return "?", nil
	}
	there, err := readContents(file, info.IsDir())
	if err != nil {
		return "?", nil
	}
	return there.Digest(), nil
}

func (a *Artifact) replace(file string) error {
	if a.Kind == signature.Release {
		return atomicfile.TheDisk().WriteWhole(file, a.Data)
	}
	files := map[string][]byte{}
	for _, f := range a.files {
		files[f.Name] = f.Data
	}
	return atomicfile.TheDisk().WriteTree(file, files)
}
