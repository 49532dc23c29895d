package dice

import (
	"fmt"
	"regexp"
	"strings"
)

// A form is a whole text as another program, or plain English, has it, and what to write for it. In write and say $1 stands
// for the first group of the pattern, and the form is only meant where the two groups of same are equal.
type form struct {
	pattern string // of the whole text, in lower case
	write   string // a notation; "" where say is all
	say     string // what is said before it
	same    [2]int
}

// pools is the pattern of dice without modifiers.
const pools = `(\d*d(?:\d+|%))`

// forms are tried in their order. Advice is only given when what it says to write can be read.
var forms = [...]form{
	{pattern: `[/!.\\](?:roll|gmroll|gr|r|die|dice|rr)\s+(.+)`, write: "$1", say: "leave the command out"},
	{pattern: `(?:roll|throw|r)\s+(.+)`, write: "$1", say: "leave the command out"},
	{pattern: `\[\[(.+)\]\]`, write: "$1", say: "leave Roll20's brackets out"},
	{pattern: `\[?(?:the )?(?:highest|best|largest|top) (\d+) (?:of )?` + pools + `\]?`, write: "${2}kh$1"},
	{pattern: `\[?(?:the )?(?:lowest|worst|least|bottom) (\d+) (?:of )?` + pools + `\]?`, write: "${2}kl$1"},
	{pattern: `\[?(?:the )?middle (\d+) (?:of )?` + pools + `\]?`, write: "${2}km$1"},
	{pattern: `(?:the )?(?:highest|best|largest|max) (?:of )?` + pools, write: "${1}kh1"},
	{pattern: `(?:the )?(?:lowest|worst|least|min) (?:of )?` + pools, write: "${1}kl1"},
	{pattern: `(\d+)\s*@\s*` + pools, write: "${2}kh${1}kl1"},
	{pattern: `\[count (\d+) in ` + pools + `\]`, write: "$2=$1"},
	{pattern: `\[count \{(\d+)\.\.(\d+)\} in (\d*d(\d+))\]`, write: "$3>=$1", same: [2]int{2, 4}},
	{pattern: `\[count \{(\d+), *(\d+)\} in (\d*d(\d+))\]`, write: "$3>=$1", same: [2]int{2, 4}},
	{pattern: `\[count .+\]`, say: countAdvice},
	{pattern: `count (<=|>=|<|>|=) ?(\d+) (?:in )?` + pools, write: "$3$1$2"},
	{pattern: `(\d*)d?\[explode (d\d+)\]`, write: "$1$2!!{2}", say: "AnyDice explodes at most twice"},
	{pattern: `\[(?:absolute|abs) (.+)\]`, write: "abs($1)"},
	{pattern: `(?:sum|output)\s+(.+)`, write: "$1", say: "a total needs no word"},
	{pattern: `sum\((.+)\)`, write: "$1", say: "a total needs no word"},
	{pattern: `(\d+) (\d*d.+)`, write: "${1}x $2", say: "to roll it so many times"},
	{pattern: `(\d+) times (\d*d.+)`, write: "${1}x $2"},
	{pattern: `repeat\s*\((.+), *(\d+)\)`, write: "${2}x $1"},
	{pattern: `(\d*d[^ ]+) [x×] ?(\d+)`, write: "$1 * $2", say: "${2}x $1 rolls it so many times; to multiply"},
	{pattern: pools + `,? keep(?:ing)?(?: the)?(?: (?:highest|best|top))? (\d+)`, write: "${1}kh$2"},
	{pattern: pools + `,? keep(?:ing)?(?: the)? (\d+) (?:highest|best)`, write: "${1}kh$2"},
	{pattern: pools + `,? keep(?:ing)?(?: the)?(?: (?:lowest|worst)) (\d+)`, write: "${1}kl$2"},
	{pattern: pools + `,? keep(?:ing)?(?: the)? (?:highest|best)`, write: "${1}kh1"},
	{pattern: pools + `,? keep(?:ing)?(?: the)? (?:lowest|worst)`, write: "${1}kl1"},
	{pattern: pools + `,? drop(?:ping)?(?: the)?(?: (?:lowest|worst))?(?: (\d+))?`, write: "${1}dl$2"},
	{pattern: pools + `,? drop(?:ping)?(?: the)? (?:highest|best)(?: (\d+))?`, write: "${1}dh$2"},
	{pattern: pools + ` ?- ?l`, write: "${1}dl1"},
	{pattern: pools + ` ?- ?h`, write: "${1}dh1"},
	{pattern: pools + ` ?h(\d*)`, write: "${1}kh$2"},
	{pattern: pools + ` ?l(\d*)`, write: "${1}kl$2"},
	{pattern: pools + `es(\d+)`, write: "$1!!>=$2"},
	{pattern: pools + `s(\d+)`, write: "$1>=$2"},
	{pattern: pools + `o`, write: "$1!!kh1"},
	{pattern: `(\d*)z(\d+)`, write: "${1}d{0..$2}"},
	{pattern: `(\d+)\s*(\(.+\))`, write: "$1 * $2", say: "${1}x $2 rolls it so many times; to multiply"},
	{pattern: `(\(.+\))\s*[x×]\s?(\d+)`, write: "$1 * $2", say: "${2}x $1 rolls it so many times; to multiply"},
	{pattern: `(\d*d\d+)x(\d+)`, write: "$1 * $2", say: "$1!$2 explodes on $2, ${2}x $1 is rolled so many times; to multiply"},
	{pattern: `(.*d\d+)k(\d+)([hl])(.*)`, write: "${1}k$3$2$4"},
	{pattern: `(.*d\d+)d(\d+)([hl])(.*)`, write: "${1}d$3$2$4"},
	{pattern: `(\d*)d00(.*)`, write: "${1}d100$2"},
	{pattern: `(1?d20.*?) with (adv|dis)(?:antage)?`, write: "$1 $2"},
	{pattern: `(.*d.*?) ?(>=|<=|>|<|==?) ?(?:dc|ac|tn) ?(\d+)`, write: "$1 $2 $3"},
	{pattern: `(.*)\[\[([^\[\]]+)\]\](.*)`, write: "$1$2$3", say: "leave Roll20's brackets out"},
	{pattern: `(.*d.*?) (?:vs\.?|versus|against|dc|ac|vs\.? (?:dc|ac)) ?(\d+)`, write: "$1 >= $2"},
	{pattern: `(\d*d\d+)d(\d+)`, write: "($1)d$2", say: "to roll as many dice as the first show"},
	{pattern: `\[.+ .+\]`, say: "functions in brackets are AnyDice's; \"rules help dice\" has their like"},
	{pattern: `.*[@?%]\{.*`, say: "write the number: what Roll20 has in @{…} or ?{…} is not known here"},
	{pattern: `(?:p|chance|probability)(?: of |\s*\()(.+?)\)?`, write: "$1"},
}

// compiledForms are the patterns of forms.
var compiledForms = lazy[[]*regexp.Regexp]{compute: func() (out []*regexp.Regexp) {
	for _, f := range forms {
		out = append(out, regexp.MustCompile(`^\s*`+f.pattern+`\s*$`))
	}
	return out
}}

// maxForm bounds the length of a text that is compared with forms: nobody types a longer one in another program's words.
const maxForm = 200

// adviseForm returns the notation to write instead of a text in the form of another program; "" for all others.
func adviseForm(text string) string {
	if len(text) > maxForm {
		return ""
	}
	lower := strings.ToLower(text)
	for i, pattern := range compiledForms.get() {
		found := pattern.FindStringSubmatchIndex(lower)
		if found == nil || !forms[i].groupsAgree(lower, found) {
			continue
		}
		say := string(pattern.ExpandString(nil, forms[i].say, lower, found))
		if forms[i].write == "" {
			return say
		}
		write := string(pattern.ExpandString(nil, forms[i].write, lower, found))
		if _, err := parseOwn(write); err != nil {
			continue
		}
		if say != "" {
			say += ": "
		}
		return fmt.Sprintf("%swrite %s", say, write)
	}
	return ""
}

// groupsAgree reports whether the groups that must be equal are, in a text whose groups stand at some offsets.
func (f *form) groupsAgree(text string, at []int) bool {
	group := func(i int) string { return text[at[2*i]:at[2*i+1]] }
	return f.same == [2]int{} || group(f.same[0]) == group(f.same[1])
}
