package mutants

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
)

// A reach says which definitions a definition can change, and which it needs, by the words in their formulas.
//
// Names are as subjects write them, "rule test". Identifiers are taken from formulas as words,
// without their meaning: a variable called like a table makes a rule depend on it, which costs time
// and hides nothing.
type reach struct {
	names []string
	needs map[string][]string // definition -> those that it names
	users map[string][]string // the other way
	sheet []string            // what the character's shape names
	parts map[string]*part
}

// A part of a ruleset is what must be compiled to play a mutant: the rules and procedures that it can change, and all that
// they need.
type part struct {
	asks  map[string]bool // "rule test": whose cases are played; tables too
	needs map[string]bool
}

func newReach(b *book.Ruleset) *reach {
	r := &reach{needs: map[string][]string{}, users: map[string][]string{}, parts: map[string]*part{}}
	defs := listDefinitions(b)
	byID := map[string][]string{}
	for _, d := range defs {
		r.names = append(r.names, d.name)
		byID[d.id] = append(byID[d.id], d.name)
	}
	for _, d := range defs {
		for id := range d.identifiers() {
			for _, name := range byID[id] {
				if name != d.name {
					r.needs[d.name] = append(r.needs[d.name], name)
					r.users[name] = append(r.users[name], d.name)
				}
			}
		}
	}
	tables := map[string]bool{}
	addShapeTables(tables, b.Character)
	for id := range tables {
		r.sheet = append(r.sheet, "table "+id)
	}
	return r
}

// partFor returns the part of the book that a change of definitions can affect. The character, and a table whose keys
// close one of its fields, can change whether a character fits at all, and so every rule.
func (r *reach) partFor(owners []string) *part {
	key := strings.Join(owners, "\n")
	if p := r.parts[key]; p != nil {
		return p
	}
	from := owners
	if slices.Contains(owners, "character") ||
		slices.ContainsFunc(owners, func(o string) bool { return slices.Contains(r.sheet, o) }) {
		from = r.names
	}
	p := &part{asks: reachableNames(from, r.users)}
	var asked []string
	for name := range p.asks {
		asked = append(asked, name)
	}
	p.needs = reachableNames(append(asked, r.sheet...), r.needs)
	r.parts[key] = p
	return p
}

// reachableNames returns all names that can be reached from some.
func reachableNames(from []string, next map[string][]string) map[string]bool {
	out := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if out[name] {
			return
		}
		out[name] = true
		for _, n := range next[name] {
			visit(n)
		}
	}
	for _, name := range from {
		visit(name)
	}
	return out
}
