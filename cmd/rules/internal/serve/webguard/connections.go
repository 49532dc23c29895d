package webguard

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// The bounds of connections. All stay below the 1,024 files that a process may have open by custom.
const (
	maxConnections = 896
	maxOfAddress   = 448
	// grace is how long a connection stays at least, so that a burst of them does not close each other before any was read.
	grace = 100 * time.Millisecond
)

// Connections limits the connections of a listener. At a limit the connection is closed that has been waiting for its
// client for the longest time; one whose question is being answered waits for us.
type Connections struct {
	net.Listener
	mu        sync.Mutex
	ofAddress map[netip.Prefix][]*connection
	count     int
}

// LimitConnections returns a listener that limits the connections of another one.
func LimitConnections(l net.Listener) *Connections {
	return &Connections{Listener: l, ofAddress: map[netip.Prefix][]*connection{}}
}

// Accept implements net.Listener.
func (l *Connections) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		mine, idlest := l.admit(c)
		if idlest != nil {
			time.Sleep(grace - time.Since(idlest.idleSince()))
			if !idlest.isBusy.Load() {
				idlest.Close()
			}
		}
		if mine != nil {
			return mine, nil
		}
		c.Close()
	}
}

// admit counts a connection. When there are too many, idlest is to be closed for it; mine is nil when all are busy.
func (l *Connections) admit(c net.Conn) (mine, idlest *connection) {
	from := prefixOf(c.RemoteAddr().String())
	l.mu.Lock()
	defer l.mu.Unlock()
	crowded, isFull := from, len(l.ofAddress[from]) >= maxOfAddress
	if !isFull && l.count >= maxConnections {
		isFull = true
		for address, list := range l.ofAddress {
			if len(list) > len(l.ofAddress[crowded]) {
				crowded = address
			}
		}
	}
	if isFull {
		for _, x := range l.ofAddress[crowded] {
			if !x.isBusy.Load() && (idlest == nil || x.idleSince().Before(idlest.idleSince())) {
				idlest = x
			}
		}
		if idlest == nil {
			return nil, nil
		}
	}
	mine = &connection{Conn: c, from: from, all: l}
	mine.markIdle()
	l.ofAddress[from] = append(l.ofAddress[from], mine)
	l.count++
	return mine, idlest
}

// A connection is counted until it is closed.
type connection struct {
	net.Conn
	from     netip.Prefix
	all      *Connections
	isBusy   atomic.Bool // its question waits for an answer
	idleFrom atomic.Pointer[time.Time]
}

func (c *connection) idleSince() time.Time { return *c.idleFrom.Load() }

func (c *connection) markIdle() {
	now := time.Now()
	c.idleFrom.Store(&now)
	c.isBusy.Store(false)
}

// Close implements net.Conn.
func (c *connection) Close() error {
	c.all.mu.Lock()
	list := c.all.ofAddress[c.from]
	if i := slices.Index(list, c); i >= 0 {
		c.all.count--
		if list = slices.Delete(list, i, i+1); len(list) == 0 {
			delete(c.all.ofAddress, c.from)
		} else {
			c.all.ofAddress[c.from] = list
		}
	}
	c.all.mu.Unlock()
	return c.Conn.Close()
}

// connectionKey finds the connection of a request in its context.
type connectionKey struct{}

// WithConnection is the ConnContext of a server that listens by LimitConnections.
func WithConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// markBusy keeps the connection of a request from being closed for another one until the result is called.
func markBusy(r *http.Request) (done func()) {
	c, ok := r.Context().Value(connectionKey{}).(*connection)
	if !ok {
		return func() {}
	}
	c.isBusy.Store(true)
	return c.markIdle
}
