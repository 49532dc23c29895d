package gametable

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tabletop-rules/rules/runtime"
	"github.com/tabletop-rules/rules/runtime/odds"
	"github.com/tabletop-rules/rules/runtime/plan"
)

// A Chance is how likely an output is to be true: as it stands, or if a question is answered so.
type Chance struct {
	Output string          `json:"output"`
	If     json.RawMessage `json:"if,omitempty"` // absent: as it stands, with the defaults of what is not answered yet
	P      float64         `json:"p"`
}

// mostAnswers is of how many answers to a question the odds are told.
const mostAnswers = 12

// odds gives the chances at a prompt: as it stands and, of a question with few answers, for each of them.
func (s *Session) odds(p *Prompt) ([]Chance, error) {
	id := s.now.subject
	if !slices.Contains(s.Program.RuleNames(), id) {
		return nil, errors.New("odds are told of rules; \"rules odds\" plays a procedure by a policy")
	}
	if (p.Ask == runtime.AskDie || p.Ask == runtime.AskDecision) && len(s.now.known.Dice) > 0 {
		return nil, errors.New("dice have fallen: odds are told before the first")
	}
	outputs := s.truths(id)
	if len(outputs) == 0 {
		return nil, fmt.Errorf("rule %s has no output that is true or false", id)
	}
	var out []Chance
	if p.Ask == runtime.AskDie || !p.Required {
		list, err := s.chances(id, outputs, s.now.known)
		if err != nil {
			return nil, err
		}
		out = list
	}
	for _, answer := range answersTo(p) {
		k := s.now.known
		if err := k.Answer(&p.Question, answer); err != nil {
			return nil, err
		}
		list, err := s.chances(id, outputs, k)
		if err != nil {
			continue // this answer is refused
		}
		for i := range list {
			list[i].If = answer
		}
		out = append(out, list...)
	}
	if len(out) == 0 {
		return nil, errors.New("odds need an answer to this first")
	}
	return out, nil
}

// noteDecisions says which fields count as by default in odds, because they are decided when dice have fallen.
func (s *Session) noteDecisions() string {
	var list []string
	for _, r := range s.Program.Plan().Rules {
		if r.ID == s.now.subject {
			for _, d := range r.Graph.Decisions {
				list = append(list, d.Path)
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, " and ") + " counts as by default, for it is decided when dice have fallen"
}

// truths are the outputs of a rule that are true or false.
func (s *Session) truths(id string) (out []string) {
	p := s.Program.Plan()
	for i := range p.Rules {
		if p.Rules[i].ID != id {
			continue
		}
		for _, f := range p.Rules[i].Graph.Outputs.Type.Fields {
			if f.Type.Kind == plan.Bool {
				out = append(out, f.Name)
			}
		}
	}
	return out
}

// answersTo are the answers to a question that has few.
func answersTo(p *Prompt) (out []json.RawMessage) {
	switch {
	case p.Type == "bool":
		return []json.RawMessage{json.RawMessage("false"), json.RawMessage("true")}
	case p.Type == "string" && len(p.Keys) <= mostAnswers:
		for _, k := range p.Keys {
			text, err := json.Marshal(k.Key)
			if err == nil {
				out = append(out, text)
			}
		}
	}
	return out
}

// chances are those of the outputs when everything that is not known is as by default.
func (s *Session) chances(id string, outputs []string, k runtime.Known) ([]Chance, error) {
	choice := runtime.Choice{Options: s.Options, Outputs: outputs}
	rule, err := s.Program.Rule(id, choice)
	if err != nil {
		return nil, err
	}
	k.Accepted = append(slices.Clip(k.Accepted), "input", "character")
	asked, err := rule.Ask(k)
	if err != nil {
		return nil, err
	}
	if len(asked.Needs) > 0 && asked.Needs[0].Ask != runtime.AskDie {
		return nil, fmt.Errorf("odds need %s first", asked.Needs[0].Path)
	}
	character, input, err := rule.Fill(k)
	if err != nil {
		return nil, err
	}
	of, err := odds.NewRule(s.Program, id, choice)
	if err != nil {
		return nil, err
	}
	joint, err := of.Odds(odds.Question{Records: odds.Records{plan.CharacterRoot: character, plan.InputRoot: input}})
	if err != nil {
		return nil, err
	}
	var out []Chance
	for _, name := range outputs {
		m := joint.Marginal(name)
		c := Chance{Output: name}
		for i, v := range m.Values {
			if v.Bool() {
				c.P = m.P[i]
			}
		}
		out = append(out, c)
	}
	return out, nil
}
