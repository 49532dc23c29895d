package golden_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/tabletop-rules/rules/golden/gametest"
	"github.com/tabletop-rules/rules/runtime/planfile"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// TestStoredWordsAreThoseOfTheGraphs reads the words of every plan that ships out of its file, and wants those that
// scheduling the graphs of the file gives.
func TestStoredWordsAreThoseOfTheGraphs(t *testing.T) {
	for _, p := range gametest.ShippedPlans(t) {
		file := planfile.Write(p, schedule.Stored(p))
		if !bytes.Equal(file, planfile.Write(p, schedule.Stored(p))) {
			t.Errorf("%s: written twice, the bytes differ", p.Ruleset)
		}
		a, err := planfile.Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		read, err := a.Plan()
		if err != nil {
			t.Fatal(err)
		}
		words, err := a.Instructions(read)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range read.Bodies() {
			got, err := schedule.Restore(read, b, words[b.Graph])
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
