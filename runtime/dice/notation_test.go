package dice

import (
	"slices"
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
		{"4d6uok3", 3, "there is no notation for it"}, // the word goes on
		{"4d6UOkh3", 3, "there is no notation for it"},
		{"3d4umi2", 3, "no other r, !, mi or ma"},
		{"5d4u", 3, "at most as many dice as values"},
		{"4dFu", 3, "at most as many dice as values"},
		{"{2d6, 1d8}>=5f", 14, "what counts against is expected"},
		{"d{1..1001}", 1, "there are at most 1000"},
		{"d6r<3r>=3", 2, "the roll never ends"},
		{"d1000000r<500000!>=500000", 8, "the roll never ends"},
		{"d66r<70", 3, "the roll never ends"},
		{strings.Repeat("1+", 6_000) + "1", 10_000, "longer than 10000"},
		{"20d6mt", 4, "there is no notation for it"},
		{"5d6x6", 3, "!6 for those that explode on 6"},
		{"5d10xo", 4, "write !o"},
		{"1d20 vs 1d12", 5, "1d20 > 1d12"},
		{"5d6 hits 5", 4, "write 5d6>=5"},
		{"count(5d6 >= 4)", 0, "write 5d6>=5"},
		{"3d6 reroll 1", 4, "ro1"},
		{"middle 3d20", 0, "km1"},
		{"2d10 doubles", 5, "r[0] == r[1]"},
		{"d20>=15 and d6>=3", 8, "a >= 15 && b >= 3"},
		{"d6,d6", 2, "side by side"},
		{"|d6-d6|", 0, "abs(d6 - d6)"},
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
		{"1000d1000000*1000d1000000*9", 12, "more than 15 digits"},
		{"{d6}km", 4, ""},
		{strings.Repeat("(", 100) + "d6", 41, "more than 40 signs or parentheses"},
		{strings.Repeat("-", 100) + "d6", 40, "more than 40 signs or parentheses"},
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
		switch {
		case !ok || !strings.Contains(wrong.Msg, c.advice):
			t.Errorf("%.80s: got %v, want %q", c.text, err, c.advice)
		case wrong.Offset != c.offset:
			t.Errorf("%.80s: the mistake is at %d, not at %d", c.text, wrong.Offset, c.offset)
		}
	}
}

// A notation that can be typed is read in a time that its length bounds, however many faces its dice have: 5,000 parts of
// up to a million faces were looked at face by face otherwise.
func TestFacesAreNotCounted(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("1000d1000000r1ro2!kh3>=5+", 100)[:2_499],
		"d1000000" + strings.Repeat("r2", 4_900),
		strings.Repeat("1*", 4_900) + "d1000000",
	} {
		n, err := ParseNotation(text)
		if err != nil {
			t.Fatalf("%.40s: %v", text, err)
		}
		if len(n.Pools()) == 0 {
			t.Errorf("%.40s has no dice", text)
		}
	}
}

// Dice whose faces are listed are given as what they show, as in a ruleset.
func TestListedFacesAreGivenAsShown(t *testing.T) {
	for text, faces := range map[string][]int64{"4dF": {-1, 0, 1, 1}, "2d{2,5,9}kh1": {9, 2}, "3dC": {0, 1, 1}} {
		n, err := ParseNotation(text)
		if err != nil {
			t.Fatal(err)
		}
		out, err := n.Roll(FromList(faces))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := out[0].Falls[0]; !slices.Equal(got.Faces, faces) || !slices.Equal(got.Dice, faces) {
			t.Errorf("%s: %v fell, and dice of %v, not %v", text, got.Faces, got.Dice, faces)
		}
	}
}

// Whatever text there is, it is read or refused, and what is read can be rolled or refuses that.
func FuzzNotation(f *testing.F) {
	for _, text := range []string{
		"4d6uok3", "5d6u", "4d6kh3", "6x {d8!, d6!!p}kh1 >= 3", "floor(2.56*d7)//2 # x", "(1d4)d66[a]", "d{1..3,-5}",
		"8d6>=5f1t6",
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
