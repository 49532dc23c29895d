// Package jstest runs generated modules for tests: in Node, or in a page of Chromium.
package jstest

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tabletop-rules/rules/runtime/emit/js"
)

//go:embed answer.mjs driver.mjs page.html
var driver embed.FS

// DemandVariable is the environment variable that makes the absence of Node a failure: where all tests must run.
const DemandVariable = "RULES_DEMAND_NODE"

// BrowserVariable is the environment variable that names a Chromium, in a page of which modules answer then, and not in Node.
const BrowserVariable = "RULES_BROWSER"

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
	Record uint64  `json:"record,omitempty"` // of a rule
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
	var files []js.File
	for _, name := range []string{"answer.mjs", "driver.mjs", "page.html"} {
		text, err := driver.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, js.File{Name: name, Text: string(text)})
	}
	Write(t, dir, files)
	ask := answersOfNode
	if os.Getenv(BrowserVariable) != "" {
		ask = answersOfPage
	}
	var answers []string
	lines := bufio.NewScanner(ask(t, dir, &in))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, text)
	}
	if len(answers) != len(requests) {
		t.Fatalf("%d answers to %d requests: %s", len(answers), len(requests), answers[max(0, len(answers)-1):])
	}
	return answers
}

// answersOfNode returns the lines with which modules in Node answer lines of requests.
func answersOfNode(t testing.TB, dir string, requests io.Reader) io.Reader {
	t.Helper()
	c := exec.CommandContext(t.Context(), Node(t), filepath.Join(dir, "driver.mjs"))
	c.Dir, c.Stdin = dir, requests
	var out, problems bytes.Buffer
	c.Stdout, c.Stderr = &out, &problems
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, problems.String())
	}
	return &out
}

// answersOfPage returns the lines with which modules in a page answer lines of requests.
func answersOfPage(t testing.TB, dir string, requests io.Reader) io.Reader {
	t.Helper()
	answered := make(chan []byte, 1)
	serving := http.NewServeMux()
	serving.Handle("/", http.FileServer(http.Dir(dir)))
	serving.HandleFunc("GET /requests", func(w http.ResponseWriter, _ *http.Request) { io.Copy(w, requests) })
	serving.HandleFunc("POST /answers", func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body) // what is cut off are too few answers
		answered <- text
	})
	server := httptest.NewServer(serving)
	defer server.Close()
	c := exec.CommandContext(t.Context(), os.Getenv(BrowserVariable), "--headless", "--no-sandbox", "--disable-gpu",
		"--disable-component-update", "--user-data-dir="+t.TempDir(), server.URL+"/page.html")
	var problems bytes.Buffer
	c.Stderr = &problems
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case text := <-answered:
		c.Process.Signal(os.Interrupt) // it leaves its directory before it ends
		<-ended
		return bytes.NewReader(text)
	case err := <-ended:
		t.Fatalf("the browser ends before it answers: %v: %s", err, problems.String())
	}
	return nil
}
