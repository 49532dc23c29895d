package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestNothingIsWrittenOverItsInput names one file twice. The input stays as it is.
func TestNothingIsWrittenOverItsInput(t *testing.T) {
	b := need(t)
	dir := t.TempDir()
	in, link := filepath.Join(dir, "crowd.ndjson"), filepath.Join(dir, "link.ndjson")
	text := lines(muster(10, false))
	writeText(t, in, text)
	if err := os.Symlink(in, link); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(dir, "out.ndjson")
	for _, args := range [][]string{
		{in, "-o", in}, {in, "-o", link}, {link, "-o", in}, {in, "-o", out, "--dead", in}, {in, "-o", out, "--dead", out},
	} {
		status, _, said := population(t, nil, append([]string{"eval", b.plan("arena"), "flurry"}, args...)...)
		if status != unasked || !strings.Contains(said, "would be written over") || string(readText(t, in)) != string(text) {
			t.Errorf("%v: status %d: %s", args, status, said)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("there is an answer")
	}
}

// TestDamagedColumns alters bytes of files: each is answered or refused, and none ends the program. A few of the seeds did.
func TestDamagedColumns(t *testing.T) {
	b := need(t)
	dir := t.TempDir()
	list := muster(300, true)
	for _, ext := range []string{"arrow", "arrows", "parquet"} {
		whole := filepath.Join(dir, "whole."+ext)
		writeColumns(t, whole, schemaFor(t, b.plan("arena"), "flurry", true), list, 100)
		text := readText(t, whole)
		for seed := range uint64(60) {
			damaged := append([]byte(nil), text...)
			r := rand.New(rand.NewPCG(seed, 1))
			for range 1 + seed%8 {
				damaged[r.IntN(len(damaged))] ^= 1 << r.IntN(8)
			}
			in := filepath.Join(dir, "damaged."+ext)
			writeText(t, in, damaged)
			status, _, said := population(t, nil, "eval", b.plan("arena"), "flurry", in, "-o", filepath.Join(dir, "out.ndjson"),
				"--seed", "7")
			if status == unasked && said == "" {
				t.Errorf("%s, seed %d: it is refused without a word", ext, seed)
			}
		}
	}
}

// TestPipesDoNotHang names pipes that nobody writes to.
func TestPipesDoNotHang(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("pipes have no names in directories")
	}
	b := need(t)
	dir := t.TempDir()
	for ext, want := range map[string]string{"parquet": "is a pipe", "arrow": "is a pipe", "csv": "the file is empty",
		"arrows": "this is no Arrow stream"} {
		in := filepath.Join(dir, "pipe."+ext)
		if err := syscall.Mkfifo(in, 0o600); err != nil {
			t.Fatal(err)
		}
		said := make(chan string)
		go func() {
			_, _, text := population(t, nil, "eval", b.plan("arena"), "flurry", in, "-o", filepath.Join(dir, "out.ndjson"))
			said <- text
		}()
		select {
		case text := <-said:
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s", ext, text)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: it waits", ext)
		}
	}
}

// TestLargeRows gives rows of text that are too long or too wide, and looks at what they take.
func TestLargeRows(t *testing.T) {
	b := need(t)
	dir := t.TempDir()
	var wide strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&wide, "skills.s%d,", i)
	}
	for name, c := range map[string]struct{ text, want string }{
		"a cell of 64 MB": {"nick\n\"" + strings.Repeat("x", 64<<20) + "\"\n", "a row has more than 2097152 bytes"},
		"100,000 columns": {wide.String() + "strength\n", "may have 10000"},
	} {
		in := filepath.Join(dir, "large.csv")
		writeText(t, in, []byte(c.text))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		status, _, said := population(t, nil, "eval", b.plan("arena"), "flurry", in, "-o", filepath.Join(dir, "out.ndjson"))
		runtime.ReadMemStats(&after)
		if status != unasked || !strings.Contains(said, c.want) {
			t.Errorf("%s: status %d: %.300s", name, status, said)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 64<<20 {
			t.Errorf("%s takes %d bytes", name, took)
		}
	}
}

// TestLeftoversAreOverwritten has what a run left that was killed: the next one of the same file leaves nothing beside it,
// and one that still runs is not disturbed.
func TestLeftoversAreOverwritten(t *testing.T) {
	b := need(t)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "crowd.ndjson"), filepath.Join(dir, "out.ndjson")
	partial := filepath.Join(dir, ".out.ndjson.partial")
	writeText(t, in, lines(muster(10, false)))
	writeText(t, partial, []byte("half of what was to be written, and more than the answers have at their end"))
	eval := func() (int, string) {
		status, _, said := population(t, nil, "eval", b.plan("arena"), "flurry", in, "-o", out, "--dead", "-", "--seed", "7")
		return status, said
	}
	eval()
	if _, err := os.Stat(partial); err == nil || strings.Contains(string(readText(t, out)), "half of what") {
		t.Error("what was left is still there")
	}
	if runtime.GOOS == "windows" {
		return
	}
	f, err := openPartial(partial)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if status, said := eval(); status != unasked || !strings.Contains(said, "another run is writing it") {
		t.Errorf("beside another run: status %d: %s", status, said)
	}
}
