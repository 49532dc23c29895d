package revisions

import (
	"slices"

	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// revisions are two plans of a ruleset, ready to be asked.
type revisions struct {
	old, new *runtime.Program
	was, is  *golden.Definitions
	out      *Comparison
}

// explainAnswer names the edits that a changed answer can come from.
func (r *revisions) explainAnswer(a *compare.Changed) {
	kind := map[string]plan.EntryKind{"rule": plan.RuleEntry, "procedure": plan.ProcedureEntry,
		"event": plan.EventEntry}[a.Kind]
	a.Because = r.editsAmong(func(d *golden.Definitions) []*plan.Entry { return d.ReachedFrom(kind, a.ID) })
}

// editsAmong returns the changed definitions among those that either revision reaches.
func (r *revisions) editsAmong(reached func(*golden.Definitions) []*plan.Entry) []string {
	out := []string{}
	entries := append(reached(r.was), reached(r.is)...)
	for i := range r.out.Definitions {
		c := &r.out.Definitions[i]
		among := slices.ContainsFunc(entries, func(e *plan.Entry) bool { return e.Kind.String() == c.Kind && e.ID == c.ID })
		if changesPlay(c) && (among || c.Kind == "character") {
			out = append(out, c.Label())
		}
	}
	return out
}

// changesPlay reports whether a change of a definition can change an answer: it is more than a change of its text for
// people.
func changesPlay(c *compare.Changed) bool {
	return c.Verb != "changed" || slices.ContainsFunc(c.Changes,
		func(x compare.Change) bool { return x.Class != compare.TextClass })
}
