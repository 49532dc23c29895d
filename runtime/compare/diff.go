package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// Compare compares two plans of a ruleset, which are not lowered for coverage. Normal is the normal form of their graphs.
func Compare(old, new *plan.Plan, normal Normal) *Diff {
	d := &differ{old: old, new: new, words: wordsOf(old, new), normal: normal,
		out: &Diff{Old: NameOf(old), New: NameOf(new)}}
	d.compareRulesets()
	d.compareCharacters()
	d.compareEntries()
	d.compareGlossary()
	d.compareReadings()
	d.compareErrata()
	d.compareAnswers()
	return d.out
}

// A differ compares plans.
type differ struct {
	old, new *plan.Plan
	words    pairOfWords
	normal   Normal
	out      *Diff
}

// addChanged notes a definition when something in it differs.
func (d *differ) addChanged(kind, id string, at plan.Place, l changeList) {
	if len(l) > 0 {
		d.out.Definitions = append(d.out.Definitions, Changed{Kind: kind, ID: id, Verb: "changed", Place: at, Changes: l})
	}
}

func (d *differ) addLone(verb, kind, id string, at plan.Place, c Change) {
	d.out.Definitions = append(d.out.Definitions, Changed{Kind: kind, ID: id, Verb: verb, Place: at, Changes: []Change{c}})
}

func (d *differ) compareRulesets() {
	var l changeList
	l.addText("title", d.old.Title, d.new.Title)
	l.addText("doc", d.old.Doc, d.new.Doc)
	l.addText("book", d.old.Book, d.new.Book)
	l.addText("author", d.old.Author, d.new.Author)
	d.addChanged("ruleset", d.new.Ruleset, plan.Place{}, l)
}

func (d *differ) compareCharacters() {
	var l changeList
	l.compareSchemas("character", d.old.Character, d.new.Character)
	d.words.compareHints(&l, plan.CharacterRoot, "")
	d.addChanged("character", "", d.new.Character.Place, l)
}

// isAskedByName reports whether people ask for definitions of the kind by name: one more is a shape, one less breaks.
func isAskedByName(k plan.EntryKind) bool { return k == plan.OptionEntry || k >= plan.RuleEntry }

func (d *differ) compareEntries() {
	for i := range d.new.Entries {
		e := &d.new.Entries[i]
		if old := d.old.Entry(e.ID, e.Kind); old != nil {
			d.addChanged(e.Kind.String(), e.ID, e.Place, d.compareEntry(old, e))
			continue
		}
		d.addLone("added", e.Kind.String(), e.ID, e.Place, Change{Class: loneClass(e.Kind), New: e.Doc})
	}
	for i := range d.old.Entries {
		if e := &d.old.Entries[i]; d.new.Entry(e.ID, e.Kind) == nil {
			d.addLone("removed", e.Kind.String(), e.ID, e.Place,
				Change{Class: loneClass(e.Kind), Breaking: isAskedByName(e.Kind), Old: e.Doc})
		}
	}
}

// loneClass returns the class of a definition that only one plan has: ShapeClass for a kind that people ask for by
// name. The effect of any other, such as a table or a trait, shows in the answers, and so the definition itself is
// text.
func loneClass(k plan.EntryKind) Class {
	if isAskedByName(k) {
		return ShapeClass
	}
	return TextClass
}

func (d *differ) compareEntry(old, new *plan.Entry) changeList {
	var l changeList
	switch new.Kind {
	case plan.OptionEntry:
		l.compareOptions(d.old.Option(new.ID), d.new.Option(new.ID))
	case plan.TableEntry:
		l.compareTables(d.old, d.new, d.old.Table(new.ID), d.new.Table(new.ID))
	default:
		l.compareCalls(signatureOf(d.old, new), signatureOf(d.new, new))
	}
	l.compareFormulas(new.ID, Same, old.Lines, new.Lines)
	l.compareFormulas(new.ID, TextClass, old.Values, new.Values)
	l.addText("cite", old.Cite, new.Cite)
	l.addText("doc", old.Doc, new.Doc)
	l.addText("covers", fmt.Sprint(old.Covers), fmt.Sprint(new.Covers))
	d.words.compareTexts(&l, new.Kind, new.ID)
	switch new.Kind {
	case plan.RuleEntry, plan.ProcedureEntry:
		d.words.compareHints(&l, plan.InputRoot, new.ID)
	case plan.EventEntry:
		d.words.compareHints(&l, plan.EventRoot, new.ID)
	}
	return l
}

// compareFormulas compares formulas, or the meanings of the values of an option. The only formula of a trait or a function
// has its id.
func (l *changeList) compareFormulas(id string, class Class, old, new []plan.Line) {
	name := func(x *plan.Line) string { return x.Part + strings.TrimSuffix(" "+x.Name, " "+id) }
	for i := range new {
		x := &new[i]
		k := slices.IndexFunc(old, func(y plan.Line) bool { return y.Part == x.Part && y.Name == x.Name })
		switch {
		case k < 0:
			l.add(class, false, name(x), "", x.Text)
		case old[k].Text != x.Text:
			l.add(class, false, name(x), old[k].Text, x.Text)
		}
	}
	for i := range old {
		x := &old[i]
		if !slices.ContainsFunc(new, func(y plan.Line) bool { return y.Part == x.Part && y.Name == x.Name }) {
			l.add(class, false, name(x), x.Text, "")
		}
	}
}

func (d *differ) compareReadings() {
	compareListed(d, "reading", d.old.Readings, d.new.Readings,
		func(x *plan.Reading) listed { return listed{x.ID, x.Ruled, x.Place} },
		func(l *changeList, y, x *plan.Reading) {
			l.addText("cite", y.Cite, x.Cite)
			l.addText("question", y.Question, x.Question)
			l.addText("ruled", y.Ruled, x.Ruled)
			l.addText("rejected", y.Rejected, x.Rejected)
			l.addText("why", y.Why, x.Why)
		})
}

func (d *differ) compareErrata() {
	compareListed(d, "erratum", d.old.Errata, d.new.Errata,
		func(x *plan.Erratum) listed { return listed{x.ID, x.Ruled, x.Place} },
		func(l *changeList, y, x *plan.Erratum) {
			l.addText("cite", y.Cite, x.Cite)
			l.addText("printed", y.Printed, x.Printed)
			l.addText("ruled", y.Ruled, x.Ruled)
			l.addText("why", y.Why, x.Why)
			l.addText("option", y.Option, x.Option)
		})
}

// listed is what readings and errata have in common.
type listed struct {
	id, ruled string
	place     plan.Place
}

// compareListed compares definitions that are nothing but text, by their ids: first those of the new list in its order,
// then those that only the old one has.
func compareListed[T any](d *differ, kind string, old, new []T, describe func(*T) listed,
	compareTexts func(l *changeList, old, new *T)) {
	byID := map[string]*T{}
	for i := range old {
		byID[describe(&old[i]).id] = &old[i]
	}
	for i := range new {
		x := describe(&new[i])
		before := byID[x.id]
		if before == nil {
			d.addLone("added", kind, x.id, x.place, Change{Class: TextClass, New: x.ruled})
			continue
		}
		delete(byID, x.id)
		var l changeList
		compareTexts(&l, before, &new[i])
		d.addChanged(kind, x.id, x.place, l)
	}
	for i := range old {
		if x := describe(&old[i]); byID[x.id] != nil {
			d.addLone("removed", kind, x.id, x.place, Change{Class: TextClass, Old: x.ruled})
		}
	}
}
