package main

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/tabletop-rules/rules"
)

// TestExamplesRun runs every example of the help, in the module that ships, beside files of the names that the examples
// use. None may fail for want of anything; what needs the history of a repository is left out.
func TestExamplesRun(t *testing.T) {
	if testing.Short() {
		t.Skip("it vets and releases whole rulesets")
	}
	files := copyOf(t, rules.Files)
	t.Setenv("HOME", t.TempDir())
	t.Chdir(files)
	for name, from := range map[string]string{
		"ada.json": "golden/tempestas/ada.json", "crew.ndjson": "golden/tempestas/ada.json", "party/ada.json": "golden/tempestas/ada.json",
		"warrior.json": "golden/haze/warrior.json", "my/cases/bomb.txtar": "golden/tempestas/bomb.txtar",
	} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, name, string(data))
	}
	write(t, "test.json", `{"name": "navigation", "difficulty": "hard"}`)
	write(t, "task.json", `{"name": "navigation", "target_value": 30}`)
	write(t, "day1.json", `[{"event": "roll", "dice": [35]}]`)
	write(t, "day2.json", `[{"event": "roll", "dice": [41]}]`)
	for _, line := range []string{
		"init myhomebrew --homebrew tempestas", "build tempestas -o tempestas.plan", "release tempestas",
	} {
		if status := Main(strings.Fields(line), nil, io.Discard, os.Stderr); status != done {
			t.Fatalf("%s: status %d", line, status)
		}
	}
	released, err := os.ReadFile("tempestas-0.1.0.rules")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "tempestas-0.2.0.rules", string(released))
	write(t, "releases/tempestas-0.1.0.rules", string(released))
	visit(newRoot(), func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			if !strings.Contains(line, "git:") {
				runExample(t, strings.TrimSpace(line))
			}
		}
	})
}

// copyOf writes files to a new directory.
func copyOf(t *testing.T, files fs.FS) string {
	dir := t.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		if err := os.MkdirAll(name[:i], 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// runExample runs a command line as a shell would: with quoted words, < FILE and > FILE; what it is piped to is not run.
func runExample(t *testing.T, line string) {
	words := shellWords(t, line)
	var args []string
	in, out := "", ""
	for i := 1; i < len(words) && words[i] != "|"; i++ {
		switch words[i] {
		case "<", ">":
			if i++; words[i-1] == "<" {
				in = words[i]
			} else {
				out = words[i]
			}
		default:
			args = append(args, words[i])
		}
	}
	var stdin, stdout, stderr bytes.Buffer
	if in != "" {
		data, err := os.ReadFile(in)
		if err != nil {
			t.Error(err)
		}
		stdin.Write(data)
	}
	if status := Main(args, &stdin, &stdout, &stderr); words[0] != "rules" || status == unasked {
		t.Errorf("%s: status %d: %s", line, status, stderr.String())
	}
	if out != "" {
		write(t, out, stdout.String())
	}
}

// TestTopicsAreToldApart fails for two topics, or a topic and a command, of one name.
func TestTopicsAreToldApart(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range newRoot().Commands() {
		seen[c.Name()] = true
	}
	for _, x := range topics() {
		if seen[x.name] {
			t.Errorf("%s is there twice", x.name)
		}
		seen[x.name] = true
	}
}

// TestHelpFits fails for a line of help that a window of 124 columns breaks. Examples may be longer.
func TestHelpFits(t *testing.T) {
	texts := map[string]string{}
	visit(newRoot(), func(c *cobra.Command) { texts[c.CommandPath()] = c.Long })
	for _, x := range topics() {
		texts["rules help "+x.name] = x.text()
	}
	for name, text := range texts {
		for line := range strings.Lines(text) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 124 {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}
