package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/population/internal/source"
)

// The schema tells columns, types and bounds; an empty file with it can be read, and gives no answers.
func TestSchema(t *testing.T) {
	b := need(t)
	_, text, _ := population(t, nil, "schema", b.plan("arena"), "strike")
	for _, want := range []string{
		"strength                     int64; at least 1; at most 20\n",
		"speed                        float64; more than 0\n",
		"trade                        utf8; one of smith, bard, thief\n",
		"home.floor                   int64; at least -3; at most 9\n",
		"scars                        map of int64, may be null; default {}\n",
		"input.foe                    int64, may be null; default 10; at least 0; at most 30\n",
		"pace                         float64\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	_, text, _ = population(t, nil, "schema", b.plan("arena"), "flurry", "--format", "json")
	var both map[string][]jsonColumn
	if err := json.Unmarshal([]byte(text), &both); err != nil || len(both["reads"]) != 10 ||
		both["writes"][1].Type != "list of int64" {
		t.Errorf("%v: %s", err, text)
	}
	for _, ext := range []string{"parquet", "arrow", "arrows", "csv"} {
		empty, out := filepath.Join(t.TempDir(), "empty."+ext), filepath.Join(t.TempDir(), "out.parquet")
		if status, _, said := population(t, nil, "schema", b.plan("arena"), "strike", "-o", empty); status != done {
			t.Fatalf("%s: %s", ext, said)
		}
		status, _, said := population(t, nil, "eval", b.plan("arena"), "strike", empty, "-o", out, "--seed", "1")
		if status != done {
			t.Errorf("%s: status %d: %s", ext, status, said)
		}
		if rows := rowsOf(t, out); len(rows) != 0 {
			t.Errorf("%s: %d rows of nothing", ext, len(rows))
		}
	}
	if _, err := source.FormatOf("x.txt", ""); err == nil {
		t.Error("x.txt has a format")
	}
}
