// Package syntax turns the text of a formula into a parsed expression: CEL's tree, and which names it reads, which
// functions it calls, which variables its macros bind, each with its place in the author's file. It knows neither types
// nor definitions. The text stays where the book has it; an expression keeps offsets into it and nothing else.
//
// Invariant: a name that a macro binds is never among those that an expression reads.
//
// # Two readers of one text
//
// A formula is read in two ways. Parse gives CEL's tree, or one error in the author's words;
// everything that compiles goes this way. Tokens cuts a text without understanding it, also one
// that is wrong or half typed; editors, and what looks for names of things in texts, go that way.
// Both count in code points of the string, and book.Text turns these into places of the file.
//
// # What Parse adds to CEL
//
// For "xs.map(x, x + bonus)" CEL's parser expands the macro into a comprehension: a loop with an
// accumulator and a step. The walker (walk.go) collects from the expanded tree that xs and bonus
// are read and that x is bound. From the same tree, Place finds where an author would point
// (position.go): CEL says of a call where its parenthesis is, of a selection where its dot is, of
// has(a.b) neither. Messages of the ANTLR grammar are turned around (authorsWords): "mismatched
// input '<EOF>' expecting ..." becomes "the expression ends too early".
//
// Our own macros (macros.go) expand into CEL's: count is size of filter, sum is sum of map, min of
// many is calls of two. So no later phase knows them.
//
// Limits stand here because this is the first phase that sees a stranger's text: depth bounds the
// recursion of every later walk, nodes the work after macros have copied their arguments.
package syntax

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// Limits of one formula. They are far above what a reader can follow.
const (
	maxDepth  = 100   // nested operators and parentheses
	maxLength = 8_192 // code points
	maxNodes  = 4_000 // after macros are expanded
)

// An Expr is a parsed formula.
type Expr struct {
	AST   *ast.AST
	Refs  []Ref  // names that it reads, in the order of the text
	Calls []Call // functions called by name, operators not among them
	Binds []Bind // names that macros bind
	text  *book.Text
	runes []rune // the text by code points, which CEL's offsets count
}

// A Ref is a name that is read, and the fields selected from it: input.spend.ep.
type Ref struct {
	Name   string
	Place  plan.Place
	Offset int // of the name in the text
	Path   []Step
}

// A Step is one selection: .ep. Its place is that of the name behind the dot.
type Step struct {
	Name  string
	Place plan.Place
}

// A Call is a call by name.
type Call struct {
	Expr   ast.Expr
	Name   string
	Place  plan.Place
	Offset int  // of the name in the text
	Member bool // x.f(y)
}

// A Bind is the variable of a macro.
type Bind struct {
	Name  string
	Place plan.Place
}

// An Error is a place where the text is no expression.
type Error struct {
	Place   plan.Place
	Message string
}

// A Parser parses formulas. It has no state and may be shared.
type Parser struct {
	cel *parser.Parser
}

// NewParser makes a parser of the language's formulas.
func NewParser() *Parser {
	p, err := parser.NewParser(
		parser.Macros(macros()...),
		parser.PopulateMacroCalls(true),
		parser.MaxRecursionDepth(maxDepth),
		parser.ExpressionSizeCodePointLimit(maxLength),
		parser.MaxExpressionNodeCount(maxNodes),
		parser.ErrorReportingLimit(8),
		parser.ErrorRecoveryLimit(8))
	if err != nil {
		panic(err) // the options are constants
	}
	return &Parser{cel: p}
}

// Parse parses a formula; the expression is nil when there is an error.
func (p *Parser) Parse(text *book.Text) (*Expr, *Error) {
	source := common.NewTextSource(text.S)
	tree, errs := p.cel.Parse(source)
	if found := errs.GetErrors(); len(found) > 0 {
		offset, message := firstError(source, found)
		if before, habit := explainHabit(text.S, offset); habit != "" {
			offset, message = before, habit
		}
		if at := dividingComment(text.S); at >= 0 && at < offset && strings.ContainsAny(string([]rune(text.S)[at:]), ")]") {
			return nil, &Error{Place: text.At(at), Message: dividedByComment} // which has swallowed the bracket
		}
		if endsWithComma(text.S, offset) {
			message += ": leave out the comma before it"
		}
		return nil, &Error{Place: text.At(offset), Message: message}
	}
	if at := dividingComment(text.S); at >= 0 && p.isFormula(string([]rune(text.S)[at+len("//"):])) {
		return nil, &Error{Place: text.At(at), Message: dividedByComment}
	}
	w := walker{Expr: &Expr{AST: tree, text: text, runes: []rune(text.S)}}
	w.walk(tree.Expr())
	return w.Expr, nil
}

// firstError returns the offset and the message of the first error in a text. Later errors of CEL's parser are about
// its guess at the rest of the text.
func firstError(source common.Source, errs []*common.Error) (offset int, message string) {
	offsetOf := func(e *common.Error) int {
		offset, _ := source.LocationOffset(e.Location) // -1 without a location
		return max(0, int(offset))
	}
	first := slices.MinFunc(errs, func(a, b *common.Error) int { return cmp.Compare(offsetOf(a), offsetOf(b)) })
	return offsetOf(first), authorsWords(first.Message)
}

// endsWithComma reports whether a bracket closes at an offset in a text behind a comma.
func endsWithComma(text string, offset int) bool {
	runes := []rune(text)
	return offset < len(runes) && strings.ContainsRune(")]", runes[offset]) &&
		strings.HasSuffix(strings.TrimRight(string(runes[:offset]), " \t\n"), ",")
}

// offending finds the text at which CEL's parser gave up in its message.
var offending = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:mismatched|extraneous) input '(.*?)' expecting|` +
		`^no viable alternative at input '(.*)'$|^token recognition error at: '(.*)'$`)
})

// authorsWords returns a message of the parser in the words of an author instead of those of the grammar.
func authorsWords(s string) string {
	s = strings.TrimPrefix(s, "Syntax error: ")
	if strings.Contains(s, "invalid argument to has() macro") {
		return "has asks for a field behind a dot, has(input.x); of a map with any keys get(m, key, 0)"
	}
	for said, limit := range tooLarge {
		if strings.Contains(s, said) {
			return limit
		}
	}
	if m := missingToken().FindStringSubmatch(s); m != nil {
		if m[2] == endOfText {
			return m[1] + " is missing at the end"
		}
		return fmt.Sprintf("%s is missing before %q", m[1], m[2])
	}
	if m := reservedWord().FindStringSubmatch(s); m != nil {
		if m[1] == "return" {
			return `"return" cannot stand here: a formula is its value, leave return out`
		}
		if m[1] == "let" {
			return `"let" cannot stand here: a part with a name is a let of the rule, let: x: "...", and is read by its name alone`
		}
		return fmt.Sprintf("%q is a word of its own, and no name", m[1])
	}
	if strings.HasPrefix(s, "invalid int literal") {
		return "the number is beyond the ints: " + plan.IntLimit
	}
	if strings.HasPrefix(s, "invalid double literal") {
		return "the number is beyond the doubles: " + plan.DoubleLimit
	}
	m := offending().FindStringSubmatch(s)
	if m == nil {
		return s
	}
	at := strings.Trim(m[1]+m[2]+m[3], " \t\r\n")
	if strings.HasSuffix(at, endOfText) {
		return "the expression ends too early"
	}
	if meant := foreignOperators[strings.ToLower(at)]; meant != "" {
		return fmt.Sprintf("%q cannot stand here: write %s", at, meant)
	}
	return fmt.Sprintf("%q cannot stand here", at)
}

// tooLarge says for what CEL's parser reports of a formula beyond its limits which limit that is.
var tooLarge = map[string]string{
	"recursion limit":  fmt.Sprintf("the formula is nested more than %d deep", maxDepth),
	"recursion depth":  fmt.Sprintf("the formula is nested more than %d deep", maxDepth),
	"code point size":  fmt.Sprintf("the formula is longer than %d letters", maxLength),
	"expression count": fmt.Sprintf("the formula has more than %d parts", maxNodes),
}

// endOfText is what CEL's parser calls the end of a text.
const endOfText = "<EOF>"

// missingToken finds in a message of CEL's parser what is not there, and what stands in its place.
var missingToken = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^missing '(.*?)' at '(.*)'$`) })

// reservedWord finds in a message of CEL's parser a word that is no name in any formula, such as var.
var reservedWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^reserved identifier: (\w+)$`) })

// dividedByComment is said of a division that CEL takes for a comment.
const dividedByComment = "// begins a comment, and what stands behind it is not read: " +
	"to divide, say how to round, as div_floor(a, b) does"

// isFormula reports whether a text can be parsed, so that words of a comment are told from a divisor.
func (p *Parser) isFormula(text string) bool {
	_, errs := p.cel.Parse(common.NewTextSource(text))
	return len(errs.GetErrors()) == 0
}
