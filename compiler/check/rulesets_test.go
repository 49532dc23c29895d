package check_test

import (
	"os"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
)

var shipped = []string{"haze", "supermen", "zones", "hybrid", "tempestas"}

func loaded(t testing.TB, id string) *book.Ruleset {
	var diags diag.List
	b := load.Directory(load.Source{FS: os.DirFS("../..")}, "tables/"+id, &diags)
	if b == nil {
		t.Fatalf("%s: %v", id, diags.Sorted())
	}
	return b
}

func TestShipped(t *testing.T) {
	for _, id := range shipped {
		var diags diag.List
		out := check.Check(loaded(t, id), &diags)
		for _, d := range diags.Sorted() {
			t.Errorf("%s: %s", id, d.String())
		}
		if len(out.Trees) < 100 {
			t.Errorf("%s has %d trees", id, len(out.Trees))
		}
	}
}

func BenchmarkShipped(b *testing.B) {
	var books []*book.Ruleset
	for _, id := range shipped {
		books = append(books, loaded(b, id))
	}
	for b.Loop() {
		for _, x := range books {
			check.Check(x, &diag.List{})
		}
	}
}
