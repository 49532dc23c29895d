package diag

import (
	"strings"
	"testing"
)

// TestCatalogue parses every page, and holds that each can be printed as it is.
func TestCatalogue(t *testing.T) {
	if len(Pages()) == 0 {
		t.Fatal("the catalogue is empty")
	}
	for _, p := range Pages() {
		if Entry(p.Code) != p {
			t.Errorf("%s is not found by its code", p.Code)
		}
		for line := range strings.Lines(p.Text) {
			if len([]rune(strings.TrimRight(line, "\n"))) > 120 {
				t.Errorf("%s: the line is too long: %s", p.Code, line)
			}
		}
		if s := p.Summary(); s == "" || strings.Contains(s, "\n") || strings.HasSuffix(s, ".") {
			t.Errorf("%s has the summary %q", p.Code, s)
		}
		if strings.Contains(p.Text, strings.TrimSpace(notationMark)) {
			t.Errorf("%s: the lines about dice notation are not put in", p.Code)
		}
	}
}

// TestParsePage holds that a page which is not as it should be is refused, with what is wrong.
func TestParsePage(t *testing.T) {
	const good = "severity: note\n\nA text.\n-- bad.cue --\nb\n-- good.cue --\ng\n-- want --\nw\n"
	if p, err := parsePage("x", []byte(good)); err != nil || p.Severity != Note || p.Text != "A text." || p.Want != "w\n" {
		t.Errorf("got %+v, %v", p, err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"severity: note", "severity: awful", `there is no header "severity: awful"`},
		{"severity: note", "example: house", `there is no header "example: house"`},
		{"\n\n", "\n", "there is no empty line between the header and the text"},
		{"A text.", "", "a page has a text, bad.cue and good.cue"},
		{"-- bad.cue --\nb\n", "", "a page has a text, bad.cue and good.cue"},
		{"-- want --", "-- wanted --", "a page has one bad.cue, good.cue and want, and nothing else: found wanted"},
		{"-- good.cue --", "-- bad.cue --", "a page has one bad.cue, good.cue and want, and nothing else: found bad.cue"},
	} {
		_, err := parsePage("x", []byte(strings.Replace(good, c.old, c.new, 1)))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: got %v, want %s", c.new, err, c.want)
		}
	}
}
