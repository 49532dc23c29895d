package site

import (
	"bytes"
	"html/template"

	"github.com/tabletop-rules/rules/cmd/rules/internal/library"
	"github.com/tabletop-rules/rules/cmd/rules/internal/must"
)

// BookFiles are the pages of an edition's book as files, by name. They lie in one directory, link to each other by relative
// paths, and are the same bytes for the same edition.
func BookFiles(e *library.Edition) map[string][]byte {
	templates := parseTemplates()
	b := newBook(e, true)
	out := map[string][]byte{"style.css": styleSheet}
	p := page{Title: b.Title, Static: true, Top: "./", Book: b}
	out["index.html"] = render(templates["contents"], p)
	for _, c := range b.Chapters {
		v := chapterPage{p, c}
		v.Title = c.Title + ", " + b.Title
		out[c.File] = render(templates["chapter"], v)
	}
	return out
}

func render(t *template.Template, view any) []byte {
	var b bytes.Buffer
	must.Succeed(t.ExecuteTemplate(&b, "layout", view))
	return b.Bytes()
}
