package compare

import (
	"slices"

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

	Homebrews []string `json:"homebrews,omitempty"` // over it, by their ids
}

// NameOf names a plan.
func NameOf(p *plan.Plan) Name {
	return Name{Ruleset: p.Ruleset, Revision: p.Revision, Homebrews: p.Overlays}
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

// Label returns the name of the changed definition: "rule test".
func (c *Changed) Label() string {
	if c.ID == "" {
		return c.Kind
	}
	return c.Kind + " " + c.ID
}

// Class returns the highest class of the changes.
func (c *Changed) Class() Class {
	out := Same
	for i := range c.Changes {
		out = max(out, c.Changes[i].Class)
	}
	return out
}

// Class returns the highest class of all that changed.
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

// changeList collects the changes of one definition.
type changeList []Change

// addText notes a text for people that differs.
func (l *changeList) addText(part, old, new string) {
	if old != new {
		*l = append(*l, Change{Class: TextClass, Part: part, Old: old, New: new})
	}
}

func (l *changeList) add(class Class, breaking bool, part, old, new string) {
	*l = append(*l, Change{Class: class, Breaking: breaking, Part: part, Old: old, New: new})
}
