package artifact

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/archive"
	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/signature"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// write writes a file for a test, and the directories above it.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// homebrewOf is a homebrew of one file, as somebody else has published it.
func homebrewOf(t *testing.T, name, text string) *Artifact {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "storm")
	write(t, filepath.Join(dir, "homebrew.cue"), text)
	data, err := archive.PackTree(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	a, err := Parse(signature.Homebrew, name, data)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestNamesOfStrangers holds that nothing that a stranger has made is written outside of the directory that is asked for.
func TestNamesOfStrangers(t *testing.T) {
	release := func(ruleset, revision string) (*Artifact, error) {
		p := &plan.Plan{Ruleset: ruleset, Revision: revision, Symbols: []string{""}, Character: &plan.Shape{Kind: plan.Record}}
		return Parse(signature.Release, "", planfile.WriteRelease(&planfile.Release{Plan: p}, nil))
	}
	a, err := release("small", "0.1.0")
	if err != nil || a.Name != "small-0.1.0.rules" || a.Title() != "small 0.1.0" {
		t.Fatalf("an honest release: %+v, %v", a, err)
	}
	for _, name := range []string{"../storm", "/storm", "a/b", `a\b`, ".ssh", "two words", "a\nb", "a:b"} {
		if a, err := release(name, "0.1.0"); err == nil {
			t.Errorf("a release of the ruleset %q is written to %q", name, a.Name)
		}
		if a, err := release("small", name); err == nil && name != ".ssh" { // which is no hidden name behind small-
			t.Errorf("a release of the revision %q is written to %q", name, a.Name)
		}
	}
	archived := homebrewOf(t, "storm", "one").Data
	for _, name := range []string{"../storm", "/storm", "a/b", `a\b`, "..", ".", "", ".ssh", "con", "two words", "a\nb"} {
		if a, err := Parse(signature.Homebrew, name, archived); err == nil {
			t.Errorf("a homebrew is written to %q", a.Name)
		}
	}
}

// TestWriteKeepsWhatIsNotItsOwn writes over what was pulled before, over what somebody has changed since, and over files
// that no digest covers.
func TestWriteKeepsWhatIsNotItsOwn(t *testing.T) {
	dir := t.TempDir()
	one, two := homebrewOf(t, "storm", "one"), homebrewOf(t, "storm", "two")
	one.Signature = []byte("a signature")
	mustWrite := func(a *Artifact, replaces string, want bool) {
		t.Helper()
		if changed, err := a.Write(dir, replaces); err != nil || changed != want {
			t.Errorf("got %v, %v, want %v", changed, err, want)
		}
	}
	refuse := func(a *Artifact, replaces string) {
		t.Helper()
		if _, err := a.Write(dir, replaces); !exit.Answered[*exit.Denial](err) {
			t.Errorf("got %v, want a denial", err)
		}
	}
	mustWrite(one, "", true)
	mustWrite(one, "", false)
	if text, err := os.ReadFile(filepath.Join(dir, "storm.sig")); err != nil || string(text) != "a signature" {
		t.Errorf("the signature is %q, %v", text, err)
	}
	refuse(two, "")
	refuse(two, two.Digest())
	mustWrite(two, one.Digest(), true)
	if _, err := os.Stat(filepath.Join(dir, "storm.sig")); err == nil {
		t.Error("the signature of what was there before stays")
	}
	write(t, filepath.Join(dir, "storm", "mine.cue"), "mine")
	refuse(one, two.Digest())
	if err := os.Remove(filepath.Join(dir, "storm", "mine.cue")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "storm", ".git", "HEAD"), "mine")
	refuse(one, two.Digest())
	if err := os.RemoveAll(filepath.Join(dir, "storm")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "storm"), "a file")
	refuse(one, two.Digest())
}

func TestSignatureStandsBesideADirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "storm")
	write(t, filepath.Join(dir, "homebrew.cue"), "one")
	t.Chdir(dir)
	for name, want := range map[string]string{".": dir + ".sig", "../storm": "../storm.sig", "../storm/": "../storm.sig"} {
		if got := filepath.ToSlash(SignatureFile(name)); got != filepath.ToSlash(want) {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	a, err := Read(".")
	if err != nil || a.Name != "storm" || !strings.Contains(a.Title(), "storm") {
		t.Errorf("got %+v, %v", a, err)
	}
}
