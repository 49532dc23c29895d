package webguard

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func refuse(w http.ResponseWriter, status int, code, _ string) {
	w.WriteHeader(status)
	io.WriteString(w, code)
}

// TestGuard sends requests as browsers send them for pages of other sites, and as programs do.
func TestGuard(t *testing.T) {
	inner := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "localhost:500" {
			panic("it fails")
		}
		if _, err := io.ReadAll(r.Body); err != nil {
			refuse(w, http.StatusRequestEntityTooLarge, "too-long", "")
		}
	})
	guard := (&Guard{Hosts: []string{"rules.example.org", "Port.example.org:80"}, MaxBody: 8, Refuse: refuse}).Wrap(inner)
	tests := []struct {
		name, method, host, body string
		header                   map[string]string
		want                     int
	}{
		{"a browser reads a page", "GET", "127.0.0.1:7777", "", nil, 200},
		{"localhost", "GET", "localhost:7777", "", nil, 200},
		{"an address of version 6", "GET", "[::1]:7777", "", nil, 200},
		{"a name that was given", "GET", "Rules.Example.org", "", nil, 200},
		{"a name that was given with a port", "GET", "port.example.org", "", nil, 200},
		{"the same behind a proxy", "GET", "port.example.org:7777", "", nil, 200},
		{"a compressed body", "POST", "localhost", "", map[string]string{"Content-Encoding": "gzip"}, 415},
		{"a name that resolves to this machine", "GET", "evil.example", "", nil, 421},
		{"a name that ends in ours", "GET", "x.rules.example.org", "", nil, 421},
		{"no name", "GET", "", "", nil, 421},
		{"a bot posts", "POST", "127.0.0.1:7777", "{}", nil, 200},
		{"our page posts", "POST", "localhost:7777", "{}", map[string]string{"Sec-Fetch-Site": "same-origin"}, 200},
		{"a foreign page posts", "POST", "localhost:7777", "{}", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"a foreign page in an old browser posts", "POST", "localhost:7777", "{}",
			map[string]string{"Origin": "http://evil.example"}, 403},
		{"a foreign page only reads", "GET", "localhost:7777", "", map[string]string{"Sec-Fetch-Site": "cross-site"}, 200},
		{"a request on which the program fails", "GET", "localhost:500", "", nil, 500},
		{"a long body", "POST", "localhost", "123456789", nil, 413},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			r := httptest.NewRequest(x.method, "http://localhost/", strings.NewReader(x.body))
			r.Host = x.host
			for name, value := range x.header {
				r.Header.Set(name, value)
			}
			w := httptest.NewRecorder()
			guard.ServeHTTP(w, r)
			if w.Code != x.want {
				t.Errorf("status %d, want %d: %s", w.Code, x.want, w.Body)
			}
			if got := w.Header().Get("Content-Security-Policy"); got != Policy {
				t.Errorf("policy %q", got)
			}
		})
	}
}

// TestSharedWithOrigins lets pages of one origin ask one part of a server, before and with the question, and no others.
func TestSharedWithOrigins(t *testing.T) {
	g := Guard{MaxBody: 100, Origins: []string{"https://table.example.org"},
		Shared: func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/v1/") },
		Refuse: func(w http.ResponseWriter, status int, code, detail string) { http.Error(w, code, status) }}
	handler := g.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "answer") }))
	for _, c := range []struct {
		method, path, origin string
		status               int
		allowed              string
	}{
		{"OPTIONS", "/v1/x", "https://table.example.org", 204, "https://table.example.org"},
		{"POST", "/v1/x", "https://table.example.org", 200, "https://table.example.org"},
		{"POST", "/v1/x", "https://evil.example.org", 403, ""},
		{"POST", "/v1/x", "https://table.example.org.evil.org", 403, ""},
		{"POST", "/v1/x", "http://table.example.org", 403, ""},
		{"POST", "/page", "https://table.example.org", 403, ""},
		{"POST", "/v1/x", "null", 403, ""},
		{"GET", "/v1/x", "https://evil.example.org", 200, ""},
	} {
		r := httptest.NewRequest(c.method, "http://localhost"+c.path, nil)
		r.Header.Set("Origin", c.origin)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		h := w.Header()
		if w.Code != c.status || h.Get("Access-Control-Allow-Origin") != c.allowed || h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s %s from %s: status %d, allowed %q", c.method, c.path, c.origin, w.Code,
				h.Get("Access-Control-Allow-Origin"))
		}
	}
}
