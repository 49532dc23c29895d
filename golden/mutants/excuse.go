package mutants

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/tabletop-rules/rules/golden"
)

// An Excuse says why no case can, or need, notice one mutant. It is written by a person, beside the cases, and stands only
// as long as the mutant survives: one that a case notices later makes it stale, so the list never says less than is known.
type Excuse struct {
	What   string // as in Mutation: "rule test, let value"
	Was    string
	Now    string
	Reason string
	Line   int // in the file, 1-based
}

// excuseFile is the name of the list beside the cases.
const excuseFile = "survivors.txt"

// LoadExcuses reads survivors.txt in a directory, which errors name as it is called; none when there is no such file.
func LoadExcuses(fsys fs.FS, dir, called string) ([]Excuse, error) {
	data, err := fs.ReadFile(fsys, path.Join(dir, excuseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return ParseExcuses(path.Join(called, excuseFile), string(data))
}

// ParseExcuses returns the excuses of a text, in lines of three parts, "part | was -> now | reason"; lines that begin with
// # are comments. A line stands for one mutant: two that read alike need two lines. An error is a *golden.Error.
func ParseExcuses(name, data string) ([]Excuse, error) {
	var out []Excuse
	n := 0
	for line := range strings.Lines(data) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		// Formulas may hold " || ", which is no separator, but never " | ".
		parts := strings.Split(line, " | ")
		if len(parts) != 3 {
			return nil, &golden.Error{File: name, Line: n, Msg: fmt.Sprintf("%q is not what | was -> now | reason", line)}
		}
		was, now, ok := strings.Cut(parts[1], " -> ")
		if !ok {
			return nil, &golden.Error{File: name, Line: n, Msg: fmt.Sprintf("%q is not was -> now", parts[1])}
		}
		out = append(out, Excuse{parts[0], was, now, strings.TrimSpace(parts[2]), n})
	}
	return out, nil
}

// applyExcuses gives the survivors that have an excuse their reason, in the order of places, and lists the excuses that no
// survivor needs.
func applyExcuses(verdicts []Verdict, excuses []Excuse) (stale []Excuse) {
	for _, e := range excuses {
		if v := findExcused(verdicts, e); v != nil {
			v.Outcome, v.Reason = Excused, e.Reason
		} else {
			stale = append(stale, e)
		}
	}
	return stale
}

func findExcused(verdicts []Verdict, e Excuse) *Verdict {
	for i := range verdicts {
		v := &verdicts[i]
		if v.Outcome == Survived && v.What == e.What && v.Was == e.Was && v.Now == e.Now {
			return v
		}
	}
	return nil
}
