package diag

import "slices"

// A Page is the entry of a code: what the problem is, and an example of a ruleset that has it and of one that has not.
// Both examples are bodies of a CUE file of a ruleset package; a test compiles them.
type Page struct {
	Code     Code
	Severity Severity
	Text     string // two or three sentences for an author
	Bad      string
	Good     string
}

// Pages lists every code, sorted.
func Pages() []Page { return pages }

// Entry is the page of a code; it panics on a code without one, which is a broken invariant.
func Entry(code Code) Page {
	i := slices.IndexFunc(pages, func(p Page) bool { return p.Code == code })
	if i < 0 {
		panic("diag: no page for code " + string(code))
	}
	return pages[i]
}

var pages = []Page{}
