package toolserver

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Stream is the transport over a pair of streams, which stay open. When the client has sent all it answers what was asked
// before it ends, so that a file of requests has a file of answers.
type Stream struct {
	In      io.Reader
	Out     io.Writer
	MaxLine int // bytes of a message
}

// Connect implements mcp.Transport.
func (s *Stream) Connect(ctx context.Context) (mcp.Connection, error) {
	t := mcp.IOTransport{Reader: io.NopCloser(s.In), Writer: unclosed{s.Out}, MaxLineLength: s.MaxLine}
	inner, err := t.Connect(ctx)
	if err != nil {
		return nil, err
	}
	out := &connection{Connection: inner}
	out.answered.L = &out.mu
	return out, nil
}

// unclosed is a stream that stays open when the protocol ends.
type unclosed struct{ io.Writer }

// Close implements io.Closer.
func (unclosed) Close() error { return nil }

// A connection counts the requests that are not answered yet.
type connection struct {
	mcp.Connection
	mu       sync.Mutex
	answered sync.Cond
	owed     int // answers to requests of the client
	awaited  int // answers of the client, which has none any more when it has sent all
	closed   bool
}

// Read implements mcp.Connection.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m := m.(type) {
	case *jsonrpc.Request:
		if m.IsCall() {
			c.owed++
		}
	case *jsonrpc.Response:
		c.awaited--
	}
	for errors.Is(err, io.EOF) && c.owed > 0 && c.awaited <= 0 && !c.closed {
		c.answered.Wait()
	}
	return m, err
}

// Write implements mcp.Connection.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m := m.(type) {
	case *jsonrpc.Request:
		if m.IsCall() {
			c.awaited++
		}
	case *jsonrpc.Response:
		c.owed--
	}
	c.answered.Broadcast()
	return err
}

// Close implements mcp.Connection.
func (c *connection) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.answered.Broadcast()
	return c.Connection.Close()
}
