package trust

import (
	"os"
	"path/filepath"
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
