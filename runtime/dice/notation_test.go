package dice_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/dice"
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
		{"5d6x6", 0, "5d6!6 explodes on 6, 6x 5d6 is rolled so many times; to multiply: write 5d6 * 6"},
		{"d20+d4 >= DC", 10, "DC is not known here: write its number; a coin is dC"},
		{"DF <= d20", 0, "DF is not known here: write its number"}, {"d20 >= dc", 7, "dc is not known here: write its number"},
		{"d20 >= DC 15", 0, "write d20 >= 15"}, {"1d8 + STR", 6, "STR is not known here: write its number"},
		{"5d3!>=2 + x", 10, "x is not known here: write its number"}, {"strike", 0, "strike is no die and no number"},
		{"3d6 >= 10%", 10, "% divides and leaves the remainder"}, {"foo(3d6)", 0, "there is no function foo"},
		{"(3d6)x6", 0, "6x (3d6) rolls it so many times; to multiply: write (3d6) * 6"},
		{"6(4d6kh3)", 0, "6x (4d6kh3) rolls it so many times; to multiply: write 6 * (4d6kh3)"},
		{"4d6k3h", 0, "write 4d6kh3"}, {"d20 + [[1d4]]", 0, "leave Roll20's brackets out: write d20 + 1d4"},
		{"2d6;3d6", 3, "several notations are asked side by side"}, {"1d20 with advantage", 0, "write 1d20 adv"},
		{"d00", 0, "write d100"}, {"1d6+2 fire", 6, "stands in brackets, [fire], or behind #"},
		{"2d6 at least 7", 4, "write >= 7"}, {"2d6 no more than 7", 4, "write <= 7"}, {"2d6 over 7", 4, "write > 7"},
		{"d20 if adv", 4, "a notation has no conditions"}, {"3 <= d6 <= 5", 8, "one comparison may stand here"},
		{"3d6)", 3, "there is no ( for this )"}, {"2d6 3", 4, "write + or - before 3"},
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
		{"2d6 between 5 and 9", 4, "--ask 'total >= 5 && total <= 9'"},
		{"1d20+1d4 adv", 9, "write 1d20 adv + ..., or (1d4 adv) for the last one"},
		{"1d20 + 1d4 adv >= 15", 11, "write 1d20 adv + ..., or (1d4 adv) for the last one"},
		{"15 <= 2d20 + d20 + d4 dis", 22, "write d20 dis + ..., or (d4 dis) for the last one"},
		{"4d6t6", 3, "write 7d10>=7t10"},
		{"2d6 // 2", 4, "without blanks to divide"},
		{"4d6kh5", 3, "keeps 5 dice, but there are 4"},
		{"4d4km3", 3, "so 2 stay or 4"},
		{"d6r>=1", 2, "the roll never ends"},
		{"d6!>=1", 2, "the roll never ends"},
		{"d1", 1, "d1 always shows 1"},
		{"3d(1d6)!", 7, "are kept and counted"},
		{"2d{d4, d6}r1", 10, "are kept and counted"},
		{"d{d4[x], d6}", 1, "a label stands behind the whole die"},
		{"d(d6[x])", 1, "a label stands behind the whole die"},
		{"d{1:0, 2}", 5, "a weight is a whole number from 1 on"},
		{"d{1:, 2}", 4, "a weight is a whole number from 1 on"},
		{"d{1:1000, 2}", 1, "counted by their weights"},
		{"d{2+3, d6}", 2, "a face is a whole number, or has dice"},
		{"d(1/2)", 1, "one whole number"},
		{"d{}", 2, "a number is expected"},
		{"2d6^d4", 3, "the exponent is a whole number from 0 to 9"},
		{"1000d1000000*1000d1000000*9", 12, "more than 15 digits"},
		{"{d6}km", 4, ""},
		{strings.Repeat("(", 100) + "d6", 41, "more than 40 signs or parentheses"},
		{strings.Repeat("-", 100) + "d6", 40, "more than 40 signs or parentheses"},
		{"101x d6", 0, "1 to 100 times"},
		{"3d6 to hit", 4, "stands in brackets, [to hit], or behind #"},
		{"3d6 ~", 4, "the end is expected"},
		{"", 0, "found nothing"},
	} {
		_, err := dice.ParseNotation(c.text)
		if c.advice == "" {
			if err != nil {
				t.Errorf("%s: %v", c.text, err)
			}
			continue
		}
		wrong, ok := err.(*dice.SyntaxError)
		switch {
		case !ok || !strings.Contains(wrong.Msg, c.advice):
			t.Errorf("%.80s: got %v, want %q", c.text, err, c.advice)
		case wrong.Offset != c.offset:
			t.Errorf("%.80s: the mistake is at %d, not at %d", c.text, wrong.Offset, c.offset)
		}
	}
}

// Forms of other programs, and plain English, are refused with the notation to write, which can be read.
func TestForeignForms(t *testing.T) {
	for text, write := range map[string]string{
		"[highest 3 of 4d6]": "4d6kh3", "[lowest 1 of 2d20]": "2d20kl1", "[middle 1 of 3d20]": "3d20km1", // AnyDice
		"[count 6 in 5d6]": "5d6=6", "[count {5..6} in 5d6]": "5d6>=5", "[count {5, 6} in 5d6]": "5d6>=5",
		"6d[explode d6]": "6d6!!{2}", "[absolute d6 - d6]": "abs(d6 - d6)", "2@4d6": "4d6kh2kl1", "d6d4": "(d6)d4",
		"output 3d6": "3d6",
		"sum 3d6":    "3d6", "largest 3 4d6": "4d6kh3", "least 2 4d6": "4d6kl2", "max 4d6": "4d6kh1", "min 2d20": "2d20kl1",
		"3z9": "3d{0..9}", "count >= 5 6d6": "6d6>=5", // Troll
		"4d6s4": "4d6>=4", "4d6es8": "4d6!!>=8", "5d6o": "5d6!!kh1", // MapTool
		"/roll 2d6": "2d6", "!r 2d6+3": "2d6+3", "roll 2d6": "2d6", "[[1d20+5]]": "1d20+5", "/die 3d6": "3d6",
		"4d6 keep 3": "4d6kh3", "4d6 keep highest 3": "4d6kh3", "2d20 keep lowest": "2d20kl1", "4d6 drop lowest": "4d6dl",
		"4d6, drop the lowest": "4d6dl", "4d6 drop highest 2": "4d6dh2", "2d20L": "2d20kl", "2d20l1": "2d20kl1",
		"4d6H3": "4d6kh3", "4d6-L": "4d6dl1", "highest 3 of 4d6": "4d6kh3", "best of 2d20": "2d20kh1",
		"6 4d6kh3": "6x 4d6kh3", "3 times 2d6": "3x 2d6", "repeat(4d6kh3, 6)": "6x 4d6kh3", "2d6 x 2": "2d6 * 2",
		"d20 with advantage": "d20 adv", "d20+5 vs AC 15": "d20+5 >= 15", "d20+5 DC 15": "d20+5 >= 15",
		"P(3d6 >= 10)": "3d6 >= 10",
	} {
		_, err := dice.ParseNotation(text)
		if err == nil || !strings.HasSuffix(err.Error(), "write "+write) {
			t.Errorf("%s: got %v, want the advice to write %s", text, err, write)
		}
	}
	for text, say := range map[string]string{
		"[count {4..5} in 5d6]": "without a blank", "[maximum of 3d6]": "functions in brackets are AnyDice's",
		"d20 + @{dex}": "write the number",
	} {
		if _, err := dice.ParseNotation(text); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: got %v, want %q", text, err, say)
		}
	}
}

// What other programs read otherwise gets a note, and what all read alike gets none.
func TestNotes(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"4d6kh3rr1", "rr1 is carried out before kh3"}, {"4d6mi2r1", "r1 is carried out before mi2"},
		{"4d6k>4mi2", "mi2 is carried out before k>4"},
		{"6d6rr1!", "in rpg-dice-roller what exploded is rolled again"},
		{"10d6k1", "which is k=1 here"}, {"4d6kh1kl1", "Avrae's keeps both"},
		{"4d3d2", "which is (4d3)d2 here"}, {"4d6r2", "which is r<2 here"}, {"4d6rr2", "which is r<2 here"},
		{"3d6/2", "AnyDice rounds down, which is // here"}, {"(3d6+1)/2", "AnyDice rounds down"},
		{"(3d6/2)d4", "AnyDice rounds down"}, {"d(3d6/2)", "AnyDice rounds down"}, {"d{d6/2, 1}", "AnyDice rounds down"},
		{"2d6+1d8>4", "1d8>4 counts its own dice"}, {"5+1d20>=15", "1d20>=15 counts its own dice"},
		{"8d6>=6+2", "8d6>=6 counts its own dice"},
		{"3d6>=4", "AnyDice and Avrae compare the total"}, {"6d10>=8", "AnyDice and Avrae compare the total"},
		{"6d6!6>=8", "no die of 6d6 counts so: each that explodes adds a die of its own"},
		{"6d10!>=9>=8", "each die that explodes adds a die of its own"},
		{"5d6!>=9", "no face of 5d6 explodes so"}, {"2d6!=7", "to compare the total write 2d6 != 7"},
		{"2d6 != 6", "2d6!=6 without the blank explodes"}, {"5d6ro=8", "no face of 5d6 is rolled again so"},
		{"5d6r<1", "no face of 5d6 is rolled again so"}, {"5d6!=6", ""}, {"dF!>=1", ""},
		{"4 <= 3d6", "which is 3d6k>=4 here"}, {"-2^2", "-2^2 is 4"},
		{"3d6ra6", ""}, {"4d6kh3", ""}, {"4d6kh3mi2", ""}, {"4d6mi2kh3", ""}, {"4d6dl1dh1", ""}, {"6d8dh2kl3", ""},
		{"floor(3d6/2)", ""}, {"round((3d6)/2)", ""}, {"7/2", ""}, {"3d6//2", ""}, {"8d6>=6", ""}, {"8d6>=6 - 8d6=1", ""},
		{"1d20+5>=15", ""}, {"1d20>=15", ""}, {"6d6!!6>=8", ""}, {"3#d6", ""}, {"3d6 # six", ""}, {"(-2)^2", ""},
	} {
		n, err := dice.ParseNotation(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		says := func(x dice.Note) bool { return strings.Contains(x.Msg, c.says) }
		if c.says == "" && len(n.Notes) > 0 || c.says != "" && !slices.ContainsFunc(n.Notes, says) {
			t.Errorf("%s: got the notes %v, want %q", c.text, n.Notes, c.says)
		}
	}
}

// "3#d6" rolls three times, as "3x d6" does; a "#" beside a blank, or behind dice, begins a comment.
func TestRepeatOrComment(t *testing.T) {
	for text, times := range map[string]int{"3#d6": 3, "6#4d6kh3": 6, "2#(d6+1)": 2, "3 # d6": 0, "3d6#d6": 0, "3 #d6": 0} {
		n, err := dice.ParseNotation(text)
		if err != nil || n.Repeat != times {
			t.Errorf("%s: got %v, %v, want %d times", text, n, err, times)
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
		n, err := dice.ParseNotation(text)
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
		n, err := dice.ParseNotation(text)
		if err != nil {
			t.Fatal(err)
		}
		out, err := n.Roll(dice.FromList(faces))
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
	for _, text := range []string{"3#d6ra6", "[highest 3 of 4d6]", "4d6 keep 3", "4d6kh3rr1", "3d6/2", "2d6+1d8>4",
		"[count {5..6} in 5d6]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := dice.ParseNotation(text)
		if err != nil {
			if _, ok := err.(*dice.SyntaxError); !ok {
				t.Errorf("%q: %v is no *SyntaxError", text, err)
			}
			return
		}
		count := 0
		for _, p := range n.Pools() {
			count += p.Count
		}
		if count < 100 && n.Repeat < 10 {
			_, _ = n.Roll(dice.FromSeed(1, 0, 0))
		}
	})
}
