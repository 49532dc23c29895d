package runtime

import (
	"fmt"
	"iter"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/runtime/internal/vector"
)

// A chunk is up to as many consecutive records as columns hold, and their answers.
type chunk struct {
	first   uint64 // number of the first record
	text    []byte // of all records, one behind the other
	ends    []int  // of each record, where it ends in text
	sheets  []byte // of all records that have one
	answers []answer
	fault   any           // the panic that ended a worker, instead of answers
	done    chan struct{} // receives when the answers are complete
}

// An answer is where a sheet ends, or why there is none.
type answer struct {
	end int
	err error
}

// chunkBytes is how many bytes of records a chunk has when it takes no more.
const chunkBytes = 1 << 20

func (c *chunk) countRecords() int { return len(c.ends) }

func (c *chunk) isFull() bool { return len(c.ends) == vector.Size || len(c.text) >= chunkBytes }

// recordText is the text of a record.
func (c *chunk) recordText(i int) ([]byte, error) {
	start := 0
	if i > 0 {
		start = c.ends[i-1]
	}
	if c.ends[i]-start > MaxRecord {
		return nil, newTooLargeError(c.ends[i] - start)
	}
	return c.text[start:c.ends[i]], nil
}

// addAnswer notes the answer of the next record: sheets is that of all so far.
func (c *chunk) addAnswer(sheets []byte, err error) {
	c.sheets = sheets
	c.answers = append(c.answers, answer{len(sheets), err})
}

// yieldAnswers gives the answers, until no more are wanted.
func (c *chunk) yieldAnswers(yield func([]byte, error) bool) bool {
	start := 0
	for _, a := range c.answers {
		sheet := c.sheets[start:a.end:a.end]
		if a.err != nil {
			sheet = nil
		}
		if !yield(sheet, a.err) {
			return false
		}
		start = a.end
	}
	return true
}

// reuseFrom empties a chunk for the records from a number on.
func (c *chunk) reuseFrom(first uint64) *chunk {
	c.first, c.text, c.ends, c.sheets, c.answers, c.fault = first, c.text[:0], c.ends[:0], c.sheets[:0], c.answers[:0], nil
	return c
}

// A queue takes records in order, hands them to workers in chunks, and gives the chunks in order. A worker that is idle
// takes what there is, so a record waits for no other one; when all are busy, chunks grow.
type queue struct {
	mu      sync.Mutex
	room    sync.Cond // the open chunk takes records again
	ready   sync.Cond // there is something to do, or a chunk to put in its place
	begun   sync.Cond // a worker has taken a chunk, or no more will come
	open    *chunk    // takes records
	free    []*chunk
	taken   []*chunk // by workers, in order; not yet given
	closed  bool     // no record will come any more
	stopped bool     // no answer is wanted any more
	fault   any      // the panic that ended the records, or a worker before it took a chunk
	workers sync.WaitGroup
	shelf   *reserve[*chunk]
}

// newQueue makes a queue with two chunks for each worker, one that it answers and one that is read, and one that is
// filled. They come from a shelf, and go back there when the queue has stopped.
func newQueue(workers int, shelf *reserve[*chunk]) *queue {
	q := &queue{shelf: shelf}
	for range 2*workers + 1 {
		q.free = append(q.free, shelf.takeOrMake())
	}
	q.room.L, q.ready.L, q.begun.L = &q.mu, &q.mu, &q.mu
	q.open = q.popFree(0)
	return q
}

// popFree is a chunk that nobody uses.
func (q *queue) popFree(first uint64) *chunk {
	last := len(q.free) - 1
	c := q.free[last]
	q.free = q.free[:last]
	return c.reuseFrom(first)
}

// fillFrom adds all records. When the sequence panics no more come, and whoever waits for answers panics for it.
func (q *queue) fillFrom(records iter.Seq[[]byte]) {
	fault := catchPanic(func() {
		for r := range records {
			if !q.addRecord(r) {
				return
			}
		}
	})
	q.endRecords(fault)
}

// endRecords notes that no more records come, and the panic that is the reason for it, if it is one.
func (q *queue) endRecords(fault any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	if fault != nil {
		q.fault = fault
	}
	q.ready.Broadcast()
	q.begun.Broadcast()
}

// addRecord adds a record. It reports whether more are wanted.
func (q *queue) addRecord(record []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.stopped && q.open.isFull() { // once stopped it is another queue's
		q.room.Wait()
	}
	if q.stopped {
		return false
	}
	q.open.text = append(q.open.text, record...)
	q.open.ends = append(q.open.ends, len(q.open.text))
	q.ready.Signal()
	return true
}

// serveWorker lets a worker answer chunks until there are no more. It reports whether the worker can be used again: not
// after a panic, which whoever waits for the chunk meets.
func (q *queue) serveWorker(w *worker) bool {
	for c := q.takeChunk(); c != nil; c = q.takeChunk() {
		c.fault = catchPanic(func() { w.answerChunk(c) })
		broken := c.fault != nil
		c.done <- struct{}{}
		if broken {
			return false
		}
	}
	return true
}

// catchPanic returns the panic of a function with the place where it arose; nil of one that returns. A panic in a goroutine
// of its own ends the process, whatever the caller of the batch recovers from.
func catchPanic(f func()) (fault any) {
	defer func() {
		if value := recover(); value != nil {
			_, below, _ := strings.Cut(string(debug.Stack()), "\npanic(") // and its own line, and that of its source
			lines := strings.SplitN(below, "\n", 3)
			fault = fmt.Sprintf("%v, in a goroutine of a batch at %s", value, lines[len(lines)-1])
		}
	}()
	f()
	return nil
}

// takeChunk is the open chunk, in whose place another one is opened; nil when there are no more.
func (q *queue) takeChunk() *chunk {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.stopped && (q.open.countRecords() == 0 && !q.closed || q.open.countRecords() > 0 && len(q.free) == 0) {
		q.ready.Wait()
	}
	if q.stopped || q.open.countRecords() == 0 {
		return nil
	}
	c := q.open
	q.open = q.popFree(c.first + uint64(c.countRecords()))
	q.taken = append(q.taken, c)
	q.begun.Signal()
	q.room.Signal()
	return c
}

// waitForNext returns the next chunk in order, answered, and nil after the last one. A panic that ended the chunk's
// worker, or the reader of the records, is repeated here.
func (q *queue) waitForNext() *chunk {
	c, fault := q.takeOldest()
	if c != nil {
		<-c.done
		fault = c.fault
		if fault != nil {
			q.releaseChunk(c)
		}
	}
	if fault != nil {
		panic(fault)
	}
	return c
}

// takeOldest is the chunk that was taken first, or else the panic that is the reason why there is none.
func (q *queue) takeOldest() (c *chunk, fault any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.taken) == 0 && q.fault == nil && !(q.closed && q.open.countRecords() == 0) {
		q.begun.Wait()
	}
	if len(q.taken) == 0 {
		return nil, q.fault
	}
	c = q.taken[0]
	q.taken = append(q.taken[:0], q.taken[1:]...)
	return c, nil
}

// releaseChunk gives back a chunk whose answers have been read.
func (q *queue) releaseChunk(c *chunk) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.free = append(q.free, c)
	q.ready.Signal()
}

// stopWorkers ends the workers, waits until they have ended, and gives up all chunks.
func (q *queue) stopWorkers() {
	q.mu.Lock()
	q.stopped = true
	q.ready.Broadcast()
	q.room.Broadcast()
	q.mu.Unlock()
	q.workers.Wait()
	q.shelf.putBack(q.open)
	for _, c := range q.free {
		q.shelf.putBack(c)
	}
	for _, c := range q.taken {
		<-c.done
		q.shelf.putBack(c)
	}
}
