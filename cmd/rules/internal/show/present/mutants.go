package present

import (
	"fmt"

	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/compiler/diag"
	"github.com/tabletop-rules/rules/golden/mutants"
)

// PrintMutants prints the results of a ruleset's mutants: the score of each kind, each survivor, and the excuses that
// nothing needs; under verbose also the equivalent and excused ones.
//
// A survivor has its place, its change, and both values, so that a case can be written from the line alone.
func PrintMutants(p *layout.Page, r *mutants.Report, verbose bool) {
	p.AddBlank()
	p.AddLine(0, "%s", p.Style(layout.Bold, r.Ruleset))
	rows := [][]string{{"kind", "mutants", "noticed", "refused", "equivalent", "excused", "survived", "score"}}
	for _, k := range append(mutants.Kinds(), "") {
		if s := r.Score(k); s.Total()+s.Equivalent > 0 {
			rows = append(rows, scoreRow(k, s))
		}
	}
	right := layout.Column{Right: true}
	p.AddRows(2, rows, layout.Column{}, right, right, right, right, right, right, right)
	for _, v := range r.Verdicts {
		switch {
		case v.Outcome == mutants.Survived:
			p.AddLine(2, "%s: %s", diag.PlaceString(v.Place), v.Sentence())
		case v.Outcome == mutants.Equivalent && verbose:
			p.AddLine(2, "%s: %s: %s instead of %s changes no answer", diag.PlaceString(v.Place), v.What, v.Now, v.Was)
		case v.Outcome == mutants.Excused && verbose:
			p.AddLine(2, "%s: %s, excused: %s", diag.PlaceString(v.Place), v.Sentence(), v.Reason)
		}
	}
	for _, e := range r.Stale {
		p.AddLine(2, "survivors.txt:%d: %s: %s instead of %s is excused, and no longer survives: remove the line",
			e.Line, e.What, e.Now, e.Was)
	}
}

// scoreRow returns the score of a kind. Equivalent mutants are in the count and not in the share:
// an author can do nothing about them.
func scoreRow(k mutants.Kind, s mutants.Score) []string {
	name := string(k)
	if k == "" {
		name = "all"
	}
	return []string{
		name, fmt.Sprint(s.Total() + s.Equivalent), fmt.Sprint(s.Noticed), fmt.Sprint(s.Refused), fmt.Sprint(s.Equivalent),
		fmt.Sprint(s.Excused), fmt.Sprint(s.Survived), fmt.Sprintf("%.1f%%", 100*s.Share()),
	}
}

// A mutantsJSON is a report on mutants for tools.
type mutantsJSON struct {
	Ruleset string               `json:"ruleset"`
	Scores  map[string]scoreJSON `json:"scores"` // by kind, and of "all"
	Mutants []mutantJSON         `json:"mutants"`
	Stale   []excuseJSON         `json:"stale,omitempty"`
}

// A scoreJSON counts the mutants of a kind. Noticed are those that a case saw, Refused those that
// did not even compile; both count for the cases, because neither change could ship.
type scoreJSON struct {
	Noticed    int     `json:"noticed"`
	Refused    int     `json:"refused"`
	Equivalent int     `json:"equivalent"`
	Excused    int     `json:"excused"`
	Survived   int     `json:"survived"`
	Share      float64 `json:"share"` // of those that are not equivalent: noticed or refused
}

type mutantJSON struct {
	Place   string `json:"place"`
	Kind    string `json:"kind"`
	What    string `json:"what"`
	Was     string `json:"was"`
	Now     string `json:"now"`
	Outcome string `json:"outcome"`
	By      string `json:"by,omitempty"`     // the case that noticed it, or the code of what refused it
	Reason  string `json:"reason,omitempty"` // why it is excused
}

// An excuseJSON is a line of survivors.txt that no survivor needs.
type excuseJSON struct {
	Line int    `json:"line"`
	What string `json:"what"`
	Was  string `json:"was"`
	Now  string `json:"now"`
}

// MutantsJSON is reports on mutants for tools.
func MutantsJSON(reports []*mutants.Report) []mutantsJSON {
	out := make([]mutantsJSON, len(reports))
	for i, r := range reports {
		x := mutantsJSON{Ruleset: r.Ruleset, Scores: map[string]scoreJSON{"all": newScoreJSON(r.Score(""))},
			Mutants: []mutantJSON{}}
		for _, k := range mutants.Kinds() {
			x.Scores[string(k)] = newScoreJSON(r.Score(k))
		}
		for _, v := range r.Verdicts {
			x.Mutants = append(x.Mutants, mutantJSON{
				diag.PlaceString(v.Place), string(v.Kind), v.What, v.Was, v.Now, string(v.Outcome), v.By, v.Reason,
			})
		}
		for _, e := range r.Stale {
			x.Stale = append(x.Stale, excuseJSON{e.Line, e.What, e.Was, e.Now})
		}
		out[i] = x
	}
	return out
}

func newScoreJSON(s mutants.Score) scoreJSON {
	return scoreJSON{s.Noticed, s.Refused, s.Equivalent, s.Excused, s.Survived, s.Share()}
}
