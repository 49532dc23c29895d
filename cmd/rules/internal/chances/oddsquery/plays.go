package oddsquery

import (
	"context"
	goruntime "runtime"
	"sync/atomic"
	"time"

	"github.com/tabletop-rules/rules/runtime"
)

// drawDelay is how long exact odds are tried before plays are drawn beside them. Those of most fights end before.
const drawDelay = 50 * time.Millisecond

// Plays are drawn while exact odds are still tried: these are followed by one processor, and the others would be idle.
// Which of the two is the answer depends on the work of the exact odds alone, and the time only on how much of that is
// spent in vain.
type plays struct {
	needed   chan struct{} // closed when exact odds have been given up
	isNeeded atomic.Bool   // so that the progress of plays that may be in vain is not shown
	cancel   context.CancelFunc
	done     chan struct{}
	course   *runtime.Course
	err      error
}

// beginPlays begins to draw plays of the procedure beside its exact odds.
func (a *PlayAsker) beginPlays(ctx context.Context, o *runtime.CourseOptions) *plays {
	p := &plays{needed: make(chan struct{}), done: make(chan struct{})}
	drawn := *a
	sampling := *a.Sampling
	if show := sampling.Progress; show != nil {
		sampling.Progress = func(n int) {
			if p.isNeeded.Load() {
				show(n)
			}
		}
	}
	drawn.Sampling = &sampling
	ctx, p.cancel = context.WithCancel(ctx)
	go func() {
		defer close(p.done)
		if p.wait(ctx) {
			p.course, p.err = drawn.sample(ctx, o)
		} else {
			p.err = context.Cause(ctx)
		}
	}()
	return p
}

// wait waits for the time to draw, and reports whether it has come. A single processor is left to the exact odds.
func (p *plays) wait(ctx context.Context) bool {
	var delay <-chan time.Time
	if goruntime.GOMAXPROCS(0) > 1 {
		delay = time.After(drawDelay)
	}
	select {
	case <-delay:
	case <-p.needed:
	case <-ctx.Done():
		return false
	}
	return true
}

// take returns the course of the plays once all are drawn, with the reason why there are no exact odds.
func (p *plays) take(because string) (*runtime.Course, error) {
	p.isNeeded.Store(true)
	close(p.needed)
	<-p.done
	if p.err != nil {
		return nil, p.err
	}
	p.course.Sample.Because = because
	return p.course, nil
}

// stop ends the drawing of plays and waits until it has ended.
func (p *plays) stop() {
	p.cancel()
	<-p.done
}
