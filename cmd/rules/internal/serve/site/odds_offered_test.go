package site_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/site"
	"github.com/tabletop-rules/rules/golden/gametest"
)

// TestDearOddsAreOffered opens a rule that multiplies two dice of 250 sides: 62,500 ways are more than a page counts
// without being asked. The button has them counted, and the page does not fall back when it is reloaded.
func TestDearOddsAreOffered(t *testing.T) {
	program := gametest.Small(t, map[string]string{"product": `
rules: product: {cite: "x", dice: {a: "1d250", b: "1d250"}, output: area: "a[0] * b[0]"}
`})
	lib, err := library.Open(func() (*library.Shelf, error) {
		return library.NewShelf([]*library.Edition{library.NewEdition(program.Plan(), nil)}, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(site.Handler(lib, site.Options{Budget: 2_000_000}))
	t.Cleanup(server.Close)
	address := server.URL + "/game/try/product"
	answer, err := http.Get(address)
	_, text := read(t, answer, err)
	expect(t, text, "The dice can fall in very many ways", `name="do" value="odds"`)
	if strings.Contains(text, "<figure>") {
		t.Error("nobody asked for these odds")
	}
	answer, err = http.PostForm(address, url.Values{"asked": {"yes"}, "do": {"odds"}})
	_, text = read(t, answer, err)
	// Both means are 125.5, and the dice do not know of each other: 15,750.25, of which six digits are shown.
	expect(t, text, "mean 15750.2,", `name="odds" value="all"`)
	if strings.Contains(text, `id="res"`) {
		t.Error("the dice fell when odds were asked for")
	}
	if again := answer.Request.URL.Query(); again.Get("odds") != "all" || again.Get("asked") != "open" {
		t.Errorf("the address is %s", answer.Request.URL)
	}
}

// TestOddsOfTheHeadlineAlone opens the roll of the book with its chances, and without the tables of all outputs, which are
// asked for with the faces that have fallen.
func TestOddsOfTheHeadlineAlone(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := navigation()
	form.Set("dice", "43")
	text := post(t, server, "/tempestas/try/test", form)
	expect(t, text, `<table class="outcomes">`, "All the odds")
	if strings.Contains(text, "<figure>") {
		t.Error("nobody asked for a plot")
	}
	form.Set("do", "odds")
	form.Set("fell", "43")
	expect(t, post(t, server, "/tempestas/try/test", form), "<figure>", "yes in 57%", "<dt>Active Value</dt><dd>60</dd>")
}
