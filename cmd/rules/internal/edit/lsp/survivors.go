package lsp

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/cache"
	"github.com/tabletop-rules/rules/cmd/rules/internal/module/scorecard"
	"github.com/tabletop-rules/rules/runtime/plural"
)

// showSurvivors is the command of a lens: it tells the changes of a definition that no case notices. Its arguments are the
// ruleset, the kind of the definition, and its name.
const showSurvivors = "rules.showSurvivors"

// A survivor is a change of a ruleset that no case has noticed, as the report of a measurement has it.
type survivor struct {
	Place   string `json:"place"`
	What    string `json:"what"`
	Was     string `json:"was"`
	Now     string `json:"now"`
	Outcome string `json:"outcome"`
}

// survivorReports are what was measured last, as it was read for one version.
//
// Measuring takes minutes and is never done here. What "rules test --mutants" measured last is
// shown as long as nothing has changed since, and then not any more.
type survivorReports struct {
	cache   cache.Cache // where measurements by mutants are kept; the zero value has none
	ruleset string
	version int
	list    []survivor
}

// survivorsOf returns the changes that no case noticed and nothing excuses, when the ruleset was measured last. There are
// none if the ruleset, its cases or its excuses have changed since, on the screen or on the disk: stale ones would send an
// author to cases that he has written already.
func (r *survivorReports) survivorsOf(s *snapshot, ruleset string) []survivor {
	if s.homebrew || r.cache.Dir == "" {
		return nil
	}
	if r.version == s.version && r.ruleset == ruleset {
		return r.list
	}
	r.list, r.version, r.ruleset = nil, s.version, ruleset
	shelf := scorecard.Shelf{Cache: r.cache, Dir: s.root, Files: s.buffers}
	card, stale := shelf.Last(ruleset)
	if card == nil || stale {
		return nil
	}
	var reports []struct {
		Mutants []survivor `json:"mutants"`
	}
	if json.Unmarshal(card.Report, &reports) != nil {
		return nil // of another version of the program
	}
	for _, x := range reports {
		for _, m := range x.Mutants {
			if m.Outcome == "survived" {
				r.list = append(r.list, m)
			}
		}
	}
	return r.list
}

// survivorsOfDefinition returns the survivors of a definition: "rule test, let value" is of the rule test.
func survivorsOfDefinition(list []survivor, d *symbols.Symbol) []survivor {
	var out []survivor
	label := d.Kind.String() + " " + d.Name
	for _, x := range list {
		if isOfDefinition(&x, label) {
			out = append(out, x)
		}
	}
	return out
}

func isOfDefinition(x *survivor, label string) bool {
	return x.What == label || strings.HasPrefix(x.What, label+",")
}

// describeSurvivors lists survivors, each on a line.
func describeSurvivors(list []survivor) string {
	var out strings.Builder
	for _, x := range list {
		fmt.Fprintf(&out, "\n%s: %s: %s instead of %s", x.Place, x.What, x.Now, x.Was)
	}
	return out.String()
}

func countSurvivors(n int) string { return plural.Of(n, "change survives", "changes survive") }

// describeForDefinition returns a message with the changes of a definition that no case noticed.
func (r *survivorReports) describeForDefinition(s *snapshot, p executeCommandParams) (*showMessageParams, error) {
	if len(p.Arguments) != 3 {
		return nil, newRefusal("%s has a ruleset, a kind and a name", showSurvivors)
	}
	var list []survivor
	label := p.Arguments[1] + " " + p.Arguments[2]
	for _, x := range r.survivorsOf(s, p.Arguments[0]) {
		if isOfDefinition(&x, label) {
			list = append(list, x)
		}
	}
	return &showMessageParams{infoMessage, label + ": " + countSurvivors(len(list)) + describeSurvivors(list)}, nil
}
