// Package cache keeps what compiling gave in the user's cache directory, plans and the replies of workers, under the
// digests of everything it was made from. Nothing is lost with it: an entry that is missing or damaged is compiled again.
//
// # What a key covers
//
// An entry is found by a digest of this program (its build, and the size and time of its file), of
// every CUE file of every module that may have a part, and of what was asked. There is no other
// invalidation: a file that is edited gives another key, and the old entry ages out. What ships is
// part of the program and needs no digest.
//
// An entry is trusted as much as the program itself, so it is read only when nobody else can have
// written it (package ownership), and it begins with its key: whoever copies one under another name gets
// nothing. Plans are verified again when they are read, as any plan file is.
//
// # Several programs at once
//
// Nothing is locked. An entry appears whole, by a rename; two programs that compile the same write
// the same bytes. The key is made twice, before and after compiling: when a file was saved in
// between, nobody knows which text was compiled, and nothing is kept.
package cache

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/atomicfile"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/ownership"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/safefile"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Cache keeps plans under the digests of what they were compiled from. Several programs may use it at once: an entry is
// there whole or not at all, and one that is damaged is compiled again. A cache that cannot be used is none.
type Cache struct{ Dir string } // "" for none

// UserCache returns the user's cache.
func UserCache() Cache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return Cache{}
	}
	return Cache{filepath.Join(dir, "tabletop-rules")}
}

// Plans returns a plan for each requested name, from the cache where it is there. The others are compiled together, and
// kept unless a key has changed meanwhile: then nobody knows which sources were compiled. A name for which compile returns
// no plan has none. The plans are in the order of the names.
func (c Cache) Plans(names []string, keyOf func() Keys, compile func(missing ...string) ([]*plan.Plan, error)) (
	[]*plan.Plan, error) {
	before := keyOf()
	if c.Dir == "" || !before.isKnown() {
		return compile(names...)
	}
	found := map[string]*plan.Plan{}
	var missing []string
	for _, name := range names {
		if p := c.readPlan(before.Of(name)); p != nil {
			found[name] = p
		} else {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		compiled, err := compile(missing...)
		if err != nil {
			return nil, err
		}
		keep := keyOf() == before
		for _, p := range compiled {
			found[p.Ruleset] = p
			if keep {
				c.keepPlan(before.Of(p.Ruleset), p)
			}
		}
	}
	var out []*plan.Plan
	for _, name := range names {
		if p := found[name]; p != nil {
			out = append(out, p)
		}
	}
	return out, nil
}

// readPlan returns the plan under a key; nil when it is not there or damaged.
func (c Cache) readPlan(key string) *plan.Plan {
	data, ok := c.entry(c.planFile(key), key)
	if !ok {
		return nil
	}
	p, err := planfile.Read(data)
	if err != nil {
		return nil
	}
	return p
}

func (c Cache) keepPlan(key string, p *plan.Plan) {
	c.keepEntry(c.planFile(key), slices.Concat(entryHead(key), planfile.Write(p, schedule.Stored(p))))
}

func (c Cache) planFile(key string) string { return filepath.Join(c.Dir, key+".plan") }

// Bytes returns the data under a key, or the data of makes. These are kept if makes says so, they are not too long, and the
// key has not changed meanwhile.
func (c Cache) Bytes(key func() string, makes func() (data []byte, keep bool)) []byte {
	before := key()
	if c.Dir == "" || before == "" {
		data, _ := makes()
		return data
	}
	if data, ok := c.Load(before); ok {
		return data
	}
	data, keep := makes()
	if keep && key() == before {
		c.Store(before, data)
	}
	return data
}

// longestEntry bounds what Store keeps: with Kept entries this is what a cache takes at most.
const longestEntry = 8 << 20

// Load returns the data that was stored last under a key, a digest in hexadecimal; false when it is not there or damaged.
func (c Cache) Load(key string) ([]byte, bool) {
	if c.Dir == "" {
		return nil, false
	}
	entry, ok := c.entry(c.replyFile(key), key)
	if !ok || len(entry) < sha256.Size {
		return nil, false
	}
	data := entry[sha256.Size:]
	return data, sha256.Sum256(data) == [sha256.Size]byte(entry)
}

// Store keeps data under a key, a digest in hexadecimal, in place of the earlier data, unless it is too long.
func (c Cache) Store(key string, data []byte) {
	if c.Dir == "" || len(data) > longestEntry {
		return
	}
	sum := sha256.Sum256(data)
	c.keepEntry(c.replyFile(key), slices.Concat(entryHead(key), sum[:], data))
}

func (c Cache) replyFile(key string) string { return filepath.Join(c.Dir, key+".reply") }

// entryHead returns the beginning of an entry: its key, so that the entry of another ruleset is not taken for it when
// somebody gives it the name.
func entryHead(key string) []byte { return []byte("rules cache\n" + key + "\n") }

// entry reads the plan of a key. An entry that somebody else may have written is none.
func (c Cache) entry(name, key string) ([]byte, bool) {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || ownership.CheckFile(name) != nil {
		return nil, false
	}
	data, err := safefile.Read(name)
	if err != nil {
		return nil, false
	}
	return bytes.CutPrefix(data, entryHead(key))
}

// keepEntry writes an entry. When that fails, the next run compiles again. It does not wait for the disk: a command need
// not wait for a file that it can do without, and an entry that is lost with the power is found to be damaged.
func (c Cache) keepEntry(name string, data []byte) {
	disk := atomicfile.TheDisk()
	disk.Sync = func(*os.File) error { return nil }
	if os.MkdirAll(c.Dir, 0o700) != nil {
		return
	}
	if _, err := ownership.CheckedDir(c.Dir); err != nil || disk.WriteWhole(name, data) != nil {
		return
	}
	c.Trim()
}

// Kept is how many plans a cache keeps.
const Kept = 64

// Trim removes the oldest entries, and files that killed programs have left.
func (c Cache) Trim() {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return
	}
	age := map[string]time.Duration{}
	var names []string
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			names = append(names, e.Name())
			age[e.Name()] = time.Since(info.ModTime())
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(age[a], age[b]) })
	for i, name := range names {
		if i >= Kept || strings.HasPrefix(name, ".") && age[name] > time.Hour {
			os.Remove(filepath.Join(c.Dir, name))
		}
	}
}

// CacheKey returns the digest of all sources of a compilation: this program, the question, and the CUE files of the
// modules. It is empty if they cannot be read.
func CacheKey(asked string, modules ...fs.FS) string {
	h := sha256.New()
	if !writeProgram(h) {
		return ""
	}
	for _, m := range modules {
		if m == fs.FS(rules.Files) { // a part of the program
			fmt.Fprintln(h, "what ships")
			continue
		}
		if WriteSources(h, m) != nil {
			return ""
		}
		fmt.Fprintln(h, "end of module") // no file is called so: names are quoted
	}
	fmt.Fprintf(h, "%q\n", asked)
	return hex.EncodeToString(h.Sum(nil))
}

// Keys are the keys of everything that is compiled from one module by this program. The zero value knows none.
type Keys struct{ digest string }

// PlanKeys returns the keys of the plans of a module. They cover the files that CUE can read when it compiles a ruleset,
// and no others: a file that no package imports is a matter of diagnostics, whose replies have a key by CacheKey.
func PlanKeys(module fs.FS) Keys {
	h := sha256.New()
	if !writeProgram(h) {
		return Keys{}
	}
	if module == fs.FS(rules.Files) { // a part of the program
		return Keys{hex.EncodeToString(h.Sum(nil))}
	}
	files, err := load.Importable(module)
	if err != nil {
		return Keys{}
	}
	for _, f := range files {
		writeSource(h, f.Name, f.Text)
	}
	return Keys{hex.EncodeToString(h.Sum(nil))}
}

// Of returns the key of a question about the module.
func (k Keys) Of(asked string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %q", k.digest, asked))
	return hex.EncodeToString(sum[:])
}

func (k Keys) isKnown() bool { return k.digest != "" }

// writeProgram writes which program this is, and reports whether that is known. A program built from changed sources is
// told by its file alone.
func writeProgram(h hash.Hash) bool {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return false
	}
	name, err := os.Executable()
	if err != nil {
		return false
	}
	file, err := os.Stat(name)
	if err != nil {
		return false
	}
	fmt.Fprintf(h, "%q %d %d %d\n", info.String(), file.Size(), file.ModTime().UnixNano(), planfile.Version)
	return true
}

// The bounds of a module whose key is told. A stranger's may be beyond them: compiling it refuses it then.
const (
	maxSources     = 10_000   // files and directories that are looked at
	maxSourceBytes = 64 << 20 // of the CUE files
)

// WriteSources writes the names and the contents of the CUE files of a module. A directory that lies elsewhere in it is not
// looked at, so a module that links to one has no key. Outside of the module nothing is read.
//
// Names and lengths go into the digest with the contents, so that two files cannot be cut at another place and give the
// same text. A link to a directory outside makes the module uncacheable, as its files can change without any of these
// changing.
func WriteSources(h hash.Hash, module fs.FS) error {
	seen, left := 0, maxSourceBytes
	return fs.WalkDir(module, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if seen++; seen > maxSources {
			return errors.New("this is more than a module")
		}
		switch {
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."): // no package lies in there
			return fs.SkipDir
		case d.Type()&fs.ModeSymlink != 0 && isDir(module, name):
			return errors.New("a directory lies elsewhere")
		case strings.EqualFold(path.Ext(name), ".cue") && !d.IsDir(): // vet warns of .CUE
			text, err := fs.ReadFile(module, name)
			if left -= len(text); left < 0 {
				return errors.New("this is more than a module")
			}
			writeSource(h, name, text)
			return err
		}
		return nil
	})
}

// writeSource writes the name and the text of a file.
func writeSource(h hash.Hash, name string, text []byte) {
	fmt.Fprintf(h, "%q %d\n", name, len(text))
	h.Write(text)
}

func isDir(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && info.IsDir()
}
