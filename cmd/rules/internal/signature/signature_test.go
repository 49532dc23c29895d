package signature

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/exit"
)

// smallRelease is what the tests sign.
var smallRelease = Subject{Release, "small 0.1.0"}

// newSigner makes a key for a test.
func newSigner(t *testing.T, name string) (*Signer, string) {
	t.Helper()
	private, public, err := NewKey(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseSigner(private + "\n")
	if err != nil {
		t.Fatal(err)
	}
	return s, public
}

// TestEveryAlteredByteIsFound alters each byte of a file and of its signature file, one at a time.
func TestEveryAlteredByteIsFound(t *testing.T) {
	signer, public := newSigner(t, "me.example")
	data := []byte("a release of a few bytes")
	signed, err := SignFile(smallRelease, data, nil, []*Signer{signer})
	if err != nil {
		t.Fatal(err)
	}
	check := func(data, signed []byte) error {
		_, err := CheckFile("small.rules", smallRelease, data, signed, []string{public})
		return err
	}
	if err := check(data, signed); err != nil {
		t.Fatal(err)
	}
	for i := range data {
		altered := slices.Clone(data)
		altered[i] ^= 1
		if err := check(altered, signed); !isDenial(err) {
			t.Errorf("byte %d of the file: %v", i, err)
		}
	}
	for i := range signed {
		altered := slices.Clone(signed)
		altered[i] ^= 1
		if err := check(data, altered); !isDenial(err) {
			t.Errorf("byte %d of the signature file, %q: %v", i, signed[i], err)
		}
	}
}

func isDenial(err error) bool {
	_, ok := errors.AsType[*exit.Denial](err)
	return ok
}

// TestSignaturesAreAdded signs as one who does not trust those who signed before; what they signed must be the same.
func TestSignaturesAreAdded(t *testing.T) {
	first, firstKey := newSigner(t, "first.example")
	second, secondKey := newSigner(t, "second.example")
	data := []byte("a release")
	one, err := SignFile(smallRelease, data, nil, []*Signer{first})
	if err != nil {
		t.Fatal(err)
	}
	both, err := SignFile(smallRelease, data, one, []*Signer{second})
	if err != nil {
		t.Fatal(err)
	}
	got, err := CheckFile("f", smallRelease, data, both, []string{firstKey, secondKey})
	if err != nil || len(got.Trusted) != 2 || len(got.Unknown) != 0 {
		t.Errorf("got %+v, %v, want two trusted signatures", got, err)
	}
	other, err := SignFile(smallRelease, []byte("another"), one, []*Signer{second})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CheckFile("f", smallRelease, []byte("another"), other, []string{firstKey}); err == nil ||
		!strings.Contains(err.Error(), "second.example") ||
		strings.Contains(err.Error(), "first.example") {
		t.Errorf("got %v, want the signature of other contents to be gone", err)
	}
}
