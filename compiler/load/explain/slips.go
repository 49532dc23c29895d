package explain

import (
	"cmp"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Authors write rules and not CUE, and bring habits along: a range as 0..8, a note behind #, a semicolon. CUE's parser says
// of most of them that a comma is missing, which is true and no help. The line at which it stopped, together with what it
// says, tells the slip nearly always; what is not recognised here keeps CUE's words.

// A slip is what an author meant by a line that is no CUE.
type slip struct {
	col             int // in bytes of the line, negative before it
	message, repair string
}

// A stop is where CUE gives up.
type stop struct {
	message string // of CUE's
	before  string // the line before it
	line    string
	col     int      // in bytes of the line
	path    []string // of the field, as far as CUE knows it
}

// slipFinders look for one habit each in a line, in which CUE gives up at a column. The first that finds something counts,
// so those that need a certain message of CUE's stand before those that only read the line.
var slipFinders = []func(at stop) (slip, bool){
	stop.findPackageClause, stop.findMark, stop.findBound, stop.findVersion, stop.findWordRange, stop.findIndexedRange,
	stop.findDash, stop.findProse, stop.findBareKey, stop.findMissingColon, stop.findAssignment, stop.findTuple,
	stop.findDefaultBehind, stop.findAttributeBefore, stop.findUnjoinedBounds, stop.findBoundOfType, stop.findDots,
	stop.findHalfQuoted, stop.findHash, stop.findSemicolon, stop.findHyphenName,
	stop.findWordOperator, stop.findMissingComma, stop.findInnerQuotes, stop.findBareDice, stop.findMapType,
	stop.findAssignedDefault, stop.findPercent, stop.findUnit, stop.findBareFormula, stop.findOpenEnd,
	stop.findForeignList, stop.findBareAttribute,
}

// reportSlip reports an error of CUE's as the habit of other languages that led to it, and says whether there is one.
func (r *Reporter) reportSlip(e errors.Error) bool {
	pos := e.Position()
	if !pos.IsValid() {
		return false
	}
	text := r.FileNamed(pos.Filename()).Text
	if pos.Offset() > len(text) {
		return false
	}
	start := strings.LastIndexByte(text[:pos.Offset()], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	before := strings.TrimSuffix(text[:start], "\n")
	before = before[strings.LastIndexByte(before, '\n')+1:]
	at := stop{messageOf(e), before, line, min(pos.Offset()-start, len(line)), e.Path()}
	for _, find := range slipFinders {
		if s, ok := find(at); ok {
			code, _ := classifyError(e)
			at := site.AdvancePlace(plan.Place{File: r.PlaceOf(pos).File, Line: 1, Col: 1}, text[:start+s.col])
			r.addf(code, at, subjectOf(e.Path()), "%s", s.message).Repair = s.repair
			return true
		}
	}
	return false
}

var (
	unjoinedBounds = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`([<>]=?)\s*(-?[0-9.]+)\s*([<>]=?)\s*(-?[0-9.]+)`)
	})
	dottedRange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(-?[0-9]+)\s*\.\.\.?\s*(-?[0-9]+)`) })
	dashedRange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(-?[0-9]+)\s*-\s*([0-9]+)$`) })
	hyphenName  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[A-Za-z_][0-9A-Za-z_]*(?:-[0-9A-Za-z_]+)+$`)
	})
	halfQuoted  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([^"]*)"\s*([-+*/])\s*([^",}]+)`) })
	fieldBehind = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[!?]?\s*:`) })
	leadingWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][0-9A-Za-z_]*`) })
)

// matchAround is the match of a pattern in the line that has the column in it, or else the first behind the column: its
// text and those of its groups, and where it begins; nil when there is none.
func (at stop) matchAround(re *regexp.Regexp) (match []string, col int) {
	for _, m := range re.FindAllStringSubmatchIndex(at.line, -1) {
		if m[1] < at.col {
			continue
		}
		for i := 0; i < len(m); i += 2 {
			match = append(match, at.line[max(0, m[i]):max(0, m[i+1])]) // a group that is not there is empty
		}
		return match, m[0]
	}
	return nil, 0
}

var packageClause = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\pL+)\s+"?(\w+)"?:?\s*$`) })

// findPackageClause finds packge base, and package "base".
func (at stop) findPackageClause() (slip, bool) {
	m := packageClause().FindStringSubmatch(at.line)
	if m == nil || at.line == "package "+m[2] || m[1] != "package" && diag.Nearest(m[1], []string{"package"}) == "" {
		return slip{}, false
	}
	return slip{0, "this is no package clause", "write package " + m[2]}, true
}

var prose = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:/\*|--|;|\pL+(?: [\pL\d,]+)+[.:!]?\s*$)`)
})

// findProse finds a line of words, or the sign of another language before them.
func (at stop) findProse() (slip, bool) {
	if !strings.HasPrefix(at.message, "expected label") && !strings.HasPrefix(at.message, "missing ','") &&
		!strings.HasPrefix(at.message, "expected operand") || !prose().MatchString(at.line) {
		return slip{}, false
	}
	indent := len(at.line) - len(strings.TrimLeft(at.line, " \t"))
	return slip{indent, "these words are no field", "write // before a note"}, true
}

var markBehind = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\w+):\s*(\w+)([!?])`) })

// findMark finds luck: int? and might: int!, whose mark stands behind the name.
func (at stop) findMark() (slip, bool) {
	m := markBehind().FindStringSubmatchIndex(at.line)
	if m == nil || !strings.HasPrefix(at.message, "optional marker") && !strings.HasPrefix(at.message, "expected ':'") {
		return slip{}, false
	}
	name, kind, mark := at.line[m[2]:m[3]], at.line[m[4]:m[5]], at.line[m[6]:m[7]]
	return slip{m[6], "the mark of a field stands behind its name", fmt.Sprintf("write %s%s: %s", name, mark, kind)}, true
}

var (
	turnedBound  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`=([<>])\s*(-?[0-9.]+)`) })
	chainedBound = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(-?[0-9.]+)\s*<=\s*(\w+)\s*<=\s*(-?[0-9.]+)`)
	})
)

// findBound finds =>1, and 1 <= int <= 20.
func (at stop) findBound() (slip, bool) {
	if m, col := at.matchAround(turnedBound()); m != nil && strings.HasPrefix(at.message, "expected operand") {
		return slip{col, "there is no " + m[0][:2], fmt.Sprintf("write %s=%s", m[1], m[2])}, true
	}
	m := chainedBound().FindStringSubmatchIndex(at.line)
	if m == nil || !strings.Contains(at.message, "requires concrete value") {
		return slip{}, false
	}
	return slip{m[0], "a range is written as two bounds",
		fmt.Sprintf("write %s & >=%s & <=%s", at.line[m[4]:m[5]], at.line[m[2]:m[3]], at.line[m[6]:m[7]])}, true
}

var bareVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:\s*(v?\d+\.\d+\.\d+)\s*$`) })

// findVersion finds revision: 0.1.0.
func (at stop) findVersion() (slip, bool) {
	m := bareVersion().FindStringSubmatchIndex(at.line)
	if m == nil {
		return slip{}, false
	}
	return slip{m[2], "a revision is a text", fmt.Sprintf("write %q, in quotes", at.line[m[2]:m[3]])}, true
}

var wordRange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(-?[0-9]+)\s+to\s+(-?[0-9]+)`) })

var indexedRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:int|number|float)\s*[\[(]\s*(-?[0-9]+)\s*(?:,|\.+|-|to)\s*(-?[0-9]+)\s*[\])]`)
})

// findIndexedRange finds int[-3, 3] and int(1, 6).
func (at stop) findIndexedRange() (slip, bool) {
	m := indexedRange().FindStringSubmatchIndex(at.line)
	if m == nil {
		return slip{}, false
	}
	ends := []string{"", at.line[m[2]:m[3]], at.line[m[4]:m[5]]}
	return slip{m[0], "a range is written as two bounds", boundsOf(ends)}, true
}

var bareDash = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:\s*([-–—])\s*[,}]`) })

// findDash finds harm: -, as books print a cell without a value.
func (at stop) findDash() (slip, bool) {
	m := bareDash().FindStringSubmatchIndex(at.line)
	if m == nil {
		return slip{}, false
	}
	return slip{m[2], "a dash is no value", "write the number that means that there is none, as 0"}, true
}

// findWordRange finds 3 to 8.
func (at stop) findWordRange() (slip, bool) {
	m, col := at.matchAround(wordRange())
	switch {
	case m == nil || strings.Contains(at.line[:col], "//"):
		return slip{}, false
	case bandKey().MatchString(at.line[:col]):
		return slip{col, "a range is written as its two ends", fmt.Sprintf("write [%s, %s]", m[1], m[2])}, true
	}
	return slip{col, "a range is written as two bounds", boundsOf(m)}, true
}

var bareKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(\d[\w.]*(?: +[\w.]+)*|\pL\w*(?: +\w+)+)\s*:`)
})

// findBareKey finds 3m: and deep ditch:, which begin with a digit or have a blank in them.
func (at stop) findBareKey() (slip, bool) {
	m := bareKey().FindStringSubmatchIndex(at.line)
	if m == nil || !strings.HasPrefix(at.message, "expected label") && !strings.HasPrefix(at.message, "missing ','") {
		return slip{}, false
	}
	key := at.line[m[2]:m[3]]
	return slip{m[2], fmt.Sprintf("%s is no name: a name has letters, digits and _, and begins with no digit", key),
		fmt.Sprintf("write %q, in quotes", key)}, true
}

var missingColon = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(\w+[!?]?)(\s+)["{\[0-9]`) })

// findMissingColon finds doc "A leap." and rules {.
func (at stop) findMissingColon() (slip, bool) {
	m := missingColon().FindStringSubmatchIndex(at.line)
	if m == nil || !strings.HasPrefix(at.message, "expected label or ':'") {
		return slip{}, false
	}
	name := at.line[m[2]:m[3]]
	return slip{m[3], "a colon is missing behind " + name, "write " + name + ":"}, true
}

var assignment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(#?\w+)\s*=[^=]`) })

// findAssignment finds doc = "A leap.", which CUE takes for an alias and misses the field behind it, on the next line.
func (at stop) findAssignment() (slip, bool) {
	for _, line := range []string{at.line, at.before} {
		m := assignment().FindStringSubmatchIndex(line)
		if m == nil || !strings.HasPrefix(at.message, "expected label or ':'") {
			continue
		}
		name, col := line[m[2]:m[3]], m[3]
		if line != at.line {
			col -= len(at.before) + 1
		}
		return slip{col, "= gives no value here", "write " + name + ":"}, true
	}
	return slip{}, false
}

var defaultBehind = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\|\s*("?\w+"?)\*\s*$`) })

// findDefaultBehind finds int | 0*, behind which CUE looks for another factor.
func (at stop) findDefaultBehind() (slip, bool) {
	for _, line := range []string{at.line, at.before} {
		m := defaultBehind().FindStringSubmatchIndex(line)
		if m == nil {
			continue
		}
		col := m[2]
		if line != at.line {
			col -= len(at.before) + 1
		}
		return slip{col, "the star of a default stands before it", fmt.Sprintf("write *%s | ...", line[m[2]:m[3]])}, true
	}
	return slip{}, false
}

var attributeBefore = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\w+[!?]?):\s*(@\w+\([^)]*\))\s*(\w+)|^\s*(@\w+\([^)]*\))\s+(\w+[!?]?):\s*(\w+)`)
})

// findAttributeBefore finds over!: @key(gap) string and @key(gap) over!: string.
func (at stop) findAttributeBefore() (slip, bool) {
	m, _ := at.matchAround(attributeBefore())
	if m == nil {
		return slip{}, false
	}
	name, attribute, kind := m[1]+m[5], m[2]+m[4], m[3]+m[6]
	return slip{strings.Index(at.line, attribute), "an attribute stands behind the value",
		fmt.Sprintf("write %s: %s %s", name, kind, attribute)}, true
}

var tuple = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(([^()"]*,[^()"]*)\)`) })

// findTuple finds (3, 6) where a list is meant.
func (at stop) findTuple() (slip, bool) {
	m, col := at.matchAround(tuple())
	if !strings.HasPrefix(at.message, "expected ')', found ','") || m == nil {
		return slip{}, false
	}
	return slip{col, "a list stands in brackets", fmt.Sprintf("write [%s]", m[1])}, true
}

// findUnjoinedBounds finds >=0 <=12.
func (at stop) findUnjoinedBounds() (slip, bool) {
	m, col := at.matchAround(unjoinedBounds())
	if !strings.Contains(at.message, "requires concrete value") || m == nil {
		return slip{}, false
	}
	return slip{col, "two bounds stand side by side, and nothing joins them",
		fmt.Sprintf("write & between them: %s%s & %s%s", m[1], m[2], m[3], m[4])}, true
}

var boundOfType = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(int|number|float)\s*([<>]=?)\s*(-?[0-9.]+)`)
})

// findBoundOfType finds int >= 0.
func (at stop) findBoundOfType() (slip, bool) {
	m, col := at.matchAround(boundOfType())
	if !strings.Contains(at.message, "requires concrete value") || m == nil {
		return slip{}, false
	}
	return slip{col, "a type and its bound are joined by &", fmt.Sprintf("write %s & %s%s", m[1], m[2], m[3])}, true
}

// findDots finds 0..8.
func (at stop) findDots() (slip, bool) {
	m, col := at.matchAround(dottedRange())
	if !strings.Contains(at.message, "illegal token '..'") || m == nil {
		return slip{}, false
	}
	if bandKey().MatchString(at.line[:col]) {
		return slip{col, "a range is written as its two ends", fmt.Sprintf("write [%s, %s]", m[1], m[2])}, true
	}
	return slip{col, "a range is written as two bounds", boundsOf(m)}, true
}

// bandKey is the head of a field that holds keys of a table from one to another.
var bandKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:on|over):\s*$`) })

// boundsOf is the advice to write a range, the ends of which stand in a match, as bounds.
func boundsOf(match []string) string {
	return fmt.Sprintf("write int & >=%s & <=%s", match[1], match[2])
}

// findHalfQuoted finds "2d6" + 1, of which the whole was to stand in quotes, and "p. " + 12 where no formula stands.
func (at stop) findHalfQuoted() (slip, bool) {
	m, col := at.matchAround(halfQuoted())
	if !strings.HasPrefix(at.message, "invalid operands") || m == nil || strings.HasPrefix(at.line[col+len(m[0]):], `"`) {
		return slip{}, false
	}
	right := strings.TrimSpace(m[3])
	switch {
	case slices.ContainsFunc(at.path, isFormulaField):
		return slip{col, "the quotes end before the formula does", fmt.Sprintf("write %q", m[1]+" "+m[2]+" "+right)}, true
	case m[2] == "+":
		return slip{col, "a text is joined with texts alone", fmt.Sprintf(`write "%s\(%s)"`, m[1], right)}, true
	}
	return slip{}, false
}

// isFormulaField reports whether the values of a field, or below it, are formulas or dice.
func isFormulaField(name string) bool {
	return slices.Contains([]string{"output", "let", "dice", "require", "when", "expr", "next", "times"}, name)
}

// findHash finds # where a note begins: CUE's own # has a letter behind it, or a quote.
func (at stop) findHash() (slip, bool) {
	for i := range unquotedBytes(at.line, '#') {
		if i <= at.col && (i+1 == len(at.line) || unicode.IsSpace(rune(at.line[i+1]))) {
			return slip{i, "# begins no note", "write // before a note"}, true
		}
	}
	return slip{}, false
}

// findSemicolon finds a semicolon where CUE gives up, unless that is an escape in a string.
func (at stop) findSemicolon() (slip, bool) {
	if !strings.HasPrefix(at.line[at.col:], ";") || strings.Contains(at.message, "escape") {
		return slip{}, false
	}
	out := slip{at.col, "a field ends with its line, and not with ;", "leave it out"}
	if rest := strings.TrimSpace(at.line[at.col+1:]); rest != "" && !strings.HasPrefix(rest, "//") {
		out.message, out.repair = "fields of one line are parted by a comma, and not by ;", "write a comma"
	}
	return out, true
}

// findHyphenName finds a name with hyphens in it, behind which CUE meets the colon.
func (at stop) findHyphenName() (slip, bool) {
	name := hyphenName().FindString(at.line[:at.col])
	if name == "" || !strings.HasPrefix(at.line[at.col:], ":") {
		return slip{}, false
	}
	return slip{at.col - len(name), fmt.Sprintf("%s is no name: a name has letters, digits and _", name),
		fmt.Sprintf("write %s, which formulas can read, or %q in quotes", strings.ReplaceAll(name, "-", "_"), name)}, true
}

// findWordOperator finds "and" and "or" between constraints: neither the function or([...]) nor a word in inner quotes.
func (at stop) findWordOperator() (slip, bool) {
	word, rest := at.wordBehind()
	sign := map[string]string{"and": "&", "or": "|"}[strings.ToLower(word)]
	if sign == "" || strings.HasPrefix(strings.TrimSpace(rest), ":") || strings.HasPrefix(rest, "(") ||
		strings.HasPrefix(rest, `"`) {
		return slip{}, false
	}
	return slip{at.col, word + " joins nothing here", "write " + sign}, true
}

// wordBehind is the word that begins at the column, and the line behind it.
func (at stop) wordBehind() (word, rest string) {
	word = leadingWord().FindString(at.line[at.col:])
	return word, at.line[at.col+len(word):]
}

// followsString reports whether CUE misses a comma between a string and a word.
func (at stop) followsString() bool {
	return strings.HasPrefix(at.message, "missing ','") && leadingWord().MatchString(at.line[at.col:]) &&
		strings.HasSuffix(strings.TrimSpace(at.line[:at.col]), `"`)
}

// findMissingComma finds a field behind a string in the same line.
func (at stop) findMissingComma() (slip, bool) {
	word, rest := at.wordBehind()
	if !at.followsString() || !fieldBehind().MatchString(rest) {
		return slip{}, false
	}
	return slip{at.col, "a comma is missing between two fields of one line", "write a comma before " + word}, true
}

// findInnerQuotes finds a string in double quotes inside of another: CUE gives up at the word behind the second quote.
func (at stop) findInnerQuotes() (slip, bool) {
	if !at.followsString() || strings.Count(at.line, `"`) < 4 {
		return slip{}, false
	}
	word, _ := at.wordBehind()
	inner, _, _ := strings.Cut(at.line[at.col:], `"`)
	return slip{strings.LastIndexByte(at.line[:at.col], '"'), "the string ends at this quote, before " + word,
		fmt.Sprintf(`inside of a string in quotes, a formula writes '%s', and another text \"%s\"`, inner, inner)}, true
}

var bareDice = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:\s*([0-9]+d[0-9]+\w*)`) })

// findBareDice finds roll: 2d6, which CUE reads as a number and a name behind it.
func (at stop) findBareDice() (slip, bool) {
	m, col := at.matchAround(bareDice())
	if m == nil || !at.missesComma() {
		return slip{}, false
	}
	return slip{col + strings.Index(m[0], m[1]), "dice stand in quotes", fmt.Sprintf("write %q", m[1])}, true
}

// missesComma reports whether CUE misses a comma between two fields.
func (at stop) missesComma() bool { return strings.HasPrefix(at.message, "missing ','") }

var mapType = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\w+[!?]?):\s*(?:map|dict)?\s*\[\s*\w+\s*\]\s*(\w+)`)
})

// findMapType finds pack: map[string]int, and pack: [string] int.
func (at stop) findMapType() (slip, bool) {
	m, col := at.matchAround(mapType())
	if m == nil || !at.missesComma() {
		return slip{}, false
	}
	return slip{col, "a map says what its values are behind a colon", fmt.Sprintf("write %s: [string]: %s", m[1], m[2])}, true
}

var assignedDefault = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`:\s*((?:int|number|bool|string|"[^"]*")[^{}:]*?)\s=\s*("[^"]*"|[\w.-]+)`)
})

// findAssignedDefault finds crew: int & <=30 = 10.
func (at stop) findAssignedDefault() (slip, bool) {
	m, _ := at.matchAround(assignedDefault())
	if m == nil || !at.missesComma() {
		return slip{}, false
	}
	return slip{at.col, "a default stands before the type, with a star", fmt.Sprintf("write *%s | %s", m[2], m[1])}, true
}

var unit = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:\s*(-?[0-9.]+)\s+(\pL+|%)\s*[,}]?\s*\w*`) })

// findUnit finds weight: 6 kg.
func (at stop) findUnit() (slip, bool) {
	m, col := at.matchAround(unit())
	if _, rest := at.wordBehind(); m == nil || !at.missesComma() || fieldBehind().MatchString(rest) {
		return slip{}, false
	}
	return slip{col + strings.Index(m[0], m[1]), "a number stands without its unit",
		fmt.Sprintf("write %s, and %s in the doc", m[1], m[2])}, true
}

var percent = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(-?[0-9]+(?:\.[0-9]+)?)\s*%`) })

// findPercent finds chance: 50%.
func (at stop) findPercent() (slip, bool) {
	m, col := at.matchAround(percent())
	if m == nil || !strings.HasPrefix(at.message, "illegal character") && !at.missesComma() {
		return slip{}, false
	}
	return slip{col + strings.Index(m[0], "%"), "there is no percent sign: a chance in percent is a number of 100",
		"write " + m[1]}, true
}

// findBareFormula finds touch: gap > 0 where a formula stands, of names that CUE knows as the fields beside it.
func (at stop) findBareFormula() (slip, bool) {
	if !strings.HasPrefix(at.message, "invalid operands") || len(at.path) == 0 ||
		!slices.ContainsFunc(at.path, isFormulaField) {
		return slip{}, false
	}
	name := at.path[len(at.path)-1]
	m := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `"?:\s*([^"{}\[\],/]+)`).FindStringSubmatchIndex(at.line)
	if m == nil {
		return slip{}, false
	}
	return slip{m[2], "a formula stands in quotes", fmt.Sprintf("write %q", strings.TrimSpace(at.line[m[2]:m[3]]))}, true
}

var openEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:\s*\[?(-?[0-9]+)\+\s*(?:[,}\]]|$)`) })

// findOpenEnd finds on: 13+, as books print a row that has no end.
func (at stop) findOpenEnd() (slip, bool) {
	m, col := at.matchAround(openEnd())
	if m == nil || !strings.HasPrefix(at.message, "expected operand") {
		return slip{}, false
	}
	return slip{col + strings.Index(m[0], m[1]), "a range has two ends",
		fmt.Sprintf("write on: [%s, ...] with the last number that there is; rows that each begin where one ends are "+
			"steps: [{from: %[1]s, ...}]", m[1])}, true
}

var foreignList = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`:\s*((\w+)\[\]|\[\](\w+)|(?i:array|list|set|vector)<(\w+)>)`)
})

// findForeignList finds pack: string[], []string and array<string>, a list as other languages write it.
func (at stop) findForeignList() (slip, bool) {
	for _, line := range []string{at.line, at.before} { // behind array<string> CUE goes on to the next line
		m := foreignList().FindStringSubmatchIndex(line)
		if m == nil || !strings.HasPrefix(at.message, "expected ") && !strings.HasPrefix(at.message, "missing ','") {
			continue
		}
		elem := foreignList().ReplaceAllString(line[m[0]:m[1]], "$2$3$4")
		s := slip{m[2], "a list says what its elements are in brackets, and how many they may be", adviseList(elem)}
		if line == at.before {
			s.col -= len(at.before) + 1
		}
		return s, true
	}
	return slip{}, false
}

// adviseList returns how a list is written of elements that other languages may call otherwise.
func adviseList(elem string) string {
	return fmt.Sprintf("write [...%s] & list.MaxItems(8)", cmp.Or(foreignConstants[elem], elem))
}

var bareAttribute = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(@\w+)\s*$`) })

// findBareAttribute finds skill!: string @key, without the table.
func (at stop) findBareAttribute() (slip, bool) {
	for _, line := range []string{at.line, at.before} { // CUE may give up at the next line
		m := bareAttribute().FindStringSubmatchIndex(line)
		if m == nil || !strings.HasPrefix(at.message, "invalid attribute") {
			continue
		}
		s := slip{m[2], "an attribute has parentheses", "write " + line[m[2]:m[3]] + "(...)"}
		if line[m[2]:m[3]] == "@key" {
			s.repair = "name the table: @key(weapon)"
		}
		if line == at.before {
			s.col -= len(at.before) + 1
		}
		return s, true
	}
	return slip{}, false
}

// unquotedBytes are the offsets at which a character stands in a line outside of strings.
func unquotedBytes(line string, c byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		quoted := false
		for i := 0; i < len(line); i++ {
			switch {
			case quoted && line[i] == '\\':
				i++
			case line[i] == '"':
				quoted = !quoted
			case !quoted && line[i] == c:
				if !yield(i) {
					return
				}
			}
		}
	}
}

// reportStray reports a number or a string that stands behind a comma and belongs to no field, as in "skill: int, 0-8", and
// returns whether there is one: CUE takes it for the value of the whole struct, and prints that.
func (r *Reporter) reportStray(e errors.Error) bool {
	if !strings.Contains(messageOf(e), "mismatched types") && !strings.HasPrefix(messageOf(e), "cannot combine regular field") {
		return false
	}
	stray := r.findStray(append([]token.Pos{e.Position()}, e.InputPositions()...))
	if stray == nil {
		return false
	}
	text := r.FileNamed(stray.Pos().Filename()).Text[stray.Pos().Offset():stray.End().Offset()]
	d := r.addf("cue-conflict", r.PlaceOf(stray.Pos()), subjectOf(e.Path()),
		"%s stands behind a comma, and is said of no field", text)
	d.Repair = "a type and what bounds it are joined by &: int & >=0"
	if lit, ok := stray.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		d.Repair = "one of several words is written \"poor\" | \"fair\" | \"good\""
	}
	source := r.FileNamed(stray.Pos().Filename()).Text
	if m := openFraction().FindStringSubmatch(source[:stray.Pos().Offset()]); m != nil &&
		strings.Trim(text, "0123456789") == "" {
		d.Repair = fmt.Sprintf("a fraction has a point, and no comma: %s.%s", m[1], text)
		if len(text) == 3 && !strings.HasPrefix(strings.TrimPrefix(m[1], "-"), "0") {
			d.Repair = fmt.Sprintf("a number is written without separators: %s%s", m[1], text)
		}
	}
	if m := openBand().FindStringSubmatch(source[:stray.Pos().Offset()]); m != nil {
		d.Repair, d.Breaks = fmt.Sprintf("a range is written as its two ends: %s: [%s, %s]", m[1], m[2], text), e.Path()
	}
	if m := dashedRange().FindStringSubmatch(text); m != nil {
		d.Repair = boundsOf(m)
	}
	return true
}

// openFraction is what stands before the comma of a fraction as books print it.
var openFraction = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:\s*(-?[0-9]+),$`) })

// openBand is the first end of a range whose second stands behind a comma.
var openBand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(on|over):\s*(-?[0-9.]+)\s*,\s*$`) })

// findStray finds a declaration that is only a value and stands at one of some places; nil when there is none.
func (r *Reporter) findStray(places []token.Pos) ast.Expr {
	for _, p := range places {
		for _, x := range r.markedSyntax().strays {
			if stretchesOver(x, p) {
				return x
			}
		}
	}
	return nil
}

// isInComprehension reports whether a place is inside of a comprehension.
func (r *Reporter) isInComprehension(p token.Pos) bool {
	return slices.ContainsFunc(r.markedSyntax().comprehensions, func(x *ast.Comprehension) bool {
		return stretchesOver(x, p)
	})
}

// stretchesOver reports whether a place is inside of a part of a file.
func stretchesOver(x ast.Node, p token.Pos) bool {
	return p.IsValid() && p.Filename() == x.Pos().Filename() && x.Pos().Offset() <= p.Offset() &&
		p.Offset() < x.End().Offset()
}

// foreignConstants are names of other languages for what CUE writes in lower case.
var foreignConstants = map[string]string{
	"True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "yes": "true", "no": "false", "None": "null",
	"Int": "int", "integer": "int", "Integer": "int", "String": "string", "str": "string", "text": "string", "Bool": "bool",
	"boolean": "bool", "Boolean": "bool", "double": "number", "Number": "number",
}

// bareDie is a die that stands without quotes, and so reads as a name.
var bareDie = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^d[0-9]+$`) })

// schemaDefinitions are those that a file embeds by the name of the package in front.
var schemaDefinitions = map[string]bool{"#Ruleset": true, "#Homebrew": true, "#Release": true, "#ID": true}

// textField is the head of a field whose value is a text.
var textField = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(gives|cite|doc|title|rule|default|id|ruleset|revision|book|name)\??:\s*$`)
})

// bracketedType is the type behind list in list[int].
var bracketedType = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[(\w+)\]`) })

// adviseReference returns the text to write for a name that CUE does not know, at a place of the file: the nearest of the
// known ones, or our form of the constant, the type or the note of another language.
func (r *Reporter) adviseReference(id *ast.Ident, known []string) string {
	switch id.Name {
	case "option":
		return `only formulas know options: output: harm: option: tie: {made: "1", missed: "2"}`
	case "character":
		return "another character is of the type #Character; only formulas know character, in quotes: " +
			"\"character.x > 3 ? 1 : 2\""
	case "input", "state", "event":
		return "only formulas know " + id.Name + `, in quotes: "` + id.Name + `.x > 3 ? 1 : 2"`
	}
	if schemaDefinitions[id.Name] {
		return "write schema." + id.Name
	}
	near := diag.DidYouMean(id.Name, known)
	text := r.FileNamed(id.Pos().Filename()).Text
	if m := textField().FindStringSubmatch(text[:id.Pos().Offset()]); m != nil {
		return fmt.Sprintf("a text stands in quotes: %s: %q", m[1], id.Name)
	}
	switch start := strings.LastIndexByte(text[:id.Pos().Offset()], '\n') + 1; {
	case id.Name == "list" && bracketedType().MatchString(text[id.End().Offset():]):
		return adviseList(bracketedType().FindStringSubmatch(text[id.End().Offset():])[1])
	case site.IsStandardPackage(id.Name):
		return fmt.Sprintf("write import %q", id.Name)
	case r.rulesetPath(id.Name) != "":
		return fmt.Sprintf("write import %q", r.rulesetPath(id.Name))
	case foreignConstants[id.Name] != "":
		return "write " + foreignConstants[id.Name]
	case near == "" && strings.HasPrefix(id.Name, "#") && strings.TrimSpace(text[start:id.Pos().Offset()]) == "":
		return "a note begins with //, and not with #"
	case (id.Name == "enum" || id.Name == "oneof" || id.Name == "one_of" || id.Name == "choice") &&
		strings.HasPrefix(text[id.End().Offset():], "("):
		return `one of some words is written "poor" | "fair" | "good"`
	case (id.Name == "min" || id.Name == "max") && strings.HasPrefix(text[id.End().Offset():], "("):
		return "bounds are joined by &: int & >=0 & <=5"
	case id.Name == "schema":
		return `write import "github.com/tabletop-rules/rules/schema"`
	case bareDie().MatchString(id.Name):
		return fmt.Sprintf("dice stand in quotes: %q", id.Name)
	case near == "" && 'a' <= id.Name[0] && id.Name[0] <= 'z' && !strings.HasPrefix(text[id.End().Offset():], "("):
		return fmt.Sprintf("a word stands in quotes, %q; a key of a table is string @key(%s)", id.Name, id.Name)
	}
	return near
}

// rulesetPath returns the import path of a ruleset of the module; "" when there is none of that name.
func (r *Reporter) rulesetPath(name string) string {
	dir := path.Join("tables", name)
	if info, err := fs.Stat(r.FS, dir); err != nil || !info.IsDir() || len(r.Packages) == 0 {
		return ""
	}
	module, _, _ := strings.Cut(r.Packages[0].Module, "@")
	return path.Join(module, dir)
}
