// Package signature signs files and checks their signatures. A signature file is a signed note, the format of the Go
// checksum database: lines of text that name what is signed and its SHA-256 digest, then a line for each signature by an
// Ed25519 key.
//
// A key has a name that people chose and a hash of the key itself, so that another key of the same name is another signer.
// Who is trusted says a list in the user's configuration; a signature by anybody else says nothing.
package signature

import (
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

	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
)

// Suffix is what follows the name of a file in the name of its signature file.
const Suffix = ".sig"

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

// signedText is what stands in the signature file before the signatures: the kind of the file, what it is, and its digest.
func signedText(subject string, data []byte) string {
	sum := sha256.Sum256(data)
	return "rules release\n" + subject + "\nsha256:" + hex.EncodeToString(sum[:]) + "\n"
}

// SignFile gives the signature file of a file; subject is its ruleset and revision. Signatures of an earlier signature
// file of the same contents are kept, those of other contents are not.
func SignFile(subject string, data, earlier []byte, signers []*Signer) ([]byte, error) {
	n := &note.Note{Text: signedText(subject, data)}
	if e, ok := errors.AsType[*note.UnverifiedNoteError](openError(earlier)); ok && e.Note.Text == n.Text {
		n = e.Note
	}
	var keys []note.Signer
	for _, s := range signers {
		keys = append(keys, s.key)
	}
	return note.Sign(n, keys...)
}

// openError opens a signature file trusting nobody: what is well formed gives an UnverifiedNoteError with the note.
func openError(text []byte) error {
	_, err := note.Open(text, note.VerifierList())
	return err
}

// A Check is what a signature file says about a file.
type Check struct {
	Trusted []string // names with the hashes of keys, of the signatures that hold
	Unknown []string // of those whose keys are not trusted
}

// CheckFile checks a file by its signature file and the trusted public keys. One trusted signature is enough; the others
// are told. Its errors are exit.Denial for what does not hold.
func CheckFile(name, subject string, data, signature []byte, trusted []string) (*Check, error) {
	verifiers, err := parseKeys(trusted)
	if err != nil {
		return nil, err
	}
	n, err := note.Open(signature, note.VerifierList(verifiers...))
	if e, ok := errors.AsType[*note.UnverifiedNoteError](err); ok {
		return nil, &exit.Denial{Why: fmt.Sprintf(
			"%s is signed by %s, whose key is not trusted; \"rules trust add KEY\" trusts a key",
			name, strings.Join(signerNames(e.Note.UnverifiedSigs), ", "))}
	}
	if e, ok := errors.AsType[*note.InvalidSignatureError](err); ok {
		return nil, &exit.Denial{Why: fmt.Sprintf("the signature of %s by %s+%08x does not match what it signs", name, e.Name,
			e.Hash)}
	}
	if err != nil {
		return nil, &exit.Denial{Why: fmt.Sprintf("%s%s is no signature file, or was altered", name, Suffix)}
	}
	if slices.ContainsFunc(n.Sigs, isLoose) {
		return nil, &exit.Denial{Why: fmt.Sprintf("%s%s is no signature file, or was altered", name, Suffix)}
	}
	if n.Text != signedText(subject, data) {
		return nil, &exit.Denial{Why: name + " is not the file that was signed: its digest is another"}
	}
	return &Check{signerNames(n.Sigs), signerNames(n.UnverifiedSigs)}, nil
}

// isLoose reports whether the text of a signature is not the one way to write it: the last character of base64 may have
// bits that mean nothing, and an altered one would go unnoticed.
func isLoose(s note.Signature) bool {
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

// KeyName is how messages name a public key.
func KeyName(v note.Verifier) string { return fmt.Sprintf("%s+%08x", v.Name(), v.KeyHash()) }

func signerNames(list []note.Signature) []string {
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprintf("%s+%08x", s.Name, s.Hash))
	}
	return out
}
