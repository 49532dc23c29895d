package compiler_test

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
)

var (
	slips     = flag.Int("slips", 60, "how many slips are made in rulesets that are in order")
	slipsSeed = flag.Uint64("slips-seed", 1, "the seed of the slips")
	slipsPoor = flag.Bool("slips-poor", false, "print what is said of each slip that is not told well")
)

// leastToldWell is the share of noticed slips that must be told well, in percent.
const leastToldWell = 75

// A slip is one mistake in one file of a ruleset.
type slip struct {
	kind    string
	file    string
	line    int    // of the mistake, from 1
	was, is string // the line before and after
	word    string // the name that was misspelt by one letter; empty for other slips
	text    string // of the whole file
}

// A slipMaker changes a line; names are how often each name stands in the file. It is not ok where nothing can be changed.
type slipMaker struct {
	kind string
	make func(r *rand.Rand, line string, names map[string]int) (is, word string, ok bool)
}

var (
	slipNames  = regexp.MustCompile(`[a-z_]{4,}`)
	slipProse  = regexp.MustCompile(`^\s*(//|doc:|cite:|title:|source:|question:|ruling:|why:|rejected:|package|import|@)`)
	slipText   = regexp.MustCompile(`: "[^"]*"`)
	slipNumber = regexp.MustCompile(`: -?[0-9]+\b`)
	slipLabel  = regexp.MustCompile(
		`\b(output|require|tables|rules|dice|functions|traits|options|procedures|keyed|bands|steps|params|expr|next|events):`)
)

// foreignWords are spellings of other languages: of Python, Lua, JavaScript, spreadsheets, YAML, JSON and Basic.
var foreignWords = [][2]string{
	{" && ", " and "}, {" || ", " or "}, {" == ", " = "}, {" == ", " === "}, {" != ", " <> "}, {" != ", " ~= "},
	{"true", "True"}, {"false", "FALSE"}, {"size(", "len("}, {"floor(", "Math.floor("}, {"max(", "math.max("},
	{"div_floor(", "floor_div("}, {" in ", " of "}, {"input.", "$"}, {"character.", "@"}, {"input.", "inputs."},
	{"character.", "actor."}, {": {", " {"}, {": {", " = {"}, {": \"", " = \""}, {": \"", ": '"}, {"bool", "boolean"},
	{": int", ": integer"}, {": int", ": number int"}, {"string @key", "str @key"}, {"\"d", "\"1D"},
	{"| ", "or "}, {" & ", " and "},
	{">=", "=>"}, {"<=", "≤"}, {" - ", " – "}, {" * ", " × "}, {" * ", " x "}, {".exists(", ".any("}, {".map(", ".forEach("},
	{".sum(", ".reduce("}, {"!: ", ": required "}, {"*0 | int", "int = 0"}, {"*0 | int", "0 | int"},
}

var slipMakers = []slipMaker{
	{"letter missing", misspelt(func(w string, i int) string { return w[:i] + w[i+1:] })},
	{"letter doubled", misspelt(func(w string, i int) string { return w[:i+1] + w[i:] })},
	{"letter wrong", misspelt(func(w string, i int) string { return w[:i] + "q" + w[i+1:] })},
	{"letters exchanged", misspelt(func(w string, i int) string {
		i = min(i, len(w)-2)
		return w[:i] + w[i+1:i+2] + w[i:i+1] + w[i+2:]
	})},
	{"sign missing", func(r *rand.Rand, line string, _ map[string]int) (string, string, bool) {
		var at []int
		for i := range len(line) {
			if strings.IndexByte("{}[]()\"',:", line[i]) >= 0 {
				at = append(at, i)
			}
		}
		if len(at) == 0 {
			return "", "", false
		}
		i := at[r.IntN(len(at))]
		return line[:i] + line[i+1:], "", true
	}},
	{"wrong type", func(_ *rand.Rand, line string, _ map[string]int) (string, string, bool) {
		if m := slipNumber.FindStringIndex(line); m != nil {
			return line[:m[0]+2] + `"` + line[m[0]+2:m[1]] + `"` + line[m[1]:], "", true
		}
		return "", "", false
	}},
	{"formula without quotes", func(_ *rand.Rand, line string, _ map[string]int) (string, string, bool) {
		m := slipText.FindStringIndex(line)
		if m == nil || !strings.ContainsAny(line[m[0]:m[1]], "+-*?=<>(") {
			return "", "", false
		}
		return line[:m[0]+2] + line[m[0]+3:m[1]-1] + line[m[1]:], "", true
	}},
	{"word of another language", func(r *rand.Rand, line string, _ map[string]int) (string, string, bool) {
		var able [][2]string
		for _, w := range foreignWords {
			if strings.Contains(line, w[0]) {
				able = append(able, w)
			}
		}
		if len(able) == 0 {
			return "", "", false
		}
		w := able[r.IntN(len(able))]
		return strings.Replace(line, w[0], w[1], 1), "", true
	}},
	{"line missing", func(_ *rand.Rand, line string, _ map[string]int) (string, string, bool) {
		end := strings.TrimSpace(line)
		return "", "", strings.HasSuffix(end, "{") || end == "}"
	}},
	{"field renamed", func(_ *rand.Rand, line string, _ map[string]int) (string, string, bool) {
		synonyms := map[string]string{
			"output": "result", "require": "check", "tables": "table", "rules": "rule", "dice": "roll", "functions": "funcs",
			"traits": "stats", "options": "settings", "procedures": "process", "keyed": "rows", "bands": "ranges", "steps": "levels",
			"params": "args", "expr": "formula", "next": "then", "events": "actions",
		}
		m := slipLabel.FindStringSubmatchIndex(line)
		if m == nil {
			return "", "", false
		}
		return line[:m[2]] + synonyms[line[m[2]:m[3]]] + line[m[3]:], "", true
	}},
}

// misspelt makes a slip in a name that stands elsewhere too, so that one of the two means nothing any more.
func misspelt(slip func(word string, i int) string) func(*rand.Rand, string, map[string]int) (string, string, bool) {
	return func(r *rand.Rand, line string, names map[string]int) (string, string, bool) {
		var at [][]int
		for _, m := range slipNames.FindAllStringIndex(line, -1) {
			if names[line[m[0]:m[1]]] > 1 {
				at = append(at, m)
			}
		}
		if len(at) == 0 {
			return "", "", false
		}
		m := at[r.IntN(len(at))]
		word := line[m[0]:m[1]]
		is := slip(word, 1+r.IntN(len(word)-1))
		return line[:m[0]] + is + line[m[1]:], word, is != word && names[is] == 0
	}
}

// TestSlips makes mistakes at random in rulesets that are in order, and judges without taste what is said of them: the
// place is within a line of the mistake, there is one message and no other, and it names a word that was misspelt by one
// letter. A slip of which nothing is said may be none, as where a word of a choice is another word; these are counted.
func TestSlips(t *testing.T) {
	files, rulesets := smallRulesets(t)
	r := rand.New(rand.NewPCG(*slipsSeed, 33))
	counts := map[string]*slipCount{}
	for range *slips {
		s := makeSlip(r, files, rulesets[r.IntN(len(rulesets))])
		altered := maps.Clone(files)
		altered[s.file] = &fstest.MapFile{Data: []byte(s.text)}
		ruleset := path.Base(path.Dir(s.file))
		_, said := compiler.Release(load.Source{FS: altered}, compiler.Options{Analyse: true, Bounds: true}, ruleset)
		if counts[s.kind] == nil {
			counts[s.kind] = &slipCount{}
		}
		if !counts[s.kind].add(&s, said) && *slipsPoor {
			t.Logf("%s, %s:%d\n  was %s\n  is  %s\n%s", s.kind, s.file, s.line, s.was, s.is, spellAll(said))
		}
	}
	var total slipCount
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%-26s %s", kind, counts[kind])
		total.join(counts[kind])
	}
	t.Logf("%-26s %s", "all", &total)
	if share := 100 * total.well / max(1, total.made-total.silent); share < leastToldWell {
		t.Errorf("%d %% of the slips are told well, want %d", share, leastToldWell)
	}
}

// A slipCount counts slips and what is said of them.
type slipCount struct{ made, silent, placed, single, misspelt, named, well int }

// add judges what is said of a slip, and reports whether it is told well or is none.
func (c *slipCount) add(s *slip, said []diag.Diagnostic) bool {
	c.made++
	if len(said) == 0 {
		c.silent++
		return true
	}
	placed := slices.ContainsFunc(said, func(d diag.Diagnostic) bool {
		near := func(file string, line int) bool { return file == s.file && line >= s.line-1 && line <= s.line+1 }
		return near(d.Place.File, d.Place.Line) ||
			slices.ContainsFunc(d.Related, func(x diag.Related) bool { return near(x.Place.File, x.Place.Line) })
	})
	named := s.word == "" || strings.Contains(spellAll(said), s.word)
	single := len(said) == 1
	for _, x := range []struct {
		is    bool
		count *int
	}{
		{placed, &c.placed}, {single, &c.single}, {s.word != "", &c.misspelt}, {s.word != "" && named, &c.named},
		{placed && single && named, &c.well},
	} {
		if x.is {
			*x.count++
		}
	}
	return placed && single && named
}

func (c *slipCount) join(o *slipCount) {
	c.made, c.silent, c.placed, c.single = c.made+o.made, c.silent+o.silent, c.placed+o.placed, c.single+o.single
	c.misspelt, c.named, c.well = c.misspelt+o.misspelt, c.named+o.named, c.well+o.well
}

// String has the counts, those of the noticed as shares.
func (c *slipCount) String() string {
	noticed := max(1, c.made-c.silent)
	return fmt.Sprintf("%4d made, %3d silent; others: placed %3d %%, one message %3d %%, named %d of %d; told well %3d %%",
		c.made, c.silent, 100*c.placed/noticed, 100*c.single/noticed, c.named, c.misspelt, 100*c.well/noticed)
}

func spellAll(said []diag.Diagnostic) string {
	var out strings.Builder
	for i := range said {
		fmt.Fprintln(&out, &said[i])
	}
	return out.String()
}

// makeSlip makes a slip of a kind, each being as likely as the others.
func makeSlip(r *rand.Rand, files fstest.MapFS, file string) slip {
	lines := strings.Split(string(files[file].Data), "\n")
	names := map[string]int{}
	for _, line := range lines {
		if !slipProse.MatchString(line) {
			for _, w := range slipNames.FindAllString(line, -1) {
				names[w]++
			}
		}
	}
	for {
		m, i := slipMakers[r.IntN(len(slipMakers))], r.IntN(len(lines))
		for range lines { // the next line that can have it
			line, _, _ := strings.Cut(lines[i], " // ")
			if is, word, ok := m.make(r, line, names); ok && strings.TrimSpace(line) != "" && !slipProse.MatchString(line) {
				altered := slices.Clone(lines)
				altered[i] = is
				return slip{m.kind, file, i + 1, lines[i], is, word, strings.Join(altered, "\n")}
			}
			i = (i + 1) % len(lines)
		}
	}
}

// smallRulesets returns a module of small rulesets, and the files of those that are one file.
func smallRulesets(t *testing.T) (files fstest.MapFS, rulesets []string) {
	t.Helper()
	files = fstest.MapFS{}
	root := os.DirFS("../golden/games")
	for _, pattern := range []string{"cue.mod/module.cue", "rules.cue", "tables/*/*.cue"} {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(root, name)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = &fstest.MapFile{Data: text}
			if strings.HasPrefix(name, "tables/") {
				rulesets = append(rulesets, name)
			}
		}
	}
	return files, rulesets
}
