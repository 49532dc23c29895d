package explain

import (
	"strings"

	"cuelang.org/go/cue/scanner"
	"cuelang.org/go/cue/token"
)

// A bracket that is not closed is noticed at the end of the file, far from the slip: everything behind it still parses, as
// a part of what was left open. Which bracket it is only the layout tells. Authors and cue fmt indent what stands in
// brackets deeper than the line that opens them, and put the closing bracket as deep as that line. So the first line that
// stands no deeper than the line of the innermost open bracket, and does not close it, begins as if it were closed: that
// bracket is the one. (The Rust compiler tells unclosed delimiters in the same way.)

// An openBracket is a bracket, and where its line begins to have text.
type openBracket struct {
	offset int
	indent int
	text   string
}

// findUnclosed finds the bracket that is probably not closed, and the offset of the last token that stands in it; end is -1
// when that is the end of the file.
//
// For example, with the brace behind lift left open:
//
//	rules: {
//	    lift: {
//	        output: x: "1"
//	    climb: {
//
// the line of climb stands as deep as that of lift, the innermost open bracket, and closes nothing:
// lift is reported. Only the first token of a line is judged. A line that begins with a closing
// bracket may stand as deep as the line that opened and no less deep. When all lines are
// consistent, the innermost bracket that is open at the end is reported.
func findUnclosed(text string) (open openBracket, end int, found bool) {
	var s scanner.Scanner
	file := token.NewFile("", -1, len(text))
	s.Init(file, []byte(text), nil, 0)
	var stack []openBracket
	line, last := -1, -1 // offsets of the line of the last token, and of the token
	for {
		pos, tok, literal := s.Scan()
		at := pos.Offset()
		if tok == token.EOF {
			break
		}
		if tok == token.COMMA && literal == "\n" {
			continue // the scanner's own
		}
		start := strings.LastIndexByte(text[:at], '\n') + 1
		closes := tok == token.RBRACE || tok == token.RBRACK || tok == token.RPAREN
		if start != line && len(stack) > 0 {
			top, indent := stack[len(stack)-1], at-start
			if !closes && indent <= top.indent || closes && indent < top.indent {
				return top, last, true
			}
		}
		line, last = start, at
		switch {
		case tok == token.LBRACE || tok == token.LBRACK || tok == token.LPAREN:
			stack = append(stack, openBracket{offset: at, indent: indentOf(text, start), text: tok.String()})
		case closes && len(stack) > 0:
			stack = stack[:len(stack)-1]
		case tok == token.INTERPOLATION:
			s.ResumeInterpolation()
		}
	}
	if len(stack) == 0 {
		return openBracket{}, -1, false
	}
	return stack[len(stack)-1], -1, true
}

// findUnopened finds the line before which a bracket is probably missing that is closed further down: the first one that
// stands deeper than the line above it, though that line opens nothing and does not go on. It reports the offset of its
// text, or, when the line above ends with a colon, that of the end of the colon, and false when all lines stand as they
// should.
func findUnopened(text string) (at int, behindColon, found bool) {
	var s scanner.Scanner
	file := token.NewFile("", -1, len(text))
	s.Init(file, []byte(text), nil, 0)
	line, indent, opened := -1, 0, 0 // of the last line: its offset, where its text begins, and its open brackets
	depth, end, last := 0, 0, token.ILLEGAL
	for {
		pos, tok, literal := s.Scan()
		offset := pos.Offset()
		if tok == token.EOF {
			return 0, false, false
		}
		if tok == token.COMMA && literal == "\n" {
			continue // the scanner's own
		}
		if start := strings.LastIndexByte(text[:offset], '\n') + 1; start != line {
			deeper := line >= 0 && offset-start > indent && depth <= opened
			switch {
			case deeper && last == token.COLON:
				return end, true, true
			case deeper && !goesOn(last):
				return offset, false, true
			}
			if line = start; !goesOn(last) {
				indent, opened = offset-start, depth
			}
		}
		switch tok {
		case token.LBRACE, token.LBRACK, token.LPAREN:
			depth++
		case token.RBRACE, token.RBRACK, token.RPAREN:
			depth--
		case token.INTERPOLATION:
			s.ResumeInterpolation()
		}
		end, last = offset+max(1, len(literal)), tok
	}
}

// goesOn reports whether an expression that ends with a token goes on in the next line.
func goesOn(last token.Token) bool {
	switch last {
	case token.AND, token.OR, token.ADD, token.SUB, token.MUL, token.QUO, token.LAND, token.LOR, token.BIND:
		return true
	}
	return false
}

// indentOf is how many blanks and tabs a line begins with.
func indentOf(text string, start int) int {
	rest := text[start:]
	return len(rest) - len(strings.TrimLeft(rest, " \t"))
}

// closingOf is the bracket that closes another.
func closingOf(open string) string {
	return map[string]string{"{": "}", "[": "]", "(": ")"}[open]
}
