package load

import (
	"sync/atomic"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/scanner"
	"cuelang.org/go/cue/token"
)

// Limits of what is read of one module, in bytes and in brackets within brackets. A ruleset with all its tables stays far
// below them; what is above is not parsed, so that nobody's file can exhaust the parser.
const (
	maxFile    = 2 << 20
	maxModule  = 16 << 20
	maxNesting = 100
)

// limits are what is left of a module. Files may be parsed at the same time.
type limits struct {
	read atomic.Int64
	name func(path string) string // how diagnostics call a file
}

// parse parses a file that is within the limits.
func (l *limits) parse(name string, src any, cfg parser.Config) (*ast.File, error) {
	text, ok := src.([]byte)
	if !ok {
		return parse(name, src, cfg)
	}
	file := token.NewFile(l.name(name), -1, len(text))
	switch total := l.read.Add(int64(len(text))); {
	case len(text) > maxFile:
		return nil, errors.Newf(file.Pos(0, token.NoRelPos), "the file is larger than %d MiB", maxFile>>20)
	case total > maxModule:
		return nil, errors.Newf(file.Pos(0, token.NoRelPos), "the files of the module are larger than %d MiB", maxModule>>20)
	}
	if at, deep := nested(file, text); deep {
		return nil, errors.Newf(at, "brackets are nested more than %d deep", maxNesting)
	}
	return parse(name, src, cfg)
}

// nested is the first bracket that stands too deep.
func nested(file *token.File, text []byte) (at token.Pos, deep bool) {
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	for depth := 0; ; {
		pos, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			return at, false
		case token.LBRACE, token.LBRACK, token.LPAREN:
			depth++
		case token.RBRACE, token.RBRACK, token.RPAREN:
			depth--
		case token.INTERPOLATION:
			s.ResumeInterpolation()
		}
		if depth > maxNesting {
			return pos, true
		}
	}
}
