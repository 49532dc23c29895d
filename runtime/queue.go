package runtime

import (
	"github.com/tabletop-rules/rules/runtime/vector"
	"iter"
	"sync"
)

// A chunk is up to as many consecutive records as columns hold, and their answers.
type chunk struct {
	first   uint64 // number of the first record
	text    []byte // of all records, one behind the other
	ends    []int  // of each record, where it ends in text
	sheets  []byte // of all records that have one
	answers []answer
	done    chan struct{} // receives when the answers are complete
}

// An answer is where a sheet ends, or why there is none.
type answer struct {
	end int
	err error
}

// chunkBytes is how many bytes of records a chunk has when it takes no more.
const chunkBytes = 1 << 20

func (c *chunk) records() int { return len(c.ends) }

func (c *chunk) full() bool { return len(c.ends) == vector.Size || len(c.text) >= chunkBytes }

// record is the text of a record.
func (c *chunk) record(i int) ([]byte, error) {
	start := 0
	if i > 0 {
		start = c.ends[i-1]
	}
	if c.ends[i]-start > MaxRecord {
		return nil, tooLarge(c.ends[i] - start)
	}
	return c.text[start:c.ends[i]], nil
}

// answer notes the answer of the next record: sheets is that of all so far.
func (c *chunk) answer(sheets []byte, err error) {
	c.sheets = sheets
	c.answers = append(c.answers, answer{len(sheets), err})
}

// each gives the answers, until no more are wanted.
func (c *chunk) each(yield func([]byte, error) bool) bool {
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

// reuse empties a chunk for the records from a number on.
func (c *chunk) reuse(first uint64) *chunk {
	c.first, c.text, c.ends, c.sheets, c.answers = first, c.text[:0], c.ends[:0], c.sheets[:0], c.answers[:0]
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
	workers sync.WaitGroup
	shelf   *shelf[*chunk]
}

// newQueue makes a queue with two chunks for each worker, one that it answers and one that is read, and one that is
// filled. They come from a shelf, and go back there when the queue has stopped.
func newQueue(workers int, shelf *shelf[*chunk]) *queue {
	q := &queue{shelf: shelf}
	for range 2*workers + 1 {
		q.free = append(q.free, shelf.take())
	}
	q.room.L, q.ready.L, q.begun.L = &q.mu, &q.mu, &q.mu
	q.open = q.pop(0)
	return q
}

// pop is a chunk that nobody uses.
func (q *queue) pop(first uint64) *chunk {
	last := len(q.free) - 1
	c := q.free[last]
	q.free = q.free[:last]
	return c.reuse(first)
}

// fill adds all records.
func (q *queue) fill(records iter.Seq[[]byte]) {
	for r := range records {
		if !q.add(r) {
			return
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.ready.Broadcast()
	q.begun.Broadcast()
}

// add adds a record. It reports whether more are wanted.
func (q *queue) add(record []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.open.full() && !q.stopped {
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

// work lets a worker answer chunks until there are no more.
func (q *queue) work(w *worker) {
	for c := q.take(); c != nil; c = q.take() {
		w.answer(c)
		c.done <- struct{}{}
	}
}

// take is the open chunk, in whose place another one is opened; nil when there are no more.
func (q *queue) take() *chunk {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.stopped && (q.open.records() == 0 && !q.closed || q.open.records() > 0 && len(q.free) == 0) {
		q.ready.Wait()
	}
	if q.stopped || q.open.records() == 0 {
		return nil
	}
	c := q.open
	q.open = q.pop(c.first + uint64(c.records()))
	q.taken = append(q.taken, c)
	q.begun.Signal()
	q.room.Signal()
	return c
}

// next is the next chunk in order, answered; nil after the last one.
func (q *queue) next() *chunk {
	c := q.oldest()
	if c != nil {
		<-c.done
	}
	return c
}

// oldest is the chunk that was taken first.
func (q *queue) oldest() *chunk {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.taken) == 0 && !(q.closed && q.open.records() == 0) {
		q.begun.Wait()
	}
	if len(q.taken) == 0 {
		return nil
	}
	c := q.taken[0]
	q.taken = append(q.taken[:0], q.taken[1:]...)
	return c
}

// release gives back a chunk whose answers have been read.
func (q *queue) release(c *chunk) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.free = append(q.free, c)
	q.ready.Signal()
}

// stop ends the workers, waits until they have ended, and gives up all chunks.
func (q *queue) stop() {
	q.mu.Lock()
	q.stopped = true
	q.ready.Broadcast()
	q.room.Broadcast()
	q.mu.Unlock()
	q.workers.Wait()
	q.shelf.put(q.open)
	for _, c := range q.free {
		q.shelf.put(c)
	}
	for _, c := range q.taken {
		<-c.done
		q.shelf.put(c)
	}
}
