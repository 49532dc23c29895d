package montecarlo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/runtime/internal/closing"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/odds/markov"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// A Process is a procedure that can be drawn. It may be used by several goroutines at once.
type Process struct {
	Image   *vm.Image
	Plan    *plan.Procedure
	Closing *closing.Closing
	Start   *schedule.Code
	Events  []*schedule.Code // in the order of the plan's
	Options []int            // of each of the plan's options, the index of the value that is played
}

// Run says which plays are drawn, and which of their values are counted.
type Run struct {
	Seed     uint64
	Plays    int
	Most     int                           // events, after which a play counts as open; 0 for markov.DefaultMostEvents
	Progress func(plays int)               // called now and then with the number of plays that were drawn; nil for nobody
	Question odds.Question                 // its records and outputs
	Policy   func() (markov.Policy, error) // a policy for one goroutine, called once for each
	// Choices decide fields of events when dice have fallen, by event; each comes to one value. It is called as Policy is,
	// and nil decides nothing.
	Choices func() (map[string][]odds.Choice, error)
	// Begun is how many events have happened in the state of the question, from which plays go on; -1 for plays from the
	// start.
	Begun int
}

// MaxPlays bounds the plays of a run.
const MaxPlays = 10_000_000

// chunk is how many plays a goroutine takes at once, after which it looks whether the run has been stopped. It looks within
// a play, too, since a play may have millions of events.
const chunk = 128

// eventsBetweenLooks is how many events of a play are drawn before the run is looked at again.
const eventsBetweenLooks = 256

// normalQuantile is the number of standard deviations on either side of a mean that 95 % of a normal distribution lie in.
const normalQuantile = 1.959963984540054

// PlaysWithin returns how many plays leave each chance within a distance on either side, in 95 of 100 runs, whatever the
// chance is: that of an even one, which is the most. It is MaxPlays+1 where no run has as many, as for a distance of 0.
func PlaysWithin(distance float64) int {
	if !(distance > 0) {
		return MaxPlays + 1
	}
	return int(min(math.Ceil(math.Pow(normalQuantile/(2*distance), 2)), MaxPlays+1))
}

// Interval returns the bounds between which a chance lies of which count of so many plays came, in 95 of 100 runs
// (E. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927).
func Interval(count, plays int) (low, high float64) {
	n, p, z2 := float64(plays), float64(count)/float64(plays), normalQuantile*normalQuantile
	center := (p + z2/(2*n)) / (1 + z2/n)
	half := normalQuantile / (1 + z2/n) * math.Sqrt(p*(1-p)/n+z2/(4*n*n))
	return max(0, center-half), min(1, center+half)
}

// Draw draws the plays of a run and returns the course that they make together: its chances are shares of the plays. The
// error of a play ends the run; of several, that of the first play.
func (p *Process) Draw(ctx context.Context, r Run) (*markov.Course, error) {
	if r.Plays < 1 || r.Plays > MaxPlays {
		return nil, fmt.Errorf("%d plays: draw 1 to %d", r.Plays, MaxPlays)
	}
	if r.Policy == nil {
		return nil, errors.New("no policy: plays are drawn under one")
	}
	if r.Most < 0 {
		return nil, fmt.Errorf("most %d: plays are followed for no fewer than 0 events", r.Most)
	}
	if r.Most == 0 {
		r.Most = markov.DefaultMostEvents
	}
	// Formulas of the policy read defaults that are not given.
	for root, shape := range map[plan.Root]*plan.Shape{plan.CharacterRoot: p.Image.Plan().Character,
		plan.InputRoot: p.Plan.Input} {
		text := &r.Question.Records[root]
		*text = jsonio.Complete(p.Image, jsonio.NewRootSchema(p.Image, root, shape), orEmpty(*text))
	}
	queue := playQueue{run: &r}
	workers := min(runtime.GOMAXPROCS(0), (r.Plays+chunk-1)/chunk)
	drawers := make([]*drawer, workers)
	for i := range drawers {
		policy, err := r.Policy()
		if err != nil {
			return nil, err
		}
		if drawers[i], err = newDrawer(p, &r, policy); err != nil {
			return nil, err
		}
		if err := drawers[i].addChoices(); err != nil {
			return nil, err
		}
	}
	var all sync.WaitGroup
	for _, d := range drawers {
		all.Go(func() { queue.drawAll(ctx, d) })
	}
	all.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if queue.err != nil {
		return nil, queue.err
	}
	total := newCounts()
	for _, d := range drawers {
		total.merge(d.counts)
	}
	if total.isOverfull {
		return nil, fmt.Errorf("the outputs %s have more than %d different values in %d plays: ask for fewer outputs, "+
			"or draw fewer plays", strings.Join(r.Question.Outputs, ", "), maxOutcomes, r.Plays)
	}
	return p.newCourse(total, &r), nil
}

// A playQueue hands out the plays of a run, and keeps the error of the first play that failed.
type playQueue struct {
	run        *Run
	mu         sync.Mutex
	next       int // the first play that nobody has taken
	drawnPlays int
	failedPlay int
	err        error

	unroll   sync.Once          // for the first play that is open
	unrolled *unrolledProcedure // nil where plays are drawn one by one
}

// takeChunk returns the next plays that are to be drawn; none when all are taken, or one before them has failed.
func (q *playQueue) takeChunk() (from, to int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	from = q.next
	if to = min(from+chunk, q.run.Plays); q.err != nil {
		to = from
	}
	q.next = to
	return from, to
}

// reportPlays notes that plays were drawn, or that one failed.
func (q *playQueue) reportPlays(plays, at int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil && (q.err == nil || at < q.failedPlay) {
		q.failedPlay, q.err = at, err
	}
	if q.drawnPlays += plays; q.run.Progress != nil {
		q.run.Progress(q.drawnPlays)
	}
}

// drawAll draws plays until none is left. A chunk that was taken before another one failed is drawn to its end, so that the
// error of a run is that of its first play that fails.
func (q *playQueue) drawAll(ctx context.Context, d *drawer) {
	draw := d.drawPlays
	if a, err := q.blockOf(d); err != nil {
		q.reportPlays(0, 0, err)
		return
	} else if a != nil {
		draw = a.drawBlock
	}
	for ctx.Err() == nil {
		from, to := q.takeChunk()
		if from == to {
			return
		}
		if n, err := draw(ctx, from, to); err != nil {
			q.reportPlays(0, n, fmt.Errorf("play %d of seed %d: %w", n, q.run.Seed, err))
			return
		}
		q.reportPlays(to-from, 0, nil)
	}
}

// blockOf returns a block that draws plays abreast; nil where they are drawn one by one.
func (q *playQueue) blockOf(d *drawer) (*playBlock, error) {
	if !d.canDrawAbreast() {
		return nil, nil
	}
	if status, err := d.beginPlay(0); err != nil || status != plan.Open {
		return nil, nil
	}
	var err error
	if q.unroll.Do(func() { q.unrolled, err = d.unrollSteps() }); q.unrolled == nil {
		return nil, err
	}
	return newPlayBlock(d, q.unrolled), nil
}
