package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"
)

var pressure = flag.Int("pressure", 0, "let so many clients press on the server, and ask for answers within a second")

// Without the flag fewPressing clients press, and fewAsked answers are asked for. The machine has other work then, so that
// only a server is noticed in which others wait for a slow client's timeout.
const (
	fewPressing = 40
	fewPatience = 5 * time.Second
	fewAsked    = 4
)

// A presser occupies the server until its context ends, from one connection. Errors are no news: the server may refuse it.
type presser struct {
	name  string
	press func(ctx context.Context, address string)
}

// pressers are the ways in which a client can occupy a server.
var pressers = []presser{
	{"headers that do not end", func(ctx context.Context, address string) {
		hold(ctx, address, "POST /v1/odds HTTP/1.1\r\nHost: localhost\r\n")
	}},
	{"half bodies", func(ctx context.Context, address string) {
		hold(ctx, address, postText("tempestas/test/eval", `{"character"`, 900))
	}},
	{"idle streams", func(ctx context.Context, address string) {
		hold(ctx, address, "POST /v1/tempestas/test/stream?input=%7B%22name%22:%22navigation%22%7D HTTP/1.1\r\n"+
			"Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
	}},
	{"clients that leave", func(ctx context.Context, address string) {
		body := `{"dice": "10d10000", "exact": true}`
		for ctx.Err() == nil {
			brief, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			hold(brief, address, postText("odds", body, len(body)))
			cancel()
		}
	}},
	{"clients that never read", func(ctx context.Context, address string) {
		body := `{"dice": "10d10000"}`
		hold(ctx, address, postText("odds", body, len(body)))
	}},
	{"connections", func(ctx context.Context, address string) {
		done := make(chan struct{})
		for range 20 {
			go func() { hold(ctx, address, ""); done <- struct{}{} }()
		}
		for range 20 {
			<-done
		}
	}},
	{"large bodies", func(ctx context.Context, address string) {
		repeat(ctx, "http://"+address+"/v1/tempestas/test/eval", largeBody())
	}},
	{"odds that take long", func(ctx context.Context, address string) {
		repeat(ctx, "http://"+address+"/v1/odds", `{"dice": "100d100kh50"}`)
	}},
	{"streams that take long", func(ctx context.Context, address string) {
		repeat(ctx, "http://"+address+"/v1/tempestas/test/stream?input=%7B%22name%22:%22navigation%22%7D", manyLines())
	}},
}

// largeBody returns a character of 3 MiB. This program is also the command that the scripts run, so it is made when it is
// needed.
func largeBody() string { return `{"character": "` + strings.Repeat("x", 3<<20) + `"}` }

// manyLines returns 50,000 characters.
func manyLines() string {
	return strings.Repeat(`{"skills": {"navigation": 90, "carpentry": 12}}`+"\n", 50_000)
}

// postText returns a request with a body that says to have length bytes.
func postText(path, body string, length int) string {
	return fmt.Sprintf("POST /v1/%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", path, length, body)
}

// hold sends a text and keeps the connection without reading. When the server ends it, it comes again.
func hold(ctx context.Context, address, text string) {
	for ctx.Err() == nil {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err != nil {
			continue
		}
		stop := context.AfterFunc(ctx, func() { c.Close() })
		c.(*net.TCPConn).SetReadBuffer(1 << 10)
		io.WriteString(c, text)
		<-ctx.Done()
		stop()
		c.Close()
	}
}

// repeat sends a body and reads the answer, again and again.
func repeat(ctx context.Context, url, body string) {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for ctx.Err() == nil {
		r, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(body))
		if err != nil {
			return
		}
		if answer, err := client.Do(r); err == nil {
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
		select { // as Retry-After asks, in small
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// TestServeUnderPressure lets clients occupy the server in each of the ways, and asks for an evaluation beside them, on a
// new connection each time: it is answered within a second. A stream, too, is answered beside idle ones.
func TestServeUnderPressure(t *testing.T) {
	if testing.Short() {
		t.Skip("it presses for many seconds")
	}
	t.Setenv("HOME", t.TempDir())
	clients, limit, asked := *pressure, time.Second, 12
	if clients == 0 {
		clients, limit, asked = fewPressing, fewPatience, fewAsked
	}
	for _, p := range pressers {
		t.Run(p.name, func(t *testing.T) {
			url := startServerProcess(t, "tempestas")
			address := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/")
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			for range clients {
				go func() { p.press(ctx, address); done <- struct{}{} }()
			}
			slowest := time.Duration(0)
			for range asked {
				time.Sleep(150 * time.Millisecond)
				slowest = max(slowest, timeEvaluation(t, url))
			}
			t.Logf("%d clients: an evaluation took at most %v", clients, slowest.Round(time.Millisecond))
			if slowest > limit {
				t.Errorf("an evaluation took %v", slowest)
			}
			cancel()
			for range clients {
				<-done
			}
		})
	}
}

// startServerProcess starts the server as a process of its own, on a free port.
func startServerProcess(t *testing.T, args ...string) (url string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "rules", append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// timeEvaluation asks for an evaluation as a new client does, and returns how long the answer took.
func timeEvaluation(t *testing.T, url string) time.Duration {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}
	defer client.CloseIdleConnections()
	const body = `{"character": {"skills": {"navigation": 90}}, "input": {"name": "navigation", "difficulty": "hard"}, "dice": [43]}`
	start := time.Now()
	answer, err := client.Post(url+"v1/tempestas/test/eval", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || !bytes.Contains(text, []byte(`"active_value":60`)) {
		t.Fatalf("status %d, %v: %s", answer.StatusCode, err, text)
	}
	return time.Since(start)
}

// TestStreamBesideIdleOnes opens a stream beside 34 that wait for their clients, which held all places once.
func TestStreamBesideIdleOnes(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	url, stop := startServer(t, "tempestas")
	defer stop()
	address := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/")
	const head = "POST /v1/tempestas/test/stream?input=%7B%22name%22:%22navigation%22%7D HTTP/1.1\r\n" +
		"Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
	ask := func() net.Conn {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		const line = `{"skills": {"navigation": 90}}` + "\n"
		fmt.Fprintf(c, "%s%x\r\n%s\r\n", head, len(line), line)
		if err := c.SetReadDeadline(time.Now().Add(8 * time.Second)); err != nil { // less than any stream waits for its client
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := bufio.NewReader(answer.Body).ReadString('\n'); err != nil || !strings.Contains(text, `"active_value":`) {
			t.Fatalf("%v: %s", err, text)
		}
		return c
	}
	for range 35 {
		ask()
	}
}
