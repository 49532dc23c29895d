package load

import (
	"sync/atomic"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/scanner"
	"cuelang.org/go/cue/token"
	"github.com/tabletop-rules/rules/compiler/load/explain"
)

// The profile of a file: what is judged by its tokens before it is parsed, and by its tree before it is evaluated. CUE's
// parser and its evaluation recurse, and some short texts mean a product that nobody could wait for. A ruleset with all its
// tables stays far below these limits; what is above is refused at its own place, so that nobody's file can exhaust the
// program. What the profile cannot see (values that repeat each other by name, comprehensions within comprehensions) is
// left to whoever runs the compiler: a command compiles strangers' files in a process that can be killed.
const (
	maxFile         = 2 << 20  // bytes of a file
	maxModule       = 16 << 20 // bytes of all files of a module
	maxFiles        = 4000     // of a module; CUE parses each twice
	maxNesting      = 100      // brackets within brackets
	maxLabels       = 100      // labels one behind the other: a: b: c: 1
	maxTokens       = 3000     // between two commas or ends of lines
	maxDigits       = 400      // of a number
	maxAlternatives = 2000     // that one expression multiplies out to
)

// limits are what is left of a module. Files may be parsed at the same time.
// CUE asks for each file twice, for its imports and then as a whole: therefore parseWithin allows
// twice as many calls as files. Bytes are counted at each call too.
type limits struct {
	read  atomic.Int64
	files atomic.Int64
	name  func(path string) string // how diagnostics call a file
	names *schemaNames             // noted of every file
}

// parseWithin parses a file that is within the limits.
func (l *limits) parseWithin(name string, src any, cfg parser.Config) (*ast.File, error) {
	text, ok := src.([]byte)
	if !ok {
		return parseFile(name, src, cfg, l.names)
	}
	file := token.NewFile(l.name(name), -1, len(text))
	start := file.Pos(0, token.NoRelPos)
	switch total := l.read.Add(int64(len(text))); {
	case len(text) > maxFile:
		return nil, errors.Newf(start, "the file is larger than %d MiB", maxFile>>20)
	case total > maxModule:
		return nil, errors.Newf(start, "the files of the module are larger than %d MiB", maxModule>>20)
	case l.files.Add(1) > 2*maxFiles:
		return nil, errors.Newf(start, "the module has more than %d files", maxFiles)
	}
	if err := checkTokens(file, text); err != nil {
		return nil, err
	}
	f, err := parseFile(name, src, cfg, l.names)
	if err == nil {
		err = checkAlternatives(f)
	}
	return f, err
}

// checkTokens is the first token that is beyond a limit, as an error.
//
// It scans and does not parse: the scanner has no recursion, so a file of a million "[" is refused
// before CUE's recursive parser would exhaust the stack. Counters start anew at a comma, which the
// scanner also inserts at the end of a line, as Go's does; labels and tokens are therefore those of
// one declaration or one element.
func checkTokens(file *token.File, text []byte) error {
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	depth, tokens, labels := 0, 0, 0
	for {
		pos, tok, literal := s.Scan()
		tokens++
		switch tok {
		case token.EOF:
			return nil
		case token.LBRACE, token.LBRACK, token.LPAREN:
			depth++
		case token.RBRACE, token.RBRACK, token.RPAREN:
			depth--
		case token.COMMA:
			tokens, labels = 0, 0
		case token.COLON:
			labels++
		case token.INTERPOLATION:
			s.ResumeInterpolation()
		}
		switch {
		case depth > maxNesting:
			return errors.Newf(pos, "brackets are nested more than %d deep", maxNesting)
		case labels > maxLabels:
			return explain.BeyondLimit(pos, "more than %d labels stand one behind the other", maxLabels)
		case tokens > maxTokens:
			return explain.BeyondLimit(pos,
				"more than %d parts of an expression stand without a comma or the end of a line between them", maxTokens)
		case (tok == token.INT || tok == token.FLOAT) && len(literal) > maxDigits:
			return explain.BeyondLimit(pos, "the number has more than %d digits", maxDigits)
		}
	}
}

// checkAlternatives reports the first expression that multiplies out to too many alternatives: a conjunction of choices has
// the product of theirs, and CUE tries each.
//
// (1 | 2) & (3 | 4) has four, and twelve such factors 4096. The operands of a chain are visited
// once, from its top: asking countAlternatives at every node of a chain of n operators would cost n
// squared.
func checkAlternatives(n ast.Node) (found error) {
	ast.Walk(n, func(n ast.Node) bool {
		x, ok := n.(*ast.BinaryExpr)
		if !ok || found != nil {
			return found == nil
		}
		if countAlternatives(x) > maxAlternatives {
			found = explain.BeyondLimit(x.Pos(), "the alternatives multiply out to more than %d", maxAlternatives)
		}
		for _, operand := range operands(x, nil) {
			if found == nil {
				found = checkAlternatives(operand)
			}
		}
		return false
	}, nil)
	return found
}

// operands returns the operands of a chain of operators: each is then walked once, however long the chain.
func operands(x ast.Expr, to []ast.Expr) []ast.Expr {
	switch x := x.(type) {
	case *ast.BinaryExpr:
		return operands(x.Y, operands(x.X, to))
	case *ast.ParenExpr:
		return operands(x.X, to)
	}
	return append(to, x)
}

// countAlternatives is how many alternatives an expression has, at most one above the limit.
func countAlternatives(x ast.Expr) int {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return countAlternatives(x.X)
	case *ast.UnaryExpr:
		return countAlternatives(x.X)
	case *ast.BinaryExpr:
		a, b := countAlternatives(x.X), countAlternatives(x.Y)
		switch x.Op {
		case token.OR:
			return min(a+b, maxAlternatives+1)
		case token.AND:
			return min(a*b, maxAlternatives+1)
		}
	}
	return 1
}
