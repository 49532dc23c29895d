package site

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/wording"
)

// A lineView is a formula of a definition: in words, and as its author wrote it.
type lineView struct {
	ID      string // for links to it; "" for none
	Label   string // what the formula is for
	Name    string
	Words   []wordView
	Formula []wordView
}

// A wordView is a piece of a formula; a name leads to its definition.
type wordView struct{ Text, Link, Title string }

// partLabels say what a formula of a part is for; that of a part which is missing here needs no word.
var partLabels = map[string]string{
	"param": "takes", "output": "gives", "use": "uses", "require": "refused", "when": "when", "ends": "ends as",
	"next": "then", "dice": "rolls", "otherwise": "otherwise", "decide": "decided",
	"possible": "possible only if", "decimals": "shown with",
}

// stepParts are the parts on which those rest that a definition gives and asks for.
var stepParts = []string{"let", "use", "otherwise", "next"}

// addLines adds the formulas of a definition.
//
// Local names win over those of the ruleset only as targets of links within the definition. A let
// and a die of one name do not exist, but an output may be called as the let that it gives: the let
// is linked.
func (b *bookView) addLines(d *definitionView) {
	local := map[string]string{}
	for _, l := range d.Definition.Lines {
		if id := lineID(d, l.Part, l.Name); id != "" && (local[l.Name] == "" || l.Part == "let") {
			local[l.Name] = "#" + id
		}
	}
	for _, l := range d.Definition.Lines {
		v := lineView{ID: lineID(d, l.Part, l.Name), Label: partLabels[l.Part], Name: spacedName(l.Name),
			Formula: b.linkNamesIn(l.Text)}
		if d.Kind == "function" && l.Part == "expr" || d.Kind == "trait" {
			v.Name, v.Label = "", "is"
		}
		switch words := wording.Of(l.Text); {
		case l.Part == "use" && b.links[l.Text] != "":
			v.Words = []wordView{b.linkDefinition(l.Text, l.Text)}
		case l.Part == "dice":
			v.Words = []wordView{{Text: plainDie().ReplaceAllString(l.Text, "d$1")}}
		case l.Part == "param":
			v.Words = v.Formula // a type
		case l.Part == "decimals":
			v.Words = []wordView{{Text: l.Text + " digits after the point"}}
		case words == nil:
			v.Words = v.Formula
		case l.Part == "require":
			v.Words = append([]wordView{{Text: "unless "}}, b.linkWording(words, local)...)
		default:
			v.Words = b.linkWording(words, local)
		}
		if slices.Contains(stepParts, l.Part) {
			d.Steps = append(d.Steps, v)
		} else {
			d.Told = append(d.Told, v)
		}
	}
}

// lineName matches the names of lines to which formulas can refer.
var lineName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_]\w*$`) })

// lineID is the fragment of a formula; "" for one that no other formula names.
//
// Fragments are made of names, not of numbers, so that a link to a formula lasts when others are
// added before it.
func lineID(d *definitionView, part, name string) string {
	switch part {
	case "let", "use", "dice", "output":
		if lineName().MatchString(name) {
			return d.Anchor + "-" + part + "." + name
		}
	}
	return ""
}

// plainDie matches a die as the plan writes it, with a number of sides that is no formula.
var plainDie = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bd\(([0-9]+)\)`) })

// linkWording lets the names of a wording lead to their definitions, or to the line of the same definition that has the
// name.
func (b *bookView) linkWording(words []wording.Word, local map[string]string) []wordView {
	var out []wordView
	for _, w := range words {
		id := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(w.Name, "option."), "character."), "(")
		root, _, _ := strings.Cut(w.Name, ".")
		switch {
		case w.Name != "" && id != w.Name && b.links[id] != "":
			out = append(out, b.linkDefinition(w.Text, id))
		case local[root] != "":
			out = append(out, wordView{Text: w.Text, Link: local[root]})
		default:
			out = append(out, wordView{Text: w.Text})
		}
	}
	return out
}

func (b *bookView) linkDefinition(text, id string) wordView {
	return wordView{text, b.links[id], b.titles[id]}
}

// formulaName is a word of a formula that may be the name of a definition.
var formulaName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`'[^']*'|"[^"]*"|[A-Za-z_][A-Za-z_0-9.]*`)
})

// linkNamesIn cuts a formula at the names of definitions: of calls, of traits and of options.
//
// It works on text and not on the syntax tree, because a plan has no trees of formulas, only their
// text. Strings are matched as words of their own so that a name inside quotes is never linked.
func (b *bookView) linkNamesIn(text string) []wordView {
	var out []wordView
	rest := 0
	for _, at := range formulaName().FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		id := strings.TrimPrefix(strings.TrimPrefix(word, "option."), "character.")
		called := at[1] < len(text) && text[at[1]] == '('
		if b.links[id] == "" || !called && id == word {
			continue
		}
		out = append(out, wordView{Text: text[rest:at[0]]}, b.linkDefinition(word, id))
		rest = at[1]
	}
	return append(out, wordView{Text: text[rest:]})
}
