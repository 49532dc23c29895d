package site

import (
	"slices"
	"strings"
)

// linkOf returns the link to a definition, or "" for one that the book lacks, such as a removed one.
func (b *bookView) linkOf(kind, id string) string {
	if d := b.find(kind, id); d != nil {
		return d.Link
	}
	return ""
}

// linkOfSubject leads to a rule or procedure that is called by kind and name.
func (b *bookView) linkOfSubject(name string) string {
	kind, id, _ := strings.Cut(name, " ")
	return b.linkOf(kind, id)
}

// linkNames leads to definitions that are called by kind and name: "rule test".
func (b *bookView) linkNames(names []string) []linkView {
	var out []linkView
	for _, name := range names {
		out = append(out, linkView{name, b.linkOfSubject(name)})
	}
	return slices.CompactFunc(out, func(x, y linkView) bool { return x == y })
}
