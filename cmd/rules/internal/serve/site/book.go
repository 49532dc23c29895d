package site

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/rulebook"
	"github.com/tabletop-rules/rules/runtime/plural"
	"github.com/tabletop-rules/rules/runtime/say"
)

// A bookView is a ruleset as a book.
type bookView struct {
	Ruleset, Revision, Title, Doc, Source string
	Homebrews                             []string
	Chapters                              []*chapterView
	Characters                            []string      // that ship with the ruleset, by name
	Removed                               []removedView // by homebrews
	words                                 *say.Speaker
	vocabulary                            []string
	links, titles                         map[string]string // of definitions, by name; and what each says of itself
}

// A chapterView is a page of a book: the definitions of one file of the ruleset, with the rulings that decide them.
type chapterView struct {
	Title, File   string
	Definitions   []*definitionView
	Before, After *chapterView
}

// kindWords are words by which readers search rulings of a kind, who do not know what it is called.
var kindWords = map[string]string{
	"option": "choice ruling", "reading": "open question ruled ruling",
	"erratum": "contradiction of the book ruled otherwise ruling errata",
}

// Listed returns the definitions in the list at the side of a page. Events are left out, because they follow their
// procedures, and rulings too, because they stand beside the definitions they decide. If nothing else is left, all are
// listed.
func (c *chapterView) Listed() []*definitionView {
	out := slices.DeleteFunc(slices.Clone(c.Definitions), func(d *definitionView) bool {
		return d.Kind == "event" || rulebook.IsRuling(d.Kind)
	})
	if len(out) == 0 {
		return c.Definitions
	}
	return out
}

// A definitionView is a definition as the book shows it.
//
// It is made once for an edition and read by many requests at a time: nothing may be written to it
// after newBook.
type definitionView struct {
	describe.Definition
	Anchor, Link, Place string
	Try                 string // the way to its form; "" when it has none
	Table               *tableView
	Values              []valueView
	Statements          []statementView
	Told, Steps         []lineView      // what it gives and asks, in words; and what that rests on
	Changes             []changeView    // by homebrews
	UsedBy              []useView       // of an option: the rules and procedures that it decides
	Switch              *definitionView // of an erratum: the option that plays what is printed; nil for none
	IsAdded             bool            // by a homebrew
	Rulings             []rulingView
	Example             *exampleView
	model               *rulebook.Definition
	words               string   // what search looks into, in lower case
	askedOf             []string // shipped characters with an input of their own for it
}

// IsMain reports whether the contents list the definition.
func (d *definitionView) IsMain() bool {
	return d.Kind == "rule" || d.Kind == "procedure" || d.Kind == "table" || d.Kind == "trait"
}

// IsAskedOf reports whether a shipped character has an input of its own for the definition.
func (d *definitionView) IsAskedOf(character string) bool {
	return slices.Contains(d.askedOf, character)
}

type tableView struct {
	Head    []string
	Rows    []rowView
	Numbers []bool
}

type rowView struct {
	ID    string // for links to it
	Cells []string
}

type valueView struct {
	Value, Doc string
	Played     bool
}

// A rulingView is a ruling beside what it decides. Of an option the form of the definition can be opened under each value.
type rulingView struct {
	ID, Kind, Link, Text string
	Switch               []switchView
}

// A useView is a rule or procedure that an option decides, with the way to its form under each value.
type useView struct {
	Name, Link string
	Switch     []switchView
}

type switchView struct {
	Value, Label, Link string
	Played             bool
}

// A statementView is a statement of the book that a definition carries out. ID is for links to it; "" where another
// definition before it carries it out too.
type statementView struct{ Name, ID string }

// An exampleView is a worked example; Odds are those of what it asks, where no form shows them.
type exampleView struct {
	Name, Text string
	Odds       *oddsView
}

// newBook returns the book of an edition. A static one leaves out the controls that ask a server.
//
// Links and titles are collected in a first pass over all chapters. Formulas and rulings, which point forwards as often
// as backwards, are worked out in a second one (complete).
func newBook(e *library.Edition, static bool) *bookView {
	model := rulebook.New(e.Plan, e.Files)
	b := &bookView{Ruleset: model.Ruleset, Revision: model.Revision, Title: model.Title, Doc: plainDoc(model.Doc),
		Source: model.Source(), words: say.NewSpeaker(e.Plan),
		Homebrews: e.Plan.Overlays, links: map[string]string{},
		titles: map[string]string{}}
	for _, chapter := range model.Chapters {
		c := &chapterView{Title: chapter.Title, File: chapter.Name + ".html"}
		b.Chapters = append(b.Chapters, c)
		for _, d := range chapter.Definitions {
			v := &definitionView{Definition: d.Definition, Anchor: anchorOf(&d.Definition), Place: d.Place, model: d}
			v.Link = c.File + "#" + v.Anchor
			if !static && (d.Kind == "rule" || d.Kind == "procedure") {
				v.Try = "try/" + d.ID
			}
			c.Definitions = append(c.Definitions, v)
			if b.links[d.ID] == "" || d.Kind != "event" {
				b.links[d.ID], b.titles[d.ID] = v.Link, d.Doc
			}
		}
	}
	for i, c := range b.Chapters {
		if i > 0 {
			c.Before, b.Chapters[i-1].After = b.Chapters[i-1], c
		}
	}
	b.Characters = shippedCharacters(e)
	b.complete()
	b.markHomebrews(e)
	for _, name := range b.Characters {
		b.addAskedOf(e, name)
	}
	b.vocabulary = b.collectVocabulary()
	return b
}

// packageClause is how the comment of a CUE package begins, which says what the ruleset is or does.
var packageClause = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^Package \w+ (is )?`) })

// plainDoc is the sentence of a ruleset for those who do not know of packages.
func plainDoc(doc string) string {
	rest := doc[len(packageClause().FindString(doc)):]
	if rest == "" {
		return doc
	}
	return strings.ToUpper(rest[:1]) + rest[1:]
}

// shippedCharacters returns the names of the characters that ship with a ruleset: ada.json beside its cases, and not
// ada_test.json, which is her input of a rule.
func shippedCharacters(e *library.Edition) []string {
	if e.Files == nil {
		return nil
	}
	names, err := fs.Glob(e.Files, path.Join("golden", e.Plan.Ruleset, "*.json"))
	if err != nil {
		return nil
	}
	var out []string
	for _, name := range names {
		if name = strings.TrimSuffix(path.Base(name), ".json"); !strings.Contains(name, "_") {
			out = append(out, name)
		}
	}
	return out
}

// addAskedOf makes search find, by the name of a character, the definitions for which it has an input.
//
// Readers who search for the name of a character in the book's examples mean these definitions.
func (b *bookView) addAskedOf(e *library.Edition, character string) {
	for _, c := range b.Chapters {
		for _, d := range c.Definitions {
			file := path.Join("golden", b.Ruleset, character+"_"+d.ID+".json")
			if _, err := fs.Stat(e.Files, file); err == nil && d.Try != "" {
				d.words += " " + character
				d.askedOf = append(d.askedOf, character)
			}
		}
	}
}

// Errata are the sentences of the book that are played otherwise.
func (b *bookView) Errata() []*definitionView {
	return slices.DeleteFunc(b.allDefinitions(), func(d *definitionView) bool { return d.Erratum == nil })
}

// Marked are the definitions that a homebrew changed or added.
func (b *bookView) Marked() []*definitionView {
	return slices.DeleteFunc(b.allDefinitions(), func(d *definitionView) bool { return len(d.Overlays) == 0 })
}

// allDefinitions are the definitions of all chapters.
func (b *bookView) allDefinitions() []*definitionView {
	var out []*definitionView
	for _, c := range b.Chapters {
		out = append(out, c.Definitions...)
	}
	return out
}

// complete fills in the parts that need the links of all definitions.
func (b *bookView) complete() {
	carried := map[string]bool{}
	for _, c := range b.Chapters {
		for _, d := range c.Definitions {
			d.Table = tableOf(d)
			for _, v := range d.Definition.Values {
				d.Values = append(d.Values, valueView{v.Value, v.Doc, v.Value == d.Played})
			}
			b.addLines(d)
			for _, r := range d.model.Rulings {
				if x := b.find(r.Kind, r.ID); x != nil {
					d.Rulings = append(d.Rulings,
						rulingView{r.ID, r.Kind, x.Link, x.Summary(), d.switchesOf(b.switchOf(x))})
					if x.Kind == "option" && d.Try != "" {
						x.UsedBy = append(x.UsedBy, useView{say.Capitalise(d.Name()), d.Link, d.switchesOf(x)})
					}
				}
			}
			for _, name := range d.Covers {
				statement := statementView{Name: name}
				if !carried[name] {
					statement.ID, carried[name] = "statement."+name, true
				}
				d.Statements = append(d.Statements, statement)
			}
			if d.Erratum != nil {
				d.Switch = b.switchOf(d)
			}
			if x := d.model.Example; x != nil {
				d.Example = &exampleView{Name: x.Name, Text: x.Text}
			}
			d.words = strings.ToLower(
				strings.Join(append([]string{d.ID, d.Name(), d.Kind, kindWords[d.Kind],
					d.Summary(), d.Cite}, slices.Concat(d.Covers, d.keyWords())...), " "))
		}
	}
}

// switchOf returns the option that switches a ruling: itself, or the one that plays an erratum as printed; nil when
// there is none.
func (b *bookView) switchOf(ruling *definitionView) *definitionView {
	switch {
	case ruling.Erratum != nil:
		return b.find("option", ruling.Erratum.Option)
	case ruling.Kind == "option":
		return ruling
	}
	return nil
}

// switchesOf are the values of an option, with the ways to the form of a definition under each, when it has a form.
func (d *definitionView) switchesOf(option *definitionView) []switchView {
	if option == nil {
		return nil
	}
	var out []switchView
	for _, v := range option.Definition.Values {
		link := ""
		if d.Try != "" {
			link = d.Try + "?" + url.Values{optionPrefix + option.ID: {v.Value}}.Encode()
		}
		out = append(out, switchView{v.Value, choiceLabel(v.Value, v.Doc), link, v.Value == option.Played})
	}
	return out
}

// Name returns the id of a definition as words.
func (d *definitionView) Name() string { return spacedName(d.ID) }

func spacedName(id string) string { return strings.NewReplacer("_", " ", ".", ": ").Replace(id) }

// Name returns the id of a ruling as words.
func (r rulingView) Name() string { return spacedName(r.ID) }

// Switches are the options that a definition reads: rulings that a table may make otherwise.
func (d *definitionView) Switches() []rulingView { return d.rulingsThat(true) }

// Decided returns the readings and errata about the statements that a definition carries out.
func (d *definitionView) Decided() []rulingView { return d.rulingsThat(false) }

func (d *definitionView) rulingsThat(areSwitches bool) []rulingView {
	var out []rulingView
	for _, r := range d.Rulings {
		if (r.Kind == "option") == areSwitches {
			out = append(out, r)
		}
	}
	return out
}

// CountDecided says how many readings and errata there are, each kind by itself.
func (d *definitionView) CountDecided() string {
	readings, errata := 0, 0
	for _, r := range d.Decided() {
		if r.Kind == "erratum" {
			errata++
		} else {
			readings++
		}
	}
	var parts []string
	if errata > 0 {
		parts = append(parts, plural.Of(errata, "contradiction of the book", "contradictions of the book"))
	}
	if readings > 0 {
		parts = append(parts, plural.Of(readings, "open question", "open questions"))
	}
	return strings.Join(parts, " and ") + ", ruled"
}

// Summary returns a definition in a line: of a reading the question with its answer, of an erratum the printed text and
// the ruling.
func (d *definitionView) Summary() string {
	switch {
	case d.Reading != nil:
		return d.Reading.Question + " " + d.Reading.Ruled
	case d.Erratum != nil:
		return "printed: " + d.Erratum.Printed + "; played: " + d.Erratum.Ruled
	}
	return d.Doc
}

// keyWords are the keys of a table and the words of an example, by which search finds a definition.
func (d *definitionView) keyWords() []string {
	var out []string
	if d.Example != nil {
		out = append(out, d.Example.Name, d.Example.Text)
	}
	if d.Table != nil {
		for _, r := range d.Table.Rows {
			out = append(out, r.Cells...)
		}
	}
	return out
}

func (b *bookView) find(kind, id string) *definitionView {
	for _, c := range b.Chapters {
		for _, d := range c.Definitions {
			if d.Kind == kind && d.ID == id {
				return d
			}
		}
	}
	return nil
}

// unlinkable matches what the fragment of a row leaves out of its key: a link to a row lasts when others are added.
var unlinkable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^A-Za-z0-9.-]+`) })

// plainTruths are truths as a table of a book has them.
var plainTruths = map[string]string{"true": "yes", "false": "no"}

// tableOf shows a table.
//
// A row has a fragment made of its key, so that a link to a row survives other rows and other
// columns. Keys that differ only in signs that a fragment cannot have are numbered in their order.
func tableOf(d *definitionView) *tableView {
	t := d.Definition.Table
	if t == nil {
		return nil
	}
	out := &tableView{Head: append([]string{keyHead(t)}, t.Columns...), Numbers: t.Numbers}
	seen := map[string]int{}
	for _, cells := range t.Cells {
		id := d.Anchor + "." + unlinkable().ReplaceAllString(cells[0], "_")
		if seen[id]++; seen[id] > 1 {
			id = fmt.Sprintf("%s-%d", id, seen[id])
		}
		row := rowView{id, slices.Clone(cells)}
		for k := 1; k < len(row.Cells); k++ {
			row.Cells[k] = cmp.Or(plainTruths[row.Cells[k]], row.Cells[k])
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// keyHead names the first column of a table by how it is looked up.
func keyHead(t *describe.Table) string {
	if t.Kind == "keyed" {
		return "key"
	}
	return "number"
}

// anchorOf is the fragment of a definition: its name, with its kind where definitions of another kind may share that.
func anchorOf(d *describe.Definition) string {
	switch d.Kind {
	case "rule", "procedure", "event":
		return d.ID
	}
	return d.Kind + "." + d.ID
}
