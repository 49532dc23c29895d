package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// A pairOfWords has the words of two plans. Where neither has a glossary it is empty, for the texts follow from the
// definitions then.
type pairOfWords struct{ old, new plan.Words }

// wordsOf returns the words of two plans.
func wordsOf(old, new *plan.Plan) pairOfWords {
	w := pairOfWords{*planfile.DecodeWords(old), *planfile.DecodeWords(new)}
	if len(w.old.Names) == 0 && len(w.new.Names) == 0 {
		return pairOfWords{}
	}
	return w
}

// compareGlossary compares the words of names.
func (d *differ) compareGlossary() {
	find := func(words []plan.Word, name string) string {
		if i := slices.IndexFunc(words, func(w plan.Word) bool { return w.Name == name }); i >= 0 {
			return textOfWord(&words[i])
		}
		return ""
	}
	var names []string
	for _, w := range slices.Concat(d.words.old.Names, d.words.new.Names) {
		names = append(names, w.Name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		var l changeList
		l.addText("word", find(d.words.old.Names, name), find(d.words.new.Names, name))
		d.addChanged("word", name, plan.Place{}, l)
	}
}

// compareTexts adds the changes of the sentences of a definition.
func (w *pairOfWords) compareTexts(l *changeList, kind plan.EntryKind, id string) {
	find := func(texts []plan.Texts) *plan.Texts {
		if i := slices.IndexFunc(texts, func(t plan.Texts) bool { return t.Kind == kind && t.ID == id }); i >= 0 {
			return &texts[i]
		}
		return &plan.Texts{}
	}
	old, new := find(w.old.Texts), find(w.new.Texts)
	l.addText("label", strings.Join(old.Label, "|"), strings.Join(new.Label, "|"))
	l.addText("short", old.Short, new.Short)
	l.addText("headline", textOfSay(old.Headline), textOfSay(new.Headline))
	l.addText("say", textOfSay(old.Say), textOfSay(new.Say))
	l.addText("offered", textOfSay(old.Offered), textOfSay(new.Offered))
}

// textOfWord returns a word on one line.
func textOfWord(w *plan.Word) string {
	var parts []string
	if len(w.Label) > 0 {
		parts = append(parts, strings.Join(w.Label, "|"))
	}
	if w.Short != "" {
		parts = append(parts, w.Short)
	}
	for _, u := range w.Units {
		unit := "unit " + strings.Join(u.Forms, "|")
		if u.Size != 1 {
			unit += " of " + strconv.FormatInt(u.Size, 10)
		}
		parts = append(parts, unit)
	}
	if w.Tone != plan.OtherTone {
		parts = append(parts, "tone "+w.Tone.String())
	}
	if w.Yes != nil {
		parts = append(parts, "yes: "+textOfWord(w.Yes))
	}
	if w.No != nil {
		parts = append(parts, "no: "+textOfWord(w.No))
	}
	return strings.Join(parts, ", ")
}

// textOfSay returns a sentence as its author writes it, or the sentences for the values of a name on one line; "" for
// none.
func textOfSay(s *plan.Say) string {
	switch {
	case s == nil:
		return ""
	case s.Of == "":
		return textOfParts(s.Parts)
	}
	var cases []string
	for i := range s.Cases {
		cases = append(cases, s.Cases[i].If+": "+textOfSay(&s.Cases[i].Say))
	}
	return s.Of + ": {" + strings.Join(cases, ", ") + "}"
}

func textOfParts(parts []plan.SayPart) string {
	var out strings.Builder
	for _, p := range parts {
		switch {
		case p.Hole != "":
			out.WriteString("{" + strings.Join(append([]string{p.Hole}, p.Forms...), "|") + "}")
		case p.Optional != nil:
			out.WriteString("[" + textOfParts(p.Optional) + "]")
		default:
			out.WriteString(p.Text)
		}
	}
	return out.String()
}
