package site_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/scorecard"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/site"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/compiler/load"
	"github.com/tabletop-rules/rules/golden"
)

// TestCasesOfDefinitions plays one case of tempestas, the worked example of navigation, and shows a measurement of three
// changes: authors read at each definition what holds it and what does not.
func TestCasesOfDefinitions(t *testing.T) {
	e := edition(t, "tempestas")
	examine := func(ruleset string) (*golden.Report, error) {
		plans, diags := compiler.Release(load.Source{FS: rules.Files}, compiler.Options{Cover: true}, ruleset)
		if len(plans) != 1 {
			t.Errorf("%v", diags)
		}
		cases, err := golden.LoadAbout(rules.Files, "golden/tempestas", "golden/tempestas", "test")
		return golden.Test(plans[0], cases[:1], nil), err
	}
	card := &scorecard.Card{Ruleset: "tempestas", Mutants: 2, Noticed: 1, Survived: 1, Report: json.RawMessage(`[{"mutants": [
		{"what": "rule test, let hard", "was": "1", "now": "2", "outcome": "noticed"},
		{"what": "rule test, output success", "was": "<=", "now": "<", "outcome": "survived"},
		{"what": "rule test", "was": "a", "now": "b", "outcome": "equivalent"}]}]`)}
	lib, err := library.Open(func() (*library.Shelf, error) { return library.NewShelf([]*library.Edition{e}, time.Now()) })
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(site.Handler(lib, site.Options{Budget: 20_000, Workshop: &site.Workshop{Examine: examine,
		LastScore: func(string) (*scorecard.Card, bool) { return card, true }}}))
	t.Cleanup(server.Close)
	answer, err := http.Get(server.URL + "/tempestas/cases")
	status, text := read(t, answer, err)
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, text)
	}
	expect(t, text, "1 worked examples, 0 of them fail", "no longer certain", "1 of 2 changes of the rules are noticed",
		"rule test, output success: &lt;= → &lt;")
	_, row, _ := strings.Cut(text, `<a href="testing.html#test">test</a>`)
	row, _, _ = strings.Cut(row, "</tr>")
	expect(t, row, "<details><summary>1</summary>", "<td>1 of 2<details>", "not taken")
}

// TestCasesNeedSources asks for the cases of a release without its sources.
func TestCasesNeedSources(t *testing.T) {
	server, _ := serve(t, "tempestas")
	answer, err := http.Get(server.URL + "/tempestas/cases")
	_, text := read(t, answer, err)
	expect(t, text, "without their sources")
}
