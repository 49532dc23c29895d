package webguard

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

var (
	near = netip.MustParsePrefix("192.0.2.1/32")
	far  = netip.MustParsePrefix("192.0.2.2/32")
)

// TestGateTakesTurns asks four questions from one address and then one from another: of those that wait the other address
// is second, and not last. Of one address only so many may wait.
func TestGateTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(Places{Inside: 1, Waiting: 5, Each: 4})
		inside, err := g.Enter(t.Context(), near)
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		var asked sync.WaitGroup
		ask := func(name string, from netip.Prefix) {
			asked.Go(func() {
				leave, err := g.Enter(t.Context(), from)
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, name)
				leave()
			})
			synctest.Wait()
		}
		for _, name := range []string{"near 1", "near 2", "near 3"} {
			ask(name, near)
		}
		if _, err := g.Enter(t.Context(), near); !errors.Is(err, ErrBusy) {
			t.Errorf("a fifth question of one address: %v", err)
		}
		ask("far", far)
		inside()
		asked.Wait()
		if want := []string{"near 1", "far", "near 2", "near 3"}; !slices.Equal(order, want) {
			t.Errorf("they entered as %q, not as %q", order, want)
		}
	})
}

// TestGateForgetsWhoLeaves fills a gate with questions whose clients go: the places are free again.
func TestGateForgetsWhoLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(Places{Inside: 1, Waiting: 2, Each: 3})
		inside, err := g.Enter(t.Context(), near)
		if err != nil {
			t.Fatal(err)
		}
		gone, leave := context.WithCancel(t.Context())
		for range 2 {
			go func() {
				if _, err := g.Enter(gone, far); !errors.Is(err, context.Canceled) {
					t.Errorf("a question whose client has gone: %v", err)
				}
			}()
		}
		synctest.Wait()
		if _, err := g.Enter(t.Context(), far); !errors.Is(err, ErrBusy) {
			t.Errorf("a question beyond those that may wait: %v", err)
		}
		leave()
		synctest.Wait()
		inside()
		again, err := g.Enter(t.Context(), far)
		if err != nil {
			t.Fatal(err)
		}
		again()
		if g.inside != 0 || g.total != 0 || len(g.asked) != 0 || len(g.queues) != 0 || len(g.turns) != 0 {
			t.Errorf("an empty gate has %+v", g)
		}
	})
}

// TestAddresses holds which clients share an address: the networks of RFC 4291 have 64 bits.
func TestAddresses(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.7:80": "192.0.2.7/32", "[::ffff:192.0.2.7]:1": "192.0.2.7/32",
		"[2001:db8:1:2:3:4:5:6]:1": "2001:db8:1:2::/64", "[fe80::1%eth0]:1": "fe80::/64", "@": "invalid Prefix",
	} {
		if got := prefixOf(remote).String(); got != want {
			t.Errorf("%s counts as %s, not as %s", remote, got, want)
		}
	}
}
