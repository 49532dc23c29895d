package dice

import (
	"fmt"
	"regexp"
	"strings"
)

// foreignWords are words of other programs that are refused, with what to write instead.
var foreignWords = [...]struct{ word, advice string }{
	{"uo", "uo rolls doubles again once: there is no notation for it; u rolls them again until all dice differ"},
	{"mt", "mt marks dice that match: there is no notation for it; ask a rule that counts the faces of a list"},
	{"xo", "xo is Foundry's: write !o for dice that explode once"},
	{"x", "x is Foundry's: write ! for dice that explode, !6 for those that explode on 6"},
	{"df", "df is Foundry's: write >=5f1 for failures that count against successes"},
	{"sf", "sf is Foundry's: write >=5f1 for failures that count against successes"},
	{"ms", "ms is Foundry's: write 2d20 - 15 for the margin"},
	{"even", "even is Foundry's: there is no notation for it"},
	{"odd", "odd is Foundry's: there is no notation for it"},
	{"co", "co is Foundry's: there is no notation for it"},
	{"highest", "write kh1 for the highest die, kh3 for the highest three"},
	{"lowest", "write kl1 for the lowest die, kl3 for the lowest three"},
	{"drop", "write dl1 to drop the lowest die, dh1 to drop the highest"},
	{"best", "write kh1 for the highest die, kh3 for the highest three"},
	{"worst", "write kl1 for the lowest die, kl3 for the lowest three"},
	{"middle", "write km1 for the middle one of three dice, 3d20km1"},
	{"keep", "write kh3 to keep the highest three, kl1 the lowest"}, {"keeping", "write kh3 to keep the highest three, kl1 the lowest"},
	{"reroll", "write r1 to roll ones again, ro1 to do so once"},
	{"explode", "write ! for dice that explode, !! for one die that grows"},
	{"exploding", "write ! for dice that explode, !! for one die that grows"},
	{"hits", countAdvice}, {"hit", countAdvice}, {"successes", countAdvice}, {"success", countAdvice},
	{"count", countAdvice}, {"pool", countAdvice},
	{"vs", versusAdvice}, {"versus", versusAdvice}, {"against", versusAdvice},
	{"and", jointAdvice}, {"or", jointAdvice},
	{"doubles", setsAdvice}, {"double", setsAdvice}, {"triples", setsAdvice}, {"pairs", setsAdvice}, {"pair", setsAdvice},
	{"total", "a total is compared behind a blank: 3d6 == 10"},
	{"times", "write 2d6 * 3 to multiply, 6x 4d6kh3 to roll six times"},
	{"output", "output is AnyDice's: write what stands behind it"},
}

// Advice for words that are not of one program.
const (
	countAdvice  = "write 5d6>=5, without a blank, for how many dice show 5 or more"
	versusAdvice = "compare with a number, 1d20 >= 15, or two rolls, 1d20 > 1d12"
	jointAdvice  = "a notation is one number or one question; two are joined by && or || in a rule: " +
		"-e 'dice: {a: \"d20\", b: \"d6\"}, output: both: \"a >= 15 && b >= 3\"'"
	setsAdvice = "there is no notation for dice that match; ask a rule that counts the faces: " +
		"-e 'dice: r: \"2d10\", output: pair: \"r[0] == r[1]\"'"
)

// foreignWord returns the notation to write instead of another program's word; "" for all others.
func foreignWord(word string) string {
	for _, f := range foreignWords {
		if word == f.word {
			return f.advice
		}
	}
	if strings.HasPrefix(word, "pb") {
		return "pb is a bonus of the character: write its number"
	}
	return ""
}

// adviseHabit returns the notation to write instead of the text at an offset where nothing can be read: a die with the
// letter of another language, a dash that a word processor made of a minus, or a sign as a word; "" for all others.
func adviseHabit(text []rune, at int) string {
	rest := string(text[at:])
	if found := foreignDie.get().FindStringSubmatch(rest); found != nil {
		return fmt.Sprintf("%s is no die: the letter of a die is d, write d%s", found[0], found[1])
	}
	if IsNotation(rest) && strings.HasPrefix(rest, "d") && at > 0 && text[at-1] == ' ' {
		words := strings.Fields(string(text[:at]))
		if strings.Trim(words[len(words)-1], "0123456789") == "" {
			return fmt.Sprintf("leave out the blank before %s", rest)
		}
		return fmt.Sprintf("write + before %s to add it", rest)
	}
	for _, dash := range []string{"–", "—", "−", "‐", "‑"} {
		if strings.HasPrefix(rest, dash) {
			return fmt.Sprintf("%q is a dash and no minus: write -", dash)
		}
	}
	switch {
	case strings.HasPrefix(rest, "{") && at == 0 && strings.Contains(rest, "}d"), strings.HasPrefix(rest, "${"):
		return "notation has no formulas in it: how many dice is {die: 6, count: \"input.n\"}, with how many faces " +
			"{die: \"input.n\"}"
	case IsNotation(rest) && at > 0 && text[at-1] == ' ' && isDigit(text[at]):
		return fmt.Sprintf("write + before %s to add it; dice that are read apart have a name each", rest)
	case strings.HasPrefix(strings.ToLower(rest), "adv"):
		return "write 2d20kh1 for the higher of two dice"
	case strings.HasPrefix(strings.ToLower(rest), "dis"):
		return "write 2d20kl1 for the lower of two dice"
	case strings.HasPrefix(rest, ","):
		return "several notations are asked side by side, each by itself: 2d6 3d6; dice of one group stand in braces: " +
			"{d6, d8}kh1"
	case strings.HasPrefix(rest, "&&"), strings.HasPrefix(rest, "||"):
		return jointAdvice
	case strings.HasPrefix(rest, "|"):
		return "write abs(d6 - d6) for the distance"
	}
	for word, sign := range map[string]string{"plus": "+", "minus": "-"} {
		if len(rest) >= len(word) && strings.EqualFold(rest[:len(word)], word) {
			return fmt.Sprintf("write %s, and not %s", sign, word)
		}
	}
	return ""
}

// foreignDie is a die in German or Dutch, W6 and w6, in Swedish, T6, or with a capital.
var foreignDie = lazy[*regexp.Regexp]{compute: func() *regexp.Regexp { return regexp.MustCompile(`^[wWtTD]([0-9]+|%)`) }}

// Dialects says what others write for the same, in a table.
const Dialects = `    here                   Roll20        Foundry       Avrae         AnyDice               rpg-dice-roller
    4d6kh3, 4d6dl1         4d6kh3        4d6kh3        4d6kh3        [highest 3 of 4d6]    4d6kh3
    4d6dl1dh1, 4d6km2      -             -             4d6pl1ph1     {2,3}@4d6             4d6dl1dh1
    8d10>=7                8d10>7        8d10cs>=7     -             [count {7..10} in]    8d10>=7
    8d10>=7f1              8d10>7f1      8d10cs>=7df1  -             -                     8d10>=7f=1
    7d10>=7t10             -             -             -             -                     -
    2d10r1                 2d10r1        2d10rr1       2d10rr1       -                     2d10r=1
    2d10ro1                2d10ro1       2d10r1        2d10ro1       -                     2d10ro=1
    6d6! (own dice)        6d6!          6d6x          6d6e6         -                     6d6!
    6d6!! (one die)        6d6!!         -             -             -                     6d6!!
    6d6!!{2}               -             -             -             6d[explode d6]        -
    6d6!p (1 less each)    6d6!p         -             -             -                     6d6!p
    6d6!o, 6d6!{2}         -             6d6xo         -             -                     -
    6d6ra6 (one for all)   -             -             6d6ra6        -                     -
    d10!>=9                d10!>9        d10x>=9       d10e>8        -                     d10!>=9
    4d6mi2, 4d6ma5         -             4d6min2       4d6mi2        -                     4d6min2
    d20 adv, 2d20kh1       2d20kh1       2d20kh        1d20 adv      [highest 1 of 2d20]   2d20kh1
    4dF, dC                4dF           4dF, dc       -             4d{-1..1}             4dF
    d% (1 to 100)          d100          d100          d100          d100                  d%
    d66 (digits)           -             -             -             10*d6+d6              -
    d{1,1,2,3}             -             -             -             d{1,1,2,3}            -
    {d8!, d6!}kh1          {d8!,d6!}kh1  {d8x,d6x}kh   (d8e8,d6e6)kh1  -                   {d8!, d6!}kh1
    floor(3d6/2), 3d6//2   floor(3d6/2)  floor(3d6/2)  3d6//2        3d6/2                 floor(3d6/2)
    1d20+5 >= 15           -             -             1d20+5>=15    1d20+5 >= 15          -
    6x 4d6kh3              -             -             6 4d6kh3      -                     -
`
