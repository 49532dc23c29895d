// Package scorecard keeps the last whole measurement of each ruleset by mutants beside the plan cache, so that other
// commands can show in a moment what took minutes to find out.
//
// Cached plans lie under the digest of what they were made from, and are never stale: of other sources there is another
// entry. A measurement lies under the module and the name of its ruleset and holds that digest, for one that is a little
// out of date still tells an author where he stands, as long as he is told that it is.
package scorecard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
)

// A Card is a whole measurement of one ruleset.
type Card struct {
	Ruleset  string          `json:"ruleset"`
	Measured time.Time       `json:"measured"`
	MadeFrom string          `json:"made_from"` // digest of the sources, the cases and the excuses
	Mutants  int             `json:"mutants"`   // without those that are equivalent
	Noticed  int             `json:"noticed"`   // by a case or by the compiler
	Excused  int             `json:"excused"`
	Survived int             `json:"survived"`
	Report   json.RawMessage `json:"report"` // as "rules test --mutants --format json" prints it
}

// A Shelf is where the cards of a module are kept.
type Shelf struct {
	Cache cache.Cache
	Dir   string // of the module, "" for what ships
	Files fs.FS  // of the module
}

// Digest is taken of everything that a measurement of a ruleset rests on: the CUE files of the module, the cases and the
// excuses. It is empty when that cannot be read. The program is no part of it: a measurement says how well cases hold a
// ruleset, and another build of the same rules measures the same.
func (s Shelf) Digest(ruleset string) string {
	h := sha256.New()
	if cache.WriteSources(h, s.Files) != nil {
		return ""
	}
	var names []string
	for _, pattern := range []string{"*.txtar", "survivors.txt"} {
		found, err := fs.Glob(s.Files, path.Join("golden", ruleset, pattern))
		if err != nil {
			return ""
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	for _, name := range names {
		data, err := fs.ReadFile(s.Files, name)
		if err != nil {
			return ""
		}
		fmt.Fprintf(h, "%q %d\n%s", name, len(data), data)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Keep keeps a card in the place of the last one of its ruleset. The digest is that of before the measurement: when the
// sources have changed meanwhile, nobody knows which were measured, and nothing is kept.
func (s Shelf) Keep(c Card) {
	if c.MadeFrom == "" || c.MadeFrom != s.Digest(c.Ruleset) {
		return
	}
	if data, err := json.Marshal(c); err == nil {
		s.Cache.Store(s.key(c.Ruleset), data)
	}
}

// Last returns the last card of a ruleset, and whether its sources have changed since; nil if there is none.
func (s Shelf) Last(ruleset string) (c *Card, stale bool) {
	data, ok := s.Cache.Load(s.key(ruleset))
	if !ok {
		return nil, false
	}
	c = &Card{}
	if json.Unmarshal(data, c) != nil || c.Ruleset != ruleset {
		return nil, false
	}
	return c, c.MadeFrom != s.Digest(ruleset)
}

// key names the ruleset of a module for the cache.
func (s Shelf) key(ruleset string) string {
	dir := s.Dir
	if dir != "" {
		if whole, err := filepath.Abs(dir); err == nil {
			dir = whole
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "scorecard %q %q", dir, ruleset))
	return hex.EncodeToString(sum[:])
}
