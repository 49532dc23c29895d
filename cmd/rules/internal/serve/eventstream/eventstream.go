// Package eventstream sends server-sent events to a browser for as long as it listens.
//
// Server-sent events and not a web socket: one direction is enough, and a proxy or a browser that drops the stream
// connects again by itself. A stream that has nothing to say sends a comment from time to time, which finds readers who are
// gone without a word.
package eventstream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// heartbeat is how often a silent stream says that it is still there.
const heartbeat = 15 * time.Second

// A Stream is the answer to one request. It must be closed.
type Stream struct {
	w       http.ResponseWriter
	ctx     context.Context
	control *http.ResponseController
	beat    *time.Ticker
}

// Open begins a stream. The deadline for reading is lifted, because the request does not end.
func Open(w http.ResponseWriter, r *http.Request) (*Stream, error) {
	s := &Stream{w: w, ctx: r.Context(), control: http.NewResponseController(w)}
	if err := ignoreUnsupported(s.control.SetReadDeadline(time.Time{})); err != nil {
		return nil, err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	s.beat = time.NewTicker(heartbeat)
	return s, nil
}

// Close ends the heartbeat.
func (s *Stream) Close() { s.beat.Stop() }

// Send sends an event, and reports whether the reader is still there. The data is one line; id may be empty.
func (s *Stream) Send(id string, data []byte) bool {
	if id != "" {
		id = "id: " + id + "\n"
	}
	fmt.Fprintf(s.w, "%sdata: %s\n\n", id, data)
	return s.flush()
}

// Wait waits for news, and reports whether the reader is still there.
func Wait[T any](s *Stream, news <-chan T) bool {
	for {
		select {
		case <-s.ctx.Done():
			return false
		case <-news:
			return true
		case <-s.beat.C:
			fmt.Fprint(s.w, ": still here\n\n")
			if !s.flush() {
				return false
			}
		}
	}
}

func (s *Stream) flush() bool {
	return ignoreUnsupported(s.control.SetWriteDeadline(time.Now().Add(2*heartbeat))) == nil && s.control.Flush() == nil
}

// ignoreUnsupported returns nil for an operation that a recorder of answers lacks, unlike a connection, and any other
// error unchanged.
func ignoreUnsupported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
