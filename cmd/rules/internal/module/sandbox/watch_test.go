package sandbox

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestWatchRests wants a worker to be looked at while it carries a request out, and at no other time: it waits for hours.
func TestWatchRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, looks, stopped := newWatch(), 0, false
		go func() {
			defer func() { stopped = recover() != nil }()
			w.run(func(since time.Duration) {
				if looks++; since == time.Hour {
					panic("the test is over") // run never returns
				}
			})
		}()
		for _, part := range []struct {
			works       bool
			least, most int // looks since the part before
		}{{false, 0, 0}, {true, 200, 300}, {false, 0, 2}, {true, 200, 300}} {
			before := looks
			if part.works {
				w.beginRequest(time.Second)
				time.Sleep(time.Second)
				w.endRequest()
			} else {
				time.Sleep(time.Hour)
			}
			synctest.Wait()
			if n := looks - before; n < part.least || n > part.most {
				t.Errorf("working %v: looked %d times, want %d to %d", part.works, n, part.least, part.most)
			}
		}
		w.beginRequest(time.Hour)
		time.Sleep(time.Second)
		synctest.Wait()
		if !stopped {
			t.Error("the watch did not look when it was woken at last")
		}
	})
}
