package site_test

import (
	"strings"
	"testing"

	"github.com/tabletop-rules/rules/cmd/rules/internal/serve/site"
)

// section is the part of a page that shows a definition.
func section(t *testing.T, page, anchor string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, ` id="`+anchor+`">`)
	text, _, ended := strings.Cut(rest, "</section>")
	if !found || !ended {
		t.Fatalf("no section %s", anchor)
	}
	return text
}

// TestFormulasAreWords reads what a test gives in words, and the same as it is written, with names that lead to the step or
// the definition that they mean.
func TestFormulasAreWords(t *testing.T) {
	pages := site.BookFiles(edition(t, "tempestas"))
	test := section(t, string(pages["testing.html"]), "test")
	expect(t, test, `<dt><span class="kind">gives</span> active value</dt><dd><a href="#test-let.base">base</a> − `,
		`<dt><span class="kind">rolls</span> roll</dt><dd>d100</dd>`,
		`<dt>gives active value</dt><dd><code>base - penalty - hard</code></dd>`, `<div id="test-let.base">`,
		`<a href="heroic.html#function.fools_up_to" title="`)
}

// TestExamplesHaveOdds reads the book that nobody answers: the worked example of navigation stands beside its odds, which
// are those of an Active Value of 60: 1 to 4 are a Fools Failure, 5 to 60 are under it, and 61 is heroic above it.
func TestExamplesHaveOdds(t *testing.T) {
	pages := site.BookFiles(edition(t, "tempestas"))
	test := section(t, string(pages["testing.html"]), "test")
	expect(t, test, "<h3>Example: navigation_fail</h3>", "<dt>Success</dt><dd>yes in 57%</dd>", `<svg class="plot"`,
		`<tr><th scope="row">Fools Failure</th><td class="number">4.0000%</td></tr>`)
}

// TestHomebrewIsMarked reads in the book what a homebrew changed, with what it replaced, and what it added.
func TestHomebrewIsMarked(t *testing.T) {
	e := riverfolk(t)
	e.Base = edition(t, "tempestas").Plan
	pages := site.BookFiles(e)
	expect(t, section(t, string(pages["rulings.html"]), "option.heroic_band"), "Changed by the homebrew riverfolk.",
		"<td><del>up</del></td><td><ins>none</ins></td>")
	expect(t, string(pages["difficulty.html"]), `<section class="definition table homebrew" id="table.difficulty">`,
		`<td><del>&#34;monstrous&#34; {points: 80}</del></td><td><span class="kind">gone</span></td>`)
	found := false
	for _, text := range pages {
		if strings.Contains(string(text), "Added by the homebrew riverfolk.") {
			found = true
		}
	}
	if !found {
		t.Error("nothing is marked as added")
	}
	expect(t, string(pages["index.html"]), "Changed or added by a homebrew: ", "#table.boat_weapon")
}
