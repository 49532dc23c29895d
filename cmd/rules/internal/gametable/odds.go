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

// mostAnswers is of how many answers to a question the odds are told.
const mostAnswers = 12

// odds gives the chances at a prompt: as it stands and, of a question with few answers, for each of them.
func (s *Session) odds(p *Prompt) ([]Chance, error) {
	switch {
	case p.Ask == AskSubject, p.Ask == AskMore:
		return nil, errors.New("choose a rule or a procedure first")
	case p.Ask == AskEvent:
		return s.eventOdds(p)
	case s.graphOf(s.now.event) == nil:
		return nil, errors.New("the procedure has not begun: odds are told of its events; " +
			"\"rules odds\" plays all of it by a policy")
	case (p.Ask == runtime.AskDie || p.Ask == runtime.AskDecision) && len(s.now.known.Dice) > 0:
		return nil, errors.New("dice have fallen: odds are told before the first")
	}
	outputs := truths(s.graphOf(s.now.event))
	if len(outputs) == 0 {
		return nil, errors.New("nothing here is true or false: there is no output of which odds are told")
	}
	var out []Chance
	if p.Ask == runtime.AskDie || !p.Required {
		list, err := s.chances(s.now.event, outputs, s.now.known)
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
		list, err := s.chances(s.now.event, outputs, k)
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

// eventOdds gives the chances of each event that can happen without an answer.
func (s *Session) eventOdds(p *Prompt) (out []Chance, err error) {
	for i := range p.Offers {
		o := &p.Offers[i]
		outputs := truths(s.graphOf(o.Event))
		if !o.Offered || o.Refused != "" || len(outputs) == 0 {
			continue
		}
		list, failed := s.chances(o.Event, outputs, runtime.Known{})
		if failed != nil {
			err = fmt.Errorf("choose an event first: of %s, %w", o.Event, failed)
			continue
		}
		for i := range list {
			list[i].If = quote(o.Event)
		}
		out = append(out, list...)
	}
	switch {
	case len(out) > 0:
		return out, nil
	case err == nil:
		err = errors.New("no event that is offered has an output that is true or false")
	}
	return nil, err
}

// graphOf is the graph of the rule that is played, or of an event of the procedure; nil when there is none.
func (s *Session) graphOf(event string) *plan.Graph {
	p := s.Program.Plan()
	for i := range p.Rules {
		if p.Rules[i].ID == s.now.subject {
			return &p.Rules[i].Graph
		}
	}
	for i := range p.Procedures {
		for k := range p.Procedures[i].Events {
			if e := &p.Procedures[i].Events[k]; p.Procedures[i].ID == s.now.subject && e.ID == event {
				return &e.Graph
			}
		}
	}
	return nil
}

// noteDecisions says which fields count as by default in odds, because they are decided when dice have fallen.
func (s *Session) noteDecisions() string {
	var list []string
	if g := s.graphOf(s.now.event); g != nil {
		for _, d := range g.Decisions {
			list = append(list, d.Path)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, " and ") + " counts as by default, for it is decided when dice have fallen"
}

// truths are the outputs of a graph that are true or false.
func truths(g *plan.Graph) (out []string) {
	for _, f := range g.Outputs.Type.Fields {
		if f.Type.Kind == plan.Bool {
			out = append(out, f.Name)
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

// chances are those of some outputs of the rule, or of an event, when everything that is not known is as by default.
func (s *Session) chances(event string, outputs []string, k runtime.Known) ([]Chance, error) {
	choice := runtime.Choice{Options: s.Options, Outputs: outputs}
	k.Accepted = append(slices.Clip(k.Accepted), "input", "character", "event")
	of, records, err := s.question(event, choice, k)
	if err != nil {
		return nil, err
	}
	joint, err := of.Odds(odds.Question{Records: records})
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

// question is what the engine of odds is asked for the rule, or for an event of the play.
func (s *Session) question(event string, choice runtime.Choice, k runtime.Known) (of *odds.Rule, r odds.Records,
	err error) {
	if event == "" {
		rule, err := s.Program.Rule(s.now.subject, choice)
		if err != nil {
			return nil, r, err
		}
		asked, err := rule.Ask(k)
		if err != nil {
			return nil, r, err
		}
		if err := needsNoField(asked.Needs); err != nil {
			return nil, r, err
		}
		if r[plan.CharacterRoot], r[plan.InputRoot], err = rule.Fill(k); err != nil {
			return nil, r, err
		}
		of, err = odds.NewRule(s.Program, s.now.subject, choice)
		return of, r, err
	}
	play := s.now.play
	_, needs, err := play.Ask(event, k)
	if err != nil {
		return nil, r, err
	}
	if err := needsNoField(needs); err != nil {
		return nil, r, err
	}
	r[plan.CharacterRoot], r[plan.InputRoot], r[plan.StateRoot] = play.Character, play.Input, play.State
	if r[plan.EventRoot], err = play.Fill(event, k); err != nil {
		return nil, r, err
	}
	of, err = odds.NewEvent(s.Program, s.now.subject, event, choice)
	return of, r, err
}

// needsNoField wants a die to be the next that is needed, if anything is.
func needsNoField(needs []runtime.Question) error {
	if len(needs) > 0 && needs[0].Ask != runtime.AskDie {
		return fmt.Errorf("odds need %s first", needs[0].Path)
	}
	return nil
}
