// Package webguard stands between a server and whoever can reach it: it refuses requests that a foreign page makes in the
// name of its reader, bounds what a request may bring and how many are worked on at once, and tells browsers what a page
// may load.
//
// # Foreign pages
//
// Three attacks on a server that listens on loopback come from the pages that its user visits. A foreign page may post to
// it: browsers say where a request comes from, and what is cross-origin is refused unless it only reads. A foreign page may
// make its own name resolve to 127.0.0.1 (DNS rebinding) and then counts as the same origin: so the Host must be an
// address, localhost, or a name that the user gave. A foreign page may show ours in a frame: frames are forbidden.
//
// # Greedy clients
//
// A client occupies a server cheaply by being slow: it sends half a body, or never reads its answer. So a place at a Gate,
// which stands for a core, is held only between the two: Intake reads the body before, and writes the answer after. What a
// client can still occupy is memory and connections. Large bodies and large answers have a few places of their own, both
// have a time limit, and Connections bounds the connections of all and of each address: at the limit the one goes that has
// been waiting for its client for the longest time.
//
// Clients that share an address take turns with the others as if they were one. Behind a proxy all have the address of the
// proxy, which then has to be fair among them.
package webguard

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/crash"
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
	// Origins are those of pages elsewhere that may ask for what Shared says, without cookies or passwords.
	Origins []string
	Shared  func(*http.Request) bool
	Refuse  func(w http.ResponseWriter, status int, code, detail string)
}

// Wrap puts the guard before a handler.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	sameOrigin := http.NewCrossOriginProtection()
	sameOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.Refuse(w, http.StatusForbidden, "cross-origin", "a page of another site may not ask for this")
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer g.answerFault(w)
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
		if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
			h.Set("Accept-Encoding", "identity")
			g.Refuse(w, http.StatusUnsupportedMediaType, "encoded",
				"the body is encoded as "+strconv.Quote(encoding)+": send it as it is, without Content-Encoding")
			return
		}
		if g.IsEndless == nil || !g.IsEndless(r) {
			r.Body = http.MaxBytesReader(w, r.Body, g.MaxBody)
		}
		if origin := r.Header.Get("Origin"); slices.Contains(g.Origins, origin) && g.Shared(r) {
			shareWith(origin, next).ServeHTTP(w, r)
			return
		}
		sameOrigin.Handler(next).ServeHTTP(w, r)
	})
}

// preflightAge is for how many seconds browsers may remember what a page may ask.
const preflightAge = 600

// shareWith lets pages of another origin read the answers of a handler, and tells browsers so before they ask.
func shareWith(origin string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", origin)
		h.Add("Vary", "Origin")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		if r.Method != http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Methods", "GET, POST")
		h.Set("Access-Control-Allow-Headers", "Content-Type, Rules-Revision")
		h.Set("Access-Control-Max-Age", strconv.Itoa(preflightAge))
		w.WriteHeader(http.StatusNoContent)
	})
}

// answerFault answers a request on which the program fails: the others go on.
func (g *Guard) answerFault(w http.ResponseWriter) {
	switch fault := recover(); fault {
	case nil:
	case http.ErrAbortHandler:
		panic(fault)
	default:
		g.Refuse(w, http.StatusInternalServerError, "internal", crash.Report(fault))
	}
}

// knowsHost reports whether a Host header names this server. Ports are not compared: a proxy may listen on another one.
func (g *Guard) knowsHost(host string) bool {
	name := hostName(host)
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return name == "localhost" || name != "" &&
		slices.ContainsFunc(g.Hosts, func(h string) bool { return hostName(h) == name })
}

// hostName returns the name of a host in lower case, without its port and a full stop at its end.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
