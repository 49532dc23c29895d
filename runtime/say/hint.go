package say

import (
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Hint says how people are asked for a field.
type Hint struct {
	Primary int64  // its place among what is asked first of its record; 0 of what is not asked first
	Order   int64  // ascending among what is asked first of all records
	Group   string // the id of the fields among which it stands; "" for none
	Steps   *plan.Steps
	Rolls   *plan.Rolling
}

// A hintKey finds the hint of a field.
type hintKey struct {
	root     plan.Root
	of, path string
}

// hints has the hints of fields, and the records of which some field has a place.
type hints struct {
	fields  map[hintKey]*plan.FieldHint
	ordered map[hintKey]bool
}

func newHints(list []plan.FieldHint) hints {
	h := hints{map[hintKey]*plan.FieldHint{}, map[hintKey]bool{}}
	for i := range list {
		f := &list[i]
		path := withoutElements(f.Path)
		h.fields[hintKey{f.Root, f.Of, path}] = f
		if f.Primary > 0 {
			h.ordered[hintKey{f.Root, f.Of, parentOf(path)}] = true
		}
	}
	return h
}

// maxNesting is how many records deep the order of fields is looked at.
const maxNesting = 6

// HintOf returns the hint of a field of a character, an input or an event: by its path as a FieldHint has it, with or
// without the signs of elements. A field of a record is asked first if the record is, and if it has a place itself or no
// field of the record has one. It stands in the group of the record unless it has its own.
func (s *Speaker) HintOf(root plan.Root, of, path string) Hint {
	path = withoutElements(path)
	var out Hint
	isFirst := true
	depth := 0
	for at, rest := "", path; rest != ""; depth++ {
		var step string
		step, rest, _ = strings.Cut(rest, ".")
		parent := at
		at = strings.TrimPrefix(at+"."+step, ".")
		var place int64
		if h := s.hints.fields[hintKey{root, of, at}]; h != nil {
			place = h.Primary
			if h.Group != "" {
				out.Group = h.Group
			}
			if rest == "" {
				out.Steps, out.Rolls = h.Steps, h.Rolls
			}
		}
		if place > 0 {
			out.Primary = place
		} else if depth == 0 || s.hints.ordered[hintKey{root, of, parent}] {
			isFirst = false
		}
		if depth < maxNesting {
			out.Order = out.Order<<7 | place
		}
	}
	out.Order <<= 7 * max(0, maxNesting-depth)
	if !isFirst {
		out.Primary, out.Order = 0, 0
	}
	return out
}

// GroupLabel returns the label of a group of fields, as a heading.
func (s *Speaker) GroupLabel(of, group string) string { return Capitalise(s.word(Within(of), group)) }

// withoutElements returns the path of a field without the signs of elements: "blows.weapon" of "blows[].weapon".
func withoutElements(path string) string {
	return strings.ReplaceAll(strings.ReplaceAll(path, "[]", ""), ".*", "")
}

// parentOf returns the path of the record in which a field stands; "" for the outermost.
func parentOf(path string) string { return path[:max(0, strings.LastIndexByte(path, '.'))] }
