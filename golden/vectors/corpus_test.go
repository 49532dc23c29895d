package vectors_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/generated"
	"github.com/tabletop-rules/rules/golden/vectors"
)

// TestCorpus checks that a corpus is the same each time, is read as it was written, and has answers of all kinds.
func TestCorpus(t *testing.T) {
	c, err := vectors.MakeCorpus(200, 3, gametest.CompileSource)
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Write()
	if err != nil {
		t.Fatal(err)
	}
	validate(t, text)
	read, err := vectors.ReadCorpus(text)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := read.Write(); err != nil || !bytes.Equal(again, text) {
		t.Errorf("read and written again, the corpus is not the same: %v", err)
	}
	again, err := vectors.MakeCorpus(200, 3, gametest.CompileSource)
	if err != nil {
		t.Fatal(err)
	}
	if twice, err := again.Write(); err != nil || !bytes.Equal(twice, text) {
		t.Errorf("made twice, the corpus is not the same: %v", err)
	}
	kinds := map[string]int{}
	for _, r := range c.Rulesets {
		var ids []string
		for _, v := range r.Vectors {
			kind, _, _ := strings.Cut(strings.TrimPrefix(string(v.Want), `{"`), `"`)
			kinds[string(v.Kind)+" "+kind]++
			ids = append(ids, v.ID)
		}
		slices.Sort(ids)
		if len(slices.Compact(ids)) != len(r.Vectors) {
			t.Errorf("seed %d: two vectors have one id", r.Seed)
		}
	}
	for _, want := range []string{"rule sheet", "rule refused", "rule failed", "procedure sheet", "procedure refused", "odds odds"} {
		if kinds[want] == 0 {
			t.Errorf("of %v none is a %s", kinds, want)
		}
	}
}

// TestSeedsGenerateTheSame holds the version of the format to what seeds generate: a port that has a corpus of some version
// may make the same one again.
func TestSeedsGenerateTheSame(t *testing.T) {
	const format, digest = "rules-corpus/23", "3179ceeb4a4b33b5fb81e40b45cc60554d0a9460acd169e82a7fa5e82198d899"
	h := sha256.New()
	for seed := range uint64(200) {
		io.WriteString(h, generated.New(seed).Ruleset())
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != digest || vectors.CorpusFormat != format {
		t.Errorf("%s generates sources of the digest %s: if a seed generates something else now, the format has a new number", vectors.CorpusFormat, got)
	}
}

// TestSchemaRefuses holds the schema to documents that are not as it says: what a port is not told of does not stand there.
func TestSchemaRefuses(t *testing.T) {
	const ruleset = `{"seed": 1, "source": "package game", "digest": "sha256:1", "options": {}, "vectors": [{"id": "a", "kind": "rule",
		"subject": "a", "character": {}, "input": {}, "cite": "", "case": "", "want": {"failed": {}}}]}`
	corpus := `{"format": "rules-corpus/23", "about": [], "seed": 1, "rulesets": [` + ruleset + `]}`
	validate(t, []byte(corpus))
	for old, new := range map[string]string{
		`rules-corpus/23`: `rules-corpus/2`, `"seed": 1, "rulesets"`: `"rulesets"`, `{"failed": {}}`: `{"failed": {}, "sheet": {}}`,
		`"kind": "rule"`: `"kind": "table"`, `"options": {},`: `"options": {"edge": 1},`, `"digest": "sha256:1",`: ``,
		`[` + ruleset + `]`: `[]`,
	} {
		if err := fit(t, []byte(strings.Replace(corpus, old, new, 1))); err == nil {
			t.Errorf("with %s for %s it fits", new, old)
		}
	}
}

// TestReadCorpusRefuses reads what is no corpus.
func TestReadCorpusRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                              "this is no corpus of generated rulesets",
		`{"format": "rules-corpus/24"}`: `its format is "rules-corpus/24", not "rules-corpus/23"`,
		`{"format": "rules-corpus/23"}`: "has no rulesets",
	} {
		if _, err := vectors.ReadCorpus([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
