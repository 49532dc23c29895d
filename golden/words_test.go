package golden_test

import (
	"bytes"
	"os"
	"reflect"
	"testing"

	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// TestStoredWordsAreThoseOfTheGraphs reads the words of every plan that ships out of its file, and wants those that
// scheduling the graphs of the file gives.
func TestStoredWordsAreThoseOfTheGraphs(t *testing.T) {
	plans, _ := compiler.Release(load.Source{FS: os.DirFS("..")}, compiler.Options{})
	for _, p := range plans {
		file := plan.Write(p, schedule.Stored(p))
		if !bytes.Equal(file, plan.Write(p, schedule.Stored(p))) {
			t.Errorf("%s: written twice, the bytes differ", p.Ruleset)
		}
		read, words := storedWords(t, file)
		bodies := read.Bodies()
		if len(words) != len(bodies) {
			t.Fatalf("%s: %d bodies have words, not %d", p.Ruleset, len(words), len(bodies))
		}
		for i, b := range bodies {
			got, err := schedule.Restore(read, b, words[i])
			if err != nil {
				t.Fatal(err)
			}
			want, err := schedule.Default(read, b, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) || got.String() != want.String() {
				t.Errorf("%s, %s: the words differ:\n got %v\nwant %v", p.Ruleset, b.Title, got, want)
			}
		}
	}
}

// storedWords reads a plan part by part, and the words of its bodies.
func storedWords(t *testing.T, file []byte) (*plan.Plan, [][]int64) {
	t.Helper()
	a, err := plan.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.Outline()
	if err != nil {
		t.Fatal(err)
	}
	var out [][]int64
	keep := func(words [][]int64, err error) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, words...)
	}
	for i := range p.Rules {
		if _, err := a.Rule(i); err != nil {
			t.Fatal(err)
		}
		keep(a.RuleWords(i))
	}
	for i := range p.Procedures {
		if _, err := a.Procedure(i); err != nil {
			t.Fatal(err)
		}
		keep(a.ProcedureWords(i))
	}
	return p, out
}
