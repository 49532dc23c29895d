package lsp

import (
	"fmt"
	"io/fs"
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
	if ok {
		out = append(out, s.expectHints(v, file)...)
		out = append(out, s.oddsHints(v, file, x)...)
	}
	out = append(out, s.revisionHints(v, file)...)
	return slices.DeleteFunc(out, func(h inlayHint) bool {
		return h.Position.Line < p.Range.Start.Line || h.Position.Line > p.Range.End.Line
	}), nil
}

// oddsHints tell at each output of a rule how likely it is or its mean, for the chosen character or the one of the rule's
// first case.
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
		f := s.chancesOf(v, cases, d.Name)
		if f.chances == nil {
			continue
		}
		for _, output := range d.Members() {
			if output.Place.File != file {
				continue
			}
			at := v.span(output.Place, 0).Start
			if label := labelOf(f.chances.Marginal(output.Name)); label != "" {
				line := v.text(file).line(output.Place.Line)
				at.Character = v.encoding.units(line)
				out = append(out, inlayHint{at, label, "the odds for " + f.subject, true})
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

// A subject is for whom and for what the odds of a rule are computed.
type subject struct {
	name             string // in words
	options          map[string]string
	character, input []byte
}

// A forecast is the odds of a rule for a subject.
type forecast struct {
	subject string
	chances *odds.Joint // nil when there is no subject, or they take too long
}

// chancesOf are the odds of a rule for the chosen character, or else for its first case that asks for an answer. They are
// computed once for each plan and character.
func (s *server) chancesOf(v *view, p *played, rule string) *forecast {
	character, file := s.chosenCharacter(v, p.program.Plan().Ruleset)
	if as := file + string(character); s.chancesFor != p.program || s.chancesAs != as {
		s.chancesFor, s.chancesAs, s.chances = p.program, as, map[string]*forecast{}
	}
	if f, ok := s.chances[rule]; ok {
		return f
	}
	out := &forecast{}
	for _, x := range s.subjectsOf(v, p, rule, character, file) {
		asked, err := odds.NewRule(p.program, rule, runtime.Choice{Options: x.options})
		if err != nil {
			continue
		}
		records := odds.Records{plan.CharacterRoot: x.character, plan.InputRoot: x.input}
		if j, err := asked.Odds(odds.Question{Records: records, Budget: hintBudget}); err == nil {
			out = &forecast{x.name, j}
			break
		}
	}
	s.chances[rule] = out
	return out
}

// mostSubjects is how many subjects are tried: the input of a case may ask what another character does not have.
const mostSubjects = 4

// subjectsOf are the subjects for whom odds of a rule may be shown: without a chosen character the first case, with one the
// input beside its file that is named for the rule, and the inputs of the first cases.
func (s *server) subjectsOf(v *view, p *played, rule string, character []byte, file string) []subject {
	var out []subject
	if file != "" {
		name := strings.TrimSuffix(file, ".json") + "_" + rule + ".json"
		if input, err := fs.ReadFile(v, name); err == nil {
			out = append(out, subject{name: file + " and the input in " + name, character: character, input: input})
		}
	}
	for _, r := range p.results {
		c := r.Case
		if c.Kind != golden.RuleCase || c.Subject != rule || c.Refused != "" || c.Failed != "" {
			continue
		}
		if file == "" {
			return []subject{{"the character and the input of " + c.File, c.Options, c.CharacterJSON(), c.Input}}
		}
		if len(out) < mostSubjects {
			out = append(out, subject{file + " and the input of " + c.File, c.Options, character, c.Input})
		}
	}
	return out
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
