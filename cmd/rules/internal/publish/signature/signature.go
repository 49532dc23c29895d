// Package signature signs files and checks their signatures. A signature file is a signed note, the format of the Go
// checksum database: lines of text that name what is signed and its SHA-256 digest, then a line for each signature by an
// Ed25519 key.
//
// A key has a name that people chose and a hash of the key itself, so that another key of the same name is another signer.
// Who is trusted says a list in the user's configuration; a signature by anybody else says nothing.
//
// # What a signature says
//
// The signed text has three lines: the kind, the name, the digest; and a fourth, the place, when its
// signer says where it is published. The kind keeps a signature of a receipt from passing for one of
// a release. The name of a release is its ruleset and its revision, and keeps 0.1.0 from being
// offered as 0.2.0. The place keeps a release from being offered as another game; without one it is
// every repository that ends in the name (Belongs). A signature does not say that the rules are good,
// or that they are safe to compile: that is asked elsewhere (package trust), nor that there is
// nothing newer.
//
// Notes are Go's format for its checksum database (golang.org/x/mod/sumdb/note), chosen because it
// is small, specified, and checked by others; a line with an unknown key is passed over, so that
// several people can sign one file.
package signature

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/mod/sumdb/note"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
)

// Suffix is what follows the name of a file or directory in the name of its signature file.
const Suffix = ".sig"

// A Kind is what sort of thing is signed. It stands in the signature, so that a signature of one sort is none of another.
type Kind string

// The kinds of what is signed: a release file, a homebrew as package archive writes its directory, and a file of receipts.
const (
	Release  Kind = "release"
	Homebrew Kind = "homebrew"
	Receipt  Kind = "receipt"
)

// A Subject is what a signature is about. The name of a release is its ruleset and revision, which stand in the file too.
// A homebrew and a receipt have no name inside: theirs is what the signer called them, and checking accepts any when it
// is empty.
type Subject struct {
	Kind  Kind
	Name  string
	Place string // REPOSITORY or REPOSITORY:TAG, or the end of it; "" where the signer does not say. Checking accepts any.
}

// NewKey makes a key of a name: the private one, which signs, and the public one, which checks.
func NewKey(name string) (private, public string, err error) {
	if name == "" || strings.ContainsFunc(name,
		func(r rune) bool { return r == '+' || unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return "", "", fmt.Errorf("%q is no name of a key: it has neither blanks nor +", name)
	}
	return note.GenerateKey(rand.Reader, name)
}

// A Signer signs files.
type Signer struct{ key note.Signer }

// ParseSigner reads a private key.
func ParseSigner(text string) (*Signer, error) {
	key, err := note.NewSigner(strings.TrimSpace(text))
	if err != nil {
		return nil, errors.New("this is no private key, as \"rules key new\" writes it")
	}
	return &Signer{key}, nil
}

// signedText returns the text before the signatures in a signature file: the kind, the name, the digest, and the place if
// there is one.
func signedText(s Subject, data []byte) string {
	sum := sha256.Sum256(data)
	text := kindLine(s.Kind) + s.Name + "\nsha256:" + hex.EncodeToString(sum[:]) + "\n"
	if s.Place != "" {
		text += placePrefix + s.Place + "\n"
	}
	return text
}

// placePrefix begins the line of the place.
const placePrefix = "published as "

func kindLine(k Kind) string { return "rules " + string(k) + "\n" }

// isAbout reports whether the text of a signature file is about a subject with such contents.
func (s Subject) isAbout(text string, data []byte) bool {
	if s.Name == "" {
		s.Name = signedName(text)
	}
	s.Place = signedPlace(text)
	return text == signedText(s, data)
}

// signedPlace returns the place that stands in the text of a signature file, "" when none does.
func signedPlace(text string) string {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 {
		return ""
	}
	place, _ := strings.CutPrefix(lines[3], placePrefix)
	return place
}

// Belongs reports whether a signed thing belongs under a reference without its digest: HOST/REPOSITORY:TAG, or without the
// tag. A place is compared from its end, so that copies in other registries belong too.
func (s Subject) Belongs(reference string) bool {
	place := s.Place
	if place == "" {
		place, _, _ = strings.Cut(s.Name, " ")
	}
	repository, tag := cutTag(reference)
	ofPlace, wanted := cutTag(place)
	return (wanted == "" || tag == "" || tag == wanted) &&
		(repository == ofPlace || strings.HasSuffix(repository, "/"+ofPlace))
}

// cutTag separates the tag of a reference, whose host may have a port.
func cutTag(reference string) (repository, tag string) {
	i := strings.LastIndexByte(reference, ':')
	if i < 0 || strings.Contains(reference[i:], "/") {
		return reference, ""
	}
	return reference[:i], reference[i+1:]
}

// SubjectOf returns the subject of a signature file, whether its signatures hold or not; false if it has none.
func SubjectOf(file []byte) (Subject, bool) {
	n := readUnverified(file)
	if n == nil {
		return Subject{}, false
	}
	return Subject{KindOf([]byte(n.Text)), signedName(n.Text), signedPlace(n.Text)}, true
}

// signedName returns the name that stands in the text of a signature file.
func signedName(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	name, _, _ := strings.Cut(rest, "\n")
	return name
}

// KindOf returns the kind that a signature file says it is about, whether its signatures hold or not; "" when it says none.
func KindOf(file []byte) Kind {
	for _, k := range []Kind{Release, Homebrew, Receipt} {
		if strings.HasPrefix(string(file), kindLine(k)) {
			return k
		}
	}
	return ""
}

// SignFile returns the signature file of some contents. Signatures of an earlier signature file of the same contents are
// kept, those of other contents are not.
func SignFile(subject Subject, data, earlier []byte, signers []*Signer) ([]byte, error) {
	for _, text := range []string{subject.Name, subject.Place} {
		if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return nil, fmt.Errorf("%q cannot be signed: it has characters that cannot be printed", text)
		}
	}
	n := &note.Note{Text: signedText(subject, data)}
	if e := readUnverified(earlier); e != nil && e.Text == n.Text {
		n = e
	} else if e != nil && subject.isAbout(e.Text, data) {
		return nil, fmt.Errorf("%s is signed for %s already: "+
			"sign it for the same place, or remove the signature file first",
			subject.Name, cmp.Or(signedPlace(e.Text), "every repository of its name"))
	}
	var keys []note.Signer
	for _, s := range signers {
		keys = append(keys, s.key)
	}
	return note.Sign(n, keys...)
}

// readUnverified reads a signature file and trusts nobody; nil when it is malformed.
func readUnverified(file []byte) *note.Note {
	_, err := note.Open(file, note.VerifierList())
	if e, ok := errors.AsType[*note.UnverifiedNoteError](err); ok {
		return e.Note
	}
	return nil
}

// Merge joins signature files of the same contents to one with all of their signatures, each once. A file that is
// malformed or about other contents is an exit.Denial: whoever signed it signed something else, or it was altered.
func Merge(name string, subject Subject, data []byte, files ...[]byte) ([]byte, error) {
	var all *note.Note
	for _, file := range files {
		n := readUnverified(file)
		switch {
		case n == nil || slices.ContainsFunc(n.UnverifiedSigs, isNonCanonical):
			return nil, alteredSignature(name)
		case !subject.isAbout(n.Text, data) || all != nil && n.Text != all.Text:
			return nil, otherContents(name)
		case all == nil:
			all = n
			continue
		}
		for _, s := range n.UnverifiedSigs {
			if !slices.Contains(all.UnverifiedSigs, s) {
				all.UnverifiedSigs = append(all.UnverifiedSigs, s)
			}
		}
	}
	if all == nil {
		return nil, nil
	}
	return note.Sign(all)
}

func alteredSignature(name string) error {
	return &exit.Denial{Why: fmt.Sprintf("%s%s is no signature file, or was altered", name, Suffix)}
}

func otherContents(name string) error {
	return &exit.Denial{Why: name + " is not the file that was signed: its digest is another"}
}

// A Check is what a signature file says about some contents.
type Check struct {
	Subject          // as it was signed
	Trusted []string // names with the hashes of keys, of the signatures that hold
	Unknown []string // of those whose keys are not trusted
}

// CheckFile checks contents by their signature file and the trusted public keys. One trusted signature is enough; it
// returns the others too. Its errors are exit.Denial for contents that do not match; an *UnknownKeyError if nothing is
// wrong but that no key is trusted.
func CheckFile(name string, subject Subject, data, signature []byte, trusted []string) (*Check, error) {
	verifiers, err := parseKeys(trusted)
	if err != nil {
		return nil, err
	}
	n, err := note.Open(signature, note.VerifierList(verifiers...))
	if e, ok := errors.AsType[*note.UnverifiedNoteError](err); ok {
		if !subject.isAbout(e.Note.Text, data) {
			return nil, otherContents(name)
		}
		return nil, &UnknownKeyError{name, signerNames(e.Note.UnverifiedSigs)}
	}
	if e, ok := errors.AsType[*note.InvalidSignatureError](err); ok {
		return nil, &exit.Denial{Why: fmt.Sprintf("the signature of %s by %s+%08x does not match what it signs", name,
			e.Name,
			e.Hash)}
	}
	if err != nil || slices.ContainsFunc(n.Sigs, isNonCanonical) {
		return nil, alteredSignature(name)
	}
	if !subject.isAbout(n.Text, data) {
		return nil, otherContents(name)
	}
	signed := Subject{subject.Kind, signedName(n.Text), signedPlace(n.Text)}
	return &Check{signed, signerNames(n.Sigs), signerNames(n.UnverifiedSigs)}, nil
}

// An UnknownKeyError is of contents that nobody signed whose key is trusted. It wraps an exit.Denial.
type UnknownKeyError struct {
	File    string
	Signers []string
}

// Error names the signers.
func (e *UnknownKeyError) Error() string {
	return fmt.Sprintf("%s is signed by %s, whose key is not trusted; \"rules trust add KEY\" trusts a key", e.File,
		strings.Join(e.Signers, ", "))
}

// Unwrap makes it an answer that is no.
func (e *UnknownKeyError) Unwrap() error { return &exit.Denial{Why: e.Error()} }

// isNonCanonical reports whether the text of a signature is not the only one for its bytes: the last character of
// base64 may have bits that mean nothing, and an altered one would go unnoticed.
func isNonCanonical(s note.Signature) bool {
	_, err := base64.StdEncoding.Strict().DecodeString(s.Base64)
	return err != nil
}

func parseKeys(list []string) ([]note.Verifier, error) {
	var out []note.Verifier
	for _, text := range list {
		v, err := ParsePublicKey(text)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// ParsePublicKey reads a public key.
func ParsePublicKey(text string) (note.Verifier, error) {
	v, err := note.NewVerifier(strings.TrimSpace(text))
	if err != nil {
		return nil, fmt.Errorf("%q is no public key, as \"rules key new\" prints it", text)
	}
	return v, nil
}

// KeyName returns how messages name a public key.
func KeyName(v note.Verifier) string { return fmt.Sprintf("%s+%08x", v.Name(), v.KeyHash()) }

func signerNames(list []note.Signature) []string {
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprintf("%s+%08x", s.Name, s.Hash))
	}
	return out
}
