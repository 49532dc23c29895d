package site_test

import (
	"net/http"
	"testing"
)

// TestSearchForgives searches with a letter too few, and opens an address that is no page: both lead on.
func TestSearchForgives(t *testing.T) {
	server, _ := serve(t, "tempestas")
	answer, err := http.Get(server.URL + "/tempestas/search?q=offencancy")
	_, text := read(t, answer, err)
	expect(t, text, "Nothing has these words", `<a href="search?q=offenciancy">offenciancy</a>`, `href="offenciancy.html`)
	answer, err = http.Get(server.URL + "/tempestas/search?q=qqqqqqqq")
	_, text = read(t, answer, err)
	expect(t, text, "Nothing has all of these words")
	answer, err = http.Get(server.URL + "/tempestas/dificulty.html")
	status, text := read(t, answer, err)
	if status != http.StatusNotFound {
		t.Errorf("status %d", status)
	}
	expect(t, text, "There is no such page", "Did you look for one of these?", `href="difficulty.html`, "Tempestas")
	// All books are searched from the first page; a word of a table leads to its row.
	answer, err = http.Get(server.URL + "/search?q=ofenciancy")
	_, text = read(t, answer, err)
	expect(t, text, `<a href="tempestas/index.html">Tempestas`, `href="tempestas/offenciancy.html`)
	answer, err = http.Get(server.URL + "/search?q=qqqqqqqq")
	_, text = read(t, answer, err)
	expect(t, text, "No book has all of these words")
	answer, err = http.Get(server.URL + "/nonesuch/index.html")
	_, text = read(t, answer, err)
	expect(t, text, "There is no such page", `href="../tempestas/index.html"`)
}
