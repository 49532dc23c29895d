package dice

import (
	"strings"
	"testing"
)

// Words that have no meaning here are refused with what to write instead, at the place where they stand.
func TestForeignNotation(t *testing.T) {
	for _, c := range []struct {
		text   string
		offset int
		advice string
	}{
		{"4d6uo", 3, "there is no notation for it"},
		{"20d6mt", 4, "there is no notation for it"},
		{"5d6x6", 3, "!6 for those that explode on 6"},
		{"5d10xo", 4, "write !o"},
		{"8d10f<2", 4, "write 8d10>=8f1"},
		{"10d6k1k2k3", 6, "write k<=3"},
		{"adv", 0, "d20 adv"},
		{"d20 + d12 + 3 adv", 14, "d20 adv + 5"},
		{"4d6t6", 3, "write 7d10>=7t10"},
		{"2d6 // 2", 4, "without blanks to divide"},
		{"4d6kh5", 3, "keeps 5 dice, but there are 4"},
		{"4d4km3", 3, "so 2 stay or 4"},
		{"d6r>=1", 2, "the roll never ends"},
		{"d6!>=1", 2, "the roll never ends"},
		{"d1", 1, "2..1000000"},
		{"3d(1d6)", 2, "no die decides"},
		{"2d6^d4", 3, "the exponent is a whole number from 0 to 9"},
		{"1000d1000000*1000d1000000*9", 0, "more than 15 digits"},
		{"{d6}km", 4, ""},
		{strings.Repeat("(", 100) + "d6", 39, "40 deep"},
		{"101x d6", 0, "1 to 100 times"},
		{"3d6 to hit", 4, "the end is expected"},
		{"", 0, "found nothing"},
	} {
		_, err := ParseNotation(c.text)
		if c.advice == "" {
			if err != nil {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		wrong, ok := err.(*SyntaxError)
		if !ok || !strings.Contains(wrong.Msg, c.advice) {
			t.Errorf("%s: got %v, want %q", c.text, err, c.advice)
		}
	}
}

// Whatever text there is, it is read or refused, and what is read can be rolled or refuses that.
func FuzzNotation(f *testing.F) {
	for _, text := range []string{
		"4d6kh3", "6x {d8!, d6!!p}kh1 >= 3", "floor(2.56*d7)//2 # x", "(1d4)d66[a]", "d{1..3,-5}", "8d6>=5f1t6",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := ParseNotation(text)
		if err != nil {
			if _, ok := err.(*SyntaxError); !ok {
				t.Errorf("%q: %v is no *SyntaxError", text, err)
			}
			return
		}
		dice := 0
		for _, p := range n.Pools() {
			dice += p.Count
		}
		if dice < 100 && n.Repeat < 10 {
			_, _ = n.Roll(FromSeed(1, 0, 0))
		}
	})
}
