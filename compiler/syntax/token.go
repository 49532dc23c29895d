package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// TokenClass says what a token is.
type TokenClass uint8

// The classes of tokens.
const (
	NumberToken   TokenClass = iota
	NameToken                // also true, false, null and in
	OperatorToken            // also brackets, commas and dots
)

// A Token is a number, a name or an operator of a formula.
type Token struct {
	Class    TokenClass
	From, To int // offsets in bytes
	Offset   int // of its first code point, as places count
}

// Tokens splits a formula without parsing it, so that it serves formulas that are wrong or half written, too. Strings and
// comments are passed over: no name in them means anything. CEL's own lexer is not exported by cel-go, and its parser gives
// nothing back of a formula with an error.
func Tokens(s string) []Token {
	x := tokenizer{s: s}
	var out []Token
	for x.at < len(s) {
		t := Token{From: x.at, Offset: x.offset}
		switch c := s[x.at]; {
		case c == '"' || c == '\'':
			x.skip(stringLength(s[x.at:]))
			continue
		case strings.HasPrefix(s[x.at:], "//"):
			x.skipWhile(func(r rune) bool { return r != '\n' })
			continue
		case isDigit(c) || c == '.' && x.at+1 < len(s) && isDigit(s[x.at+1]):
			t.Class = NumberToken
			x.skip(numberLength(s[x.at:]))
		case isLetter(x.peek()):
			t.Class = NameToken
			x.skipWhile(func(r rune) bool { return isLetter(r) || unicode.IsDigit(r) })
		case unicode.IsSpace(x.peek()):
			x.skip(utf8.RuneLen(x.peek()))
			continue
		default:
			t.Class = OperatorToken
			x.skip(operatorLength(s[x.at:]))
		}
		t.To = x.at
		out = append(out, t)
	}
	return out
}

// A tokenizer stands at a byte of a formula, and knows how many code points are before it.
type tokenizer struct {
	s          string
	at, offset int
}

func (x *tokenizer) peek() rune {
	r, _ := utf8.DecodeRuneInString(x.s[x.at:])
	return r
}

func (x *tokenizer) skip(bytes int) {
	x.offset += utf8.RuneCountInString(x.s[x.at : x.at+bytes])
	x.at += bytes
}

func (x *tokenizer) skipWhile(holds func(rune) bool) {
	end := strings.IndexFunc(x.s[x.at:], func(r rune) bool { return !holds(r) })
	if end < 0 {
		end = len(x.s) - x.at
	}
	x.skip(end)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) }

// stringLength returns the length of the string literal at the beginning of a text. A raw string whose last character
// is a backslash ends later than in CEL, which errs towards passing over.
//
// A string without a closing quote ends with the text, as in CEL. While somebody types, everything behind the quote is
// part of the string.
func stringLength(s string) int {
	quote := s[:1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(s, long) {
		if end := strings.Index(s[3:], long); end >= 0 {
			return 3 + end + 3
		}
		return len(s)
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote[0]:
			return i + 1
		}
	}
	return len(s)
}

// numberLength returns the length of the number at the beginning of a text. A dot that no digit follows is a member's.
func numberLength(s string) int {
	i := 0
	for i < len(s) && (isDigit(s[i]) || s[i] == '.' && i+1 < len(s) && isDigit(s[i+1])) {
		i++
	}
	exponent := i + 1
	if exponent < len(s) && strings.IndexByte("+-", s[exponent]) >= 0 {
		exponent++
	}
	if i < len(s) && s[i]|0x20 == 'e' && exponent < len(s) && isDigit(s[exponent]) {
		for i = exponent; i < len(s) && isDigit(s[i]); i++ {
		}
	}
	return i
}

// operatorLength returns the length in bytes of the operator at the beginning of a text; of a character that is none, its
// own.
func operatorLength(s string) int {
	for _, long := range [...]string{"<=", ">=", "==", "!=", "&&", "||"} {
		if strings.HasPrefix(s, long) {
			return len(long)
		}
	}
	_, size := utf8.DecodeRuneInString(s)
	return size
}
