package golden

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A Statement is something that a book states, or works through as an example.
//
// The list is the inventory of a book, made before the ruleset and apart from it: only so can "no
// definition carries this out" be noticed. The four kinds excuse a statement that no formula can
// hold, and every excuse has a reason that reviewers read.
type Statement struct {
	ID      string
	Heading string // in the book
	Kind    string // why no definition carries it out: gap, definition, judgement or odds; empty when one does
	Reason  string // of Kind
	Example bool
	Ours    bool // of an example: the book works it without all of the numbers, and its cases say which are ours
	Line    int  // in statements.txt
}

// examplesLine begins the examples.
const examplesLine = "# examples"

// LoadStatements reads statements.txt in a directory, which errors name as it is called.
func LoadStatements(fsys fs.FS, dir, called string) ([]Statement, error) {
	data, err := fs.ReadFile(fsys, path.Join(dir, "statements.txt"))
	if err != nil {
		return nil, err
	}
	return ParseStatements(path.Join(called, "statements.txt"), string(data))
}

// ParseStatements reads lines "id | heading" and "id | heading | kind: reason"; after the line "# examples" come the
// examples, "id | heading", or "id | heading | ours" where the book leaves numbers out. Other lines that begin with # say
// nothing. An error is an *Error.
//
// An id that stands twice would be excused in one line and held in the other. It is an error at its
// second line.
func ParseStatements(name, data string) ([]Statement, error) {
	var out []Statement
	seen := map[string]int{}
	examples := false
	n := 0
	for line := range strings.Lines(data) {
		n++
		line = strings.TrimSpace(line)
		if examples = examples || line == examplesLine; line == "" || line[0] == '#' {
			continue
		}
		s, err := parseStatement(line, examples)
		if err != nil {
			return nil, &Error{name, n, err.Error()}
		}
		if first, twice := seen[s.ID]; twice {
			return nil, &Error{name, n, fmt.Sprintf("%s stands in line %d already", s.ID, first)}
		}
		s.Line, seen[s.ID] = n, n
		out = append(out, s)
	}
	return out, nil
}

func parseStatement(line string, example bool) (Statement, error) {
	parts := strings.SplitN(line, "|", 3)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if len(parts) < 2 || parts[0] == "" || parts[1] == "" || strings.ContainsAny(parts[0], " \t") {
		return Statement{}, fmt.Errorf("%q is not id | heading", line)
	}
	s := Statement{ID: parts[0], Heading: parts[1], Example: example}
	if len(parts) == 2 {
		return s, nil
	}
	if example {
		if s.Ours = parts[2] == "ours"; !s.Ours {
			return s, fmt.Errorf("%s is an example: no kind and no reason excuse it, and %q is not ours", s.ID, parts[2])
		}
		return s, nil
	}
	kind, reason, _ := strings.Cut(parts[2], ":")
	s.Kind, s.Reason = kind, strings.TrimSpace(reason)
	if !slices.Contains([]string{"gap", "definition", "judgement", "odds"}, kind) || s.Reason == "" {
		return s, fmt.Errorf("%q is not gap, definition, judgement or odds, a colon, and a reason", parts[2])
	}
	return s, nil
}
