package site_test

import (
	"net/http"
	"testing"
)

// TestWrongFaceIsMarked types a face that a die does not have, and one that is none: the box keeps it, and is the one that
// the error is about.
func TestWrongFaceIsMarked(t *testing.T) {
	server, _ := serve(t, "tempestas")
	for typed, said := range map[string]string{"101": "the die shows 1 to 100", "abc": "&#34;abc&#34; is no face"} {
		form := navigation()
		form.Set("die.roll", typed)
		answer, err := http.PostForm(server.URL+"/tempestas/try/test", form)
		status, text := read(t, answer, err)
		if status != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d", typed, status)
		}
		expect(t, text, `value="`+typed+`" placeholder="?" autocomplete="off" aria-invalid="true" aria-describedby="problem"`,
			`id="problem">`, said)
	}
}
