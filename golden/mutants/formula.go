package mutants

import (
	"strconv"
	"strings"
)

// A rewriting replaces a part of a text.
type rewriting struct {
	kind     Kind
	from, to int // offsets in bytes
	text     string
}

// A token is a part of a formula that a mutation can be about.
type token struct {
	from, to int
	class    tokenClass
}

type tokenClass uint8

const (
	numberToken tokenClass = iota
	wordToken
	operatorToken
)

// operators are those of CEL that consist of more than one character, before their prefixes.
var operators = []string{"<=", ">=", "==", "!=", "&&", "||"}

// tokenize splits a formula into numbers, words and operators. Strings and comments are passed over. It need not be a
// parser: the formula has been checked, and what a rewriting breaks, the compiler refuses.
func tokenize(s string) []token {
	var out []token
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '"' || c == '\'':
			i = skipString(s, i)
		case c == '/' && strings.HasPrefix(s[i:], "//"):
			if end := strings.IndexByte(s[i:], '\n'); end >= 0 {
				i += end
			} else {
				i = len(s)
			}
		case isDigit(c) || c == '.' && i+1 < len(s) && isDigit(s[i+1]):
			end := skipNumber(s, i)
			out = append(out, token{i, end, numberToken})
			i = end
		case isLetter(c):
			end := i
			for end < len(s) && (isLetter(s[end]) || isDigit(s[end])) {
				end++
			}
			out = append(out, token{i, end, wordToken})
			i = end
		default:
			n := 1
			for _, op := range operators {
				if strings.HasPrefix(s[i:], op) {
					n = len(op)
				}
			}
			if !strings.ContainsRune(" \t\r\n", rune(c)) {
				out = append(out, token{i, i + n, operatorToken})
			}
			i += n
		}
	}
	return out
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80 }

// skipString is the offset behind the string literal that begins at an offset.
func skipString(s string, from int) int {
	quote := s[from : from+1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(s[from:], long) {
		if end := strings.Index(s[from+3:], long); end >= 0 {
			return from + 3 + end + 3
		}
		return len(s)
	}
	for i := from + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote[0]:
			return i + 1
		}
	}
	return len(s)
}

// skipNumber is the offset behind the number that begins at an offset. A dot that no digit follows is a member's.
func skipNumber(s string, from int) int {
	i := from
	for i < len(s) && (isDigit(s[i]) || s[i] == '.' && i+1 < len(s) && isDigit(s[i+1])) {
		i++
	}
	if i+1 < len(s) && s[i]|0x20 == 'e' && (isDigit(s[i+1]) || i+2 < len(s) && isDigit(s[i+2]) &&
		strings.IndexByte("+-", s[i+1]) >= 0) {
		for i += 2; i < len(s) && isDigit(s[i]); i++ {
		}
	}
	return i
}

// swaps says what a word or an operator becomes.
var swaps = map[string]struct {
	kind Kind
	to   string
}{
	"<": {Comparison, "<="}, "<=": {Comparison, "<"}, ">": {Comparison, ">="}, ">=": {Comparison, ">"},
	"==": {Comparison, "!="}, "!=": {Comparison, "=="},
	"+": {Operator, "-"}, "-": {Operator, "+"}, "*": {Operator, "+"}, "&&": {Operator, "||"}, "||": {Operator, "&&"},
	"min": {Operator, "max"}, "max": {Operator, "min"},
	"div_floor": {Rounding, "div_ceil"}, "div_ceil": {Rounding, "div_floor"}, "div_trunc": {Rounding, "div_ceil"},
	"div_half_up": {Rounding, "div_floor"}, "floor": {Rounding, "ceil"}, "ceil": {Rounding, "floor"},
	"round": {Rounding, "floor"},
}

// rewriteFormula lists the mutations of a formula.
func rewriteFormula(s string) []rewriting {
	tokens := tokenize(s)
	var out []rewriting
	for i, t := range tokens {
		text := s[t.from:t.to]
		switch t.class {
		case numberToken:
			if more, ok := increase(text); ok {
				out = append(out, rewriting{Literal, t.from, t.to, more})
			}
		case wordToken:
			called := i+1 < len(tokens) && s[tokens[i+1].from:tokens[i+1].to] == "("
			if to, ok := swaps[text]; ok && called {
				out = append(out, rewriting{to.kind, t.from, t.to, to.to})
			}
		case operatorToken:
			if to, ok := swaps[text]; ok && !(text == "-" && isSign(s, tokens, i)) {
				out = append(out, rewriting{to.kind, t.from, t.to, to.to})
			}
			if text == "?" {
				out = append(out, swapArms(s, tokens, i)...)
			}
		}
	}
	return out
}

// isSign reports whether a minus has no left operand.
func isSign(s string, tokens []token, i int) bool {
	if i == 0 {
		return true
	}
	before := tokens[i-1]
	text := s[before.from:before.to]
	return before.class == operatorToken && text != ")" && text != "]" || text == "in"
}

// swapArms exchanges the arms of the conditional whose question mark is a token. An arm ends where its brackets close, at a
// comma, or at the colon of a conditional around it.
func swapArms(s string, tokens []token, question int) []rewriting {
	colon := matchArm(s, tokens, question+1)
	if colon < 0 || s[tokens[colon].from:tokens[colon].to] != ":" {
		return nil
	}
	last := matchArm(s, tokens, colon+1)
	if last < 0 {
		last = len(tokens)
	}
	if last == colon+1 || colon == question+1 {
		return nil
	}
	yes := s[tokens[question+1].from:tokens[colon-1].to]
	no := s[tokens[colon+1].from:tokens[last-1].to]
	from, to := tokens[question+1].from, tokens[last-1].to
	return []rewriting{{Arm, from, to, "(" + no + ") : (" + yes + ")"}}
}

// matchArm is the index of the token that ends the arm which begins at a token; -1 when the formula ends it.
func matchArm(s string, tokens []token, from int) int {
	depth, questions := 0, 0
	for i := from; i < len(tokens); i++ {
		switch s[tokens[i].from:tokens[i].to] {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth == 0 {
				return i
			}
			depth--
		case ",":
			if depth == 0 {
				return i
			}
		case "?":
			if depth == 0 {
				questions++
			}
		case ":":
			if depth > 0 {
				continue
			}
			if questions == 0 {
				return i
			}
			questions--
		}
	}
	return -1
}

// increase is a number and one; not ok for what cannot be one more.
func increase(text string) (string, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return strconv.FormatInt(n+1, 10), true
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x+1 == x {
		return "", false
	}
	out := strconv.FormatFloat(x+1, 'f', -1, 64)
	if !strings.Contains(out, ".") {
		out += ".0"
	}
	return out, true
}

// rewriteNotation lists the mutations of dice in notation: each number, by what it says, and the number that is left out
// before a d.
func rewriteNotation(s string) []rewriting {
	var out []rewriting
	for i := 0; i < len(s); {
		if !isDigit(s[i]) {
			if s[i]|0x20 == 'd' && (i == 0 || !isDigit(s[i-1]) && !isLetter(s[i-1])) && i+1 < len(s) && isDigit(s[i+1]) {
				out = append(out, rewriting{DiceCount, i, i, "2"})
			}
			i++
			continue
		}
		end := i
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		more, _ := increase(s[i:end])
		out = append(out, rewriting{notationKind(s, i, end), i, end, more})
		i = end
	}
	return out
}

// notationKind says what a number of a notation is by what stands around it.
func notationKind(s string, from, to int) Kind {
	if to < len(s) && s[to]|0x20 == 'd' && !strings.HasPrefix(s[to:], "dl") && !strings.HasPrefix(s[to:], "dh") {
		return DiceCount
	}
	if from > 0 && s[from-1]|0x20 == 'd' {
		return DiceFaces
	}
	return DiceModifier
}
