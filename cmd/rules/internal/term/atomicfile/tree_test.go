package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// wantText fails when a file has another text.
func wantText(t *testing.T, name, want string) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
	}
}

func TestWriteTree(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "storm")
	for _, text := range []string{"one", "two"} {
		if err := TheDisk().WriteTree(dir, map[string][]byte{"a.cue": []byte(text), "b/c.txt": []byte(text)}); err != nil {
			t.Fatal(err)
		}
		wantText(t, filepath.Join(dir, "a.cue"), text)
		wantText(t, filepath.Join(dir, "b", "c.txt"), text)
		wantFiles(t, parent, "storm")
	}
	if err := TheDisk().WriteTree(dir, map[string][]byte{"only": nil}); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, dir, "only")
}

// TestTreeFaults lets each step fail that can, over a directory that is there: that one stays.
func TestTreeFaults(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "storm")
	if err := TheDisk().WriteTree(dir, map[string][]byte{"a.cue": []byte("old")}); err != nil {
		t.Fatal(err)
	}
	renames := 0
	second := TheDisk()
	second.Rename = func(from, to string) error {
		if renames++; renames == 2 {
			return syscall.EIO
		}
		return os.Rename(from, to)
	}
	for name, d := range map[string]Disk{
		"full":    fullAfter(2),
		"no sync": {Write: TheDisk().Write, Sync: func(*os.File) error { return syscall.EIO }, Rename: os.Rename},
		"no rename": {Write: TheDisk().Write, Sync: TheDisk().Sync,
			Rename: func(string, string) error { return syscall.EIO }},
		"no second rename": second,
	} {
		err := d.WriteTree(dir, map[string][]byte{"a.cue": []byte("new"), "b.cue": nil})
		if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: got %v, want the fault of the disk", name, err)
		}
		wantFiles(t, parent, "storm")
		wantFiles(t, dir, "a.cue")
		wantText(t, filepath.Join(dir, "a.cue"), "old")
	}
	if err := TheDisk().WriteTree(dir, map[string][]byte{"../out": []byte("x")}); err == nil {
		t.Error("a file outside of the directory is written")
	}
	wantFiles(t, parent, "storm")
}
