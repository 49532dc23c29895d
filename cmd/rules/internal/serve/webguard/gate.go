package webguard

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"sync"
)

// ErrBusy is the error of a question that may not even wait.
var ErrBusy = errors.New("too many questions at once: ask again in a second")

// Places are the limits of a gate.
type Places struct {
	Inside  int // questions that are worked on at once
	Waiting int // questions that may wait beyond these
	Each    int // questions of one address, inside and waiting; 0 for half of all
}

// A Gate lets a limited number of questions be worked on at once. Others wait, and the addresses that they come from take
// turns: one that asks a hundred questions waits for itself.
type Gate struct {
	mu     sync.Mutex
	places Places
	inside int
	total  int                              // inside and waiting
	asked  map[netip.Prefix]int             // inside and waiting, of each address that has any
	queues map[netip.Prefix][]chan struct{} // closed when the question may enter
	turns  []netip.Prefix                   // the addresses with questions that wait, the next one first
}

// NewGate returns a gate.
func NewGate(p Places) *Gate {
	if p.Each == 0 {
		p.Each = max(1, (p.Inside+p.Waiting)/2)
	}
	return &Gate{places: p, asked: map[netip.Prefix]int{}, queues: map[netip.Prefix][]chan struct{}{}}
}

// Enter waits for a place, and returns the function that leaves it, to be called once. Its error is ErrBusy, or that of the
// context.
func (g *Gate) Enter(ctx context.Context, from netip.Prefix) (leave func(), err error) {
	g.mu.Lock()
	if g.total >= g.places.Inside+g.places.Waiting || g.asked[from] >= g.places.Each {
		g.mu.Unlock()
		return nil, ErrBusy
	}
	g.total++
	g.asked[from]++
	if g.inside < g.places.Inside {
		g.inside++
		g.mu.Unlock()
		return func() { g.leave(from) }, nil
	}
	mayEnter := make(chan struct{})
	if len(g.queues[from]) == 0 {
		g.turns = append(g.turns, from)
	}
	g.queues[from] = append(g.queues[from], mayEnter)
	g.mu.Unlock()
	select {
	case <-mayEnter:
		return func() { g.leave(from) }, nil
	case <-ctx.Done():
		g.giveUp(from, mayEnter)
		return nil, ctx.Err()
	}
}

// leave gives the place to the next address that waits.
func (g *Gate) leave(from netip.Prefix) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget(from)
	if len(g.turns) == 0 {
		g.inside--
		return
	}
	next := g.turns[0]
	g.turns = g.turns[1:]
	queue := g.queues[next]
	close(queue[0])
	if g.setQueue(next, queue[1:]); len(queue) > 1 {
		g.turns = append(g.turns, next)
	}
}

// giveUp takes a question out of its queue. When it was let in at the same moment, it leaves.
func (g *Gate) giveUp(from netip.Prefix, mayEnter chan struct{}) {
	g.mu.Lock()
	queue := g.queues[from]
	at := slices.Index(queue, mayEnter)
	if at < 0 {
		g.mu.Unlock()
		g.leave(from)
		return
	}
	defer g.mu.Unlock()
	g.forget(from)
	if g.setQueue(from, slices.Delete(queue, at, at+1)); len(queue) == 1 {
		g.turns = slices.DeleteFunc(g.turns, func(p netip.Prefix) bool { return p == from })
	}
}

func (g *Gate) setQueue(from netip.Prefix, queue []chan struct{}) {
	if len(queue) == 0 {
		delete(g.queues, from)
		return
	}
	g.queues[from] = queue
}

// forget counts a question of an address no more.
func (g *Gate) forget(from netip.Prefix) {
	g.total--
	if g.asked[from]--; g.asked[from] == 0 {
		delete(g.asked, from)
	}
}

// AddressOf returns the address that a request comes from. Of version 6 it is the network of a household, 64 bits, in which
// a client chooses its address freely.
func AddressOf(r *http.Request) netip.Prefix { return prefixOf(r.RemoteAddr) }

func prefixOf(remote string) netip.Prefix {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{} // of a listener that is not of the network: all count as one
	}
	a := at.Addr().Unmap()
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	return netip.PrefixFrom(a.WithZone(""), bits).Masked()
}
