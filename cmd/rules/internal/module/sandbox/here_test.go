package sandbox

import (
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// TestTrustedModulesHaveBounds comes to each of the bounds, which are small here, and to none.
func TestTrustedModulesHaveBounds(t *testing.T) {
	const soon = time.Millisecond
	for _, c := range []struct {
		name string
		bound
		want string // in the message; "" for none
	}{
		{"memory", bound{memory: 1, time: time.Hour, pause: soon}, "0 MiB of memory"},
		{"time", bound{memory: 1 << 40, time: soon, pause: soon}, "1ms of processor time"},
		{"neither", bound{memory: 1 << 40, time: time.Hour, pause: soon}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			told := make(chan diag.Diagnostic, 1)
			stop := c.watchProcess("mine", func(d diag.Diagnostic) { told <- d })
			defer stop()
			var work [sha256.Size]byte
			var kept [][]byte // memory that was there before is not counted
			until := time.After(50 * time.Millisecond)
			for {
				select {
				case d := <-told:
					if c.want == "" || d.Code != "evaluation-limit" || !strings.Contains(d.Message, "mine takes more than "+c.want) {
						t.Errorf("it is told %+v", d)
					}
					return
				case <-until:
					if c.want == "" {
						return
					}
					until = nil
				default:
					work = sha256.Sum256(work[:]) // processor time is what is bounded
					if len(kept) < 256 {
						kept = append(kept, make([]byte, 1<<20))
					}
				}
			}
		})
	}
}
