package folder

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A browser is a page that reads and writes a folder.
type browser struct {
	t   *testing.T
	url string
}

func newBrowser(t *testing.T) (b *browser, dir string) {
	t.Helper()
	f := &Folder{Dir: t.TempDir(), Rulesets: func() []string { return []string{"haze", "tempestas"} }}
	server := httptest.NewServer(f.Handler())
	t.Cleanup(server.Close)
	return &browser{t, server.URL + "/kept/tempestas"}, filepath.Join(f.Dir, "tempestas")
}

// send sends a request and returns the status and, of a success, the character of the answer.
func (b *browser) send(method, path, body string) (int, character) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	var c character
	if answer.StatusCode == http.StatusOK && method == http.MethodPut {
		if err := json.Unmarshal(text, &c); err != nil {
			b.t.Fatal(err)
		}
	}
	return answer.StatusCode, c
}

func (b *browser) put(id, name, version, text string) (int, character) {
	b.t.Helper()
	body, err := json.Marshal(draft{name, version, json.RawMessage(text)})
	if err != nil {
		b.t.Fatal(err)
	}
	return b.send(http.MethodPut, "/"+url.PathEscape(id), string(body))
}

func filesIn(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range list {
		names = append(names, x.Name())
	}
	return strings.Join(names, " ")
}

// TestConflictLosesNothing lets two pages change a character that both have read: the second is told, and the file is that
// of the first. The same holds for a page that removes, and for an editor that wrote the file.
func TestConflictLosesNothing(t *testing.T) {
	b, dir := newBrowser(t)
	status, ada := b.put("x", "Ada", "", `{"skills": {"navigation": 90}}`)
	if status != http.StatusOK || ada.ID != "Ada" {
		t.Fatalf("status %d: %v", status, ada)
	}
	if status, _ := b.put("Ada", "Ada", ada.Version, `{"skills": {"navigation": 95}}`); status != http.StatusOK {
		t.Errorf("the first page: status %d", status)
	}
	if status, _ := b.put("Ada", "Ada", ada.Version, `{"skills": {"navigation": 20}}`); status != http.StatusConflict {
		t.Errorf("the second page: status %d", status)
	}
	if status, _ := b.send(http.MethodDelete, "/Ada?version="+ada.Version, ""); status != http.StatusConflict {
		t.Errorf("it is removed: status %d", status)
	}
	text, err := os.ReadFile(filepath.Join(dir, "Ada.json"))
	if err != nil || string(text) != "{\n\t\"skills\": {\n\t\t\"navigation\": 95\n\t}\n}\n" {
		t.Errorf("%s, %v", text, err)
	}
}

// TestNamesAreFiles names characters in all ways: the file is called after them, none leaves the directory, and one that is
// renamed has one file.
func TestNamesAreFiles(t *testing.T) {
	b, dir := newBrowser(t)
	for name, want := range map[string]string{"Ada": "Ada", "Ünal": "Ünal", "../../etc/x": "%2E.%2F..%2Fetc%2Fx", "": "nameless",
		"a%2Fb": "a%252Fb", ".": "%2E"} {
		if status, c := b.put("new", name, "", `{}`); status != http.StatusOK || c.ID != want || c.Name != name && name != "" {
			t.Errorf("%q: status %d, %+v", name, status, c)
		}
	}
	status, second := b.put("new", "Ada", "", `{"skills": {}}`)
	if status != http.StatusOK || second.ID != "Ada 2" {
		t.Errorf("a second Ada: status %d, %v", status, second)
	}
	status, renamed := b.put(second.ID, "Berta", second.Version, `{"skills": {}}`)
	if status != http.StatusOK || renamed.ID != "Berta" {
		t.Errorf("renamed: status %d, %v", status, renamed)
	}
	if got := filesIn(t, dir); strings.Contains(got, "Ada 2") || !strings.Contains(got, "Berta.json") {
		t.Errorf("there are %s", got)
	}
	for _, id := range []string{"../Ada", "..", "a/b", ".hidden"} {
		status, _ := b.put(id, "Ada", "0", `{}`)
		if status != http.StatusNotFound && status != http.StatusConflict && status != http.StatusMethodNotAllowed {
			t.Errorf("%q: status %d", id, status)
		}
	}
	if got := filesIn(t, filepath.Dir(dir)); got != "tempestas" {
		t.Errorf("beside the directory there are %s", got)
	}
}

// TestOnlyCharactersAreKept sends what is no character, and finds only what is one.
func TestOnlyCharactersAreKept(t *testing.T) {
	b, dir := newBrowser(t)
	for _, text := range []string{`[]`, `null`, `1`} {
		if status, _ := b.put("x", "x", "", text); status != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d", text, status)
		}
	}
	if status, _ := b.send(http.MethodPut, "/x", `{"name": "x", "character": {`); status != http.StatusUnprocessableEntity {
		t.Errorf("half a character: status %d", status)
	}
	if status, _ := b.put("x", strings.Repeat("n", 300), "", `{}`); status != http.StatusUnprocessableEntity {
		t.Errorf("a long name: status %d", status)
	}
	if status, _ := b.put("x", "Ada", "", `{}`); status != http.StatusOK {
		t.Errorf("status %d", status)
	}
	for name, text := range map[string]string{"notes.txt": "x", "broken.json": "{", ".hidden.json": "{}"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if found, err := list(dir); err != nil || len(found) != 1 || found[0].Name != "Ada" {
		t.Errorf("%v, %v", found, err)
	}
	if status, _ := (&browser{t, strings.Replace(b.url, "tempestas", "nonesuch", 1)}).send(http.MethodGet, "", ""); status !=
		http.StatusNotFound {
		t.Errorf("another ruleset: status %d", status)
	}
}

// TestManyWriteAtOnce lets twenty pages write the same character from the same version: one of them does.
func TestManyWriteAtOnce(t *testing.T) {
	b, _ := newBrowser(t)
	_, ada := b.put("x", "Ada", "", `{"of": 0}`)
	wrote := make(chan int, 20)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			status, _ := b.put("Ada", "Ada", ada.Version, `{"of": `+string(rune('1'+i%9))+`, "page": `+string(rune('0'+i/9))+`}`)
			wrote <- status
		})
	}
	all.Wait()
	close(wrote)
	count := map[int]int{}
	for status := range wrote {
		count[status]++
	}
	if count[http.StatusOK] != 1 || count[http.StatusConflict] != 19 {
		t.Errorf("%v", count)
	}
}

// TestListAll lists characters of two rulesets, each with its own.
func TestListAll(t *testing.T) {
	b, dir := newBrowser(t)
	b.put("new", "Ada", "", `{"skills":{}}`)
	b.put("new", "Brina", "", `{"skills":{}}`)
	if err := os.MkdirAll(filepath.Join(dir, "..", "haze"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "..", "haze", "Archer.json"), []byte(`{}`), 0o666); err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(strings.TrimSuffix(b.url, "tempestas"))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var all []character
	if err := json.NewDecoder(answer.Body).Decode(&all); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range all {
		got = append(got, c.Ruleset+" "+c.Name)
	}
	if want := "haze Archer, tempestas Ada, tempestas Brina"; strings.Join(got, ", ") != want {
		t.Errorf("the characters are %s, not %s", strings.Join(got, ", "), want)
	}
}
