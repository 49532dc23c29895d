package site

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/rulebook"
	"github.com/tabletop-rules/rules/runtime/spell"
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

// LinkFor returns the link to a definition for a query: to the first row that has all of its words, where its name does
// not.
func (d *definitionView) LinkFor(query string) string {
	words := strings.Fields(strings.ToLower(query))
	if d.Table == nil || countMisses(d, words) == 0 {
		return d.Link
	}
	for _, r := range d.Table.Rows {
		text := strings.ToLower(strings.Join(r.Cells, " "))
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			file, _, _ := strings.Cut(d.Link, "#")
			return file + "#" + r.ID
		}
	}
	return d.Link
}

// searchForgiving finds as search does and, where nothing has a word, looks for the word of the book that is nearest to it.
// It returns the query for which it looked; "" where that is the one that was typed.
func (b *bookView) searchForgiving(query string) (found []*definitionView, instead string) {
	if found = b.search(query); len(found) > 0 {
		return found, ""
	}
	words := strings.Fields(strings.ToLower(query))
	for i, w := range words {
		if !slices.Contains(b.vocabulary, w) {
			words[i] = cmp.Or(spell.Nearest(w, b.vocabulary), w)
		}
	}
	if found = b.search(strings.Join(words, " ")); len(found) == 0 {
		if words = b.mostTelling(words); words == nil {
			return nil, ""
		}
		found = b.search(strings.Join(words, " "))
	}
	return found, strings.Join(words, " ")
}

// mostTelling returns those words of a query that the best definition has, where none has all: of "hard navigation" that
// which fewer definitions have counts for more.
func (b *bookView) mostTelling(words []string) (best []string) {
	weight := map[string]float64{}
	for _, w := range words {
		for _, d := range b.allDefinitions() {
			if strings.Contains(d.words, w) {
				weight[w]++
			}
		}
	}
	most := 0.0
	for _, d := range b.allDefinitions() {
		sum, has := 0.0, []string(nil)
		for _, w := range words {
			if strings.Contains(d.words, w) {
				sum += 1 / weight[w]
				has = append(has, w)
			}
		}
		if sum > most {
			most, best = sum, has
		}
	}
	return best
}

// collectVocabulary returns the words by which definitions are found, each once.
func (b *bookView) collectVocabulary() []string {
	var out []string
	for _, d := range b.allDefinitions() {
		out = append(out, strings.FieldsFunc(d.words, func(r rune) bool { return !unicode.IsLetter(r) })...)
	}
	slices.Sort(out)
	return slices.Compact(out)
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
