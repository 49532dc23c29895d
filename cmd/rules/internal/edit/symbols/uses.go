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
// but a dot; behind a look-up it is a column of the table.
//
// The four cases for a name, from the text before it: "place" behind "input." goes on its chain;
// "damage" behind weapon('axe'). is a column of the table that is called; behind any other bracket
// and dot it is a member of something computed, whose chain begins with "", which no scope has; all
// others begin a chain.
//
// No chain is gone on with twice, so that all of its beginnings share one array: of "a.a.a" and on each name has a
// chain, and a copy for each would take the square of the formula's length.
func (x *Index) Uses(t book.Part) []Use {
	var out []Use
	tokens := syntax.Tokens(t.S)
	scope := x.Scope(t.Scope)
	uses := map[int]int{} // indices in out by those of tokens
	for i, k := range tokens {
		if k.Class != syntax.NameToken {
			continue
		}
		u := Use{Start: k.Offset, Chain: []string{t.S[k.From:k.To]}, Call: strings.HasPrefix(t.S[k.To:], "(")}
		before := -1 // the token before the dot
		if i > 1 && t.S[tokens[i-1].From:k.From] == "." && tokens[i-2].To == tokens[i-1].From {
			before = i - 2
		}
		switch called, isCall := callBefore(t.S, tokens, before); {
		case before >= 0 && tokens[before].Class == syntax.NameToken:
			u.Chain = append(out[len(out)-1].Chain, u.Chain...)
			u.Symbol = resolveChain(scope, u.Chain, u.Call)
		case isCall && out[uses[called]].Symbol.Kind == Table:
			table := &out[uses[called]]
			u.Chain = append(table.Chain, u.Chain...)
			u.Symbol = resolveChain(table.Symbol.Members(), u.Chain[len(u.Chain)-1:], false)
		case i > 0 && t.S[tokens[i-1].From:k.From] == ".":
			u.Chain = append([]string{""}, u.Chain...) // a member of something that is computed
			u.Symbol = resolveChain(scope, u.Chain, u.Call)
		default:
			u.Symbol = resolveChain(scope, u.Chain, u.Call)
		}
		uses[i] = len(out)
		out = append(out, u)
	}
	return out
}

func lastName(chain []string) string { return chain[len(chain)-1] }

// resolveChain resolves a chain in a scope. A name that is called is a table or a function, and no other is.
func resolveChain(list []Symbol, chain []string, call bool) Symbol {
	for i, name := range chain {
		end := i == len(chain)-1
		k := slices.IndexFunc(list, func(s Symbol) bool {
			// Behind a dot any name may stand: a column or an output may be called like a function.
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

// UseAt returns the name of a formula at an offset; its end counts.
func (x *Index) UseAt(t book.Part, offset int) (Use, bool) {
	for _, u := range x.Uses(t) {
		if u.Start <= offset && offset <= u.Start+len([]rune(lastName(u.Chain))) {
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

// References returns the places where formulas refer to the declaration at a place, each place once.
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
			r := Reference{t.At(u.Start), len([]rune(lastName(u.Chain)))}
			if !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}
