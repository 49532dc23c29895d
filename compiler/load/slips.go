package load

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Authors write rules and not CUE, and bring habits along: a range as 0..8, a note behind #, a semicolon. CUE's parser says
// of most of them that a comma is missing, which is true and no help. The line at which it stopped, together with what it
// says, tells the slip nearly always; what is not recognised here keeps CUE's words.

// A slip is what an author meant by a line that is no CUE.
type slip struct {
	col             int // in bytes of the line
	message, repair string
}

// slipFinders look for one habit each in a line, in which CUE gives up at a column. The first that finds something counts,
// so those that need a certain message of CUE's stand before those that only read the line.
var slipFinders = []func(message, line string, col int) (slip, bool){
	findUnjoinedBounds, findDots, findHalfQuoted, findHash, findSemicolon, findHyphenName, findWordOperator,
	findInnerQuotes,
}

// reportSlip reports an error of CUE's as the habit of other languages that led to it, and says whether there is one.
func (r *reader) reportSlip(e errors.Error) bool {
	pos := e.Position()
	if !pos.IsValid() {
		return false
	}
	text := r.fileNamed(pos.Filename()).text
	if pos.Offset() > len(text) {
		return false
	}
	start := strings.LastIndexByte(text[:pos.Offset()], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	for _, find := range slipFinders {
		if s, ok := find(messageOf(e), line, min(pos.Offset()-start, len(line))); ok {
			code, _ := classifyError(e)
			at := advancePlace(plan.Place{File: r.placeOf(pos).File, Line: 1, Col: 1}, text[:start+s.col])
			r.addf(code, at, subjectOf(e.Path()), "%s", s.message).Repair = s.repair
			return true
		}
	}
	return false
}

var (
	unjoinedBounds = regexp.MustCompile(`([<>]=?)\s*(-?[0-9.]+)\s*([<>]=?)\s*(-?[0-9.]+)`)
	dottedRange    = regexp.MustCompile(`(-?[0-9]+)\s*\.\.\.?\s*(-?[0-9]+)`)
	dashedRange    = regexp.MustCompile(`^(-?[0-9]+)\s*-\s*([0-9]+)$`)
	hyphenName     = regexp.MustCompile(`[A-Za-z_][0-9A-Za-z_]*(?:-[0-9A-Za-z_]+)+$`)
	halfQuoted     = regexp.MustCompile(`"([^"]*)"\s*([-+*/])\s*([^",}]+)`)
	leadingWord    = regexp.MustCompile(`^[A-Za-z_][0-9A-Za-z_]*`)
)

// findUnjoinedBounds finds >=0 <=12.
func findUnjoinedBounds(message, line string, _ int) (slip, bool) {
	at := unjoinedBounds.FindStringSubmatchIndex(line)
	if !strings.Contains(message, "requires concrete value") || at == nil {
		return slip{}, false
	}
	m := unjoinedBounds.FindStringSubmatch(line)
	return slip{at[0], "two bounds stand side by side, and nothing joins them",
		fmt.Sprintf("write & between them: %s%s & %s%s", m[1], m[2], m[3], m[4])}, true
}

// findDots finds 0..8.
func findDots(message, line string, _ int) (slip, bool) {
	at := dottedRange.FindStringSubmatchIndex(line)
	if !strings.Contains(message, "illegal token '..'") || at == nil {
		return slip{}, false
	}
	return slip{at[0], "a range is written as two bounds", boundsOf(dottedRange.FindStringSubmatch(line))}, true
}

// boundsOf is the advice to write a range, the ends of which stand in a match, as bounds.
func boundsOf(match []string) string {
	return fmt.Sprintf("write int & >=%s & <=%s", match[1], match[2])
}

// findHalfQuoted finds "2d6" + 1, of which the whole was to stand in quotes.
func findHalfQuoted(message, line string, _ int) (slip, bool) {
	at := halfQuoted.FindStringSubmatchIndex(line)
	if !strings.HasPrefix(message, "invalid operands") || at == nil {
		return slip{}, false
	}
	m := halfQuoted.FindStringSubmatch(line)
	return slip{at[0], "the quotes end before the formula does",
		fmt.Sprintf("write %q", m[1]+" "+m[2]+" "+strings.TrimSpace(m[3]))}, true
}

// findHash finds # where a note begins. In CUE a letter follows it, or a quote.
func findHash(_, line string, col int) (slip, bool) {
	at := indexUnquoted(line, '#')
	if at < 0 || at > col || at+1 < len(line) && !unicode.IsSpace(rune(line[at+1])) {
		return slip{}, false
	}
	return slip{at, "# begins no note", "write // before a note"}, true
}

// findSemicolon finds a semicolon where CUE gives up.
func findSemicolon(_, line string, col int) (slip, bool) {
	if col >= len(line) || line[col] != ';' {
		return slip{}, false
	}
	out := slip{col, "a field ends with its line, and not with ;", "leave it out"}
	if rest := strings.TrimSpace(line[col+1:]); rest != "" && !strings.HasPrefix(rest, "//") {
		out.message, out.repair = "fields of one line are parted by a comma, and not by ;", "write a comma"
	}
	return out, true
}

// findHyphenName finds a name with hyphens in it, behind which CUE meets the colon.
func findHyphenName(_, line string, col int) (slip, bool) {
	name := hyphenName.FindString(line[:col])
	if name == "" || col >= len(line) || line[col] != ':' {
		return slip{}, false
	}
	return slip{col - len(name), fmt.Sprintf("%s is no name: a name has letters, digits and _", name),
		fmt.Sprintf("write %s, which formulas can read, or %q in quotes", strings.ReplaceAll(name, "-", "_"), name)}, true
}

// findWordOperator finds "and" and "or" between constraints.
func findWordOperator(_, line string, col int) (slip, bool) {
	word := leadingWord.FindString(line[col:])
	sign := map[string]string{"and": "&", "or": "|"}[strings.ToLower(word)]
	if sign == "" || strings.HasPrefix(strings.TrimSpace(line[col+len(word):]), ":") {
		return slip{}, false
	}
	return slip{col, word + " joins nothing here", "write " + sign}, true
}

// findInnerQuotes finds a string in double quotes inside of another: CUE gives up at the word behind the second quote.
func findInnerQuotes(message, line string, col int) (slip, bool) {
	word := leadingWord.FindString(line[col:])
	if !strings.HasPrefix(message, "missing ','") || word == "" || !strings.HasSuffix(strings.TrimSpace(line[:col]), `"`) ||
		strings.Count(line, `"`) < 4 {
		return slip{}, false
	}
	inner, _, _ := strings.Cut(line[col:], `"`)
	return slip{strings.LastIndexByte(line[:col], '"'), "the string ends at this quote, before " + word,
		fmt.Sprintf(`inside of a string in quotes, a formula writes '%s', and another text \"%s\"`, inner, inner)}, true
}

// indexUnquoted is where a character stands in a line outside of strings, -1 when nowhere.
func indexUnquoted(line string, c byte) int {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case quoted && line[i] == '\\':
			i++
		case line[i] == '"':
			quoted = !quoted
		case !quoted && line[i] == c:
			return i
		}
	}
	return -1
}

// reportStray reports a number or a string that stands behind a comma and belongs to no field, as in "skill: int, 0-8": CUE
// takes it for what the whole struct is, and prints that.
func (r *reader) reportStray(e errors.Error) bool {
	if !strings.Contains(messageOf(e), "mismatched types") {
		return false
	}
	stray := r.findStray(append([]token.Pos{e.Position()}, e.InputPositions()...))
	if stray == nil {
		return false
	}
	text := r.fileNamed(stray.Pos().Filename()).text[stray.Pos().Offset():stray.End().Offset()]
	d := r.addf("cue-conflict", r.placeOf(stray.Pos()), subjectOf(e.Path()),
		"%s stands behind a comma, and is said of no field", text)
	d.Repair = "a type and what bounds it are joined by &: int & >=0"
	if m := dashedRange.FindStringSubmatch(text); m != nil {
		d.Repair = boundsOf(m)
	}
	return true
}

// findStray finds among some places a declaration that is only a value; nil when there is none.
func (r *reader) findStray(places []token.Pos) (found ast.Expr) {
	for _, inst := range r.insts {
		for _, f := range inst.Files {
			ast.Walk(f, func(n ast.Node) bool {
				x, ok := n.(*ast.EmbedDecl)
				if !ok || found != nil || !isScalar(x.Expr) {
					return found == nil
				}
				for _, p := range places {
					if p.IsValid() && p.Filename() == x.Pos().Filename() && x.Pos().Offset() <= p.Offset() &&
						p.Offset() < x.End().Offset() {
						found = x.Expr
					}
				}
				return true
			}, nil)
		}
	}
	return found
}

// isScalar reports whether an expression is a number, a string or a truth, or computed from numbers alone.
func isScalar(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		return isScalar(x.X)
	case *ast.BinaryExpr:
		return isScalar(x.X) && isScalar(x.Y)
	}
	return false
}

// foreignConstants are names of other languages for what CUE writes in lower case.
var foreignConstants = map[string]string{
	"True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "yes": "true", "no": "false", "None": "null",
	"Int": "int", "integer": "int", "Integer": "int", "String": "string", "str": "string", "text": "string", "Bool": "bool",
	"boolean": "bool", "Boolean": "bool", "double": "number", "Number": "number",
}

// adviseReference is what to write for a name that CUE does not know, at a place of the file: the nearest of those that it
// knows, or what stands here for the constant, the type or the note of another language.
func (r *reader) adviseReference(id *ast.Ident, known []string) string {
	near := diag.DidYouMean(id.Name, known)
	text := r.fileNamed(id.Pos().Filename()).text
	switch start := strings.LastIndexByte(text[:id.Pos().Offset()], '\n') + 1; {
	case standardPackage(id.Name):
		return fmt.Sprintf("write import %q", id.Name)
	case foreignConstants[id.Name] != "":
		return "write " + foreignConstants[id.Name]
	case near == "" && strings.HasPrefix(id.Name, "#") && strings.TrimSpace(text[start:id.Pos().Offset()]) == "":
		return "a note begins with //, and not with #"
	}
	return near
}
