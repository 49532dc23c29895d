//go:build unix

package ownership

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckFile judges files in places that others can change in one way each.
func TestCheckFile(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(dir string) error // of DIR/above/inner/file
		want   string                 // in the error; "" for none
	}{
		{"nobody else", func(string) error { return nil }, ""},
		{"an open file", func(dir string) error { return os.Chmod(dir+"/above/inner/file", 0o666) }, "chmod go-w "},
		{"a file of the group", func(dir string) error { return os.Chmod(dir+"/above/inner/file", 0o664) }, "chmod go-w "},
		{"an open directory", func(dir string) error { return os.Chmod(dir+"/above/inner", 0o777) }, "chmod go-w "},
		{"an open directory above", func(dir string) error { return os.Chmod(dir+"/above", 0o777) }, "chmod go-w "},
		{"a sticky directory above", func(dir string) error { return os.Chmod(dir+"/above", 0o777|os.ModeSticky) }, ""},
		{"a sticky directory of the file", func(dir string) error { return os.Chmod(dir+"/above/inner", 0o777|os.ModeSticky) },
			"chmod go-w "},
		{"a link to a file", func(dir string) error {
			if err := os.Rename(dir+"/above/inner/file", dir+"/file"); err != nil {
				return err
			}
			return os.Symlink(dir+"/file", dir+"/above/inner/file")
		}, "is a link"},
		{"a link to a directory", func(dir string) error {
			if err := os.Rename(dir+"/above/inner", dir+"/moved"); err != nil {
				return err
			}
			return os.Symlink("../moved", dir+"/above/inner")
		}, ""},
		{"a link in an open directory", func(dir string) error {
			if err := os.Rename(dir+"/above/inner", dir+"/moved"); err != nil {
				return err
			}
			if err := os.Symlink(dir+"/moved", dir+"/above/inner"); err != nil {
				return err
			}
			return os.Chmod(dir+"/above", 0o777)
		}, "chmod go-w "},
		{"a stranger's directory", func(dir string) error { return os.Chown(dir+"/above", 65534, -1) }, "belongs to another user"},
		{"a stranger's file", func(dir string) error { return os.Chown(dir+"/above/inner/file", 65534, -1) },
			"belongs to another user"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "above", "inner", "file")
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := c.change(dir); os.IsPermission(err) {
				t.Skip(err) // only the administrator gives files away
			} else if err != nil {
				t.Fatal(err)
			}
			err := CheckFile(file)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
