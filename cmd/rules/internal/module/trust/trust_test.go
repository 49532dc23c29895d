package trust

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestTrust(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	t.Setenv("AppData", filepath.Join(home, "config"))
	mine, inside := filepath.Join(home, "mine"), filepath.Join(home, "mine", "inside")
	for _, dir := range []string{mine, inside} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if Trusts(mine) {
		t.Error("it is trusted before anybody said so")
	}
	for range 2 {
		if _, err := Add(mine); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(home, "link")
	if err := os.Symlink(mine, link); err != nil {
		t.Skip(err)
	}
	if list, err := List(); err != nil || len(list) != 1 || !Trusts(mine) || !Trusts(link) || Trusts(inside) || Trusts(home) {
		t.Errorf("the list is %v, %v", list, err)
	}
	if _, err := Remove(link); err != nil || Trusts(mine) {
		t.Errorf("it is still trusted, %v", err)
	}
	if _, err := Add(filepath.Join(home, "nowhere")); err == nil {
		t.Error("what is not there is trusted")
	}
}

// TestTrustIsOfTheDirectory puts another directory in the place of a trusted one, and lets others write one.
func TestTrustIsOfTheDirectory(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	mine := filepath.Join(home, "mine")
	create := func() {
		t.Helper()
		if err := os.Mkdir(mine, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	create()
	if _, err := Add(mine); err != nil || !Trusts(mine) {
		t.Fatalf("it is not trusted: %v", err)
	}
	if err := os.Rename(mine, mine+" of before"); err != nil {
		t.Fatal(err)
	}
	create()
	if runtime.GOOS != "windows" && Trusts(mine) {
		t.Error("another directory in its place is trusted")
	}
	if _, err := Add(mine); err != nil || !Trusts(mine) {
		t.Errorf("it cannot be trusted anew: %v", err)
	}
	if list, err := List(); err != nil || len(list) != 1 {
		t.Errorf("both are listed: %q, %v", list, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(mine, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Add(mine); err == nil || Trusts(mine) {
		t.Errorf("a directory that others may write is trusted: %v", err)
	}
	if err := os.Chmod(mine, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"config/tabletop-rules/trusted": 0o666, "config/tabletop-rules": 0o777} {
		if !Trusts(mine) {
			t.Error("it is trusted no more")
		}
		file := filepath.Join(home, filepath.FromSlash(name))
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := List(); err == nil || Trusts(mine) {
			t.Errorf("a list in %s with the mode %o is believed: %v", name, mode, err)
		}
		if err := os.Chmod(file, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Remove(mine); err != nil {
		t.Error(err)
	}
}
