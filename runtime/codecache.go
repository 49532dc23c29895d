package runtime

import (
	"fmt"
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// maxCodes bounds the schedules that a program keeps, of all its bodies together. Each choice of options and outputs has
// its own, and in a server strangers choose them.
const maxCodes = 1024

// A codeKey identifies the schedule of a graph under a choice.
type codeKey struct {
	graph  *plan.Graph
	choice string
}

// newCodeKey is the same for equal choices only: no outputs at all are another choice than all of them.
func newCodeKey(g *plan.Graph, values []int, c Choice) codeKey {
	return codeKey{g, fmt.Sprintf("%d %t %q %q", values, c.Outputs == nil, c.Outputs, c.Without)}
}

// A codeCache keeps schedules, at most maxCodes: the one that was not asked for the longest is the first to go, so that odd
// choices do not drive out the usual ones. It may be used by several goroutines.
type codeCache struct {
	mu    sync.Mutex
	made  map[codeKey]func() (*schedule.Code, error)
	order []codeKey // of made, from the one that was not asked for the longest
}

// find returns the schedule of a key. Of several who ask for one that is not there, one makes it and the others wait.
func (c *codeCache) find(key codeKey, make func() (*schedule.Code, error)) (*schedule.Code, error) {
	return c.keep(key, make)()
}

func (c *codeCache) keep(key codeKey, make func() (*schedule.Code, error)) func() (*schedule.Code, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if once, ok := c.made[key]; ok {
		at := slices.Index(c.order, key)
		c.order = append(slices.Delete(c.order, at, at+1), key)
		return once
	}
	if c.made == nil {
		c.made = map[codeKey]func() (*schedule.Code, error){}
	}
	if len(c.order) == maxCodes {
		delete(c.made, c.order[0])
		c.order = slices.Delete(c.order, 0, 1)
	}
	once := sync.OnceValues(make)
	c.made[key], c.order = once, append(c.order, key)
	return once
}
