package lsp

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/tabletop-rules/rules/cmd/rules/internal/ask/query"
	"github.com/tabletop-rules/rules/cmd/rules/internal/edit/symbols"
	"github.com/tabletop-rules/rules/cmd/rules/internal/show/layout"
	"github.com/tabletop-rules/rules/golden"
	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// hintBudget is how many states may be met for the hints of one rule: what takes more has none.
const hintBudget = 200_000

// A subject is for whom and for what the odds of a rule are computed.
type subject struct {
	name string // in words
	query.Question
}

// newSubject returns the question of a case, or of a file, for a character.
func newSubject(name string, options map[string]string, character, input []byte) subject {
	return subject{name, query.Question{Options: options, Request: runtime.Request{Character: character, Input: input}}}
}

// A forecast is the odds of a rule for a subject.
type forecast struct {
	subject string
	chances *odds.Joint // nil when there is no subject, or they take too long
}

// forecasts are the odds that hints tell, as long as they hold: of one plan, for one character.
//
// A hint must not make typing slow. The odds of a rule are computed once for a plan and a
// character, within a budget of states, and what takes more has no hint at all instead of an
// estimate.
type forecasts struct {
	program   *runtime.Program
	character string // the file and the text of the chosen character
	byRule    map[string]*forecast
}

// outputHints returns at each output of a rule its chance or its mean, for the chosen character or the one of the rule's
// first case.
func (f *forecasts) outputHints(s *snapshot, file string, x *symbols.Index) []inlayHint {
	cases := s.playedRulesets[x.Ruleset()]
	if cases == nil { // not yet
		return nil
	}
	var out []inlayHint
	for _, d := range x.Definitions() {
		if d.Kind != symbols.Rule || d.Place.File != file {
			continue
		}
		c := f.forecastOf(s, cases, d.Name)
		if c.chances == nil {
			continue
		}
		for _, output := range d.Members() {
			if output.Place.File != file {
				continue
			}
			at := s.spanAt(output.Place, 0).Start
			if label := labelOf(c.chances.Marginal(output.Name)); label != "" {
				line := s.text(file).line(output.Place.Line)
				at.Character = s.encoding.countUnits(line)
				out = append(out, inlayHint{at, label, "the odds for " + c.subject, true})
			}
		}
	}
	return out
}

// forecastOf returns the odds of a rule for the chosen character, or else for its first case that asks for an answer. They
// are computed once for each plan and character.
func (f *forecasts) forecastOf(s *snapshot, p *playedRuleset, rule string) *forecast {
	character, file := chosenCharacter(s, p.program.Plan().Ruleset)
	if as := file + string(character); f.program != p.program || f.character != as {
		*f = forecasts{p.program, as, map[string]*forecast{}}
	}
	if known, ok := f.byRule[rule]; ok {
		return known
	}
	out := &forecast{}
	for _, x := range subjectsOf(s, p, rule, character, file) {
		asked, err := p.program.Rule(rule, runtime.Choice{Options: x.Options})
		if err != nil {
			continue
		}
		answer, err := asked.Odds(context.Background(), x.Request,
			&odds.Options{Joint: true, Quick: true, Budget: hintBudget})
		if err == nil {
			out = &forecast{x.name, answer.Joint}
			break
		}
	}
	f.byRule[rule] = out
	return out
}

// mostSubjects is how many subjects are tried: the input of a case may ask what another character does not have.
const mostSubjects = 4

// subjectsOf returns the subjects for whom odds of a rule may be shown: without a chosen character the first case, with one
// the input beside its file that is named for the rule, and the inputs of the first cases.
//
// A chosen character is asked the questions of the cases until one input works: a case may name a skill that the character
// does not have, and then the rule refuses and has no odds.
func subjectsOf(s *snapshot, p *playedRuleset, rule string, character []byte, file string) []subject {
	var out []subject
	if file != "" {
		name := strings.TrimSuffix(file, ".json") + "_" + rule + ".json"
		if input, err := fs.ReadFile(s, name); err == nil {
			out = append(out, newSubject(file+" and the input in "+name, nil, character, input))
		}
	}
	for _, r := range p.results {
		c := r.Case
		if c.Kind != golden.RuleCase || c.Subject != rule || c.Refused != "" || c.Failed != "" {
			continue
		}
		if file == "" {
			return []subject{newSubject("the character and the input of "+c.File, c.Options, c.CharacterJSON(), c.Input)}
		}
		if len(out) < mostSubjects {
			out = append(out, newSubject(file+" and the input of "+c.File, c.Options, character, c.Input))
		}
	}
	return out
}

// labelOf returns the probability of a bool, the mean of a number, or the likeliest value with its probability; empty for
// an output of one value, which stands in the case.
//
// One number has to do beside a line: for a truth its chance, for a number its mean, for words the likeliest.
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
			return layout.FormatRoundPercent(p)
		}
		if p > m.P[likely] {
			likely = i
		}
	}
	return strings.Trim(m.Values[likely].String(), `"`) + " " + layout.FormatRoundPercent(m.P[likely])
}
