package visible

import (
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"a sword, +2\n\t2d6 ä ½ → 🎲":          "a sword, +2\n\t2d6 ä ½ → 🎲",
		"\x1b[31mred\x1b]0;title\x07":         `\x1b[31mred\x1b]0;title\x07`,
		"\x1b[1mown\x1b[0m":                   "\x1b[1mown\x1b[0m",
		"\x1b[1\x1b[1mm":                      `\x1b[1` + "\x1b[1m" + `m`,
		"\r\x7f\u0085\u009b":                  `\x0d\x7f\x85\x9b`,
		"abc\u202edcba\u2066x\u2069\u200f":    `abc\u202edcba\u2066x\u2069\u200f`,
		"line\u2028line \U000e0041":           `line\u2028line \U000e0041`,
		"half \xff a character \xe2\x80":      `half \xff a character \xe2\x80`,
		"joined 👩\u200d🎤 is no mark of order": "joined 👩\u200d🎤 is no mark of order",
	} {
		if got := Text(in, "\x1b[1m", "\x1b[0m"); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
		var b strings.Builder
		w := &Writer{To: &b, Own: []string{"\x1b[1m", "\x1b[0m"}}
		if n, err := w.Write([]byte(in)); n != len(in) || err != nil || b.String() != want {
			t.Errorf("%q is written as %q, %d, %v", in, b.String(), n, err)
		}
	}
}
