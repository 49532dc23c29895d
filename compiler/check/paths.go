package check

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/compiler/book"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// typeAtPath returns the type at a path into a shape; nil, with a diagnostic, if there is no such path. of names the owner
// of the shape. A character in a state, state.them.fatigue, goes on in the ruleset's own shape of characters.
func (c *checker) typeAtPath(s *plan.Shape, path string, at plan.Place, subject, of string) *plan.Type {
	for name := range strings.SplitSeq(path, ".") {
		next := ShapeAt(s, name)
		if next == nil {
			d := c.diags.Addf("unknown-member", at, subject, "%s has no field %s", of, name).About(name)
			d.Repair = suggestMember(name, ShapeNames(s))
			if rest, ok := strings.CutPrefix(path, "state."); ok && of == "#State" {
				d.Repair = "fields of the state stand by themselves: write " + rest
			} else if of == "#State" && ShapeAt(c.book.Character, name) != nil {
				d.Repair = fmt.Sprintf("the character has it: write \"character.%s\": \"...\"", path)
			}
			return nil
		}
		if next.Character {
			next = c.book.Character
		}
		s, of = next, of+"."+name
	}
	return c.typeOfShape(s)
}

func pathsOf(list []book.Named) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].Name
	}
	return out
}

// missingMembers lists the members of a shape that have no default and that no path sets, in whole or in all they need.
// For {a!: int, b: {x!: int, y: *0 | int}} and the single path b.y they are a and b.x.
func missingMembers(s *plan.Shape, prefix string, paths []string) []string {
	if s == nil {
		return nil
	}
	var out []string
	for i := range s.Fields {
		m := &s.Fields[i]
		path := prefix + m.Name
		whole, parts := areSet(paths, path)
		switch {
		case whole:
		case parts && m.Default == "":
			out = append(out, missingMembers(m.Shape, path+".", paths)...)
		case !parts && m.Default == "" && !m.Optional:
			out = append(out, path)
		}
	}
	return out
}

// areSet reports whether paths set a path as a whole, or parts of it.
func areSet(paths []string, path string) (whole, parts bool) {
	for _, p := range paths {
		whole = whole || p == path
		parts = parts || strings.HasPrefix(p, path+".")
	}
	return whole, parts
}
