package notation

import "testing"

// Questions that cannot tell large sums apart have rational answers, although dice explode without end: nothing is cut off.
// All numbers are counted by hand.
func TestCappedChainsAreExact(t *testing.T) {
	for _, c := range []struct {
		text, value, want string // the probability of the value
	}{
		{"d6! >= 5", "true", "1/3"},   // 5 and 6
		{"d6! >= 8", "true", "5/36"},  // a 6, then 2 or more
		{"d6! = 6", "true", "0"},      // a 6 goes on
		{"d6! < 7", "true", "5/6"},    // 1 to 5
		{"5 <= d6!", "true", "1/3"},   // the same with the sides exchanged
		{"2d4!! >= 6", "true", "1/2"}, // below: of 1 to 3 eight of 9 pairs, in 8 of 16 ways
		{"2d4! >= 6", "true", "1/2"},  // the same sum
		// Three dice of 1 to 5 come to 9 at most in 72 of 216 ways, and 7 with two ones in 3 of 36·36.
		{"3d6!! >= 10", "false", "145/432"},
		// Without an explosion the highest two come to 11 at most in 5^6 + 6·5^5 + 6·4^5 = 40519 of 8^6 ways; with one of
		// 9, in 6·2^5, and of 10, in 6, of 8^7.
		{"6d8!!k2 >= 12", "false", "162175/1048576"},
		{"d6!p >= 9", "true", "1/12"},  // a 6, then 4 or more, less one
		{"d6!!p >= 9", "true", "1/12"}, // the same
		{"min((d8!-4)//4, 2)", "1", "3/64"},
		{"min((d8!-4)//4, 2)", "2", "5/64"}, // an 8, and 4 or more: 1/8 - 3/64
		{"d8!!ma10", "10", "7/64"},          // an 8, and 2 or more
		{"{d8!, d6!}kh1 >= 4", "true", "13/16"},
		{"max(d8!, d6!) >= 4", "true", "13/16"},
		{"{d8!!, d6!!}>=4", "2", "5/16"},        // 5/8 · 3/6
		{"2d4!!4>=6", "2", "9/256"},             // a 4, and 2 or more, of both: (3/16)²
		{"d4! > d4", "true", "7/16"},            // 0+1+2 of 16, and 4 of 16 where the first goes on
		{"2*d6! >= 9", "true", "1/3"},           // d6! at 5 or more
		{"d6! + d4 = 9", "true", "1/18"},        // 7 and 2, 8 and 1 in 2 of 144, 5 and 4 in 1 of 24
		{"10 - d4 <= d6!", "true", "7/48"},      // at least 9, 8, 7 or 6: (4+5+6+6)/36 by 4
		{"4d6!kh3", "18", "1453/23328"},         // not 0, 1 or 2 sixes: 1 - (5/6)^4·(1 + 4/6 + 10/36)
		{"3d6!kh1 >= 6", "true", "91/216"},      // some die shows a 6
		{"(2d6!>=6>=6) >= 3", "true", "7/432"},  // not 0, 1 or 2 sixes: 1 - (5/6)²·(1 + 2/6 + 3/36)
		{"d3!1>=3", "1", "1/2"},                 // ones go on and count nothing: then 2 or 3
		{"(2d3!1>=3) >= 1", "true", "3/4"},      // the same twice
		{"(2d3!1>=3) = 2 ", "true", "1/4"},      // the same twice
		{"d{d4!, d6!} >= 6", "true", "17/96"},   // half of 1/4·3/4, and half of 1/6
		{"floor(d6!/2) >= 3", "true", "1/6"},    // a 6 goes on
		{"(d6! >= 5) + (d6! >= 5)", "2", "1/9"}, // twice the first one
		{"d{1,2,6}! >= 7", "true", "1/3"},       // a 6 goes on
		{"d6! >= 5 # a comment", "true", "1/3"}, // a comment
		{"2x d6! >= 5", "2", "1/9"},             // both
		{"d6! - 2 >= d2", "true", "7/12"},       // 3 or more for 1, 4 or more for 2
		{"d6!>=5 >= 1", "true", "1"},            // explodes on 5 and 6: at least 1
		{"d100!>=96 >= 96", "true", "1/20"},     // an open roll begins at 96
	} {
		d, err := ComputeExactly(parseNotation(t, c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if d.Rest != 0 {
			t.Errorf("%s: %v is not followed", c.text, d.Rest)
		}
		got := "0"
		for i, v := range d.Results[0].Values {
			if v.String() == c.value {
				got = d.Results[0].Exact(i)
			}
		}
		if got != c.want {
			t.Errorf("%s: P(%s) = %s, want %s", c.text, c.value, got, c.want)
		}
	}
}
