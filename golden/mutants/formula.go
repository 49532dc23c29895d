package mutants

import (
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/compiler/syntax"
)

// A rewriting replaces a part of a text.
type rewriting struct {
	kind     Kind
	from, to int // offsets in bytes
	text     string
}

// swaps says what a function or an operator becomes.
// Each becomes the one that is nearest by mistake: a limit taken or left, the sign turned, the
// rounding the other way. "*" becomes "+" and not "/", which no formula of integers may have.
var swaps = map[string]struct {
	kind Kind
	to   string
}{
	"<": {Comparison, "<="}, "<=": {Comparison, "<"}, ">": {Comparison, ">="}, ">=": {Comparison, ">"},
	"==": {Comparison, "!="}, "!=": {Comparison, "=="},
	"+": {Operator, "-"}, "-": {Operator, "+"}, "*": {Operator, "+"}, "&&": {Operator, "||"}, "||": {Operator, "&&"},
	"min": {Operator, "max"}, "max": {Operator, "min"},
	"div_floor": {Rounding, "div_ceil"}, "div_ceil": {Rounding, "div_floor"}, "div_trunc": {Rounding, "div_ceil"},
	"div_half_up": {Rounding, "div_floor"}, "div_away": {Rounding, "div_floor"},
	"floor": {Rounding, "ceil"}, "ceil": {Rounding, "floor"}, "round": {Rounding, "floor"},
}

// rewriteFormula lists the mutations of a formula.
func rewriteFormula(s string) []rewriting {
	tokens := syntax.Tokens(s)
	var out []rewriting
	for i, t := range tokens {
		text := s[t.From:t.To]
		switch t.Class {
		case syntax.NumberToken:
			if more, ok := increase(text); ok {
				out = append(out, rewriting{Literal, t.From, t.To, more})
			}
		case syntax.NameToken:
			called := i+1 < len(tokens) && s[tokens[i+1].From:tokens[i+1].To] == "("
			if to, ok := swaps[text]; ok && called {
				out = append(out, rewriting{to.kind, t.From, t.To, to.to})
			}
		case syntax.OperatorToken:
			if to, ok := swaps[text]; ok && !(text == "-" && isSign(s, tokens, i)) {
				out = append(out, rewriting{to.kind, t.From, t.To, to.to})
			}
			if text == "?" {
				out = append(out, swapArms(s, tokens, i)...)
			}
		}
	}
	return out
}

// isSign reports whether a minus has no left operand.
func isSign(s string, tokens []syntax.Token, i int) bool {
	if i == 0 {
		return true
	}
	before := tokens[i-1]
	text := s[before.From:before.To]
	return before.Class == syntax.OperatorToken && text != ")" && text != "]" || text == "in"
}

// swapArms exchanges the arms of the conditional whose question mark is a token. An arm ends where its brackets close, at a
// comma, or at the colon of a conditional around it.
// The arms are put in parentheses, since an arm may be a conditional itself: a ? b : c ? d : e
// becomes a ? (c ? d : e) : (b).
func swapArms(s string, tokens []syntax.Token, question int) []rewriting {
	colon := matchArm(s, tokens, question+1)
	if colon < 0 || s[tokens[colon].From:tokens[colon].To] != ":" {
		return nil
	}
	last := matchArm(s, tokens, colon+1)
	if last < 0 {
		last = len(tokens)
	}
	if last == colon+1 || colon == question+1 {
		return nil
	}
	yes := s[tokens[question+1].From:tokens[colon-1].To]
	no := s[tokens[colon+1].From:tokens[last-1].To]
	from, to := tokens[question+1].From, tokens[last-1].To
	return []rewriting{{Arm, from, to, "(" + no + ") : (" + yes + ")"}}
}

// matchArm returns the index of the token that ends the arm which begins at a token; -1 when the formula ends it. A
// question mark within the arm has a colon of its own, so questions counts how many colons to pass over.
func matchArm(s string, tokens []syntax.Token, from int) int {
	depth, questions := 0, 0
	for i := from; i < len(tokens); i++ {
		switch s[tokens[i].From:tokens[i].To] {
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

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// increase returns a number plus one; not ok for a text that cannot be increased.
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

// rewriteNotation returns the mutations of dice in notation: each number, by its meaning, and the number that is left out
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

// notationKind returns the kind of a number of a notation by the text around it.
func notationKind(s string, from, to int) Kind {
	if to < len(s) && s[to]|0x20 == 'd' && !strings.HasPrefix(s[to:], "dl") && !strings.HasPrefix(s[to:], "dh") {
		return DiceCount
	}
	if from > 0 && s[from-1]|0x20 == 'd' {
		return DiceFaces
	}
	return DiceModifier
}
