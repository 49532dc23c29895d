package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/receipt"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
	"github.com/tabletop-rules/rules/runtime"
)

// TestAlteredReceipts changes every character of receipts: none goes unnoticed.
func TestAlteredReceipts(t *testing.T) {
	if testing.Short() {
		t.Skip("each character is altered, and nothing of it runs at once")
	}
	dir := t.TempDir()
	character, events, file := filepath.Join(dir, "ada.json"), filepath.Join(dir, "day1.json"),
		filepath.Join(dir, "receipt.json")
	for name, text := range map[string]string{
		character: `{"skills":{"navigation":90},"fatigue":20}`,
		events:    `[{"event": "roll", "input": {"difficulty": "hard"}, "dice": [35]}, {"event": "roll"}]`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := programOf(t, "tempestas")
	for _, asked := range [][]string{
		{"test", "--set", "name=navigation"},
		{"task", "--set", "name=navigation", "--set", "target_value=40", "--events", events},
	} {
		var out, errs bytes.Buffer
		args := append([]string{"eval", "tempestas"}, asked...)
		if status := Main(append(args, "--character", character, "--seed", "7", "--receipt", file, "--no-cache"), nil, &out,
			&errs); status != exit.Done {
			t.Fatal(errs.String())
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := receipt.ReadReceipt(text); err != nil || len(r.FindMismatches(p)) > 0 {
			t.Fatalf("%s as it was written: %v, %v", asked[0], err, r.FindMismatches(p))
		}
		alterEach(t, p, text)
	}
}

// TestReceiptOfAnotherFace tells of a face that did not fall, with a digest that is right: the play comes to something
// else.
func TestReceiptOfAnotherFace(t *testing.T) {
	p := programOf(t, "tempestas")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "ada.json"), `{"skills":{"navigation":90},"fatigue":20}`)
	write(t, filepath.Join(dir, "day1.json"), `[{"event": "roll", "dice": [35]}]`)
	file := filepath.Join(dir, "receipt.json")
	var out, errs bytes.Buffer
	args := []string{
		"eval", "tempestas", "task", "--set", "name=navigation", "--set", "target_value=30", "--no-cache", "--receipt", file,
		"--character", filepath.Join(dir, "ada.json"), "--events", filepath.Join(dir, "day1.json"),
	}
	if status := Main(args, nil, &out, &errs); status != exit.Done {
		t.Fatal(errs.String())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := receipt.ReadReceipt(bytes.Replace(text, []byte("35\n"), []byte("95\n"), 1))
	if err != nil {
		t.Fatal(err)
	}
	r.Digest = r.ComputeDigest()
	r.Text = r.Printed()
	got := strings.Join(r.FindMismatches(p), "\n")
	if !strings.HasPrefix(got, "played again with the faces, events is ") || strings.Contains(got, "altered") {
		t.Errorf("got %s", got)
	}
}

// TestReceiptWithForeignMembers tells an outcome that did not happen in members that a receipt of its kind does not have,
// with a digest that is right: nothing would play them again, and somebody would believe them.
func TestReceiptWithForeignMembers(t *testing.T) {
	sheet := json.RawMessage(`{"output":{"success":true}}`)
	for name, r := range map[string]*receipt.Receipt{
		`a receipt of a rule has no member "sheet"`:        {Rule: "test", Sheet: sheet},
		`a receipt of a rule has no member "from"`:         {Rule: "test", From: sheet},
		`a receipt of a rule has no member "drawn"`:        {Rule: "test", Drawn: []uint64{0}},
		`a receipt of a procedure has no member "output"`:  {Procedure: "task", Output: sheet},
		`a receipt of a procedure has no member "dice"`:    {Procedure: "task", Dice: map[string][]int64{"d": {1}}},
		`a receipt of a procedure has no member "outputs"`: {Procedure: "task", Outputs: []string{"success"}},
		"and no seed that drew them":                       {Rule: "test", Given: map[string][]int64{"roll": {43}}},
		"it is of a rule and of a procedure":               {Rule: "test", Procedure: "task"},
		"it is of no rule and of no procedure":             {},
	} {
		r.Receipt = 1
		r.Digest = r.ComputeDigest()
		if _, err := receipt.ReadReceipt(r.Printed()); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// programOf compiles a ruleset that ships.
func programOf(t *testing.T, ruleset string) *runtime.Program {
	t.Helper()
	p, err := (&settings{}).CompileRuleset(ruleset)
	if err != nil {
		t.Fatal(err)
	}
	return runtime.New(p)
}

// alterEach puts something else in the place of every fourth character, with -hostile of each: in that of a blank another
// blank, which JSON does not mind.
func alterEach(t *testing.T, p *runtime.Program, text []byte) {
	for i, c := range text {
		if i%4 != 0 && !*everyHostileFile {
			continue
		}
		other := c + 1
		switch c {
		case ' ':
			other = '\n'
		case '\n':
			other = ' '
		case '9', 'f':
			other = '0'
		}
		altered := bytes.Clone(text)
		altered[i] = other
		r, err := receipt.ReadReceipt(altered)
		if err == nil && len(r.FindMismatches(p)) == 0 {
			t.Errorf("byte %d, %q instead of %q: everything matches", i, other, c)
		}
	}
}
