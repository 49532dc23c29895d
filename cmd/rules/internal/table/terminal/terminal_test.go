package terminal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/table/gametable"
)

// TestComplete completes among three words, of which two begin alike.
func TestComplete(t *testing.T) {
	find := func(text string) (out []gametable.Word) {
		for _, w := range []string{"long_bow", "long_sword", "short_bow"} {
			if strings.Contains(w, text) {
				out = append(out, gametable.Word{Text: w})
			}
		}
		return out
	}
	for _, c := range []struct {
		typed, want string
		listed      int
	}{
		{"sh", "short_bow", 0}, {"lo", "long_", 0}, {"long_", "long_", 2}, {"bow", "bow", 2}, {"zzz", "zzz", 0},
		{"", "", 3}, {"long_bow, sw", "long_bow, long_sword", 0}, {"a=sh", "a=short_bow", 0},
	} {
		text, list := complete(c.typed, find)
		if got := fmt.Sprint(text, " ", len(list)); got != fmt.Sprint(c.want, " ", c.listed) {
			t.Errorf("%q becomes %s, not %s with %d listed", c.typed, got, c.want, c.listed)
		}
	}
}
