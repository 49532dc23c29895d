// Package webguard stands between a server and whoever can reach it: it refuses requests that a foreign page makes in the
// name of its reader, bounds what a request may bring and how many are worked on at once, and tells browsers what a page
// may load.
//
// Three attacks on a server that listens on loopback come from the pages that its user visits. A foreign page may post to
// it: browsers say where a request comes from, and what is cross-origin is refused unless it only reads. A foreign page may
// make its own name resolve to 127.0.0.1 (DNS rebinding) and then counts as the same origin: so the Host must be an
// address, localhost, or a name that the user gave. A foreign page may show ours in a frame: frames are forbidden.
package webguard

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// Policy is what browsers are told: everything comes from this server, no script or style stands in a page, nothing frames
// it.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// A Guard bounds the requests of a server.
type Guard struct {
	Hosts   []string // names besides addresses and localhost by which the server may be called
	MaxBody int64    // bytes of a request's body
	// IsEndless says whose bodies their handlers bound piece by piece; nil for none.
	IsEndless func(*http.Request) bool
	Refuse    func(w http.ResponseWriter, status int, code, detail string)
}

// Wrap puts the guard before a handler.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	sameOrigin := http.NewCrossOriginProtection()
	sameOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.Refuse(w, http.StatusForbidden, "cross-origin", "a page of another site may not ask for this")
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if !g.knowsHost(r.Host) {
			g.Refuse(w, http.StatusMisdirectedRequest, "unknown-host",
				"this server is not called "+strconv.Quote(r.Host)+": use its address, or start it with --host")
			return
		}
		if g.IsEndless == nil || !g.IsEndless(r) {
			r.Body = http.MaxBytesReader(w, r.Body, g.MaxBody)
		}
		sameOrigin.Handler(next).ServeHTTP(w, r)
	})
}

// knowsHost reports whether a Host header names this server.
func (g *Guard) knowsHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return host == "localhost" || slices.ContainsFunc(g.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// A Gate lets so many requests through at once; as many again may wait.
type Gate struct {
	inside  chan struct{}
	waiting chan struct{}
	refuse  func(w http.ResponseWriter, status int, code, detail string)
}

// NewGate makes a gate.
func NewGate(inside, waiting int, refuse func(w http.ResponseWriter, status int, code, detail string)) *Gate {
	return &Gate{make(chan struct{}, inside), make(chan struct{}, inside+waiting), refuse}
}

// Wrap puts the gate before a handler. Who finds it full is told to come again; who goes away while waiting is forgotten.
func (g *Gate) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case g.waiting <- struct{}{}:
			defer func() { <-g.waiting }()
		default:
			w.Header().Set("Retry-After", "1")
			g.refuse(w, http.StatusTooManyRequests, "busy", "too many questions at once: ask again in a second")
			return
		}
		select {
		case g.inside <- struct{}{}:
			defer func() { <-g.inside }()
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})
}
