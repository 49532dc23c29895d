package site

import (
	"regexp"
	"slices"
	"strings"
)

// linkOf leads to a definition; "" for what the book has not, as what was removed.
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

// name is a word of a formula that may be the name of a definition.
var name = regexp.MustCompile(`'[^']*'|"[^"]*"|[A-Za-z_][A-Za-z_0-9.]*`)

// linkWords cuts a formula at the names of definitions: of calls, of traits and of options.
func (b *bookView) linkWords(text string) []wordView {
	var out []wordView
	rest := 0
	for _, at := range name.FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		id := strings.TrimPrefix(strings.TrimPrefix(word, "option."), "character.")
		link := b.links[id]
		called := at[1] < len(text) && text[at[1]] == '('
		if link == "" || !called && id == word {
			continue
		}
		out = append(out, wordView{Text: text[rest:at[0]]}, wordView{word, link})
		rest = at[1]
	}
	return append(out, wordView{Text: text[rest:]})
}
