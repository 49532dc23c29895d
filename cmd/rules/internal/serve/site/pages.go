package site

import (
	"net/http"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/say"
)

type homeView struct {
	page
	Editions []homeEntry
	IsLate   bool // some are not loaded yet
}

// A homeEntry is a book among others; Edition is nil while it is being made.
type homeEntry struct {
	Title, Path string
	Edition     *editionView
}

// An editionView is what the first page says of an edition.
type editionView struct {
	Name, Doc string
	Homebrews []string
}

// showHome shows every ruleset on the shelf, and waits for none. The shelf is asked once, so that all books of a page are
// of one generation.
func (s *server) showHome(w http.ResponseWriter, _ *http.Request) {
	v := homeView{page: s.newPage("Rules", 0)}
	v.IsText = false
	shelf := s.library.Shelf()
	for _, id := range shelf.Rulesets() {
		ready := shelf.Ready(id)
		if ready == nil {
			v.Editions = append(v.Editions, homeEntry{Title: say.Capitalise(id), Path: id + "/"})
			v.IsLate = true
		}
		for i, e := range ready {
			p := e.Plan
			path := id + "/"
			if i > 0 { // the newest stands under the name alone
				path = id + "@" + p.Revision + "/"
			}
			v.Editions = append(v.Editions, homeEntry{p.Title, path,
				&editionView{p.Ruleset + " " + p.Revision, plainDoc(p.Doc), p.Overlays}})
		}
	}
	s.write(w, http.StatusOK, "home", v)
}

// showContents shows the contents of a ruleset: chapters, rulings, and the rules and procedures that have a form.
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
//
// The files of a book that is written to a directory have the same names here, so that a link from
// a written book works on a server too.
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
	// The name of a page comes from an address. It is looked up in the list of chapters and never
	// used as a path.
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

// A searchAllPage is what all books have for a query.
type searchAllPage struct {
	page
	Books []bookFound
}

// A bookFound is what a book has for a query; Count is of everything, of which the page lists the first.
type bookFound struct {
	Title, Path, Instead string
	Chapters             []*chapterView
	Found                []*definitionView
	Count                int
}

// mostOfBook is how many definitions of each book a search of all lists.
const mostOfBook = 8

// showSearchAll searches the newest edition of every book. Similar words are looked for only where no book has those of the
// query.
func (s *server) showSearchAll(w http.ResponseWriter, r *http.Request) {
	v := searchAllPage{page: s.newPage("Search", 0)}
	v.Query, v.IsText = r.URL.Query().Get("q"), false
	exactly := func(b *bookView) ([]*definitionView, string) { return b.search(v.Query), "" }
	if v.Books = s.searchBooks(v.Query, exactly); v.Books == nil {
		forgiving := func(b *bookView) ([]*definitionView, string) { return b.searchForgiving(v.Query) }
		v.Books = s.searchBooks(v.Query, forgiving)
	}
	s.write(w, http.StatusOK, "searchall", v)
}

// searchBooks returns what a search finds in each book, without the books in which it finds nothing.
func (s *server) searchBooks(query string, search func(*bookView) (found []*definitionView, instead string)) []bookFound {
	var out []bookFound
	shelf := s.library.Shelf()
	for _, id := range shelf.Rulesets() {
		e, err := shelf.Find(id, "")
		if err != nil {
			continue // the page tells which do not compile
		}
		b := s.bookOf(shelf, e)
		x := bookFound{Title: b.Title, Path: id + "/", Chapters: b.searchChapters(query)}
		x.Found, x.Instead = search(b)
		if x.Count = len(x.Found); x.Count+len(x.Chapters) > 0 {
			x.Found = x.Found[:min(x.Count, mostOfBook)]
			out = append(out, x)
		}
	}
	return out
}

type searchPage struct {
	page
	Found    []*definitionView
	Instead  string // the query for which these were found; "" for that of the reader
	Chapters []*chapterView
	// Character is the shipped character whose name is searched for; "" for none.
	Character string
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
	v.Found, v.Instead = b.searchForgiving(v.Query)
	v.Chapters = b.searchChapters(v.Query)
	if name := strings.ToLower(strings.TrimSpace(v.Query)); slices.Contains(b.Characters, name) {
		v.Character = name
	}
	s.write(w, http.StatusOK, "search", v)
}
