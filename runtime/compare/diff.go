package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Diff is what differs between two plans of a ruleset: definitions as people read them, and answers as graphs give them.
type Diff struct {
	Old         Name      `json:"old"`
	New         Name      `json:"new"`
	Definitions []Changed `json:"definitions"` // in the order of the new plan, removed ones last
	Answers     []Changed `json:"answers"`     // rules, procedures and events that answer otherwise
}

// A Name is which plan it is.
type Name struct {
	Ruleset  string `json:"ruleset"`
	Revision string `json:"revision"`
}

// Changed is what differs in one definition, or in what one rule answers.
type Changed struct {
	Kind    string     `json:"kind"` // "rule", "table", ..., "character", "ruleset"
	ID      string     `json:"id"`
	Verb    string     `json:"verb"`           // "added", "removed" or "changed"
	Place   plan.Place `json:"place"`          // in the new plan; of what is removed, in the old one
	Because []string   `json:"edit,omitempty"` // of an answer: the changed definitions that it comes from
	Changes []Change   `json:"changes"`
}

// A Change is one thing that differs. Its class is Same when only the answers can tell: a formula is written otherwise.
type Change struct {
	Class    Class  `json:"class"`
	Breaking bool   `json:"breaking"` // what was asked before cannot be asked, or what was answered is not
	Part     string `json:"part"`     // "input.name", `row "head", damage`, "output active_value"
	Old      string `json:"old,omitempty"`
	New      string `json:"new,omitempty"`
}

// Label names what changed: "rule test".
func (c *Changed) Label() string {
	if c.ID == "" {
		return c.Kind
	}
	return c.Kind + " " + c.ID
}

// Class is the highest class of the changes.
func (c *Changed) Class() Class {
	out := Same
	for i := range c.Changes {
		out = max(out, c.Changes[i].Class)
	}
	return out
}

// Class is the highest class of all that changed.
func (d *Diff) Class() Class {
	out := Same
	if len(d.Definitions) > 0 {
		out = TextClass
	}
	for _, list := range [][]Changed{d.Definitions, d.Answers} {
		for i := range list {
			out = max(out, list[i].Class())
		}
	}
	return out
}

// Breaking reports whether something that was asked before cannot be asked, or something that was answered is not.
func (d *Diff) Breaking() bool {
	return slices.ContainsFunc(d.Definitions, func(c Changed) bool {
		return slices.ContainsFunc(c.Changes, func(x Change) bool { return x.Breaking })
	})
}

// Compare compares two plans of a ruleset, which are not lowered for coverage. Normal is the normal form of their graphs.
func Compare(old, new *plan.Plan, normal Normal) *Diff {
	d := &differ{old: old, new: new, normal: normal, out: &Diff{Old: Name{old.Ruleset, old.Revision}, New: Name{new.Ruleset, new.Revision}}}
	d.ruleset()
	d.character()
	d.entries()
	d.readings()
	d.errata()
	d.answers()
	return d.out
}

// A differ compares plans.
type differ struct {
	old, new *plan.Plan
	normal   Normal
	out      *Diff
}

// changes collects the changes of one definition.
type changes []Change

// text notes what people read, when it differs.
func (l *changes) text(part, old, new string) {
	if old != new {
		*l = append(*l, Change{Class: TextClass, Part: part, Old: old, New: new})
	}
}

func (l *changes) add(class Class, breaking bool, part, old, new string) {
	*l = append(*l, Change{Class: class, Breaking: breaking, Part: part, Old: old, New: new})
}

// changed notes a definition when something in it differs.
func (d *differ) changed(kind, id string, at plan.Place, l changes) {
	if len(l) > 0 {
		d.out.Definitions = append(d.out.Definitions, Changed{Kind: kind, ID: id, Verb: "changed", Place: at, Changes: l})
	}
}

func (d *differ) lone(verb, kind, id string, at plan.Place, c Change) {
	d.out.Definitions = append(d.out.Definitions, Changed{Kind: kind, ID: id, Verb: verb, Place: at, Changes: []Change{c}})
}

func (d *differ) ruleset() {
	var l changes
	l.text("title", d.old.Title, d.new.Title)
	l.text("doc", d.old.Doc, d.new.Doc)
	l.text("book", d.old.Book, d.new.Book)
	l.text("author", d.old.Author, d.new.Author)
	d.changed("ruleset", d.new.Ruleset, plan.Place{}, l)
}

func (d *differ) character() {
	var l changes
	l.shapes("character", d.old.Character, d.new.Character)
	d.changed("character", "", d.new.Character.Place, l)
}

// isAskedByName reports whether people ask for definitions of the kind by name: one more is a shape, one less breaks.
func isAskedByName(k plan.EntryKind) bool { return k == plan.OptionEntry || k >= plan.RuleEntry }

func (d *differ) entries() {
	for i := range d.new.Entries {
		e := &d.new.Entries[i]
		if old := findEntry(d.old, e.Kind, e.ID); old != nil {
			d.changed(e.Kind.String(), e.ID, e.Place, d.entry(old, e))
			continue
		}
		d.lone("added", e.Kind.String(), e.ID, e.Place, Change{Class: loneClass(e.Kind), New: e.Doc})
	}
	for i := range d.old.Entries {
		if e := &d.old.Entries[i]; findEntry(d.new, e.Kind, e.ID) == nil {
			d.lone("removed", e.Kind.String(), e.ID, e.Place, Change{Class: loneClass(e.Kind), Breaking: isAskedByName(e.Kind), Old: e.Doc})
		}
	}
}

// loneClass is the class of a definition that only one plan has. What a table, a trait or a function did, the answers say.
func loneClass(k plan.EntryKind) Class {
	if isAskedByName(k) {
		return ShapeClass
	}
	return TextClass
}

func findEntry(p *plan.Plan, kind plan.EntryKind, id string) *plan.Entry {
	i := slices.IndexFunc(p.Entries, func(e plan.Entry) bool { return e.Kind == kind && e.ID == id })
	if i < 0 {
		return nil
	}
	return &p.Entries[i]
}

func (d *differ) entry(old, new *plan.Entry) changes {
	var l changes
	switch new.Kind {
	case plan.OptionEntry:
		l.option(findOption(d.old, new.ID), findOption(d.new, new.ID))
	case plan.TableEntry:
		l.table(d.old, d.new, findTable(d.old, new.ID), findTable(d.new, new.ID))
	default:
		l.asked(callOf(d.old, new), callOf(d.new, new))
	}
	l.lines(new.ID, Same, old.Lines, new.Lines)
	l.lines(new.ID, TextClass, old.Values, new.Values)
	l.text("cite", old.Cite, new.Cite)
	l.text("doc", old.Doc, new.Doc)
	l.text("covers", fmt.Sprint(old.Covers), fmt.Sprint(new.Covers))
	return l
}

// lines compares formulas, or what the values of an option mean. The only formula of a trait or a function has its id.
func (l *changes) lines(id string, class Class, old, new []plan.Line) {
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

func (d *differ) readings() {
	for i := range d.new.Readings {
		x := &d.new.Readings[i]
		k := slices.IndexFunc(d.old.Readings, func(r plan.Reading) bool { return r.ID == x.ID })
		if k < 0 {
			d.lone("added", "reading", x.ID, x.Place, Change{Class: TextClass, New: x.Ruled})
			continue
		}
		var l changes
		y := &d.old.Readings[k]
		l.text("cite", y.Cite, x.Cite)
		l.text("question", y.Question, x.Question)
		l.text("ruled", y.Ruled, x.Ruled)
		l.text("rejected", y.Rejected, x.Rejected)
		l.text("why", y.Why, x.Why)
		d.changed("reading", x.ID, x.Place, l)
	}
	for _, x := range d.old.Readings {
		if !slices.ContainsFunc(d.new.Readings, func(r plan.Reading) bool { return r.ID == x.ID }) {
			d.lone("removed", "reading", x.ID, x.Place, Change{Class: TextClass, Old: x.Ruled})
		}
	}
}

func (d *differ) errata() {
	for i := range d.new.Errata {
		x := &d.new.Errata[i]
		k := slices.IndexFunc(d.old.Errata, func(e plan.Erratum) bool { return e.ID == x.ID })
		if k < 0 {
			d.lone("added", "erratum", x.ID, x.Place, Change{Class: TextClass, New: x.Ruled})
			continue
		}
		var l changes
		y := &d.old.Errata[k]
		l.text("cite", y.Cite, x.Cite)
		l.text("printed", y.Printed, x.Printed)
		l.text("ruled", y.Ruled, x.Ruled)
		l.text("why", y.Why, x.Why)
		l.text("option", y.Option, x.Option)
		d.changed("erratum", x.ID, x.Place, l)
	}
	for _, x := range d.old.Errata {
		if !slices.ContainsFunc(d.new.Errata, func(e plan.Erratum) bool { return e.ID == x.ID }) {
			d.lone("removed", "erratum", x.ID, x.Place, Change{Class: TextClass, Old: x.Ruled})
		}
	}
}
