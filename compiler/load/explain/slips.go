package explain

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"cuelang.org/go/cue/errors"

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
	for i := range habits {
		if s, ok := habits[i].find(at); ok {
			code, _ := classifyError(e)
			at := site.AdvancePlace(plan.Place{File: r.PlaceOf(pos).File, Line: 1, Col: 1}, text[:start+s.col])
			if habits[i].breaks && r.diags.HasMessage(at.File, s.message) {
				return true // the next line of the same list
			}
			d := r.addf(code, at, subjectOf(e.Path()), "%s", s.message)
			d.Repair = s.repair
			if path := e.Path(); habits[i].breaks && len(path) > 0 {
				d.Breaks = path[len(path)-1:]
			}
			return true
		}
	}
	return false
}

// matchAround returns where the match of a pattern in the line, and its groups, begin and end: of the match that has the
// column in it, or else of the first behind the column; nil when there is none.
func (at stop) matchAround(re *regexp.Regexp) []int {
	for _, m := range re.FindAllStringSubmatchIndex(at.line, -1) {
		if m[1] >= at.col {
			return m
		}
	}
	return nil
}

var (
	hyphenName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[A-Za-z_][0-9A-Za-z_]*(?:-[0-9A-Za-z_]+)+$`)
	})
	halfQuoted  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([^"]*)"\s*([-+*/])\s*([^",}]+)`) })
	fieldBehind = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[!?]?\s*:`) })
	leadingWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][0-9A-Za-z_]*`) })
)

// findHalfQuoted finds "2d6" + 1, of which the whole was to stand in quotes, and "p. " + 12 where no formula stands.
func (at stop) findHalfQuoted() (slip, bool) {
	m := at.matchAround(halfQuoted())
	if !strings.HasPrefix(at.message, "invalid operands") || m == nil || strings.HasPrefix(at.line[m[1]:], `"`) {
		return slip{}, false
	}
	left, sign, right := at.line[m[2]:m[3]], at.line[m[4]:m[5]], strings.TrimSpace(at.line[m[6]:m[7]])
	switch {
	case at.isOfFormulas():
		return slip{m[0], "the quotes end before the formula does", fmt.Sprintf("write %q", left+" "+sign+" "+right)}, true
	case sign == "+":
		return slip{m[0], "a text is joined with texts alone", fmt.Sprintf(`write "%s\(%s)"`, left, right)}, true
	}
	return slip{}, false
}

// isOfFormulas reports whether a formula, or dice, stand where CUE gives up.
func (at stop) isOfFormulas() bool {
	return slices.ContainsFunc(at.path,
		func(name string) bool { return name == "dice" || slices.Contains(formulaFields, name) })
}

// findHash finds # where a comment begins: CUE's own # has a letter behind it, or a quote.
func (at stop) findHash() (slip, bool) {
	for i := range unquotedBytes(at.line, '#') {
		if i <= at.col && (i+1 == len(at.line) || unicode.IsSpace(rune(at.line[i+1]))) {
			return slip{i, "# begins no comment", "write // before a comment"}, true
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

// joinedDefault is a default and the type that & joins it with.
var joinedDefault = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\*("[^"]*"|true|false|-?[0-9][0-9.]*)\s*&\s*(\([^()]*\)|[^,{}@/]*[^,{}@/\s])`)
})

// findJoinedDefault finds a default that & joins with its type, or with the choices of which it is one.
func (at stop) findJoinedDefault() (slip, bool) {
	if !strings.Contains(at.message, noPreference[0]) {
		return slip{}, false
	}
	m := at.matchAround(joinedDefault())
	if m == nil {
		return slip{}, false
	}
	value, rest := at.line[m[2]:m[3]], strings.Trim(at.line[m[4]:m[5]], "()")
	choices := strings.Split(rest, "|")
	for i, c := range choices {
		choices[i] = strings.Trim(c, " *\t")
	}
	out := slip{m[0], "a default is joined with its type by |, and not by &", fmt.Sprintf("write *%s | %s", value, rest)}
	isWord := func(c string) bool { return strings.HasPrefix(c, `"`) }
	i := slices.Index(choices, value)
	switch {
	case i >= 0:
		choices[i] = "*" + value
		out.repair = "write " + strings.Join(choices, " | ")
	case len(choices) > 1 && !slices.ContainsFunc(choices, func(c string) bool { return !isWord(c) }):
		all := strings.Join(choices, " | ")
		out.message = fmt.Sprintf("the default %s is none of %s", value, strings.Join(choices, ", "))
		out.repair = fmt.Sprintf("write *%s, or add it: *%s | %s", all, value, all)
	}
	return out, true
}

// findHyphenName finds a name with hyphens in it, behind which CUE meets the colon.
func (at stop) findHyphenName() (slip, bool) {
	name := hyphenName().FindString(at.line[:at.col])
	if name == "" || !strings.HasPrefix(at.line[at.col:], ":") {
		return slip{}, false
	}
	repair := fmt.Sprintf("write %s, which formulas can read, or %q in quotes", strings.ReplaceAll(name, "-", "_"), name)
	if isDefinition().MatchString(at.line[:at.col]) { // which formulas call by its name
		repair = "write " + strings.ReplaceAll(name, "-", "_")
	}
	return slip{at.col - len(name), fmt.Sprintf("%s is no name: a name has letters, digits and _", name), repair}, true
}

// isDefinition is the beginning of a line that names a definition, or a part of one: traits: sail-skill.
var isDefinition = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:rules|tables|traits|functions|procedures|options|let|output|dice|use|events|next)\s*:\s*[\w-]+$`)
})

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

// findBareFormula finds touch: gap > 0 where a formula stands, of names that CUE knows as the fields beside it.
func (at stop) findBareFormula() (slip, bool) {
	if !strings.HasPrefix(at.message, "invalid operands") || !at.isOfFormulas() {
		return slip{}, false
	}
	name := at.path[len(at.path)-1]
	m := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `"?:\s*([^"{}\[\],/]+)`).FindStringSubmatchIndex(at.line)
	if m == nil {
		return slip{}, false
	}
	return slip{m[2], "a formula stands in quotes", fmt.Sprintf("write %q", strings.TrimSpace(at.line[m[2]:m[3]]))}, true
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
