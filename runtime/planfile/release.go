package planfile

import (
	"bytes"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Release is a revision of a ruleset as it is given to others: a plan, what changed up to it, and the cases that it was
// held to, so that a later revision can be compared with what this one answers.
type Release struct {
	Plan      *plan.Plan
	Changelog string // Markdown, the newest revision first
	Cases     []File // golden cases as they were written, without a directory

	// Sources are the files of which the plan was compiled, by their paths from the root of their module. They are what a
	// homebrew is laid over. Reading does not compile them: that they say the rules of the plan is for whoever uses them to
	// find out.
	Sources []File
}

// A File is a text as it was written.
type File struct {
	Name string
	Data string
}

// sourcesName is the name of the part with the sources, which a release may lack.
const sourcesName = "sources"

// listSections returns the parts of a release, in their order.
func (r *Release) listSections(x extras, sources bool) []section {
	return append(fileSections(r.Plan, x), r.releaseSections(sources)...)
}

// releaseSections returns the parts beside those of the plan.
func (r *Release) releaseSections(sources bool) []section {
	out := []section{
		{"changelog", func(c *codec) { c.codeString(&r.Changelog) }},
		{"cases", func(c *codec) { codeList(c, &r.Cases, c.codeFile) }},
	}
	if sources {
		out = append(out, section{sourcesName, func(c *codec) { codeList(c, &r.Sources, c.codeFile) }})
	}
	return out
}

func (c *codec) codeFile(f *File) {
	c.codeString(&f.Name)
	c.codeString(&f.Data)
}

// WriteRelease returns the release file, with instructions unless w is nil. The same release gives the same bytes.
func WriteRelease(r *Release, w Instructions) []byte {
	return writeFile(releaseMagic,
		withInstructions(r.listSections(extrasOf(r.Plan), len(r.Sources) > 0), r.Plan, w))
}

// IsRelease reports whether a file begins as a release file does.
func IsRelease(file []byte) bool { return bytes.HasPrefix(file, []byte(releaseMagic)) }

// ReadRelease returns the release of a file and verifies it. Its errors are those of Open.
func ReadRelease(file []byte) (*Release, error) {
	if !IsRelease(file) {
		return nil, ErrNotPlan
	}
	a, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, err
	}
	return a.readAll()
}
