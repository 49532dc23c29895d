package diag

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"navigation", "heroic_band", "sum", "size"}
	for name, want := range map[string]string{
		"navigaton":   "navigation",
		"heroic_bnad": "heroic_band",
		"sums":        "sum",
		"sailing":     "",
		"x":           "",
	} {
		if got, _ := Nearest(name, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"é", "e", 1}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
