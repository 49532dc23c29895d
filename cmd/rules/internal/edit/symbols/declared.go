package symbols

import (
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// DeclaredAt returns the symbol that the author declares at a place: a definition, a part of one, a field, a column, a row
// or a value.
func (x *Index) DeclaredAt(at plan.Place) (Symbol, bool) {
	for _, d := range x.Declared() {
		if d.Place.File != at.File || d.Place.Line != at.Line {
			continue
		}
		name := d.Name[strings.LastIndexByte(d.Name, '/')+1:]
		if d.Place.Col <= at.Col && at.Col <= d.Place.Col+len([]rune(name)) {
			return d, true
		}
	}
	return Symbol{}, false
}

// DeclaredBy returns the symbol that is declared at just this place.
func (x *Index) DeclaredBy(place plan.Place) (Symbol, bool) {
	for _, d := range x.Declared() {
		if d.Place == place {
			return d, true
		}
	}
	return Symbol{}, false
}

// Declared returns all symbols that the author declares, definitions before their parts.
//
// It is made once for an index and kept, because rename, hover and highlights go from a place to a
// symbol again and again. Variables have no declaration of their own and are left out; their
// members are not.
func (x *Index) Declared() []Symbol {
	if x.declared == nil {
		w := &declarations{seen: map[plan.Place]bool{}}
		for _, d := range x.Definitions() {
			w.addSymbol(d)
		}
		for _, t := range x.book.Tables {
			for _, key := range append(keysOf(t), x.ColumnKeys(t.ID)...) {
				w.addSymbol(key)
			}
		}
		for _, m := range x.characterMembers() {
			w.addSymbol(m)
		}
		for _, of := range x.scope {
			for _, s := range of() {
				w.addSymbol(s)
			}
		}
		x.declared = w.list
	}
	return x.declared
}

// declarations collects symbols with a place, each once.
type declarations struct {
	list []Symbol
	seen map[plan.Place]bool
}

// addSymbol adds a symbol and its members, which may be declared where the symbol is not: those of a used rule.
func (w *declarations) addSymbol(s Symbol) {
	if s.Place != (plan.Place{}) {
		if w.seen[s.Place] {
			return
		}
		w.seen[s.Place] = true
		if s.Kind != Variable {
			w.list = append(w.list, s)
		}
	}
	for _, m := range s.Members() {
		w.addSymbol(m)
	}
}
