package sandbox

import (
	"crypto/sha256"
	"encoding/json"

	"github.com/tabletop-rules/rules/cmd/rules/internal/term/must"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// A sessionCache keeps one session of the compiler, with its results, for a caller that asks about the same modules again
// as they change. The zero sessionCache is empty and ready to use.
type sessionCache struct {
	key         string // the modules and the options of the session
	session     *compiler.Session
	packedPlans map[*plan.Plan][]byte // the plans of the last reply as they crossed
}

// sessionOf returns the session for the modules of a request, with the files as they are now.
//
// The key covers everything of which a session is made except files. Files are set each time: an editor's texts change
// while the module stays the same.
func (c *sessionCache) sessionOf(q *request) *compiler.Session {
	on := []any{q.Module.Dir, q.Module.Name, q.Only, q.Options}
	for i := range q.Homebrews {
		on = append(on, q.Homebrews[i].Dir, q.Homebrews[i].Name)
	}
	data, err := json.Marshal(on)
	must.Succeed(err)
	if key := string(data); c.session == nil || c.key != key {
		c.key = key
		if len(q.Homebrews) > 0 {
			c.session = compiler.NewHomebrewSession(q.Module.source(), q.Only[0], q.homebrewSources(), q.Options)
		} else {
			c.session = compiler.NewSession(q.Module.source(), q.Options, q.Only...)
		}
	}
	c.session.SetFiles(q.Module.source(), q.homebrewSources()...)
	return c.session
}

// packPlans writes the plans of a reply in the form in which they cross. A plan of the reply before is not written again.
func (c *sessionCache) packPlans(r *reply) {
	packed := map[*plan.Plan][]byte{}
	for _, p := range r.plans {
		data, ok := c.packedPlans[p]
		if !ok {
			data = planfile.Write(p, nil) // the parent schedules what it asks
		}
		packed[p] = data
		r.Plans = append(r.Plans, data)
	}
	c.packedPlans = packed
}

// receivedPlans are the plans that have crossed, by the digests of what crossed. It keeps those of the last reply: the same
// bytes are the same plan, and a caller can tell by that what has changed.
type receivedPlans map[[sha256.Size]byte]*plan.Plan

// readPlans reads the plans of a reply that has crossed, and verifies those that it has not read before.
func (u *receivedPlans) readPlans(r *reply) error {
	now := receivedPlans{}
	for _, data := range r.Plans {
		sum := sha256.Sum256(data)
		p, ok := (*u)[sum]
		if !ok {
			var err error
			if p, err = planfile.Read(data); err != nil {
				return err
			}
		}
		now[sum] = p
		r.plans = append(r.plans, p)
	}
	*u, r.Plans = now, nil
	return nil
}
