package describe

import (
	"fmt"
	"slices"

	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/say"
)

// An Item is a definition as list shows it.
//
// Params are of functions and Input of rules: a function is called with values in an order, a rule
// is given a record.
type Item struct {
	Ruleset string   `json:"ruleset"`
	Kind    string   `json:"kind"`
	ID      string   `json:"id"`
	Cite    string   `json:"cite"`
	Doc     string   `json:"doc,omitempty"`
	Place   string   `json:"place"`
	Covers  []string `json:"covers"`
	// Overlays are the homebrews that added or changed it, in their order.
	Overlays []string `json:"overlays,omitempty"`
	Input    []Field  `json:"input,omitempty"`
	Params   []Field  `json:"params,omitempty"` // of a function
}

// ItemsOf are the definitions of a ruleset, then its readings and errata.
func ItemsOf(p *plan.Plan) []Item {
	var out []Item
	speaker := say.NewSpeaker(p)
	for i := range p.Entries {
		out = append(out, itemOf(p, speaker, &p.Entries[i]))
	}
	for _, r := range p.Readings {
		out = append(out, Item{Ruleset: p.Ruleset, Kind: "reading", ID: r.ID, Cite: r.Cite, Doc: r.Question,
			Place: placeText(r.Place), Covers: []string{}})
	}
	for _, r := range p.Errata {
		out = append(out, Item{Ruleset: p.Ruleset, Kind: "erratum", ID: r.ID, Cite: r.Cite, Doc: r.Printed,
			Place: placeText(r.Place), Covers: []string{}})
	}
	return out
}

// KindNames are the ids of the definitions of a kind.
type KindNames struct {
	Kind string   `json:"kind"`
	IDs  []string `json:"ids"`
}

// NamesByKind returns the ids of the definitions of a ruleset, its readings and its errata, by kinds. The kinds are in the
// order of the first definition of each.
func NamesByKind(p *plan.Plan) (out []KindNames) {
	for _, x := range ItemsOf(p) {
		i := slices.IndexFunc(out, func(k KindNames) bool { return k.Kind == x.Kind })
		if i < 0 {
			i, out = len(out), append(out, KindNames{Kind: x.Kind})
		}
		out[i].IDs = append(out[i].IDs, x.ID)
	}
	return out
}

// itemOf returns an entry as list shows it. Covers is never nil, so that JSON has [] and no null.
func itemOf(p *plan.Plan, s *say.Speaker, e *plan.Entry) Item {
	out := Item{
		Ruleset: p.Ruleset, Kind: kindName(e.Kind), ID: e.ID, Cite: e.Cite, Doc: e.Doc, Place: placeText(e.Place),
		Covers: append([]string{}, e.Covers...), Overlays: e.Overlays,
	}
	root := plan.InputRoot
	switch e.Kind {
	case plan.EventEntry:
		root = plan.EventRoot
		fallthrough
	case plan.RuleEntry, plan.ProcedureEntry:
		out.Input = FieldsOf(InputOf(p, e.ID))
		addHints(s, root, e.ID, out.Input)
	}
	for _, l := range e.Lines {
		if l.Part == "param" {
			out.Params = append(out.Params, Field{Name: l.Name, Type: l.Text, Required: true})
		}
	}
	return out
}

// kindName names a kind of definition.
func kindName(k plan.EntryKind) string {
	return [...]string{"option", "table", "trait", "function", "rule", "procedure", "event"}[k]
}

// placeText writes a place as file:line:column, the form that editors open.
func placeText(at plan.Place) string { return Origin("", at) }

// Origin writes where the book and where the ruleset says something; either may be missing.
func Origin(cite string, at plan.Place) string {
	place := ""
	if at.File != "" {
		place = fmt.Sprintf("%s:%d:%d", at.File, at.Line, at.Col)
	}
	if cite == "" || place == "" {
		return cite + place
	}
	return cite + "; " + place
}
