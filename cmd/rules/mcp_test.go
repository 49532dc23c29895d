package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestMCPOverHTTP asks the tools over HTTP: the guard lets an assistant through, and no page, whatever name it calls us by.
func TestMCPOverHTTP(t *testing.T) {
	url, stop := startCommand(t, "mcp", "tempestas")
	defer stop()
	const question = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"odds","arguments":{"notation":"2d6"}}}`
	for _, test := range []struct {
		name, host, origin string
		status             int
		says               string
	}{
		{"an assistant", "", "", http.StatusOK, `"mean":7`},
		{"a page elsewhere", "", "https://example.org", http.StatusForbidden, ""},
		{"a name that was not given", "rebound.example.org", "", http.StatusMisdirectedRequest, ""},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"mcp", strings.NewReader(question))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}
		if test.host != "" {
			r.Host = test.host
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != test.status || !strings.Contains(string(text), test.says) {
			t.Errorf("%s: status %d, %v: %s", test.name, answer.StatusCode, err, text)
		}
	}
}
