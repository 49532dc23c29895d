package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/tabletop-rules/rules/cmd/rules/internal/module/sandbox"
)

// TestMain lets the test program be a worker too, as the command is.
func TestMain(m *testing.M) {
	if sandbox.IsWorker(os.Args) {
		os.Exit(sandbox.Serve(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// A client is the other end of a session, as an editor is.
type client struct {
	t     testing.TB
	conn  *jsonrpc2.Conn
	root  string // of the module
	files fstest.MapFS

	mu    sync.Mutex
	found map[string][]diagnostic // as published last
	more  chan struct{}           // one value for each publication
	shown chan showMessageParams  // what the server tells the user
	cases chan struct{}           // one value for each time that cases have been played
}

// module is the files of testdata/game.txtar, with the schema that ships.
func module(t *testing.T) fstest.MapFS {
	archive, err := txtar.ParseFile("testdata/game.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range archive.Files {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	for _, name := range []string{"cue.mod/module.cue", "schema/schema.cue"} {
		data, err := os.ReadFile("../../../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	files[burdenFile] = &fstest.MapFile{Data: []byte(burdenCase)} // an archive itself
	return files
}

const burdenFile, burdenCase = "golden/game/burden.txtar", `table: burden
cite: Loads

The page again.
-- table.json --
{"light": {"points": 0}, "heavy": {"points": 30}}
`

// A duplex is one end of two pipes.
type duplex struct {
	*os.File // that is read
	to       *os.File
}

func (d duplex) Write(data []byte) (int, error) { return d.to.Write(data) }
func (d duplex) Close() error                   { return errors.Join(d.File.Close(), d.to.Close()) }

// connected are the two ends of a stream that holds what nobody has read yet, as those of an editor do: when both sides
// write and neither reads, none waits for the other.
func connected(t testing.TB) (here, there duplex) {
	t.Helper()
	fromHere, toThere, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromThere, toHere, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return duplex{fromThere, toThere}, duplex{fromHere, toHere}
}

// start begins a session.
func start(t *testing.T, encodings ...string) *client { return startWith(t, nil, encodings...) }

// startWith begins a session on a module with more files, which is trusted.
func startWith(t *testing.T, more map[string]string, encodings ...string) *client {
	files := module(t)
	for name, text := range more {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return startOn(t, Options{Root: writeTree(t, files), Trusts: everyDirectory}, files, encodings...)
}

// everyDirectory trusts all.
func everyDirectory(string) bool { return true }

// startOn begins a session on a module that holds files.
func startOn(t testing.TB, o Options, files fstest.MapFS, encodings ...string) *client {
	here, there := connected(t)
	c := &client{t: t, root: o.Root, files: files, found: map[string][]diagnostic{}, more: make(chan struct{}, 100),
		shown: make(chan showMessageParams, 1), cases: make(chan struct{}, 100)}
	done := make(chan error, 1)
	ctx := context.Background()
	o.Pause = time.Millisecond
	go func() { done <- Serve(ctx, there, o) }()
	c.conn = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(here, jsonrpc2.VSCodeObjectCodec{}),
		jsonrpc2.HandlerWithError(c.handle))
	t.Cleanup(func() {
		c.call("shutdown", nil, nil)
		if err := c.conn.Notify(ctx, "exit", nil); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	var p initializeParams
	p.Capabilities.General.PositionEncodings = encodings
	p.Capabilities.Workspace.CodeLens.RefreshSupport = true
	p.InitializationOptions = json.RawMessage("[]") // as Neovim sends an empty table
	c.call("initialize", p, nil)
	return c
}

func (c *client) handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	switch req.Method {
	case "workspace/codeLens/refresh":
		c.cases <- struct{}{}
		return nil, nil
	case "window/showMessage":
		var p showMessageParams
		err := json.Unmarshal(*req.Params, &p)
		c.shown <- p
		return nil, err
	}
	var p publishDiagnosticsParams
	if err := json.Unmarshal(*req.Params, &p); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found[p.URI] = p.Diagnostics
	c.more <- struct{}{}
	return nil, nil
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.conn.Call(context.Background(), method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// waitForCases waits until the cases have been played.
func (c *client) waitForCases() {
	c.t.Helper()
	select {
	case <-c.cases:
	case <-time.After(time.Minute):
		c.t.Fatal("no case was played")
	}
}

// message is what the user is told next.
func (c *client) message() showMessageParams {
	c.t.Helper()
	select {
	case m := <-c.shown:
		return m
	case <-time.After(time.Minute):
		c.t.Fatal("the user is told nothing")
	}
	panic("unreachable")
}

func (c *client) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: c.root + "/" + name}).String()
}

// open opens a file of the module, with a part of its text replaced, as if it had been typed.
func (c *client) open(name, old, new string) string {
	c.t.Helper()
	text := string(c.files[name].Data)
	if old != "" && strings.Count(text, old) != 1 {
		c.t.Fatalf("%s has %q %d times", name, old, strings.Count(text, old))
	}
	text = strings.Replace(text, old, new, 1)
	c.send(name, text)
	return text
}

// send tells the server that a file has a text on the screen.
func (c *client) send(name, text string) {
	c.t.Helper()
	var p didOpenParams
	p.TextDocument.URI, p.TextDocument.Text = c.uri(name), text
	if err := c.conn.Notify(context.Background(), "textDocument/didOpen", p); err != nil {
		c.t.Fatal(err)
	}
}

// at is the position of a part of a text, in UTF-16 units; a bar in it is the cursor.
func (c *client) at(name, text, part string) documentPosition {
	c.t.Helper()
	before, _, _ := strings.Cut(part, "|")
	part = strings.Replace(part, "|", "", 1)
	if strings.Count(text, part) != 1 {
		c.t.Fatalf("%q stands in the text %d times", part, strings.Count(text, part))
	}
	head := text[:strings.Index(text, part)+len(before)]
	line := strings.Count(head, "\n")
	return documentPosition{textDocument{c.uri(name)},
		position{line, utf16Encoding.countUnits(head[strings.LastIndexByte(head, '\n')+1:])}}
}

// until waits until the diagnostics of a file are as wanted.
func (c *client) until(name string, ok func([]diagnostic) bool) []diagnostic {
	c.t.Helper()
	deadline := time.After(time.Minute)
	for {
		c.mu.Lock()
		list, known := c.found[c.uri(name)]
		c.mu.Unlock()
		if known && ok(list) {
			return list
		}
		select {
		case <-c.more:
		case <-deadline:
			c.t.Fatalf("%s: the diagnostics stay %v", name, list)
		}
	}
}

// writeTree writes files below a new directory and gives its name.
func writeTree(t *testing.T, files fstest.MapFS) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	return dir
}

const data, play = "tables/game/data.cue", "tables/game/play.cue"

func labels(items []completionItem) (out []string) {
	for _, i := range items {
		out = append(out, i.Label)
	}
	return out
}
