package present

// One comparison is printed three times: for people at a terminal, as the entry of a changelog in
// Markdown, and as JSON. All go through the same list in the same order, from what the author
// changed to whom it concerns: definitions, rules, cases, characters, odds. The class in front of a
// change is shouted, since it decides the next number.

import (
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime/compare"
)

// comparisonHeading returns the names of the compared revisions: "tempestas 0.1.0 -> 0.2.0".
func comparisonHeading(c *revisions.Comparison) string {
	return fmt.Sprintf("%s %s -> %s", c.New.Ruleset, revisionOf(c.Old), revisionOf(c.New))
}

// revisionOf returns a revision with its homebrews. A work tree without rules.cue has no number.
func revisionOf(n compare.Name) string {
	if n.Revision == "" {
		return "without a number"
	}
	text := n.Revision
	for i, id := range n.Homebrews {
		text += [...]string{" with ", ", "}[min(i, 1)] + id
	}
	return text
}

// ComparisonVerdict says the class of a comparison, and whether it breaks.
func ComparisonVerdict(c *revisions.Comparison) string {
	switch {
	case c.Class() == compare.Same:
		return "nothing changes"
	case c.Breaking():
		return c.Class().String() + ", breaking"
	}
	return c.Class().String()
}

// PrintComparison adds a comparison for people.
func PrintComparison(p *layout.Page, c *revisions.Comparison) {
	p.AddBlank()
	p.AddLine(0, "%s: %s", p.Style(layout.Bold, comparisonHeading(c)), ComparisonVerdict(c))
	for i := range c.Definitions {
		PrintChangedDefinition(p, &c.Definitions[i])
	}
	if len(c.Answers) > 0 {
		p.AddBlank()
		p.AddLine(2, "%s", p.Style(layout.Bold, "rules that answer otherwise"))
	}
	for i := range c.Answers {
		printChangedAnswer(p, &c.Answers[i])
	}
	printShifts(p, "golden cases that answer otherwise", c.Cases)
	printShifts(p, "characters whose numbers change", c.Party)
	printChances(p, c.Odds)
}

// PrintParty prints the changes for the characters of a comparison, and no others.
func PrintParty(p *layout.Page, c *revisions.Comparison) {
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, comparisonHeading(c)))
	if len(c.Party) == 0 && len(c.Odds) == 0 {
		p.AddLine(2, "no number and no odds of these characters change")
	}
	printShifts(p, "characters whose numbers change", c.Party)
	printChances(p, c.Odds)
}

// printChances prints odds that changed, grouped below the question that was asked: a question may
// have many outputs.
func printChances(p *layout.Page, list []revisions.Chance) {
	if len(list) == 0 {
		return
	}
	p.AddBlank()
	p.AddLine(2, "%s", p.Style(layout.Bold, "characters whose odds change"))
	for i := range list {
		x := &list[i]
		if i == 0 || askedOtherwise(&list[i-1], x) {
			p.AddLine(4, "%s: %s, %s%s%s", x.Who, x.Subject, x.Name, eventsNote(x),
				p.Style(layout.Faint, editsNote(x.Because)))
		}
		p.AddLine(8, "%s", x)
	}
}

// eventsNote names the events that happen again and again in the odds of a procedure.
func eventsNote(x *revisions.Chance) string {
	if len(x.By) == 0 {
		return ""
	}
	return ", by " + strings.Join(x.By, ", ")
}

// askedOtherwise reports whether two odds are of different questions.
//
// The heading of a question is printed once above its outputs, and again when only the input
// differs.
func askedOtherwise(a, b *revisions.Chance) bool {
	return a.Who != b.Who || a.Subject != b.Subject || a.Name != b.Name
}

// PrintChangedDefinition prints a definition with its changes. One that is added or removed as a
// whole has a change without a part, which says nothing that the heading does not.
func PrintChangedDefinition(p *layout.Page, x *compare.Changed) {
	p.AddBlank()
	p.AddLine(2, "%s %s  %s", x.Verb, p.Style(layout.Bold, x.Label()), p.Style(layout.Faint, diag.PlaceString(x.Place)))
	var rows [][]string
	for i := range x.Changes {
		if c := &x.Changes[i]; c.Part != "" || c.Breaking {
			rows = append(rows, []string{classOf(c), c.Part, fromTo(c.Old, c.New)})
		}
	}
	p.AddRows(4, rows, layout.Column{Style: layout.Faint})
}

// classOf returns the class of a change, with a "!" when it breaks; "" for one that has none by
// itself.
func classOf(c *compare.Change) string {
	switch {
	case c.Breaking:
		return c.Class.String() + "!"
	case c.Class == compare.Same:
		return ""
	}
	return c.Class.String()
}

// fromTo returns the old and the new text. Formulas of several lines stand below each other, because an arrow between
// two paragraphs is not seen.
func fromTo(old, new string) string {
	old, new = strings.TrimSpace(old), strings.TrimSpace(new)
	switch {
	case old == "" && new == "":
		return ""
	case old == "":
		return "new: " + new
	case new == "":
		return "gone: " + old
	case strings.Contains(old+new, "\n"):
		return old + "\n-> " + new
	}
	return old + " -> " + new
}

func printChangedAnswer(p *layout.Page, x *compare.Changed) {
	p.AddLine(4, "%s  %s: %s%s", x.Label(), x.Class(), strings.Join(partsOf(x), ", "),
		p.Style(layout.Faint, editsNote(x.Because)))
}

// partsOf returns the parts of an answer that change, in the order of the sheet.
func partsOf(x *compare.Changed) []string {
	var out []string
	for _, c := range x.Changes {
		out = append(out, c.Part)
	}
	return out
}

// editsNote names the edits that something comes from.
func editsNote(edits []string) string {
	if len(edits) == 0 {
		return ""
	}
	return " (" + strings.Join(edits, ", ") + ")"
}

// most is how many shifts of one character in one rule are printed for people; tools get all.
// A party of five with three rules of twenty seeds each would otherwise fill screens with the same
// finding.
const most = 3

func printShifts(p *layout.Page, title string, list []revisions.Shift) {
	if len(list) == 0 {
		return
	}
	p.AddBlank()
	p.AddLine(2, "%s", p.Style(layout.Bold, title))
	for _, group := range groupShifts(list) {
		for i := range group[:min(most, len(group))] {
			printShift(p, &group[i])
		}
		if more := len(group) - most; more > 0 {
			p.AddLine(4, "and %d more of %s", more, strings.TrimSpace(group[0].Who+" "+group[0].Subject))
		}
	}
}

func printShift(p *layout.Page, s *revisions.Shift) {
	p.AddLine(4, "%s%s", s, p.Style(layout.Faint, editsNote(s.Because)))
	for _, m := range s.Moved {
		p.AddLine(8, "%s", m)
	}
}

// groupShifts splits the shifts of a party by character and rule; every golden case stands for
// itself. The list comes sorted, so that only neighbours need to be compared.
func groupShifts(list []revisions.Shift) [][]revisions.Shift {
	var out [][]revisions.Shift
	for _, s := range list {
		last := len(out) - 1
		if last >= 0 && s.Who != "" && out[last][0].Who == s.Who && out[last][0].Subject == s.Subject {
			out[last] = append(out[last], s)
			continue
		}
		out = append(out, []revisions.Shift{s})
	}
	return out
}

// PrintMarkdown adds a comparison as the entry of a changelog.
func PrintMarkdown(p *layout.Page, c *revisions.Comparison) {
	p.AddBlank()
	p.AddLine(0, "## %s %s", c.New.Ruleset, revisionOf(c.New))
	p.AddBlank()
	p.AddLine(0, "Follows %s; %s.", revisionOf(c.Old), ComparisonVerdict(c))
	if len(c.Definitions) > 0 {
		p.AddBlank()
	}
	for i := range c.Definitions {
		printChangedMarkdown(p, &c.Definitions[i])
	}
	printSection(p, "Rules that answer otherwise", len(c.Answers))
	for i := range c.Answers {
		x := &c.Answers[i]
		p.AddLine(0, "- **%s**, %s: %s%s", x.Label(), x.Class(), strings.Join(partsOf(x), ", "), editsNote(x.Because))
	}
	printShiftsMarkdown(p, "Golden cases that answer otherwise", c.Cases)
	printShiftsMarkdown(p, "Characters whose numbers change", c.Party)
	printSection(p, "Characters whose odds change", len(c.Odds))
	for i := range c.Odds {
		x := &c.Odds[i]
		p.AddLine(0, "- %s: %s, %s%s: %s%s", x.Who, x.Subject, x.Name, eventsNote(x), x, editsNote(x.Because))
	}
}

// printSection begins a section, unless it would be empty: a heading without a list raises a
// question.
func printSection(p *layout.Page, title string, n int) {
	if n > 0 {
		p.AddBlank()
		p.AddLine(0, "### %s", title)
		p.AddBlank()
	}
}

func printChangedMarkdown(p *layout.Page, x *compare.Changed) {
	p.AddLine(0, "- **%s** %s", x.Label(), x.Verb)
	for i := range x.Changes {
		c := &x.Changes[i]
		if c.Part == "" {
			continue
		}
		text := c.Part
		if class := classOf(c); class != "" {
			text = class + ": " + text
		}
		p.AddLine(2, "- %s%s", text, codeChange(c.Old, c.New))
	}
}

// codeChange returns the old and the new text, as code spans of Markdown.
func codeChange(old, new string) string {
	switch {
	case old == "" && new == "":
		return ""
	case old == "":
		return ", new: " + codeSpan(new)
	case new == "":
		return ", gone: " + codeSpan(old)
	}
	return ": " + codeSpan(old) + " → " + codeSpan(new)
}

// codeSpan is text as a code span: on one line, in more backticks than it has.
// (CommonMark, 6.1: a code span ends at a string of as many backticks as it began with.)
func codeSpan(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

func printShiftsMarkdown(p *layout.Page, title string, list []revisions.Shift) {
	printSection(p, title, len(list))
	for _, group := range groupShifts(list) {
		for i := range group[:min(most, len(group))] {
			s := &group[i]
			p.AddLine(0, "- %s%s", s, editsNote(s.Because))
			for _, m := range s.Moved {
				p.AddLine(2, "- %s%s", m.Path, codeChange(m.Old, m.New))
			}
		}
		if more := len(group) - most; more > 0 {
			p.AddLine(0, "- and %d more of %s", more, strings.TrimSpace(group[0].Who+" "+group[0].Subject))
		}
	}
}

// A comparisonJSON is a comparison for tools.
type comparisonJSON struct {
	Class    compare.Class `json:"class"`
	Breaking bool          `json:"breaking"`
	*revisions.Comparison
}

// ComparisonsJSON returns comparisons for tools, with class and verdict, which people read off the
// heading.
func ComparisonsJSON(list []*revisions.Comparison) []comparisonJSON {
	out := []comparisonJSON{}
	for _, c := range list {
		out = append(out, comparisonJSON{c.Class(), c.Breaking(), c})
	}
	return out
}
