package site_test

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestSheetIsAForm builds a character of tempestas from nothing: a skill is typed into the empty row, and the sheet comes
// back with it, with a further row, and with what can be rolled.
func TestSheetIsAForm(t *testing.T) {
	server, _ := serve(t, "tempestas")
	answer, err := http.Get(server.URL + "/tempestas/character?new=yes")
	if status, text := read(t, answer, err); status != 200 || !strings.Contains(text, `name="ch.skills[0]:key"`) {
		t.Fatalf("status %d: no row for a skill", status)
	}
	text := post(t, server, "/tempestas/character", url.Values{"name": {"Ada"}, "ch.skills[0]:key": {"navigation"},
		"ch.skills[0]": {"90"}, "ch.skills[1]:key": {"cooking"}, "ch.skills[1]": {"40"}, "drop": {"ch.skills[1]"},
		"ch.fatigue": {"20"}})
	expect(t, text, `value="Ada"`, `name="ch.skills[0]:key" value="navigation"`, `name="ch.skills[1]:key" value=""`,
		html.EscapeString(`"skills":{"navigation":90}`), "try/test?character=", "in.name=navigation", ">Navigation</a>",
		// The row of the skill is a link to the rule that it is rolled by, with all that follows from it.
		`in.kind=skill&amp;in.name=navigation" aria-label="Roll navigation">roll</a>`)
	if strings.Contains(text, "Still missing") || strings.Contains(text, "cooking") {
		t.Error("something is missing, or was not left out")
	}
}

// TestSheetTellsWhatIsMissing sends a character of haze without an ability, which has to be there, and one half typed.
func TestSheetTellsWhatIsMissing(t *testing.T) {
	server, _ := serve(t, "haze")
	text := post(t, server, "/haze/character", url.Values{"ch.skills[0]:key": {"archery"}, "ch.species": {"human"}})
	expect(t, text, "Still missing", "It is listed as soon as nothing is missing")
	// The form of an action has the circumstances under a heading of their own.
	answer, err := http.Get(server.URL + "/haze/try/action")
	_, form := read(t, answer, err)
	expect(t, form, `<legend>Circumstances</legend>`)
	// An example that ships comes back as it was.
	answer, err = http.Get(server.URL + "/haze/characters")
	_, list := read(t, answer, err)
	_, rest, _ := strings.Cut(list, `data-character="`)
	character, _, _ := strings.Cut(rest, `"`)
	text = post(t, server, "/haze/character", url.Values{"character": {html.UnescapeString(character)}})
	if strings.Contains(text, "Still missing") || !strings.Contains(text, `value="swordplay"`) {
		t.Error("the warrior does not come back whole")
	}
}
