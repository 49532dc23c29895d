package site_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/site"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// riverfolk is tempestas with the homebrew of that name, which knows no heroic numbers above the Active Value.
func riverfolk(t *testing.T) *library.Edition {
	t.Helper()
	house := load.Source{FS: os.DirFS("../../../../../golden/homebrew/tempestas_riverfolk"), Name: "riverfolk"}
	p, diags := compiler.Homebrew(load.Source{FS: rules.Files}, "tempestas", []load.Source{house}, compiler.Options{})
	if p == nil {
		t.Fatalf("%v", diags)
	}
	return library.NewEdition(p, rules.Files)
}

// serveHomebrew serves riverfolk for a party of Ada alone.
func serveHomebrew(t *testing.T) *httptest.Server {
	t.Helper()
	e := riverfolk(t)
	e.Earlier = []*library.Earlier{{Called: "without riverfolk", Edition: edition(t, "tempestas")}}
	lib, err := library.Open(func() (*library.Shelf, error) { return library.NewShelf([]*library.Edition{e}, time.Now()) })
	if err != nil {
		t.Fatal(err)
	}
	party := func(*plan.Plan) ([]revisions.Member, error) {
		return []revisions.Member{{Name: "ada", JSON: []byte(`{"skills": {"navigation": 90}}`),
			Inputs: map[string][]byte{"test": []byte(`{"name": "navigation", "difficulty": "hard"}`)}}}, nil
	}
	s := httptest.NewServer(site.Handler(lib, site.Options{Budget: 100_000, Party: party}))
	t.Cleanup(s.Close)
	return s
}

// TestChangesForTheParty reads for whom a homebrew changes odds, by which edit, before and after: Ada's 61 was heroic and
// now fails, so her success falls from 57 to 56 in a hundred.
func TestChangesForTheParty(t *testing.T) {
	server := serveHomebrew(t)
	answer, err := http.Get(server.URL + "/tempestas/changes")
	status, text := read(t, answer, err)
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, text)
	}
	expect(t, text, `<option value="without riverfolk" selected>`, "<h2>Whose odds change</h2>",
		`<a href="rulings.html#option.heroic_band">option heroic_band</a>`, `<svg class="plot"`,
		`<tr><th scope="row">true</th><td>57%</td><td>56%</td></tr>`, "<h2>What was edited</h2>")
	answer, err = http.Get(server.URL + "/tempestas/changes?from=nonesuch")
	if status, text := read(t, answer, err); status != http.StatusNotFound {
		t.Errorf("status %d: %s", status, text)
	}

	// The same odds stand beside each other on the form.
	form := navigation()
	form.Set("beside", "without riverfolk")
	expect(t, post(t, server, "/tempestas/try/test/odds", form),
		`<th scope="col">now</th><th scope="col">without riverfolk</th>`,
		`<th scope="row">Success</th><td>yes in 56%</td><td>yes in 57%</td>`, `class="bar s1"`)
}

// TestNothingToCompare says what would give something to compare with.
func TestNothingToCompare(t *testing.T) {
	server, _ := serve(t, "tempestas")
	answer, err := http.Get(server.URL + "/tempestas/changes")
	_, text := read(t, answer, err)
	expect(t, text, "There is nothing to compare them with", "--against git:HEAD")
}
