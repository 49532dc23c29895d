package load

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// TestEvaluatedFields holds that fields which no declaration names are read.
func TestEvaluatedFields(t *testing.T) {
	for name, body := range map[string]string{
		"a pattern with defaults": `#row: {v: int, b: *1 | int}` + "\n" +
			`tables: t: {cite: "1", keyed: [string]: #row, keyed: {x: v: 4, y: {v: 5, b: 2}}}`,
		"a pattern over definitions": `rules: [=~"^x"]: cite: "all"` + "\n" +
			`rules: {xa: output: o: "1", xb: {output: o: "2"}, c: {cite: "3", output: o: "3"}}`,
		"a loop variable, embedded": `tables: t: {cite: "1", keyed: {for k, r in {x: {v: 1}, y: {v: 2}} {(k): {r, b: 1}}}}`,
		"a default in a definition": `#row: {v: int, b: *"one" | "two"}` + "\n" +
			`tables: t: {cite: "1", keyed: {x: #row & {v: 4}, y: {#row, v: 5, b: "two"}}}`,
		"a default of a whole row": `tables: t: {cite: "1", keyed: x: *{v: 1, b: 2} | {v: 3, c: 4}}`,
		"a default of a list":      `tables: t: {cite: "1", keyed: x: v: *[1, 2] | [3]}`,
		"a computed struct":        `_rows: {a: {v: 1}}` + "\n" + `tables: t: {cite: "1", keyed: _rows & {[string]: b: 2}}`,
	} {
		t.Run(name, func(t *testing.T) { compareWithCUE(t, tree(t, body), "game") })
	}
}

// TestPatternsOfOthers holds that a pattern's definition belongs only to the names that it matches.
func TestPatternsOfOthers(t *testing.T) {
	rs := game(t, `
rules: [=~"^x"]: #Input: far!: int
rules: {
	xa: {cite: "1", #Input: near!: int, output: o: "input.near + input.far"}
	ya: {cite: "1", #Input: near!: int, output: o: "input.near"}
}
`)
	for i, want := range []string{"{near! int, far! int}", "{near! int}"} {
		if got := show(rs.Rules[i].Input); len(got) != len(want) {
			t.Errorf("the input of %s is %s, want the fields of %s", rs.Rules[i].ID, got, want)
		}
	}
}

func littleEndian(s string) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

// TestFilesAreNotPassedOver holds that every file of a ruleset's directory is read, or said not to be.
func TestFilesAreNotPassedOver(t *testing.T) {
	const rule = "rules: lift: {cite: \"ä𝄞\", require: m: 2, output: x: 2}\n"
	const notText = "game/body.cue:2:39: rule lift: m must be a string [not-text]\n    write it as a string, m: \"2\""
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"another package", []byte("package other\n" + rule),
			"game/body.cue:1:1: the file is of package other, and the others in game of package game [no-package]\n" +
				"    begin it with package game, or put it in a directory of its own"},
		{"no package", []byte(rule), "game/body.cue:1:1: the file has no package clause, and so nothing of it is read " +
			"[no-package]\n    begin it with package game"},
		{"UTF-8", []byte("package game\n" + rule), notText},
		{"UTF-8 with a mark", []byte("\xef\xbb\xbf" + "package game\n" + rule), notText},
		{"UTF-16", littleEndian("package game\n" + rule), notText},
		{"half a surrogate", append(littleEndian("package game\n// "), 0, 0xd8, '\n', 0),
			"game/body.cue:2:4: this is no Unicode text [cue-syntax]\n    save the file as UTF-8"},
		{"half a character", append(littleEndian("package game\n// "), '\n'),
			"game/body.cue:2:4: this is no Unicode text [cue-syntax]\n    save the file as UTF-8"},
		{"invalid UTF-8", []byte("package game\n" + strings.Replace(rule, "𝄞", "\xff", 1)),
			"game/body.cue:2:23: this is no Unicode text [cue-syntax]\n    save the file as UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys := tree(t, "")
			fsys["game/body.cue"] = &fstest.MapFile{Data: c.data}
			fsys["rules.cue"] = tree(t, `rulesets: "game": {rules: game, revision: "1.0.0"}`)["rules.cue"]
			var diags diag.List
			Release(Source{FS: fsys}, &diags)
			if got := diags.Sorted(); len(got) != 1 || got[0].String() != c.want {
				t.Errorf("got %v\nwant %s", got, c.want)
			}
		})
	}
}

// An unreadable file fails to be read.
type unreadable struct{ fstest.MapFS }

// ReadFile implements fs.ReadFileFS.
func (u unreadable) ReadFile(name string) ([]byte, error) {
	if path.Base(name) == "module.cue" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it is larger than 16 MiB")}
	}
	return u.MapFS.ReadFile(name)
}

// TestModuleFileCannotBeRead holds that a module.cue which cannot be read is no missing one.
func TestModuleFileCannotBeRead(t *testing.T) {
	large := tree(t, "")
	large["cue.mod/module.cue"] = &fstest.MapFile{Data: make([]byte, maxFile+1)}
	for want, fsys := range map[string]fs.FS{
		"up/cue.mod/module.cue: the module cannot be read: it is larger than 16 MiB [no-package]": unreadable{tree(t, "")},
		"up/cue.mod/module.cue: the module cannot be read: it is larger than 2 MiB [no-package]":  large,
	} {
		var diags diag.List
		Directory(Source{FS: fsys, Name: "up"}, "game", &diags)
		if got := diags.Sorted(); len(got) != 1 || got[0].String() != want {
			t.Errorf("got %v\nwant %s", got, want)
		}
	}
}

// TestUnreadFilesAreNamed holds that files which CUE leaves out without a word are named, each with the reason.
func TestUnreadFilesAreNamed(t *testing.T) {
	const rule = "package game\nrules: lift: {cite: \"x\", output: x: \"2\"}\n"
	for name, c := range map[string]struct{ text, want string }{
		"MORE.CUE": {rule, "game/MORE.CUE:1:1: file MORE.CUE: this is not read: CUE reads files whose names end in .cue, in " +
			"small letters [unread-file, warning]\n    call it more.cue"},
		"_more.cue": {rule, "game/_more.cue:1:1: file _more.cue: this is not read: CUE leaves out files whose names begin " +
			"with _ [unread-file, warning]\n    call it more.cue"},
		"more_test.cue": {rule, "game/more_test.cue:1:1: file more_test.cue: this is not read: CUE leaves out files whose " +
			"names end in _test.cue [unread-file, warning]\n    give it another name"},
		"more_tool.cue": {rule, "game/more_tool.cue:1:1: file more_tool.cue: this is not read: CUE leaves out files whose " +
			"names end in _tool.cue [unread-file, warning]\n    give it another name"},
		"more.cue": {"@if(late)\n" + rule, "game/more.cue:1:1: file more.cue: this is not read: no tag is set here, and its " +
			"@if asks for one [unread-file, warning]\n    take @if away"},
		"left.cue": {"@ignore()\n" + rule, "game/left.cue:1:1: file left.cue: this is not read: @ignore says so " +
			"[unread-file, warning]\n    take @ignore away"},
		"more/a.cue": {rule, "game/more/a.cue:1:1: file more/a.cue: this is not read: a directory below is a package of its " +
			"own, and nothing imports this one [unread-file, warning]\n    move it to game/a.cue"},
		"more/other.cue":     {"package other\n", ""},
		"more/cue.mod/a.cue": {rule, ""},
		".#more.cue":         {rule, ""},
		"more.txt":           {rule, ""},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := tree(t, "")
			fsys["game/"+name] = &fstest.MapFile{Data: []byte(c.text)}
			fsys["rules.cue"] = tree(t, `rulesets: "game": {rules: game, revision: "1.0.0"}`)["rules.cue"]
			var diags diag.List
			list := Release(Source{FS: fsys}, &diags)
			got := ""
			for _, d := range diags.Sorted() {
				got += d.String()
			}
			if got != c.want || len(list) != 1 || len(list[0].Rules.Rules) != 0 {
				t.Errorf("got %v\nwant %s", got, c.want)
			}
		})
	}
}

// TestDisablesWholeDefinitionsOnly holds that a homebrew which disables a part that cannot be disabled is refused. It took
// the whole rule out of the game once.
func TestDisablesWholeDefinitionsOnly(t *testing.T) {
	for body, want := range map[string]string{
		`disable: rules: lift: output: mass: "why"`: "house.cue:5:23: disable rules.lift: the rule lift is disabled as a whole " +
			"[not-concrete]\n    write lift: \"the reason\"; to change a part of it, replace that",
		`disable: rules: lift: "why"`:          "",
		`disable: tables: t: rows: {a: "why"}`: "",
		`disable: tables: t: row: a: "why"`: "house.cue:5:21: disable tables.t: there is no field row here [unknown-field]\n" +
			"    did you mean rows?",
		`disable: procedures: p: events: e: next: "why"`: "house.cue:5:36: disable procedures.p.events.e: the event e is " +
			"disabled as a whole [not-concrete]\n    write e: \"the reason\"; to change a part of it, replace that",
		`disable: procedures: p: {events: e: "why"}`: "",
		`disable: traits: "no struct"`: `house.cue:5:18: disable traits: traits must be a struct [wrong-type]` +
			"\n    name each with the reason: traits: NAME: \"nobody plays it\"",
		`disable: tables: t: rows: {a: "why", b: "also"}`: "",
	} {
		fsys := fstest.MapFS{
			"cue.mod/module.cue": {Data: []byte("module: \"example.com/house@v0\"\nlanguage: version: \"v0.16.0\"\n")},
			"house.cue":          {Data: []byte("package house\nid: \"house\"\ntitle: \"A house\"\nruleset: \"game\"\n" + body)},
		}
		var diags diag.List
		Homebrew(Source{FS: fsys}, &diags)
		got := ""
		for _, d := range diags.Sorted() {
			got = d.String()
			break
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", body, got, want)
		}
	}
}
