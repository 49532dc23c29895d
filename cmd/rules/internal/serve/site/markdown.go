package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/library"
)

// Markdown is the book of an edition as one document.
//
// One document without links between its parts: it is for reading and for sending, and for
// comparing two states of a ruleset line by line.
func Markdown(e *library.Edition) []byte {
	b := newBook(e, true)
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n%s\n\n%s %s, after %s.\n", escapeText(b.Title), escapeText(b.Doc), b.Ruleset, b.Revision,
		escapeText(b.Source))
	var removed []string
	for _, r := range b.Removed {
		removed = append(removed, r.Kind+" "+r.ID)
	}
	if len(removed) > 0 {
		writeParagraphs(&out, "Taken out by a homebrew: "+strings.Join(removed, ", ")+".")
	}
	for _, c := range b.Chapters {
		fmt.Fprintf(&out, "\n## %s\n", escapeText(c.Title))
		for _, d := range c.Definitions {
			d.writeMarkdown(&out)
		}
	}
	return []byte(out.String())
}

// writeMarkdown writes a definition in the order of its page. A list needs a blank line before it, which each block
// writes for itself, so that no block depends on the one before.
func (d *definitionView) writeMarkdown(out *strings.Builder) {
	fmt.Fprintf(out, "\n### %s (%s)\n", escapeText(d.ID), d.Kind)
	writeParagraphs(out, d.Doc)
	d.writeChanges(out)
	if d.Table != nil {
		d.Table.writeMarkdown(out)
	}
	if d.Values != nil {
		out.WriteByte('\n')
	}
	for _, v := range d.Values {
		played := ""
		if v.Played {
			played = " (played)"
		}
		fmt.Fprintf(out, "- `%s`%s: %s\n", v.Value, played, escapeText(v.Doc))
	}
	if r := d.Reading; r != nil {
		writeParagraphs(out, "Question: "+r.Question, "Ruled: "+r.Ruled, "Rejected: "+r.Rejected, "Why: "+r.Why)
	}
	if r := d.Erratum; r != nil {
		writeParagraphs(out, "Printed: "+r.Printed, "Ruled: "+r.Ruled, "Why: "+r.Why)
	}
	if len(d.Told)+len(d.Steps) > 0 {
		out.WriteByte('\n')
	}
	for _, l := range append(slices.Clone(d.Told), d.Steps...) {
		fmt.Fprintf(out, "- %s: %s\n", escapeText(strings.TrimSpace(l.Label+" "+l.Name)), escapeText(plainText(l.Words)))
	}
	for _, r := range d.Rulings {
		writeParagraphs(out, fmt.Sprintf("See the %s %s: %s", r.Kind, r.ID, r.Text))
	}
	if d.Example != nil {
		writeParagraphs(out, "Example "+d.Example.Name+":")
		fmt.Fprintf(out, "\n    %s\n", strings.ReplaceAll(strings.TrimSpace(d.Example.Text), "\n", "\n    "))
	}
	if d.Cite != "" {
		fmt.Fprintf(out, "\n*%s*\n", escapeText(d.Cite))
	}
}

// writeChanges writes which homebrew added or changed a definition, and of each part the old and the new text.
func (d *definitionView) writeChanges(out *strings.Builder) {
	if len(d.Overlays) == 0 {
		return
	}
	writeParagraphs(out, d.Origin())
	if len(d.Changes) > 0 {
		out.WriteByte('\n')
	}
	for _, c := range d.Changes {
		fmt.Fprintf(out, "- %s: was %s, is %s\n", escapeText(c.Part),
			escapeText(cmp.Or(joinLines(c.Was), "not there")), escapeText(cmp.Or(joinLines(c.Is), "gone")))
	}
}

// plainText returns a formula in words, without the links that its page has.
func plainText(words []wordView) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.Text)
	}
	return joinLines(b.String())
}

// joinLines returns a text on one line, as an item of a list or a cell of a table must be.
func joinLines(text string) string { return strings.Join(strings.Fields(text), " ") }

// writeMarkdown writes a table as GitHub's extension of Markdown has it: a row of dashes tells the
// head and how columns are aligned. A bar within a cell would end it and is escaped.
func (t *tableView) writeMarkdown(out *strings.Builder) {
	writeRow := func(cells []string) {
		out.WriteByte('|')
		for _, c := range cells {
			out.WriteString(" " + strings.ReplaceAll(escapeText(c), "|", `\|`) + " |")
		}
		out.WriteByte('\n')
	}
	out.WriteByte('\n')
	writeRow(t.Head)
	out.WriteByte('|')
	for _, number := range t.Numbers {
		if number {
			out.WriteString(" ---: |")
		} else {
			out.WriteString(" --- |")
		}
	}
	out.WriteByte('\n')
	for _, r := range t.Rows {
		writeRow(r.Cells)
	}
}

// writeParagraphs writes lines that are not empty, each as a paragraph.
func writeParagraphs(out *strings.Builder, lines ...string) {
	for _, line := range lines {
		if line != "" {
			fmt.Fprintf(out, "\n%s\n", escapeText(line))
		}
	}
}

// markdownEscaper keeps text of a ruleset from being read as markup or as HTML. "<" becomes an
// entity, because Markdown lets HTML through.
var markdownEscaper = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "#", `\#`)

// escapeText escapes text of a ruleset, which is text: a homebrew's title that looks like a link or
// a heading must not become one in somebody's document.
func escapeText(s string) string { return markdownEscaper.Replace(s) }
