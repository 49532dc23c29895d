package load

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/fieldset"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// game reads the ruleset of a body, which has no problem.
func game(t *testing.T, body string) *book.Ruleset {
	t.Helper()
	var diags diag.List
	rs := Directory(Source{FS: tree(t, body)}, "game", &diags)
	for _, d := range diags.Sorted() {
		t.Error(d.String())
	}
	if rs == nil {
		t.FailNow()
	}
	return rs
}

// The places of a formula's code points are those of the same characters in the file.
func TestTextPlaces(t *testing.T) {
	body := "package game\n" + `
#common: "1 + common"
_mixin: output: mixed: *"2 + default" | string
rules: r: {
	cite: "Chapter 1"
	output: {
		plain:   "é + plain"
		escaped: "\"é\" == \t'ünï' + escaped"
		raw:     #"'\d' + raw"#
		lines: """
			// multi
			level *
			  (con + lines)
			"""
		referred: #common
		joined:   "\(#common) + 1"
	}
}
rules: s: {
	_mixin
	cite: "Chapter 1"
}
rules: o: {
	_mixin
	cite: "Chapter 1"
	output: mixed: "3 + over"
}
`
	rs := game(t, body)
	lines := strings.Split(body, "\n")
	exact := 0
	for _, r := range rs.Rules {
		for _, o := range r.Body.Outputs {
			text := o.Formula.Expr
			for i, c := range []rune(text.S) {
				if text.Runs == nil || c == '\n' || c == '\t' || c == '"' {
					continue
				}
				exact++
				if got := at(lines, text.At(i)); got != c {
					t.Fatalf("%s: code point %d of %q is at %s, where %q stands", o.Name, i, text.S, diag.PlaceString(text.At(i)), got)
				}
			}
			if o.Name == "joined" && (text.Runs != nil || text.Place.Col != 13) {
				t.Errorf("an interpolation has the places %v, %v", text.Place, text.Runs)
			}
		}
	}
	if exact < 90 {
		t.Errorf("only %d code points have a place", exact)
	}
}

func at(lines []string, p plan.Place) rune {
	line := []rune(lines[p.Line-1])
	if p.Col > len(line) {
		return '\n'
	}
	return line[p.Col-1]
}

func TestNumbersAsText(t *testing.T) {
	d := game(t, `rules: r: {cite: "1", dice: d: {die: 100, count: 2}, output: x: "sum(d)"}`).Rules[0].Body.Sources[0].Die
	if d.Faces.S != "100" || d.Count.S != "2" || d.Faces.Place.Col != 38 {
		t.Errorf("got faces %+v, count %+v", d.Faces, d.Count)
	}
}

// Dice and uses are one sequence, as they are written; what is embedded stands where it is embedded.
func TestSourceOrder(t *testing.T) {
	rs := game(t, `
_late: {
	dice: {z1: "d6", z2: "d6"}
	use: z3: rule: "base"
}
_outer: {
	dice: o1: "d6"
	_late
	dice: o2: "d6"
}
_named: {n1: "d6", n2: "d6"}
rules: {
	base: {cite: "1", output: x: "1"}
	mixed: {
		cite: "1"
		dice: b: "d6"
		use: a: rule: "base"
		dice: c: {die: 6, count: 2}
		_outer
		use: d: rule: "base"
		dice: e: "d6"
		output: x: "1"
	}
	named: {
		cite: "1"
		use: f: rule: "base"
		dice: _named
		use: g: rule: "base"
		output: x: "1"
	}
}
`)
	for i, want := range []string{1: "b a c o1 z1 z2 z3 o2 d e", 2: "f n1 n2 g"} {
		if got := strings.Join(sourceNames(rs.Rules[i].Body), " "); got != want {
			t.Errorf("%s: got %s, want %s", rs.Rules[i].ID, got, want)
		}
	}
}

func sourceNames(b book.Body) (out []string) {
	for _, s := range b.Sources {
		if s.Die != nil {
			out = append(out, s.Die.Name)
		} else {
			out = append(out, s.Use.Name)
		}
	}
	return out
}

func TestEveryKindOfTableIsRead(t *testing.T) {
	for kind := range plan.NumTableKinds {
		if keyReaders[kind] == nil || columnKeyReaders[kind] == nil {
			t.Errorf("keys of tables of kind %s are not read", kind)
		}
	}
}

func TestTableRows(t *testing.T) {
	rs := game(t, `
_rows: [{n: 1, v: 1.5}, {n: 2, v: 2.5}]
tables: {
	made: {
		cite: "1"
		steps: [{from: 0, v: 0}, for r in _rows {from: r.n, v: r.v * 2}, {above: 9, v: 7}]
	}
	bands: {
		cite: "1"
		over: [1, 4]
		bands: [{on: 1, xs: [1], r: {a: 1}}, {on: [2, 4], xs: [], r: {a: 1.5}}]
	}
	keyed: {
		cite: "1"
		over: "2d6"
		keyed: {zeta: v: true, alpha: v: false}
	}
}
`)
	var got []string
	for _, tab := range rs.Tables {
		for _, c := range tab.Columns {
			got = append(got, c.Name+" "+show(c.Shape))
		}
		for _, r := range tab.Rows {
			line := fmt.Sprintf("%s %v..%v %v", r.Key, r.Lo, r.Hi, r.Above)
			for _, c := range r.Cells {
				line += " " + c.JSON
			}
			got = append(got, fmt.Sprintf("%d:%d %s", r.Place.Line, r.Place.Col, line))
		}
	}
	want := []string{
		"v double", "7:11  0..0 false 0", "7:28  1..0 false 3.0", "7:28  2..0 false 5.0", "7:68  9..0 true 7",
		"xs [int]0..1", "r {a! double}", `12:11  1..1 false [1] {"a":1}`, `12:40  2..4 false [] {"a":1.5}`,
		"v bool", "17:11 zeta 0..0 false true", "17:26 alpha 0..0 false false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if o := rs.Tables[1].Over; !o.Range || o.Min != 1 || o.Max != 4 {
		t.Errorf("bands: over is %+v", o)
	}
	if rs.Tables[2].Over.Dice.S != "2d6" {
		t.Errorf("keyed: over is %+v", rs.Tables[2].Over)
	}
}

// One problem does not hide another.
func TestCollectsAll(t *testing.T) {
	got := read(t, `
rules: {
	a: {cite: "1", cite: "2", dise: d: "d6", require: {x: 1}, output: y: "1"}
	b: {require: {x: true}, output: x: true}
	c: {cite: "1", #Input: {n!: [...int], m!: string & =~"x"}, output: x: "1"}
	d: {cite: "1", output: {x: "1" & "2", y: [1]["a"], z: _gone.x}, require: w: 4}
}
_gone: {}
tables: t: {cite: "1", keyed: {p: v: 1, q: v: "x", r: w: 2}}
`)
	want := []diag.Code{
		"cue-conflict", "cue-conflict", "cue-conflict", "unknown-field", "not-text", "missing-cite", "not-text", "unbounded-list",
		"cannot-lower",
		"table-column", "table-type", "table-column", "table-column", "table-column",
	}
	count := map[diag.Code]int{}
	for _, d := range got {
		count[d.Code]++
		if d.Place.File != "game/body.cue" || d.Place.Line == 0 {
			t.Errorf("this has no place in the author's file: %s", d.String())
		}
	}
	for _, code := range want {
		if count[code] == 0 {
			t.Errorf("%s is not reported", code)
		}
	}
	if count["not-text"] != 3 || count["cue-conflict"] < 4 {
		t.Errorf("of all that is wrong, this is reported: %v", count)
	}
}

func TestDiagnostics(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`rules: a: {cite: "1", ouptut: x: "1", output: y: "1"}`,
			"game/body.cue:2:23: rule a: there is no field ouptut here [unknown-field]\n    did you mean output?"},
		{`rules: a: {cite: "1", output: y: #Nope, let: z: #Charakter.x}`,
			"game/body.cue:2:34: there is no #Nope [unknown-reference]\n    define it, #Nope: {...}; a key of a table is string @key(nope)"},
		{`rules: "ä": {cite: "1", output: y: 1}`,
			"game/body.cue:2:8: rule ä: \"ä\" is no name: small letters, digits and _, beginning with a letter [bad-name]"},
		{`rules: a: {cite: "ä", require: y: 1, output: x: 1}`,
			"game/body.cue:2:35: rule a: y must be a string [not-text]\n    write it as a string, y: \"1\""},
		{`rules: a: {cite: "1", dice: d: {dye: 6}, output: y: "1"}`,
			"game/body.cue:2:33: rule a: there is no field dye here [unknown-field]\n    did you mean die?"},
		{`rules: a: {cite: "1", output: y: {by: "option.x"}}`, "game/body.cue:2:34: rule a: y must be a formula in quotes, or one for each value of a name [wrong-type]\n" +
			"    write as in y: option: tie: {made: \"...\", missed: \"...\"}"},
		{"#T: {a!: int}\nrules: a: {cite: \"1\", #Input: #T & {b!: int}, output: y: \"1\"}",
			"game/body.cue:3:37: rule a, #Input: #T has no field b [unknown-field]\n    there is only a"},
		{`procedures: p: {cite: "1", events: e: {whem: "true"}, ends: e: "true"}`,
			"game/body.cue:2:40: procedure p, event e: there is no field whem here [unknown-field]\n    did you mean when?"},
		{`rules: a: {cite: string, output: y: "1"}`,
			"game/body.cue:2:18: rule a: cite must be a string that is written out [not-concrete]"},
		{"rules: a: {cite: \"1\", output: x: \"1\"}\nrules: a: {cite: \"1\", let: y: \"2\"}",
			"game/body.cue:3:8: rule a: there is already one of this name [duplicate-id]\n    give one of them another name\n" +
				"    game/body.cue:2:8: the other"},
		{"rules: a: {", "game/body.cue:2:11: the { of this line is not closed [cue-syntax]\n    write } where it ends"},
	} {
		got := read(t, c.body)
		if len(got) == 0 || got[0].String() != c.want {
			t.Errorf("%s\ngot  %v\nwant %s", c.body, got, c.want)
		}
	}
}

func TestRelease(t *testing.T) {
	fsys := tree(t, `rulesets: "game": {rules: game, revision: "1.2.3", rulings: band: "up"}`)
	var diags diag.List
	got := Release(Source{FS: fsys, Name: "embedded"}, &diags)
	if !diags.Empty() || len(got) != 1 {
		t.Fatal(got, diags.Sorted())
	}
	r := got[0]
	if r.Name != "game" || r.Revision.S != "1.2.3" || r.Rules.ID != "game" || r.Rules.Title != "A game" {
		t.Errorf("got %+v", r)
	}
	if len(r.Rulings) != 1 || r.Rulings[0].Option != "band" || r.Rulings[0].Value.S != "up" {
		t.Errorf("got rulings %+v", r.Rulings)
	}
	if want := (plan.Place{File: "embedded/rules.cue", Line: 9, Col: 11}); r.Place != want {
		t.Errorf("got place %v, want %v", r.Place, want)
	}
	if got := Names(Source{FS: fsys}); !slices.Equal(got, []string{"game"}) {
		t.Errorf("got names %v", got)
	}
	if got := Release(Source{FS: fsys}, &diags, "chess"); len(got) != 0 {
		t.Errorf("only chess: got %v", got)
	}
}

// What is wrong in a ruleset is said at its own file, also when a release ships it.
func TestReleaseOfBadRuleset(t *testing.T) {
	for body, want := range map[string]string{
		"rules: a: {cite: \"1\", output: y: #Nope}": "game/body.cue:2:34: there is no #Nope [unknown-reference]\n    define it, #Nope: {...}; a key of a table is string @key(nope)",
		"rules: a: {": "game/body.cue:2:11: the { of this line is not closed [cue-syntax]\n    write } where it ends",
		"rules: a: {cite: \"1\", cite: \"2\", output: y: \"1\"}": "game/body.cue:2:29: rule a, cite: conflicting values \"2\" " +
			"and \"1\" [cue-conflict]\n    a field has one value: keep one of the two\n    game/body.cue:2:18: the other value",
		"rules: a: {output: y: \"1\"}": "game/body.cue:2:8: rule a: cite is missing: where does the book say this " +
			"[missing-cite]\n" +
			`    write cite: "..." with the chapter, heading or table, or @cite("...") where it is that of all`,
	} {
		fsys := tree(t, body)
		fsys["rules.cue"] = tree(t, `rulesets: "game": {rules: game, revision: "1.0.0"}`)["rules.cue"]
		var diags diag.List
		Release(Source{FS: fsys}, &diags)
		if got := diags.Sorted(); len(got) != 1 || got[0].String() != want {
			t.Errorf("%s\ngot  %v\nwant %s", body, got, want)
		}
	}
}

// Fields that only CUE knows are read too, with the best place that there is.
func TestComputedFields(t *testing.T) {
	rs := game(t, `
_names: ["b", "a"]
_kept: {cite: "1", output: x: "1"}
_all: {one: {cite: "2", output: y: "2"}}
tables: made: {
	cite: "1"
	keyed: {
		#Row: v!: int
		first: #Row & {v: 0}
		for i, n in _names {(n): v: i}
		if len(_names) > 1 {last: v: 9}
		if len(_names) > 2 {never: v: 8}
	}
}
rules: {
	#Shared: {cite: "1", ...}
	kept: #Shared & _kept
	picked: _all["one"]
	(_names[0]): X={cite: "3", output: z: "\(X.cite) + 1"}
}
`)
	var keys []string
	for _, r := range rs.Tables[0].Rows {
		keys = append(keys, r.Key+r.Cells[0].JSON)
	}
	if got := strings.Join(keys, " "); got != "first0 b0 a1 last9" {
		t.Errorf("the rows are %s", got)
	}
	var rules []string
	for _, r := range rs.Rules {
		rules = append(rules, r.ID+" "+r.Cite.S+" "+r.Body.Outputs[0].Formula.Expr.S)
	}
	slices.Sort(rules)
	if got := strings.Join(rules, ", "); got != "b 3 3 + 1, kept 1 1, picked 2 2" {
		t.Errorf("the rules are %s", got)
	}
}

func TestNoPackage(t *testing.T) {
	for _, dir := range []string{"nowhere", "../outside", "/game", "schema"} {
		var diags diag.List
		if rs := Directory(Source{FS: tree(t, "")}, dir, &diags); rs != nil && dir != "schema" || !diags.Failed() {
			t.Errorf("%s: got %v, %v", dir, rs, diags.Sorted())
		}
	}
}

// What CUE reads from the environment has no effect.
func TestEnvironment(t *testing.T) {
	t.Setenv("CUE_DEBUG", "opendef,sortfields,bogus")
	t.Setenv("CUE_EXPERIMENT", "bogus")
	rs := game(t, "rules: {b: {cite: \"1\", output: x: \"1\"}, a: {cite: \"1\", output: x: \"1\"}}")
	if rs.Rules[0].ID != "b" {
		t.Errorf("the first rule is %s", rs.Rules[0].ID)
	}
}

// TestSchemaPaths holds that the schema has every struct that the sources of this package name.
func TestSchemaPaths(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	path := regexp.MustCompile(`"(#[A-Z]\w+(/[\w*]+)*)"`)
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(src)) {
			if !strings.Contains(line, "checkFields(") && !strings.Contains(line, "readPart(") {
				continue
			}
			for _, m := range path.FindAllStringSubmatch(line, -1) {
				fieldset.Of(m[1])
			}
		}
	}
	for _, kind := range []string{"options", "tables", "traits", "functions"} {
		fieldset.Of("#Homebrew/replace/" + kind + "/*")
	}
}

func BenchmarkRelease(b *testing.B) {
	src := Source{FS: os.DirFS("../..").(fs.ReadFileFS)}
	for b.Loop() {
		var diags diag.List
		if len(Release(src, &diags)) == 0 {
			b.Fatal(diags.Sorted())
		}
	}
}

// Whatever stands in a file, reading it ends, and what is not there is said.
func FuzzDirectory(f *testing.F) {
	for _, p := range diag.Pages() {
		f.Add(p.Bad)
		f.Add(p.Good)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var diags diag.List
		fsys := tree(t, body)
		delete(fsys, "rules.cue")
		if rs := Directory(Source{FS: fsys}, "game", &diags); rs == nil && !diags.Failed() {
			t.Error("there is no ruleset, and nothing says why")
		}
	})
}
