//go:build linux

package sandbox

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var allHostile = flag.Bool("hostile", false, "compile every hostile input, and not only a sample")

// TestHostile compiles hostile inputs as homebrews: each ends within the bounds, with a plan or with a coded diagnostic. It
// prints the time of the processor, the memory and the code of each. Without -hostile it takes every fifth.
func TestHostile(t *testing.T) {
	inputs := readHostile(t)
	var names []string
	for name := range inputs {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		if !*allHostile && (testing.Short() && i%12 != 0 || i%5 != 0) {
			continue
		}
		t.Run(name, func(t *testing.T) { compileHostile(t, inputs[name].text()) })
	}
}

func compileHostile(t *testing.T, input string) {
	text := input
	if !strings.Contains(input, "package ") {
		text = "package house\n\n" + input
	}
	house := writeHouse(t, text+"\nid: \"house\"\ntitle: \"House\"\nruleset: \"haze\"\n")
	began := time.Now()
	worker, refused := startWorker(house.Dir)
	if refused != nil {
		t.Fatal(refused.message)
	}
	data, refused := worker.ask(t.Context(), &request{Task: homebrewTask, Only: []string{"haze"}, Homebrews: []Module{house}})
	if refused == nil {
		worker.close()
	}
	state := worker.command.ProcessState
	used := state.UserTime() + state.SystemTime()
	memory := int64(0)
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		memory = int64(usage.Maxrss) >> 10 // KiB on Linux
	}
	said := "compiles"
	switch {
	case refused != nil:
		if strings.HasPrefix(refused.message, "the worker") {
			t.Errorf("it ends without a reason: %s", refused.message)
		}
		said = "evaluation-limit: " + refused.message
	default:
		r, broken := decodeReply(data, &receivedPlans{})
		if broken != nil {
			t.Fatal(broken.message)
		}
		if len(r.Diagnostics) > 0 {
			said = string(r.Diagnostics[0].Code) + " at " + fmt.Sprint(r.Diagnostics[0].Place)
		}
	}
	t.Logf("%9d bytes %6d ms of the processor %6d ms %4d MiB  %s", len(input), used.Milliseconds(),
		time.Since(began).Milliseconds(), memory, said)
	if used > 5*time.Second*detectorSlowdown { // its limit, its start, and its end, which comes late on a busy machine
		t.Errorf("it takes %v", used)
	}
	if memory > 560 {
		t.Errorf("it takes %d MiB", memory)
	}
}
