package syntax

import (
	"slices"
	"testing"
)

func TestTokens(t *testing.T) {
	for _, test := range []struct {
		formula string
		want    []string // class and text
	}{
		{"base-5", []string{"name base", "op -", "number 5"}},
		{"1.5e-3 .5 7.x 2e", []string{"number 1.5e-3", "number .5", "number 7", "op .", "name x", "number 2", "name e"}},
		{"a<=b&&!c", []string{"name a", "op <=", "name b", "op &&", "op !", "name c"}},
		{`chart("a.b", 'it\'s').at`, []string{"name chart", "op (", "op ,", "op )", "op .", "name at"}},
		{"\"\"\"a \" b\"\"\" + n", []string{"op +", "name n"}},
		{"n // half: 2\n== 1", []string{"name n", "op ==", "number 1"}},
		{`"open`, nil},
		{"ü × 2", []string{"name ü", "op ×", "number 2"}},
		{"", nil},
	} {
		var got []string
		for _, x := range Tokens(test.formula) {
			got = append(got, [...]string{"number ", "name ", "op "}[x.Class]+test.formula[x.From:x.To])
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, want %q", test.formula, got, test.want)
		}
	}
}

// Places count code points: behind "ä" and a string with "→" stand fewer of them than bytes.
func TestTokensCountCodePoints(t *testing.T) {
	tokens := Tokens(`ä + "→" + b`)
	if last := tokens[len(tokens)-1]; last.Offset != 10 || last.From != 13 {
		t.Errorf("b is at code point %d, byte %d", last.Offset, last.From)
	}
}

func FuzzTokens(f *testing.F) {
	f.Add(`a.b("c") // d`)
	f.Add("'''\\")
	f.Add("1e+")
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, x := range Tokens(s) {
			if x.From < end || x.To <= x.From || x.To > len(s) {
				t.Fatalf("%q: token from %d to %d behind %d", s, x.From, x.To, end)
			}
			end = x.To
		}
	})
}
