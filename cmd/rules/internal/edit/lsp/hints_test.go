package lsp

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/scorecard"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// hints are the labels of the inlay hints of a file.
func (c *client) hints(name string) []string {
	c.t.Helper()
	var list []inlayHint
	c.call("textDocument/inlayHint",
		inlayHintParams{textDocument{c.uri(name)}, span{position{}, position{Line: 999}}}, &list)
	var out []string
	for _, h := range list {
		out = append(out, h.Label)
	}
	return out
}

// TestOddsForAChosenCharacter shows when beyond is at most 0: the peak is the level, so at level 5 with 5 of 100 faces,
// and at level 9 with 9.
func TestOddsForAChosenCharacter(t *testing.T) {
	c := startWith(t, map[string]string{roughFile: rough, "golden/game/old.json": `{"level": 9, "skills": {}}`,
		"golden/game/old_test.json": `{"load": "heavy"}`, "golden/other/new.json": `{"level": 1, "skills": {}}`})
	text := c.open(play, "", "")
	c.waitForCases()
	if got := c.hints(play); !slices.Equal(got, []string{"5.0 %"}) {
		t.Fatalf("for the case: %q", got)
	}
	var titles []string
	var choose *command
	for _, a := range c.actionsAt(play, text, "rules: te|st") {
		titles = append(titles, a.Title)
		if a.Title == "show odds for old" {
			choose = a.Command
		}
	}
	if want := []string{"show odds for old", "show odds for the characters of the cases"}; !slices.Equal(titles, want) {
		t.Fatalf("it offers %q", titles)
	}
	c.call("workspace/executeCommand", choose, nil)
	c.waitForCases() // the client is told to ask again
	if got := c.hints(play); !slices.Equal(got, []string{"9.0 %"}) {
		t.Errorf("for the chosen one: %q", got)
	}
	var p configurationParams
	other := "golden/other/new.json" // of another ruleset
	p.Settings.Rules.Character = &other
	if err := c.conn.Notify(t.Context(), "workspace/didChangeConfiguration", p); err != nil {
		t.Fatal(err)
	}
	if got := c.hints(play); !slices.Equal(got, []string{"5.0 %"}) {
		t.Errorf("for one of another ruleset: %q", got)
	}
	for _, settings := range []string{`{"settings": {"character": "golden/game/old.json"}}`, `{"settings": {"rules": {}}}`,
		`{"settings": null}`} { // as Helix has it; and what says nothing of it
		if err := c.conn.Notify(t.Context(), "workspace/didChangeConfiguration", json.RawMessage(settings)); err != nil {
			t.Fatal(err)
		}
		if got := c.hints(play); !slices.Equal(got, []string{"9.0 %"}) {
			t.Errorf("after %s: %q", settings, got)
		}
	}
	err := c.conn.Call(t.Context(), "workspace/executeCommand", executeCommandParams{chooseCharacter, []string{"../x.json"}},
		nil)
	if err == nil || !strings.Contains(err.Error(), "there is no character in ../x.json") {
		t.Errorf("got %v", err)
	}
}

func TestRevisionsAreHinted(t *testing.T) {
	files := module(t)
	plans, diags := compiler.Release(load.Source{FS: files}, compiler.Options{})
	if len(plans) != 1 {
		t.Fatal(diags)
	}
	o := Options{Root: writeTree(t, files), Trusts: everyDirectory, Earlier: func() []*planfile.Release {
		return []*planfile.Release{{Plan: plans[0]}}
	}}
	c := startOn(t, o, files)
	text := c.open("rules.cue", "", "")
	c.waitForCases()
	if got := c.hints("rules.cue"); !slices.Equal(got, []string{"as 0.1.0 was released"}) {
		t.Errorf("before the change: %q", got)
	}
	c.open(data, "heavy: points: 30", "heavy: points: 40")
	c.waitForCases()
	if got := c.hints("rules.cue"); !slices.Equal(got, []string{"at least 0.2.0: the change is NUMBERS"}) {
		t.Errorf("after the change: %q", got)
	}
	var list []inlayHint
	c.call("textDocument/inlayHint", inlayHintParams{textDocument{c.uri("rules.cue")}, span{position{}, position{Line: 99}}},
		&list)
	// rulesets: "game": {rules: game, revision: "0.1.0"} stands on line 9; the number ends behind 49 characters.
	if at := (position{8, 49}); len(list) != 1 || list[0].Position != at ||
		!strings.Contains(list[0].Tooltip, "table burden changed") {
		t.Errorf("got %+v", list)
	}
	c.send("rules.cue", strings.Replace(text, `"0.1.0"`, `"0.2.0"`, 1))
	c.waitForCases()
	if got := c.hints("rules.cue"); !slices.Equal(got, []string{"follows 0.1.0: the change is NUMBERS"}) {
		t.Errorf("with the number: %q", got)
	}
}

func TestSurvivorsOfTheLastMeasurement(t *testing.T) {
	files := module(t)
	o := Options{Root: writeTree(t, files), Trusts: everyDirectory, Cache: cache.Cache{Dir: t.TempDir()}}
	shelf := scorecard.Shelf{Cache: o.Cache, Dir: o.Root, Files: os.DirFS(o.Root)}
	report := `[{"ruleset": "game", "mutants": [
		{"place": "tables/game/play.cue:17:11", "what": "rule test, output value", "was": "10", "now": "11",
			"outcome": "survived"},
		{"place": "tables/game/play.cue:14:12", "what": "rule test, let beyond", "was": "-", "now": "+", "outcome": "noticed"},
		{"place": "tables/game/play.cue:14:12", "what": "rule tester", "was": "-", "now": "+", "outcome": "survived"}]}]`
	shelf.Keep(scorecard.Card{Ruleset: "game", Measured: time.Unix(0, 0), MadeFrom: shelf.Digest("game"),
		Report: json.RawMessage(report)})
	c := startOn(t, o, files)
	lenses := func() (out []codeLens) {
		t.Helper()
		c.call("textDocument/codeLens", documentParams{textDocument{c.uri(play)}}, &out)
		return slices.DeleteFunc(out, func(l codeLens) bool { return l.Command.Command != showSurvivors })
	}
	c.open(play, "", "")
	list := lenses()
	if len(list) != 1 || list[0].Command.Title != "1 change survives" {
		t.Fatalf("got %+v", list)
	}
	c.call("workspace/executeCommand", list[0].Command, nil)
	want := "rule test: 1 change survives\ntables/game/play.cue:17:11: rule test, output value: 11 instead of 10"
	if m := c.message(); m.Message != want {
		t.Errorf("got %q", m.Message)
	}
	c.open(play, "beyond <= 0", "beyond <= 1")
	if list := lenses(); len(list) != 0 {
		t.Errorf("of another text: %+v", list)
	}
}

func TestUsersOfARow(t *testing.T) {
	c := start(t)
	text := c.open(play, `"beyond <= 0"`,
		`"beyond <= 0 && burden('heavy') > 1 && burden('light') < 9 && input.load == 'heavy'"`)
	own := c.open(data, "", "")
	var list []location
	c.call("textDocument/references", c.at(data, own, "hea|vy: points"), &list)
	var got []string
	for _, l := range list {
		file := strings.TrimPrefix(l.URI, c.uri(""))
		lines := strings.Split(map[string]string{data: own, play: text, burdenFile: burdenCase}[file], "\n")
		got = append(got, file+" "+lines[l.Range.Start.Line][l.Range.Start.Character:l.Range.End.Character])
	}
	slices.Sort(got)
	// Its name; the function hindrance, which looks up the load that it is given; where it is written out, in a case too.
	want := []string{burdenFile + " heavy", data + " burden", data + " heavy", play + " heavy", play + " heavy"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
