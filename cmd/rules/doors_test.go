package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var updateDoors = flag.Bool("update", false, "rewrite the answers in testdata/doors.txtar")

// TestDoors asks the same of one ruleset through every front end: the command line, the API, the pages, the tool server,
// cases and receipts, with faces in a list, by the id of their die, drawn from a seed, and both. The answers stand in
// testdata/doors.txtar behind the questions, which begin with "$ ".
func TestDoors(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a server")
	}
	const name = "testdata/doors.txtar"
	file, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", t.TempDir())
	from, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, f := range file.Files {
		write(t, f.Name, innerArchive.ReplaceAllString(string(f.Data), "-- $1 --")) // a case is an archive, too
	}
	server, stop := startServer(t, "--dir", ".")
	defer stop()
	tools, stopTools := startCommand(t, "mcp", "--dir", ".")
	defer stopTools()
	ask := &doors{server, tools}
	var got strings.Builder
	for line := range strings.Lines(string(file.Comment)) {
		switch {
		case strings.HasPrefix(line, "# "):
			got.WriteString(line)
		case strings.HasPrefix(line, "$ "):
			got.WriteString(line)
			got.WriteString(ask.answer(t, strings.TrimSpace(line[len("$ "):])))
		}
	}
	if *updateDoors {
		file.Comment = []byte(got.String())
		if err := os.WriteFile(from+"/"+name, txtar.Format(file), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := string(file.Comment)
	for got, want := strings.Split(got.String(), "$ "), strings.Split(want, "$ "); len(got) > 0 && len(want) > 0; {
		if got[0] != want[0] {
			t.Errorf("$ %s\nwant $ %s", got[0], want[0])
		}
		got, want = got[1:], want[1:]
	}
}

// changing matches the digests of a plan, and of a receipt or a state that has one: they change with the format of plans.
var changing = regexp.MustCompile(`"(plan|digest|receipt|state)":"[0-9a-f]{32,64}"`)

var innerArchive = regexp.MustCompile(`(?m)^== (.*) ==$`)

// doors are the addresses of the servers.
type doors struct{ server, tools string }

// answer asks one question, and returns the answer with all that was said.
func (d *doors) answer(t *testing.T, question string) string {
	words := splitQuoted(question)
	var out, errs bytes.Buffer
	status := 0
	switch words[0] {
	case "post": // of the API
		body := ""
		if len(words) > 2 {
			body = words[2]
		}
		status = postTo(t, &out, d.server+"v1/"+words[1], "application/json", body)
	case "form": // of a page
		form := url.Values{}
		for _, field := range words[2:] {
			name, value, _ := strings.Cut(field, "=")
			form.Set(name, value)
		}
		var page bytes.Buffer
		status = postTo(t, &page, d.server+words[1], "application/x-www-form-urlencoded", form.Encode())
		out.WriteString(textOfPage(page.String()))
	case "tool": // of the tool server
		out.Write(d.callTool(t, words[1], words[2]))
	case "show":
		data, err := os.ReadFile(words[1])
		if err != nil {
			t.Fatal(err)
		}
		out.Write(data)
	default:
		if n := len(words) - 2; n > 0 && words[n] == ">" {
			status = Main(words[:n], strings.NewReader(""), &out, &errs)
			write(t, words[n+1], out.String())
			out.Reset()
			break
		}
		status = Main(words, strings.NewReader(""), &out, &errs)
	}
	var said strings.Builder
	var compact bytes.Buffer
	if json.Compact(&compact, out.Bytes()) == nil {
		out = compact
	}
	for text := range strings.Lines(changing.ReplaceAllString(out.String(), `"$1":"..."`)) {
		said.WriteString("  " + strings.TrimRight(text, " \n") + "\n")
	}
	for text := range strings.Lines(errs.String()) {
		said.WriteString("! " + strings.TrimRight(text, " \n") + "\n")
	}
	if status != 0 && status != http.StatusOK {
		fmt.Fprintf(&said, "= %d\n", status)
	}
	return said.String()
}

// callTool returns the structured content of a tool's answer.
func (d *doors) callTool(t *testing.T, tool, arguments string) []byte {
	body := fmt.Sprintf(`{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": %q, "arguments": %s}}`, tool,
		arguments)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.tools+"mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	var got struct {
		Result struct{ StructuredContent json.RawMessage }
	}
	if err := json.NewDecoder(a.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	return got.Result.StructuredContent
}

func postTo(t *testing.T, to io.Writer, url, kind, body string) int {
	r, err := http.Post(url, kind, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if _, err := io.Copy(to, r.Body); err != nil {
		t.Fatal(err)
	}
	return r.StatusCode
}

var tags = regexp.MustCompile(`(?s)<head>.*</head>|<(nav|footer|script|details).*?</(nav|footer|script|details)>|<[^>]*>`)

// textOfPage returns the words of the answer on a page, each on a line of its own.
func textOfPage(page string) string {
	var out strings.Builder
	_, answer, ok := strings.Cut(page, `id="answer"`) // of a rule
	if !ok {
		_, answer, _ = strings.Cut(page, `aria-label="State"`) // of a procedure
	}
	answer, _, _ = strings.Cut("<h2"+answer, `<section class="card" aria-label="Log"`) // it has the receipt
	answer = strings.Replace(answer, `<h2 class="stack">`, "", 1)
	for line := range strings.Lines(tags.ReplaceAllString(answer, "\n")) {
		if line = strings.TrimSpace(line); line != "" {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// splitQuoted parts a line at its blanks outside of single quotes.
func splitQuoted(line string) (words []string) {
	word, quoted := "", false
	for _, r := range line + " " {
		switch {
		case r == '\'':
			quoted = !quoted
		case r == ' ' && !quoted:
			if word != "" {
				words = append(words, word)
			}
			word = ""
		default:
			word += string(r)
		}
	}
	return words
}
