// Package jstest runs generated modules in Node for tests.
package jstest

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tabletop-rules/rules/runtime/emit/js"
)

//go:embed driver.mjs
var driver []byte

// DemandVariable is the environment variable that makes the absence of Node a failure: where all tests must run.
const DemandVariable = "RULES_DEMAND_NODE"

// Node returns the path of Node, or skips the test where there is none.
func Node(t testing.TB) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv(DemandVariable) != "" {
			t.Fatal("node is demanded by " + DemandVariable + " and is not installed")
		}
		t.Skip("node is not installed; .ci/run installs it and demands this test")
	}
	return node
}

// A Request is one evaluation of the rule of a module, or a play of its procedure, with texts as they are given.
type Request struct {
	Module    string `json:"module"`
	Export    string `json:"export"`
	Character string `json:"character"`
	Throw
	Input  string  `json:"input"`
	Events []Event `json:"events,omitempty"`
}

// A Throw says which faces fall: a list, lists by the id of their die, or those that are drawn from a seed.
type Throw struct {
	Dice any    `json:"dice,omitempty"`
	Seed string `json:"seed,omitempty"`
}

// An Event of a play.
type Event struct {
	Event string `json:"event"`
	Input string `json:"input"`
	Throw
}

// Write writes modules into a directory.
func Write(t testing.TB, dir string, files []js.File) {
	t.Helper()
	for _, f := range files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(f.Text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Answers returns the answers of modules below a directory: sheets, or the names and messages of errors.
func Answers(t testing.TB, dir string, requests []Request) []string {
	t.Helper()
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	e.SetEscapeHTML(false)
	for _, q := range requests {
		if err := e.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	at := filepath.Join(dir, "driver.mjs")
	if err := os.WriteFile(at, driver, 0o666); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), Node(t), at)
	c.Dir, c.Stdin = dir, &in
	var out, problems bytes.Buffer
	c.Stdout, c.Stderr = &out, &problems
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, problems.String())
	}
	var answers []string
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, text)
	}
	if len(answers) != len(requests) {
		t.Fatalf("%d answers to %d requests: %s", len(answers), len(requests), problems.String())
	}
	return answers
}
