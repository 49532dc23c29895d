package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// BenchmarkDiagnostics measures how long after a pause diagnostics come, of the largest ruleset that ships: a name that is
// mistyped is seen, and seen to be mended. The pause is a millisecond.
func BenchmarkDiagnostics(b *testing.B) {
	const file, root = "tables/hybrid/ch5_combat.cue", "../../../../.."
	dir, err := filepath.Abs(root)
	if err != nil {
		b.Fatal(err)
	}
	o := Options{Root: dir, Trusts: everyDirectory}
	c := startOn(b, o, fstest.MapFS{})
	text, err := os.ReadFile(root + "/" + file)
	if err != nil {
		b.Fatal(err)
	}
	whole := string(text)
	broken := strings.Replace(whole, `"input.called == 'none'`, `"input.caled == 'none'`, 1)
	for _, x := range []struct {
		name, before, typed string
		wrong               bool
	}{{"mistyped", whole, broken, true}, {"mended", broken, whole, false}} {
		b.Run(x.name, func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				c.send(file, x.before)
				c.waitForCases()
				b.StartTimer()
				c.send(file, x.typed)
				c.until(file, func(l []diagnostic) bool { return len(l) > 0 == x.wrong })
				b.StopTimer()
				c.waitForCases()
				b.StartTimer()
			}
		})
	}
}
