package site

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/describe"
	"github.com/tabletop-rules/rules/cmd/rules/internal/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/rulebook"
	"github.com/tabletop-rules/rules/runtime"
)

// A bookView is a ruleset as a book.
type bookView struct {
	Ruleset, Revision, Title, Doc, Source, Path string
	Homebrews                                   []string
	Chapters                                    []*chapterView
	Characters                                  []string          // that ship with the ruleset, by name
	links                                       map[string]string // of definitions, by name
}

// A chapterView is a page of a book: the definitions of one file of the ruleset, with the rulings that decide them.
type chapterView struct {
	Title, File   string
	Definitions   []*definitionView
	Before, After *chapterView
}

// A definitionView is a definition as the book shows it.
type definitionView struct {
	describe.Definition
	Anchor, Link, Place string
	Try                 string // the way to its form; "" when it has none
	Table               *tableView
	Values              []valueView
	Lines               []lineView
	Rulings             []rulingView
	Example             *exampleView
	model               *rulebook.Definition
	words               string // what search looks into, in lower case
}

// IsMain reports whether the contents list the definition.
func (d *definitionView) IsMain() bool {
	return d.Kind == "rule" || d.Kind == "procedure" || d.Kind == "table" || d.Kind == "trait"
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

type lineView struct {
	Part, Name string
	Words      []wordView
}

// A wordView is a piece of a formula; a name leads to its definition.
type wordView struct{ Text, Link string }

// A rulingView is a ruling beside what it decides. Of an option the form of the definition can be opened under each value.
type rulingView struct {
	ID, Kind, Link, Text string
	Switch               []switchView
}

type switchView struct {
	Value, Link string
	Played      bool
}

type exampleView struct{ Name, Text string }

// newBook makes the book of an edition. A static one leaves out what asks a server.
func newBook(e *library.Edition, static bool) *bookView {
	model := rulebook.New(e.Plan, e.Files)
	b := &bookView{Ruleset: model.Ruleset, Revision: model.Revision, Title: model.Title, Doc: model.Doc,
		Source: model.Source(), Path: model.Ruleset + "/", Homebrews: e.Plan.Overlays, links: map[string]string{}}
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
				b.links[d.ID] = v.Link
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
	for _, name := range b.Characters {
		b.addAskedOf(e, name)
	}
	return b
}

// shippedCharacters are the characters that ship with a ruleset: ada.json beside its cases, and not ada_test.json, which is
// what she is asked.
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

// addAskedOf lets search find by the name of a character what that character is asked.
func (b *bookView) addAskedOf(e *library.Edition, character string) {
	for _, c := range b.Chapters {
		for _, d := range c.Definitions {
			file := path.Join("golden", b.Ruleset, character+"_"+d.ID+".json")
			if _, err := fs.Stat(e.Files, file); err == nil && d.Try != "" {
				d.words += " " + character
			}
		}
	}
}

// Errata are the sentences of the book that are played otherwise.
func (b *bookView) Errata() []*definitionView {
	return slices.DeleteFunc(b.all(), func(d *definitionView) bool { return d.Erratum == nil })
}

// all are the definitions of all chapters.
func (b *bookView) all() []*definitionView {
	var out []*definitionView
	for _, c := range b.Chapters {
		out = append(out, c.Definitions...)
	}
	return out
}

// complete fills in what needs the links of all definitions.
func (b *bookView) complete() {
	for _, c := range b.Chapters {
		for _, d := range c.Definitions {
			d.Table = tableOf(d)
			for _, v := range d.Definition.Values {
				d.Values = append(d.Values, valueView{v.Value, v.Doc, v.Value == d.Played})
			}
			for _, l := range d.Definition.Lines {
				d.Lines = append(d.Lines, lineView{l.Part, l.Name, b.linkWords(l.Text)})
			}
			for _, r := range d.model.Rulings {
				if x := b.find(r.Kind, r.ID); x != nil {
					d.Rulings = append(d.Rulings, rulingView{r.ID, r.Kind, x.Link, x.Summary(), d.switchesOf(x)})
				}
			}
			if x := d.model.Example; x != nil {
				d.Example = &exampleView{x.Name, x.Text}
			}
			d.words = strings.ToLower(strings.Join(append([]string{d.ID, d.Kind, d.Summary(), d.Cite}, d.keys()...), " "))
		}
	}
}

// switchesOf are the ways to the form of a definition under each value of an option; none of what has no form.
func (d *definitionView) switchesOf(option *definitionView) []switchView {
	var out []switchView
	if d.Try == "" {
		return nil
	}
	for _, v := range option.Definition.Values {
		link := d.Try + "?" + url.Values{optionPrefix + option.ID: {v.Value}}.Encode()
		out = append(out, switchView{v.Value, link, v.Value == option.Played})
	}
	return out
}

// Summary is what a definition says in a line: of a reading the question with its answer, of an erratum what is printed and
// what is played.
func (d *definitionView) Summary() string {
	switch {
	case d.Reading != nil:
		return d.Reading.Question + " " + d.Reading.Ruled
	case d.Erratum != nil:
		return "printed: " + d.Erratum.Printed + "; played: " + d.Erratum.Ruled
	}
	return d.Doc
}

// keys are the keys of a table and the words of an example, by which search finds a definition.
func (d *definitionView) keys() []string {
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

func tableOf(d *definitionView) *tableView {
	t := d.Definition.Table
	if t == nil {
		return nil
	}
	out := &tableView{Head: append([]string{keyHead(t)}, t.Columns...), Numbers: t.Numbers}
	for i, cells := range t.Cells {
		out.Rows = append(out.Rows, rowView{fmt.Sprintf("%s.%d", d.Anchor, i+1), cells})
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

// book is the book of the edition that a path names.
func (s *server) book(r *http.Request) (*library.Edition, *bookView, error) {
	ruleset, revision, _ := strings.Cut(r.PathValue("ruleset"), "@")
	e, err := s.library.Shelf().Find(ruleset, revision)
	if err != nil {
		return nil, nil, err
	}
	return e, s.books.find(s.library.Shelf(), e), nil
}

// A bookCache keeps the books of the shelf that was last seen: making one takes as long as answering a hundred pages.
type bookCache struct {
	mu    sync.Mutex
	shelf *library.Shelf
	made  map[*library.Edition]*bookView
}

func (c *bookCache) find(shelf *library.Shelf, e *library.Edition) *bookView {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shelf != shelf {
		c.shelf, c.made = shelf, map[*library.Edition]*bookView{}
	}
	if c.made[e] == nil {
		c.made[e] = newBook(e, false)
	}
	return c.made[e]
}

type homeView struct {
	page
	Editions []*bookView
}

func (s *server) showHome(w http.ResponseWriter, _ *http.Request) {
	v := homeView{page: s.newPage("Rules", 0)}
	shelf := s.library.Shelf()
	for _, e := range shelf.Editions {
		v.Editions = append(v.Editions, s.books.find(shelf, e))
	}
	s.write(w, http.StatusOK, "home", v)
}

func (s *server) showContents(w http.ResponseWriter, r *http.Request) {
	_, b, err := s.book(r)
	if err != nil {
		s.writeError(w, r, http.StatusNotFound, err)
		return
	}
	v := s.newPage(b.Title, 1)
	v.Book = b
	s.write(w, http.StatusOK, "contents", v)
}

type chapterPage struct {
	page
	Chapter *chapterView
}

// showPage shows a page of the book by its file, as it is written to a directory too.
func (s *server) showPage(w http.ResponseWriter, r *http.Request) {
	_, b, err := s.book(r)
	if err != nil {
		s.writeError(w, r, http.StatusNotFound, err)
		return
	}
	file := r.PathValue("page")
	if file == "index.html" {
		s.showContents(w, r)
		return
	}
	i := slices.IndexFunc(b.Chapters, func(c *chapterView) bool { return c.File == file })
	if i < 0 {
		var known []string
		for _, c := range b.Chapters {
			known = append(known, c.File)
		}
		s.writeError(w, r, http.StatusNotFound, &runtime.UnknownError{What: "page", Name: file, Known: known})
		return
	}
	v := chapterPage{s.newPage(b.Chapters[i].Title+", "+b.Title, 1), b.Chapters[i]}
	v.Book = b
	s.write(w, http.StatusOK, "chapter", v)
}

type searchPage struct {
	page
	Found []*definitionView
}

// showSearch lists the definitions that have all words of the query.
func (s *server) showSearch(w http.ResponseWriter, r *http.Request) {
	_, b, err := s.book(r)
	if err != nil {
		s.writeError(w, r, http.StatusNotFound, err)
		return
	}
	v := searchPage{page: s.newPage("Search, "+b.Title, 1)}
	v.Book, v.Query = b, r.URL.Query().Get("q")
	v.Found = b.search(v.Query)
	s.write(w, http.StatusOK, "search", v)
}

// search finds the definitions that have all words of a query.
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
		return cmp.Or(cmp.Compare(rankOf(x, words), rankOf(y, words)), cmp.Compare(misses(x, words), misses(y, words)))
	})
	return out
}

// rankOf orders what is found: what is called so, what people use at a table, what that rests on, rulings.
func rankOf(d *definitionView, words []string) int {
	switch {
	case misses(d, words) == 0:
		return 0
	case d.IsMain():
		return 1
	case rulebook.IsRuling(d.Kind):
		return 3
	}
	return 2
}

// misses counts the words that are not in a name.
func misses(d *definitionView, words []string) int {
	n := 0
	for _, w := range words {
		if !strings.Contains(strings.ToLower(d.ID), w) {
			n++
		}
	}
	return n
}
