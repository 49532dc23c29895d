package lsp

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/sourcegraph/jsonrpc2"
)

// A client is the other end of a session, as an editor is.
type client struct {
	t     *testing.T
	conn  *jsonrpc2.Conn
	files fstest.MapFS

	mu    sync.Mutex
	found map[string][]diagnostic // as published last
	more  chan struct{}           // one value for each publication
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
		data, err := os.ReadFile("../../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	return files
}

// start begins a session.
func start(t *testing.T, encodings ...string) *client {
	here, there := net.Pipe()
	c := &client{t: t, files: module(t), found: map[string][]diagnostic{}, more: make(chan struct{}, 100)}
	done := make(chan error, 1)
	ctx := context.Background()
	go func() { done <- Serve(ctx, there, Options{Root: "/module", Files: c.files, Pause: time.Millisecond}) }()
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
	c.call("initialize", p, nil)
	return c
}

func (c *client) handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
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

func (c *client) uri(name string) string { return "file:///module/" + name }

// open opens a file of the module, with a part of its text replaced, as if it had been typed.
func (c *client) open(name, old, new string) string {
	c.t.Helper()
	text := string(c.files[name].Data)
	if old != "" && strings.Count(text, old) != 1 {
		c.t.Fatalf("%s has %q %d times", name, old, strings.Count(text, old))
	}
	text = strings.Replace(text, old, new, 1)
	var p didOpenParams
	p.TextDocument.URI, p.TextDocument.Text = c.uri(name), text
	if err := c.conn.Notify(context.Background(), "textDocument/didOpen", p); err != nil {
		c.t.Fatal(err)
	}
	return text
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
		position{line, utf16Encoding.units(head[strings.LastIndexByte(head, '\n')+1:])}}
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

const data, play = "tables/game/data.cue", "tables/game/play.cue"

func labels(items []completionItem) (out []string) {
	for _, i := range items {
		out = append(out, i.Label)
	}
	return out
}
