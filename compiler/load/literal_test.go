package load

import (
	"testing"

	"cuelang.org/go/cue/literal"
)

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		raw  string
		text string
		offs []int
	}{
		{`""`, "", []int{1}},
		{`"ab"`, "ab", []int{1, 2, 3}},
		{`"é+"`, "é+", []int{1, 3, 4}},
		{`"a\tb"`, "a\tb", []int{1, 2, 4, 5}},
		{`"\u00e9x"`, "éx", []int{1, 7, 8}},
		{`#"a\d"#`, `a\d`, []int{2, 3, 4, 5}},
		{`#"a\#tb"#`, "a\tb", []int{2, 3, 6, 7}},
		{"\"\"\"\n\ta +\n\t b\n\t\"\"\"", "a +\n b", []int{5, 6, 7, 8, 10, 11, 12}},
		{"\"\"\"\n  \"\"\"", "", []int{4}},
		{"\"\"\"\n\ta \\\n\tb\n\t\"\"\"", "a b", []int{5, 6, 10, 11}},
	} {
		offs, text := decodeLiteral(c.raw)
		if text != c.text || !equal(offs, c.offs) {
			t.Errorf("decode(%s) = %v, %q, want %v, %q", c.raw, offs, text, c.offs, c.text)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, raw := range []string{``, `"`, `'a'`, `"\q"`, `"\u12"`, `"""`, `""""""`} {
		if offs, _ := decodeLiteral(raw); offs != nil {
			t.Errorf("decode(%s) has offsets %v", raw, offs)
		}
	}
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Where a literal is decoded as CUE unquotes it, there is an ascending offset for each code point. A text that is decoded
// in another way is discarded by findLiteral, and so it is here.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`"a"`, `#"\#n"#`, "\"\"\"\n\ta\n\t\"\"\"", `"\u00e9\U0001F3B2"`, "\"\"\"\r\n  a\r\n  \"\"\"",
		`"\/"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		offs, text := decodeLiteral(raw)
		want, err := literal.Unquote(raw)
		if offs == nil || err != nil || text != want {
			return
		}
		if len(offs) != len([]rune(text))+1 {
			t.Fatalf("decode(%q): %d offsets for %q", raw, len(offs), text)
		}
		for i := 1; i < len(offs); i++ {
			if offs[i] < offs[i-1] || offs[i] > len(raw) {
				t.Fatalf("decode(%q): offsets %v", raw, offs)
			}
		}
	})
}
