package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestAlteredReceipts changes every character of a receipt: none goes unnoticed.
func TestAlteredReceipts(t *testing.T) {
	dir := t.TempDir()
	character, file := filepath.Join(dir, "ada.json"), filepath.Join(dir, "receipt.json")
	if err := os.WriteFile(character, []byte(`{"skills":{"navigation":90},"fatigue":20}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := []string{"eval", "tempestas", "test", "--character", character, "--set", "name=navigation", "--seed", "7", "--receipt", file, "--no-cache"}
	if status := Main(args, nil, &out, &errs); status != done {
		t.Fatal(errs.String())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := (&settings{}).ruleset("tempestas")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range text {
		if c == ' ' || c == '\n' {
			continue
		}
		altered := bytes.Clone(text)
		if altered[i] = c + 1; c == '9' || c == 'f' {
			altered[i] = '0'
		}
		r, err := readReceipt(altered)
		if err == nil && len(r.mismatches(p)) == 0 {
			t.Errorf("byte %d, %q instead of %q: everything matches", i, altered[i], c)
		}
	}
}
