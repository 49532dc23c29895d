package vectors_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/golden/vectors"
)

// TestCorpus checks that a corpus is the same each time, is read as it was written, and has answers of all kinds.
func TestCorpus(t *testing.T) {
	c, err := vectors.MakeCorpus(150, 3, gametest.CompileSource)
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Write()
	if err != nil {
		t.Fatal(err)
	}
	read, err := vectors.ReadCorpus(text)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := read.Write(); err != nil || !bytes.Equal(again, text) {
		t.Errorf("read and written again, the corpus is not the same: %v", err)
	}
	again, err := vectors.MakeCorpus(150, 3, gametest.CompileSource)
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

// TestReadCorpusRefuses reads what is no corpus.
func TestReadCorpusRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                             "this is no corpus of generated rulesets",
		`{"format": "rules-corpus/9"}`: `its format is "rules-corpus/9", not "rules-corpus/1"`,
		`{"format": "rules-corpus/1"}`: "has no rulesets",
	} {
		if _, err := vectors.ReadCorpus([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
