package dice

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// foreignWords are words of other programs that are refused, with what to write instead.
var foreignWords = [...]struct{ word, advice string }{
	{"uo", "uo rolls doubles again once: there is no notation for it; u rolls them again until all dice differ"},
	{"mt", "mt marks dice that match: there is no notation for it; ask a rule that counts the faces of a list"},
	{"xo", "xo is Foundry's: write !o for dice that explode once"},
	{"x", "x is Foundry's: write ! for dice that explode, !6 for those that explode on 6; a total is multiplied by *, in a " +
		"ruleset in the formula that reads it"},
	{"df", "df is Foundry's: write >=5f1 for failures that count against successes"},
	{"sf", "sf is Foundry's: write >=5f1 for failures that count against successes"},
	{"ms", "ms is Foundry's: write 2d20 - 15 for the margin"},
	{"even", "even is Foundry's: there is no notation for it"},
	{"odd", "odd is Foundry's: there is no notation for it"},
	{"co", "co is Foundry's: there is no notation for it"},
	{"highest", "write kh1 for the highest die, kh3 for the highest three"},
	{"lowest", "write kl1 for the lowest die, kl3 for the lowest three"},
	{"drop", "write dl1 behind the dice at once to drop the lowest, 4d6dl1, dh1 to drop the highest"},
	{"best", "write kh1 for the highest die, kh3 for the highest three"},
	{"worst", "write kl1 for the lowest die, kl3 for the lowest three"},
	{"middle", "write km1 for the middle one of three dice, 3d20km1"},
	{"keep", keepAdvice}, {"keeping", keepAdvice},
	{"reroll", "write r1 to roll ones again, ro1 to do so once"},
	{"explode", "write ! for dice that explode, !! for one die that grows"},
	{"exploding", "write ! for dice that explode, !! for one die that grows"},
	{"hits", countAdvice}, {"hit", countAdvice}, {"successes", countAdvice}, {"success", countAdvice},
	{"count", countAdvice}, {"pool", countAdvice},
	{"vs", versusAdvice}, {"versus", versusAdvice}, {"against", versusAdvice},
	{"and", jointAdvice}, {"or", eitherAdvice},
	{"doubles", setsAdvice}, {"double", setsAdvice}, {"triples", setsAdvice}, {"pairs", setsAdvice}, {"pair", setsAdvice},
	{"total", "a total is compared behind a blank: 3d6 == 10"},
	{"times", "write 2d6 * 3 to multiply, 6x 4d6kh3 to roll six times"},
}

// Advice for words that are not of one program.
const (
	keepAdvice   = "write kh3 behind the dice at once to keep the highest three, 4d6kh3, kl1 to keep the lowest"
	timesAdvice  = "x multiplies nothing: write *, in a ruleset in the formula that reads the dice"
	countAdvice  = "write 5d6>=5, without a blank, for how many dice show 5 or more"
	versusAdvice = "compare with a number, 1d20 >= 15, or two rolls, 1d20 > 1d12"
	jointAdvice  = "a notation is one number or one question: two rolls are two words, 2d6 1d8; questions are joined in a rule: " +
		"-e 'dice: {a: \"d20\", b: \"d6\"}, output: both: \"a >= 15 && b >= 3\"'"
	eitherAdvice = "the better of two rolls is {d8!, d6!}kh1, the worse {d8!, d6!}kl1; " +
		"one of two questions is asked of a rule: -e 'dice: {a: \"d20\", b: \"d6\"}, output: either: \"a >= 15 || b >= 3\"'"
	setsAdvice = "there is no notation for dice that match; ask a rule that counts the faces: " +
		"-e 'dice: r: \"2d10\", output: pair: \"r[0] == r[1]\"'"
)

// isForeignModifier reports whether a word of another program means something behind dice alone: x is a name elsewhere.
func isForeignModifier(word string) bool {
	return slices.Contains([]string{"uo", "mt", "xo", "x", "df", "sf", "ms", "even", "odd", "co"}, word)
}

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

// A habit is text that stands where nothing can be read, as people who come from another program, language or keyboard
// write it. Both patterns must match, of the text before it and of the text from there on; in say $1 is the first group
// of the latter, and ${before} that of the former.
type habit struct{ before, rest, say string }

// habits are those of both readers, tried in their order.
var habits = habitTable{list: []habit{
	{``, `^([wWtTD])([0-9]+|%)`, "${1}${2} is no die: the letter of a die is d, write d${2}"},
	{`(^|\s)[0-9]+ $`, `^(d(?:[0-9%{]|F(?:$|[^a-zA-Z0-9_])).*)$`, "leave out the blank before $1"},
	{` $`, `^(d(?:[0-9%{]|F(?:$|[^a-zA-Z0-9_])).*)$`, "write + before $1 to add it"},
	{` $`, `^([0-9][-+ 0-9]*(?:[0-9]x +[0-9]*)?d(?:[0-9%{]|F(?:$|[^a-zA-Z0-9_])).*)$`,
		"write + before $1 to add it; dice that are read apart have a name each"},
	{``, `^([–—−‐‑])`, `"$1" is a dash and no minus: write -`},
	{`^$`, `^\{.*\}d`, formulasInNotation},
	{``, `^\$\{`, formulasInNotation},
	{`(?:^|[^0-9])1?(d(?:[0-9]+|%))\s*$`, `^(?i:adv)`, "write 2${before}kh1 for the higher of two dice"},
	{`(?:^|[^0-9])1?(d(?:[0-9]+|%))\s*$`, `^(?i:dis)`, "write 2${before}kl1 for the lower of two dice"},
	{``, `^(?i:adv)`, "write 2d20kh1 for the higher of two dice"},
	{``, `^(?i:dis)`, "write 2d20kl1 for the lower of two dice"},
	{`[0-9%F)]\s+$`, `^x\s+[0-9]`, timesAdvice},
	{``, `^[,;]`, "dice are added by +, and those of one group stand in braces, {d6, d8}kh1; several notations are asked " +
		"side by side by rules odds, 2d6 3d6"},
	{``, `^(&&|\|\|)`, jointAdvice},
	{``, `^\|`, "write abs(d6 - d6) for the distance"},
	{`^\s*$`, `^(?i:[/!](?:gmroll|roll|gmr|r)|roll)\s+(\S.*)$`, "a command of a chat is no part of the dice: write $1"},
	{`^\s*$`, `^(?:output +)?\[highest ([0-9]+) of ([0-9]*d[0-9]+)\]`, "write ${2}kh$1"},
	{`^\s*$`, `^(?:output +)?\[lowest ([0-9]+) of ([0-9]*d[0-9]+)\]`, "write ${2}kl$1"},
	{`^\s*$`, `^output +\[`, "output is AnyDice's: write what stands behind it"},
	{``, `^(?i:plus)`, "write +, and not plus"},
	{``, `^(?i:minus)`, "write -, and not minus"},
}}

// ruled are habits of authors: what stands in a ruleset where a term or a sign is missing.
var ruled = habitTable{list: []habit{
	{`^\s*-?\s*$`, `^\s*(?:[-–—]|(?i:none|n/a|nil|nothing))?\s*$`, "a die or a number is expected: write \"0\" where none are rolled"},
	{`^\s*$`, `^\[\[\s*(?:/r(?:oll)?\s+)?1?(d[0-9]+)\s*\]\]\s*$`, "[[ ]] is Roll20's: write \"$1\""},
	{`^\s*$`, `^\[\[\s*(?:/r(?:oll)?\s+)?([^\]]*?)\s*\]\](.*)$`, "[[ ]] is Roll20's: write \"${1}${2}\""},
	{``, `^\[\[`, "[[ ]] is Roll20's: leave it out"},
	{``, `^\[\s*([^\]]*?)\s*\]`, "dice of a ruleset have no labels: leave [$1] out; what they are for is a column of its own"},
	{`^\s*$`, `^[@$]\{?([a-zA-Z][\w.]*)\}?\s*d[0-9]`, "$1 is no number: notation says how many dice by a number alone"},
	{``, `^[@$]\{?([a-zA-Z][\w.]*)\}?`, "$1 is no die: add it in the formula that reads the dice"},
	{``, `^[*×/÷]`, "dice of a ruleset are added alone: multiply or divide in the formula that reads them, x * 2 or div_floor(x, 2)"},
	{`^\s*[0-9]*\s+$`, `^d\s+([0-9]+)\s*$`, "dice have no blanks: write d$1 at once behind how many there are"},
	{`[0-9%F}]\s+$`, `^(?:and|&)\s+(.+)$`, "dice are added by +; those that are read apart have a name each, and $1 is the second"},
	{`[0-9%F}]\s+$`, `^([a-zA-Z][\w ]*)$`, "$1 is no part of the dice: what they are for is a column or a name of its own"},
}}

// missing are habits of people where a die or a number is missing.
var missing = habitTable{list: []habit{
	{`(?i)^\s*1?d(?:%|100)\s*[<>=].*%\s*$`, `^$`, "a die of 1 to 100 is compared with the number alone: leave the last % out"},
	{`%\s*$`, `^$`, "% divides and leaves the remainder: a share of 50% is 0.5, and a number has no % behind it"},
	{``, `^\[\[`, "leave Roll20's brackets out"},
	{``, `^\[`, "a label stands in brackets behind dice, d6[fire]; what belongs together stands in ( )"},
	{``, `^[@$]`, "write the number: names of other programs are not known here"},
	{``, `^([a-zA-Z_]\w*)\s*\(`, "there is no function $1: floor, ceil, round, abs, min and max stand before a parenthesis"},
	{`^\s*$`, `^([a-zA-Z_][\w.]*)\s*$`, "$1 is no die and no number"},
	{``, `^([a-zA-Z_][\w.]*)`, "$1 is not known here: write its number"},
}}

// behind are habits of people behind a complete notation.
var behind = habitTable{list: []habit{
	{``, `^(?:\?|(?i:if|when|unless)\b)`, "a notation has no conditions: ask a rule, " +
		"-e 'dice: {a: \"d20\", b: \"d6\"}, output: harm: \"a >= 15 ? b : 0\"'"},
	{`[<>=].*[0-9 ]$`, `^[<>=]`, "one comparison may stand here: ask a rule, " +
		"-e 'dice: a: \"d6\", output: hit: \"a >= 3 && a <= 5\"'"},
	{``, `^\)`, "there is no ( for this )"},
	{`^\s*[dD][fF]\s*$`, `^([0-9]+)$`, "how many there are stands before them: write ${1}dF"},
	{``, `^([0-9.]+)$`, "write + or - before $1"},
	{``, `^(?i:at least|or more than|no less than)\s+([0-9]+)\s*$`, "write >= $1"},
	{``, `^(?i:at most|no more than|up to)\s+([0-9]+)\s*$`, "write <= $1"},
	{``, `^(?i:more than|above|over|greater than)\s+([0-9]+)\s*$`, "write > $1"},
	{``, `^(?i:less than|below|under|lower than)\s+([0-9]+)\s*$`, "write < $1"},
	{``, `^(?i:between|from)\s+([0-9]+)\s+(?i:and|to)\s+([0-9]+)\s*$`, "one comparison may stand here: for odds add " +
		"--ask 'total >= $1 && total <= $2'"},
	{``, `^([a-zA-Z][\w ]*)$`, "a word that only says what the dice are for stands in brackets, [$1], or behind #"},
}}

// formulasInNotation is said of ${n}d6 and {n}d6.
const formulasInNotation = "notation has no formulas in it: how many dice is {die: 6, count: \"input.n\"}, with how many " +
	"faces {die: \"input.n\"}"

// A habitTable is habits with their patterns, which are compiled when the first text cannot be read.
type habitTable struct {
	list     []habit
	once     sync.Once
	patterns [][2]*regexp.Regexp
}

// adviseAt returns the notation to write instead of the text at an offset where nothing can be read; "" for all others.
func (t *habitTable) adviseAt(text []rune, at int) string {
	t.once.Do(func() {
		for _, h := range t.list {
			t.patterns = append(t.patterns,
				[2]*regexp.Regexp{regexp.MustCompile(h.before), regexp.MustCompile(`(?s)` + h.rest)})
		}
	})
	before, rest := string(text[:at]), string(text[at:])
	for i, h := range t.list {
		found := t.patterns[i][1].FindStringSubmatchIndex(rest)
		if m := t.patterns[i][0].FindStringSubmatch(before); found != nil && m != nil {
			say := h.say
			if len(m) > 1 {
				say = strings.ReplaceAll(say, "${before}", m[1])
			}
			return string(t.patterns[i][1].ExpandString(nil, say, rest, found))
		}
	}
	return ""
}

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
