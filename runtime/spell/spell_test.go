package spell

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"navigation", "heroic_band", "sum", "size", "test", "hard"}
	for unknown, want := range map[string]string{
		"navigaton":   "navigation",
		"heroic_bnad": "heroic_band",
		"sums":        "sum",
		"tset":        "test",
		"hrad":        "hard",
		"sailing":     "",
		"rest":        "test",
		"ruse":        "",
		"x":           "",
		"":            "",
	} {
		if got := Nearest(unknown, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", unknown, got, want)
		}
	}
	if got := Nearest("cat", []string{"rat", "bat"}); got != "bat" {
		t.Errorf("of two words as near as each other the first is %q", got)
	}
}

func TestSlips(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"é", "e", 1}, {"ab", "ba", 1},
		{"abcd", "badc", 2}} {
		if got := slips(c.a, c.b); got != c.want {
			t.Errorf("slips(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := slips(c.b, c.a); got != c.want {
			t.Errorf("slips(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}
