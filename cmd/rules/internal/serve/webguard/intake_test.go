package webguard

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestSlowClientsHoldNoPlace has one place, and clients that send half a body or read nothing of a long answer: the next
// one is answered all the same.
func TestSlowClientsHoldNoPlace(t *testing.T) {
	answers := make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if string(text) == "long" {
			w.Write(make([]byte, 16<<20))
			defer func() { answers <- struct{}{} }()
		}
		w.WriteHeader(http.StatusAccepted)
	})
	s := httptest.NewServer(NewIntake(refuse).Wrap(NewGate(Places{Inside: 1, Waiting: 4}), handler))
	defer s.Close()
	defer s.CloseClientConnections()
	ask := func(body io.Reader) *http.Response {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		t.Cleanup(cancel)
		r, err := http.NewRequestWithContext(ctx, "POST", s.URL, body)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	half, rest := io.Pipe()
	defer rest.Close()
	go http.Post(s.URL, "text/plain", half)
	if _, err := io.WriteString(rest, "half"); err != nil {
		t.Fatal(err)
	}
	go http.Post(s.URL, "text/plain", strings.NewReader("long")) // its answer stays in the connection
	<-answers
	if answer := ask(strings.NewReader("short")); answer.StatusCode != http.StatusAccepted {
		t.Errorf("status %d beside slow clients", answer.StatusCode)
	}
}

// TestQuestionEndsWithItsClient sends a body and goes away, while the question waits and while it is answered.
func TestQuestionEndsWithItsClient(t *testing.T) {
	entered, ended := make(chan struct{}), make(chan struct{})
	gate := NewGate(Places{Inside: 1, Waiting: 1, Each: 2})
	s := httptest.NewServer(NewIntake(refuse).Wrap(gate, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		entered <- struct{}{}
		<-r.Context().Done()
		ended <- struct{}{}
	})))
	defer s.Close()
	ctx, leave := context.WithCancel(t.Context())
	for range 2 {
		go func() {
			r, err := http.NewRequestWithContext(ctx, "POST", s.URL, strings.NewReader("{}"))
			if err == nil {
				_, err = http.DefaultClient.Do(r)
			}
			if err == nil {
				t.Error("a question that was given up was answered")
			}
		}()
	}
	<-entered
	for waits := false; !waits; {
		gate.mu.Lock()
		waits = gate.total == 2
		gate.mu.Unlock()
	}
	leave()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the question goes on without its client")
	}
	for empty := false; !empty; {
		select {
		case <-entered: // it was let in before it was noticed to be gone
			<-ended
		default:
		}
		gate.mu.Lock()
		empty = gate.total == 0
		gate.mu.Unlock()
	}
}
