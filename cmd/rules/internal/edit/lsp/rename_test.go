package lsp

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/portion"
	"github.com/tabletop-rules/rules/runtime"
)

// moreFile has what the other files of the game do not: a use, an option that a formula is chosen by, an attribute.
const (
	moreFile = "tables/game/more.cue"
	more     = `package game

rules: twice: {
	cite: "Tests"
	#Input: weight: *"light" | string @key(burden)
	use: first: {rule: "test", input: load: "input.weight"}
	let: capped: option: cap: {none: "first.value", hundred: "min(first.value, 100)"}
	output: {
		score: "capped + burden('heavy')"
		fair:  "option.cap == 'hundred' || first.near"
	}
}
`
	twiceFile = "golden/game/twice.txtar"
	twice     = `rule: twice
cite: Tests
option: cap=hundred

Level 5 is 50, and a heavy load takes 30, which are added again.
-- character.json --
{"level": 5, "skills": {}}
-- input.json --
{"weight": "heavy"}
-- dice --
first.roll=5
-- want.json --
{"output": {"score": {"cel": "20 + tables.burden.heavy.points"}, "fair": true}}
`
)

// TestRenamingAnything renames one thing of each kind. What results is a ruleset without an error, the cases of which pass,
// and in which the old name does not stand.
func TestRenamingAnything(t *testing.T) {
	files := map[string]string{moreFile: more, twiceFile: twice, walkFile: walk, roughFile: rough, hinderedFile: hindered,
		walkedFile: strings.NewReplacer("INPUT", `{"pace": 2}`,
			"EVENTS", `[{"event": "step", "input": {"far": "far"}}, {"event": "rest"}]`,
			"WANT", `{"state": {"gone": 2}, "output": {"total": 2}, "events": [{"output": {"here": 0}}, {}]}`).Replace(walked)}
	for i, x := range []struct{ what, file, part string }{
		{"a table", data, "tables: bur|den: {"},
		{"a row", data, "hea|vy: points: 30"},
		{"a column", data, "light: poi|nts: 0"},
		{"a row where a formula names it", moreFile, "burden('hea|vy')"},
		{"an option", data, "options: ca|p: {"},
		{"a value", data, "hun|dred: \"at most"},
		{"a value where a formula is chosen by it", moreFile, "hun|dred: \"min("},
		{"a value where a formula compares it", moreFile, "== 'hun|dred'"},
		{"a field of the character", data, "lev|el: int"},
		{"an input", play, "lo|ad: *\"light\""},
		{"an input where a use gives it", moreFile, "input: lo|ad: \"input"},
		{"an output", play, "va|lue: \"10"},
		{"a let", play, "pe|ak:   \"option"},
		{"a die", play, "dice: ro|ll: die"},
		{"a use", moreFile, "use: fi|rst: {"},
		{"a rule", play, "rules: te|st: {"},
		{"a rule where it is used", moreFile, "rule: \"te|st\""},
		{"a rule in a case", twiceFile, "rule: twi|ce"},
		{"an input in a case", twiceFile, "{\"wei|ght\""},
		{"an output in a case", twiceFile, "\"fa|ir\": true"},
		{"an option in a case", twiceFile, "option: ca|p="},
		{"a function", data, "functions: hind|rance: {"},
		{"a parameter", data, "params: {load: \"string\", wa|y: \"int\"}"},
		{"a procedure", walkFile, "procedures: wa|lk: {"},
		{"an event", walkFile, "st|ep: {"},
		{"a state", walkFile, "go|ne: *0"},
		{"a state where it is set", walkFile, "next: go|ne:"},
		{"the input of an event", walkFile, "#Event: fa|r!:"},
		{"the output of an event", walkFile, "output: he|re:"},
	} {
		if !portion.Takes(i, 2) {
			continue
		}
		t.Run(x.what, func(t *testing.T) {
			c := startWith(t, files)
			text := c.open(x.file, "", "")
			c.waitForCases()
			var e workspaceEdit
			c.call("textDocument/rename", renameParams{c.at(x.file, text, x.part), "renamed"}, &e)
			changed := module(t)
			for name, text := range files {
				changed[name] = &fstest.MapFile{Data: []byte(text)}
			}
			for uri, edits := range e.Changes {
				file := changed[strings.TrimPrefix(uri, c.uri(""))]
				file.Data = []byte(applyEdits(string(file.Data), edits))
			}
			plans, diags := compiler.Release(load.Source{FS: changed}, compiler.Options{Functions: true})
			if len(plans) != 1 {
				t.Fatal(diags)
			}
			cases, err := golden.Load(changed, "golden/game", "golden/game")
			if err != nil || len(cases) != 5 {
				t.Fatal(len(cases), err)
			}
			for _, k := range cases {
				if r := golden.Run(runtime.New(plans[0]), k); !r.Passed() {
					t.Errorf("%s: %v", k.File, r.Problems)
				}
			}
		})
	}
}

// applyEdits makes edits in a text, in UTF-16 units of ASCII.
func applyEdits(text string, edits []textEdit) string {
	lines := strings.Split(text, "\n")
	slices.SortFunc(edits, func(a, b textEdit) int {
		return (b.Range.Start.Line-a.Range.Start.Line)*1000 + b.Range.Start.Character - a.Range.Start.Character
	})
	for _, e := range edits {
		l := lines[e.Range.Start.Line]
		lines[e.Range.Start.Line] = l[:e.Range.Start.Character] + e.NewText + l[e.Range.End.Character:]
	}
	return strings.Join(lines, "\n")
}

func TestRenameRefusesWhatWouldBeWrong(t *testing.T) {
	c := startWith(t, map[string]string{roughFile: rough})
	text := c.open(play, "", "")
	c.waitForCases()
	for _, x := range []struct{ part, name, why string }{
		{"pe|ak:   \"option", "hard", "there would be an error"},
		{"kind: *\"pla|in\"", "simple", "no name of the ruleset here"},
		{"cite: \"Te|sts\"", "trials", "no name of the ruleset here"},
		{"pe|ak:   \"option", "two words", "a name is a small letter"},
	} {
		err := c.conn.Call(t.Context(), "textDocument/rename", renameParams{c.at(play, text, x.part), x.name}, nil)
		if err == nil || !strings.Contains(err.Error(), x.why) {
			t.Errorf("%s as %s: %v", x.part, x.name, err)
		}
	}
}

// What is known of a text that cannot be read is of an earlier one: its places are not edited, nor looked up behind the
// end.
func TestRenameOfATextThatCannotBeRead(t *testing.T) {
	c := startWith(t, map[string]string{roughFile: rough})
	text := c.open(data, "", "")
	c.open(play, "", "")
	c.waitForCases()
	rename := renameParams{c.at(data, text, "tables: bur|den: {"), "load_of"}
	if err := c.conn.Call(t.Context(), "textDocument/rename", rename, nil); err != nil {
		t.Fatal(err)
	}
	c.send(play, "package game\n\nrules: {")
	err := c.conn.Call(t.Context(), "textDocument/rename", rename, nil)
	if err == nil || !strings.Contains(err.Error(), "cannot be read as it stands") {
		t.Errorf("got %v", err)
	}
}
