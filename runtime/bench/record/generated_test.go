package record

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/tabletop-rules/rules/runtime/emit/golang"
	"github.com/tabletop-rules/rules/runtime/plan"
)

var update = flag.Bool("update", false, "write package blow anew")

// Package blow is what rules generate go writes of the ruleset.
func TestGeneratedGo(t *testing.T) {
	p, err := Plan()
	if err != nil {
		t.Fatal(err)
	}
	files, _, err := golang.Generate(p, nil, golang.Package{Name: "blow"}, []*plan.Rule{p.Rule("blow")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := filepath.Join("..", "blow", f.Name)
		if *update {
			if err := os.WriteFile(name, []byte(f.Text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := os.ReadFile(name); err != nil || string(text) != f.Text {
			t.Errorf("%s is not what is generated (-update writes it): %v", name, err)
		}
	}
}
