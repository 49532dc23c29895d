package lsp

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/symbols"
	"github.com/tabletop-rules/rules/golden"
)

// A jsonPlace is where a position stands in a text of JSON that may be half written.
type jsonPlace struct {
	path   []string // the members that it is in, from the outermost
	member string   // whose value is written there; empty where a name is
	quoted bool     // a string has begun
	names  []string // of the members that the object around it has before it
}

// jsonLevel is an object or a list that is open.
type jsonLevel struct {
	object bool
	member string
	names  []string
}

// placeInJSON reads a text up to a position, which is its end.
func placeInJSON(text string) jsonPlace {
	var open []jsonLevel
	var member, last string
	out := jsonPlace{}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			open = append(open, jsonLevel{object: text[i] == '{', member: member})
			member = ""
		case '}', ']':
			open = open[:max(len(open)-1, 0)]
			member = ""
		case ',':
			member = ""
		case ':':
			member = last
			if n := len(open); n > 0 {
				open[n-1].names = append(open[n-1].names, last)
			}
		case '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) {
				out.quoted = true
			} else if s, err := strconv.Unquote(text[i : end+1]); err == nil {
				last = s
			}
			i = end
		}
	}
	for _, l := range open {
		if l.member != "" {
			out.path = append(out.path, l.member)
		}
	}
	if n := len(open); n > 0 {
		out.names = open[n-1].names
		if member == "" && !open[n-1].object {
			out.member = open[n-1].member // an element of a list
		}
	}
	if member != "" {
		out.member = member
	}
	return out
}

// subjectLine is the header that says what a case is about.
var subjectLine = regexp.MustCompile(`^(rule|odds|procedure):\s*(\w+)`)

// completeJSON lists what may stand at a position in a file of a case in JSON: the members of the character, the input or
// the sheet that it has not yet, and the values that a member may have.
func completeJSON(s *snapshot, file string, p position) []completionItem {
	text := s.text(file)
	at := text.place(file, p, s.encoding)
	from, name := at.Line, ""
	for ; from > 0 && name == ""; from-- {
		if l := text.line(from); strings.HasPrefix(l, "-- ") && strings.HasSuffix(l, " --") {
			name = strings.TrimSuffix(strings.TrimPrefix(l, "-- "), " --")
		}
	}
	owner := ""
	for n := from; n > 0 && owner == "" && text.line(n) != fileLine(golden.NextCase); n-- {
		if m := subjectLine.FindStringSubmatch(text.line(n)); m != nil {
			owner = strings.Replace(m[1], "odds", "rule", 1) + " " + m[2]
		}
	}
	x := s.indexOf(path.Base(path.Dir(file)))
	if x == nil || owner == "" || name == golden.NextCase {
		return []completionItem{}
	}
	begin := at
	begin.Line, begin.Col = from+2, 1
	where := placeInJSON(text.between(begin, at))
	return where.items(membersOf(x, owner, name, where.path))
}

// membersOf are the members that an object in a file of a case may have, by the path to it.
func membersOf(x *symbols.Index, owner, file string, path []string) []symbols.Symbol {
	root := map[string]string{"character.json": "character", "input.json": "input"}[file]
	if root != "" {
		sym, ok := x.Resolve(owner, append([]string{root}, path...))
		if !ok {
			return nil
		}
		return slices.DeleteFunc(sym.Members(), func(m symbols.Symbol) bool { return m.Kind == symbols.Trait })
	}
	if file != "want.json" && file != "printed.json" {
		return nil
	}
	if len(path) == 0 {
		return []symbols.Symbol{{Name: "output", Kind: symbols.Field, Detail: "what the sheet answers"},
			{Name: "dice", Kind: symbols.Field, Detail: "the faces that it was played with"}}
	}
	for _, d := range x.Definitions() {
		if len(path) == 1 && path[0] == "output" && d.Kind.String()+" "+d.Name == owner {
			return d.Members()
		}
	}
	return nil
}

// items are those of the members that may stand at the place, as names or as values.
func (j *jsonPlace) items(members []symbols.Symbol) []completionItem {
	out := []completionItem{}
	quote := func(s string) string {
		if j.quoted {
			return s
		}
		return strconv.Quote(s)
	}
	for _, m := range members {
		item := itemOf(&m)
		switch {
		case j.member == m.Name:
			for _, value := range m.Members() {
				if value.Kind == symbols.Value {
					item = itemOf(&value)
					item.InsertText = quote(value.Name)
					out = append(out, item)
				}
			}
		case j.member == "" && !slices.Contains(j.names, m.Name):
			if item.InsertText = quote(m.Name); !j.quoted {
				item.InsertText += ": "
			}
			out = append(out, item)
		}
	}
	return out
}
