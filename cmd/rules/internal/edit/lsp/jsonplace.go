package lsp

import (
	"slices"
	"strconv"
)

// A jsonPlace is where a position stands in a text of JSON that may be half written.
type jsonPlace struct {
	open     []jsonLevel // the objects and lists that it is in, from the outermost
	member   string      // whose value is written there; empty where a name is
	inString bool        // a string has begun
}

// A jsonLevel is an object or a list that is open.
type jsonLevel struct {
	object bool
	member string            // that it is the value of; empty for an element of a list
	names  []string          // of the members before the position
	texts  map[string]string // the strings that are values of members before the position
	index  int               // of the element that is written
}

// placeInJSON reads a text up to a position, which is its end.
//
// It is a scanner and no parser: brackets, strings and commas are enough to know in which object a
// position lies and which members stand before it, in a text that breaks off anywhere.
func placeInJSON(text string) jsonPlace {
	out := jsonPlace{}
	member, last := "", ""
	level := func() *jsonLevel {
		if len(out.open) == 0 {
			return &jsonLevel{}
		}
		return &out.open[len(out.open)-1]
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			out.open = append(out.open, jsonLevel{object: text[i] == '{', member: member, texts: map[string]string{}})
			member = ""
		case '}', ']':
			out.open = out.open[:max(len(out.open)-1, 0)]
			member = ""
		case ',':
			member = ""
			level().index++
		case ':':
			member = last
			level().names = append(level().names, last)
		case '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) {
				out.inString = true
			} else if s, err := strconv.Unquote(text[i : end+1]); err == nil {
				if last = s; member != "" && len(out.open) > 0 {
					level().texts[member] = s
				}
			}
			i = end
		}
	}
	if out.member = member; member == "" && len(out.open) > 0 && !level().object {
		out.member = level().member // an element of a list
	}
	return out
}

// memberPath returns the members that the place is in, from the outermost; elements of lists have no name.
func (j *jsonPlace) memberPath() []string {
	var out []string
	for _, l := range j.open {
		if l.member != "" {
			out = append(out, l.member)
		}
	}
	return out
}

// hasMember reports whether the object around the place has a member before it.
func (j *jsonPlace) hasMember(name string) bool {
	return len(j.open) > 0 && slices.Contains(j.open[len(j.open)-1].names, name)
}
