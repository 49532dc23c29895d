package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// TestServe starts the server on a free port, asks a page and an answer, breaks a file of the module and asks again, and
// stops it.
func TestServe(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a file to be looked at")
	}
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	if status, said := runLine("init game"); status != 0 {
		t.Fatal(said)
	}
	ctx, stop := context.WithCancel(t.Context())
	address, out := io.Pipe()
	root := newRoot()
	root.SetArgs([]string{"serve", "--dir", "game", "--listen", "127.0.0.1:0"})
	root.SetOut(out)
	root.SetErr(io.Discard)
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(ctx) }()
	line, err := bufio.NewReader(address).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(line)
	if text := get(t, url); !strings.Contains(text, "game") {
		t.Errorf("the first page: %s", text)
	}
	if text := get(t, url+"v1/"); !strings.Contains(text, `"ruleset":"game"`) {
		t.Errorf("the list of revisions: %s", text)
	}
	write(t, "game/rules.cue", "package rules\n\nnonsense: {")
	for !strings.Contains(get(t, url), "do not compile") {
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v", answer.StatusCode, err)
	}
	return string(text)
}

// TestServeRefuses gives what cannot be served.
func TestServeRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"serve nonesuch":                       `there is no ruleset "nonesuch"`,
		"serve --budget 0":                     "--budget 0: it is at least 1",
		"serve --listen nowhere:x":             "--listen nowhere:x",
		"serve --plan " + os.DevNull + " haze": "leave their names out",
		"book":                                 "RULESET is missing",
		"book haze":                            "--out DIR is missing",
	} {
		if status, said := runLine(line); status != 2 || !strings.Contains(said, want) {
			t.Errorf("%s: status %d: %s", line, status, said)
		}
	}
}
