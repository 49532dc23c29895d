package symbols

import (
	"slices"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/syntax"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// ValueAt returns the value that a string of a formula means at an offset: of an option or a field that it is compared
// with, or a key of the table that it is looked up in.
func (x *Index) ValueAt(t book.Part, offset int) (Symbol, bool) {
	at := t.At(offset)
	for _, v := range x.valuesIn(t) {
		length := len([]rune(v.symbol.Name))
		if v.at.Line == at.Line && v.at.Col <= at.Col && at.Col <= v.at.Col+length {
			return v.symbol, true
		}
	}
	return Symbol{}, false
}

// ValueUses lists where formulas name a value of an option, or a key of a table, that is declared at a place.
func (x *Index) ValueUses(declared plan.Place) []Reference {
	var out []Reference
	for _, t := range x.texts {
		for _, v := range x.valuesIn(t) {
			r := Reference{v.at, len([]rune(v.symbol.Name))}
			if v.symbol.Place == declared && declared != (plan.Place{}) && !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}

// A namedValue is a string of a formula that is a declared value.
type namedValue struct {
	symbol Symbol
	at     plan.Place // of its first character
}

// valuesIn finds the declared values among the strings of a formula.
//
// A string is a value where something says which values there are: behind == or !=, those of the
// name before; behind the bracket of a look-up, the table's keys; behind its comma, the keys of its
// columns. tables is the stack of open brackets, by which a comma in an inner call, weapon(max(1,
// 2)), is not taken for that of the look-up.
func (x *Index) valuesIn(t book.Part) []namedValue {
	if len(t.Runs) == 0 {
		return nil
	}
	var out []namedValue
	f := formula{t, syntax.Tokens(t.S)}
	var tables []string // whose look-ups are open; empty for another bracket
	for i := range f.tokens {
		var among []Symbol
		switch word := f.tokenText(i); word {
		case "==", "!=":
			if i > 0 {
				if u, known := x.UseAt(t, f.tokens[i-1].Offset); known {
					among = u.Symbol.Members()
				}
			}
		case "(", "[", "{":
			table := ""
			if i > 0 && word == "(" && f.tokens[i-1].Class == syntax.NameToken {
				table = f.tokenText(i - 1)
			}
			tables = append(tables, table)
			among = x.Keys(table)
		case ")", "]", "}":
			tables = tables[:max(len(tables)-1, 0)]
		case ",":
			if n := len(tables); n > 0 {
				among = x.ColumnKeys(tables[n-1])
			}
		}
		text, at, written := "", plan.Place{}, false
		if len(among) > 0 {
			text, at, written = f.stringAfter(i)
		}
		k := slices.IndexFunc(among, func(s Symbol) bool { return s.Kind == Value && s.Name == text })
		if written && k >= 0 {
			out = append(out, namedValue{among[k], at})
		}
	}
	return out
}
