package rulebook

import (
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
)

// Named are the definitions that a name stands for: a definition with the events of a procedure, else a chapter by its file
// or its title, else the definitions that carry out a statement of the book.
func (b *Book) Named(name string) []*Definition {
	for _, is := range [...]func(*Definition) bool{
		func(d *Definition) bool {
			procedure, _, isEvent := strings.Cut(d.ID, ".")
			return d.ID == name || isEvent && procedure == name
		},
		func(d *Definition) bool { // an event without its procedure, and letters of another case
			_, event, isEvent := strings.Cut(d.ID, ".")
			return strings.EqualFold(d.ID, name) || isEvent && strings.EqualFold(event, name)
		},
		func(d *Definition) bool { return d.Chapter.isCalled(name) },
		func(d *Definition) bool { return slices.Contains(d.Covers, name) },
		func(d *Definition) bool { return slices.Contains(d.Covers, b.Ruleset+"."+name) },
	} {
		if found := b.where(is); len(found) > 0 {
			return found
		}
	}
	return nil
}

func (c *Chapter) isCalled(name string) bool {
	return c.Name == name || strings.EqualFold(c.Title, name)
}

// where are the definitions for which a test holds.
func (b *Book) where(is func(*Definition) bool) []*Definition {
	return slices.DeleteFunc(b.All(), func(d *Definition) bool { return !is(d) })
}

// Names returns the names that Named knows: definitions, chapters and statements.
func (b *Book) Names() []string {
	var definitions, chapters, statements []string
	for _, c := range b.Chapters {
		chapters = append(chapters, c.Name)
		for _, d := range c.Definitions {
			definitions = append(definitions, d.ID)
			statements = append(statements, d.Covers...)
		}
	}
	slices.Sort(statements)
	return slices.Concat(definitions, chapters, slices.Compact(statements))
}

// A Filter says which definitions are wanted; its zero value wants all.
type Filter struct {
	Kinds   []string
	Chapter string
	// Words must each stand in the name, the sentence, the citation, the statements or a row of a table, or be a choice of
	// an input.
	Words []string
}

// Select are the definitions that a filter wants.
func (b *Book) Select(f Filter) []*Definition {
	return b.where(func(d *Definition) bool {
		if len(f.Kinds) > 0 && !slices.Contains(f.Kinds, d.Kind) || f.Chapter != "" && !d.Chapter.isCalled(f.Chapter) {
			return false
		}
		texts := append([]string{d.ID, d.Doc, d.Cite}, d.Covers...)
		if d.Table != nil {
			for _, row := range d.Table.Cells {
				texts = append(texts, row...)
			}
		}
		text := strings.ToLower(strings.Join(texts, " "))
		return !slices.ContainsFunc(f.Words,
			func(word string) bool { return !strings.Contains(text, strings.ToLower(word)) && !d.offers(word) })
	})
}

// offers reports whether a word is a choice of one of the inputs.
func (d *Definition) offers(word string) bool {
	return slices.ContainsFunc(d.Input, func(x describe.Field) bool { return slices.Contains(x.Enum, word) })
}
