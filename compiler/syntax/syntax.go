// Package syntax turns the text of a formula into a parsed expression: which names it reads, which functions it calls,
// which fields it selects, each with its offset in the text. It checks no types and knows no ruleset. Of the packages
// outside compiler/check only resolve imports it, and that one does not look at the AST.
//
// Invariant: a name that a macro binds is never reported as free.
package syntax

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
)

// Limits of one formula. They are far above what a reader can follow.
const (
	maxDepth  = 100   // nested operators and parentheses
	maxLength = 8_192 // code points
	maxNodes  = 4_000 // after macros are expanded
)

// An Expr is a parsed formula. All offsets count code points of its text from 0.
type Expr struct {
	AST   *ast.AST
	Text  string
	Refs  []Ref  // free names, in the order of the text
	Calls []Call // functions called by name, operators not among them
	Binds []Bind // names that macros bind
	// Fields are the names of every field that is selected, of whatever value.
	Fields map[string]bool
}

// A Ref is a free name and the fields selected from it: input.spend.ep.
type Ref struct {
	Name string
	Rune int
	Path []Step
}

// A Step is one selection: .ep. Its offset is the name's.
type Step struct {
	Name string
	Rune int
}

// A Call is a call by name.
type Call struct {
	Name   string
	Rune   int
	Member bool // x.f(y)
}

// A Bind is the variable of a macro.
type Bind struct {
	Name string
	Rune int
}

// An Error is a place where the text is no expression.
type Error struct {
	Rune    int
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
func (p *Parser) Parse(text string) (*Expr, *Error) {
	source := common.NewTextSource(text)
	tree, errs := p.cel.Parse(source)
	if found := errs.GetErrors(); len(found) > 0 {
		wrong := first(source, found)
		return nil, &wrong
	}
	w := walker{expr: &Expr{AST: tree, Text: text, Fields: map[string]bool{}}, runes: []rune(text)}
	w.walk(tree.Expr())
	return w.expr, nil
}

// first is the first error of a text: what CEL's parser says after it is of what it took for the rest.
func first(source common.Source, errs []*common.Error) Error {
	var out []Error
	for _, e := range errs {
		offset, _ := source.LocationOffset(e.Location) // -1 without a location
		out = append(out, Error{Rune: max(0, int(offset)), Message: message(e.Message)})
	}
	return slices.MinFunc(out, func(a, b Error) int { return cmp.Compare(a.Rune, b.Rune) })
}

// wrong finds the offending text in a message of CEL's parser.
var wrong = regexp.MustCompile(`^(?:mismatched|extraneous) input '(.*?)' expecting|^no viable alternative at input '(.*)'$|^token recognition error at: '(.*)'$`)

// message says in an author's words what the parser says in those of its grammar.
func message(s string) string {
	s = strings.TrimPrefix(s, "Syntax error: ")
	for said, limit := range limits {
		if strings.Contains(s, said) {
			return limit
		}
	}
	if m := missing.FindStringSubmatch(s); m != nil {
		if m[2] == end {
			return m[1] + " is missing at the end"
		}
		return fmt.Sprintf("%s is missing before %q", m[1], m[2])
	}
	m := wrong.FindStringSubmatch(s)
	if m == nil {
		return s
	}
	at := strings.TrimSpace(m[1] + m[2] + m[3])
	if strings.HasSuffix(at, end) {
		return "the expression ends too early"
	}
	if meant := ofOthers[at]; meant != "" {
		return fmt.Sprintf("%q cannot stand here: write %s", at, meant)
	}
	return fmt.Sprintf("%q cannot stand here", at)
}

// limits are what CEL's parser says of a formula beyond its limits, and what they are.
var limits = map[string]string{
	"recursion limit":  fmt.Sprintf("the formula is nested more than %d deep", maxDepth),
	"recursion depth":  fmt.Sprintf("the formula is nested more than %d deep", maxDepth),
	"code point size":  fmt.Sprintf("the formula is longer than %d letters", maxLength),
	"expression count": fmt.Sprintf("the formula has more than %d parts", maxNodes),
}

// end is what CEL's parser calls the end of a text.
const end = "<EOF>"

// missing finds what is not there in a message of CEL's parser, and what stands there.
var missing = regexp.MustCompile(`^missing '(.*?)' at '(.*)'$`)

// ofOthers are the operators of other languages, and ours.
var ofOthers = map[string]string{"=": "== to compare", "&": "&&", "|": "||", "and": "&&", "or": "||", "^": "pow(a, b)"}
