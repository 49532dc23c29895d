package symbols

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Use is a name in a formula.
type Use struct {
	Chain  []string // the names before it and it: "input", "skill"
	Call   bool     // it is called: a table or a function
	Start  int      // offset of the name in its text, in code points
	Symbol Symbol   // what it refers to; without a name when that is not known
}

// Uses lists the names of a formula in their order. A name belongs to the chain before it when nothing stands between them
// but a dot.
func (x *Index) Uses(t book.Part) []Use {
	var out []Use
	tokens := syntax.Tokens(t.S)
	scope := x.Scope(t.Scope)
	for i, k := range tokens {
		if k.Class != syntax.NameToken {
			continue
		}
		u := Use{Start: k.Offset, Chain: []string{t.S[k.From:k.To]}, Call: strings.HasPrefix(t.S[k.To:], "(")}
		if i > 0 && t.S[tokens[i-1].From:k.From] == "." {
			if i > 1 && tokens[i-2].Class == syntax.NameToken && tokens[i-2].To == tokens[i-1].From {
				u.Chain = append(slices.Clone(out[len(out)-1].Chain), u.Chain...)
			} else {
				u.Chain = append([]string{""}, u.Chain...) // a member of something that is computed
			}
		}
		u.Symbol = follow(scope, u.Chain, u.Call)
		out = append(out, u)
	}
	return out
}

func last(chain []string) string { return chain[len(chain)-1] }

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
func (x *Index) UseAt(t book.Part, offset int) (Use, bool) {
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
