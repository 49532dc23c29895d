// Package ndjson answers a stream of lines: it reads them as they come, and writes one line of JSON for each, in their
// order. An interrupt or a closed pipe ends the reading; what has been read is answered.
//
// # Lines that wait and lines that come
//
// Two kinds of callers want opposite things. A batch of a million lines wants few, large writes; a
// program that sends one line and waits for its sheet would wait for ever for a buffer to fill. So
// answers are buffered, and flushed whenever every line that was read has been answered
// (answerAll): a full pipe is written in large pieces, a single line at once.
//
// A read of a pipe cannot be interrupted, and an interrupt must still end the program with all that
// was read answered. So a goroutine reads, into two buffers in turn, and its last read may be left
// hanging when the program ends.
package ndjson

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"sync/atomic"

	"github.com/tabletop-rules/rules/runtime"
)

// lines are the lines of a reader, as they come.
type lines struct {
	ctx    context.Context
	read   chan chunk
	given  atomic.Uint64 // how many lines have been given
	Failed error         // of reading, once all has ended
}

// A chunk is what one read gave.
type chunk struct {
	text []byte
	err  error
}

// ReadLines begins to read. A read cannot be interrupted, so a goroutine reads: when ctx ends it ends after the read in
// which it is.
func ReadLines(ctx context.Context, in io.Reader) *lines {
	l := &lines{ctx: ctx, read: make(chan chunk)}
	go func() {
		var buffers [2][64 << 10]byte
		for turn := 0; ; turn ^= 1 { // one is filled while the other is read
			n, err := in.Read(buffers[turn][:])
			select {
			case l.read <- chunk{buffers[turn][:n], err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return l
}

// allLines gives the lines without their ends. Of one that is longer than a record it gives just enough to be noticed.
func (l *lines) allLines() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var rest []byte // of the line that has begun
		for {
			var p chunk
			select {
			case p = <-l.read:
			case <-l.ctx.Done():
				return
			}
			var more bool
			if rest, more = l.splitChunk(rest, p.text, yield); !more {
				return
			}
			if p.err != nil {
				l.endInput(rest, p.err, yield)
				return
			}
		}
	}
}

// splitChunk yields the lines that end in text, and returns the beginning of an unfinished one. rest is such a
// beginning from earlier chunks.
//
// A line within one chunk is given as it lies there, without a copy. Only one that spans chunks is gathered, up to one
// byte more than a record may have: enough for the decoder to refuse it, whatever its length.
func (l *lines) splitChunk(rest, text []byte, yield func([]byte) bool) (begun []byte, more bool) {
	for {
		line, after, ends := bytes.Cut(text, []byte{'\n'})
		if !ends || len(rest) > 0 {
			rest = append(rest, line[:min(len(line), runtime.MaxRecord+1-len(rest))]...)
			line = rest
		}
		if !ends {
			return rest, true
		}
		if !l.giveLine(line, yield) {
			return nil, false
		}
		rest, text = rest[:0], after
	}
}

// endInput gives the last line, when nothing ends it, and keeps why reading ended.
func (l *lines) endInput(rest []byte, err error, yield func([]byte) bool) {
	if !errors.Is(err, io.EOF) {
		l.Failed = err
	}
	if len(rest) > 0 {
		l.giveLine(rest, yield)
	}
}

// giveLine gives a line. It is counted before, so that whoever has answered as many knows that none is on its way.
func (l *lines) giveLine(line []byte, yield func([]byte) bool) bool {
	l.given.Add(1)
	return yield(line)
}
