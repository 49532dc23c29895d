package userlist

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// useHome gives the test a configuration of its own and says where its list stands.
func useHome(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("HOME", dir)
	config, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(config, "tabletop-rules", "things")
}

func TestListIsWhatWasWritten(t *testing.T) {
	useHome(t)
	l := List("things")
	if got, err := l.Read(); err != nil || got != nil {
		t.Fatalf("before it is written: %q, %v", got, err)
	}
	want := []string{"/a dir/b", "c"}
	if err := l.Write(want); err != nil {
		t.Fatal(err)
	}
	if got, err := l.Read(); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestEntryOfTwoLinesIsRefused(t *testing.T) {
	useHome(t)
	l := List("things")
	if err := l.Write([]string{"a\nb"}); err == nil {
		t.Error("it is written")
	}
	if got, err := l.Read(); err != nil || got != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestListThatIsADirectoryIsAnError(t *testing.T) {
	file := useHome(t)
	if err := os.MkdirAll(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := List("things").Read(); err == nil {
		t.Errorf("got %q", got)
	}
}
