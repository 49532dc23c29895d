package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/compiler/diag"
)

// A habit is how other languages, or books, write a line that a ruleset writes otherwise.
//
// Texts may name groups of the pattern, as ${name}. The group "at" is where the habit is told of; without it that is where
// the match begins.
type habit struct {
	says    []string // CUE's message has one of these in it; none: whatever it is
	line    string   // a pattern of the line
	where   where
	message string
	repair  string
	unless  func(at stop, match groups) bool // what looks alike and is none; may be nil
	breaks  bool                             // the field has no value that can be read

	code func(at stop) (slip, bool) // finds what no pattern tells, in place of all of the above
}

// where says which match of a pattern counts.
type where int

const (
	around   where = iota // the column at which CUE gives up is in it, or before it
	anywhere              // the first of the line
	orBefore              // the first of the line, or of the line before: CUE has gone on to the next
)

// What CUE says of the lines in which habits are found.
var (
	missingComma  = []string{"missing ','"}
	noLabel       = []string{"expected label", "missing ','"}
	noColon       = []string{"expected label or ':'"}
	noOperand     = []string{"expected operand"}
	notConcrete   = []string{"requires concrete value"}
	noPreference  = []string{"preference mark not allowed"}
	illegalDots   = []string{"illegal token '..'"}
	proseAndNotes = []string{"expected label", "missing ','", "expected operand"}
)

// Parts of patterns.
const (
	number = `-?[0-9.]+`
	whole  = `-?[0-9]+`
	// rangeOf is a range whose ends a word or a sign parts.
	rangeOf = `(?P<from>` + whole + `)\s*%s\s*(?P<to>` + whole + `)`
	// bandsOf is the field that holds keys of a table from one to another.
	bandsOf = `\b(?:on|over):\s*`
)

// Advice that several habits have in common.
const (
	twoBounds     = "a range is written as two bounds"
	twoEnds       = "a range is written as its two ends"
	defaultBefore = "a default stands before the type, with a star"

	bounds = "write int & >=${from} & <=${to}"
	ends   = "write [${from}, ${to}]"
)

// habits are tried in this order, and the first that is found counts: those that need a certain message of CUE's stand
// before those that only read the line, and particular patterns before others.
var habits = []habit{
	{line: `^(?P<word>\pL+)\s+"?(?P<name>\w+)"?:?\s*$`, where: anywhere, unless: isNoPackageClause, // packge base, package "base"
		message: "this is no package clause", repair: "write package ${name}"},

	{says: []string{"optional marker", "expected ':'"}, line: `(?P<name>\w+)[!?]?:\s*(?P<type>\w+)(?P<at>[!?])`, // luck: int?
		where: anywhere, message: "the mark of a field stands behind its name", repair: "write ${name}${at}: ${type}"},

	{says: noOperand, line: `=(?P<sign>[<>])\s*(?P<n>` + number + `)`, // =>1
		message: "there is no =${sign}", repair: "write ${sign}=${n}"},
	{says: notConcrete, line: `(?P<from>` + number + `)\s*<=\s*(?P<type>\w+)\s*<=\s*(?P<to>` + number + `)`, // 1 <= int <= 20
		where: anywhere, message: twoBounds, repair: "write ${type} & >=${from} & <=${to}"},

	{line: `:\s*(?P<at>v?\d+\.\d+\.\d+)\s*$`, where: anywhere, // revision: 0.1.0
		message: "a revision is a text", repair: `write "${at}", in quotes`},

	{line: bandsOf + `(?P<at>` + fmt.Sprintf(rangeOf, `\bto\b`) + `)`, unless: isInNote, // on: 3 to 8
		message: twoEnds, repair: ends},
	{line: fmt.Sprintf(rangeOf, `\bto\b`), unless: isInNote, message: twoBounds, repair: bounds},
	{line: `\b(?:int|number|float)\s*[\[(]\s*(?P<from>` + whole + `)\s*(?:,|\.+|-|to)\s*(?P<to>` + whole + `)\s*[\])]`,
		where: anywhere, message: twoBounds, repair: bounds}, // int[-3, 3], int(1, 6)

	{line: `:\s*(?P<at>[-–—])\s*[,}]`, where: anywhere, // harm: -, as books print a cell without a value
		message: "a dash is no value", repair: "write the number that means that there is none, as 0"},

	{says: proseAndNotes, line: `^\s*(?P<at>/\*|--|;|\pL+(?: [\pL\d,]+)+[.:!]?\s*$)`, where: anywhere, // not for the weak
		message: "these words are no field", repair: "write // before a note"},

	{says: noLabel, line: `^\s*(?P<at>\d[\w.]*(?: +[\w.]+)*|\pL\w*(?: +\w+)+)\s*:`, where: anywhere, // 3m: deep ditch:
		message: "${at} is no name: a name has letters, digits and _, and begins with no digit",
		repair:  `write "${at}", in quotes`},

	{says: noColon, line: `^\s*(?P<name>\w+[!?]?)(?P<at>\s+)["{\[0-9]`, where: anywhere, // doc "A leap.", rules {
		message: "a colon is missing behind ${name}", repair: "write ${name}:"},
	// Of doc = "A leap." CUE takes doc for an alias, and misses the field behind it.
	{says: noColon, line: `^\s*(?P<name>#?\w+)(?P<at>\s*=)[^=]`, where: orBefore,
		message: "= gives no value here", repair: "write ${name}:"},

	{says: []string{"expected ')', found ','"}, line: `\((?P<items>"[^"]*"(?:\s*,\s*"[^"]*")+)\)`, // ("poor", "good")
		message: "words in parentheses are neither a choice nor a list",
		repair:  `a choice is written "poor" | "good", and a list [${items}]`},
	{says: []string{"expected ')', found ','"}, line: `\((?P<items>[^()"]*,[^()"]*)\)`, // (3, 6)
		message: "a list stands in brackets", repair: "write [${items}]"},

	// Behind int | 0* CUE looks for another factor.
	{line: `\|\s*(?P<at>"?\w+"?)\*\s*$`, where: orBefore,
		message: "the star of a default stands before it", repair: "write *${at} | ..."},

	{says: []string{"found 'ATTRIBUTE'"}, line: `:\s*(?P<at>@key\([^)]*\))\s*(?:[,}]|$)`, where: anywhere, // over!: @key(gap)
		message: "an attribute stands behind a type", repair: "write string ${at}"},
	{says: noOperand, line: `\b(?P<type>int|number|bool|string)(?P<at>\*)`, where: orBefore, // int*
		message: defaultBefore, repair: "write *0 | int"},
	{says: noPreference, // int | *10 & >=1
		line:    `(?P<type>int|number)\s*\|\s*(?P<at>\*)(?P<value>[\w.-]+)\s*&\s*(?P<bound>[<>]=?[\w.-]+)`,
		message: "bounds are of the type, and not of its default", repair: "write *${value} | ${type} & ${bound}"},
	{says: noPreference, line: `(?P<at>\*)(?:int|number|bool|string)\b`, // *int
		message: "a star stands before the default, and not before the type", repair: "write *0 | int"},
	{code: stop.findJoinedDefault}, // *"poor" & ("poor" | "good")
	{says: noPreference, line: `(?P<at>\*)(?P<value>true|false)\b`, // *true
		message: "a default alone says no type", repair: "write *${value} | bool"},
	{says: noPreference, line: `(?P<at>\*)(?P<value>"[^"]*")`, message: "a default alone says no type",
		repair: "write *${value} | string"},
	{says: noPreference, line: `(?P<at>\*)(?P<value>-?[0-9]+)`, message: "a default alone says no type",
		repair: "write *${value} | int"},

	{says: []string{"'&&' requires concrete value"}, line: `(?P<a>[<>]?=?[\w.]+)\s*&&\s*(?P<b>[<>]?=?[\w.]+)`, // int && >=0
		message: "&& is for formulas: between a type and its bounds stands &", repair: "write ${a} & ${b}"},
	{says: notConcrete, line: `(?P<at>[<>]=?)\s*(?P<sum>` + number + `\s*[-+*]\s*` + number + `)`, // <=2*3
		message: "a bound that is computed stands in parentheses", repair: "write ${at}(${sum})"},
	{says: []string{"'||' requires concrete value"}, line: `(?P<a>[<>]?=?[\w.]+)\s*\|\|\s*(?P<b>[<>]?=?[\w.]+)`, // int || string
		message: "|| is for formulas: between what a field may be stands |", repair: "write ${a} | ${b}"},

	{line: `(?P<name>\w+[!?]?):\s*(?P<at>@\w+\([^)]*\))\s*(?P<type>\w+)`, // over!: @key(gap) string
		message: "an attribute stands behind the value", repair: "write ${name}: ${type} ${at}"},
	{line: `^\s*(?P<at>@\w+\([^)]*\))\s+(?P<name>\w+[!?]?):\s*(?P<type>\w+)`, // @key(gap) over!: string
		message: "an attribute stands behind the value", repair: "write ${name}: ${type} ${at}"},

	{says: notConcrete, // int >=0 <=12
		line: `\b(?P<type>int|number|float)\s*(?P<one>[<>]=?)\s*(?P<a>` + number +
			`)\s*(?P<other>[<>]=?)\s*(?P<b>` + number + `)`,
		message: "a type and its bounds are joined by &", repair: "write ${type} & ${one}${a} & ${other}${b}"},
	{says: notConcrete, // >=0 <=12
		line:    `(?P<one>[<>]=?)\s*(?P<a>` + number + `)\s*(?P<other>[<>]=?)\s*(?P<b>` + number + `)`,
		message: "two bounds stand side by side, and nothing joins them",
		repair:  "write & between them: ${one}${a} & ${other}${b}"},
	{says: notConcrete, line: `\b(?P<type>int|number|float)\s*(?P<sign>[<>]=?)\s*(?P<n>` + number + `)`, // int >= 0
		message: "a type and its bound are joined by &", repair: "write ${type} & ${sign}${n}"},

	{says: illegalDots, line: bandsOf + `(?P<at>` + fmt.Sprintf(rangeOf, `\.\.\.?`) + `)`, // on: 3..8
		message: twoEnds, repair: ends},
	{says: illegalDots, line: fmt.Sprintf(rangeOf, `\.\.\.?`), message: twoBounds, repair: bounds}, // 0..8

	{says: []string{"(- struct)"}, line: `^\s*(?P<at>-)\s*\{`, where: anywhere, // - {from: 1, bonus: 1}
		message: "a list stands in brackets, and nothing before its elements",
		repair:  "write [{...}, {...}], with a comma between two", breaks: true},

	{code: stop.findHalfQuoted},   // "2d6" + 1
	{code: stop.findHash},         // # a note
	{code: stop.findSemicolon},    // harm: 3;
	{code: stop.findHyphenName},   // deep-ditch: 3
	{code: stop.findWordOperator}, // int and >=0
	{code: stop.findMissingComma}, // cite: "a" dice: roll: "d20"
	{code: stop.findInnerQuotes},  // "gap("ditch")"
	{code: stop.findForeignList},  // pack: string[]
	{code: stop.findBareFormula},  // touch: gap > 0

	{says: missingComma, line: `\[\.\.\.string\s+(?P<at>@key\([^)]*\))\]`, // [...string @key(weapon)]
		message: "an attribute stands behind the list", repair: "write [...string] & list.MaxItems(8) ${at}"},
	{says: missingComma, line: `^\s*(?P<at>state\.(?P<field>\w+))\s*:`, where: anywhere, // state.hp: "..."
		message: "a field of the state stands by its name", repair: "write ${field}:"},
	{says: missingComma, line: `^\s*(?P<at>character(?:\.\w+)+)\s*:`, where: anywhere, // character.level: "..."
		message: "a path with a dot in it stands in quotes", repair: `write "${at}":`},
	{says: missingComma, line: `:\s*(?P<at>[0-9]+d[0-9]+\w*)`, // roll: 2d6, a number and a name behind it
		message: "dice stand in quotes", repair: `write "${at}"`},

	// pack: map[string]int, and pack: [string] int.
	{says: missingComma, line: `(?P<name>\w+[!?]?):\s*(?:map|dict)?\s*\[\s*\w+\s*\]\s*(?P<type>\w+)`,
		message: "a map says what its values are behind a colon", repair: "write ${name}: [string]: ${type}"},

	{says: missingComma, line: `(?P<at>\bbetween)\s+(?P<from>` + whole + `)\s+and\s+(?P<to>` + whole + `)`, // between 0 and 9
		message: twoBounds, repair: "write >=${from} & <=${to}"},
	{says: missingComma, line: `(?P<at>\b(?P<type>int|number|bool|string)\s+(?:default|\?\?))\s+(?P<value>"[^"]*"|[\w.-]+)`,
		message: defaultBefore, repair: "write *${value} | ${type}"}, // int default 5
	{says: []string{"cannot call non-function"}, line: `\b(?P<type>int|number|bool|string)\((?P<value>"[^"]*"|[\w.-]+)\)`,
		message: defaultBefore, repair: "write *${value} | ${type}"}, // int(5)
	{says: []string{"unreferenced alias"}, line: `:\s*(?P<at>int|number|bool|string)\s*=\s*(?P<default>"[^"]*"|[\w.-]+)`,
		message: defaultBefore, repair: "write *${default} | ${at}"}, // crew: int = 10

	{says: []string{"unreferenced alias"}, line: `\blet\s+(?P<at>\w+)\s*=`, // let bonus = 2
		message: "nothing reads this let", repair: "leave it out, or read ${at}"},
	{says: []string{"unreferenced alias"}, line: `(?P<name>\w+)\s*(?P<at>=)\s*(?P<value>"[^"]*"|[\w.-]+)`, // bonus = 2
		message: "a field has a colon", repair: "write ${name}: ${value}"},
	{says: missingComma, line: `^\s*(?P<at>!)(?P<name>\w+)\s*:`, where: anywhere, // !level: int
		message: "the mark stands behind the name", repair: "write ${name}!:"},
	{says: missingComma, line: `\|\s*(?P<at>default)\s+(?P<value>"[^"]*"|[\w.-]+)`, // int & >=0 | default 0
		message: defaultBefore, repair: "write *${value} | before the type"},

	{says: missingComma, // crew: int & <=30 = 10
		line:    `:\s*(?P<type>(?:int|number|bool|string|"[^"]*")[^{}:]*?)\s(?P<at>=)\s*(?P<default>"[^"]*"|[\w.-]+)`,
		message: defaultBefore, repair: "write *${default} | ${type}"},

	{says: []string{"illegal character", "missing ','"}, line: `(?P<n>-?[0-9]+(?:\.[0-9]+)?)\s*(?P<at>%)`, // chance: 50%
		message: "there is no percent sign: a chance in percent is a number of 100", repair: "write ${n}"},
	// weight: 6 kg
	{says: missingComma, line: `:\s*(?P<at>` + number + `)\s*(?P<unit>\pL+)\s*[,}]?\s*\w*`, unless: isFieldBehind,
		message: "a number stands without its unit", repair: "write ${at}, and ${unit} in the doc"},

	{says: noOperand, line: `:\s*\[?(?P<at>` + whole + `)\+\s*(?:[,}\]]|$)`, // on: 13+, a row of a book that has no end
		message: "a range has two ends", repair: "write on: [${at}, ...] with the last number that there is; rows " +
			"that each begin where one ends are steps: [{from: ${at}, ...}]"},

	{says: []string{"invalid attribute"}, line: `(?P<at>@key)\s*$`, where: orBefore, // string @key, without the table
		message: "an attribute has parentheses", repair: "name the table: @key(weapon)"},
	{says: []string{"invalid attribute"}, line: `(?P<at>@\w+)\s*$`, where: orBefore,
		message: "an attribute has parentheses", repair: "write ${at}(...)"},
}

// patterns are the compiled patterns of habits, by their texts.
var patterns = sync.OnceValue(func() map[string]*regexp.Regexp {
	out := map[string]*regexp.Regexp{}
	for _, h := range habits {
		if h.code == nil {
			out[h.line] = regexp.MustCompile(h.line)
		}
	}
	return out
})

// groups are what the groups of a pattern match in a line.
type groups struct {
	pattern *regexp.Regexp
	line    string
	offsets []int // a pair for each group, as FindStringSubmatchIndex has them; nil: no match
}

// offset returns where a group begins in the line, or the whole match if the pattern has none of that name.
func (m groups) offset(name string) int { return m.offsets[2*max(0, m.pattern.SubexpIndex(name))] }

// expand returns a text with ${name} replaced by what the groups match.
func (m groups) expand(text string) string {
	return string(m.pattern.ExpandString(nil, text, m.line, m.offsets))
}

// find returns the slip that the habit is in a line in which CUE gives up.
func (h *habit) find(at stop) (slip, bool) {
	if h.code != nil {
		return h.code(at)
	}
	if len(h.says) > 0 && !slices.ContainsFunc(h.says, func(s string) bool { return strings.Contains(at.message, s) }) {
		return slip{}, false
	}
	m, shift := groups{pattern: patterns()[h.line], line: at.line}, 0
	if h.where == around {
		m.offsets = at.matchAround(m.pattern)
	} else {
		m.offsets = m.pattern.FindStringSubmatchIndex(m.line)
	}
	if m.offsets == nil && h.where == orBefore {
		m.line, shift = at.before, -len(at.before)-1
		m.offsets = m.pattern.FindStringSubmatchIndex(m.line)
	}
	if m.offsets == nil || h.unless != nil && h.unless(at, m) {
		return slip{}, false
	}
	return slip{m.offset("at") + shift, m.expand(h.message), m.expand(h.repair)}, true
}

// isNoPackageClause leaves out what is a package clause, and two words of which the first means none.
func isNoPackageClause(at stop, m groups) bool {
	word := m.expand("${word}")
	return at.line == m.expand("package ${name}") || word != "package" && diag.Nearest(word, []string{"package"}) == ""
}

// isInNote leaves out what stands in a note.
func isInNote(at stop, m groups) bool { return strings.Contains(at.line[:m.offset("at")], "//") }

// isFieldBehind leaves out two fields of one line without a comma between them.
func isFieldBehind(at stop, _ groups) bool {
	_, rest := at.wordBehind()
	return fieldBehind().MatchString(rest)
}
