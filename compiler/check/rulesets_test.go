package check_test

import (
	"os"
	"testing"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/check"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/compiler/resolve"
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
		out := check.Run(resolve.Run(loaded(t, id), &diags), &diags)
		for _, d := range diags.Sorted() {
			t.Errorf("%s: %s", id, d.String())
		}
		for _, f := range out.Formulas {
			if f.Expr == nil || f.AST == nil {
				t.Errorf("%s: %s has no tree", id, f.Text.S)
			}
		}
	}
}

func BenchmarkShipped(b *testing.B) {
	var books []*book.Ruleset
	for _, id := range shipped {
		books = append(books, loaded(b, id))
	}
	b.Run("resolve", func(b *testing.B) {
		for b.Loop() {
			for _, x := range books {
				resolve.Run(x, &diag.List{})
			}
		}
	})
	b.Run("resolve and check", func(b *testing.B) {
		for b.Loop() {
			for _, x := range books {
				check.Run(resolve.Run(x, &diag.List{}), &diag.List{})
			}
		}
	})
}
