package plan

import (
	"strconv"
	"strings"
)

// CutStep cuts the first step off a path of names, `skills["St. John"].level` or `hits[2].place`. A name with a dot, a
// bracket, a quote or an equals sign stands in brackets and quotes, as in CEL and in the paths of messages. indices are
// those of elements behind the name, "[2]" or "[*]". more reports whether a step follows.
func CutStep(path string) (name, indices, rest string, more bool) {
	name, rest, quoted := cutQuoted(path)
	if !quoted {
		end := strings.IndexAny(path, ".[")
		if end < 0 {
			return path, "", "", false
		}
		name, rest = path[:end], path[end:]
	}
	for strings.HasPrefix(rest, "[") && !startsQuoted(rest) {
		end := strings.IndexByte(rest, ']') + 1
		if end == 0 {
			end = len(rest)
		}
		indices, rest = indices+rest[:end], rest[end:]
	}
	after, dotted := strings.CutPrefix(rest, ".")
	if !dotted && rest != "" && rest[0] != '[' { // `a["b"]c` is no path: nothing has such a name
		return path, "", "", false
	}
	return name, indices, after, rest != ""
}

// startsQuoted reports whether a text begins with a name in brackets and quotes.
func startsQuoted(text string) bool {
	_, _, quoted := cutQuoted(text)
	return quoted
}

// cutQuoted cuts a name in brackets and quotes off a text that begins with one.
func cutQuoted(text string) (name, rest string, quoted bool) {
	inner, bracketed := strings.CutPrefix(text, "[")
	switch {
	case !bracketed || inner == "":
		return "", text, false
	case inner[0] == '\'': // which a shell leaves alone within double quotes
		name, rest, quoted = strings.Cut(inner[1:], "']")
	case inner[0] == '"':
		literal, err := strconv.QuotedPrefix(inner)
		if err != nil {
			return "", text, false
		}
		rest, quoted = strings.CutPrefix(inner[len(literal):], "]")
		if name, err = strconv.Unquote(literal); err != nil {
			return "", text, false
		}
	}
	if !quoted {
		return "", text, false
	}
	return name, rest, true
}

// SplitPath returns the names on a path, those of elements with their indices.
func SplitPath(path string) (out []string) {
	for {
		name, indices, rest, more := CutStep(path)
		if out = append(out, name+indices); !more {
			return out
		}
		path = rest
	}
}

// JoinPath returns the path of some names, which SplitPath takes apart.
func JoinPath(names ...string) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case name == "" || strings.ContainsAny(name, `.[]"'=`):
			b.WriteString("[" + strconv.Quote(name) + "]")
		case i > 0:
			b.WriteString("." + name)
		default:
			b.WriteString(name)
		}
	}
	return b.String()
}

// CutAssignment cuts NAME=VALUE at the first equals sign outside names in brackets and quotes.
func CutAssignment(text string) (name, value string, found bool) {
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '=':
			return text[:at], text[at+1:], true
		case '[':
			if _, rest, quoted := cutQuoted(text[at:]); quoted {
				at = len(text) - len(rest) - 1
			}
		}
	}
	return text, "", false
}

// QuoteKey returns a path with its end in brackets and quotes where that can only be a key of a map, `skills["St. John"]` of
// "skills.St. John"; "" of any other path.
func (s *Shape) QuoteKey(path string) string {
	var names []string
	for more := true; more && s != nil; {
		if s.Kind == Map && s.Elem != nil && s.Elem.Kind >= Int && s.Elem.Kind <= String {
			if _, _, _, deeper := CutStep(path); deeper && !startsQuoted(path) {
				return JoinPath(append(names, path)...)
			}
			return ""
		}
		var name, indices, rest string
		name, indices, rest, more = CutStep(path)
		names, path, s = append(names, name+indices), rest, s.Member(name)
	}
	return ""
}
