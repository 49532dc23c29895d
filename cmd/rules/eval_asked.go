package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/asked"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/describe"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// unknownSubject returns the error of a name that is asked about and that the plan does not have: that a homebrew has
// taken it out, when the ruleset alone has it; by what it is asked, when it is of another kind; and else the known name
// that is nearest.
func (q *question) unknownSubject(p *plan.Plan, what, id string, known []string) error {
	if len(q.s.With) > 0 && q.plan == "" {
		// What is wrong with the ruleset itself is said by the commands that compile it alone.
		base, err := compileBase(q.s, p.Ruleset)
		if err == nil && slices.Contains(append(describe.EvaluableNames(base), asked.Names(base)...), id) {
			return fmt.Errorf("%s is disabled by a homebrew: %s", id, strings.Join(p.Overlays, " or "))
		}
	}
	for i := range p.Entries {
		e := &p.Entries[i]
		if _, event, _ := strings.Cut(e.ID, "."); e.ID == id || e.Kind == plan.EventEntry && event == id {
			article := "a"
			if e.Kind == plan.OptionEntry || e.Kind == plan.EventEntry {
				article = "an"
			}
			return fmt.Errorf("%s is %s %s, and no %s: %s", id, article, e.Kind, what, adviseKind(p, e))
		}
	}
	return describe.UnknownIn(p, what, id, known)
}

// adviseKind returns how a definition is asked that another command or another flag asks for.
func adviseKind(p *plan.Plan, e *plan.Entry) string {
	switch e.Kind {
	case plan.OptionEntry:
		return fmt.Sprintf("another ruling is played with --option %s=VALUE", e.ID)
	case plan.EventEntry:
		procedure, event, _ := strings.Cut(e.ID, ".")
		return fmt.Sprintf("it happens in %s, with --event %s or, for odds, --policy %[2]s", procedure, event)
	case plan.RuleEntry:
		return fmt.Sprintf("its odds are asked by rules odds %s %s", p.Ruleset, e.ID)
	}
	return fmt.Sprintf("it is asked by rules eval %s %s", p.Ruleset, e.ID)
}

// compileAsked compiles a ruleset anew with a rule that asks for a trait, a function or a table of it.
//
// A trait, a function or a table has no graph of its own: they are written out where rules use
// them. So a rule that uses it is written, laid over the ruleset as a homebrew, and asked. Several
// wordings of that rule are tried, because a table may be looked up in more than one way; the last
// error is the one that tells most.
func (q *question) compileAsked(p *plan.Plan, id string) (*plan.Plan, error) {
	questions, err := asked.About(p, id)
	switch {
	case err != nil:
		return nil, err
	case len(questions) == 0:
		names := append(describe.EvaluableNames(p), asked.Names(p)...)
		return nil, q.unknownSubject(p, "rule, procedure, trait, function or table", id, names)
	// A plan has graphs of rules only; the sources from which a further rule could be compiled are
	// not in it.
	case q.plan != "":
		return nil, errors.New(id +
			" is no rule or procedure: a plan answers these alone, the ruleset that it was made of all")
	case q.receipt != "":
		return nil, errors.New(id + " is no rule or procedure: receipts are of these")
	}
	// Compiling a wording that does not fit takes as long as one that does. There are
	// few, and the likely one comes first.
	for _, x := range questions {
		var found *plan.Plan
		if found, err = q.s.CompileAsking(p.Ruleset, x); err == nil {
			return found, nil
		}
	}
	return nil, err
}
