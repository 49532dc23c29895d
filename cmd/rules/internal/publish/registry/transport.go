package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// A pace is how slow a registry may be. A transfer has to bring its first byte within grace, and then on the average so
// many bytes a second; what has come counts, and not the time alone, so that a slow line may carry a large file, and one
// that stands still is given up at once.
type pace struct {
	grace     time.Duration
	perSecond int64
}

// usualPace lets the largest release come over the slowest line that anybody has.
var usualPace = pace{grace: 30 * time.Second, perSecond: 4 << 10}

// maxAnswer bounds in bytes the answers that have no bound of their own: errors, tokens, lists.
const maxAnswer = 1 << 20

// limitKey is the key of the bound in bytes that an answer has, in the context of a request.
type limitKey struct{}

// withLimit bounds the answers to the requests of a context.
func withLimit(ctx context.Context, bytes int64) context.Context {
	return context.WithValue(ctx, limitKey{}, bytes)
}

var errTooSlow = errors.New("it is too slow, or says nothing any more")

// A transport carries requests within bounds: of the size of the answer, and of the pace at which both go. It speaks plain
// HTTP only where that is allowed, wherever it is redirected to.
type transport struct {
	base  http.RoundTripper
	plain bool // plain HTTP is allowed
	pace  pace
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	// Judged for each request, since a redirect or a token's address may lead elsewhere.
	if r.URL.Scheme != "https" && !t.plain {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, fmt.Errorf("%s would answer over plain HTTP, which others can read and change", r.URL.Host)
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	w := watchPace(t.pace, func() { cancel(errTooSlow) })
	r = r.Clone(ctx)
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = &watchedBody{ReadCloser: r.Body, watch: w}
	}
	answer, err := t.base.RoundTrip(r)
	if err != nil {
		w.stop()
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		cancel(nil)
		return nil, err
	}
	// The bound comes with the context, because the client library makes the requests and knows of
	// no bounds.
	limit, ok := ctx.Value(limitKey{}).(int64)
	if !ok {
		limit = maxAnswer
	}
	answer.Body = &boundedBody{
		watchedBody: watchedBody{ReadCloser: answer.Body, watch: w}, ctx: ctx, left: limit, limit: limit,
		done: func() { w.stop(); cancel(nil) },
	}
	return answer, nil
}

// A watch gives a transfer up that falls behind its pace.
type watch struct {
	pace  pace
	begun time.Time
	timer *time.Timer

	mu    sync.Mutex
	bytes int64
}

func watchPace(p pace, giveUp func()) *watch {
	return &watch{pace: p, begun: time.Now(), timer: time.AfterFunc(p.grace, giveUp)}
}

// count notes that so many bytes more have gone.
//
// Each byte earns time, counted from the beginning: a pause is forgiven to who was fast before.
func (w *watch) count(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bytes += int64(n)
	earned := time.Duration(float64(w.bytes) / float64(w.pace.perSecond) * float64(time.Second))
	if n > 0 && w.timer.Stop() { // otherwise it has been given up, or is over
		w.timer.Reset(time.Until(w.begun.Add(w.pace.grace + earned)))
	}
}

func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer.Stop()
}

// A watchedBody is counted by a watch.
type watchedBody struct {
	io.ReadCloser
	watch *watch
}

// Read implements io.Reader.
func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.watch.count(n)
	return n, err
}

// A boundedBody is an answer that ends with an error when it is larger than its bound.
type boundedBody struct {
	watchedBody
	ctx         context.Context
	left, limit int64
	done        func()
}

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.watchedBody.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("the answer is larger than %d bytes", b.limit)
	}
	if err != nil && err != io.EOF && errors.Is(context.Cause(b.ctx), errTooSlow) {
		err = errTooSlow
	}
	return n, err
}

// Close implements io.Closer.
func (b *boundedBody) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}
