package diag

import (
	"slices"
	"strings"
)

// A Page is the entry of a code: what the problem is, and an example of a ruleset that has it and of one that has not.
// Both examples are bodies of a CUE file of a ruleset package; a test compiles them.
type Page struct {
	Code     Code
	Severity Severity
	Homebrew bool   // the examples are bodies of a homebrew
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

var pages = sorted(loadPages, checkPages, overlayPages, analysePages)

func sorted(lists ...[]Page) []Page {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b Page) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return all
}
