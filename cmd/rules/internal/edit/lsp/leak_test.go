package lsp

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/golden/portion"
)

// TestNothingPilesUp edits a ruleset to and fro, and asks everything each time: what the server holds, and the goroutines
// that it runs, are as many after many edits as after a few.
func TestNothingPilesUp(t *testing.T) {
	c := startWith(t, map[string]string{roughFile: rough})
	whole := string(c.files[play].Data)
	broken := strings.Replace(whole, "roll - peak", "roll - peek", 1)
	edit := func(times int) {
		for i := range times {
			c.send(play, []string{broken, whole}[i%2])
			c.waitForCases()
			c.askEverything(play, position{13, 20})
		}
	}
	held := func() (bytes uint64, goroutines int) {
		var m runtime.MemStats
		samples := make([]uint64, 5) // what another test has left is collected meanwhile
		for i := range samples {
			runtime.GC()
			runtime.ReadMemStats(&m)
			samples[i] = m.HeapAlloc
		}
		return slices.Min(samples), runtime.NumGoroutine()
	}
	edit(20)
	before, running := held()
	edit(portion.Of(40, 80))
	after, stillRunning := held()
	if after > before+before/4 || stillRunning > running+2 {
		t.Errorf("%d bytes and %d goroutines after 20 edits, %d and %d after more", before, running, after, stillRunning)
	}
	t.Logf("%d kB after 20 edits, %d kB after more", before>>10, after>>10)
}
