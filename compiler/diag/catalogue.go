package diag

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"

	"github.com/tabletop-rules/rules/runtime/dice"
)

// The catalogue is data: one archive for each code, named after it. Its comment is a header, an empty line and the text;
// its files are the two examples and what must be said of the bad one:
//
//	severity: warning
//
//	A row of a table is never reached ...
//	-- bad.cue --
//	-- good.cue --
//	-- want --
//	game/body.cue:8:3: table weapon: ... [table-unreached, warning]
//
// An example is the body of a file of a ruleset package. "example: homebrew" in the header says that it is the body of a
// homebrew instead; "bad.cue" that begins with "rulesets" is the end of rules.cue. A page without examples says "example:
// none": the problem is not in the body of one file.

//go:embed pages/*.txtar
var pageFiles embed.FS

// notationMark stands in a text for the lines about dice notation, which only package dice has.
const notationMark = "DICE NOTATION\n"

// A Page is the entry of a code in the catalogue: what the problem is, and an example of a ruleset that has it and of one
// that has not. A test compiles both examples.
type Page struct {
	Code     Code
	Severity Severity
	Homebrew bool   // the examples are bodies of a homebrew
	Bare     bool   // there are no examples
	Text     string // for an author: sentences in lines of at most 100 columns
	Bad      string
	Good     string
	Want     string // all that is said of Bad, a diagnostic after the other
}

// Summary returns the first sentence of the text, on one line and without its full stop.
func (p *Page) Summary() string {
	text := strings.Join(strings.Fields(p.Text), " ")
	first, _, _ := strings.Cut(text, ". ")
	return strings.TrimSuffix(first, ".")
}

// TextWithExamples returns the text and both examples.
func (p *Page) TextWithExamples() string {
	if p.Bare {
		return p.Text
	}
	return p.Text + "\n\nwrong:\n" + p.Bad + "\nright:\n" + p.Good
}

// Pages lists every code, sorted. Callers must not change it.
func Pages() []Page { return catalogue() }

// Codes returns every code, sorted.
func Codes() []string {
	var out []string
	for _, p := range Pages() {
		out = append(out, string(p.Code))
	}
	return out
}

// Entry returns the page of a code; it panics on a code without one, which is a broken invariant.
func Entry(code Code) Page {
	pages := catalogue()
	i, found := slices.BinarySearchFunc(pages, code, func(p Page, c Code) int {
		return strings.Compare(string(p.Code), string(c))
	})
	if !found {
		panic("diag: no page for code " + string(code))
	}
	return pages[i]
}

// catalogue parses the pages when the first diagnostic is made, so that a program that reports nothing does not pay.
var catalogue = sync.OnceValue(func() []Page {
	names, err := fs.Glob(pageFiles, "pages/*.txtar")
	if err != nil {
		panic("diag: " + err.Error())
	}
	var pages []Page
	for _, name := range names {
		text, err := pageFiles.ReadFile(name)
		if err != nil {
			panic("diag: " + err.Error())
		}
		p, err := parsePage(Code(strings.TrimSuffix(path.Base(name), ".txtar")), text)
		if err != nil {
			panic(fmt.Sprintf("diag: %s: %v", name, err))
		}
		pages = append(pages, p)
	}
	slices.SortFunc(pages, func(a, b Page) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return pages
})

// parsePage reads the archive of a code.
func parsePage(code Code, data []byte) (Page, error) {
	p := Page{Code: code}
	archive := txtar.Parse(data)
	head, text, ok := strings.Cut(string(archive.Comment), "\n\n")
	if !ok {
		return p, fmt.Errorf("there is no empty line between the header and the text")
	}
	for line := range strings.Lines(head + "\n") {
		if err := p.setHeader(strings.TrimSpace(line)); err != nil {
			return p, err
		}
	}
	p.Text = strings.TrimSpace(strings.ReplaceAll(text, notationMark, dice.Help))
	parts := map[string]*string{"bad.cue": &p.Bad, "good.cue": &p.Good, "want": &p.Want}
	for _, f := range archive.Files {
		part := parts[f.Name]
		if part == nil || *part != "" {
			return p, fmt.Errorf("a page has one bad.cue, good.cue and want, and nothing else: found %s", f.Name)
		}
		*part = string(f.Data)
	}
	if p.Text == "" || (p.Bad == "") != p.Bare || (p.Good == "") != p.Bare {
		return p, fmt.Errorf("a page has a text, bad.cue and good.cue")
	}
	return p, nil
}

// setHeader reads a line "name: value" above the text of a page.
func (p *Page) setHeader(line string) error {
	key, value, _ := strings.Cut(line, ": ")
	switch {
	case key == "severity" && slices.Contains(severityNames[:], value):
		p.Severity = Severity(slices.Index(severityNames[:], value))
	case key == "example" && value == "homebrew":
		p.Homebrew = true
	case key == "example" && value == "none":
		p.Bare = true
	default:
		return fmt.Errorf("there is no header %q", line)
	}
	return nil
}
