package notation

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/runtime/odds"
)

// Where numbers were published.
const (
	thorx      = "wiki.thorx.net/mediawiki, Dice"
	anydice    = "anydice.catlikecoding.com/articles/4d6-drop-lowest"
	d20source  = "d20source.com/post/79192871927/what-are-the-odds"
	duplo      = "kill-0.com/duplo/2008/06"
	unaryheap  = "unaryheap.blogspot.com/2017/01/d-stat-roles.html"
	puzzlesFAQ = "stason.org, Puzzles FAQ, competition/games/risk.s (David Karr)"
	pepys      = "futilitycloset.com/2008/11/19/a-canny-gambler; Stigler, Isaac Newton as a Probabilist, 2006"
	danq       = "danq.me/2024/09/12"
	insomnihac = "insomnihack.com/?p=495, Savage Worlds Dice Probabilities"
	kdice      = "kdice.wikispaces.com, How the probability table is calculated"
	polley     = "ghostlords.com/2008/02, Dice Rolling (Warmachine)"
	techqa     = "math.techqa.club, outcomes of 3d6 drop lowest"
)

// problems are questions as people ask them, with the number that somebody else published: a fraction is exact, a decimal
// is as good as its digits. of is the value or a comparison that is asked of a result, "mean" or "deviation".
var problems = []struct{ question, dice, result, of, want, source string }{
	{"a certain face on one die", "1d6=6 >= 1", "total", "true", "1/6", thorx},
	{"a certain face on some of two dice", "2d6=6 >= 1", "total", "true", "11/36", thorx},
	{"... of three", "3d6=6 >= 1", "total", "true", "91/216", thorx},
	{"... of four, the Chevalier de Méré's first bet", "4d6=6 >= 1", "total", "true", "671/1296", thorx},
	{"... of five", "5d6=6 >= 1", "total", "true", "4651/7776", thorx}, // which prints 4561; 6^5 - 5^5 is 4651
	{"... of six", "6d6=6 >= 1", "total", "true", "31031/46656", thorx},
	{"... of seven", "7d6=6 >= 1", "total", "true", "201811/279936", thorx},
	{"... of eight", "8d6=6 >= 1", "total", "true", "1288991/1679616", thorx},
	{"... of nine", "9d6=6 >= 1", "total", "true", "8124571/10077696", thorx},
	{"... of ten", "10d6=6 >= 1", "total", "true", "83.85%", thorx},
	{"... of fifteen", "15d6=6 >= 1", "total", "true", "93.51%", thorx},
	{"one of two faces on some of two dice", "2d6>=5 >= 1", "total", "true", "5/9", thorx},
	{"... of three", "3d6>=5 >= 1", "total", "true", "19/27", thorx},
	{"... of four", "4d6>=5 >= 1", "total", "true", "65/81", thorx},
	{"... of six", "6d6>=5 >= 1", "total", "true", "665/729", thorx},
	{"... of seven", "7d6>=5 >= 1", "total", "true", "2059/2187", thorx},
	{"... of twelve", "12d6>=5 >= 1", "total", "true", "527345/531441", thorx},
	{"one of three faces on some of ten dice", "10d6>=4 >= 1", "total", "true", "1023/1024", thorx},
	{"at least one six with six dice", "(6d6=6) >= 1", "total", "true", "0.665", pepys},
	{"at least two sixes with twelve dice", "(12d6=6) >= 2", "total", "true", "0.619", pepys},
	{"at least three sixes with eighteen dice", "(18d6=6) >= 3", "total", "true", "0.597", pepys},
	{"the average of 4d6, drop lowest", "4d6dl", "total", "mean", "12.2445987654321", d20source},
	{"an eighteen with 4d6, drop lowest", "4d6dl1", "total", "18", "1.620%", d20source},
	{"an eighteen with 3d6", "3d6", "total", "18", "0.463%", d20source},
	{"at least one eighteen in six rolls", "6x 4d6kh3", "highest", "18", "9.337%", d20source},
	{"the deviation of 4d6, drop lowest", "4d6kh3", "total", "deviation", "2.8468", duplo},
	{"a thirteen with 4d6, drop lowest", "4d6kh3", "total", "13", "172/1296", unaryheap},
	{"a three with 4d6, drop lowest", "4d6kh3", "total", "3", "1/1296", unaryheap},
	{"an eight with 4d6, drop lowest", "4d6kh3", "total", "8", "62/1296", unaryheap},
	{"a nine with 3d6", "3d6", "total", "9", "150/1296", unaryheap},
	{"the highest of six abilities is at least 18", "6x 4d6kh3", "highest", ">=18", "9.34%", anydice},
	{"... at least 17", "6x 4d6kh3", "highest", ">=17", "30.07%", anydice},
	{"... at least 16", "6x 4d6kh3", "highest", ">=16", "56.76%", anydice},
	{"... at least 15", "6x 4d6kh3", "highest", ">=15", "79.40%", anydice},
	{"... at least 14", "6x 4d6kh3", "highest", ">=14", "92.80%", anydice},
	{"two of six abilities are at least 18", "6x 4d6kh3", "2nd highest", ">=18", "0.38%", anydice},
	{"... at least 17", "6x 4d6kh3", "2nd highest", ">=17", "4.30%", anydice}, // which prints 4.03: 1 - q^6 - 6p·q^5, p = 75/1296
	{"... at least 16", "6x 4d6kh3", "2nd highest", ">=16", "17.85%", anydice},
	{"... at least 15", "6x 4d6kh3", "2nd highest", ">=15", "42.16%", anydice},
	{"... at least 14", "6x 4d6kh3", "2nd highest", ">=14", "69.01%", anydice},
	{"three of six abilities are at least 18", "6x 4d6kh3", "3rd highest", ">=18", "0.01%", anydice},
	{"... at least 17", "6x 4d6kh3", "3rd highest", ">=17", "0.34%", anydice},
	{"... at least 16", "6x 4d6kh3", "3rd highest", ">=16", "3.26%", anydice},
	{"... at least 15", "6x 4d6kh3", "3rd highest", ">=15", "14.13%", anydice},
	{"... at least 14", "6x 4d6kh3", "3rd highest", ">=14", "36.29%", anydice},
	{"Risk, three dice against one", "3d6kh1 > d6", "total", "true", "855/1296", puzzlesFAQ},
	{"Risk, two dice against one", "2d6kh1 > d6", "total", "true", "125/216", puzzlesFAQ},
	{"Risk, one die against two", "d6 > 2d6kh1", "total", "true", "55/216", puzzlesFAQ},
	{"Risk, one die against one", "d6 > d6", "total", "true", "15/36", puzzlesFAQ},
	{"a natural 1 with advantage", "d20 adv", "total", "1", "1/400", danq},
	{"a natural 20 with advantage", "d20 adv", "total", "20", "39/400", danq},
	{"a 13 with advantage: (13² - 12²) of 400", "2d20kh1", "total", "13", "25/400", danq},
	{"a 6 or better on a d8", "d8 >= 6", "total", "true", "3/8", insomnihac},
	{"a 10 on a d8 that aces", "d8!! >= 10", "total", "true", "7/64", insomnihac},
	{"two dice beat one", "2d6 > d6", "total", "true", "181/216", kdice},
	{"a 2 with 3d6, drop lowest", "3d6dl1", "total", "2", "1/216", techqa},
	{"a 12 with 3d6, drop lowest", "3d6dl1", "total", "12", "16/216", techqa},
	{"3 or more with two dice", "2d6", "total", ">=3", "97.22%", polley},
	{"5 or more with two dice", "2d6", "total", ">=5", "83.33%", polley},
	{"6 or more with two dice", "2d6", "total", ">=6", "72.22%", polley},
	{"7 or more with two dice", "2d6", "total", ">=7", "58.33%", polley},
	{"9 or more with two dice", "2d6", "total", ">=9", "27.78%", polley},
	{"11 or more with two dice", "2d6", "total", ">=11", "8.33%", polley},
}

func TestPublishedProblems(t *testing.T) {
	for _, c := range problems {
		n := parseNotation(t, c.dice)
		d, err := ComputeExactly(n)
		if err != nil {
			t.Errorf("%s: %v", c.dice, err)
			continue
		}
		var m *odds.Marginal
		for _, r := range d.Results {
			if r.Name == c.result {
				m = r
			}
		}
		if m == nil {
			t.Errorf("%s: there is no result %q", c.dice, c.result)
			continue
		}
		got := askedOf(m, c.of)
		if want, exact := new(big.Rat).SetString(c.want); exact && strings.Contains(c.want, "/") {
			if got == nil || got.Cmp(want) != 0 {
				t.Errorf("%s, %s %s: got %v, %s has %s", c.question, c.dice, c.of, got, c.source, c.want)
			}
			continue
		}
		value := 0.0
		if c.of == "deviation" {
			value = m.Deviation()
		} else if got != nil {
			value, _ = got.Float64()
		}
		if text := printedAs(value, c.want); text != c.want {
			t.Errorf("%s, %s %s: got %s, %s has %s", c.question, c.dice, c.of, text, c.source, c.want)
		}
	}
}

// askedOf is the mean, or the probability of a value, or of all from one on.
func askedOf(m *odds.Marginal, of string) *big.Rat {
	if of == "mean" {
		return m.ExactMean()
	}
	least, atLeast := strings.CutPrefix(of, ">=")
	from, sum := int64(math.MaxInt64), new(big.Rat)
	if atLeast {
		if _, err := fmt.Sscan(least, &from); err != nil {
			return nil
		}
	}
	for i, v := range m.Values {
		if v.String() == of || atLeast && v.Int() >= from {
			sum.Add(sum, new(big.Rat).SetFrac(m.N[i], m.Den))
		}
	}
	return sum
}

// printedAs writes a number with as many digits as another one, as a percentage if that is one.
func printedAs(x float64, like string) string {
	number, isPercent := strings.CutSuffix(like, "%")
	if isPercent {
		x *= 100
	}
	_, digits, _ := strings.Cut(number, ".")
	text := fmt.Sprintf("%.*f", len(digits), x)
	if isPercent {
		text += "%"
	}
	return text
}
