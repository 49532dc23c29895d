package explain

import (
	"iter"
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
	var stack []openBracket
	line, last := -1, -1 // offsets of the line of the last token, and of the token
	for x := range scanTokens(text) {
		closes := x.token == token.RBRACE || x.token == token.RBRACK || x.token == token.RPAREN
		if x.line != line && len(stack) > 0 {
			top, indent := stack[len(stack)-1], x.offset-x.line
			if !closes && indent <= top.indent || closes && indent < top.indent {
				return top, last, true
			}
		}
		line, last = x.line, x.offset
		switch {
		case x.token == token.LBRACE || x.token == token.LBRACK || x.token == token.LPAREN:
			stack = append(stack, openBracket{offset: x.offset, indent: indentOf(text, x.line), text: x.token.String()})
		case closes && len(stack) > 0:
			stack = stack[:len(stack)-1]
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
// should. A value may stand below its colon, and a clause of a comprehension below another: behind a colon only a field
// is told, and a clause never.
func findUnopened(text string) (at int, behindColon, found bool) {
	line, indent, opened := -1, 0, 0 // of the last line: its offset, where its text begins, and its open brackets
	depth, end, last := 0, 0, token.ILLEGAL
	suspect := -1 // the end of a colon below which a line stands deeper, of which the first token is read
	for x := range scanTokens(text) {
		if suspect >= 0 && (x.token == token.COLON || x.token == token.NOT || x.token == token.OPTION) {
			return suspect, true, true
		}
		suspect = -1
		if x.line != line {
			if x.offset-x.line > indent && line >= 0 && depth <= opened {
				switch {
				case last == token.COLON:
					suspect = end
				case !goesOn(last) && !beginsClause(x.token):
					return x.offset, false, true
				}
			}
			if line = x.line; !goesOn(last) {
				indent, opened = x.offset-x.line, depth
			}
		}
		switch x.token {
		case token.LBRACE, token.LBRACK, token.LPAREN:
			depth++
		case token.RBRACE, token.RBRACK, token.RPAREN:
			depth--
		}
		end, last = x.offset+max(1, len(x.literal)), x.token
	}
	return 0, false, false
}

// beginsClause reports whether a token begins a clause of a comprehension.
func beginsClause(tok token.Token) bool {
	return tok == token.IF || tok == token.FOR || tok == token.LET
}

// A scannedToken is a token of a text.
type scannedToken struct {
	token   token.Token
	literal string
	offset  int
	line    int // the offset of its line
}

// scanTokens gives the tokens of a text, without the commas that CUE's scanner adds at the ends of lines.
func scanTokens(text string) iter.Seq[scannedToken] {
	return func(yield func(scannedToken) bool) {
		var s scanner.Scanner
		s.Init(token.NewFile("", -1, len(text)), []byte(text), nil, 0)
		line, last := 0, 0 // offsets of the line, and of the token before
		for {
			pos, tok, literal := s.Scan()
			if tok == token.EOF {
				return
			}
			at := pos.Offset()
			// A line may be all there is.
			if i := strings.LastIndexByte(text[last:max(last, at)], '\n'); i >= 0 {
				line = last + i + 1
			}
			last = max(last, at)
			isAdded := tok == token.COMMA && literal == "\n"
			if !isAdded && !yield(scannedToken{tok, literal, at, line}) {
				return
			}
			if tok == token.INTERPOLATION {
				s.ResumeInterpolation()
			}
		}
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
