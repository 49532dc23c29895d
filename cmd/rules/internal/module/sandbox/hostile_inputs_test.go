package sandbox

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// hostileInputs are kept beside the package that reads CUE. Files are as they are; a generated input is parts that are
// repeated, with {i} for the number of the turn and {j} for the one before.
const hostileInputs = "../../../../../compiler/load/testdata/hostile"

type hostileInput struct {
	Name  string
	Parts []hostilePart
}

type hostilePart struct {
	Text     string
	From, To int
	Between  string
}

func (h *hostileInput) text() string {
	var b strings.Builder
	for _, p := range h.Parts {
		if p.To == 0 {
			b.WriteString(p.Text)
			continue
		}
		for i := p.From; i <= p.To; i++ {
			if i > p.From {
				b.WriteString(p.Between)
			}
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(p.Text, "{i}", strconv.Itoa(i)), "{j}", strconv.Itoa(i-1)))
		}
	}
	return b.String()
}

// readHostile returns the hostile inputs by their names. Their texts are made by whoever compiles one: some are megabytes.
func readHostile(t *testing.T) map[string]*hostileInput {
	t.Helper()
	out := map[string]*hostileInput{}
	files, err := filepath.Glob(hostileInputs + "/*.cue")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no hostile inputs", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(name), ".cue")
		out[name] = &hostileInput{name, []hostilePart{{Text: string(text)}}}
	}
	data, err := os.ReadFile(hostileInputs + "/generated.json")
	if err != nil {
		t.Fatal(err)
	}
	var generated []hostileInput
	if err := json.Unmarshal(data, &generated); err != nil {
		t.Fatal(err)
	}
	for i := range generated {
		out[generated[i].Name] = &generated[i]
	}
	return out
}
