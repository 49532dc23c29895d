package explain

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/compiler/load/site"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// ReportErrors reports CUE's errors: of syntax, imports, conflicts. Of the alternatives that a value fits none of, the
// first stands for all.
//
// CUE gives one error per alternative and one that counts them ("3 errors in empty disjunction"). All share a path. The
// count is dropped, and so is every further error at a path; errors without a path are of the syntax and all kept.
func (r *Reporter) ReportErrors(err error) {
	told := map[string]bool{}
	all := r.withoutSequels(errorsOfFiles(err))
	for _, e := range all {
		at := strings.Join(e.Path(), ".")
		if alternatives().MatchString(messageOf(e)) || at != "" && told[at] {
			continue
		}
		told[at] = true
		r.broken = typedField(e.Path())
		r.reportError(e)
	}
	r.broken = nil
}

// typedField returns the name of the field of a character, an input, a state or an event whose type stands at a path; nil
// of any other path.
func typedField(path []string) []string {
	for i, name := range path {
		if slices.Contains([]string{"#Character", "#Input", "#State", "#Event"}, name) && i+1 < len(path) {
			return path[i+1 : i+2]
		}
	}
	return nil
}

// reportError reports one error of CUE's. Special cases come first, because they replace the message: an import that failed
// is reported where its package is broken, files of several packages at the fewer files, an unclosed bracket where it was
// opened, a habit of another language by its name, and a value out of bounds at the value. The rest keeps CUE's words with
// a code (classifyError), the first place as its own and the others as related. Errors that CUE gives no place are looked
// up by their path.
func (r *Reporter) reportError(e errors.Error) {
	if cause := causeOfImport(e); cause != nil {
		r.importError(e, cause)
		return
	}
	if r.packagesError(e) || r.assignmentError(e) || r.bracketError(e) || r.reportSlip(e) || r.reportStray(e) ||
		r.reportMisfit(e) {
		return
	}
	code, text := classifyError(e)
	text = longStruct().ReplaceAllString(text, "a struct")
	places := r.placesOf(e)
	at := places[0]
	if at.Line == 0 {
		at = r.PlaceOfPath(e.Path(), at)
	}
	if (code == "cue-conflict" || code == "unknown-field") && slices.ContainsFunc(places, r.Contradictions.IsAt) {
		return
	}
	d := r.addf(code, at, subjectOf(e.Path()), "%s", text)
	if code == "not-concrete" {
		d.Repair = "give it a value"
		if slices.ContainsFunc(append([]token.Pos{e.Position()}, e.InputPositions()...), r.isInComprehension) {
			d.Repair += ": what is computed here says which fields there are"
		}
	}
	for _, p := range places[1:] {
		d.Related = append(d.Related, diag.Related{Place: p, Message: "see also"})
	}
	r.explainConflict(d, e.Path())
	if IsStructuralCycle(text) {
		d.Message, d.Repair = "it contains itself",
			"a value in CUE is finite; what goes on and on at the table is a procedure"
		if path := e.Path(); len(path) > 1 && path[len(path)-1] == "rule" {
			d.Repair = fmt.Sprintf("the name of a rule stands in quotes: rule: %q", path[len(path)-2])
		}
	}
	if strings.HasPrefix(text, "unreferenced alias or let clause") {
		d.Repair = "a default is written with a star: *3 | int"
	}
	if parts := unusedImport().FindStringSubmatch(text); parts != nil {
		d.Repair = "leave it out"
		if name := path.Base(parts[1]); r.hasLabel(e.Position(), name) {
			d.Repair = fmt.Sprintf("the field %s: takes the name %[1]s for itself: write it in quotes, %[1]q:", name)
		} else if strings.Contains(r.FileNamed(e.Position().Filename()).Text, "rules: \""+name+"\"") {
			d.Repair = fmt.Sprintf("a ruleset stands without quotes: rules: %s", name)
		} else if f := r.FileNamed(e.Position().Filename()); parts[1] == "list" && openList().MatchString(f.Text) {
			m := openList().FindStringSubmatchIndex(f.Text)
			d.Message, d.Repair = "the list has no end", adviseList(strings.Trim(f.Text[m[2]:m[3]], "[.]"))
			d.Related = append(d.Related, diag.Related{Place: d.Place, Message: "list is imported and bounds nothing"})
			d.Place = site.AdvancePlace(plan.Place{File: f.Name, Line: 1, Col: 1}, f.Text[:m[2]])
		}
	}
	if text == commaBeforeNewline {
		d.Message = "a comma is missing between two elements of a list"
		d.Repair = "write a comma at the end of the line before"
	}
	if d.Repair == "" && (text == missingInList || text == missingInStruct) {
		d.Repair = "write a comma before it"
		if strings.HasPrefix(r.restOfLine(e.Position()), ":") && text == missingInList {
			d.Message = "a name stands in a list"
			d.Repair = "a row has braces around it, {...}; or else close the list before it with ]"
		}
	}
	if d.Repair == "" && text == "expected operand, found '='" {
		d.Repair = "a value stands behind the colon alone: leave = out"
	}
	if text == "illegal integer number" {
		d.Repair = "a number begins with no 0, but for 0 itself and 0.5"
	}
	if strings.HasPrefix(text, closesNothing) {
		d.Message, d.Repair = "this } closes nothing", "leave it out, or write the { that it closes"
	}
	if unclosedString().MatchString(text) {
		d.Repair = `write " where the string ends, or """ before and behind a string of several lines`
	}
}

// longStruct is a struct that CUE prints whole in a message: more than a reader can find anything in.
var longStruct = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[^{}]{40,}\}`) })

// atEnd is an error that CUE notices at the end of a file.
var atEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`found 'EOF'`) })

// errorsOfFiles returns the errors in an error, each import that failed as the errors in the files of its package.
func errorsOfFiles(err error) (out []errors.Error) {
	for _, e := range errors.Errors(err) {
		if cause := causeOfImport(e); cause != nil && cause.Position().IsValid() && cause.Position() != e.Position() {
			out = append(out, errorsOfFiles(cause)...)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// withoutSequels returns the errors without those that follow from one before in the same file: at its end, and at a
// package clause and imports, which are none any more behind a line that is neither a note nor one of them, and in the
// further lines of a string that is not closed.
func (r *Reporter) withoutSequels(all []errors.Error) []errors.Error {
	first := map[string]errors.Error{}
	for _, e := range all {
		if name := e.Position().Filename(); first[name] == nil && !atEnd().MatchString(messageOf(e)) {
			first[name] = e
		}
	}
	opened := map[string]int{} // the line of the last string that is not closed, by file
	commas := map[string]int{} // and of the last comma that is missed
	return slices.DeleteFunc(slices.Clone(all), func(e errors.Error) bool {
		at := e.Position()
		before := first[at.Filename()]
		line, isOpen := opened[at.Filename()]
		if isOpen && line == at.Line() && strings.HasPrefix(messageOf(e), "unknown escape") {
			return true
		}
		switch isQuote := unclosedString().MatchString(messageOf(e)); {
		case isOpen && line < at.Line() && at.Line() <= line+maxStringLines:
			if isQuote {
				delete(opened, at.Filename())
			}
			return true
		case isQuote:
			opened[at.Filename()] = at.Line()
		}
		if above, ok := r.lineBefore(at); ok && messageOf(e) == missingInStruct && hashComment().MatchString(above) {
			return true // the words behind # were read as a field
		}
		if isMissingComma(e) {
			line, isSequel := commas[at.Filename()]
			commas[at.Filename()] = at.Line()
			end := len(strings.TrimSpace(r.FileNamed(at.Filename()).Text))
			if isSequel && (line <= at.Line() && at.Line() <= line+maxCommaLines || at.Offset() >= end ||
				!isInList(r.FileNamed(at.Filename()).Text[:at.Offset()])) {
				return true
			}
		}
		return before != nil && before != e && (atEnd().MatchString(messageOf(e)) || clauseLine().MatchString(r.lineOf(at)))
	})
}

// isMissingComma reports whether CUE misses a comma in a list. Behind a bracket that is not opened it does so again, a few
// lines below or at the end of the file. Another list that lacks a comma is an error of its own.
func isMissingComma(e errors.Error) bool {
	return messageOf(e) == missingInList || messageOf(e) == commaBeforeNewline
}

// What CUE says where an element or a field has none before it.
const (
	missingInList   = "missing ',' in list literal"
	missingInStruct = "missing ',' in struct literal"
)

// commaBeforeNewline is what CUE says behind an element of a list that is the last of its line.
const commaBeforeNewline = "missing ',' before newline in list literal"

// isInList reports whether the innermost bracket that is open at the end of a text begins a list. Behind a comma that is
// missed CUE may read the rest of the file as that list.
func isInList(text string) bool {
	var open []token.Token
	for x := range scanTokens(text) {
		switch x.token {
		case token.LBRACE, token.LBRACK, token.LPAREN:
			open = append(open, x.token)
		case token.RBRACE, token.RBRACK, token.RPAREN:
			open = open[:max(0, len(open)-1)]
		}
	}
	return len(open) > 0 && open[len(open)-1] == token.LBRACK
}

// maxCommaLines is how far below a comma that is missed another one is taken for its sequel.
const maxCommaLines = 3

// maxStringLines is how far below a quote that is not closed errors are taken for those of its string.
const maxStringLines = 6

// hashComment is a line that other languages take for a comment.
var hashComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*#\s`) })

var unclosedString = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^string literal not terminated`) })

// clauseLine is a line that stands above the declarations of a file.
var clauseLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(package|import)\b`) })

var unusedImport = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^imported and not used: "([^"]+)"`) })

// openList is the type of a list whose length nothing says.
var openList = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`:\s*(?:\*\[\]\s*\|\s*)?(\[\.\.\.[^\[\]{}\n]+\]|\[(?:int|string|number)\])\s*(?:[,}@\n]|//|$)`)
})

// hasLabel reports whether the file of a position has a field of a name that is not in quotes.
func (r *Reporter) hasLabel(p token.Pos, name string) bool {
	if !p.IsValid() {
		return false
	}
	label := regexp.MustCompile(`(^|[\s:{,])` + regexp.QuoteMeta(name) + `\s*:`)
	return label.MatchString(r.FileNamed(p.Filename()).Text)
}

// lineBefore returns the line above that of a position; not ok where there is none.
func (r *Reporter) lineBefore(p token.Pos) (line string, ok bool) {
	if !p.IsValid() {
		return "", false
	}
	text := r.FileNamed(p.Filename()).Text
	above, ok := strings.CutSuffix(text[:strings.LastIndexByte(text[:min(p.Offset(), len(text))], '\n')+1], "\n")
	return above[strings.LastIndexByte(above, '\n')+1:], ok
}

// lineOf returns the line of a file in which a position stands; "" without a position.
func (r *Reporter) lineOf(p token.Pos) string {
	if !p.IsValid() {
		return ""
	}
	text := r.FileNamed(p.Filename()).Text
	if p.Offset() > len(text) {
		return ""
	}
	line, _, _ := strings.Cut(text[strings.LastIndexByte(text[:p.Offset()], '\n')+1:], "\n")
	return line
}

// lineAt returns the line of a file in which a place is.
func (r *Reporter) lineAt(at plan.Place) string {
	lines := strings.SplitN(r.FileNamed(at.File).Text, "\n", at.Line+1)
	return lines[min(max(at.Line, 1), len(lines))-1]
}

// restOfLine returns the line of a file from a position on.
func (r *Reporter) restOfLine(p token.Pos) string {
	if line := r.lineOf(p); p.IsValid() && p.Column() <= len(line) {
		return line[p.Column()-1:]
	}
	return ""
}

// bracketError reports a bracket that is not closed, or not opened, at its own place, and says whether an error is about
// one. CUE says "expected '}', found 'EOF'" at the last line of the file, and "expected 'EOF', found '}'" at the bracket
// that is one too many.
func (r *Reporter) bracketError(e errors.Error) bool {
	if strings.HasPrefix(messageOf(e), closesNothing) {
		return r.reportUnopened(e.Position())
	}
	if !atEnd().MatchString(messageOf(e)) {
		return false
	}
	f := r.FileNamed(e.Position().Filename())
	open, end, found := findUnclosed(f.Text)
	if !found {
		return false
	}
	start := plan.Place{File: f.Name, Line: 1, Col: 1}
	at := site.AdvancePlace(start, f.Text[:open.offset])
	d := r.addf("cue-syntax", at, "", "the %s of this line is not closed", open.text)
	d.Repair = "write " + closingOf(open.text) + " where it ends"
	if end >= 0 {
		d.Related = []diag.Related{{Place: site.AdvancePlace(start, f.Text[:end]),
			Message: "behind this, as the next line stands as if it were closed"}}
	}
	return true
}

// closesNothing begins what CUE says of a brace that closes nothing.
const closesNothing = "expected 'EOF', found '}'"

// reportUnopened reports the line from which the text stands as if a brace were open, when a brace closes nothing, and
// whether there is such a line before it.
func (r *Reporter) reportUnopened(closing token.Pos) bool {
	f := r.FileNamed(closing.Filename())
	offset, behindColon, found := findUnopened(f.Text)
	if !found || offset > closing.Offset() {
		return false
	}
	start := plan.Place{File: f.Name, Line: 1, Col: 1}
	d := r.addf("cue-syntax", site.AdvancePlace(start, f.Text[:offset]), "",
		"this line stands as if a { were open before it")
	d.Repair = "write the line that opens it, or leave out the } that closes nothing"
	if behindColon {
		d.Message, d.Repair = "the { of this line is missing", "write { behind the colon"
	}
	d.Related = []diag.Related{{Place: r.PlaceOf(closing), Message: "this } closes nothing"}}
	return true
}

// findAssignment finds the first line that opens a struct or a list as languages with assignments do, output = {. It
// reports the name and the offset of the sign. A list that goes on in the same line may be the pattern of an alias, N =
// [string]:.
func findAssignment(text string) (name string, at int, found bool) {
	var before [3]scannedToken // the last tokens
	for x := range scanTokens(text) {
		id, bind, opening := before[0], before[1], before[2]
		if id.token == token.IDENT && bind.token == token.BIND && id.line == bind.line &&
			id.line+indentOf(text, id.line) == id.offset && opening.line == bind.line &&
			(opening.token == token.LBRACE || opening.token == token.LBRACK && x.line != opening.line) {
			return id.literal, bind.offset, true
		}
		before = [3]scannedToken{bind, opening, x}
	}
	return "", 0, false
}

func isSyntax(e errors.Error) bool {
	code, _ := classifyError(e)
	return code == "cue-syntax"
}

// assignmentError reports a struct that is assigned, output = {, where CUE is at a loss at its end: a name and = begin an
// alias of what follows. It says whether there is one before the error.
func (r *Reporter) assignmentError(e errors.Error) bool {
	if !e.Position().IsValid() || !isSyntax(e) {
		return false
	}
	f := r.FileNamed(e.Position().Filename())
	name, offset, found := findAssignment(f.Text)
	if !found || offset > e.Position().Offset() {
		return false
	}
	at := site.AdvancePlace(plan.Place{File: f.Name, Line: 1, Col: 1}, f.Text[:offset])
	r.addf("cue-syntax", at, "", "= gives no value here").Repair = "write " + name + ":"
	return true
}

// explainConflict adds the repair of two values of one field, if there are just two. d.Related has the second value's place
// then. A path of five names, tables.T.keyed.ROW.COLUMN, is a cell: when it has two values that are written out, the row
// stands twice.
func (r *Reporter) explainConflict(d *diag.Diagnostic, at []string) {
	if d.Code != "cue-conflict" || !strings.HasPrefix(d.Message, "conflicting values") {
		return
	}
	if words := wordsByCommas().FindString(r.lineAt(d.Place)); words != "" {
		d.Message, d.Related = "a field has one value, and several words stand here", nil
		d.Repair = "one of some words is joined by |: " + strings.Join(quotedWord().FindAllString(words, -1), " | ")
		return
	}
	if len(d.Related) != 1 {
		return
	}
	d.Related[0].Message = "the other value"
	d.Repair = "a field has one value: keep one of the two"
	if isListBesideStruct(d.Message) && len(at) > 0 {
		d.Repair = at[len(at)-1] + " is written once as a list and once as a struct: " +
			"what stands in it has names, " + at[len(at)-1] + ": NAME: {...}"
		return
	}
	if len(at) != 5 || at[0] != "tables" || at[2] != "keyed" {
		return
	}
	if values, _ := splitValues(r.paths.SitesAt(at)); len(values) > 1 {
		d.Repair = "the row " + at[3] + " stands twice: keep one, or give the other a name of its own"
	}
}

// wordsByCommas are words that commas part where a field has one value: trade!: "thief", "scholar".
var wordsByCommas = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^"\[{]*:\s*"[^"]*"(?:\s*,\s*"[^"]*")+\s*$`)
})

var quotedWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"[^"]*"`) })

// isListBesideStruct reports whether CUE's message is about a list and a struct that are unified.
func isListBesideStruct(message string) bool {
	return strings.Contains(message, "(mismatched types list and struct)") ||
		strings.Contains(message, "(mismatched types struct and list)")
}

// placesOf are where an error comes from, each once, at least one.
func (r *Reporter) placesOf(e errors.Error) []plan.Place {
	var out []plan.Place
	for _, p := range append([]token.Pos{e.Position()}, e.InputPositions()...) {
		if at := r.PlaceOf(p); p.IsValid() && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	if len(out) == 0 {
		out = append(out, plan.Place{File: r.FileName(r.Dir)})
	}
	return out
}

// ReportReferences reports names that CUE does not know, with those that may be meant, and whether there are any.
//
// It asks the parser's list of unresolved identifiers rather than the evaluation, which stops at
// the first of them. A name is known when another file of the package declares it, or when CUE
// predeclares it (int, len, or). A formula whose quotes were forgotten has several unknown names
// and is one report, by its expression.
func (r *Reporter) ReportReferences() bool {
	found := false
	quoteless := map[ast.Expr]bool{} // formulas without quotes that are reported
	for _, inst := range r.Packages {
		names := r.PackageScope(inst).Index
		for _, f := range inst.Files {
			for _, id := range f.Unresolved {
				if id.Name == f.PackageName() || names[id.Name] != nil || r.isPredeclared(id) {
					continue
				}
				found = true
				if formula, ok := r.findUnquoted(f, id); ok && !site.IsStandardPackage(id.Name) {
					if !quoteless[formula.expr] {
						quoteless[formula.expr] = true
						r.addf("unknown-reference", r.PlaceOf(formula.expr.Pos()), "",
							"a formula stands in quotes: without them, %s is a name of CUE, and there is none", id.Name).
							Repair = fmt.Sprintf("write %q", formula.text)
					}
					continue
				}
				d := r.addf("unknown-reference", r.PlaceOf(id.Pos()), "", "there is no %s", id.Name)
				d.Repair = r.adviseReference(id, slices.Collect(maps.Keys(names)), fieldsAround(f, id.Pos()))
			}
		}
	}
	return found
}

// isPredeclared reports whether a name is one of CUE's own.
func (r *Reporter) isPredeclared(id *ast.Ident) bool {
	return r.Context.BuildExpr(ast.NewIdent(id.Name)).Err() == nil
}

// ReportConflicts reports the errors of a value that reading it did not meet.
func (r *Reporter) ReportConflicts(v cue.Value) {
	if err := v.Validate(); err != nil {
		r.ReportErrors(err)
	}
}
