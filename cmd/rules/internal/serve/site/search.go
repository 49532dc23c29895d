package site

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/rulebook"
)

// search finds the definitions that have all words of a query.
//
// Every word must be found somewhere, in any order. Definitions are some hundred, so each is looked
// at; an index would be built more often than used.
func (b *bookView) search(query string) []*definitionView {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return nil
	}
	var out []*definitionView
	for _, c := range b.Chapters {
		for _, d := range c.Definitions {
			if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(d.words, w) }) {
				out = append(out, d)
			}
		}
	}
	slices.SortStableFunc(out, func(x, y *definitionView) int {
		return cmp.Or(cmp.Compare(rankOf(x, words), rankOf(y, words)),
			cmp.Compare(countMisses(x, words), countMisses(y, words)))
	})
	return out
}

// rankOf returns the rank of a found definition: 0 if its name has all the words, 1 if the contents list it, 2 for any
// other, and 3 for rulings.
//
// Who searches "heroic" wants the rule or the chapter first. Rulings come last although they match most often: their
// texts are long.
func rankOf(d *definitionView, words []string) int {
	switch {
	case rulebook.IsRuling(d.Kind):
		return 3
	case countMisses(d, words) == 0:
		return 0
	case d.IsMain():
		return 1
	}
	return 2
}

// searchChapters finds the chapters whose title has all words of a query.
func (b *bookView) searchChapters(query string) []*chapterView {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(b.Chapters), func(c *chapterView) bool {
		title := strings.ToLower(c.Title)
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(title, w) })
	})
}

// countMisses counts the words that are not in a name.
func countMisses(d *definitionView, words []string) int {
	n := 0
	for _, w := range words {
		if !strings.Contains(strings.ToLower(d.ID), w) {
			n++
		}
	}
	return n
}
