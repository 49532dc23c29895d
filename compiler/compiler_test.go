package compiler_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/lint"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/compiler/lower"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// release is a module that ships two rulesets, of which the first is played with a ruling.
func release() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"cue.mod/module.cue": `module: "example.com/games@v0"
language: version: "v0.16.0"
`,
		"rules.cue": `package rules

import (
	"example.com/games/tables/dare"
	"example.com/games/tables/calm"
)

rulesets: {
	"dare": {
		rules: dare, revision: "1.2.3"
		rulings: tie: "win"
	}
	"calm": {rules: calm, revision: "0.1.0"}
}
`,
		"tables/dare/dare.cue": strings.ReplaceAll(ties, "NAME", "dare"),
		"tables/calm/calm.cue": strings.ReplaceAll(ties, "NAME", "calm"),
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

const ties = `package NAME

id: "NAME"
title: "Game"
source: book: "none"
#Character: {strength: int}
options: tie: {
	cite: "Ties"
	default: "lose"
	values: {lose: "a tie is lost", win: "a tie is won"}
}
rules: test: {
	cite: "Tests"
	dice: roll: "d10"
	output: success: option: tie: {
		lose: "character.strength > roll"
		win: "character.strength >= roll"
	}
}
`

func TestRelease(t *testing.T) {
	plans, diags := compiler.Release(load.Source{FS: release()}, compiler.Options{})
	if len(diags) > 0 {
		t.Fatal(texts(diags))
	}
	var got []string
	for _, p := range plans {
		o := p.Options[0]
		got = append(got, p.Ruleset+" "+p.Revision+": "+o.Values[o.Default]+", in the book "+o.Values[o.Book])
		if err := plan.Verify(p); err != nil {
			t.Error(err)
		}
	}
	if want := []string{"dare 1.2.3: win, in the book lose", "calm 0.1.0: lose, in the book lose"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReleaseOfSome(t *testing.T) {
	plans, diags := compiler.Release(load.Source{FS: release()}, compiler.Options{}, "calm")
	if len(diags) > 0 || len(plans) != 1 || plans[0].Ruleset != "calm" {
		t.Errorf("got %v, %v", plans, texts(diags))
	}
}

// TestReleaseOfNoneIsOfAll gives a list of no names.
func TestReleaseOfNoneIsOfAll(t *testing.T) {
	plans, diags := compiler.Release(load.Source{FS: release()}, compiler.Options{}, []string{}...)
	if len(diags) > 0 || len(plans) != 2 {
		t.Errorf("got %d plans, %v", len(plans), texts(diags))
	}
}

// TestReleaseOfSomeReadsNoOthers breaks one ruleset, and compiles the other.
func TestReleaseOfSomeReadsNoOthers(t *testing.T) {
	files := release()
	files["tables/dare/dare.cue"] = &fstest.MapFile{Data: []byte("package dare\n\nid: {")}
	plans, diags := compiler.Release(load.Source{FS: files}, compiler.Options{}, "calm")
	if len(diags) > 0 || len(plans) != 1 || plans[0].Ruleset != "calm" {
		t.Errorf("got %v, %v", plans, texts(diags))
	}
	if plans, diags := compiler.Release(load.Source{FS: files}, compiler.Options{}); len(plans) > 0 || len(diags) == 0 {
		t.Errorf("of all: got %d plans, %v", len(plans), texts(diags))
	}
}

// TestReleaseProblems changes one file of the release and wants what is said first, and no plan.
func TestReleaseProblems(t *testing.T) {
	for _, x := range []struct{ file, old, new, want string }{
		{"rules.cue", `tie: "win"`, `ties: "win"`,
			"rules.cue:11:12: ruling ties: dare has no option ties [unknown-option]\n    did you mean tie"},
		{"rules.cue", `tie: "win"`, `tie: "draw"`,
			`rules.cue:11:18: ruling tie: "draw" is no value of option tie: it has lose, win [option-value]`},
		{"tables/calm/calm.cue", "character.strength > roll", "character.strenght > roll",
			"tables/calm/calm.cue:16:20: rule test, output success, lose: #Character has no field strenght"},
		{"tables/calm/calm.cue", "character.strength > roll", "character.strength > rolls",
			"tables/calm/calm.cue:16:31: rule test, output success, lose: there is no rolls here"},
		// read in part
		{"tables/calm/calm.cue", "rules: ", "tables: t: {cite: \"x\", keyed: {a: n: 1, b: n: \"2\", c: n: 3}}\nrules: ",
			"tables/calm/calm.cue:12:47: table t: n of row b is string where other rows have int"},
		{"tables/calm/calm.cue", "\tcite: \"Tests\"\n", "", "tables/calm/calm.cue:12:8: rule test: "},
	} {
		files := release()
		text := strings.Replace(string(files[x.file].Data), x.old, x.new, 1)
		if text == string(files[x.file].Data) {
			t.Fatalf("%q is not in %s", x.old, x.file)
		}
		files[x.file] = &fstest.MapFile{Data: []byte(text)}
		plans, diags := compiler.Release(load.Source{FS: files}, compiler.Options{})
		if len(plans) > 0 || len(diags) == 0 || !strings.HasPrefix(diags[0].String(), x.want) {
			t.Errorf("%q for %q: %d plans,\n got %s\nwant %s", x.new, x.old, len(plans), texts(diags), x.want)
		}
	}
}

func TestDirectory(t *testing.T) {
	p, diags := compiler.Directory(load.Source{FS: release(), Name: "games"}, "tables/dare", compiler.Options{})
	if len(diags) > 0 || p == nil {
		t.Fatal(texts(diags))
	}
	if p.Ruleset != "dare" || p.Revision != "" || p.Options[0].Default != p.Options[0].Book {
		t.Errorf("got %s, revision %q, option %+v", p.Ruleset, p.Revision, p.Options[0])
	}
	if at := diag.PlaceString(p.Entries[0].Place); at != "games/tables/dare/dare.cue:7:10" {
		t.Errorf("the option is at %s", at)
	}
	p, diags = compiler.Directory(load.Source{FS: release()}, "tables", compiler.Options{})
	if p != nil || len(diags) == 0 {
		t.Errorf("a directory without a package gives %v, %s", p, texts(diags))
	}
}

// TestCover wants branches only where they are asked for.
func TestCover(t *testing.T) {
	for _, cover := range []bool{false, true} {
		p, _ := compiler.Directory(load.Source{FS: release()}, "tables/dare", compiler.Options{Cover: cover})
		if got := len(p.Rules[0].Graph.Branches); (got == 2) != cover || got != 0 && !cover {
			t.Errorf("cover %v: %d branches", cover, got)
		}
	}
}

func texts(diags []diag.Diagnostic) string {
	var out []string
	for _, d := range diags {
		out = append(out, d.String())
	}
	return strings.Join(out, "\n")
}

// BenchmarkRelease compiles all that ships, and reports how long each phase takes.
func BenchmarkRelease(b *testing.B) {
	src := load.Source{FS: os.DirFS("..")}
	var loading, checking, linting, lowering time.Duration
	for b.Loop() {
		var diags diag.List
		start := time.Now()
		lap := func(phase *time.Duration) {
			*phase += time.Since(start)
			start = time.Now()
		}
		releases := load.Release(src, &diags)
		lap(&loading)
		for _, r := range releases {
			checked := check.Check(r.Rules, &diags)
			lap(&checking)
			lint.Check(checked, &diags)
			lap(&linting)
			if !diags.Failed() {
				lower.Ruleset(checked, lower.Options{})
			}
			lap(&lowering)
		}
	}
	for name, phase := range map[string]time.Duration{"load": loading, "check": checking, "lint": linting, "lower": lowering} {
		b.ReportMetric(float64(phase.Microseconds())/1000/float64(b.N), name+"-ms/op")
	}
}
