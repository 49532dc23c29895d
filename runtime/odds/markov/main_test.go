package markov_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets garbage grow to four times what lives: the tests follow thousands of states, and a quarter of
// their time would go to collecting.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
