package lsp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// spaces are blanks without an end.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestMessagesBeyondTheBound holds that a message which is too large is passed over without being held, and that the next
// one is read.
func TestMessagesBeyondTheBound(t *testing.T) {
	const large, next = 1 << 30, `{"jsonrpc":"2.0","method":"exit"}`
	stream := bufio.NewReader(io.MultiReader(
		strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n", large)), io.LimitReader(spaces{}, large),
		strings.NewReader(fmt.Sprintf("content-length:%d\r\nContent-Type: x\r\n\r\n%s", len(next), next)),
	))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, want := range []string{tooLargeMethod, "exit"} {
		var message struct{ Method string }
		if err := (messageCodec{}).ReadObject(stream, &message); err != nil || message.Method != want {
			t.Errorf("read %q, %v, not %q", message.Method, err, want)
		}
	}
	runtime.ReadMemStats(&after)
	if held := after.TotalAlloc - before.TotalAlloc; held > 1<<20 {
		t.Errorf("passing over %d bytes takes %d", large, held)
	}
}

// TestHeadersOfMessages holds what is refused before anything is read or kept.
func TestHeadersOfMessages(t *testing.T) {
	for text, want := range map[string]string{
		"Content-Length: -1\r\n\r\n":                   `a message has the Content-Length " -1"`,
		"Content-Length: 0\r\n\r\n":                    `a message has the Content-Length " 0"`,
		"Content-Length: 1e9\r\n\r\n":                  `a message has the Content-Length " 1e9"`,
		"Content-Length: 99999999999999999999\r\n\r\n": `a message has the Content-Length " 99999999999999999999"`,
		"\r\n":                         "a message has no Content-Length",
		strings.Repeat("X: y\r\n", 40): "a message has more than 32 headers",
		"X: " + strings.Repeat("y", 5000) + "\r\n\r\n": "bufio: buffer full",
		"Content-Length: 9\r\n\r\n{}":                  "unexpected EOF",
	} {
		var message json.RawMessage
		err := (messageCodec{}).ReadObject(bufio.NewReaderSize(strings.NewReader(text), 4096), &message)
		if err == nil || err.Error() != want {
			t.Errorf("%.40q: %v, not %s", text, err, want)
		}
	}
}

// TestLargeDocumentIsRefused holds that the user is told of a text that is too large to be checked, and that the session
// goes on with the saved one.
func TestLargeDocumentIsRefused(t *testing.T) {
	c := start(t)
	c.send(data, strings.Repeat(" ", maxDocument+1))
	const want = data + " is larger than 4 MiB: what is on the screen is not checked"
	if m := c.message(); m.Type != errorMessage || m.Message != want {
		t.Errorf("told %+v", m)
	}
	c.send(play, "package game\n{")
	c.until(play, func(list []diagnostic) bool { return len(list) > 0 })
}
