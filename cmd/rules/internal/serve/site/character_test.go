package site_test

import (
	"net/http"
	"testing"
)

// TestCharacterAsFields reads the field of the one skill that a test reads, changes it, and pastes another character.
func TestCharacterAsFields(t *testing.T) {
	server, _ := serve(t, "tempestas")
	form := navigation()
	form.Set("odds", "all")
	text := post(t, server, "/tempestas/try/test", form)
	expect(t, text, `name="ch.skills.navigation" type="number" value="90"`)

	// The field was changed: 95 less 30 is 65.
	form.Set("was", `{"skills": {"navigation": 90}}`)
	form.Set("ch.skills.navigation", "95")
	text = post(t, server, "/tempestas/try/test/odds", form)
	expect(t, text, "<dt>Active Value</dt><dd>always 65</dd>", `data-part="reads"`)

	// The field is as it was, and the text is another one: 50 less 30 is 20.
	form.Set("ch.skills.navigation", "90")
	form.Set("character", `{"skills": {"navigation": 50}}`)
	expect(t, post(t, server, "/tempestas/try/test/odds", form), "<dt>Active Value</dt><dd>always 20</dd>")

	// The field was emptied: the skill is gone from the character.
	form = navigation()
	form.Set("was", `{"skills": {"navigation": 90}}`)
	form.Set("ch.skills.navigation", "")
	answer, err := http.PostForm(server.URL+"/tempestas/try/test", form)
	_, text = read(t, answer, err)
	expect(t, text, `&#34;skills&#34;: {}`)

	// The start of a procedure has fields, too.
	answer, err = http.Get(server.URL + "/tempestas/try/task")
	_, text = read(t, answer, err)
	expect(t, text, `name="ch.skills.`)
}
