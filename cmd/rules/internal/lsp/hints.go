package lsp

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/symbols"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// hintBudget is how many states may be met for the hints of one rule: what takes more has none.
const hintBudget = 200_000

// inlayHints tell what a reader would have to look up or work out: the odds of outputs, and what a homebrew finds.
func (s *server) inlayHints(p inlayHintParams) (any, error) {
	out := []inlayHint{}
	v, file, x, ok := s.rulesetOf(p.TextDocument.URI)
	if !ok {
		return out, nil
	}
	out = append(out, s.expectHints(v, file)...)
	out = append(out, s.oddsHints(v, file, x)...)
	return slices.DeleteFunc(out, func(h inlayHint) bool {
		return h.Position.Line < p.Range.Start.Line || h.Position.Line > p.Range.End.Line
	}), nil
}

// oddsHints tell at each output of a rule how likely it is or its mean, for the character and the input of the rule's first
// case.
func (s *server) oddsHints(v *view, file string, x *symbols.Index) []inlayHint {
	cases := s.lastPlayed(x.Ruleset())
	if cases == nil { // not yet
		return nil
	}
	var out []inlayHint
	for _, d := range x.Definitions() {
		if d.Kind != symbols.Rule || d.Place.File != file {
			continue
		}
		c, chances := s.chancesOf(cases, d.Name)
		if chances == nil {
			continue
		}
		for _, output := range d.Members() {
			if output.Place.File != file {
				continue
			}
			at := v.span(output.Place, 0).Start
			if label := labelOf(chances.Marginal(output.Name)); label != "" {
				line := v.text(file).line(output.Place.Line)
				at.Character = v.encoding.units(line)
				out = append(out, inlayHint{at, label, "the odds for the character and the input of " + c.File, true})
			}
		}
	}
	return out
}

// expectHints tell in a homebrew, at each value that it expects, what stands there in the ruleset now.
func (s *server) expectHints(v *view, file string) []inlayHint {
	d := s.drafts[path.Dir(file)]
	if d == nil {
		return nil
	}
	var out []inlayHint
	for _, x := range d.Finds {
		if x.Place.File != file {
			continue
		}
		h := inlayHint{Label: "found", Tooltip: "the ruleset has it, as is expected here", PaddingLeft: true}
		if !x.Expected {
			h.Label, h.Tooltip = "found now: "+x.Text, "the ruleset has something else: nothing is replaced"
		}
		line := v.text(file).line(x.Place.Line)
		h.Position = v.text(file).position(x.Place.Line, valueEnd([]rune(line), x.Place.Col), v.encoding)
		out = append(out, h)
	}
	return out
}

// chancesOf are the odds of a rule for its first case that asks for an answer, and that case; nil when there is none, or
// they take too long. They are computed once for each plan.
func (s *server) chancesOf(p *played, rule string) (*golden.Case, *odds.Joint) {
	i := slices.IndexFunc(p.results, func(r *golden.Result) bool {
		c := r.Case
		return c.Kind == golden.RuleCase && c.Subject == rule && c.Refused == "" && c.Failed == ""
	})
	if i < 0 {
		return nil, nil
	}
	c := p.results[i].Case
	if s.chancesFor != p.program {
		s.chancesFor, s.chances = p.program, map[string]*odds.Joint{}
	}
	if j, ok := s.chances[rule]; ok {
		return c, j
	}
	s.chances[rule] = nil
	asked, err := odds.NewRule(p.program, rule, runtime.Choice{Options: c.Options})
	if err != nil {
		return c, nil
	}
	records := odds.Records{plan.CharacterRoot: c.CharacterJSON(), plan.InputRoot: c.Input}
	if j, err := asked.Odds(odds.Question{Records: records, Budget: hintBudget}); err == nil {
		s.chances[rule] = j
	}
	return c, s.chances[rule]
}

// labelOf is the probability of a bool, the mean of a number, or the likeliest value with its probability; empty for what
// is always the same, which the case says already.
func labelOf(m *odds.Marginal) string {
	if m == nil || len(m.Values) < 2 {
		return ""
	}
	if m.Numeric() {
		return fmt.Sprintf("mean %.4g", m.Mean())
	}
	likely := 0
	for i, p := range m.P {
		if m.Values[i].Kind() == plan.Bool && m.Values[i].Bool() {
			return percent(p)
		}
		if p > m.P[likely] {
			likely = i
		}
	}
	return strings.Trim(m.Values[likely].String(), `"`) + " " + percent(m.P[likely])
}

// percent rounds, but neither to 0 nor to all what is not.
func percent(p float64) string {
	switch x := math.Round(p * 1000); {
	case x == 0 && p > 0:
		return "< 0.1 %"
	case x == 1000 && p < 1:
		return "> 99.9 %"
	default:
		return fmt.Sprintf("%g %%", x/10)
	}
}
