package api_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestStream sends characters one by one through an open stream, and reads the sheet of each before it sends the next: 90
// less 30 is 60, 50 less 30 is 20. A line that does not fit is answered by an error, and the stream goes on.
func TestStream(t *testing.T) {
	url := serve(t, "tempestas").URL + "/v1/tempestas/test/stream?seed=1&output=active_value&input=" +
		"%7B%22name%22:%22navigation%22,%22difficulty%22:%22hard%22%7D"
	body, lines := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), "POST", url, body)
	if err != nil {
		t.Fatal(err)
	}
	send := func(line string) {
		t.Helper()
		if _, err := io.WriteString(lines, line+"\n"); err != nil {
			t.Error(err)
		}
	}
	go send(`{"skills": {"navigation": 90}}`)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.Header.Get("Content-Type") != "application/x-ndjson" || answer.Header.Get("Rules-Seed") != "1" {
		t.Errorf("%v", answer.Header)
	}
	sheets := bufio.NewScanner(answer.Body)
	for _, step := range []struct{ want, next string }{
		{`"active_value":60`, `{"skills": {"navigation": 50}}`},
		{`"active_value":20`, `{"skills": {"navigation": "good"}}`},
		{`"error":{"line":3,"path":"character.skills.navigation"`, `{"skills": {"navigation": 40}}`},
		{`"active_value":10`, ""},
	} {
		if !sheets.Scan() || !strings.Contains(sheets.Text(), step.want) {
			t.Fatalf("no %s in %s", step.want, sheets.Text())
		}
		if step.next != "" {
			send(step.next)
		}
	}
	lines.Close()
	if sheets.Scan() {
		t.Errorf("a line too many: %s", sheets.Text())
	}
}

// TestStreamRefuses asks in ways that a stream does not take.
func TestStreamRefuses(t *testing.T) {
	url := serve(t, "tempestas").URL + "/v1/tempestas/"
	for path, code := range map[string]string{"test/stream?seed=x": "bad-request", "test/stream?trace=yes": "bad-request",
		"test/stream?option=heroic_band": "bad-request", "task/stream": "unknown-name", "nonesuch/stream": "unknown-name",
		"test/stream?input=%7B%7D": "input"} {
		if status, problem := send(t, "POST", url+path, ""); status < 400 || problem["code"] != code {
			t.Errorf("%s: status %d: %v", path, status, problem)
		}
	}
}
