//go:build linux

package sandbox

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

var allHostile = flag.Bool("hostile", false, "compile every hostile input, and not only a sample")

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
		worker.end()
	}
	state := worker.command.ProcessState
	used := state.UserTime() + state.SystemTime()
	memory := int64(0)
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		memory = usage.Maxrss >> 10 // KiB on Linux
	}
	said := "compiles"
	switch {
	case refused != nil:
		if strings.HasPrefix(refused.message, "the worker") {
			t.Errorf("it ends without a reason: %s", refused.message)
		}
		said = "evaluation-limit: " + refused.message
	default:
		r, broken := decodeReply(data, &unpacked{})
		if broken != nil {
			t.Fatal(broken.message)
		}
		if len(r.Diagnostics) > 0 {
			said = string(r.Diagnostics[0].Code) + " at " + fmt.Sprint(r.Diagnostics[0].Place)
		}
	}
	t.Logf("%9d bytes %6d ms of the processor %6d ms %4d MiB  %s", len(input), used.Milliseconds(),
		time.Since(began).Milliseconds(), memory, said)
	if used > 4*time.Second*detectorSlowdown {
		t.Errorf("it takes %v", used)
	}
	if memory > 560 {
		t.Errorf("it takes %d MiB", memory)
	}
}
