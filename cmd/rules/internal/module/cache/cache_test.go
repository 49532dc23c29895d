package cache

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// tiny is a plan like no other of another name.
func tiny(name string) *plan.Plan {
	return &plan.Plan{Ruleset: name, Symbols: []string{""}, Character: &plan.Shape{Kind: plan.Record}}
}

// compiling gives a plan, and counts how often it was asked for.
func compiling(name string, times *int) func() (*plan.Plan, error) {
	return func() (*plan.Plan, error) {
		*times++
		return tiny(name), nil
	}
}

func key(k string) func() string { return func() string { return k } }

func TestCacheCompilesOnce(t *testing.T) {
	c, times := Cache{filepath.Join(t.TempDir(), "new")}, 0
	for range 3 {
		for _, name := range []string{"a", "b"} {
			p, err := c.Plan(key(name), compiling(name, &times))
			if err != nil || p.Ruleset != name {
				t.Fatalf("%v, %v", p, err)
			}
		}
	}
	if times != 2 {
		t.Errorf("compiled %d times, not once for each key", times)
	}
}

func TestCacheCompilesWhatIsDamaged(t *testing.T) {
	c, times := Cache{t.TempDir()}, 0
	if _, err := c.Plan(key("a"), compiling("a", &times)); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(c.Dir, "a.plan")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i, damaged := range [][]byte{nil, whole[:len(whole)-1], append(whole[:len(whole)-1:len(whole)-1], 'x'), []byte("x")} {
		if err := os.WriteFile(name, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if p, err := c.Plan(key("a"), compiling("a", &times)); err != nil || p.Ruleset != "a" {
				t.Fatalf("%v, %v", p, err)
			}
		}
		if times != i+2 {
			t.Errorf("damage %d: compiled %d times, not %d", i, times, i+2)
		}
	}
}

func TestCacheKeepsNothingOfAnError(t *testing.T) {
	c, bad := Cache{t.TempDir()}, errors.New("bad")
	if _, err := c.Plan(key("a"), func() (*plan.Plan, error) { return nil, bad }); err != bad {
		t.Errorf("%v", err)
	}
	keys := 0
	changing := func() string { keys++; return fmt.Sprint(keys) }
	times := 0
	if p, err := c.Plan(changing, compiling("b", &times)); err != nil || p.Ruleset != "b" {
		t.Errorf("%v, %v", p, err)
	}
	if files, _ := os.ReadDir(c.Dir); len(files) != 0 {
		t.Errorf("%v is kept of an error and of sources that changed", files)
	}
}

func TestCacheThatCannotBeUsed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []Cache{{}, {filepath.Join(file, "below")}} {
		times := 0
		for range 2 {
			if p, err := c.Plan(key("a"), compiling("a", &times)); err != nil || p.Ruleset != "a" {
				t.Fatalf("%v, %v", p, err)
			}
		}
		if times != 2 {
			t.Errorf("%q: compiled %d times", c.Dir, times)
		}
	}
}

func TestCacheIsSharedByManyAtOnce(t *testing.T) {
	c := Cache{t.TempDir()}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for k := range 20 {
				name, times := fmt.Sprint((i+k)%3), 0
				if p, err := c.Plan(key(name), compiling(name, &times)); err != nil || p.Ruleset != name {
					t.Errorf("%v, %v", p, err)
				}
			}
		})
	}
	all.Wait()
	if files, _ := os.ReadDir(c.Dir); len(files) != 3 {
		t.Errorf("%v, not one file for each of 3 keys", files)
	}
}

func TestCacheForgetsTheOldest(t *testing.T) {
	c := Cache{t.TempDir()}
	for i := range Kept + 3 {
		name := filepath.Join(c.Dir, fmt.Sprintf("%03d.plan", i))
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-100) * time.Hour)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	c.Trim()
	files, err := os.ReadDir(c.Dir)
	if err != nil || len(files) != Kept || files[0].Name() != "003.plan" {
		t.Errorf("%d files from %v on, %v", len(files), files[0], err)
	}
}

// Whatever changes in the sources of a module changes the key; what is no source does not.
func TestKeyIsOfTheSources(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	module := root.FS()
	seen := map[string]string{}
	differs := func(what string) {
		t.Helper()
		k := CacheKey("r", module)
		if other, ok := seen[k]; ok || k == "" {
			t.Errorf("the key %q after %s is that after %s", k, what, other)
		}
		seen[k] = what
	}
	write("rules.cue", "a")
	differs("a file")
	write("rules.cue", "b")
	differs("a change")
	write("tables/r/a.cue", "")
	differs("an empty file")
	write("cue.mod/pkg/x/y.cue", "")
	differs("a package")
	before := CacheKey("r", module)
	write("notes.txt", "x")
	if CacheKey("r", module) != before {
		t.Error("the key depends on what is no source")
	}
	if CacheKey("q", module) == before {
		t.Error("the key does not depend on the ruleset")
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "out")); err == nil && CacheKey("r", module) != before {
		t.Error("the key depends on a link to a directory outside, where nothing is read")
	}
	if err := os.Symlink("tables", filepath.Join(dir, "in")); err == nil && CacheKey("r", module) != "" {
		t.Error("a module that links to a directory elsewhere in it has a key")
	}
}

// TestBytesAreMadeOnce wants data to be made again when what was kept is damaged, and when it may not be kept.
func TestBytesAreMadeOnce(t *testing.T) {
	c, times, keep := Cache{t.TempDir()}, 0, false
	get := func(want int) {
		t.Helper()
		data := c.Bytes(key("k"), func() ([]byte, bool) {
			times++
			return []byte("the reply"), keep
		})
		if string(data) != "the reply" || times != want {
			t.Errorf("%q, made %d times, want %d", data, times, want)
		}
	}
	get(1)
	get(2)
	keep = true
	get(3)
	get(3)
	name := filepath.Join(c.Dir, "k.reply")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 1
		if err := os.WriteFile(name, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		get(4 + i)
	}
}
