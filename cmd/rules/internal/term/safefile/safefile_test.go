//go:build unix

package safefile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// within fails a test in which something blocks.
func within(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { do(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s blocks", what)
	}
}

// hostileDirectory has a file of every kind: honest.txt, and others that must not be read.
func hostileDirectory(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, err := range []error{
		os.WriteFile(filepath.Join(dir, "honest.txt"), []byte("honest"), 0o666),
		os.Mkdir(filepath.Join(dir, "sub"), 0o777),
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666),
		os.WriteFile(filepath.Join(dir, "sparse"), nil, 0o666),
		os.Truncate(filepath.Join(dir, "sparse"), 200<<30),
		os.Symlink("/dev/zero", filepath.Join(dir, "zero")),
		os.Symlink("/etc/passwd", filepath.Join(dir, "outside")),
		os.Symlink("honest.txt", filepath.Join(dir, "inside")),
		os.Symlink("loop", filepath.Join(dir, "loop")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRead(t *testing.T) {
	dir := hostileDirectory(t)
	for name, want := range map[string]string{
		"honest.txt": "", "inside": "", "sub": "is a directory", "sparse": "is larger than 256 MiB", "zero": "is no regular file",
		"loop": "too many levels of symbolic links", "nothing": "no such file", "pipe": "",
	} {
		within(t, name, func() {
			data, err := Read(filepath.Join(dir, name))
			switch {
			case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("%s: got %v, want %q", name, err, want)
			case want == "" && name != "pipe" && string(data) != "honest":
				t.Errorf("%s is %q", name, data)
			}
		})
	}
}

// TestReadEndlessPipe holds that a pipe without an end is refused at the bound.
func TestReadEndlessPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		chunk := make([]byte, 1<<20)
		for {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}()
	_, err = ReadBounded(r, "the pipe")
	r.Close()
	if err == nil || err.Error() != "the pipe is larger than 256 MiB" {
		t.Errorf("got %v", err)
	}
}

func TestTree(t *testing.T) {
	files := Tree(hostileDirectory(t))
	for name, want := range map[string]string{
		"honest.txt": "", "inside": "", "pipe": "no regular file", "sparse": "is larger than 16 MiB", "zero": "escapes",
		"outside": "escapes", "nothing": "no such file",
	} {
		within(t, name, func() {
			data, err := fs.ReadFile(files, name)
			switch {
			case want == "" && string(data) != "honest", want != "" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("%s: got %q, %v, want %q", name, data, err, want)
			}
		})
	}
	if list, err := fs.ReadDir(files, "."); err != nil || len(list) != 8 {
		t.Errorf("the directory has %d entries, %v", len(list), err)
	}
	if _, err := fs.ReadFile(Tree("/nowhere"), "x"); err == nil {
		t.Error("a directory that is not there can be read")
	}
	within(t, "a pipe as a directory", func() {
		if _, err := fs.ReadFile(Tree(filepath.Join(hostileDirectory(t), "pipe")), "x"); err == nil {
			t.Error("a pipe can be read as a directory")
		}
	})
}
