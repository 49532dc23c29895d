package runtime

import (
	"fmt"
	"iter"
	goruntime "runtime"
	"slices"
	"sync"

	"github.com/tabletop-rules/rules/runtime/dice"
	"github.com/tabletop-rules/rules/runtime/internal/vector"
	"github.com/tabletop-rules/rules/runtime/internal/vm"
	"github.com/tabletop-rules/rules/runtime/jsonio"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/schedule"
)

// BatchOptions are what the records of a batch have in common.
type BatchOptions struct {
	Input   []byte // JSON; empty for {}
	Seed    uint64 // of the faces; each record draws from a stream of its own, keyed by its number, the first being 0
	Workers int    // how many records are evaluated at once; 0: as many as there are cores
}

// A Batch is a rule with what many evaluations of it have in common. It may be used by several goroutines at once.
type Batch struct {
	rule    *Rule
	options BatchOptions
	code    *schedule.Code
	columns bool           // whether the code runs by columns
	reader  *jsonio.Schema // of a character
	none    *jsonio.Schema // of a character without fields, of a rule that needs none; else nil
	sheets  *jsonio.Template
	workers reserve[*worker] // between one use of All and the next
	chunks  reserve[*chunk]
}

// Batch prepares the rule for many characters. It fails when the input does not fit.
func (r *Rule) Batch(o BatchOptions) (*Batch, error) {
	if o.Workers <= 0 {
		o.Workers = goruntime.GOMAXPROCS(0)
	}
	o.Input = slices.Clone(orEmpty(o.Input))
	code, err := r.columnCode()
	if err != nil {
		return nil, err
	}
	b := &Batch{rule: r, options: o, code: code, columns: vector.CanRun(code)}
	if !b.columns {
		b.code = r.code
	}
	b.reader = b.newReader(r.program.plan.Character)
	if shape := r.characterShape(); shape != r.program.plan.Character {
		b.none = b.newReader(shape)
	}
	b.sheets = r.newTemplate(b.code)
	b.workers.create = b.newWorker
	b.chunks.create = func() *chunk { return &chunk{done: make(chan struct{}, 1)} }
	_, err = jsonio.NewDecoder(vm.NewStore(r.program.image)).DecodeSlots(r.input, o.Input)
	return b, err
}

func (b *Batch) newReader(character *plan.Shape) *jsonio.Schema {
	x := jsonio.NewRootSchema(b.rule.program.image, plan.CharacterRoot, character)
	x.MarkUnread(b.code.Reads()[b.code.Base[plan.CharacterRoot]:])
	return x
}

// readerOf returns the schema by which a character is read, as Rule.characterFor does.
func (b *Batch) readerOf(text []byte) *jsonio.Schema {
	if b.none != nil && jsonio.IsEmpty(text) {
		return b.none
	}
	return b.reader
}

// MaxRecord is how many bytes a record of a batch may have.
const MaxRecord = 1 << 20

// ByColumns reports whether records are evaluated together, column by column, rather than one by one.
func (b *Batch) ByColumns() bool { return b.columns }

// All carries the rule out for each character in JSON and gives its sheet in JSON, or why there is none: an *InputError, a
// *Refused or a *Failure. Answers come in the order of the characters, one for each, and do not depend on the number of
// workers, down to their bytes. A sheet is good until the next one is asked for.
//
// However many characters there are, only a bounded number of them is held. They are ranged over by another goroutine,
// which runs ahead of the answers; when the answers are not read to their end, it ends with the next character that it is
// given. A panic of the program or of characters, in whichever goroutine, is one of the caller's.
func (b *Batch) All(characters iter.Seq[[]byte]) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		q := newQueue(b.options.Workers, &b.chunks)
		defer q.stopWorkers()
		go q.fillFrom(characters)
		for range b.options.Workers {
			q.workers.Go(func() {
				fault := catchPanic(func() {
					w := b.workers.takeOrMake()
					if q.serveWorker(w) {
						b.workers.putBack(w)
					}
				})
				if fault != nil {
					q.endRecords(fault)
				}
			})
		}
		for chunk := q.waitForNext(); chunk != nil; chunk = q.waitForNext() {
			more := chunk.yieldAnswers(yield)
			q.releaseChunk(chunk)
			if !more {
				return
			}
		}
	}
}

// A reserve keeps what has grown to its size for those who need it next, whatever the garbage collector does.
type reserve[T any] struct {
	mu     sync.Mutex
	free   []T
	create func() T
}

// takeOrMake returns an item that nobody uses.
func (s *reserve[T]) takeOrMake() T {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.free) - 1
	if last < 0 {
		return s.create()
	}
	x := s.free[last]
	s.free = s.free[:last]
	return x
}

func (s *reserve[T]) putBack(x T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, x)
}

// A worker answers records, one chunk after the other.
type worker struct {
	*Batch
	*evaluation                 // of the record, or of the columns
	columns     *vector.Columns // nil when records are evaluated one by one
	source      *dice.Seeded    // of the record's faces
	encoder     jsonio.Encoder  // of lists in sheets
	unfit       []error         // of each record of a chunk, why it has no row in the columns; nil when it has
}

func (b *Batch) newWorker() *worker {
	w := &worker{Batch: b}
	if b.columns {
		w.columns = vector.NewColumns(b.rule.program.image, b.code)
		w.evaluation = &evaluation{frame: w.columns.Frame, decoder: jsonio.NewDecoder(w.columns.Frame)}
	} else {
		w.evaluation = newEvaluation(b.rule.program.image, b.code)
		w.source = dice.FromSeed(0, 0, 0)
	}
	return w
}

// answerChunk answers the records of a chunk.
func (w *worker) answerChunk(c *chunk) {
	if w.columns != nil {
		w.answerByColumns(c)
		return
	}
	for i := range c.countRecords() {
		c.addAnswer(w.appendFromFrame(c, i))
	}
}

// appendFromFrame appends the sheet of a record, evaluated in the frame.
func (w *worker) appendFromFrame(c *chunk, i int) ([]byte, error) {
	w.source.Reset(w.options.Seed, c.first+uint64(i), 0)
	text, err := c.recordText(i)
	if err == nil {
		err = w.rule.runOn(w.evaluation, w.readerOf(text), &Request{Character: text, Input: w.options.Input}, w.source)
	}
	if err != nil {
		return c.sheets, err
	}
	return w.sheets.Append(c.sheets, &w.encoder, w.frame, w.frame.View(), w.frame.Faces(), &w.options.Seed)
}

// answerByColumns answers the records of a chunk by columns. Only those that fit have a row.
func (w *worker) answerByColumns(c *chunk) {
	w.columns.Reset()
	w.fillInput()
	w.unfit = w.unfit[:0]
	rows := 0
	for i := range c.countRecords() {
		err := w.putRecord(c, i, rows)
		if w.unfit = append(w.unfit, err); err == nil {
			rows++
		}
	}
	w.columns.Run(rows)
	row := 0
	for _, err := range w.unfit {
		if err != nil {
			c.addAnswer(c.sheets, err)
			continue
		}
		c.addAnswer(w.appendFromRow(c, row))
		row++
	}
}

// fillInput gives every row the input.
func (w *worker) fillInput() {
	slots, err := w.decoder.DecodeSlots(w.rule.input, w.options.Input)
	if err != nil {
		panic("runtime: an input that was read does not fit any more")
	}
	for k, bits := range slots {
		w.columns.Fill(int(w.code.Base[plan.InputRoot])+k, bits)
	}
}

// putRecord writes a record into a row.
func (w *worker) putRecord(c *chunk, i, row int) error {
	text, err := c.recordText(i)
	if err != nil {
		return err
	}
	slots, err := w.decoder.DecodeSlots(w.readerOf(text), text)
	if err != nil {
		return err
	}
	w.columns.Put(row, w.code.Base[plan.CharacterRoot], slots)
	w.columns.SetSeed(row, w.options.Seed, c.first+uint64(i), 0)
	return nil
}

// appendFromRow appends the sheet of a row.
func (w *worker) appendFromRow(c *chunk, row int) ([]byte, error) {
	if err := w.columns.Err(row); err != nil {
		return c.sheets, err
	}
	return w.sheets.Append(c.sheets, &w.encoder, w.frame, w.columns.View(row), w.columns.Faces(row), &w.options.Seed)
}

// newTooLargeError is the error of a record with more bytes than MaxRecord.
func newTooLargeError(n int) error {
	return &jsonio.InputError{Root: "character", Line: 1, Col: 1,
		Msg: fmt.Sprintf("has %d bytes or more, but may have %d", n, MaxRecord)}
}
