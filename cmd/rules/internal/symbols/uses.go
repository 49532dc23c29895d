package symbols

import (
	"slices"
	"unicode"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Use is a name in a formula.
type Use struct {
	Chain  []string // the names before it and it: "input", "skill"
	Call   bool     // it is called: a table or a function
	Start  int      // offset of the name in its text, in code points
	Symbol Symbol   // what it refers to; without a name when that is not known
}

// Uses lists the names of a formula in their order.
func (x *Index) Uses(t Text) []Use {
	var out []Use
	text := []rune(t.S)
	scope := x.Scope(t.Owner)
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'' || c == '"':
			i = skipQuoted(text, i)
		case unicode.IsDigit(c):
			for i < len(text) && (unicode.IsDigit(text[i]) || unicode.IsLetter(text[i]) || text[i] == '.') {
				i++
			}
		case isNameRune(c):
			end := i
			for end < len(text) && (isNameRune(text[end]) || unicode.IsDigit(text[end])) {
				end++
			}
			u := Use{Start: i, Chain: []string{string(text[i:end])}, Call: end < len(text) && text[end] == '('}
			if n := len(out); i > 0 && text[i-1] == '.' && n > 0 && out[n-1].Start+len([]rune(last(out[n-1].Chain))) == i-1 {
				u.Chain = append(slices.Clone(out[n-1].Chain), u.Chain...)
			} else if i > 0 && text[i-1] == '.' {
				u.Chain = append([]string{""}, u.Chain...) // a member of something that is computed
			}
			u.Symbol = follow(scope, u.Chain, u.Call)
			out = append(out, u)
			i = end
		default:
			i++
		}
	}
	return out
}

func last(chain []string) string { return chain[len(chain)-1] }

func isNameRune(c rune) bool { return c == '_' || unicode.IsLetter(c) }

// skipQuoted is the offset behind a string literal.
func skipQuoted(text []rune, from int) int {
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[from]:
			return i + 1
		}
	}
	return len(text)
}

// follow resolves a chain in a scope. A name that is called is a table or a function, and no other is.
func follow(list []Symbol, chain []string, call bool) Symbol {
	for i, name := range chain {
		end := i == len(chain)-1
		k := slices.IndexFunc(list, func(s Symbol) bool {
			callable := s.Kind == Table || s.Kind == Function || s.Kind == Builtin
			return s.Name == name && (callable == (end && call) || i > 0)
		})
		if k < 0 {
			return Symbol{}
		}
		if end {
			return list[k]
		}
		list = list[k].Members()
	}
	return Symbol{}
}

// UseAt is the name of a formula at an offset; its end counts.
func (x *Index) UseAt(t Text, offset int) (Use, bool) {
	for _, u := range x.Uses(t) {
		if u.Start <= offset && offset <= u.Start+len([]rune(last(u.Chain))) {
			return u, true
		}
	}
	return Use{}, false
}

// A Reference is a name in a formula that refers to a symbol.
type Reference struct {
	Place  plan.Place
	Length int // in code points
}

// References lists where formulas refer to what is declared at a place, each place once.
func (x *Index) References(declared plan.Place) []Reference {
	var out []Reference
	if declared == (plan.Place{}) {
		return nil
	}
	for _, t := range x.texts {
		for _, u := range x.Uses(t) {
			if u.Symbol.Place != declared || len(t.Runs) == 0 {
				continue
			}
			r := Reference{t.At(u.Start), len([]rune(last(u.Chain)))}
			if !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}
