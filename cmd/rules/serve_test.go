package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/exit"
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
	url, stop := startServer(t, "--dir", "game")
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
}

// startServer starts the server on a free port. Stop ends it, and what it says at its end is nothing.
func startServer(t *testing.T, args ...string) (url string, stop func()) {
	t.Helper()
	return startCommand(t, "serve", args...)
}

// startCommand starts a command that serves.
func startCommand(t *testing.T, command string, args ...string) (url string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	address, out := io.Pipe()
	root := newRoot()
	root.SetArgs(append([]string{command, "--listen", "127.0.0.1:0"}, args...))
	root.SetOut(out)
	root.SetErr(io.Discard)
	ended := make(chan error, 1)
	go func() {
		err := root.ExecuteContext(ctx)
		out.CloseWithError(err)
		ended <- err
	}()
	line, err := bufio.NewReader(address).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line), func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestServeShowsWhatChanged serves a module beside the state that --against names, and with a homebrew beside the module
// without it, for the characters of a directory.
func TestServeShowsWhatChanged(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Chdir(t.TempDir())
	for _, line := range []string{"init was/game", "init game", "init house --homebrew game --dir game"} {
		if status, said := runLine(line); status != 0 {
			t.Fatalf("%s: %s", line, said)
		}
	}
	write(t, "party/ada.json", `{"skills": {"climbing": 40}}`)
	url, stop := startServer(t, "--dir", "game", "--with", "house", "--against", "was/game", "--characters", "party")
	defer stop()
	for from, want := range map[string]string{"": `<option value="without house" selected>`,
		"?from=was/game": `<option value="was/game" selected>`} {
		if text := get(t, url+"game/changes"+from); !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
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
		"serve haze --against testdata":        "testdata",
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

// TestListenErrors asks for addresses at which nothing can listen.
func TestListenErrors(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	at := taken.Addr().String()
	_, port, _ := net.SplitHostPort(at)
	for address, want := range map[string]string{
		"8080":      "rules: --listen 8080: it is an address with a port: write --listen 127.0.0.1:8080\n",
		"localhost": "rules: --listen localhost: it is an address with a port: write --listen localhost:7777\n",
		at:          "rules: --listen " + at + ": another program listens at port " + port + ": --listen 127.0.0.1:0 takes a free one\n",
	} {
		if status, said := runLine("serve tempestas --listen " + address); status != exit.Unasked || said != want {
			t.Errorf("%s: status %d: %s", address, status, said)
		}
	}
}
