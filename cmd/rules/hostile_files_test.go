//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// someHostile is all of a list, or one of it, another for each number.
func someHostile(list []string, number int) []string {
	if *everyHostileFile {
		return list
	}
	return list[number%len(list):][:1]
}

// namedFiles are command lines that name a file, in the place of the @.
var namedFiles = []string{
	"eval haze check --character @", "eval haze check --character mara.json --input @",
	"eval haze check --character mara.json --dice @", "eval tempestas task --character mara.json --events @",
	"eval haze check --ndjson @", "eval haze check --plan @", "eval tempestas task --state @",
	"odds haze check --character @", "odds haze check --character mara.json --input @", "odds haze check --plan @",
	"odds tempestas task --state @ --policy roll:true", "seek haze check --character @", "seek haze check --plan @",
	"verify @", "verify receipt.json --plan @", "verify signed.rules", "plan --plan @ check", "release --read @",
	"release haze --against @", "release haze --sign @", "breaking --against @", "diff @ git:HEAD", "diff . @",
}

// namedDirs are command lines that name a directory, in the place of the @.
var namedDirs = []string{
	"vet @", "vet --dir @", "list --dir @", "show haze check --dir @", "test --dir @", "test haze --cases @",
	"eval haze check --dir @ --character mara.json", "eval haze check --with @ --character mara.json",
	"odds haze check --with @ --character mara.json", "build haze --dir @ -o -", "schema haze --dir @",
	"eval haze check --plan @ --character mara.json", "verify receipt.json --plan @", "diff @ . --characters @",
	"release --dir @", "breaking --against @",
}

// hostileFiles makes a file of every kind that is none to be read, and gives their names.
func hostileFiles(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	add := func(name string, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, filepath.Join(dir, name))
	}
	add("pipe", syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
	sparse, err := os.Create(filepath.Join(dir, "sparse"))
	if err == nil {
		err = sparse.Truncate(200 << 30)
		sparse.Close()
	}
	add("sparse", err)
	add("device", os.Symlink("/dev/zero", filepath.Join(dir, "device")))
	add("loop", os.Symlink("loop", filepath.Join(dir, "loop")))
	add("dangling", os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	add("directory", os.Mkdir(filepath.Join(dir, "directory"), 0o700))
	if os.Getuid() != 0 { // who may read everything
		add("unreadable", os.WriteFile(filepath.Join(dir, "unreadable"), nil, 0))
	}
	return out
}

// runContained runs the command and wants it to end at once, with a status that is not 0, a message, and little memory.
func runContained(t *testing.T, dir, line string) {
	t.Helper()
	const (
		maxTime   = 10 * time.Second // of a machine that is busy with other tests
		maxMemory = 400 << 10        // KiB
	)
	ctx, cancel := context.WithTimeout(t.Context(), 3*maxTime)
	defer cancel()
	peak := filepath.Join(t.TempDir(), "peak")
	c := exec.CommandContext(ctx, "measured", append([]string{peak, "rules"}, strings.Fields(line)...)...)
	var said bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &said, &said
	c.Env = append(os.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	began := time.Now()
	_ = c.Run()
	took := time.Since(began)
	memory, err := os.ReadFile(peak)
	if err != nil {
		t.Fatal(err)
	}
	kib, err := strconv.Atoi(string(memory))
	if err != nil {
		t.Fatal(err)
	}
	switch status := c.ProcessState.ExitCode(); {
	case status != 1 && status != 2:
		t.Errorf("%s: status %d, %.300s", line, status, said.String())
	case took > maxTime:
		t.Errorf("%s takes %v", line, took)
	case kib > maxMemory:
		t.Errorf("%s takes %d KiB", line, kib)
	case said.Len() == 0 || said.Len() > 64<<10 || strings.Contains(said.String(), "goroutine "):
		t.Errorf("%s: %.300q", line, said.String())
	}
}

// TestHostileFiles puts what is no file to be read behind every flag and argument that names one.
func TestHostileFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("each pair runs the command as a process of its own")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mara.json"), "{}")
	write(t, filepath.Join(dir, "receipt.json"), `{"receipt":1,"ruleset":"haze","rule":"check"}`)
	write(t, filepath.Join(dir, "signed.rules"), "rules release\n")
	files := hostileFiles(t, dir)
	for i, line := range namedFiles {
		for _, file := range someHostile(files, i) {
			if !strings.Contains(line, "@") { // a signature file beside the file that is named
				_ = os.Remove(filepath.Join(dir, "signed.rules.sig"))
				if err := os.Symlink(file, filepath.Join(dir, "signed.rules.sig")); err != nil {
					t.Fatal(err)
				}
			}
			runContained(t, dir, strings.ReplaceAll(line, "@", file))
		}
	}
}

// TestHostileDirectories puts directories with what is no file to be read, with very many files, and what is no directory
// behind every flag and argument that names one.
func TestHostileDirectories(t *testing.T) {
	if testing.Short() {
		t.Skip("each pair runs the command as a process of its own")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mara.json"), "{}")
	write(t, filepath.Join(dir, "receipt.json"), `{"receipt":1,"ruleset":"haze","rule":"check"}`)
	for _, tree := range []string{"many", "odd"} {
		for _, below := range []string{"cue.mod", "golden/haze", "tables/haze"} {
			if err := os.MkdirAll(filepath.Join(dir, tree, below), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		write(t, filepath.Join(dir, tree, "cue.mod/module.cue"), "module: \"example.com/x@v0\"\nlanguage: version: \"v0.16.0\"\n")
	}
	write(t, filepath.Join(dir, "many/rules.cue"), "package rules\n\nimport \"example.com/x/tables/haze\"\n\n"+
		"rulesets: \"haze\": {rules: haze, revision: \"0.1.0\"}\n")
	for i := range 20_000 {
		name := fmt.Sprintf("many/tables/haze/f%d.cue", i)
		switch i % 4 {
		case 1:
			name = fmt.Sprintf("many/f%d.rules", i)
		case 2:
			name = fmt.Sprintf("many/golden/haze/f%d.txtar", i)
		}
		write(t, filepath.Join(dir, name), "package haze\n")
	}
	for place, name := range map[string]string{
		"": "rules.cue", "cue.mod": "more.cue", "golden/haze": "a.txtar", "tables/haze": "a.cue",
	} {
		for _, kind := range hostileFiles(t, filepath.Join(dir, "odd", place)) {
			_ = os.Rename(kind, kind+filepath.Ext(name))
		}
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "odd/rules.cue")); err != nil {
		t.Fatal(err)
	}
	hostile := filepath.Join(dir, "kinds")
	if err := os.Mkdir(hostile, 0o777); err != nil {
		t.Fatal(err)
	}
	dirs := append(hostileFiles(t, hostile), filepath.Join(dir, "many"), filepath.Join(dir, "odd"))
	for i, line := range namedDirs {
		for _, d := range someHostile(dirs, i) {
			runContained(t, dir, strings.ReplaceAll(line, "@", d))
		}
	}
}
