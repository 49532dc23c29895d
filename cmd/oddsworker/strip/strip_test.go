package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/emit/js/jstest"
)

// runModule is a program for Node that runs a module as a system of its own, with the standard streams.
const runModule = `import { WASI } from "node:wasi";
import { readFileSync } from "node:fs";
const wasi = new WASI({ version: "preview1", returnOnExit: false });
const module = await WebAssembly.compile(readFileSync(process.argv[2]));
wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
`

// TestStrippedProgram runs a program that its table of functions keeps alive, before and after: it writes the same, and
// stops with the same message, but its trace knows no function.
func TestStrippedProgram(t *testing.T) {
	node := jstest.Node(t)
	dir := t.TempDir()
	linked, stripped := filepath.Join(dir, "linked.wasm"), filepath.Join(dir, "stripped.wasm")
	build := exec.Command("go", "build", "-o", linked, "-ldflags", "-s -w", "./testdata/probe")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	before, err := os.ReadFile(linked)
	if err != nil {
		t.Fatal(err)
	}
	after, err := strip(before)
	if err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(dir, "run.mjs")
	for name, content := range map[string][]byte{run: []byte(runModule), stripped: after} {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	output := func(module string) (written, message, trace string) {
		var out, problems bytes.Buffer
		cmd := exec.Command(node, "--no-warnings", run, module)
		cmd.Stdout, cmd.Stderr = &out, &problems
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != 2 {
			t.Fatalf("%s: %v: %s%s", module, err, out.String(), problems.String())
		}
		message, trace, _ = strings.Cut(problems.String(), "\n")
		return out.String(), message, trace
	}
	written, message, trace := output(linked)
	if !strings.Contains(written, "word 4") || !strings.Contains(message, "the last words") ||
		!strings.Contains(trace, "main.main") {
		t.Fatalf("the program before: %q, %q, %q", written, message, trace)
	}
	gotWritten, gotMessage, gotTrace := output(stripped)
	if gotWritten != written || gotMessage != message {
		t.Errorf("stripped: %q, %q\nbefore: %q, %q", gotWritten, gotMessage, written, message)
	}
	if strings.Contains(gotTrace, "main.main") || bytes.Contains(after, []byte("main.indexOrError")) {
		t.Errorf("names of functions are left; the trace: %s", gotTrace)
	}
}

// TestSegments holds that segments fill the memory that they filled before, and how many they are.
func TestSegments(t *testing.T) {
	for _, c := range []struct {
		memory   []byte
		segments int
	}{
		{nil, 0},
		{make([]byte, 100), 0},
		{[]byte{1}, 1},
		{append(make([]byte, 5000), 1), 1},
		{append(append([]byte{1}, make([]byte, longestZeros)...), 2), 1},
		{append(append([]byte{1}, make([]byte, longestZeros+1)...), 2), 2},
		{append(append([]byte{1}, make([]byte, 300)...), 2, 0, 0, 3, 0), 2},
	} {
		section := appendData(nil, c.memory)
		got, err := readData(section)
		if err != nil {
			t.Fatal(err)
		}
		if want := bytes.TrimRight(c.memory, "\x00"); !bytes.Equal(got, want) || int(section[0]) != c.segments {
			t.Errorf("%d segments of %v, want %d of %v", section[0], got, c.segments, want)
		}
	}
}

// TestNoModule holds that what is no module of Go is refused, wherever it ends.
func TestNoModule(t *testing.T) {
	module := append([]byte(header), dataSection, 7, 1, 0, i32Const, 0, end, 1, 5)
	for n := range len(module) + 1 {
		if out, err := strip(module[:n]); err == nil {
			t.Errorf("%d bytes: %v", n, out)
		}
	}
	large := append(append([]byte{}, tableMark...), bytes.Repeat([]byte{0xff}, 200)...)
	if err := blankTraces(large); err != errNoTable {
		t.Errorf("offsets that lead out of the table: %v", err)
	}
}
