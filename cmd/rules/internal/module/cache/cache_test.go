package cache

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
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

// planOf asks a cache for the plan of one ruleset, whose sources do not change.
func planOf(c Cache, name string, compile func() (*plan.Plan, error)) (*plan.Plan, error) {
	plans, err := c.Plans([]string{name}, func() Keys { return Keys{"sources"} }, func(...string) ([]*plan.Plan, error) {
		p, err := compile()
		return []*plan.Plan{p}, err
	})
	if err != nil {
		return nil, err
	}
	return plans[0], nil
}

func TestCacheCompilesTogetherWhatIsMissing(t *testing.T) {
	c, times := Cache{t.TempDir()}, 0
	if _, err := planOf(c, "b", compiling("b", &times)); err != nil {
		t.Fatal(err)
	}
	var asked []string
	plans, err := c.Plans([]string{"c", "b", "none", "a"}, func() Keys { return Keys{"sources"} },
		func(missing ...string) ([]*plan.Plan, error) {
			asked = missing
			return []*plan.Plan{tiny("a"), tiny("c")}, nil
		})
	if err != nil || !slices.Equal(asked, []string{"c", "none", "a"}) {
		t.Errorf("compiled %q, %v", asked, err)
	}
	var got []string
	for _, p := range plans {
		got = append(got, p.Ruleset)
	}
	if !slices.Equal(got, []string{"c", "b", "a"}) {
		t.Errorf("the plans are %q", got)
	}
}

func TestCacheCompilesOnce(t *testing.T) {
	c, times := Cache{filepath.Join(t.TempDir(), "new")}, 0
	for range 3 {
		for _, name := range []string{"a", "b"} {
			p, err := planOf(c, name, compiling(name, &times))
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
	if _, err := planOf(c, "a", compiling("a", &times)); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(c.Dir, Keys{"sources"}.Of("a")+".plan")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i, damaged := range [][]byte{nil, whole[:len(whole)-1], append(whole[:len(whole)-1:len(whole)-1], 'x'), []byte("x")} {
		if err := os.WriteFile(name, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if p, err := planOf(c, "a", compiling("a", &times)); err != nil || p.Ruleset != "a" {
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
	if _, err := planOf(c, "a", func() (*plan.Plan, error) { return nil, bad }); err != bad {
		t.Errorf("%v", err)
	}
	keys := 0
	changing := func() Keys { keys++; return Keys{fmt.Sprint(keys)} }
	times := 0
	compile := func(...string) ([]*plan.Plan, error) {
		p, err := compiling("b", &times)()
		return []*plan.Plan{p}, err
	}
	if plans, err := c.Plans([]string{"b"}, changing, compile); err != nil || plans[0].Ruleset != "b" {
		t.Errorf("%v, %v", plans, err)
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
			if p, err := planOf(c, "a", compiling("a", &times)); err != nil || p.Ruleset != "a" {
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
				if p, err := planOf(c, name, compiling(name, &times)); err != nil || p.Ruleset != name {
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

// Only what can be imported is in the keys of plans.
func TestPlanKeysAreOfWhatCanBeImported(t *testing.T) {
	module := fstest.MapFS{
		"cue.mod/module.cue": {Data: []byte("module: \"a.b/c@v0\"\nlanguage: version: \"v0.16.0\"\n")},
		"rules.cue":          {Data: []byte("package rules\nimport \"a.b/c/tables\"\n")},
		"tables/t.cue":       {Data: []byte("package tables\n")},
		"idle/i.cue":         {Data: []byte("package idle\n")},
	}
	before := PlanKeys(module)
	if !before.isKnown() || before.Of("a") == before.Of("b") {
		t.Fatalf("the keys are %q", before)
	}
	module["idle/i.cue"] = &fstest.MapFile{Data: []byte("package idle\nx: 1\n")}
	if PlanKeys(module) != before {
		t.Error("a file that nothing imports is in the keys")
	}
	for name, text := range map[string]string{"tables/t.cue": "package tables\nx: 1\n", "tables/u.cue": "package tables\n"} {
		changed := maps.Clone(module)
		changed[name] = &fstest.MapFile{Data: []byte(text)}
		if PlanKeys(changed) == before {
			t.Errorf("%s is not in the keys", name)
		}
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
