package lsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/publish/release"
	"github.com/tabletop-rules/rules/compiler"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/golden/revisions"
	"github.com/tabletop-rules/rules/runtime/compare"
	"github.com/tabletop-rules/rules/runtime/plan"
	"github.com/tabletop-rules/rules/runtime/planfile"
)

// A numbering is what the change since the last release asks of the number of the next one.
type numbering struct {
	plan   *plan.Plan // the plan that was compared
	before string     // the number of the last release
	least  compare.Number
	change *revisions.Comparison
}

// numberings are what the changes of rulesets ask of their next numbers, as long as they hold.
//
// The comparison plays all cases on two plans, which takes seconds for a large ruleset. It is made
// when rules.cue asks for hints, and once for each plan: typing in a table asks for nothing.
type numberings struct {
	read           func() []*planfile.Release // what was released before; nil when nothing says what that is
	hasReadEarlier bool
	earlier        []*planfile.Release
	byRuleset      map[string]*numbering
}

// revisionHints returns in rules.cue, at the number of each ruleset, the number that "rules release" will ask for.
func (n *numberings) revisionHints(s *snapshot, file string) []inlayHint {
	if n.read == nil || s.homebrew {
		return nil
	}
	var out []inlayHint
	for _, d := range s.library.loadedDrafts() {
		if d.Released.File != file {
			continue
		}
		next := n.numberingOf(s.playedRulesets[d.Rules.ID])
		if next == nil {
			continue
		}
		line := []rune(s.text(file).line(d.Released.Line))
		end := valueEnd(line, d.Released.Col-1) // from the quote on: the place is that of the first digit
		at := s.text(file).positionOf(d.Released.Line, end, s.encoding)
		label, why := next.describeNumber(d)
		out = append(out, inlayHint{at, label, why, true})
	}
	return out
}

// describeNumber returns the number that a draft must have, and the reason.
func (n *numbering) describeNumber(d *compiler.Draft) (label, why string) {
	class := n.change.Class().String()
	if n.change.Breaking() {
		class += " and breaks"
	}
	var changed []string
	for _, c := range slices.Concat(n.change.Definitions, n.change.Answers) {
		if line := c.Label() + " " + c.Verb; !slices.Contains(changed, line) {
			changed = append(changed, line)
		}
	}
	const most = 12
	if more := len(changed) - most; more > 0 {
		changed = append(changed[:most], fmt.Sprintf("and %d more", more))
	}
	why = strings.Join(append([]string{"since " + n.before + ":"}, changed...), "\n")
	written, err := compare.ParseNumber(d.Revision)
	switch {
	case n.change.Class() == compare.Same:
		return "as " + n.before + " was released", "nothing has changed since " + n.before
	case err != nil || written.Less(n.least):
		return fmt.Sprintf("at least %v: the change is %s", n.least, class), why
	}
	return "follows " + n.before + ": the change is " + class, why
}

// numberingOf compares the plan of a ruleset with its last release; nil when there is no release, or no plan yet. It is
// done once for each plan.
func (n *numberings) numberingOf(now *playedRuleset) *numbering {
	if now == nil {
		return nil
	}
	p := now.program.Plan()
	if known := n.byRuleset[p.Ruleset]; known != nil && known.plan == p {
		return known
	}
	if !n.hasReadEarlier {
		n.hasReadEarlier, n.earlier = true, n.read()
	}
	i := slices.IndexFunc(n.earlier, func(r *planfile.Release) bool { return r.Plan.Ruleset == p.Ruleset })
	if i < 0 {
		return nil
	}
	old := n.earlier[i]
	number, err := compare.ParseNumber(old.Plan.Revision)
	if err != nil {
		return nil
	}
	change := revisions.Compare(old.Plan, p, now.casesBeside(old), nil)
	out := &numbering{p, old.Plan.Revision, number.Next(change.Class(), change.Breaking()), change}
	n.byRuleset[p.Ruleset] = out
	return out
}

// casesBeside returns the cases that were played, and those of an earlier release that are no longer among them.
func (p *playedRuleset) casesBeside(old *planfile.Release) []*golden.Case {
	var out []*golden.Case
	for _, r := range p.results {
		out = append(out, r.Case)
	}
	before, err := release.ParseCases(old)
	if err != nil {
		return out // cases of another time, which this program cannot read
	}
	for _, c := range before {
		if !slices.ContainsFunc(out, func(x *golden.Case) bool { return x.Name == c.Name }) {
			out = append(out, c)
		}
	}
	return out
}
