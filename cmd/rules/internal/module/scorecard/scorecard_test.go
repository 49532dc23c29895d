package scorecard_test

import (
	"encoding/json"
	"testing"
	"testing/fstest"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/scorecard"
)

func TestACardIsStaleOnceWhatItWasMadeFromChanges(t *testing.T) {
	files := fstest.MapFS{
		"tables/game/game.cue":       {Data: []byte("package game")},
		"golden/game/one.txtar":      {Data: []byte("rule: test")},
		"golden/game/survivors.txt":  {Data: []byte("# none")},
		"golden/other/one.txtar":     {Data: []byte("rule: other")},
		"golden/game/statements.txt": {Data: []byte("game.a | Tests")},
	}
	shelf := scorecard.Shelf{Cache: cache.Cache{Dir: t.TempDir()}, Dir: "/game", Files: files}
	if c, _ := shelf.Last("game"); c != nil {
		t.Fatalf("there is a card before anything was measured: %+v", c)
	}
	card := scorecard.Card{
		Ruleset: "game", Measured: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC), MadeFrom: shelf.Digest("game"),
		Mutants: 4, Noticed: 3, Survived: 1, Report: json.RawMessage(`[]`),
	}
	shelf.Keep(card)
	for _, step := range []struct {
		name, text string
		stale      bool
	}{
		{"golden/other/one.txtar", "rule: another", false},
		{"golden/game/statements.txt", "game.b | Tests", false},
		{"golden/game/one.txtar", "rule: rest", true},
		{"golden/game/one.txtar", "rule: test", false},
		{"golden/game/survivors.txt", "rule rest | 1 -> 2 | ours", true},
		{"golden/game/survivors.txt", "# none", false},
		{"tables/game/game.cue", "package game // changed", true},
	} {
		files[step.name] = &fstest.MapFile{Data: []byte(step.text)}
		c, stale := shelf.Last("game")
		if c == nil || c.Noticed != 3 || stale != step.stale {
			t.Errorf("after %s: %+v, stale %v, want %v", step.name, c, stale, step.stale)
		}
	}
	// What was measured while the sources changed is not kept.
	card.Noticed = 4
	shelf.Keep(card)
	if c, _ := shelf.Last("game"); c == nil || c.Noticed != 3 {
		t.Errorf("a card of other sources was kept: %+v", c)
	}
	// Another module has a ruleset of the same name, and no card.
	shelf.Dir = "/other"
	if c, _ := shelf.Last("game"); c != nil {
		t.Errorf("the card of another module was taken: %+v", c)
	}
}
