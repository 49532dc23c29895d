package symbols

import "github.com/tabletop-rules/rules/compiler/syntax"

// callBefore returns the token of the name that is called in a call which ends with a token; not ok when that ends no call.
// It counts brackets backwards; strings are no tokens, so that a bracket in one does not count.
//
// Only a call at the very end counts: behind "weapon(input.with)." the columns of weapon may
// follow, and behind "weapon(input.with) + 1." nothing may.
func callBefore(text string, tokens []syntax.Token, end int) (name int, ok bool) {
	if end < 0 || text[tokens[end].From:tokens[end].To] != ")" {
		return 0, false
	}
	depth := 0
	for i := end; i >= 0; i-- {
		switch text[tokens[i].From:tokens[i].To] {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			if depth--; depth == 0 {
				return i - 1, i > 0 && tokens[i-1].Class == syntax.NameToken
			}
		}
	}
	return 0, false
}
