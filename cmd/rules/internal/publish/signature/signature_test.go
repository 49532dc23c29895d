package signature

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
)

// smallRelease is what the tests sign.
var smallRelease = Subject{Kind: Release, Name: "small 0.1.0"}

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

// TestMerge joins the signature files that several people have made of the same contents.
func TestMerge(t *testing.T) {
	first, firstKey := newSigner(t, "first.example")
	second, secondKey := newSigner(t, "second.example")
	data := []byte("a release")
	var files [][]byte
	for _, s := range []*Signer{first, second, first} {
		file, err := SignFile(smallRelease, data, nil, []*Signer{s})
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	both, err := Merge("f", smallRelease, data, files...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := CheckFile("f", smallRelease, data, both, []string{firstKey, secondKey})
	if err != nil || len(got.Trusted) != 2 || len(got.Unknown) != 0 || got.Name != "small 0.1.0" {
		t.Errorf("got %+v, %v, want two trusted signatures", got, err)
	}
	if none, err := Merge("f", smallRelease, data); err != nil || none != nil {
		t.Errorf("of no files it makes %q, %v", none, err)
	}
	other, err := SignFile(smallRelease, []byte("another"), nil, []*Signer{first})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := SignFile(Subject{Kind: Homebrew, Name: "small 0.1.0"}, data, nil, []*Signer{first})
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{
		"of other contents": other, "of another kind": elsewhere, "that is none": []byte("rules release\n"), "that is empty": nil,
	} {
		if _, err := Merge("f", smallRelease, data, files[0], file); !isDenial(err) {
			t.Errorf("a signature file %s: %v", name, err)
		}
	}
}

// TestKinds wants a signature of one kind to be none of another, and names that are the signer's to be accepted.
func TestKinds(t *testing.T) {
	signer, public := newSigner(t, "me.example")
	data := []byte("a homebrew")
	signed, err := SignFile(Subject{Kind: Homebrew, Name: "storm"}, data, nil, []*Signer{signer})
	if err != nil {
		t.Fatal(err)
	}
	if KindOf(signed) != Homebrew || KindOf(data) != "" {
		t.Errorf("the kinds are %q and %q", KindOf(signed), KindOf(data))
	}
	got, err := CheckFile("storm", Subject{Kind: Homebrew}, data, signed, []string{public})
	if err != nil || got.Name != "storm" {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, subject := range []Subject{{Kind: Release}, {Kind: Receipt}, {Kind: Homebrew, Name: "calm"},
		{Kind: Release, Name: "storm"}} {
		if _, err := CheckFile("storm", subject, data, signed, []string{public}); !isDenial(err) {
			t.Errorf("%+v: %v", subject, err)
		}
	}
	if _, err := SignFile(Subject{Kind: Homebrew, Name: "a\nb"}, data, nil, []*Signer{signer}); err == nil {
		t.Error("a name of two lines is signed")
	}
}

// TestBelongs holds where a signed thing may be found: the cases are those of the help of sign.
func TestBelongs(t *testing.T) {
	release, homebrew := Subject{Kind: Release, Name: "tempestas 0.1.0"}, Subject{Kind: Homebrew, Name: "storm"}
	at := func(s Subject, place string) Subject { s.Place = place; return s }
	for _, c := range []struct {
		subject Subject
		at      string
		want    bool
	}{
		{release, "registry.example/games/tempestas", true},
		{release, "registry.example/games/tempestas:0.1.0", true},
		{release, "other.example:5000/tempestas:0.1.0", true},
		{release, "registry.example/games/hybrid:0.1.0", false},
		{release, "registry.example/games/xtempestas", false},
		{release, "registry.example/tempestas/copy", false},
		{at(release, "games/tempestas"), "registry.example/games/tempestas:latest", true},
		{at(release, "games/tempestas"), "registry.example/other/tempestas", false},
		{at(release, "registry.example:5000/g"), "registry.example:5000/g:0.1.0", true},
		{at(release, "registry.example:5000/g"), "evil.example:5000/g:0.1.0", false},
		{at(release, "registry.example:5000/g"), "evil.example/registry.example/g", false},
		{homebrew, "registry.example/homebrews/storm:7", true},
		{at(homebrew, "homebrews/storm:2"), "registry.example/homebrews/storm:2", true},
		{at(homebrew, "homebrews/storm:2"), "registry.example/homebrews/storm:1", false},
		{at(homebrew, "homebrews/storm:2"), "registry.example/homebrews/storm", true},
	} {
		if got := c.subject.Belongs(c.at); got != c.want {
			t.Errorf("%+v at %s: %t, want %t", c.subject, c.at, got, c.want)
		}
	}
}

// TestPlaceIsSigned signs for a place: another place in the text is no signature, and one without a place is as before.
func TestPlaceIsSigned(t *testing.T) {
	signer, public := newSigner(t, "me.example")
	data := []byte("a release")
	subject := smallRelease
	subject.Place = "registry.example/games/small"
	signed, err := SignFile(subject, data, nil, []*Signer{signer})
	if err != nil {
		t.Fatal(err)
	}
	got, err := CheckFile("f", smallRelease, data, signed, []string{public})
	if err != nil || got.Subject != subject {
		t.Errorf("got %+v, %v, want %+v", got, err, subject)
	}
	moved := []byte(strings.Replace(string(signed), "games/small", "games/other", 1))
	if _, err := CheckFile("f", smallRelease, data, moved, []string{public}); !isDenial(err) {
		t.Errorf("another place: %v", err)
	}
	if _, err := SignFile(smallRelease, data, signed, []*Signer{signer}); err == nil {
		t.Error("a signature for a place goes without a word when another is made for none")
	}
	if text := signedText(smallRelease, nil); text != "rules release\nsmall 0.1.0\n"+
		"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n" { // the digest of nothing
		t.Errorf("signatures of before are another text now: %s", text)
	}
}
