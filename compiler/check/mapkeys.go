package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A map of the character has the keys that its player has written: skills, powers, fields of knowledge. An input that names
// one of them is open to every string, and a misspelt name reads like one that the character does not have: the fighter who
// attacks with his "swrod" is untrained, without a word. So an author may say that a string is such a key, and which words
// say that it is none:
//
//	skill!: string @key(character.skills, untrained)
//
// Which keys there are is known only with the character. So this is no part of the schema but a requirement of the body
// that takes the input, and holds in every execution. What must be given is judged before all other requirements, which
// may look the key up; what has a default or may be absent after them, so that nobody is asked for it only to be
// refused. A rule that uses another and gives it the input is not judged: the names that stand in formulas are the
// author's, and of skills that not every character has.

// The map may be that of another character, or another field of what the body is given: @key(input.other.skills). It is
// found before the key is, so that it must be there whatever is left out.

// ownCharacter is the root of what @key names when it is a map of the character.
const ownCharacter = "character"

// givenNames are the names of what a body is given, by its root; empty for other roots.
var givenNames = [...]string{plan.CharacterRoot: "", plan.InputRoot: "input", plan.EventRoot: "event", plan.StateRoot: ""}

// A mapKey is what @key(character.skills, untrained) says.
type mapKey struct {
	root  string   // character, or the name of what the body is given: input or event
	path  string   // of the map there: "skills"
	words []string // that stand for no key
}

// String returns the map as formulas name it.
func (k mapKey) String() string { return k.root + "." + k.path }

// parseMapKey reads the text of @key; it returns false if the text names a table.
func parseMapKey(text string) (mapKey, bool) {
	parts := strings.Split(text, ",")
	root, path, ok := strings.Cut(strings.TrimSpace(parts[0]), ".")
	ok = ok && (root == ownCharacter || slices.Contains(givenNames[:], root))
	out := mapKey{root: root, path: path}
	for _, word := range parts[1:] {
		out.words = append(out.words, strings.TrimSpace(word))
	}
	return out, ok
}

// checkMapKey checks that @key names a map of the character, and stands where the character is known.
func (c *collector) checkMapKey(s *plan.Shape, key mapKey, subject string) {
	r := c.reporterFor(subject)
	of, what := c.book.Character, "#Character"
	if key.root != ownCharacter {
		of, what = c.given.Shape, "#Input"
		if c.given.Root == plan.EventRoot {
			what = "#Event"
		}
	}
	switch {
	case key.root != ownCharacter && key.root != givenNames[c.given.Root]:
		r.addf("unknown-table", s.Place, "@key(%s) stands where there is no %s", s.KeyOf, key.root).About(s.KeyOf)
	case !hasMap(of, key.path):
		r.addf("unknown-table", s.Place, "@key(%s) names no map of %s that is always there",
			s.KeyOf, what).About(s.KeyOf).
			Repair = diag.DidYouMeanOneOf(key.path, mapsOf(of))
	case !c.isInput:
		d := r.addf("unknown-table", s.Place, "@key(%s) stands at the input of a rule, a start or an event",
			s.KeyOf).About(s.KeyOf)
		if c.given.Root == plan.InputRoot && !c.given.OfBody {
			d.Repair = "write start: {}, which asks for the input and judges its keys"
		}
	}
}

// hasMap reports whether a path leads to a map that is always there.
func hasMap(s *plan.Shape, path string) bool {
	for name := range strings.SplitSeq(path, ".") {
		if s == nil || s.Kind != plan.Record {
			return false
		}
		i := slices.IndexFunc(s.Fields, func(m plan.Member) bool { return m.Name == name && !m.Optional })
		if i < 0 {
			return false
		}
		s = s.Fields[i].Shape
	}
	return s.Kind == plan.Map
}

// mapsOf lists the maps among the fields of a record, and of the records in it, for the repair of a misspelt @key.
func mapsOf(s *plan.Shape) []string {
	var out []string
	if s == nil {
		return nil
	}
	for i := range s.Fields {
		m := &s.Fields[i]
		if m.Optional {
			continue
		}
		switch m.Shape.Kind {
		case plan.Map:
			out = append(out, m.Name)
		case plan.Record:
			for _, name := range mapsOf(m.Shape) {
				out = append(out, m.Name+"."+name)
			}
		}
	}
	return out
}

// A keyRequirer makes the requirements of the strings of an input that are keys of the character's maps.
type keyRequirer struct {
	character, given *Given
	// first are the requirements of what must be given, last those of the rest; mayLack is whether a field around has a
	// default or may be absent.
	first, last []*Require
	mayLack     bool
}

// requireMapKeys returns the requirements of the records that are given with one use of a body: those that are judged
// before its other requirements, and those that are judged after them.
//
// For attack with skill!: string @key(character.skills, untrained) it is one requirement, "input.skill must be a key of
// character.skills, or untrained", with the condition input.skill in character.skills || input.skill == 'untrained'.
func requireMapKeys(s *Scope, given *Given) (first, last []*Require) {
	character, ok := s.findObject("character").(*Given)
	if given == nil || !ok || given.Shape == nil {
		return nil, nil
	}
	k := &keyRequirer{character: character, given: given}
	k.visit(&Expr{Op: OpRef, Type: given.typ, Object: given}, given.Shape, given.name, func(e *Expr) *Expr { return e })
	return k.first, k.last
}

// visit adds the requirements of a value. In a list they must hold of each element, and where a field may be missing, if it
// is there: within makes such a condition of one on the value.
//
// For attacks?: [...{skill: string @key(character.skills)}] the requirement is, from the outside
// in,
//
//	!has(input.attacks) || input.attacks.all(element, element.skill in character.skills)
func (k *keyRequirer) visit(e *Expr, s *plan.Shape, path string, within func(*Expr) *Expr) {
	key, isMapKey := parseMapKey(s.KeyOf)
	switch {
	case isMapKey && hasMap(k.rootOf(key).Shape, key.path):
		k.add(within(k.holds(e, key, s.Place)), key, s, path)
	case s.Kind == plan.Record && !s.Character:
		for i := range s.Fields {
			m := &s.Fields[i]
			field := &Expr{Op: OpField, Type: e.Type.Fields[i].Type, Name: m.Name, Args: []*Expr{e}, Place: m.Place}
			inside, around := within, k.mayLack
			k.mayLack = around || m.Optional || m.Default != ""
			if m.Optional {
				has := &Expr{Op: OpHas, Type: plan.BoolType, Name: m.Name, Args: []*Expr{e}, Place: m.Place}
				inside = func(c *Expr) *Expr { return within(eitherOf(negate(has), c)) }
			}
			k.visit(field, m.Shape, path+"."+m.Name, inside)
			k.mayLack = around
		}
	case s.Kind == plan.List:
		item := &Item{header: header{name: "element", typ: e.Type.Elem}}
		element := &Expr{Op: OpRef, Type: item.typ, Object: item}
		k.visit(element, s.Elem, path+"[*]", func(c *Expr) *Expr {
			return within(&Expr{Op: OpAll, Type: plan.BoolType, Item: item, Args: []*Expr{e, c}})
		})
	}
}

// rootOf returns the record in which the map of a key stands.
func (k *keyRequirer) rootOf(key mapKey) *Given {
	if key.root == ownCharacter {
		return k.character
	}
	return k.given
}

// holds returns the condition that a string is a key of the character's map, or one of the words for none.
func (k *keyRequirer) holds(e *Expr, key mapKey, at plan.Place) *Expr {
	in := &Expr{Op: OpCall, Type: plan.BoolType, Name: "in_map", Args: []*Expr{e, fieldExpr(k.rootOf(key), key.path)},
		Place: at}
	for _, word := range key.words {
		constant := &Expr{Op: OpConst, Type: plan.StringType, Value: Value{String: word}, Place: at}
		in = eitherOf(in, equalExprs(e, constant))
	}
	return in
}

func eitherOf(a, b *Expr) *Expr { return &Expr{Op: OpOr, Type: plan.BoolType, Args: []*Expr{a, b}} }

func negate(e *Expr) *Expr {
	return &Expr{Op: OpCall, Type: plan.BoolType, Name: "logical_not", Args: []*Expr{e}}
}

// add notes the requirement that a string is a key of a map of the character's, in words that a formula would have: its
// refusals are reported and traced like those of a requirement of the author's. The requirement of a field that may be left
// out comes last.
func (k *keyRequirer) add(e *Expr, key mapKey, s *plan.Shape, path string) {
	text := fmt.Sprintf("%s in %s", path, key)
	message := fmt.Sprintf("%s must be a key of %s", path, key)
	for _, word := range key.words {
		text += fmt.Sprintf(" || %s == '%s'", path, word)
	}
	if len(key.words) > 0 {
		message += ", or " + strings.Join(key.words, ", or ")
	}
	r := &Require{Expr: e,
		Book: &book.Require{Message: message, Place: s.Place, Expr: book.Text{S: text, Place: s.Place}}}
	if k.mayLack {
		k.last = append(k.last, r)
	} else {
		k.first = append(k.first, r)
	}
}
