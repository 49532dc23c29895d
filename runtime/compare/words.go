package compare

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// A pairOfWords has the words of two plans.
type pairOfWords struct{ old, new plan.Words }

func wordsOf(old, new *plan.Plan) pairOfWords {
	return pairOfWords{*planfile.DecodeWords(old), *planfile.DecodeWords(new)}
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

// compareHints adds the changes of how people are asked for the fields of a definition, or those of characters.
func (w *pairOfWords) compareHints(l *changeList, root plan.Root, of string) {
	list := func(words *plan.Words) map[string]string {
		out := map[string]string{}
		for i := range words.Fields {
			if h := &words.Fields[i]; h.Root == root && h.Of == of {
				out[h.Path] = textOfHint(h)
			}
		}
		return out
	}
	old, new := list(&w.old), list(&w.new)
	both := maps.Clone(old)
	maps.Copy(both, new)
	for _, path := range slices.Sorted(maps.Keys(both)) {
		l.addText("asking for "+path, old[path], new[path])
	}
}

// textOfHint returns the attributes of a field as its author writes them.
func textOfHint(h *plan.FieldHint) string {
	var parts []string
	add := func(name string, arguments ...string) {
		parts = append(parts, "@"+name+"("+strings.Join(arguments, ", ")+")")
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	if h.Primary > 0 {
		add("primary", strconv.FormatInt(h.Primary, 10))
	}
	if h.Group != "" {
		add("group", h.Group)
	}
	if s := h.Steps; s != nil {
		arguments := []string{number(s.By)}
		if s.Min != nil && s.Max != nil {
			arguments = append(arguments, number(s.Min.Value), number(s.Max.Value))
		}
		add("steps", arguments...)
	}
	if r := h.Rolls; r != nil {
		arguments := []string{r.Rule}
		for _, i := range r.Input {
			arguments = append(arguments, i.Name+"="+cmp.Or(i.Value, "key"))
		}
		add("rolls", arguments...)
	}
	return strings.Join(parts, " ")
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
