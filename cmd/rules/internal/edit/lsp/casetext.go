package lsp

import (
	"regexp"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/golden"
)

// A caseText is one case of a file on the screen, which may be half written: where it stands, what it is about, and where
// its files are. Lines count from 1.
type caseText struct {
	first, last int    // its lines; the last one is inside
	owner       string // the definition that it is about, as package symbols names it; empty when it does not say
	ownerLine   int    // the line that says so; 0 when it is the first case of the file that does
	files       []caseFile
}

// A caseFile is a file of a case.
type caseFile struct {
	name        string
	first, last int // its lines, behind the one with its name; the last one is inside
}

var (
	// subjectLine is the header that says what a case is about.
	subjectLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(rule|odds|procedure|table|function):\s*(\w+)`)
	})
	fileName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-- (\S.*) --\s*$`) })
)

// fileLine returns the line before a file of a case.
func fileLine(name string) string { return "-- " + name + " --" }

// splitCases returns the cases of a file. A case without a subject of its own has that of the first.
//
// It repeats the form that golden.ParseAll knows, in the weakest way that still finds places: the parser refuses a file
// with one wrong line, and an editor needs the other cases of it meanwhile.
func splitCases(text *textFile) []caseText {
	out := []caseText{{first: 1}}
	for i, line := range text.lines {
		c := &out[len(out)-1]
		c.last = i + 1
		if n := len(c.files); n > 0 {
			c.files[n-1].last = i + 1
		}
		m := fileName().FindStringSubmatch(line)
		switch {
		case m != nil && m[1] == golden.NextCase:
			c.last = i
			if n := len(c.files); n > 0 {
				c.files[n-1].last = i
			}
			out = append(out, caseText{first: i + 2, last: i + 1})
		case m != nil:
			if n := len(c.files); n > 0 {
				c.files[n-1].last = i
			}
			c.files = append(c.files, caseFile{m[1], i + 2, i + 1})
		case len(c.files) == 0 && c.owner == "":
			if m := subjectLine().FindStringSubmatch(line); m != nil {
				c.owner, c.ownerLine = strings.Replace(m[1], "odds", "rule", 1)+" "+m[2], i+1
			}
		}
	}
	for i := range out {
		if out[i].owner == "" {
			out[i].owner = out[0].owner
		}
	}
	return out
}

// caseAt returns the case of a file at a line.
func caseAt(text *textFile, line int) caseText {
	list := splitCases(text)
	for _, c := range list {
		if line <= c.last {
			return c
		}
	}
	return list[len(list)-1]
}

// fileAt returns the file of the case at a line; not ok among the headers and the sentences.
func (c *caseText) fileAt(line int) (caseFile, bool) {
	for _, f := range c.files {
		if f.first <= line && line <= f.last {
			return f, true
		}
	}
	return caseFile{}, false
}

// fileNamed returns the file of a name; not ok when the case has none.
func (c *caseText) fileNamed(name string) (caseFile, bool) {
	for _, f := range c.files {
		if f.name == name {
			return f, true
		}
	}
	return caseFile{}, false
}
