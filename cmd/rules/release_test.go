package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/scaffold"
	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
)

// TestReleasesAtOnce lets processes release the same at the same time, and then what differs: the same is there once, and
// of what differs one is refused.
func TestReleasesAtOnce(t *testing.T) {
	const many = 4
	dir := t.TempDir()
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			if out, err := exec.Command("rules", "release", "haze", "-o", dir).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	all.Wait()
	wantFiles(t, dir, ".releases.lock", "haze-0.2.0.rules")

	var codes [2]int
	other := t.TempDir()
	for i := range codes {
		module := filepath.Join(t.TempDir(), "small")
		if err := scaffold.WriteModule(module, scaffold.Seedling, "NAME", "small", "leaping over things",
			fmt.Sprint("leaping over ", i, " things")); err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			c := exec.Command("rules", "release", "--dir", module, "-o", other)
			_ = c.Run()
			codes[i] = c.ProcessState.ExitCode()
		})
	}
	all.Wait()
	if codes[0]+codes[1] != 1 {
		t.Errorf("the statuses are %v, want one 0 and one 1", codes)
	}
	wantFiles(t, other, ".releases.lock", "small-0.1.0.rules")
}

// TestReleaseIsTheSameEverywhere releases in other places, time zones, languages and homes, on one core and on many, by the
// command and in this process: the bytes are the same.
func TestReleaseIsTheSameEverywhere(t *testing.T) {
	module := t.TempDir()
	if err := os.CopyFS(module, rules.Files); err != nil {
		t.Fatal(err)
	}
	release := func(in string, args, env []string) string {
		t.Helper()
		out := t.TempDir()
		c := exec.Command("rules", append([]string{"release", "tempestas", "-o", out}, args...)...)
		c.Dir, c.Env = in, append(os.Environ(), env...)
		if said, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		return readRelease010(t, out)
	}
	want := release(t.TempDir(), nil, nil)
	for name, got := range map[string]string{
		"elsewhere":   release(module, nil, []string{"TZ=Pacific/Kiritimati", "LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8"}),
		"from afar":   release(t.TempDir(), []string{"--dir", module}, []string{"HOME=" + t.TempDir(), "USER=nobody", "TZ=UTC"}),
		"on one core": release(t.TempDir(), nil, []string{"GOMAXPROCS=1", "SOURCE_DATE_EPOCH=1"}),
		"on many":     release(t.TempDir(), nil, []string{"GOMAXPROCS=7", "TMPDIR=" + t.TempDir()}),
		"in this one": releasedHere(t),
	} {
		if got != want {
			t.Errorf("%s: %d bytes that are not the %d of here", name, len(got), len(want))
		}
	}
}

func releasedHere(t *testing.T) string {
	t.Helper()
	out := t.TempDir()
	var said bytes.Buffer
	if status := Main([]string{"release", "tempestas", "-o", out}, strings.NewReader(""), &said, &said); status != exit.Done {
		t.Fatal(said.String())
	}
	return readRelease010(t, out)
}

func readRelease010(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "tempestas-0.2.0.rules"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the directory holds %v, want %v", got, want)
	}
}
